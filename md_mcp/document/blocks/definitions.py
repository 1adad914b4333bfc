"""Link reference definitions: `[label]: destination "title"`.

They stand at the start of a paragraph's text; what is left after them is the paragraph.
https://spec.commonmark.org/0.31.2/#link-reference-definitions
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from md_mcp.document.text import Span

_MAX_LABEL = 999

_BLANKS_OF_LABEL = re.compile(r"[ \t\r\n]+")

_LABEL = re.compile(r"\[((?>(?:[^\[\]\\]|\\.|\\\n)*))\]:", re.DOTALL)

_WHITE_SPACE = re.compile(r"[ \t]*\n?[ \t]*")
"""Spaces, tabs and up to one line ending."""

_POINTED_DESTINATION = re.compile(r"<(?>(?:[^<>\n\\]|\\.)*)>")

_BARE_RUN = re.compile(r"(?>(?:[^\x00- \x7f()\\]|\\[^\x00- \x7f]|\\)+)")

_TITLE = re.compile(
    r"""
      "(?>(?:[^"\\]|\\.)*)"
    | '(?>(?:[^'\\]|\\.)*)'
    | \((?>(?:[^()\\]|\\.)*)\)
    """,
    re.VERBOSE | re.DOTALL,
)

_REST_OF_LINE = re.compile(r"[ \t]*(?:\n|\Z)")


def normalize_label(label: str) -> str:
    """Return a link or footnote label as labels are compared.

    https://spec.commonmark.org/0.31.2/#matches
    """
    return _BLANKS_OF_LABEL.sub(" ", label).strip(" ").casefold()


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition: its label as written, and how many lines it takes.

    The spans are offsets into the lines joined with line feeds; that of the destination
    leaves angle brackets out.
    """

    label: str
    line_count: int
    span: Span
    destination: Span


def parse_definitions(lines: list[str]) -> list[Definition]:
    """Return the link reference definitions that `lines`, a paragraph's, start with."""
    text = "\n".join(lines)
    definitions = []
    position = 0
    while position < len(text) and (found := _scan_definition(text, position)):
        label, destination, destination_end, end = found
        line_count = text.count("\n", position, end) + (end == len(text))
        if text.startswith("<", destination):
            destination, destination_end = destination + 1, destination_end - 1
        definitions.append(
            Definition(
                label,
                line_count,
                Span(position, end),
                Span(destination, destination_end),
            )
        )
        position = end
    return definitions


def count_definition_lines(lines: list[str]) -> int:
    """Return how many of `lines`, a paragraph's, its definitions take."""
    text = "\n".join(lines)
    position = 0
    while position < len(text) and (found := _scan_definition(text, position)):
        position = found[-1]
    return text.count("\n", 0, position) + (0 < position == len(text))


def _scan_definition(text: str, position: int) -> tuple[str, int, int, int] | None:
    """Return label, start and end of the destination, and end of a definition here.

    The last is the offset after the line ending.
    """
    label = _LABEL.match(text, position)
    if not label or not _is_label(label[1]):
        return None
    start = _skip_white_space(text, label.end())
    destination_end = _scan_destination(text, start)
    if destination_end is None:
        return None
    rest = _REST_OF_LINE.match(text, destination_end)
    title_start = _skip_white_space(text, destination_end)
    if title_start > destination_end and (title := _TITLE.match(text, title_start)):
        # A title that text follows is none; then the destination must end its line.
        rest = _REST_OF_LINE.match(text, title.end()) or rest
    return (label[1], start, destination_end, rest.end()) if rest else None


def _is_label(inner: str) -> bool:
    return len(inner) <= _MAX_LABEL and bool(inner.strip(" \t\n"))


def _skip_white_space(text: str, position: int) -> int:
    match = _WHITE_SPACE.match(text, position)
    return match.end() if match else position


def _scan_destination(text: str, start: int) -> int | None:
    """Return the end of a link destination that starts here.

    https://spec.commonmark.org/0.31.2/#link-destination
    """
    if text.startswith("<", start):
        match = _POINTED_DESTINATION.match(text, start)
        return match.end() if match else None
    depth, position = 0, start
    while position < len(text):
        if match := _BARE_RUN.match(text, position):
            position = match.end()
        elif text[position] == "(":
            depth, position = depth + 1, position + 1
        elif text[position] == ")" and depth:
            depth, position = depth - 1, position + 1
        else:
            break
    return position if position > start and not depth else None
