"""Tables of GitHub Flavored Markdown: the delimiter row and the number of cells.

https://github.github.com/gfm/#tables-extension-
"""

from __future__ import annotations

import re

_DELIMITER_ROW = re.compile(
    r"""
    \|? [ \t]*+ :?-++:? [ \t]*+
    (?: \| [ \t]*+ :?-++:? [ \t]*+ )*+
    \|? [ \t]*+ \Z
    """,
    re.VERBOSE,
)

_PIPE = re.compile(r"(?<!\\)\|")


def is_delimiter_row(line: str) -> bool:
    """Return whether `line`, without indentation and ending, is a delimiter row."""
    return _DELIMITER_ROW.match(line) is not None


def count_cells(line: str) -> int:
    """Return the number of cells of a row; outer pipes are optional, 0 is no row."""
    row = line.strip(" \t")
    row = row[1:].lstrip(" \t") if row.startswith("|") else row
    pipes = len(_PIPE.findall(row))
    return pipes + (row != "" and not (row.endswith("|") and row[-2:] != "\\|"))
