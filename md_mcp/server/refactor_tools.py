"""The toolset `refactor`: changes that reach beyond one section."""

from __future__ import annotations

from typing import Any

from md_mcp import operations
from md_mcp.files import Change, Files
from md_mcp.server.confirm import confirmation
from md_mcp.server.tool import STRING, Tool, ToolValue


def _update_changelog(
    files: Files, expected_revision: str | None = None, **arguments: Any
) -> ToolValue:
    answer = operations.update_changelog(
        files, expected_revision=expected_revision, **arguments
    )
    if isinstance(answer, Change):
        return confirmation(answer, expected_revision)
    return answer


REFACTOR = (
    Tool(
        name="update_changelog",
        description=(
            "Changelogs. add: entry into Unreleased, category such as Fixed. release: "
            "Unreleased becomes version, date today. show: notes of version or "
            "unreleased. check: list faults. under: path of the log if there are "
            "several."
        ),
        parameters={
            "file_path": STRING,
            "action": {"type": "string", "enum": list(operations.CHANGELOG_ACTIONS)},
            "entry": STRING,
            "category": STRING,
            "version": STRING,
            "date": STRING,
            "under": STRING,
            "expected_revision": STRING,
        },
        required=("file_path", "action"),
        function=_update_changelog,
        writes=True,
    ),
)
