"""The open containers, and the line that is measured against them.

A container is kept as what continues it, nothing else. There is no tree and no
recursion, so nesting costs no more than the characters that express it.
"""

from __future__ import annotations

import re

from md_mcp.document.text import BLANK

TAB_STOP = 4

CODE_INDENT = 4
"""Columns of indentation that make a line indented code, and nothing else."""

BLOCK_QUOTE = 0
"""How a block quote stands among the containers. The others, list items and footnote
definitions, stand as the columns of indentation that continue them."""

_BLANKS = re.compile(r"[ \t]*+")


class OpenContainers:
    """Block quotes, list items and footnote definitions, outermost first."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._close_all()

        # The line at hand: its start, its end without and with the ending; its next
        # character that is no indentation, the column of that, and the columns of
        # indentation not yet taken by containers; how many containers it continues.
        self._line_start = self._stop = self._next_line = 0
        self._first = self._column = self._indent = 0
        self._depth = 0

    def _close_all(self) -> None:
        self._containers: list[int] = []
        self._quotes: list[int] = []
        """Which of the containers are block quotes, by index."""

    def _enter_line(self, start: int) -> None:
        """Go to the line that starts here, behind its indentation."""
        feed = self._text.find("\n", start)
        self._line_start = start
        if feed < 0:
            self._stop = self._next_line = len(self._text)
        else:
            self._next_line = feed + 1
            is_pair = feed > start and self._text[feed - 1] == "\r"
            self._stop = feed - 1 if is_pair else feed
        self._skip_blanks(start, 0)

    def _skip_blanks(self, offset: int, column: int) -> None:
        """Go to the next character that is no space or tab; count the columns."""
        stop = self._stop
        first = offset
        if first < stop and self._text[first] in BLANK:
            blanks = _BLANKS.match(self._text, first, stop)
            first = blanks.end() if blanks else first
        self._first = first
        self._indent = first - offset
        if self._indent and self._text.find("\t", offset, first) >= 0:
            self._indent = _columns(self._text[offset:first], column) - column
        self._column = column + self._indent

    def _match_containers(self) -> int:
        """Return how many of the open containers the line continues.

        https://spec.commonmark.org/0.31.2/#container-blocks
        """
        quotes = 0
        for depth, needed in enumerate(self._containers):
            if self._first == self._stop:
                # A blank line continues everything but block quotes.
                more = quotes < len(self._quotes)
                return self._quotes[quotes] if more else len(self._containers)
            if needed == BLOCK_QUOTE:
                if self._indent >= CODE_INDENT or self._text[self._first] != ">":
                    return depth
                quotes += 1
                self._take_quote_marker()
            elif self._indent >= needed:
                self._indent -= needed
            else:
                return depth
        return len(self._containers)

    def _take_quote_marker(self) -> None:
        """Go behind a `>` and the one space that may belong to it."""
        self._skip_blanks(self._first + 1, self._column + 1)
        if self._indent:
            self._indent -= 1

    def _open_container(self, needed: int) -> None:
        if needed == BLOCK_QUOTE:
            self._quotes.append(self._depth)
        self._containers.append(needed)
        self._depth += 1

    def _drop_unmatched(self) -> None:
        del self._containers[self._depth :]
        while self._quotes and self._quotes[-1] >= self._depth:
            self._quotes.pop()


def _columns(blanks: str, column: int) -> int:
    """Return the column that spaces and tabs lead to from `column`."""
    for character in blanks:
        column += TAB_STOP - column % TAB_STOP if character == "\t" else 1
    return column
