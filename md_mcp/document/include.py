"""Keep a section or a marked region equal to a text that stands elsewhere.

    <!-- md-mcp: from=README.md#Usage -->     a section, by its dot-path
    <!-- md-mcp: from=#Usage -->              one of the same file
    <!-- md-mcp: from=demo.py -->             a whole file
    <!-- md-mcp: from=demo.py#L3-L9 -->       lines of a file
    …
    <!-- md-mcp: end -->

Without the end marker the region is the rest of the own body that the first marker
begins. Where the region is one fenced code block, the text goes between its fences. A
section comes without its heading and with the sections below it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from md_mcp.document.blocks import Block, parse_blocks
from md_mcp.document.edit import tail
from md_mcp.document.edit.base import Edit, guard_with_seam, hull
from md_mcp.document.edit.insert import insert_at
from md_mcp.document.edit.layout import replace_lines, trim_blank
from md_mcp.document.finding import Finding
from md_mcp.document.model import Document
from md_mcp.document.section import Section
from md_mcp.document.splice import Splice
from md_mcp.document.text import BLANK, LineNumbers, Span, split_ending, split_lines
from md_mcp.errors import EditError, MdMcpError

Load = Callable[[str], Document]
"""Returns the document at a path as it is written in a marker; raises MdMcpError."""

_MARKER = re.compile(
    r" {0,3}<!--[ \t]*md-mcp:[ \t]*"
    r"(?:from=(?:\"(?P<quoted>[^\"]+)\"|(?P<bare>[^ \t\"]+))|(?P<end>end))"
    r"[ \t]*-->[ \t]*"
)

_LINES = re.compile(r"L([0-9]{1,9})(?:-L?([0-9]{1,9}))?")

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Include:
    """A region that repeats a text.

    Attributes:
        line: 1-based line of its marker.
        path: the file, "" for the document itself.
        fragment: path of a section, or "L3-L9"; "" for the whole file.
        span: the whole lines of the region, outer blank lines left out.
        fence: the fence of the code block that the region is, "" for none.
        is_open: whether the region has no end marker.
    """

    line: int
    path: str
    fragment: str
    span: Span
    fence: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class _Marker:
    span: Span
    source: str | None
    section: Section


def check_includes(document: Document, load: Load) -> tuple[Finding, ...]:
    """Return a finding for each region that differs or whose source is not there."""
    includes, lonely = _find_includes(document)
    found = [
        Finding(line, "include-marker", "this marker has no counterpart")
        for line in lonely
    ]
    for include in includes:
        try:
            if _splices(document, include, load):
                message = f"this differs from {_name(include)}"
                found.append(Finding(include.line, "include", message))
        except MdMcpError as error:
            message = f"cannot include {_name(include)}: {error}"
            found.append(Finding(include.line, "include-source", message))
    return tuple(sorted(found, key=lambda finding: finding.line))


def update_includes(document: Document, load: Load) -> Edit:
    """Return the edit that makes every region read as its source does.

    Regions whose source cannot be had stay as they are.

    Raises:
        EditError: the structure outside the regions would change.
    """
    splices: list[Splice] = []
    for include in _find_includes(document)[0]:
        try:
            splices += _splices(document, include, load)
        except MdMcpError:
            continue
    summary, scope = "update what is included", Span(0, len(document.text))
    if not splices:
        return Edit(document, (), summary, "", scope)
    _, checked = guard_with_seam(document, splices, hull(splices))
    return Edit(document, checked, summary, "", scope)


def _name(include: Include) -> str:
    return include.path + (f"#{include.fragment}" if include.fragment else "")


def _find_includes(document: Document) -> tuple[list[Include], list[int]]:
    """Return the regions, and the lines of markers that belong to none."""
    if "md-mcp:" not in document.text:
        return [], []
    markers = list(_find_markers(document))
    numbers = LineNumbers(document.text)
    includes: list[Include] = []
    lonely: list[int] = []
    used = -1
    for place, marker in enumerate(markers):
        line = numbers.line(marker.span.start)
        if marker.source is None:
            if place != used:
                lonely.append(line)
            continue
        following = markers[place + 1] if place + 1 < len(markers) else None
        if following is not None and following.source is None:
            used = place + 1
            inner = Span(marker.span.end, following.span.start)
            includes.append(_make(document, marker, inner, line, is_open=False))
        elif _begins_body(document, marker):
            inner = _rest_of_body(document, marker)
            includes.append(_make(document, marker, inner, line, is_open=True))
        else:
            lonely.append(line)
    return includes, lonely


def _find_markers(document: Document) -> Iterator[_Marker]:
    for section in (document.preamble, *document.sections):
        body = section.body_span
        if "md-mcp:" not in document.text[body.start : body.end]:
            continue
        for block in parse_blocks(document.text, body, document.separator):
            if block.kind == "html_block":
                yield from _read_block(document, block, section)


def _read_block(
    document: Document, block: Block, section: Section
) -> Iterator[_Marker]:
    start = block.span.start
    for line in split_lines(block.span.of(document.text), document.separator):
        match = _MARKER.fullmatch(split_ending(line, document.separator)[0])
        if match:
            source = None if match["end"] else match["quoted"] or match["bare"]
            yield _Marker(Span(start, start + len(line)), source, section)
        start += len(line)


def _begins_body(document: Document, marker: _Marker) -> bool:
    start = marker.section.body_span.start
    before = document.text[start : marker.span.start]
    return marker.section.heading is not None and not before.strip(BLANK + "\r\n")


def _rest_of_body(document: Document, marker: _Marker) -> Span:
    end = tail.find_tail(document, marker.section).start
    return Span(marker.span.end, max(end, marker.span.end))


def _make(
    document: Document, marker: _Marker, inner: Span, line: int, *, is_open: bool
) -> Include:
    path, _, fragment = (marker.source or "").partition("#")
    start = tail.skip_blank_lines(document, inner)
    span = Span(start, tail.skip_blank_lines_back(document, Span(start, inner.end)))
    fence, inside = _fenced(document, span)
    return Include(line, path, fragment, inside, fence, is_open)


def _fenced(document: Document, span: Span) -> tuple[str, Span]:
    """Return the fence and the lines inside where a region is one code block."""
    blocks = parse_blocks(document.text, span, document.separator) if len(span) else ()
    if len(blocks) != 1 or blocks[0].kind != "fenced_code" or not blocks[0].closed:
        return "", span
    lines = split_lines(span.of(document.text), document.separator)
    match = _FENCE.match(lines[0])
    if match is None or len(lines) < 2:
        return "", span
    return match[1], Span(span.start + len(lines[0]), span.end - len(lines[-1]))


def _splices(document: Document, include: Include, load: Load) -> list[Splice]:
    lines = _source_lines(document, include, load)
    old = document.bare_lines(include.span)
    if lines == old:
        return []
    if include.fence:
        _check_fence(include.fence, lines)
    elif not old:
        return [insert_at(document, include.span.start, lines)]
    return replace_lines(document, include.span, lines)


def _check_fence(fence: str, lines: Sequence[str]) -> None:
    for line in lines:
        found = _FENCE.match(line)
        if found and found[1][0] == fence[0] and len(found[1]) >= len(fence):
            raise EditError(
                f"it holds a fence of {len(found[1])} {fence[0]!r}. "
                "Make the fences of the block around it longer."
            )


def _source_lines(document: Document, include: Include, load: Load) -> list[str]:
    """Return the lines that the region is to have, without endings.

    Only in a code block do outer blank lines belong to it.
    """
    source = load(include.path) if include.path else document
    lines = _fragment_lines(document, source, include)
    return lines if include.fence else trim_blank(lines)


def _fragment_lines(
    document: Document, source: Document, include: Include
) -> list[str]:
    fragment = include.fragment
    wanted = _LINES.fullmatch(fragment)
    if wanted:
        return _line_range(source, int(wanted[1]), int(wanted[2] or wanted[1]))
    if not fragment:
        start = 0 if include.fence else source.body_start
        return source.bare_lines(Span(start, len(source.text)))
    section = source.section(fragment)
    if source is document and section.span.contains(include.span):
        raise EditError("the region lies in its own source. Name another section.")
    return _section_lines(source, section, include)


def _section_lines(source: Document, section: Section, include: Include) -> list[str]:
    """Return the lines of a section; markers among them stay where they are."""
    if include.is_open and section.children:
        raise EditError(
            "the section has sections below it. Close the region with "
            "<!-- md-mcp: end -->."
        )
    end = tail.find_tail(source, section.last).start
    start = section.body_span.start
    lines = source.bare_lines(Span(start, max(end, start)))
    return [line for line in lines if not _MARKER.fullmatch(line)]


def _line_range(source: Document, first: int, last: int) -> list[str]:
    lines = source.bare_lines(Span(0, len(source.text)))
    if not 1 <= first <= last <= len(lines):
        raise EditError(
            f"there are no lines {first} to {last}: the file has {len(lines)}. "
            "Give others."
        )
    return lines[first - 1 : last]
