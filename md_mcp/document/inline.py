"""Heading source to what a reader sees: inline markup read as CommonMark reads it.

Emphasis, strikethrough, code spans, links, images, autolinks, raw HTML, entities and
backslash escapes are recognised by the rules of CommonMark 0.31.2 (strikethrough and
footnote markers by cmark-gfm's) and reduced to text. A heading alone cannot know which
link labels are defined, so every reference link counts as one. Bare URLs are text and
no markup. Template actions are one opaque piece of text.

Runs of spaces, tabs and line endings become one space. Other blanks, such as the
no-break space, are characters that a reader sees and that anchors treat differently;
they stay. Nothing here takes more than linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from md_mcp.document.delimiter_runs import (
    DelimiterRun,
    match_delimiter_runs,
    scan_delimiter_run,
)
from md_mcp.document.inline_syntax import (
    ENTITY,
    decode_entity,
    is_footnote_label,
    is_link_label,
    scan_angle,
    scan_link_label,
    scan_link_tail,
)
from md_mcp.document.template import TemplateActions

_SPECIAL = re.compile(r"[\\`*_~\[<&]")
"""The characters without which a text holds no markup: `]` and `!` need a `[`."""

_PLAIN_LINK = re.compile(
    r"(?<!!)\[(?![ \t\n]*[\]^])([^\\`*_~\[\]<&!]{1,500})\]"
    r"(?:\([A-Za-z0-9:/?#.=%+@,;_~*-]*\)|(?![\[(]))"
)
"""A link of a changelog's headings, `[1.2.0]` or `[1.2.0](https://…)`, whose text and
destination hold nothing that needs the rules."""

_TOKEN = re.compile(r"\\[!-/:-@\[-`{-~\n]?|`+|\*+|_+|~+|!\[(?!\^)|\[|\]|<|&")

_BACKTICKS = re.compile(r"`+")

_WHITE_SPACE = re.compile(r"[ \t\n]+")


def visible_text(raw: str) -> str:
    r"""Return what a reader sees of a heading, on one line and trimmed.

    `raw` is its inline source, the lines of a setext heading joined with "\n". Raw HTML
    and footnote markers are removed, unless nothing would be left.
    """
    text = _collapse(anchor_text(raw))
    if text or not raw:
        return text
    reader = _InlineReader(raw, _mask_actions(raw), keeps_markup=True)
    return _collapse(reader.read())


def anchor_text(raw: str) -> str:
    """Return the text that a heading's anchor is made of: white space as it stands.

    A reader sees two spaces as one, but each of them is a hyphen of the anchor.
    """
    if _SPECIAL.search(raw) is None:
        return raw
    plain = _PLAIN_LINK.sub(r"\1", raw)
    if _SPECIAL.search(plain) is None and "{{" not in raw:
        return plain
    return _InlineReader(raw, _mask_actions(raw)).read()


def _collapse(text: str) -> str:
    return _WHITE_SPACE.sub(" ", text).strip(" ")


def _mask_actions(raw: str) -> str:
    """Return `raw` with each template action as so many `{`.

    To the recognisers an action is then plain text without blanks; what is shown is
    cut out of `raw`, in which all offsets are the same.
    """
    if "{{" not in raw:
        return raw
    actions = TemplateActions(raw)
    pieces: list[str] = []
    position = 0
    while (start := raw.find("{{", position)) >= 0:
        end = actions.end(start)
        stop = start + 2 if end is None else end
        pieces += (raw[position:start], "{" * (stop - start))
        position = stop
    return "".join((*pieces, raw[position:]))


@dataclass(frozen=True, slots=True)
class _Opener:
    """A `[` or `![`: where its content starts, and how much had been read before."""

    inside: int
    is_image: bool
    pieces: int
    runs: int


class _InlineReader:
    """Reads one inline source; see "Phase 2: inline structure" of the specification.

    `_pieces` is the text so far. A delimiter run or opening bracket is a piece of its
    own, which is replaced once it turns out to be markup.
    """

    def __init__(self, raw: str, source: str, *, keeps_markup: bool = False) -> None:
        self._raw = raw
        self._source = source
        self._keeps_markup = keeps_markup
        self._pieces: list[str] = []
        self._runs: list[tuple[int, DelimiterRun]] = []
        """Delimiter runs that are not settled, with the index of their piece."""
        self._openers: list[_Opener] = []
        self._inactive = 0
        """So many openers, from the bottom, hold a link already and open none."""
        self._backticks: dict[int, list[int]] | None = None
        self._missing: set[str] = set()
        self._readers: dict[str, Callable[[int, int], int]] = {
            "\\": self._read_backslash,
            "`": self._read_code_span,
            "*": self._read_delimiter_run,
            "_": self._read_delimiter_run,
            "~": self._read_delimiter_run,
            "!": self._read_opener,
            "[": self._read_opener,
            "]": self._read_closer,
            "<": self._read_angle,
            "&": self._read_entity,
        }

    def read(self) -> str:
        """Return the text, white space as it stands."""
        position = 0
        while token := _TOKEN.search(self._source, position):
            start = token.start()
            self._pieces.append(self._raw[position:start])
            position = self._readers[self._source[start]](start, token.end())
        self._pieces.append(self._raw[position:])
        self._settle_runs(0)
        return "".join(self._pieces)

    def _take(self, start: int, end: int) -> int:
        """Add the source from `start` to `end` as text and go on after it."""
        self._pieces.append(self._raw[start:end])
        return end

    def _read_backslash(self, start: int, end: int) -> int:
        return self._take(min(start + 1, end - 1), end)

    def _read_code_span(self, start: int, end: int) -> int:
        length = end - start
        closer = self._find_backticks(length, end)
        if closer < 0:
            return self._take(start, end)
        content = self._raw[end:closer].replace("\n", " ")
        if content[:1] == content[-1:] == " " and content.strip(" "):
            content = content[1:-1]
        self._pieces.append(content)
        return closer + length

    def _find_backticks(self, length: int, start: int) -> int:
        """Return where the next run of exactly `length` backticks stands, or -1."""
        if self._backticks is None:
            self._backticks = {}
            for run in _BACKTICKS.finditer(self._source, start):
                self._backticks.setdefault(len(run[0]), []).append(run.start())
        starts = self._backticks.get(length, [])
        index = bisect_left(starts, start)
        return starts[index] if index < len(starts) else -1

    def _read_delimiter_run(self, start: int, end: int) -> int:
        run = scan_delimiter_run(self._source, start, end)
        if run.can_open or run.can_close:
            self._runs.append((len(self._pieces), run))
        return self._take(start, end)

    def _settle_runs(self, first: int) -> None:
        """Match the runs from `first` on among themselves; what is left is text."""
        runs = self._runs[first:]
        del self._runs[first:]
        match_delimiter_runs([run for _, run in runs])
        for piece, run in runs:
            self._pieces[piece] = run.character * run.left

    def _read_opener(self, start: int, end: int) -> int:
        is_image = end - start == 2
        opener = _Opener(end, is_image, len(self._pieces), len(self._runs))
        self._openers.append(opener)
        return self._take(start, end)

    def _read_closer(self, start: int, end: int) -> int:
        if not self._openers:
            return self._take(start, end)
        opener = self._openers.pop()
        is_active = opener.is_image or len(self._openers) >= self._inactive
        self._inactive = min(self._inactive, len(self._openers))
        if not is_active:
            return self._take(start, end)
        return self._close_brackets(opener, start)

    def _close_brackets(self, opener: _Opener, closer: int) -> int:
        """Read `[…]`, whose content ends at `closer`, and what belongs to it after."""
        after = closer + 1
        # No label is longer; whole contents of deep brackets would be a quadratic copy.
        content = self._source[opener.inside : min(closer, opener.inside + 1000)]
        inline = scan_link_tail(self._source, after)
        if inline is None and is_footnote_label(content):
            self._drop_footnote_marker(opener, after)
            return after
        tail = inline.end if inline else scan_link_label(self._source, after)
        if tail < 0 and is_link_label(content):
            tail = after + 2 if self._source.startswith("[]", after) else after
        if tail < 0:
            return self._take(closer, after)
        self._pieces[opener.pieces] = ""
        self._settle_runs(opener.runs)
        if not opener.is_image:
            self._inactive = len(self._openers)
        return tail

    def _drop_footnote_marker(self, opener: _Opener, end: int) -> None:
        del self._pieces[opener.pieces :], self._runs[opener.runs :]
        if self._keeps_markup:
            self._take(opener.inside - 1, end)

    def _read_angle(self, start: int, end: int) -> int:
        found = scan_angle(self._source, start, self._missing)
        if found is None:
            return self._take(start, end)
        stop, is_autolink = found
        if is_autolink:
            self._take_decoded(start + 1, stop - 1)
        elif self._keeps_markup:
            self._take(start, stop)
        return stop

    def _take_decoded(self, start: int, end: int) -> None:
        for entity in ENTITY.finditer(self._source, start, end):
            self._take(start, entity.start())
            self._pieces.append(decode_entity(entity[0]))
            start = entity.end()
        self._take(start, end)

    def _read_entity(self, start: int, end: int) -> int:
        entity = ENTITY.match(self._source, start)
        if entity is None:
            return self._take(start, end)
        self._pieces.append(decode_entity(entity[0]))
        return entity.end()
