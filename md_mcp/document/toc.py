"""Keep a table of contents between two comments in step with the headings.

Two pairs of markers are known: `<!-- toc -->` with `<!-- tocstop -->`, and doctoc's
`<!-- START doctoc … -->` with `<!-- END doctoc … -->`. A marker stands alone on a line
of the top level, not in code. The list links the headings after the table, by GitHub's
anchors, which count the headings before it too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from md_mcp.document.blocks import Block, parse_blocks
from md_mcp.document.finding import Finding
from md_mcp.document.inline import visible_text
from md_mcp.document.model import Document
from md_mcp.document.slug import Slugger
from md_mcp.document.text import (
    LineNumbers,
    Span,
    split_ending,
    split_lines,
)

if TYPE_CHECKING:  # checking needs no verbs
    from md_mcp.document.edit.base import Edit

MAX_DEPTH = 6

_MARKER = re.compile(
    r" {0,3}<!--[ \t]*(?:"
    r"(?P<start>toc)|(?P<stop>(?:/toc|tocstop))"
    r"|(?P<doctoc_start>START doctoc\b(?:(?!-->).)*?)"
    r"|(?P<doctoc_stop>END doctoc\b(?:(?!-->).)*?)"
    r")[ \t]*-->[ \t]*"
)

_ITEM = re.compile(
    r"(?P<indent> *)(?P<mark>[-*+])[ \t]+"
    r"\[(?P<text>.*)\]\(#(?P<anchor>[^()# \t]*)\)[ \t]*"
)

_ESCAPED = re.compile(r"[\\`*_\[\]<]|&(?=#?[0-9A-Za-z]+;)")

_HAS_LINKS = re.compile(r"[\[\]<\n]")

_HEX = re.compile("%([0-9A-Fa-f]{2})")

_INDENT = 2


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of contents: what stands between its markers."""

    inner: Span


@dataclass(frozen=True, slots=True)
class _Marker:
    span: Span
    is_start: bool
    is_doctoc: bool


def check_toc(document: Document, max_depth: int = MAX_DEPTH) -> tuple[Finding, ...]:
    """Return a finding for each table that is out of step, or lacks its end."""
    tables, unclosed = _find_tables(document)
    numbers = LineNumbers(document.text)
    found = [
        Finding(
            numbers.line(marker.span.start),
            "toc-marker",
            "this marker of a table of contents has no counterpart",
        )
        for marker in unclosed
    ]
    for table in tables:
        if _changed_lines(document, table, max_depth) is not None:
            line = numbers.line(max(table.inner.start - 1, 0))
            message = "the table of contents is not in step with the headings"
            found.append(Finding(line, "toc", message))
    return tuple(sorted(found, key=lambda finding: finding.line))


def update_toc(document: Document, max_depth: int = MAX_DEPTH) -> Edit:
    """Return the edit that brings every table of contents in step.

    `max_depth` is the deepest heading level that is listed. A table that is in step
    keeps its bytes. Markers without a counterpart are left alone.

    Raises:
        StructureError: the headings would change.
    """
    from md_mcp.document.edit.base import Edit, guard_with_seam
    from md_mcp.document.edit.layout import replace_lines

    tables, _ = _find_tables(document)
    splices = [
        splice
        for table in tables
        if (lines := _changed_lines(document, table, max_depth)) is not None
        for splice in replace_lines(document, table.inner, lines)
    ]
    summary, scope = "update the table of contents", Span(0, len(document.text))
    if not splices:
        return Edit(document, (), summary, "", scope)
    edited = Span(tables[0].inner.start, tables[-1].inner.end)
    _, checked = guard_with_seam(document, splices, edited)
    return Edit(document, checked, summary, "", scope)


def _find_tables(document: Document) -> tuple[list[_Table], list[_Marker]]:
    """Return the tables, and the markers without a counterpart."""
    tables: list[_Table] = []
    unclosed: list[_Marker] = []
    opened: _Marker | None = None
    for marker in _find_markers(document):
        closes = opened is not None and marker.is_doctoc == opened.is_doctoc
        if marker.is_start:
            if opened is not None:
                unclosed.append(opened)
            opened = marker
        elif opened is not None and closes:
            inner = Span(opened.span.end, marker.span.start)
            tables.append(_Table(inner))
            opened = None
        else:
            unclosed.append(marker)
    return tables, unclosed if opened is None else [*unclosed, opened]


def _find_markers(document: Document) -> Iterator[_Marker]:
    text = document.text
    if "toc" not in text:
        return
    for section in (document.preamble, *document.sections):
        body = section.body_span
        if "toc" not in text[body.start : body.end]:
            continue
        for block in parse_blocks(text, body, document.separator):
            if block.kind in ("html_block", "paragraph"):
                yield from _read_block(document, block)


