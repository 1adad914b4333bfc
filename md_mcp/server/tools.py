"""The tool tables: one a toolset, a row a tool.

Descriptions and schemas are the interface that a model reads, often in a hurry: the
first words carry what matters, and nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from md_mcp import operations
from md_mcp.errors import ArgumentError
from md_mcp.files import Files
from md_mcp.server.confirm import confirm
from md_mcp.server.read_tools import READ
from md_mcp.server.refactor_tools import REFACTOR
from md_mcp.server.tool import BOOLEAN, INTEGER, STRING, Tool
from md_mcp.server.validation import offer_nearest


def _replace_in_section(files: Files, **arguments: Any) -> str:
    change = operations.replace_in_section(files, **arguments)
    return "\n".join((change.diff, *change.warnings))


_FILE = {"file_path": STRING}
_SECTION = {"file_path": STRING, "path": STRING}
_REVISION = {"expected_revision": STRING}
_SCOPE = {"type": "string", "enum": ["body", "headings", "both"]}

EDIT = (
    Tool(
        name="get_index",
        description=(
            "Headings of a Markdown file as a tree, with dot-paths for the other "
            'tools: "Guide.Install"; "\\." is a dot in a heading, "Notes[2]" the '
            "second of equal siblings. path: only that subtree; depth: generations."
        ),
        parameters={**_FILE, "path": STRING, "depth": INTEGER},
        required=("file_path",),
        function=operations.get_index,
    ),
    Tool(
        name="get_section",
        description=(
            "Exact text of a section with heading and children. depth 0: without "
            "children; N: N generations. Other paths: frontmatter, (preamble)."
        ),
        parameters={**_SECTION, "depth": INTEGER},
        required=("file_path", "path"),
        function=operations.get_section,
    ),
    Tool(
        name="search_sections",
        description=(
            "Lines of one file that match a Python regular expression, with section "
            "path and line number."
        ),
        parameters={
            **_FILE,
            "query": STRING,
            "case_sensitive": BOOLEAN,
            "scope": _SCOPE,
        },
        required=("file_path", "query"),
        function=operations.search_sections,
    ),
    Tool(
        name="search_files",
        description=(
            "Lines that match a Python regular expression in the files of a directory "
            'that fit glob, such as "**/*.md". Hits carry file_path and section path. '
            "limit: at most 1000."
        ),
        parameters={
            "directory": STRING,
            "glob": STRING,
            "query": STRING,
            "scope": _SCOPE,
            "case_sensitive": BOOLEAN,
            "limit": INTEGER,
            "max_file_bytes": INTEGER,
        },
        required=("directory", "glob", "query"),
        function=operations.search_files,
    ),
    Tool(
        name="add_section",
        description=(
            'Add a section; heading such as "## Usage". under: as the last child of '
            "that section; before, after: beside that section; none of these: at the "
            "end of the file."
        ),
        parameters={
            "file_path": STRING,
            "heading": STRING,
            "content": STRING,
            "under": STRING,
            "before": STRING,
            "after": STRING,
            **_REVISION,
        },
        required=("file_path", "heading", "content"),
        function=confirm(operations.add_section),
        writes=True,
    ),
    Tool(
        name="replace_section",
        description=(
            "Replace the text of a section; its heading stays. new_content without "
            "headings: children stay. With deeper headings: they replace all children. "
            "Other headings are refused."
        ),
        parameters={**_SECTION, "new_content": STRING, **_REVISION},
        required=("file_path", "path", "new_content"),
        function=confirm(operations.replace_section),
        writes=True,
        destructive=True,
        idempotent=True,
    ),
    Tool(
        name="replace_in_section",
        description=(
            "Best for small changes: replace the exact text old in a section's own "
            "text, not in its children. Several places need replace_all. Returns the "
            "diff."
        ),
        parameters={
            **_SECTION,
            "old": STRING,
            "new": STRING,
            "replace_all": BOOLEAN,
            **_REVISION,
        },
        required=("file_path", "path", "old", "new"),
        function=_replace_in_section,
        writes=True,
        destructive=True,
    ),
    Tool(
        name="patch_section",
        description=("The diff that replace_section would make. Writes nothing."),
        parameters={**_SECTION, "new_content": STRING},
        required=("file_path", "path", "new_content"),
        function=operations.patch_section,
    ),
    Tool(
        name="delete_section",
        description=(
            "Delete a section and its children; include_children false: only heading "
            "and own text, children stay. Full path only."
        ),
        parameters={**_SECTION, "include_children": BOOLEAN, **_REVISION},
        required=("file_path", "path"),
        function=confirm(operations.delete_section),
        writes=True,
        destructive=True,
    ),
)
"""The section editor."""

TOOLSETS: dict[str, tuple[Tool, ...]] = {
    "edit": EDIT,
    "read": READ,
    "refactor": REFACTOR,
}

ALL = "all"


def select_tools(toolsets: Iterable[str], *, read_only: bool) -> dict[str, Tool]:
    """Return the tools of `toolsets` by name; with `read_only` those that only read.

    Raises:
        ArgumentError: a toolset does not exist.
    """
    names = list(toolsets)
    for name in names:
        if name != ALL and name not in TOOLSETS:
            offer = offer_nearest(name, TOOLSETS)
            known = ", ".join((*TOOLSETS, ALL))
            raise ArgumentError(
                "toolsets", f'no toolset "{name}".{offer} There are {known}.'
            )
    chosen = TOOLSETS if ALL in names else dict.fromkeys(names)
    return {
        tool.name: tool
        for name in chosen
        for tool in TOOLSETS[name]
        if not (read_only and tool.writes)
    }
