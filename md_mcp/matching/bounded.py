"""The search for a pattern in a text of any size, with limits of time."""

from __future__ import annotations

import atexit
import time
from collections.abc import Iterable, Iterator
from functools import cache, partial
from threading import Lock
from typing import TYPE_CHECKING

from md_mcp.document.pattern import LineFinder, Pattern, literal_lines
from md_mcp.errors import PatternTimeoutError

if TYPE_CHECKING:
    from md_mcp.matching.matcher import Matcher

PIECE_SECONDS = 2.0
"""For one piece of text, of which an ordinary pattern searches some in a second."""

CALL_SECONDS = 10.0
"""For all that one call searches."""

_STARTING = Lock()

_PIECE = 1024 * 1024
"""Characters searched at once. Only a longer line makes a larger piece.

Pieces bound the memory of the worker, and how long a search for plain text keeps the
other threads of this process waiting.
"""


def bounded_lines(
    pattern: Pattern,
    *,
    piece_seconds: float | None = None,
    call_seconds: float | None = None,
    matcher: Matcher | None = None,
) -> LineFinder:
    """Return the search for `pattern`; the time for all its uses starts to run now.

    It raises `PatternTimeoutError` and `PatternMemoryError`. The limits are
    `PIECE_SECONDS` and `CALL_SECONDS` unless others are given, the matcher is that of
    this process.
    """
    if pattern.literal is not None:
        return partial(_in_pieces, partial(literal_lines, pattern.literal))
    piece_limit = PIECE_SECONDS if piece_seconds is None else piece_seconds
    call_limit = CALL_SECONDS if call_seconds is None else call_seconds
    deadline = time.monotonic() + call_limit

    def find_in_piece(piece: str) -> Iterable[tuple[int, int]]:
        left = min(piece_limit, deadline - time.monotonic())
        if left <= 0:
            raise PatternTimeoutError(pattern.query, call_limit)
        used = matcher or _shared()
        return used.find_lines(pattern.query, pattern.source(piece), piece, left)

    return partial(_in_pieces, find_in_piece)


def _in_pieces(find_lines: LineFinder, text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines that `find_lines` finds in the pieces of `text`."""
    for offset, piece in pieces(text, _PIECE):
        for start, end in find_lines(piece):
            yield offset + start, offset + end


def pieces(text: str, size: int) -> Iterator[tuple[int, str]]:
    """Yield offset and text of pieces of whole lines, of `size` characters or so."""
    start = 0
    while start < len(text):
        end = text.rfind("\n", start, start + size) + 1
        if len(text) <= start + size:
            end = len(text)
        elif end == 0:  # a longer line
            end = text.find("\n", start) + 1 or len(text)
        yield start, text[start:end]
        start = end


def _shared() -> Matcher:
    """Return the matcher of this process."""
    with _STARTING:
        return _make_shared()


@cache
def _make_shared() -> Matcher:
    from md_mcp.matching.matcher import Matcher  # costs time that plain text spares

    matcher = Matcher()
    atexit.register(matcher.close)
    return matcher