def _read_block(document: Document, block: Block) -> Iterator[_Marker]:
    """Yield the markers among the lines of an HTML block, which may hold several."""
    start = block.span.start
    for line in split_lines(block.span.of(document.text), document.separator):
        content, _ = split_ending(line, document.separator)
        match = _MARKER.fullmatch(content)
        if match and block.kind == "html_block":
            name = match.lastgroup or ""
            yield _Marker(
                Span(start, start + len(line)),
                name.endswith("start"),
                name.startswith("doctoc"),
            )
        start += len(line)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A heading to be listed: how deep, by which text and anchor, and its source.

    Attributes:
        depth: below how many other entries it stands.
        level: that of the heading.
    """

    depth: int
    level: int
    text: str
    anchor: str
    raw: str


def _changed_lines(
    document: Document, table: _Table, max_depth: int
) -> list[str] | None:
    """Return the lines that a table is to have, None if it has them."""
    old = document.bare_lines(table.inner)
    new = _table_lines(old, list(_entries(document, table.inner.end, max_depth)))
    return None if new == old else new


def _entries(document: Document, after: int, max_depth: int) -> Iterator[_Entry]:
    """Yield the headings behind an offset, with the anchors that they have there."""
    slugger = Slugger()
    levels: list[int] = []
    for heading in document.headings:
        text = heading.text
        anchor = slugger.slug(text)
        if heading.span.start < after or heading.level > max_depth or not text:
            continue
        while levels and levels[-1] >= heading.level:
            levels.pop()
        yield _Entry(len(levels), heading.level, text, anchor, heading.raw)
        levels.append(heading.level)


def _table_lines(old: Sequence[str], entries: Sequence[_Entry]) -> list[str]:
    """Return the lines between the markers: what stands around the list is kept."""
    matches = [_ITEM.fullmatch(line) for line in old]
    first = next((i for i, match in enumerate(matches) if match), len(old))
    last = next((i for i in range(first, len(old)) if not matches[i]), len(old))
    items = [match for match in matches[first:last] if match]
    head, foot = list(old[:first]), list(old[last:])
    if not items and not entries:
        return list(old)
    if not items:
        while head and not head[-1]:
            head.pop()
        head, foot = [*head, ""], [""]
    return [*head, *_list_lines(items, entries), *foot]


def _list_lines(
    items: Sequence[re.Match[str]], entries: Sequence[_Entry]
) -> Iterator[str]:
    """Yield a line for each heading; one that says the same already is kept."""
    mark = items[0]["mark"] if items else "-"
    base = min((len(item["indent"]) for item in items), default=0)
    deeper = [len(item["indent"]) - base for item in items]
    unit = min((width for width in deeper if width > 1), default=_INDENT)
    known: dict[tuple[int, str, str], str] = {}
    for item, width in zip(items, deeper, strict=True):
        key = (width // unit, visible_text(item["text"]), _unquote(item["anchor"]))
        known.setdefault(key, item[0])
    steps = _steps(known, entries)
    for entry, step in zip(entries, steps, strict=True):
        indent = " " * (base + unit * step)
        made = f"{indent}{mark} [{_link_text(entry)}](#{entry.anchor})"
        yield known.get((step, entry.text, entry.anchor), made)


def _steps(
    known: Collection[tuple[int, str, str]], entries: Sequence[_Entry]
) -> list[int]:
    """Return by how many steps each entry is indented.

    That is its depth; but other tools count levels, and where a table shows that, with
    a heading that skips one, it goes on so. A list cannot begin indented, though.
    """
    top = min((entry.level for entry in entries), default=0)
    ranks = [entry.level - top for entry in entries]
    counts_levels = ranks[:1] == [0] and any(
        rank != entry.depth and (rank, entry.text, entry.anchor) in known
        for rank, entry in zip(ranks, entries, strict=True)
    )
    return ranks if counts_levels else [entry.depth for entry in entries]


def _link_text(entry: _Entry) -> str:
    """Return the heading's source, or its escaped text where a link cannot hold it."""
    if not _HAS_LINKS.search(entry.raw):
        return entry.raw
    return _ESCAPED.sub(r"\\\g<0>", entry.text)


def _unquote(anchor: str) -> str:
    """Return an anchor without percent escapes, as some tools write them."""
    if "%" not in anchor:
        return anchor
    source = _HEX.sub(lambda match: chr(int(match[1], 16)), anchor)
    try:
        return source.encode("latin-1").decode("utf-8")
    except ValueError:
        return anchor
