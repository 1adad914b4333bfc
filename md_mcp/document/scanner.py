r"""Text to headings, by a pass that visits only the lines that can matter.

The chapter on blocks, read backwards: which lines decide whether a heading is a direct
child of the document?

1. A `#` or a code fence without indentation closes every container, and a paragraph
   cannot hold it back. So only an open fence, an open HTML block (both of the top
   level) or a template action can hide it.
2. A fence is open up to its closing fence and an HTML block up to its end condition,
   whatever is between. Both are jumped over.
3. A setext heading underline needs the paragraph above it. Where each line of that
   starts with a character that starts nothing else, it is one.
4. Whatever is indented by one to three columns may belong to a list item or not. There,
   and wherever 1 to 3 leave a doubt, the exact state machine reads from the last
   settled place to the next one. A place is settled when no block reaches over it.

All other lines (text, lists, quotes, tables, indented code) decide nothing and are
never looked at. The pass and the machine only move forward, so the time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from md_mcp.document.blocks import BlockParser
from md_mcp.document.blocks.html_blocks import (
    CANNOT_INTERRUPT_A_PARAGRAPH,
    ENDED_BY_A_BLANK_LINE,
    HTML_BLOCK_START,
    find_html_block_end,
    html_block_kind,
)
from md_mcp.document.heading import Heading, HeadingSource
from md_mcp.document.template import TemplateActions
from md_mcp.document.text import line_end

__all__ = ["Heading", "Verbatim", "scan_headings", "scan_structure"]

_LINE = rf"""
    (?P<line>)
    (?: \#\#{{0,5}}+ (?P<hashes>) (?: [ \t] [^\n]*+ \n?+ | \r?+\n | \Z )
      | ` ``++ (?P<backticks>) (?= [^`\n]*+ (?:\n|\Z) )
      | ~ ~~++ (?P<tildes>)
      | {HTML_BLOCK_START}
      | = =*+ (?P<equals>) [ \t]*+ (?=\r?\n|\Z)
      | - -*+ (?P<dashes>) [ \t]*+ (?=\r?\n|\Z)
      | \ \ {{0,2}}+ (?=[\#`~<=\-]) (?P<indented>)
        (?: \#{{1,6}}+ (?=[ \t\r\n]|\Z) | `{{3}} | ~{{3}} | <[a-zA-Z!/?]
          | (?: =++ | -++ ) [ \t]*+ (?=\r?\n|\Z)
        )
    )
"""
"""A line that can matter. Each alternative starts with a literal, for which the engine
looks before it tries the rest: a line of text costs next to nothing. The name of the
last group that matched is that of the alternative."""

_FIRST_LINE = re.compile(_LINE, re.VERBOSE)

_NEXT_LINE = re.compile(r"\n" + _LINE, re.VERBOSE)
"""The line feed is a literal prefix, which the engine looks for much faster than it
tries `^` at each offset."""

_CLOSING_FENCE = {
    mark: re.compile(rf"\n {{0,3}}({mark}{{3,}}+)[ \t]*+(?:\r?\n|\Z)") for mark in "`~"
}

_BLANK_LINE = re.compile(r"\n(?=[ \t]*+(?:\r?\n|\Z))")

_PLAIN_PARAGRAPH = re.compile(
    r"""
    (?![ ])
    (?> (?: [ ]*+
        (?! [-+\#>=~<|:\[\t\r\n]
          | [*_`] (?! [*_`]?+ [^*_`\ \t\r\n] )  # no emphasis or code span
          | [0-9]{1,9}+[.)] (?:[ \t]|\r?\n)
        )
        [^\n]++ \n
    )+ )
    """,
    re.VERBOSE,
)
"""Lines without a block start, a delimiter row or a link reference definition.

A repeated group is possessive through an atomic group: Python before 3.11.5 takes part
of a repetition that fails (cpython#106052)."""

_NEAR = 256
"""Characters that the exact machine reads in the time it takes to hand over to it."""


class Verbatim(NamedTuple):
    """The offsets of a fenced code or HTML block of the top level: whole lines."""

    start: int
    end: int
    is_html: bool


def scan_headings(
    text: str, start: int = 0, stop: int | None = None
) -> tuple[Heading, ...]:
    """Return the headings of `text`, in order.

    Args:
        text: the whole text, so that the lines can be numbered.
        start: where the body starts, after a BOM and front matter; a line start.
        stop: where the text that counts ends; a line start or the end.
    """
    return tuple(_run_scan(text, start, stop).headings)


def scan_structure(
    text: str, start: int = 0
) -> tuple[tuple[Heading, ...], tuple[Verbatim, ...]]:
    """Return the headings and the fenced code and HTML blocks of the top level."""
    scan = _run_scan(text, start, None)
    return tuple(scan.headings), tuple(Verbatim(*found) for found in scan.verbatim)


def _run_scan(text: str, start: int, stop: int | None) -> _Scan:
    source = HeadingSource(text)
    body = text if stop is None else text[:stop]
    if source.separator == "\r":
        # Such a text has no line feed, so the offsets stay what they are.
        body = body.replace("\r", "\n")
    scan = _Scan(source, body, start)
    scan.run()
    return scan


class _Scan:
    """One pass over a text.

    Each rule takes a match of a line that matters and returns where the pass goes on.
    """

    __slots__ = (
        "_action_start",
        "_actions",
        "_blank_line",
        "_lead",
        "_parser",
        "_read_to",
        "_settled",
        "_source",
        "_text",
        "headings",
        "verbatim",
    )

    def __init__(self, source: HeadingSource, text: str, start: int) -> None:
        self.headings: list[Heading] = []
        self.verbatim: list[tuple[int, int, bool]] = []
        self._source = source
        self._text = text
        self._settled = start
        """The last place known to be settled: no block reaches over it."""
        self._blank_line = "\n\r\n" if "\r" in text and "\r\n" in text else "\n\n"
        """What most blank lines look like, with the line feed before them. Those that
        look otherwise only make the exact machine start earlier."""
        self._actions = TemplateActions(text)
        self._action_start = self._find_action(start)
        self._parser: BlockParser | None = None
        self._lead = 0
        self._read_to = -_NEAR

    def run(self) -> None:
        """Collect the headings."""
        text, start = self._text, self._settled
        match = _FIRST_LINE.match(text, start) or _NEXT_LINE.search(text, start)
        while match:
            if self._action_start < match.end():
                place = min(self._action_start, match.start("line"))
                position = self._read_exactly(place)
            else:
                position = _RULES[match.lastgroup](self, match)
            if self._action_start < position:
                self._action_start = self._find_action(position)
            match = _NEXT_LINE.search(text, position - 1)
        if self._action_start < len(text):
            self._read_exactly(self._action_start)

    def _find_action(self, position: int) -> int:
        """Return where the next template action that runs over its line starts."""
        action = self._actions.find_open(position)
        return action[0] if action else len(self._text)

    def _atx_heading(self, match: re.Match[str]) -> int:
        """Rule 1: without indentation it closes every container."""
        line, end = match.start("line"), match.end()
        level = match.end("hashes") - line
        self._settled = end
        self.headings.append(Heading(self._source, line, end, level, "atx"))
        return end

    def _fenced_code(self, match: re.Match[str]) -> int:
        """Rule 2: jump behind the closing fence."""
        text = self._text
        line, end = match.start("line"), match.end()
        length = end - line
        find_fence = _CLOSING_FENCE[text[line]].search
        closing = find_fence(text, end)
        while closing and closing.end(1) - closing.start(1) < length:
            closing = find_fence(text, closing.end(1))
        self._settled = closing.end() if closing else len(text)
        self.verbatim.append((line, self._settled, False))
        return self._settled

    def _html_block(self, match: re.Match[str]) -> int:
        """Rule 2: jump behind the end condition."""
        line, kind = match.start("line"), html_block_kind(match)
        if kind == CANNOT_INTERRUPT_A_PARAGRAPH and not self._follows_blank_line(line):
            return self._read_exactly(line)
        end = len(self._text)
        if kind >= ENDED_BY_A_BLANK_LINE:
            if blank := _BLANK_LINE.search(self._text, line):
                end = blank.end()
        elif (mark := find_html_block_end(kind, self._text, line, end)) is not None:
            end = line_end(self._text, mark, "\n")
        if self._action_start < end:
            return self._read_exactly(line)
        self.verbatim.append((line, end, True))
        self._settled = end
        return end

    def _setext_heading(self, match: re.Match[str]) -> int:
        """Rule 3: look at the paragraph above the underline."""
        text, line = self._text, match.start("line")
        end = line_end(text, match.end(), "\n")
        if self._follows_blank_line(line):
            return end
        above = text.rfind(self._blank_line, max(self._settled - 1, 0), line)
        start = self._settled if above < 0 else above + len(self._blank_line)
        paragraph = _PLAIN_PARAGRAPH.match(text, start, line)
        if not paragraph or paragraph.end() < line:
            return self._read_exactly(line)
        level = 1 if match.lastgroup == "equals" else 2
        self.headings.append(Heading(self._source, start, end, level, "setext"))
        self._settled = end
        return end

    def _indented(self, match: re.Match[str]) -> int:
        """Rule 4: it may belong to a list item."""
        return self._read_exactly(match.start("line"))

    def _follows_blank_line(self, line: int) -> bool:
        """Return whether no paragraph reaches `line`. False may also mean: unclear."""
        return line == self._settled or self._text.endswith(self._blank_line, 0, line)

    def _read_exactly(self, place: int) -> int:
        """Let the exact machine read up to the first settled place after `place`.

        Where it is asked again close behind the place where it stopped, it reads on
        for longer, each time twice as long, for handing over has its price.
        """
        if self._parser is None:
            self._parser = BlockParser(self._text, self._actions)
        is_near = place < self._read_to + _NEAR
        self._lead = max(2 * self._lead, _NEAR) if is_near else 0
        start = self._last_settled(place)
        self._settled = self._parser.parse(start, until=place + 1 + self._lead)
        self._read_to = self._settled
        self.headings += [
            Heading(self._source, *found) for found in self._parser.found.headings()
        ]
        self.verbatim += self._parser.found.verbatim()
        return self._settled

    def _last_settled(self, place: int) -> int:
        """Return the last settled place up to `place` that is easy to find.

        A line without indentation that follows a blank line continues no container.
        """
        text, blank = self._text, self._blank_line
        end = place
        while (found := text.rfind(blank, max(self._settled - 1, 0), end)) >= 0:
            start = found + len(blank)
            if text[start] not in " \t\r\n":
                return start
            end = start - 1
        return self._settled


_RULES: dict[str | None, Callable[[_Scan, re.Match[str]], int]] = {
    "hashes": _Scan._atx_heading,
    "backticks": _Scan._fenced_code,
    "tildes": _Scan._fenced_code,
    **{f"html{kind}": _Scan._html_block for kind in range(1, 8)},
    "equals": _Scan._setext_heading,
    "dashes": _Scan._setext_heading,
    "indented": _Scan._indented,
}
