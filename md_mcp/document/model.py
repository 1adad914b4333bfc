"""`Document`: a Markdown text and all that follows from it, derived on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from md_mcp.document.address import Lookup
from md_mcp.document.path import FRONT_MATTER, PREAMBLE, is_reserved
from md_mcp.document.scanner import Heading, Verbatim, scan_structure
from md_mcp.document.section import Section, SectionTree
from md_mcp.document.text import (
    BOM,
    Line,
    LineNumbers,
    Span,
    dominant_ending,
    iter_lines,
    line_separator,
    split_ending,
    split_lines,
)
from md_mcp.errors import ArgumentError, NotUtf8Error, SectionNotFoundError

if TYPE_CHECKING:
    from md_mcp.document.front_matter import FrontMatter
    from md_mcp.document.links import Links
    from md_mcp.document.search import Match

_MAY_BEGIN_FRONT_MATTER = ("---", "+++", BOM)
"""Other files do without the modules that read it, which shows where many start."""


@dataclass(frozen=True)
class Document:
    """One Markdown document, frozen; every attribute but `text` is derived from it.

    `text` is the file decoded, a BOM included: `text.encode()` gives the file's bytes.
    """

    text: str

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "document") -> Document:
        """Return the document that a file holds; `name` is for the error.

        Raises:
            NotUtf8Error: `data` is not strict UTF-8; carries the offset.
        """
        try:
            return cls(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise NotUtf8Error(name, error.start) from None

    @cached_property
    def separator(self) -> str:
        r"""What ends lines: "\n", or "\r" in an old-Mac file."""
        return line_separator(self.text)

    @cached_property
    def line_ending(self) -> str:
        """The ending of most lines, which new lines get."""
        return dominant_ending(self.text)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines in order; with their endings they are the text."""
        return tuple(iter_lines(self.text))

    @cached_property
    def _line_numbers(self) -> LineNumbers:
        return LineNumbers(self.text)

    def bare_lines(self, span: Span) -> list[str]:
        """Return the lines in `span`, which starts at a line, without their endings."""
        lines = split_lines(span.of(self.text), self.separator)
        return [split_ending(line, self.separator)[0] for line in lines]

    def line_range(self, span: Span) -> tuple[int, int]:
        """Return the 1-based numbers of the first and the last line that `span` has."""
        numbers = self._line_numbers
        last = max(span.start, span.end - 1)
        return numbers.line(span.start), numbers.line(last)

    @cached_property
    def front_matter(self) -> FrontMatter | None:
        """The front matter block at the start, if there is one."""
        if not self.text.startswith(_MAY_BEGIN_FRONT_MATTER):
            return None
        from md_mcp.document.front_matter import find_front_matter

        return find_front_matter(self.text)

    @cached_property
    def body_start(self) -> int:
        """Offset of the preamble: after a BOM and the front matter."""
        if self.front_matter is not None:
            return self.front_matter.span.end
        return len(BOM) if self.text.startswith(BOM) else 0

    @cached_property
    def _structure(self) -> tuple[tuple[Heading, ...], tuple[Verbatim, ...]]:
        return scan_structure(self.text, self.body_start)

    @property
    def headings(self) -> tuple[Heading, ...]:
        """The headings in file order."""
        return self._structure[0]

    @cached_property
    def links(self) -> Links:
        """The links and explicit anchors of the body."""
        from md_mcp.document.links import Links  # for readers of links only

        return Links(self.text, self.body_start, self._structure[1])

    @cached_property
    def tree(self) -> SectionTree:
        """The section tree over the headings."""
        names = {PREAMBLE}
        if self.front_matter is not None:
            names.add(FRONT_MATTER)
        return SectionTree(self.text, self.body_start, self.headings, frozenset(names))

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections in file order, without the preamble."""
        return self.tree.sections

    @property
    def roots(self) -> tuple[Section, ...]:
        """The sections that have no parent."""
        return self.tree.roots

    @property
    def preamble(self) -> Section:
        """What stands before the first heading, front matter excluded; may be empty."""
        return self.tree.preamble

    @property
    def last_section(self) -> Section:
        """The last section, the preamble in a document without headings."""
        return Section(self.tree, len(self.headings) - 1 if self.headings else None)

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self.tree)

    def is_front_matter(self, path: str) -> bool:
        """Return whether `path` addresses the front matter block of this document."""
        return self.front_matter is not None and is_reserved(path, FRONT_MATTER)

    def section(self, path: str, *, lenient: bool = True) -> Section:
        """Return the section, or with "(preamble)" the preamble, that `path` names.

        Without `lenient` the path must be complete from the root.

        Raises:
            SectionNotFoundError: no section fits; the nearest are offered.
            AmbiguousPathError: a shortened path fits several; they are offered.
        """
        if is_reserved(path, PREAMBLE):
            return self.preamble
        try:
            return self._lookup.get(path, lenient=lenient)
        except SectionNotFoundError:
            if is_reserved(path, FRONT_MATTER):
                raise self._no_front_matter(path) from None
            raise

    def _no_front_matter(self, path: str) -> SectionNotFoundError:
        from md_mcp.document.front_matter import explain_front_matter

        reason = explain_front_matter(self.text) or "List the paths with get_index."
        error = SectionNotFoundError(path)
        error.args = (f"the file has no front matter. {reason}",)
        return error

    def get(self, path: str, depth: int | None = None) -> str:
        """Return the exact text of a section, the preamble or the front matter.

        `depth` None gives the subtree, 0 heading and own body, N so many generations
        below, with deeper sections left out whole.

        Raises:
            AddressError: `path` leads to no section, or to several.
            ArgumentError: `depth` is negative.
        """
        check_depth(depth)
        if self.front_matter is not None and self.is_front_matter(path):
            return self.front_matter.span.of(self.text)
        section = self.section(path)
        if depth is None:
            return section.span.of(self.text)
        return "".join(span.of(self.text) for span in _generations(section, depth))

    def search(
        self, query: str, *, case_sensitive: bool = False, scope: str = "body"
    ) -> tuple[Match, ...]:
        """Return the lines that match, with their sections, in file order.

        `query` is a Python regular expression, tried on each line without its ending;
        `scope` is "body", "headings" or "both". It runs in this process and nothing
        bounds its time: for patterns of strangers use `md_mcp.operations`.

        Raises:
            PatternError: `query` is no pattern.
            ArgumentError: `scope` is unknown.
        """
        from md_mcp.document.pattern import parse_pattern, unbounded_lines
        from md_mcp.document.search import search

        pattern = parse_pattern(query, case_sensitive=case_sensitive)
        return tuple(search(self, unbounded_lines(pattern), scope))

    def index(
        self, path: str | None = None, depth: int | None = None
    ) -> dict[str, Any]:
        """Return `{"sections": [{"heading", "level", "path", "children"}, …]}`, nested.

        `path` limits it to the subtree of one section, `depth` to so many generations
        below the first; the front matter, if any, comes first with level 0.

        Raises:
            AddressError: `path` leads to no section, or to several.
            ArgumentError: `depth` is negative.
        """
        check_depth(depth)
        if path is not None and self.is_front_matter(path):
            return {"sections": [_node("frontmatter", 0, FRONT_MATTER, [])]}
        if path is not None:
            section = self.section(path)
            nodes = [_section_node(section, section.path, depth)]
            return {"sections": nodes}
        nodes = _child_nodes(self.roots, "", depth)
        if self.front_matter is not None:
            nodes.insert(0, _node("frontmatter", 0, FRONT_MATTER, []))
        return {"sections": nodes}


def check_depth(depth: int | None) -> None:
    """Refuse a negative depth.

    Raises:
        ArgumentError: `depth` is negative.
    """
    if depth is not None and depth < 0:
        raise ArgumentError(
            "depth",
            f"depth is {depth}: give 0 for the section alone, a positive number of "
            "generations, or leave it out for all.",
        )


def _generations(section: Section, depth: int) -> Iterator[Span]:
    """Yield the own spans of `section` and of `depth` generations below, in order."""
    yield section.own_span
    if depth > 0:
        for child in section.children:
            yield from _generations(child, depth - 1)


def _node(
    heading: str, level: int, path: str, children: list[dict[str, Any]]
) -> dict[str, Any]:
    return {"heading": heading, "level": level, "path": path, "children": children}


def _section_node(section: Section, path: str, depth: int | None) -> dict[str, Any]:
    below = (
        []
        if depth == 0
        else _child_nodes(
            section.children, path + ".", None if depth is None else depth - 1
        )
    )
    return _node(section.title, section.level, path, below)


def _child_nodes(
    sections: Sequence[Section], prefix: str, depth: int | None
) -> list[dict[str, Any]]:
    return [
        _section_node(section, prefix + section.last_segment, depth)
        for section in sections
    ]
