"""The search for a pattern in a text of any size, with limits of time."""

from __future__ import annotations

import atexit
import time
from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING

from md_mcp.document.pattern import LineFinder, Pattern, literal_lines
from md_mcp.errors import PatternTimeoutError

if TYPE_CHECKING:
    from md_mcp.matching.matcher import Matcher

PIECE_SECONDS = 2.0
"""For one piece of text, of which an ordinary pattern searches some in a second."""

CALL_SECONDS = 10.0
"""For all that one call searches."""

_PIECE = 1024 * 1024
"""Characters sent at once. Only a longer line makes a larger piece."""


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
        return partial(literal_lines, pattern.literal)
    piece_limit = PIECE_SECONDS if piece_seconds is None else piece_seconds
    call_limit = CALL_SECONDS if call_seconds is None else call_seconds
    deadline = time.monotonic() + call_limit

    def find_lines(text: str) -> Iterator[tuple[int, int]]:
        used = matcher or _shared()
        for offset, piece in pieces(text, _PIECE):
            left = min(piece_limit, deadline - time.monotonic())
            if left <= 0:
                raise PatternTimeoutError(pattern.query, call_limit)
            source = pattern.source(piece)
            found = used.find_lines(pattern.query, source, piece, left)
            for start, end in found:
                yield offset + start, offset + end

    return find_lines


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


@cache
def _shared() -> Matcher:
    from md_mcp.matching.matcher import Matcher  # costs time that plain text spares

    matcher = Matcher()
    atexit.register(matcher.close)
    return matcher
