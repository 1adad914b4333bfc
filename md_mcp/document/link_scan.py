r"""Links in one run of inline content: a paragraph, a heading, a table cell.

CommonMark's inline links, images and references (https://spec.commonmark.org/0.31.2/
#links) and, beside them, wikilinks `[[note#heading|alias]]` and embeds `![[note]]`.
Code spans, autolinks and raw HTML bind tighter than brackets and are stepped over;
emphasis does not matter to links and is not looked at. Where both readings are
possible, `[[text]](target)` and a `[[label]]` that is defined are CommonMark's.

Every scan is linear in the length of the run.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from md_mcp.document.blocks.definitions import normalize_label
from md_mcp.document.inline_syntax import (
    MAX_LABEL,
    is_link_label,
    scan_angle,
    scan_link_label,
    scan_link_tail,
)

Kind = Literal["link", "image", "reference", "image reference", "wikilink", "embed"]

_TOKEN = re.compile(r"\\[!-/:-@\[-`{-~]|`+|<|!?\[|\]")

_BACKTICKS = re.compile(r"`+")

_WIKILINK = re.compile(
    r"\[\[([^\[\]|#\n]*)(?:(#)([^\[\]|\n]*))?"
    r"(?:\|((?:(?!\]\]|\[\[)[^\n])*))?\]\]"
)


class Place(NamedTuple):
    """Half-open offsets of a part of a link."""

    start: int
    end: int


class ScannedLink(NamedTuple):
    """One link as it is written.

    `target` is the destination with its fragment and without angle brackets, for
    references the label that is looked up. `label` is the link text, image description
    or alias, None for a wikilink without one.
    """

    kind: Kind
    place: Place
    target: Place
    label: Place | None


class Opener(NamedTuple):
    """A bracket that may open a link."""

    start: int
    inside: int
    is_image: bool


@dataclass(slots=True)
class LinkScanner:
    """Scans one run; `links` and `opaque` hold what was found afterwards.

    Attributes:
        text: the run; its lines end in line feeds.
        labels: the defined link labels, normalized.
        links: the links in order of their ends.
        opaque: the code spans, autolinks and raw HTML in order.
    """

    text: str
    labels: Collection[str] = frozenset()
    links: list[ScannedLink] = field(default_factory=list)
    opaque: list[Place] = field(default_factory=list)
    _openers: list[Opener] = field(default_factory=list)
    _barrier: int = 0
    """A link opener before it would contain a link, so it opens none."""
    _backticks: dict[int, list[int]] | None = None
    _missing: set[str] = field(default_factory=set)
    """Ends of raw HTML that do not occur any more in the run."""

    def scan(self) -> LinkScanner:
        """Scan the whole run."""
        position = 0
        while token := _TOKEN.search(self.text, position):
            position = self._take(token[0], token.start(), token.end())
        return self

    def _take(self, token: str, start: int, end: int) -> int:
        """Handle one token and return where to go on."""
        if token == "]":
            return self._close(start)
        if token == "<":
            return self._step_over(start, self._html_end(start), end)
        if token[0] == "`":
            return self._step_over(start, self._code_end(start, end), end)
        if token[0] == "\\":
            return end
        return self._open(token, start, end)

    def _step_over(self, start: int, found: int, otherwise: int) -> int:
        if found < 0:
            return otherwise
        self.opaque.append(Place(start, found))
        return found

    def _code_end(self, start: int, end: int) -> int:
        """Return where the code span that opens with the run of backticks ends."""
        if self._backticks is None:
            self._backticks = {}
            for run in _BACKTICKS.finditer(self.text, start):
                self._backticks.setdefault(len(run[0]), []).append(run.start())
        length = end - start
        runs = self._backticks.get(length, [])
        closer = bisect_left(runs, end)
        return runs[closer] + length if closer < len(runs) else -1

    def _html_end(self, start: int) -> int:
        found = scan_angle(self.text, start, self._missing)
        return found[0] if found else -1

    def _open(self, token: str, start: int, end: int) -> int:
        is_image = token[0] == "!"
        if self.text.startswith("[", end):
            wikilink = _WIKILINK.match(self.text, end - 1)
            if wikilink and self._is_wikilink(wikilink):
                self._add_wikilink(wikilink, start, is_image)
                return wikilink.end()
        self._openers.append(Opener(start, end, is_image))
        return end

    def _is_wikilink(self, found: re.Match[str]) -> bool:
        """Return whether CommonMark has no other reading of `[[…]]`."""
        if not found[1].strip(" \t\\") and not found[3]:
            return False
        inside = Place(found.start() + 2, found.end() - 2)
        if normalize_label(self.text[inside.start : inside.end]) in self.labels:
            return False
        return self._tail(Place(found.start() + 1, found.end() - 1)) is None

    def _add_wikilink(self, found: re.Match[str], start: int, is_embed: bool) -> None:
        # In a table the bar before an alias is escaped; the name ends before that.
        target_end = found.end(3) if found[2] else found.end(1)
        alias = None if found[4] is None else Place(*found.span(4))
        if alias and self.text[target_end - 1] == "\\":
            target_end -= 1
        target = Place(found.start(1), max(target_end, found.start(1)))
        kind: Kind = "embed" if is_embed else "wikilink"
        self.links.append(ScannedLink(kind, Place(start, found.end()), target, alias))

    def _close(self, bracket: int) -> int:
        """Handle a closing bracket and return where to go on."""
        if not self._openers:
            return bracket + 1
        opener = self._openers.pop()
        if opener.start < self._barrier and not opener.is_image:
            return bracket + 1
        inside = Place(opener.inside, bracket)
        tail = self._tail(inside)
        if tail is None:
            return bracket + 1
        is_reference, target, end = tail
        self.links.append(
            ScannedLink(
                _kind(opener.is_image, is_reference),
                Place(opener.start, end),
                target,
                inside,
            )
        )
        if not opener.is_image:
            self._barrier = opener.start
        return end

    def _tail(self, inside: Place) -> tuple[bool, Place, int] | None:
        """Return what makes the brackets around `inside` a link.

        That is whether it is a reference, the place of the destination or label, and
        the end of the link; None if they are just brackets.
        """
        after = inside.end + 1
        if self.text.startswith("(", after):
            tail = scan_link_tail(self.text, after)
            if tail:
                return False, Place(tail.start, tail.stop), tail.end
        return self._reference(inside, after) if self.labels else None

    def _reference(self, inside: Place, after: int) -> tuple[bool, Place, int] | None:
        """Return the label that brackets name, if it is defined.

        https://spec.commonmark.org/0.31.2/#reference-link
        """
        place, end = inside, after
        label_end = scan_link_label(self.text, after)
        if label_end >= 0:
            place, end = Place(after + 1, label_end - 1), label_end
        elif self.text.startswith("[]", after):
            end = after + 2
        # No label is longer; whole contents of deep brackets would be a quadratic copy.
        label = self.text[place.start : min(place.end, place.start + MAX_LABEL + 1)]
        if not is_link_label(label) or normalize_label(label) not in self.labels:
            return None
        return True, place, end


def _kind(is_image: bool, is_reference: bool) -> Kind:
    if is_reference:
        return "image reference" if is_image else "reference"
    return "image" if is_image else "link"
