"""The top-level blocks of a text, as the state machine opens and closes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from md_mcp.document.blocks.block import Block, BlockKind
from md_mcp.document.blocks.definitions import parse_definitions
from md_mcp.document.text import Span

_Record = tuple[BlockKind, int, int, int, str, bool, Sequence[int]]
"""A finished block, light because there are many: kind, start, end, detail, label, "is
closed", and the lines of a paragraph, whose definitions are told from it on demand."""

_VERBATIM = ("fenced_code", "html_block")


class TopLevelBlocks:
    """The blocks that are finished, and the one that is open.

    Attributes:
        kind: what the open block is, None if there is none.
        start: where it starts, a line start.
        end: where the last line ends that certainly belongs to it.
        detail: the level of a heading, the kind of an HTML block.
        label: of a footnote definition; the marker of a list.
    """

    __slots__ = (
        "_origin",
        "_records",
        "_text",
        "detail",
        "end",
        "kind",
        "label",
        "start",
    )

    def __init__(self, text: str, origin: int) -> None:
        self._text = text
        self._origin = origin
        """Where the first line starts: possibly right after a byte order mark."""
        self._records: list[_Record] = []
        self.kind: BlockKind | None = None
        self.start = self.end = self.detail = 0
        self.label = ""

    def begin(
        self, kind: BlockKind, start: int, end: int, detail: int, label: str
    ) -> None:
        """Open a block whose first line ends at `end`."""
        self.kind, self.start, self.end = kind, start, end
        self.detail, self.label = detail, label

    def finish(self, lines: Sequence[int], *, is_open: bool = False) -> None:
        """Close the open block.

        Args:
            lines: where the text of each of its lines starts, if it is a paragraph.
            is_open: the text ends within code or HTML, of this block or nested in it.
        """
        kind, end = self.kind, self.end
        if kind is None:
            return
        if is_open := is_open and kind in _VERBATIM:
            end = len(self._text)
        lines = lines if kind == "paragraph" else ()
        self._records.append(
            (kind, self.start, end, self.detail, self.label, not is_open, lines)
        )
        self.kind = None

    def split(self, lines: Sequence[int], rest: Sequence[int]) -> None:
        """Close the open paragraph after `lines`, and open one with the `rest`."""
        end, place = self.end, self.end
        if rest:
            line = self._text.rfind("\n", 0, rest[0]) + 1
            place = max(line, self._origin)
        if lines:
            self.end = place
            self.finish(lines)
        if rest:
            self.begin("paragraph", place, end, 0, "")

    def blocks(self) -> Iterator[Block]:
        """Yield the finished blocks, definitions apart from paragraphs."""
        for kind, start, end, detail, label, closed, lines in self._records:
            for block in self._definitions(start, end, lines):
                yield block
                start = block.span.end
            if start < end:
                level = detail if kind.endswith("heading") else 0
                html_kind = detail if kind == "html_block" else 0
                own_label = "" if kind == "list" else label
                yield Block(kind, Span(start, end), level, html_kind, own_label, closed)

    def _definitions(
        self, start: int, end: int, lines: Sequence[int]
    ) -> Iterator[Block]:
        if not lines or self._text[lines[0]] != "[":
            return
        texts = [rest_of_line(self._text, first) for first in lines]
        for definition in parse_definitions(texts):
            stop = start
            for _ in range(definition.line_count):
                stop = self._text.find("\n", stop) + 1 or end
            span = Span(start, stop)
            yield Block("link_reference_definition", span, label=definition.label)
            start = stop

    def headings(self) -> Iterator[tuple[int, int, int, Literal["atx", "setext"]]]:
        """Yield start, end, level and style of the headings."""
        for kind, start, end, level, *_ in self._records:
            if kind == "atx_heading":
                yield start, end, level, "atx"
            elif kind == "setext_heading":
                yield start, end, level, "setext"

    def verbatim(self) -> Iterator[tuple[int, int, bool]]:
        """Yield start, end and "is HTML" of the fenced code and HTML blocks."""
        for kind, start, end, *_ in self._records:
            if kind in _VERBATIM:
                yield start, end, kind == "html_block"


def rest_of_line(text: str, start: int) -> str:
    """Return what stands from `start` to the end of the line, without its ending."""
    feed = text.find("\n", start)
    line = text[start : len(text) if feed < 0 else feed]
    return line[:-1] if feed >= 0 and line.endswith("\r") else line
