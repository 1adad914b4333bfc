"""The block structure of CommonMark 0.31.2, with GFM tables and footnotes, exactly.

`parse_blocks` tells the top-level blocks of a region, `BlockParser` is the line-by-line
state machine behind it, which the heading scanner asks where its short cuts end.
"""

from __future__ import annotations

from md_mcp.document.blocks.block import Block, BlockKind
from md_mcp.document.blocks.parser import BlockParser
from md_mcp.document.text import Span

__all__ = ["Block", "BlockKind", "BlockParser", "parse_blocks"]


def parse_blocks(text: str, span: Span, separator: str = "\n") -> tuple[Block, ...]:
    r"""Return the top-level blocks of `text` in `span`, in order.

    The span starts at a settled place: the start of the file, or after a heading or a
    blank line at top level. What follows the span is not looked at. `separator` is what
    ends lines in `text`, "\r" in old-Mac files.
    """
    if separator == "\r":
        # Such a text has no line feed, so the offsets stay what they are.
        text = text.replace("\r", "\n")
    parser = BlockParser(text[: span.end])
    parser.parse(span.start)
    return tuple(parser.found.blocks())
