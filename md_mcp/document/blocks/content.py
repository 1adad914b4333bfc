"""Where the inline content of a text stands: in all blocks, nested ones too.

The block structure says which lines are code, HTML or text; links and anchors stand in
the text alone. Indentation and the markers of block quotes and list items are not part
of it. All offsets are those at which the content of a line starts; it reaches to the
end of the line.
"""

from __future__ import annotations

from md_mcp.document.blocks.block import BlockKind
from md_mcp.document.blocks.parser import _HTML, BlockParser


class ContentParser(BlockParser):
    """A block parser that also keeps where text and HTML stand, in file order.

    Attributes:
        paragraphs: the lines of each paragraph and setext heading, link reference
            definitions included.
        headings_and_rows: the line of each ATX heading and table row.
        html_lines: the lines of the HTML blocks.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.paragraphs: list[list[int]] = []
        self.headings_and_rows: list[int] = []
        self.html_lines: list[int] = []

    def _begin_block(self, kind: BlockKind, detail: int = 0, label: str = "") -> None:
        if kind == "atx_heading":
            self.headings_and_rows.append(self._first)
        elif kind == "html_block":
            self.html_lines.append(self._first)
        super()._begin_block(kind, detail, label)

    def _continue_verbatim(self) -> None:
        if self._leaf == _HTML and self.html_lines[-1] < self._first:
            self.html_lines.append(self._first)
        super()._continue_verbatim()

    def _begin_paragraph(self) -> None:
        super()._begin_paragraph()
        self.paragraphs.append(self._lines)

    def _add_text(self) -> None:
        super()._add_text()
        # Where an underline follows definitions only, the paragraph starts anew.
        if self._lines and self._lines is not self.paragraphs[-1]:
            self.paragraphs.append(self._lines)

    def _is_table_row(self) -> bool:
        is_row = super()._is_table_row()
        if is_row:
            self.headings_and_rows.append(self._first)
        return is_row

    def _starts_table(self) -> bool:
        header = self._lines[-1]
        starts = super()._starts_table()
        if starts:
            self.headings_and_rows.append(header)
            if self._lines and self._lines[-1] == header:
                self._lines.pop()
        return starts
