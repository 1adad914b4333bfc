"""The state machine that reads a document's block structure line by line.

It follows the parsing strategy of CommonMark 0.31.2 (phase 1, block structure):
each line first continues the open containers it can, then may start new blocks, and
what is left of it is text. https://spec.commonmark.org/0.31.2/#phase-1-block-structure

Only what a heading or the extent of a top-level block depends on is kept. That is,
beside the top-level blocks: the open containers, each as the indentation that continues
it, and the open leaf block. There is no tree and no recursion, so nesting costs no more
than the characters that express it.

Three constructs are added: tables and footnote definitions as GitHub reads them, and
template actions, whose lines after the first are text.

The lines end with a line feed; a carriage return right before it belongs to the ending.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from md_mcp.document.blocks.block import BlockKind
from md_mcp.document.blocks.containers import BLOCK_QUOTE, CODE_INDENT, OpenContainers
from md_mcp.document.blocks.definitions import count_definition_lines
from md_mcp.document.blocks.html_blocks import (
    CANNOT_INTERRUPT_A_PARAGRAPH,
    ENDED_BY_A_BLANK_LINE,
    find_html_block_end,
    scan_html_block_start,
)
from md_mcp.document.blocks.tables import count_cells, is_delimiter_row
from md_mcp.document.blocks.top_level import TopLevelBlocks, rest_of_line
from md_mcp.document.template import TemplateActions

_FOOTNOTE_INDENT = 4

# What the open leaf block is. Indented code, headings and thematic breaks leave nothing
# open that a later line could depend on.
_NOTHING, _PARAGRAPH, _TABLE, _FENCED_CODE, _HTML = range(5)

# What came of trying to start a block: it does not start here; a leaf block has taken
# the line; a container has taken its marker, and the rest of the line is its content.
_NO, _LEAF, _CONTAINER = range(3)

_ATX_HEADING = re.compile(r"(#{1,6}+)(?:[ \t]|\Z)")
_SETEXT_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+\Z")
_RULE = {mark: re.compile(rf"(?:{re.escape(mark)}[ \t]*+)+") for mark in "*-_"}
_CODE_FENCE = re.compile(r"(?P<fence>`{3,}+)[^`]*+\Z|(?P<tildes>~{3,}+)")
_CLOSING_FENCE = re.compile(r"(`{3,}+|~{3,}+)[ \t]*+\Z")
_LIST_MARKER = re.compile(r"(?:[-+*]|[0-9]{1,9}+[.)])(?=[ \t]|\Z)")
_INTERRUPTING_LIST_MARKER = re.compile(r"(?:[-+*]|0{0,8}+1[.)])(?=[ \t]++[^ \t])")
"""In order to interrupt a paragraph, a list item must have text and start with 1."""
_FOOTNOTE_START = re.compile(r"\[\^([^\] \t\r\n\x00]++)\]:")


class BlockParser(OpenContainers):
    """Reads lines from a settled place on.

    A place is settled when no open block reaches over it, whatever follows: the start
    of the text, or a line start with no block open before it, or a line without
    indentation after a blank line, for that closes every container.

    Attributes:
        found: the top-level blocks of the last parse.
    """

    def __init__(self, text: str, actions: TemplateActions | None = None) -> None:
        super().__init__(text)
        self._actions = actions or TemplateActions(text)
        self._reset(0)

    def _reset(self, position: int) -> None:
        self._close_all()
        self.found = TopLevelBlocks(self._text, position)
        self._leaf = _NOTHING
        self._fence = ""
        self._html_kind = 0
        self._lines: list[int] = []
        """Where the text of each line of the open paragraph starts."""
        self._in_paragraph = False
        """Whether the line continues the open paragraph unless a block starts."""
        self._item_is_empty = False
        """Whether the last line left the innermost container, a list item, empty."""
        self._after_blank = False
        self._no_rule_before = position
        """Offset up to which no thematic break starts."""
        self._text_until = position
        """Lines that start before this offset are inside a template action."""
        action = self._actions.find_open(position)
        self._action_start = action[0] if action else len(self._text)

    # --- lines ------------------------------------------------------------------------

    def parse(self, start: int = 0, until: int | None = None) -> int:
        """Parse from a settled place up to the first one at or after `until`.

        Without `until`, or when there is none, that is the end of the text. Return it.
        """
        self._reset(start)
        length = len(self._text)
        until = length if until is None else until
        position = start
        while position < length:
            if position >= until and self._is_settled(position):
                break
            self._enter_line(position)
            self._parse_line()
            if self._action_start < self._next_line:
                self._enter_actions()
            position = self._next_line
        is_open = position == length and self._leaf >= _FENCED_CODE
        self.found.finish(self._lines, is_open=is_open)
        return position

    def _is_settled(self, position: int) -> bool:
        if position < self._text_until:
            return False
        if not self._containers:
            return self._leaf == _NOTHING
        return self._after_blank and self._text[position] not in " \t\r\n"

    def _enter_actions(self) -> None:
        """Note which of the next lines belong to actions that this line opens."""
        if self._leaf == _FENCED_CODE:
            action = self._actions.find_open(self._next_line)
        else:
            action = self._actions.find_open(self._action_start)
            while action and action[0] < self._next_line:
                self._text_until = action[1]
                action = self._actions.find_open(action[1])
        self._action_start = action[0] if action else len(self._text)

    def _parse_line(self) -> None:
        self._after_blank = is_blank = self._first == self._stop
        self._depth = self._match_containers() if self._containers else 0
        if self._leaf >= _FENCED_CODE and self._depth == len(self._containers):
            self._continue_verbatim()
        elif self._first == self._stop:
            self._end_leaf_at_blank_line()
        else:
            self._in_paragraph = self._leaf == _PARAGRAPH
            if self._line_start < self._text_until:
                self._add_action_text()
            else:
                self._start_blocks()
        if not is_blank:
            self.found.end = self._next_line

    # --- blocks -----------------------------------------------------------------------

    def _close_unmatched(self) -> None:
        """Close what the line does not continue, and the open leaf block."""
        if self._depth < len(self._containers):
            self._drop_unmatched()
        self._leaf = _NOTHING
        self._in_paragraph = False
        self._item_is_empty = False

    def _begin_block(self, kind: BlockKind, detail: int = 0, label: str = "") -> None:
        """Note that a block starts with this line, which matters at top level only."""
        if not self._containers:
            self.found.finish(self._lines)
            self.found.begin(kind, self._line_start, self._next_line, detail, label)

    # --- leaf blocks that go on -------------------------------------------------------

    def _continue_verbatim(self) -> None:
        """Add the line to the open fenced code or HTML block, or end that."""
        if self._leaf == _FENCED_CODE:
            if self._closes_fence():
                self._leaf = _NOTHING
        elif self._html_kind < ENDED_BY_A_BLANK_LINE:
            mark = find_html_block_end(
                self._html_kind, self._text, self._first, self._stop
            )
            if mark is not None:
                self._leaf = _NOTHING
        elif self._first == self._stop:
            self._end_leaf_at_blank_line()

    def _closes_fence(self) -> bool:
        """https://spec.commonmark.org/0.31.2/#fenced-code-blocks."""
        if self._indent >= CODE_INDENT:
            return False
        match = _CLOSING_FENCE.match(self._text, self._first, self._stop)
        return match is not None and match[1].startswith(self._fence)

    def _end_leaf_at_blank_line(self) -> None:
        if self._item_is_empty and self._depth == len(self._containers):
            # A list item can begin with at most one blank line.
            self._depth -= 1
        self._close_unmatched()

    def _set_definitions_apart(self) -> None:
        """End the open paragraph's definitions, and keep the lines behind them."""
        start = self._lines[0]
        if self._text[start] != "[" or self._text.find("]:", start, self._first) < 0:
            return
        count = count_definition_lines([self._rest(first) for first in self._lines])
        taken, self._lines = self._lines[:count], self._lines[count:]
        if taken and not self._containers:
            self.found.split(taken, self._lines)

    def _rest(self, first: int) -> str:
        return rest_of_line(self._text, first)

    # --- what a line starts -----------------------------------------------------------

    def _start_blocks(self) -> None:
        """Let the line start blocks, containers first, until text is left."""
        while self._indent < CODE_INDENT:
            for start in _STARTS.get(self._text[self._first], ()):
                if outcome := start(self):
                    break
            else:
                break
            if outcome == _LEAF or self._first == self._stop:
                return
        self._add_text()

    def _start_block_quote(self) -> int:
        """https://spec.commonmark.org/0.31.2/#block-quotes."""
        self._close_unmatched()
        self._begin_block("block_quote")
        self._take_quote_marker()
        self._open_container(BLOCK_QUOTE)
        return _CONTAINER

    def _start_list_item(self) -> int:
        """https://spec.commonmark.org/0.31.2/#list-items."""
        first = self._first
        interrupts = self._continues_paragraph()
        marker_pattern = _INTERRUPTING_LIST_MARKER if interrupts else _LIST_MARKER
        match = marker_pattern.match(self._text, first, self._stop)
        if not match:
            return _NO
        self._close_unmatched()
        end = match.end()
        marker = self._text[end - 1]
        if self.found.kind != "list" or self.found.label != marker:
            self._begin_block("list", label=marker)
        needed = self._indent + end - first
        self._skip_blanks(end, self._column + end - first)
        is_empty = self._first == self._stop
        # Five columns and more are one that belongs to the marker and indented code.
        padding = self._indent if self._indent <= CODE_INDENT and not is_empty else 1
        self._indent -= padding
        self._open_container(needed + padding)
        self._item_is_empty = is_empty
        return _CONTAINER

    def _start_footnote_definition(self) -> int:
        match = _FOOTNOTE_START.match(self._text, self._first, self._stop)
        if not match:
            return _NO
        self._close_unmatched()
        self._begin_block("footnote_definition", label=match[1])
        width = match.end() - self._first
        self._skip_blanks(match.end(), self._column + width)
        self._indent = 0
        self._open_container(_FOOTNOTE_INDENT)
        return _CONTAINER

    def _start_atx_heading(self) -> int:
        """https://spec.commonmark.org/0.31.2/#atx-headings."""
        match = _ATX_HEADING.match(self._text, self._first, self._stop)
        if not match:
            return _NO
        self._close_unmatched()
        self._begin_block("atx_heading", len(match[1]))
        return _LEAF

    def _start_setext_heading(self) -> int:
        """https://spec.commonmark.org/0.31.2/#setext-headings."""
        if not self._continues_paragraph() or not _SETEXT_UNDERLINE.match(
            self._text, self._first, self._stop
        ):
            return _NO
        self._set_definitions_apart()
        if not self._lines:
            return _NO
        if not self._containers:
            self.found.kind = "setext_heading"
            self.found.detail = 1 if self._text[self._first] == "=" else 2
        self._leaf = _NOTHING
        self._lines = []
        return _LEAF

    def _start_thematic_break(self) -> int:
        """https://spec.commonmark.org/0.31.2/#thematic-breaks."""
        if self._first < self._no_rule_before:
            return _NO
        mark = self._text[self._first]
        match = _RULE[mark].match(self._text, self._first, self._stop)
        end = match.end() if match else self._first
        if end < self._stop or self._text.count(mark, self._first, end) < 3:
            # Nor is there one further right in this run, so `- - - - a` stays linear.
            self._no_rule_before = end
            return _NO
        self._close_unmatched()
        self._begin_block("thematic_break")
        return _LEAF

    def _start_fenced_code(self) -> int:
        """https://spec.commonmark.org/0.31.2/#fenced-code-blocks."""
        match = _CODE_FENCE.match(self._text, self._first, self._stop)
        if not match:
            return _NO
        self._close_unmatched()
        self._begin_block("fenced_code")
        self._fence = match["fence"] or match["tildes"]
        self._leaf = _FENCED_CODE
        return _LEAF

    def _start_html_block(self) -> int:
        """https://spec.commonmark.org/0.31.2/#html-blocks."""
        kind = scan_html_block_start(self._text, self._first, self._stop)
        if not kind or (kind == CANNOT_INTERRUPT_A_PARAGRAPH and self._in_paragraph):
            return _NO
        self._close_unmatched()
        self._begin_block("html_block", kind)
        self._html_kind = kind
        self._leaf = _HTML
        if kind < ENDED_BY_A_BLANK_LINE:
            self._continue_verbatim()
        return _LEAF

    def _continues_paragraph(self) -> bool:
        """Return whether the line continues a paragraph, and not lazily."""
        return self._in_paragraph and self._depth == len(self._containers)

    # --- text -------------------------------------------------------------------------

    def _add_text(self) -> None:
        """Take the rest of the line as text, which no block starts."""
        if self._in_paragraph:
            if not self._lines:
                self._begin_block("paragraph")
            elif self._starts_table():
                return
            self._lines.append(self._first)
        elif self._indent >= CODE_INDENT:
            self._close_unmatched()
            if self.found.kind != "indented_code":
                self._begin_block("indented_code")
        elif self._leaf != _TABLE or not self._is_table_row():
            self._begin_paragraph()

    def _add_action_text(self) -> None:
        """Take the line, which lies inside a template action, as paragraph text."""
        if self._in_paragraph:
            self._lines.append(self._first)
        elif self._leaf != _TABLE or not self._is_table_row():
            self._begin_paragraph()

    def _begin_paragraph(self) -> None:
        self._close_unmatched()
        self._begin_block("paragraph")
        self._leaf = _PARAGRAPH
        self._lines = [self._first]

    def _is_table_row(self) -> bool:
        return (
            self._depth == len(self._containers)
            and count_cells(self._text[self._first : self._stop]) > 0
        )

    def _starts_table(self) -> bool:
        """Make the paragraph's last line a table's header if this line delimits it.

        https://github.github.com/gfm/#tables-extension-
        """
        if (
            self._text[self._first] not in "|:-"
            or self._indent >= CODE_INDENT
            or not self._continues_paragraph()
        ):
            return False
        delimiter_row = self._text[self._first : self._stop]
        header = self._lines[-1]
        if not is_delimiter_row(delimiter_row) or (
            count_cells(delimiter_row) != count_cells(self._rest(header))
        ):
            return False
        if not self._containers:
            self.found.split(self._lines[:-1], self._lines[-1:])
            self.found.kind = "table"
        self._leaf = _TABLE
        return True


_STARTS: dict[str, tuple[Callable[[BlockParser], int], ...]] = {
    "#": (BlockParser._start_atx_heading,),
    ">": (BlockParser._start_block_quote,),
    "<": (BlockParser._start_html_block,),
    "[": (BlockParser._start_footnote_definition,),
    "=": (BlockParser._start_setext_heading,),
    "_": (BlockParser._start_thematic_break,),
    "+": (BlockParser._start_list_item,),
    "*": (BlockParser._start_thematic_break, BlockParser._start_list_item),
    "-": (
        BlockParser._start_setext_heading,
        BlockParser._start_thematic_break,
        BlockParser._start_list_item,
    ),
    **dict.fromkeys("`~", (BlockParser._start_fenced_code,)),
    **dict.fromkeys("0123456789", (BlockParser._start_list_item,)),
}
"""The blocks that a character can start, in order of precedence.

A setext heading underline is that before it is a thematic break, and a thematic break
is that before it is a list item.
"""
