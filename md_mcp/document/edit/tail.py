"""What stands between a section's text and what follows it.

The tail of a body is its longest suffix of blank lines and, before another heading, of
comments and anchor lines; at the end of the file, of blank lines and closing
definitions. The part that touches the next heading belongs to that heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from md_mcp.document.blocks import Block, parse_blocks
from md_mcp.document.blocks.definitions import normalize_label
from md_mcp.document.model import Document
from md_mcp.document.section import Section
from md_mcp.document.text import (
    BLANK,
    Span,
    is_blank,
    line_end,
    line_separator,
    line_start,
)

_COMMENTS = re.compile(
    r"[ \t]*(?:<!--(?:-?>|(?:(?!-->).)*-->)[ \t]*)+[\r\n]*", re.DOTALL
)
"""A whole block of complete comments with nothing else on their lines."""

_ANCHOR_LINE = re.compile(
    r" {0,3}<a[ \t]+(?:name|id)[ \t]*=[ \t]*(?:\"[^\"\r\n]*\"|'[^'\r\n]*')[ \t]*>"
    r"[ \t]*</a>[ \t]*[\r\n]*"
)
_DEFINITIONS = ("link_reference_definition", "footnote_definition")
_MAY_END_IN_ANCHORS = (
    "paragraph",
    "list",
    "block_quote",
    "table",
    "footnote_definition",
)
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.)+)\]")


@dataclass(frozen=True, slots=True)
class Tail:
    """Where the tail of a body starts and which part belongs to what follows.

    Attributes:
        items: its comments, anchor lines and definitions in file order.
        start: end of the body's last line that is not part of the tail.
        touching: start of the part that touches the next heading; equals `end` when
            nothing does, and at the end of the file.
        end: end of the body: the next heading or the end of the file.
    """

    items: tuple[Span, ...]
    start: int
    touching: int
    end: int


@dataclass(frozen=True, slots=True)
class ClosingDefinitions:
    """The run of definitions that ends a file, comments right above included."""

    span: Span
    items: tuple[Span, ...]
    labels: frozenset[str]


def find_tail(document: Document, section: Section) -> Tail:
    """Return the tail of the own body of `section`, closing definitions included."""
    body = section.body_span
    if body.end < len(document.text):
        return _tail_before_heading(document, body)
    closing = find_closing_definitions(document)
    end = len(document.text)
    limit = end if closing is None else closing.span.start
    items = () if closing is None else closing.items
    start = skip_blank_lines_back(document, Span(body.start, limit))
    return Tail(items, start, end, end)


def find_closing_definitions(document: Document) -> ClosingDefinitions | None:
    """Return the closing definitions of the file, if it ends in some.

    They follow a blank line, and either the last section has other text too, or text
    outside that section uses one of them.
    """
    section = document.last_section
    body = section.body_span
    blocks = parse_blocks(document.text, body, document.separator)
    first = len(blocks)
    while first and blocks[first - 1].kind in _DEFINITIONS:
        first -= 1
    run = blocks[first:]
    while first and _is_comment(document, blocks[first - 1]):
        first -= 1
    starts = [
        block.span.start
        for block in blocks[first:]
        if _follows_blank_line(document, body, block)
    ]
    run = tuple(block for block in run if starts and block.span.start >= starts[0])
    if not run:
        return None
    start = starts[0]
    labels = frozenset(map(_defined_label, run))
    has_other_text = bool(document.text[body.start : start].strip("\r\n" + BLANK))
    if not has_other_text and not _uses(document, section.start, labels):
        return None
    items = tuple(
        _without_blank_end(document, block.span)
        for block in blocks
        if block.span.start >= start
    )
    return ClosingDefinitions(Span(start, body.end), items, labels)


def defined_labels(text: str, span: Span) -> frozenset[str]:
    """Return the labels defined at the top level of a settled part of `text`.

    That of a footnote keeps its `^`: `[^1]` has nothing to do with `[1]`.
    """
    blocks = parse_blocks(text, span, line_separator(text))
    return frozenset(_defined_label(b) for b in blocks if b.kind in _DEFINITIONS)


def _defined_label(block: Block) -> str:
    mark = "^" if block.kind == "footnote_definition" else ""
    return normalize_label(mark + block.label)


def ends_in_tail_item(document: Document, lines: Sequence[str]) -> bool:
    """Return whether content ends in a comment or an anchor line."""
    text = "".join(line + document.line_ending for line in lines)
    blocks = parse_blocks(text, Span(0, len(text)), document.separator)
    if not blocks:
        return False
    content = Document(text)
    last = blocks[-1]
    return _is_comment(content, last) or bool(_anchor_lines(content, last))


def touching_anchors(document: Document, section: Section) -> tuple[Span, ...]:
    """Return the anchor lines that touch the heading of `section`, in file order."""
    touching = touching_start(document, section)
    spans = []
    position = section.start
    while position > touching:
        start = line_start(document.text, position - 1, document.separator)
        if _ANCHOR_LINE.fullmatch(document.text, start, position):
            spans.append(Span(start, position))
        position = start
    return tuple(reversed(spans))


def touching_start(document: Document, section: Section) -> int:
    """Return where the part of the text before that touches its heading starts."""
    before = section.before
    if before is None:
        return section.start
    return _tail_before_heading(document, before.body_span).touching


def skip_blank_lines(document: Document, span: Span) -> int:
    """Return the offset after the blank lines at the start of `span`."""
    position = span.start
    while position < span.end:
        end = min(line_end(document.text, position, document.separator), span.end)
        if not is_blank(document.text[position:end], document.separator):
            break
        position = end
    return position


def skip_blank_lines_back(document: Document, span: Span) -> int:
    """Return the offset before the blank lines at the end of `span`."""
    position = span.end
    while position > span.start:
        start = line_start(document.text, position - 1, document.separator)
        start = max(start, span.start)
        if not is_blank(document.text[start:position], document.separator):
            break
        position = start
    return position


def _tail_before_heading(document: Document, body: Span) -> Tail:
    items = _tail_items(document, body)
    touching = body.end
    for item in reversed(items):
        if item.end != touching:
            break
        touching = item.start
    start = items[0].start if items else body.end
    start = skip_blank_lines_back(document, Span(body.start, start))
    if start == body.start and items:
        # Nothing but comments: a template's hints are what the section says.
        start = skip_blank_lines_back(document, Span(body.start, touching))
    items = [item for item in items if item.start >= start]
    return Tail(tuple(items), start, touching, body.end)


def _tail_items(document: Document, body: Span) -> list[Span]:
    """Return the comments and anchor lines that end `body`, in file order."""
    items: list[Span] = []
    for block in reversed(parse_blocks(document.text, body, document.separator)):
        if _is_comment(document, block):
            items.append(_without_blank_end(document, block.span))
            continue
        anchors = _anchor_lines(document, block)
        items += anchors
        if not anchors or anchors[-1].start > block.span.start:
            break
    return items[::-1]


def _anchor_lines(document: Document, block: Block) -> list[Span]:
    """Return the anchor lines at the end of `block`, last one first.

    At the end of a list, block quote or footnote an anchor line in column 0 is a lazy
    continuation line; inside code or an HTML block it is none.
    """
    if block.kind not in _MAY_END_IN_ANCHORS:
        return []
    span = _without_blank_end(document, block.span)
    lines = []
    position = span.end
    while position > span.start:
        start = line_start(document.text, position - 1, document.separator)
        if not _ANCHOR_LINE.fullmatch(document.text, start, position):
            break
        if block.kind != "paragraph" and document.text[start] == " ":
            break
        lines.append(Span(start, position))
        position = start
    return lines


def _is_comment(document: Document, block: Block) -> bool:
    if block.kind != "html_block":
        return False
    span = _without_blank_end(document, block.span)
    return _COMMENTS.fullmatch(document.text, span.start, span.end) is not None


def _without_blank_end(document: Document, span: Span) -> Span:
    return Span(span.start, skip_blank_lines_back(document, span))


def _follows_blank_line(document: Document, body: Span, block: Block) -> bool:
    before = Span(body.start, block.span.start)
    return skip_blank_lines_back(document, before) < before.end


def _uses(document: Document, before: int, labels: frozenset[str]) -> bool:
    used = _LABEL.finditer(document.text, 0, before)
    return any(normalize_label(match[1]) in labels for match in used)
