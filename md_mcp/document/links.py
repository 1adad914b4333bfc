r"""The links of one text and the anchors they can lead to, with exact spans.

Found are inline links and images, reference links and their definitions, wikilinks and
embeds, in all blocks, but not in code, HTML blocks and comments. Links to other sites,
`scheme:…` and `//…`, are left out, and so are autolinks, which are always such. Spans
cover exactly the characters that an edit would replace: a destination without angle
brackets, a fragment without its `#`.

What a link means among the files of a folder is not decided here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from md_mcp.document.blocks.definitions import normalize_label
from md_mcp.document.inline_syntax import ENTITY, decode_entity
from md_mcp.document.link_runs import Defined, Region, Regions, Run
from md_mcp.document.link_scan import LinkScanner, Place, ScannedLink
from md_mcp.document.scanner import Verbatim, scan_structure
from md_mcp.document.text import Span, line_separator

LinkKind = Literal[
    "link",
    "image",
    "reference",
    "image reference",
    "definition",
    "wikilink",
    "embed",
]

_SCHEME = r"[A-Za-z][A-Za-z0-9+.\-]{1,31}:"

_ELSEWHERE = re.compile(rf"{_SCHEME}|//")

_NEAR = rf"[ \t\n]*+<?+(?!{_SCHEME}|//)"

_PLACES = (re.compile(rf"\]\({_NEAR}"), re.compile(r"\[\["))
"""What links that are no references have, those to other sites left out. One expression
for each, because a literal start is found much faster than an alternative."""

_DEFINITION_PLACE = re.compile(rf"\]:{_NEAR}")

_ANY_DEFINITION_PLACE = re.compile(r"\]:")

_BRACKET = re.compile(r"\[")

_TAG = re.compile(r"<!--(?:.*?-->|.*)|<[A-Za-z][^<>]*>", re.DOTALL)

_NAME = re.compile(
    r"[ \t\n](?:id|name)[ \t]*=[ \t]*"
    r"(?:\"([^\"<>]+)\"|'([^'<>]+)'|([^ \t\n\"'=<>`]+))",
    re.IGNORECASE,
)

_NAME_PLACE = re.compile(r"<[A-Za-z][^<>]*?[ \t\n](?:id|name)[ \t]*=", re.IGNORECASE)

_NAME_STARTS = ("id=", "name=", "ID=", "NAME=", "id =", "name =", "ID =", "NAME =")
"""Strings are looked for a hundred times faster than the expression above. A spelling
that is not among them counts in texts that also have one of these."""

_LINE_ANCHORS: dict[Literal["heading", "block"], re.Pattern[str]] = {
    "heading": re.compile(r"\{#([^{} \t\n]+)[^{}\n]*\}[ \t#]*(?=\n|\Z)"),
    "block": re.compile(r"\^(?<![^ \t\n]\^)([A-Za-z0-9-]+)[ \t]*(?=\n|\Z)"),
}

_ENCODED = re.compile(rf"\\([!-/:-@\[-`{{-~])|({ENTITY.pattern})")

_FRAGMENT_START = re.compile(r"\\?(?<!&)#")


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written.

    Attributes:
        kind: how it is written.
        span: the whole link, brackets included.
        path: the destination before the fragment, escapes and entities decoded, "" for
            a place in the same text.
        path_span: where that stands; for a reference in its definition.
        fragment: what follows the `#`, decoded, None without one.
        fragment_span: where that stands; None without one.
        label_span: link text, image description, alias or label of a definition; None
            for a wikilink without alias.
    """

    kind: LinkKind
    span: Span
    path: str
    path_span: Span
    fragment: str | None
    fragment_span: Span | None
    label_span: Span | None

    @property
    def is_wikilink(self) -> bool:
        """Whether the path names a note wherever it is, instead of being a URL."""
        return self.kind in ("wikilink", "embed")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A name that the text gives to a place, beside those that headings have.

    Attributes:
        kind: "html" for an `id` or `name`, "heading" for `{#id}`, "block" for `^id`.
        span: where the name stands, without the signs around it.
    """

    kind: Literal["html", "heading", "block"]
    name: str
    span: Span


@dataclass(frozen=True)
class Links:
    """The links and anchors of one text, read on demand.

    Attributes:
        text: the whole text.
        start: where the body starts, after a BOM and front matter.
        verbatim: its fenced code and HTML blocks of the top level, in order.
    """

    text: str
    start: int
    verbatim: Sequence[Verbatim]

    @classmethod
    def of(cls, text: str, start: int = 0) -> Links:
        """Return the links of a text whose structure is not known yet."""
        return cls(text, start, scan_structure(text, start)[1])

    @cached_property
    def _body(self) -> str:
        """The text with all lines ending in a line feed alone; offsets are the same."""
        if line_separator(self.text) == "\r":
            return self.text.replace("\r", "\n")
        return self.text.replace("\r\n", " \n")

    def _regions(self, places: Iterable[int]) -> Iterator[Region]:
        return Regions(self._body, self.start, self.verbatim).around(places)

    @cached_property
    def _definitions(self) -> dict[str, Defined]:
        """The link reference definitions by normalized label; the first one wins."""
        found: dict[str, Defined] = {}
        for region in self._regions(self._find((_ANY_DEFINITION_PLACE,))):
            for defined in region.parse().definitions:
                found.setdefault(normalize_label(defined.definition.label), defined)
        return found

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links to other files and to places in this one, in order."""
        places = self._find(_PLACES)
        if not places and not _DEFINITION_PLACE.search(self._body, self.start):
            return ()
        if self._near_definitions:
            places = self._find((*_PLACES, _label_place(self._near_definitions)))
        links = list(self._near_definitions.values())
        for region in self._regions(places):
            links += self._region_links(region)
        return tuple(sorted(links, key=lambda link: link.span))

    def _find(self, patterns: Iterable[re.Pattern[str]]) -> list[int]:
        """Return where the patterns match, in order."""
        body, start = self._body, self.start
        return sorted(
            m.start() for each in patterns for m in each.finditer(body, start)
        )

    @cached_property
    def _near_definitions(self) -> dict[str, Link]:
        """The definitions that lead to no other site, as links."""
        links = {}
        for label, defined in self._definitions.items():
            link = _definition_link(defined)
            if link is not None:
                links[label] = link
        return links

    def _region_links(self, region: Region) -> Iterator[Link]:
        if region.is_plain:
            run = region.whole()
            scanner = self._scan(run)
            if _is_confirmed(region, scanner):
                yield from self._run_links(run, scanner)
                return
        for run in region.parse().runs:
            if "[" in run.text:
                yield from self._run_links(run, self._scan(run))

    def _scan(self, run: Run) -> LinkScanner:
        return LinkScanner(run.text, self._definitions).scan()

    def _run_links(self, run: Run, scanner: LinkScanner) -> Iterator[Link]:
        for found in scanner.links:
            if "reference" in found.kind:
                link = self._reference_link(run, found)
            else:
                link = _make_link(found.kind, run, found.place, found.target, found)
            if link is not None:
                yield link

    def _reference_link(self, run: Run, found: ScannedLink) -> Link | None:
        label = normalize_label(run.text[found.target.start : found.target.end])
        target = self._near_definitions.get(label)
        if target is None:
            return None
        return Link(
            found.kind,
            run.span(*found.place),
            target.path,
            target.path_span,
            target.fragment,
            target.fragment_span,
            run.span(*found.label) if found.label else None,
        )

    @cached_property
    def anchors(self) -> tuple[Anchor, ...]:
        """The explicit anchors, in order."""
        anchors = [*self._html_anchors(), *self._line_anchors()]
        return tuple(sorted(anchors, key=lambda anchor: anchor.span))

    def _html_anchors(self) -> Iterator[Anchor]:
        if not any(name in self._body for name in _NAME_STARTS):
            return
        for region in self._regions(self._find((_NAME_PLACE,))):
            content = region.parse()
            for line in content.html:
                yield from _tag_anchors(line, Place(0, len(line.text)))
            for run in content.runs:
                for place in self._scan(run).opaque:
                    if run.text[place.start] == "<":
                        yield from _tag_anchors(run, place)
        for block in self.verbatim:
            if block.is_html:
                run = Run(self._body[block.start : block.end], block.start)
                yield from _tag_anchors(run, Place(0, len(run.text)))

    def _line_anchors(self) -> Iterator[Anchor]:
        """Yield the heading and block ids outside of code of the top level."""
        for kind, pattern in _LINE_ANCHORS.items():
            for found in pattern.finditer(self._body, self.start):
                if not self._is_verbatim(found.start()):
                    yield Anchor(kind, found[1], Span(*found.span(1)))

    def _is_verbatim(self, offset: int) -> bool:
        after = bisect_right(self.verbatim, offset, key=lambda block: block.start)
        return after > 0 and offset < self.verbatim[after - 1].end


