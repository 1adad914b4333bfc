"""Splices: replacements of spans of one text, applied together in one pass.

All spans refer to the original text. That makes plans composable and lets the guards
compare what lies between the splices byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from md_mcp.document.text import Span


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace the text at `span` by `text`. An empty span inserts."""

    span: Span
    text: str


def sort_splices(splices: Iterable[Splice], length: int) -> tuple[Splice, ...]:
    """Return the splices by position, equal positions in the order given.

    Raises:
        ValueError: two splices overlap, or one ends after `length`.
    """
    ordered = tuple(sorted(splices, key=lambda splice: splice.span))
    end = 0
    for splice in ordered:
        if splice.span.start < end:
            raise ValueError(f"splices overlap at offset {splice.span.start}")
        end = splice.span.end
    if end > length:
        raise ValueError(f"a splice ends at {end}, after the text ({length})")
    return ordered


def apply_splices(text: str, splices: Iterable[Splice]) -> str:
    """Return `text` with every splice applied.

    Raises:
        ValueError: two splices overlap, or one ends after the text.
    """
    pieces: list[str] = []
    position = 0
    for splice in sort_splices(splices, len(text)):
        pieces += (text[position : splice.span.start], splice.text)
        position = splice.span.end
    pieces.append(text[position:])
    return "".join(pieces)
