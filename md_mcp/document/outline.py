"""The outline: the cheapest map of a document, with what each part costs to read.

One line a heading, indented by its depth in the tree: the text, its lines, the tokens
of heading and own body, and after a slash those of the subtree when there is one. Where
the text alone would not lead to the section, its path stands there, in backquotes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from md_mcp.document.front_matter import explain_front_matter
from md_mcp.document.model import Document
from md_mcp.document.path import FRONT_MATTER
from md_mcp.document.section import Section
from md_mcp.document.text import BLANK, Span
from md_mcp.document.tokens import estimate_tokens

MAX_LEVEL = 6


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """One line of an outline. `section` is None for what is no section."""

    text: str
    section: Section | None = None


def outline_lines(document: Document, max_level: int = MAX_LEVEL) -> list[OutlineLine]:
    """Return the lines below the first one, headings up to `max_level` only."""
    return [*_top_lines(document), *_heading_lines(document, max_level)]


def outline_title(document: Document, name: str, revision: str, outline: str) -> str:
    """Return the first line: the file, what it and the outline cost, its revision."""
    whole = estimate_tokens(document.text)
    count = len(document.headings)
    rest = (
        f"{count} heading{'' if count == 1 else 's'} · {_endings(document)} · "
        f"revision {revision}"
    )
    # The line counts itself, as if its own numbers had these widths.
    widest = f"{name} · {whole:,} tokens · outline {whole:,} (99% saved) · {rest}"
    own = estimate_tokens(f"{widest}\n{outline}")
    saved = max(0, 100 - round(100 * own / whole)) if whole else 0
    return f"{name} · {whole:,} tokens · outline {own:,} ({saved}% saved) · {rest}"


def _endings(document: Document) -> str:
    feeds, pairs = document.text.count("\n"), document.text.count("\r\n")
    if document.separator == "\r":
        return "CR"
    if 0 < pairs < feeds:
        return f"mixed LF ({feeds - pairs}) and CRLF ({pairs})"
    return "CRLF" if pairs else "LF"


def _top_lines(document: Document) -> Iterator[OutlineLine]:
    """Yield the lines of front matter and preamble, where there are any."""
    if document.front_matter is not None:
        span = document.front_matter.span
        yield OutlineLine(f"{FRONT_MATTER} {_cost(document, span)}")
    else:
        fault = explain_front_matter(document.text)
        if fault is not None:
            yield OutlineLine(f"! no front matter: {fault}")
    preamble = document.preamble
    if preamble.span.of(document.text).strip(BLANK + "\r\n"):
        text = f"{preamble.path} {_cost(document, preamble.span)}"
        yield OutlineLine(text, preamble)


def _heading_lines(document: Document, max_level: int) -> Iterator[OutlineLine]:
    own = [estimate_tokens(s.own_span.of(document.text)) for s in document.sections]
    parents = document.tree.parents
    depths, subtrees = _depths(parents), _sums(parents, own)
    for index, section in enumerate(document.sections):
        if section.level <= max_level:
            lines = _lines(document, section.span)
            subtree = f"/{subtrees[index]}" if section.children else ""
            name = f"{' ' * depths[index]}{_name(section)}"
            yield OutlineLine(f"{name} {lines} {own[index]}{subtree}", section)


def _depths(parents: Sequence[int]) -> list[int]:
    """Return the depth of each section in the tree, 0 for a root."""
    depths: list[int] = []
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return depths


def _sums(parents: Sequence[int], own: Sequence[int]) -> list[int]:
    """Return the cost of each subtree."""
    sums = list(own)
    for index in range(len(parents) - 1, -1, -1):
        if parents[index] >= 0:
            sums[parents[index]] += sums[index]
    return sums


def _name(section: Section) -> str:
    """Return the heading's text where it is its path's step, else the whole path."""
    if section.last_segment == section.title:
        return section.title
    return f"`{section.path}`"


def _cost(document: Document, span: Span) -> str:
    return f"{_lines(document, span)} {estimate_tokens(span.of(document.text))}"


def _lines(document: Document, span: Span) -> str:
    first, last = document.line_range(span)
    return f"L{first}-{last}"
