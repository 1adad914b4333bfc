"""Tables of GitHub Flavored Markdown: the delimiter row and the number of cells.

https://github.github.com/gfm/#tables-extension-
"""

from __future__ import annotations

import re

from md_mcp.document.text import BLANK

_DELIMITER_ROW = re.compile(
    r"""
    \|? [ \t]*+ :?-++:? [ \t]*+
    (?> (?: \| [ \t]*+ :?-++:? [ \t]*+ )* )
    \|? [ \t]*+ \Z
    """,
    re.VERBOSE,
)


def is_delimiter_row(line: str) -> bool:
    """Return whether `line`, without indentation and ending, is a delimiter row."""
    return _DELIMITER_ROW.match(line) is not None


def count_cells(line: str) -> int:
    """Return the number of cells of a row; outer pipes are optional, 0 is no row."""
    row = line.strip(BLANK)
    row = row[1:].lstrip(BLANK) if row.startswith("|") else row
    if not row:
        return 0
    # A pipe behind a backslash is text, whatever stands before the two.
    pipes = row.count("|") - row.count("\\|")
    return pipes if row.endswith("|") and not row.endswith("\\|") else pipes + 1
