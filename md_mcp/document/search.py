"""Search the sections of a document: lines that match, and the section of each.

Whole texts are searched, never line by line: what finds the lines (a `LineFinder`) says
where the matching ones are, and their sections are looked up by bisection. So a search
that finds nothing does not even look for headings.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from heapq import merge
from operator import attrgetter
from typing import Protocol

from md_mcp.document.front_matter import FrontMatter
from md_mcp.document.path import FRONT_MATTER, PREAMBLE
from md_mcp.document.pattern import LineFinder, plain_lines
from md_mcp.document.section import SectionTree
from md_mcp.document.text import BOM, LineNumbers
from md_mcp.errors import ArgumentError

SCOPES = ("body", "headings", "both")


class Searchable(Protocol):
    """What a search needs of a `Document`."""

    @property
    def text(self) -> str:
        """The whole text."""

    @property
    def tree(self) -> SectionTree:
        """The section tree."""

    @property
    def front_matter(self) -> FrontMatter | None:
        """The front matter block."""


@dataclass(frozen=True, slots=True)
class Match:
    """A line that matches, or a heading.

    Attributes:
        path: the section whose own body or heading it is.
        line: 1-based number in the file, for a heading that of its first line.
        text: the line without its ending, or the heading's text.
    """

    path: str
    line: int
    text: str


def check_scope(scope: str) -> None:
    """Refuse what is not a scope.

    Raises:
        ArgumentError: it is none of `SCOPES`.
    """
    if scope not in SCOPES:
        raise ArgumentError(
            "scope", f'scope is "{scope}": give "body", "headings" or "both".'
        )


@dataclass(frozen=True, slots=True)
class Haystack:
    """A text to search, and what the matching lines of it mean.

    Attributes:
        text: the lines, each ending at a line feed.
        locate: turns those that match, in order, into matches of the document.
    """

    text: str
    locate: Callable[[Iterable[tuple[int, int]]], Iterator[Match]]


def haystacks(document: Searchable, scope: str) -> list[Haystack]:
    """Return the texts to search in `document`, one or two.

    Raises:
        ArgumentError: `scope` is none of `SCOPES`.
    """
    check_scope(scope)
    found = []
    if scope != "headings":
        text = plain_lines(document.text)
        found.append(Haystack(text, partial(_body_matches, document, text)))
    if scope != "body":
        titles = "".join(f"{heading.text}\n" for heading in document.tree.headings)
        found.append(Haystack(titles, partial(_heading_matches, document, titles)))
    return found


def search(
    document: Searchable, find_lines: LineFinder, scope: str = "body"
) -> Iterator[Match]:
    """Yield the matches in `document` in file order.

    Raises:
        ArgumentError: `scope` is none of `SCOPES`.
    """
    return in_file_order(
        haystack.locate(find_lines(haystack.text))
        for haystack in haystacks(document, scope)
    )


def in_file_order(matches: Iterable[Iterator[Match]]) -> Iterator[Match]:
    """Yield the matches of several haystacks by line; a heading is before its body."""
    return merge(*matches, key=attrgetter("line"))


def _body_matches(
    document: Searchable, text: str, lines: Iterable[tuple[int, int]]
) -> Iterator[Match]:
    """Yield those of the `lines` that stand in an own body or in front matter.

    Headings and the delimiter lines of front matter belong to no body.
    """
    owners: _Owners | None = None
    number, counted = 1, 0
    for start, end in lines:
        number += text.count("\n", counted, start)
        counted = start
        owners = owners or _Owners(document, text)
        path = owners.path(number, start)
        if path is not None:
            yield Match(path, number, text[start:end])


def _heading_matches(
    document: Searchable, titles: str, lines: Iterable[tuple[int, int]]
) -> Iterator[Match]:
    """Yield the headings whose lines in `titles` match."""
    index, counted = 0, 0
    for start, end in lines:
        index += titles.count("\n", counted, start)
        counted = start
        path, heading = (
            document.tree.sections[index].path,
            document.tree.headings[index],
        )
        yield Match(path, heading.line, titles[start:end])


class _Owners:
    """Tells whose body a line stands in."""

    def __init__(self, document: Searchable, text: str) -> None:
        self._document = document
        self._headings = [heading.span.start for heading in document.tree.headings]
        self._bom = len(BOM) if document.text.startswith(BOM) else 0
        # Where endings were shortened, offsets differ from those in the document.
        same = len(text) + self._bom == len(document.text)
        self._lines = None if same else LineNumbers(document.text).starts
        self._latest: tuple[int, str] | None = None

    def path(self, number: int, start: int) -> str | None:
        """Return the path for line `number`, at `start` of the plain text."""
        if self._lines is None:
            offset = start + self._bom
        else:
            offset = max(self._lines[number - 1], self._bom)
        index = bisect_right(self._headings, offset) - 1
        if index < 0:
            return self._path_above(offset)
        if offset < self._document.tree.headings[index].span.end:
            return None
        if self._latest is None or self._latest[0] != index:
            self._latest = index, self._document.tree.sections[index].path
        return self._latest[1]

    def _path_above(self, offset: int) -> str | None:
        """Return the path for a line before the first heading."""
        front = self._document.front_matter
        if front is None or offset >= front.span.end:
            return PREAMBLE
        return FRONT_MATTER if front.inner.start <= offset < front.inner.end else None
