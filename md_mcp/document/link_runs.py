"""The runs of inline content that can matter, found without reading the others.

Somebody looks for links and knows places that may belong to one. Around such a place
the text is cut at *settled* places, at which no block is open: a line without
indentation that follows a blank line continues no container, and only fenced code or an
HTML block of the top level can reach over it. The heading scanner knows those.

In most regions nothing can hide a link, and what is found on one line there is what the
exact machine would find; `is_plain` tells these. For the others that machine finds the
runs: a paragraph, a heading, a table cell, in block quotes and lists too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from md_mcp.document.blocks.content import ContentParser
from md_mcp.document.blocks.definitions import Definition, parse_definitions
from md_mcp.document.scanner import Verbatim
from md_mcp.document.text import Span

_SETTLED = re.compile(r"\n[ \t]*+\n(?=[^ \t\n])")

_CAN_HIDE = re.compile(
    r"""
      \A [ \t\n]             # indented code at the start
    | ``` | ~~~ | \{\{        # a nested fence, a template action
    | \n [ \t]*+ \n [ \t]    # indented after a blank line: indented code
    | (?:\A|\n) [ \t>*+.)0-9-]*+ <  # an HTML block
    | [>*+.)-] (?: [ ]{5} | [ ]{0,4} \t )  # indented code in a container
    | \]:                     # a link reference or footnote definition
    """,
    re.VERBOSE,
)

_INDENTED = re.compile(r"\n(?: {4}| {0,3}\t)")

_NOT_TEXT = re.compile(r"(?:\A|\n)[-+*_=.)0-9 \t>]*+(?:#|(?=\n|\Z))")
"""A line after which indented code can follow at once: no paragraph goes on."""

_DELIMITER_ROW = re.compile(r"\n[ \t>]*+[|:-][-:| \t>]*+(?:\n|\Z)")

_CELL = re.compile(r"(?:[^|\\]|\\.)+")


@dataclass(frozen=True, slots=True)
class Run:
    """Inline content.

    `text` is a piece of the whole text that starts at `origin`, or, where block quote
    markers had to be taken out, some lines of it; `lines` then holds where each line
    starts in `text` and in the whole text.
    """

    text: str
    origin: int = 0
    lines: Sequence[tuple[int, int]] = ()

    def outer(self, offset: int) -> int:
        """Return the offset in the whole text of an offset in `text`."""
        if not self.lines:
            return self.origin + offset
        line = self.lines[bisect_right(self.lines, (offset, 1 << 62)) - 1]
        return line[1] + offset - line[0]

    def span(self, start: int, end: int) -> Span:
        """Return the span in the whole text of a part of the run."""
        return Span(self.outer(start), self.outer(end))


@dataclass(frozen=True, slots=True)
class Defined:
    """A link reference definition and the run whose offsets it has."""

    definition: Definition
    run: Run


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a text between two settled places.

    `text` is its text, `origin` where that starts in the whole text.
    """

    text: str
    origin: int

    @property
    def is_plain(self) -> bool:
        """Whether neither code, HTML nor a definition can hide in it."""
        if _CAN_HIDE.search(self.text):
            return False
        return not _INDENTED.search(self.text) or not (
            _NOT_TEXT.search(self.text) or _DELIMITER_ROW.search(self.text)
        )

    def confirms(self, start: int, end: int) -> bool:
        """Return whether what was found there in a plain region stands for sure.

        On one line, and in one table cell, no block boundary can cut it.
        """
        if self.text.find("\n", start, end) >= 0:
            return False
        in_cells = self.text.find("|", start, end) >= 0
        return not (in_cells and _DELIMITER_ROW.search(self.text))

    def whole(self) -> Run:
        """Return the region as one run, for plain ones."""
        return Run(self.text, self.origin)

    def parse(self) -> Content:
        """Return what the exact block structure says."""
        parser = ContentParser(self.text)
        parser.parse(0)
        return Content(self, parser)


class Content:
    """The runs, definitions and HTML lines of a region, by its block structure."""

    def __init__(self, region: Region, parser: ContentParser) -> None:
        self._text, self._origin = region.text, region.origin
        self.runs: list[Run] = []
        self.definitions: list[Defined] = []
        for lines in parser.paragraphs:
            self._add_paragraph(lines)
        for start in parser.headings_and_rows:
            self._add_line(start)
        self.html = [self._run(at, self._line_end(at)) for at in parser.html_lines]

    def _line_end(self, start: int) -> int:
        """Return the end of the line without its ending."""
        feed = self._text.find("\n", start)
        return len(self._text) if feed < 0 else feed

    def _run(self, start: int, end: int) -> Run:
        return Run(self._text[start:end], self._origin + start)

    def _add_line(self, start: int) -> None:
        """Add a heading, or the cells of a row."""
        end = self._line_end(start)
        if self._text.startswith("#", start):
            self.runs.append(self._run(start, end))
            return
        for cell in _CELL.finditer(self._text, start, end):
            self.runs.append(self._run(*cell.span()))

    def _add_paragraph(self, lines: list[int]) -> None:
        if lines and self._text.startswith("[", lines[0]):
            joined = self._join(lines)
            for definition in parse_definitions(joined.text.split("\n")):
                self.definitions.append(Defined(definition, joined))
                lines = lines[definition.line_count :]
        if not lines:
            return
        if self._is_contiguous(lines):
            self.runs.append(self._run(lines[0], self._line_end(lines[-1])))
        else:
            self.runs.append(self._join(lines))

    def _is_contiguous(self, lines: list[int]) -> bool:
        """Return whether only white space stands before the later lines."""
        before = (self._text[self._line_start(first) : first] for first in lines[1:])
        return not any(prefix.strip(" \t") for prefix in before)

    def _line_start(self, offset: int) -> int:
        return self._text.rfind("\n", 0, offset) + 1

    def _join(self, lines: list[int]) -> Run:
        """Return a copy of the lines without what stands before them."""
        pieces, places, length = [], [], 0
        for first in lines:
            places.append((length, self._origin + first))
            pieces.append(self._text[first : self._line_end(first)])
            length += len(pieces[-1]) + 1
        return Run("\n".join(pieces), lines=places)


class Regions:
    """Cuts a text into regions around the places that somebody asks about.

    All lines of `text` end in a line feed alone; `verbatim` are the fenced code and
    HTML blocks of its top level, in order.
    """

    def __init__(self, text: str, start: int, verbatim: Sequence[Verbatim]) -> None:
        self._text = text
        self._verbatim = verbatim
        self._next = 0
        self._start = start
        """A settled place: the end of the last verbatim block or region."""
        self._blank = "\n\n" if "\n\n" in text else "\n \n"
        """What most blank lines look like, with the line feed before them. Those that
        look otherwise only make a region start earlier."""

    def around(self, places: Iterable[int]) -> Iterator[Region]:
        """Yield the regions that hold the ascending `places`, each once."""
        for place in places:
            if place >= self._start and not self._in_verbatim(place):
                region = self._cut(place)
                self._start = region.origin + len(region.text)
                yield region

    def _in_verbatim(self, place: int) -> bool:
        while self._next < len(self._verbatim):
            block = self._verbatim[self._next]
            if place < block.end:
                return place >= block.start
            self._start = max(self._start, block.end)
            self._next += 1
        return False

    def _cut(self, place: int) -> Region:
        start = self._settled_before(place)
        settled = _SETTLED.search(self._text, place)
        end = settled.end() if settled else len(self._text)
        if self._next < len(self._verbatim):
            end = min(end, self._verbatim[self._next].start)
        return Region(self._text[start:end], start)

    def _settled_before(self, place: int) -> int:
        end = place
        floor = max(self._start - 1, 0)
        while (found := self._text.rfind(self._blank, floor, end)) >= 0:
            start = found + len(self._blank)
            if self._text[start] not in " \t\n":
                return start
            end = start - 1
        return self._start
