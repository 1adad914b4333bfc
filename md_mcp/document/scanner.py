"""Text to headings."""

from __future__ import annotations

from md_mcp.document.blocks import BlockParser
from md_mcp.document.heading import Heading, HeadingSource

__all__ = ["Heading", "scan_headings"]


def scan_headings(text: str, start: int = 0) -> tuple[Heading, ...]:
    """Return the headings of `text` from `start`, a line start, on."""
    source = HeadingSource(text)
    if source.separator == "\r":
        # Such a text has no line feed, so the offsets stay what they are.
        text = text.replace("\r", "\n")
    parser = BlockParser(text, start)
    parser.parse()
    return tuple(
        Heading(source, start, end, level, style)
        for start, end, level, style in parser.headings()
    )
