"""What the link graph keeps of one note: its links, headings and anchors, not its text.

Everything that is not needed for the links themselves is worked out when somebody asks
and then kept, since most questions touch few notes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote

from md_mcp.document.find import closest, fold
from md_mcp.document.front_matter import read_front_matter
from md_mcp.document.inline import anchor_text, visible_text
from md_mcp.document.links import Anchor, LinkKind
from md_mcp.document.model import Document
from md_mcp.document.slug import Slugger
from md_mcp.errors import FrontMatterError
from md_mcp.files import FileIdentity

TYPE_KEYS = ("type", "tipo")
TAG_KEYS = ("tags", "tag")

_HAS_PROPERTIES = re.compile(rf"^(?:{'|'.join(TYPE_KEYS + TAG_KEYS)})\b", re.MULTILINE)

_TAG_SEPARATOR = re.compile(r"[,\s]+")

_NOT_A_HEADING = re.compile(
    r"top|L\d+(?:-L?\d+)?|:~:.*|[^#]*/.*", re.IGNORECASE | re.DOTALL
)
"""Fragments that lead to the top, to lines of the source or to a text, and those that
no heading's anchor can be, such as the routes and tabs of a site's scripts."""

_NOT_COMPARED = re.compile(r"[\s!\"#$%&'()*+,./:;<=>?@\[\\\]^`{|}~]+")
"""What wikilinks to headings may leave out or write otherwise."""


class NoteLink(NamedTuple):
    """A link of a note: how and where it is written, and to what.

    `line` is the 1-based line in the file, `heading` the index of the heading that it
    stands under, -1 before the first.
    """

    kind: LinkKind
    line: int
    heading: int
    path: str
    fragment: str | None

    @property
    def is_wikilink(self) -> bool:
        """Whether the path names a note wherever it is, instead of being a URL."""
        return self.kind in ("wikilink", "embed")

    @property
    def written(self) -> str:
        """The destination as it was written, escapes decoded."""
        return self.path if self.fragment is None else f"{self.path}#{self.fragment}"


class NoteHeading(NamedTuple):
    """A heading of a note: its level, 1-based line and inline source."""

    level: int
    line: int
    raw: str


@dataclass(frozen=True)
class Note:
    """One note as it was read.

    Attributes:
        path: relative to the folder, with "/".
        identity: the state of its file, None when that may change without a trace.
        links: to other files and within the note, in order.
        headings: in order.
        ids: the explicit anchors, those of blocks with their `^`.
        front_matter: the block with its delimiters, "" if there is none.
    """

    path: str
    identity: FileIdentity | None
    links: tuple[NoteLink, ...]
    headings: tuple[NoteHeading, ...]
    ids: frozenset[str]
    front_matter: str = field(repr=False)

    @classmethod
    def of(cls, path: str, identity: FileIdentity | None, document: Document) -> Note:
        """Return what is kept of a document."""
        found, front = document.links, document.front_matter
        headings, links = document.headings, found.links
        starts = [heading.span.start for heading in headings]
        lines = _line_numbers(document, [link.span.start for link in links])
        heading_lines = _line_numbers(document, starts)
        return cls(
            path,
            identity,
            tuple(
                NoteLink(
                    link.kind,
                    line,
                    bisect_right(starts, link.span.start) - 1,
                    link.path,
                    link.fragment,
                )
                for link, line in zip(links, lines, strict=True)
                if link.kind != "definition"
            ),
            tuple(
                NoteHeading(heading.level, line, heading.raw)
                for heading, line in zip(headings, heading_lines, strict=True)
            ),
            frozenset(_id(anchor) for anchor in found.anchors),
            front.span.of(document.text) if front else "",
        )

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The headings as a reader sees them."""
        return tuple(visible_text(heading.raw) for heading in self.headings)

    @cached_property
    def slugs(self) -> tuple[str, ...]:
        """The anchors that GitHub gives to the headings."""
        slugger = Slugger()
        return tuple(slugger.slug(anchor_text(h.raw)) for h in self.headings)

    @cached_property
    def _anchors(self) -> frozenset[str]:
        return frozenset((*self.slugs, *self.ids))

    @cached_property
    def _keys(self) -> dict[str, list[int]]:
        """The indices of the headings by comparison key, as seen and as written."""
        keys: dict[str, list[int]] = {}
        for index, heading in enumerate(self.headings):
            for text in {self.titles[index], heading.raw}:
                keys.setdefault(heading_key(text), []).append(index)
        return keys

    def has_anchor(self, fragment: str, *, is_wikilink: bool) -> bool:
        """Return whether a link with this fragment leads to a place in the note."""
        name = fragment if is_wikilink else unquote(fragment)
        if not name or name in self._anchors:
            return True
        if not is_wikilink and _NOT_A_HEADING.fullmatch(name):
            return True
        *above, last = name.split("#") if is_wikilink else [name]
        if last.startswith("^"):
            return last in self.ids
        return name.lower() in self._anchors or self._has_headings([*above, last])

    def _has_headings(self, names: list[str]) -> bool:
        """Return whether headings of these names follow each other in the note."""
        after = -1
        for name in names:
            places = self._keys.get(heading_key(name), ())
            following = [place for place in places if place > after]
            if not following:
                return False
            after = following[0]
        return True

    def closest_anchor(self, fragment: str, *, is_wikilink: bool) -> str | None:
        """Return the heading that a fragment is spelled most like, as a fragment."""
        if not self.headings:
            return None
        if is_wikilink:
            names = [_NOT_COMPARED.sub(" ", title).strip(" ") for title in self.titles]
        else:
            names = list(self.slugs)
        wanted = fragment.rpartition("#")[2] if is_wikilink else unquote(fragment)
        return names[closest(wanted, names, 1)[0]]

    @cached_property
    def properties(self) -> dict[str, object]:
        """The front matter's values; empty where type and tags cannot be in it."""
        if not _HAS_PROPERTIES.search(self.front_matter):
            return {}
        front = Document(self.front_matter).front_matter
        if front is None:
            return {}
        try:
            return read_front_matter(self.front_matter, front)
        except FrontMatterError:
            return {}

    @property
    def type(self) -> str | None:
        """The value of `type` or `tipo` in the front matter."""
        for key in TYPE_KEYS:
            value = self.properties.get(key)
            if isinstance(value, str | int | float) and value != "":
                return str(value)
        return None

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The tags in the front matter, without `#`, in order."""
        found: dict[str, None] = {}
        for key in TAG_KEYS:
            value = self.properties.get(key)
            items = value if isinstance(value, list) else [value]
            for item in items:
                if isinstance(item, str | int | float):
                    words = _TAG_SEPARATOR.split(str(item))
                    found |= dict.fromkeys(word.lstrip("#") for word in words)
        return tuple(tag for tag in found if tag)


def _line_numbers(document: Document, offsets: list[int]) -> list[int]:
    """Return the 1-based lines of ascending offsets, without listing all lines."""
    lines, line, position = [], 1, 0
    for offset in offsets:
        line += document.text.count(document.separator, position, offset)
        position = offset
        lines.append(line)
    return lines


def heading_key(text: str) -> str:
    """Return a heading as wikilinks compare it: folded, without punctuation."""
    return _NOT_COMPARED.sub("", fold(text))


def _id(anchor: Anchor) -> str:
    return f"^{anchor.name}" if anchor.kind == "block" else anchor.name