def _label_place(labels: Iterable[str]) -> re.Pattern[str]:
    """Return what every reference to one of the labels has: a bracket and the label."""
    if not all(label.isascii() for label in labels):
        return _BRACKET  # other letters are folded to more than their other case
    gap = r"[ \t\n>]"  # a label may run over the lines of a block quote
    spelled = (re.escape(label).replace(r"\ ", f"{gap}+") for label in labels)
    return re.compile(rf"\[{gap}*(?:{'|'.join(spelled)}){gap}*\]", re.IGNORECASE)


def _is_confirmed(region: Region, scanner: LinkScanner) -> bool:
    places = (link.place for link in scanner.links)
    return all(region.confirms(*place) for place in (*places, *scanner.opaque))


def _definition_link(defined: Defined) -> Link | None:
    definition, run = defined.definition, defined.run
    start, end = definition.span.start, definition.span.end
    while run.text[end - 1] in " \t\r\n":
        end -= 1
    target = Place(definition.destination.start, definition.destination.end)
    label = Place(start + 1, start + 1 + len(definition.label))
    found = ScannedLink("link", Place(start, end), target, label)
    return _make_link("definition", run, found.place, target, found)


def _make_link(
    kind: LinkKind, run: Run, place: Place, target: Place, found: ScannedLink
) -> Link | None:
    """Return the link, None when it leads to another site."""
    is_wikilink = kind in ("wikilink", "embed")
    source = run.text[target.start : target.end]
    if not is_wikilink and _ELSEWHERE.match(source):
        return None
    path, fragment = _split(source, target.start)
    decode = str if is_wikilink else _decode
    return Link(
        kind,
        run.span(*place),
        decode(run.text[path.start : path.end]),
        run.span(*path),
        None if fragment is None else decode(run.text[fragment.start : fragment.end]),
        None if fragment is None else run.span(*fragment),
        None if found.label is None else run.span(*found.label),
    )


def _split(source: str, start: int) -> tuple[Place, Place | None]:
    """Return where path and fragment of a destination stand."""
    end = start + len(source)
    mark = _FRAGMENT_START.search(source)
    if mark is None:
        return Place(start, end), None
    return Place(start, start + mark.start()), Place(start + mark.end(), end)


def _decode(source: str) -> str:
    """Return a destination without backslash escapes and entities."""
    if "&" not in source and "\\" not in source:
        return source
    return _ENCODED.sub(lambda found: found[1] or decode_entity(found[2]), source)


def _tag_anchors(run: Run, place: Place) -> Iterator[Anchor]:
    for tag in _TAG.finditer(run.text, *place):
        if tag[0].startswith("<!"):
            continue
        for name in _NAME.finditer(run.text, *tag.span()):
            group = name.lastindex or 0
            yield Anchor("html", name[group], run.span(*name.span(group)))
