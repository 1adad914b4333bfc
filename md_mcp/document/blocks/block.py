"""What a region of a document consists of: its top-level blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from md_mcp.document.text import Span

BlockKind = Literal[
    "paragraph",
    "atx_heading",
    "setext_heading",
    "thematic_break",
    "fenced_code",
    "indented_code",
    "html_block",
    "link_reference_definition",
    "footnote_definition",
    "block_quote",
    "list",
    "table",
]


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block. `span` covers whole lines, endings included."""

    kind: BlockKind
    span: Span
    level: int = 0
    """1 to 6 for a heading, else 0."""
    html_kind: int = 0
    """1 to 7, the number of the start condition, for an HTML block, else 0."""
    label: str = ""
    """As written between the brackets; of a definition, else empty."""
    closed: bool = True
    """False for a fenced code or HTML block that only the end of the region ends."""
