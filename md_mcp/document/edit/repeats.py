"""Content that repeats the tail of the text that it replaces.

Who reads a section and writes it back changed sends its tail along: comments, anchor
lines, closing definitions. They stay in the file, so they must not come twice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from md_mcp.document.edit.layout import trim_blank
from md_mcp.document.edit.tail import Tail
from md_mcp.document.model import Document
from md_mcp.document.text import Span


def without_repeated_tail(
    document: Document, ending: Tail, lines: Sequence[str]
) -> Sequence[str]:
    """Drop the end of `lines` where it repeats neighbouring items of the tail.

    Of several such runs of items the one with most items is dropped.
    """
    if not ending.items:
        return lines
    old = document.bare_lines(Span(ending.items[0].start, ending.items[-1].end))
    starts, stops = _line_ranges(document, ending.items)
    repeated = _common_ends(old, lines)
    most = 0, 0
    for index, stop in enumerate(stops):
        first = bisect_left(starts, stop - repeated[stop])
        if first <= index:
            most = max(most, (index + 1 - first, stop - starts[first]))
    return trim_blank(lines[: len(lines) - most[1]]) if most[1] else lines


def _line_ranges(
    document: Document, items: Sequence[Span]
) -> tuple[list[int], list[int]]:
    """Return before which line each item starts and stops, counted from the first."""
    starts, stops = [], []
    line, position = 0, items[0].start
    for item in items:
        line += document.text.count(document.separator, position, item.start)
        starts.append(line)
        position = item.end
        line += len(document.bare_lines(item))
        stops.append(line)
    return starts, stops


def _common_ends(lines: Sequence[str], pattern: Sequence[str]) -> list[int]:
    """Return for each stop with how many of its last lines `lines[:stop]` ends."""
    needle = [*reversed(pattern[-len(lines) :])]
    joined = [*needle, None, *reversed(lines)]
    return [0, *reversed(_prefix_lengths(joined)[len(needle) + 1 :])]


def _prefix_lengths(items: Sequence[str | None]) -> list[int]:
    """Return for each place how many of the first items stand there again.

    This is the Z algorithm: what is known to repeat is not compared again, so that
    thousands of equal lines cost linear time.
    """
    lengths = [0] * len(items)
    left = right = 0
    for place in range(1, len(items)):
        length = min(lengths[place - left], right - place) if place < right else 0
        while place + length < len(items) and items[length] == items[place + length]:
            length += 1
        if place + length > right:
            left, right = place, place + length
        lengths[place] = length
    return lengths
