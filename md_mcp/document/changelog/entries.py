"""How the entries of a changelog are written, and an entry written so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from md_mcp.document.blocks import parse_blocks
from md_mcp.document.edit.layout import content_lines
from md_mcp.document.model import Document
from md_mcp.document.text import BLANK, Span

_ITEM = re.compile(r"(?P<indent> {0,3})(?P<mark>[-*+]|[0-9]{1,9}[.)])(?P<gap> {1,4})")

_GIVEN_BULLET = re.compile(r"\A[-*+][ \t]+")

_BLOCK = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)]|#{1,6})[ \t]|>|```|~~~")
"""How a line begins that ends a paragraph."""

_UNSAFE = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)]|#{1,6}|=+|-+)\Z|>|```|~~~|<|\|")
"""How a word begins that may not come first in a line, lest it be read as a block."""

_MIN_WIDTH, _MAX_WIDTH = 40, 120


@dataclass(frozen=True, slots=True)
class EntryStyle:
    """How entries are written.

    Attributes:
        indent: blanks before the marker.
        mark: "-", "*" or "+"; of a numbered list the last number with its sign.
        gap: blanks after it.
        hanging: blanks before the further lines.
        width: columns at which lines are broken, None where they are not.
        is_loose: whether blank lines stand between the entries.
    """

    indent: str = ""
    mark: str = "-"
    gap: str = " "
    hanging: str = "  "
    width: int | None = None
    is_loose: bool = False


def find_list(document: Document, body: Span) -> Span | None:
    """Return the last list in an own body, without blank lines after it."""
    blocks = parse_blocks(document.text, body, document.separator)
    lists = [block.span for block in blocks if block.kind == "list"]
    return lists[-1] if lists else None


def read_style(document: Document, nearest: Sequence[Span]) -> EntryStyle:
    """Return the style of some lists, the nearest one first."""
    items: list[list[str]] = []
    own: list[list[str]] = []
    for span in nearest:
        found = list(_items(document, span))
        own = own or found
        items += found
    matches = [_ITEM.match(item[0]) for item in own]
    if not matches or matches[-1] is None:
        return EntryStyle()
    last = matches[-1]
    return EntryStyle(
        last["indent"],
        last["mark"],
        last["gap"],
        _hanging(own) or " " * len(last[0]),
        _width(items),
        any(not line.strip(BLANK) for item in own[:-1] for line in item[-1:]),
    )


def _items(document: Document, span: Span) -> Iterator[list[str]]:
    """Yield the lines of each outermost item, without their endings."""
    lines = document.bare_lines(span)
    first = _ITEM.match(lines[0]) if lines else None
    indent = len(first["indent"]) if first else 0
    item: list[str] = []
    for line in lines:
        match = _ITEM.match(line)
        if match and len(match["indent"]) <= indent and item:
            yield item
            item = []
        item.append(line)
    if item:
        yield item


def _paragraph(item: Sequence[str]) -> list[str]:
    """Return the lines of the paragraph with which an item begins."""
    lines = [item[0]]
    for line in item[1:]:
        text = line.strip(BLANK)
        if not text or _BLOCK.match(text):
            break
        lines.append(line)
    return lines


def _hanging(items: Sequence[Sequence[str]]) -> str:
    for item in reversed(items):
        lines = _paragraph(item)
        if len(lines) > 1:
            return lines[1][: len(lines[1]) - len(lines[1].lstrip(BLANK))]
    return ""


def _width(items: Sequence[Sequence[str]]) -> int | None:
    """Return the longest line of the wrapped entries, None if most are not wrapped."""
    paragraphs = [_paragraph(item) for item in items]
    wrapped = [lines for lines in paragraphs if len(lines) > 1]
    if not wrapped:
        return None
    width = max(len(line) for lines in wrapped for line in lines)
    longer = [
        lines for lines in paragraphs if len(lines) == 1 and len(lines[0]) > width
    ]
    if len(longer) >= len(wrapped) or width > _MAX_WIDTH:
        return None
    return max(width, _MIN_WIDTH)


def write_entry(document: Document, text: str, style: EntryStyle) -> list[str]:
    """Return the lines of an entry, without endings; none for an empty text.

    A text of one line is wrapped as the style says; one of several keeps its lines. A
    bullet that it begins with is replaced.
    """
    given = content_lines(document, text)
    if not given:
        return []
    bullet = f"{style.indent}{_next_mark(style.mark)}{style.gap}"
    first = _GIVEN_BULLET.sub("", given[0].strip(BLANK))
    if len(given) == 1:
        lines = _wrap(first, style.width, len(bullet), len(style.hanging))
    else:
        lines = [first, *_dedent(given[1:])]
    rest = (style.hanging + line if line else "" for line in lines[1:])
    return [bullet + lines[0], *rest]


def _next_mark(mark: str) -> str:
    return mark if mark in "-*+" else f"{int(mark[:-1]) + 1}{mark[-1]}"


def _dedent(lines: Sequence[str]) -> list[str]:
    filled = [line for line in lines if line.strip(BLANK)]
    margin = min((len(line) - len(line.lstrip(" ")) for line in filled), default=0)
    return [line[margin:] if line.strip(BLANK) else "" for line in lines]


def _wrap(text: str, width: int | None, first: int, hanging: int) -> list[str]:
    """Break at single blanks, where no line begins that means something else."""
    if width is None:
        return [text]
    lines: list[str] = []
    line, used = "", first
    for word in text.split(" "):
        fits = used + len(line) + 1 + len(word) <= width
        breakable = word and line and not line.endswith(" ")
        if not line:
            line = word
        elif fits or not breakable or _UNSAFE.match(word):
            line = f"{line} {word}"
        else:
            lines.append(line)
            line, used = word, hanging
    return [*lines, line]
