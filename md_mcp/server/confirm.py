"""What a writing tool answers: "ok", and the new revision where one was expected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from md_mcp.files import Change, Files


def confirm(operation: Callable[..., Any]) -> Callable[..., str]:
    """Return the tool function of a writing operation that answers "ok"."""

    def tool_function(
        files: Files, expected_revision: str | None = None, **arguments: Any
    ) -> str:
        change = operation(files, expected_revision=expected_revision, **arguments)
        return confirmation(change, expected_revision)

    return tool_function


def confirmation(change: Change, expected_revision: str | None) -> str:
    """Return the answer for a change.

    To a caller who named the revision it started from, it tells the new one.
    """
    answer = "ok" if expected_revision is None else f"ok {change.revision}"
    return "\n".join((answer, *change.warnings))
