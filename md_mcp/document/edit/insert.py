"""Put blocks and lines at a place in a document."""

from __future__ import annotations

from collections.abc import Sequence

from md_mcp.document.edit.layout import at_line_start, insert_block
from md_mcp.document.edit.tail import skip_blank_lines, skip_blank_lines_back
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span


def insert_at(document: Document, place: int, lines: Sequence[str]) -> Splice:
    """Return the splice that puts a block into the blank lines around `place`."""
    before, after = Span(document.body_start, place), Span(place, len(document.text))
    gap = Span(
        skip_blank_lines_back(document, before), skip_blank_lines(document, after)
    )
    return insert_block(document, gap, lines, keeps_end=True)


def insert_lines(document: Document, place: int, lines: Sequence[str]) -> Splice:
    """Return the splice that puts whole lines behind the one that ends at `place`."""
    ending = document.line_ending
    if at_line_start(document, place):
        text = "".join(line + ending for line in lines)
    else:  # the end of a file without a final line ending
        text = "".join(ending + line for line in lines)
    return Splice(Span(place, place), text)
