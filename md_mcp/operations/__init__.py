"""One function a verb: load, edit, check, save. Every adapter calls these.

The first argument is the `Files` that the adapter works with; the others are the
arguments of the tool of the same name. Failures are raised as `MdMcpError`.
"""

from md_mcp.operations.changelog import CHANGELOG_ACTIONS, update_changelog
from md_mcp.operations.index import get_index
from md_mcp.operations.read import (
    find_notes,
    find_section,
    get_frontmatter,
    get_outline,
    query_links,
)
from md_mcp.operations.search import search_files, search_sections
from md_mcp.operations.sections import (
    add_section,
    delete_section,
    get_section,
    patch_section,
    replace_in_section,
    replace_section,
)

__all__ = [
    "CHANGELOG_ACTIONS",
    "add_section",
    "delete_section",
    "find_notes",
    "find_section",
    "get_frontmatter",
    "get_index",
    "get_outline",
    "get_section",
    "patch_section",
    "query_links",
    "replace_in_section",
    "replace_section",
    "search_files",
    "search_sections",
    "update_changelog",
]
