"""The section tree: what each heading governs, as spans over the untouched text.

A section reaches from its heading to the next heading of the same or a smaller level
(its subtree); its own part ends at the next heading of any level. Levels may be
skipped: the parent is the nearest heading before of a smaller level.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from md_mcp.document.scanner import Heading
from md_mcp.document.text import Span

PREAMBLE = "(preamble)"
"""The address of what stands before the first heading."""


def comparison_key(text: str) -> str:
    """Return `text` as headings are compared: NFC, case folded, single blanks."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).casefold()
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.casefold().split())


@dataclass(frozen=True)
class SectionTree:
    """The tree over the headings of one text; sections are views into it.

    Attributes:
        text: the whole text.
        start: offset of the preamble, after a BOM and the front matter.
        headings: the headings in file order.
        reserved: comparison keys that a root heading must not be addressed by.
    """

    text: str
    start: int
    headings: tuple[Heading, ...]
    reserved: frozenset[str]

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """One section a heading, in file order."""
        return tuple(Section(self, index) for index in range(len(self.headings)))

    @cached_property
    def preamble(self) -> Section:
        """What stands before the first heading, front matter excluded; may be empty."""
        return Section(self, None)

    @cached_property
    def parents(self) -> list[int]:
        """Index of each heading's parent, -1 at the root."""
        parents, open_indices = [], [-1]
        levels = [0]
        for index, heading in enumerate(self.headings):
            while levels[-1] >= heading.level:
                levels.pop()
                open_indices.pop()
            parents.append(open_indices[-1])
            levels.append(heading.level)
            open_indices.append(index)
        return parents

    @cached_property
    def children(self) -> list[list[int]]:
        """Indices of the children of each heading; the last list holds the roots."""
        children: list[list[int]] = [[] for _ in range(len(self.headings) + 1)]
        for index, parent in enumerate(self.parents):
            children[parent].append(index)
        return children

    @cached_property
    def subtree_ends(self) -> list[int]:
        """Index of the first heading after each subtree, `len(headings)` at the end."""
        count = len(self.headings)
        ends = [count] * count
        still_open: list[int] = []
        for index, heading in enumerate(self.headings):
            while still_open and self.headings[still_open[-1]].level >= heading.level:
                ends[still_open.pop()] = index
            still_open.append(index)
        return ends

    @cached_property
    def keys(self) -> list[str]:
        """Comparison key of each heading's visible text."""
        return [comparison_key(heading.text) for heading in self.headings]

    @cached_property
    def ordinals(self) -> list[int]:
        """1-based place of each heading among siblings whose keys are equal."""
        seen: dict[tuple[int, str], int] = {}
        ordinals = []
        for place in zip(self.parents, self.keys, strict=True):
            seen[place] = seen.get(place, 0) + 1
            ordinals.append(seen[place])
        return ordinals

    def offset(self, index: int) -> int:
        """Return where heading `index` starts; the end of the text after the last."""
        if index < len(self.headings):
            return self.headings[index].span.start
        return len(self.text)

    def roots(self) -> tuple[Section, ...]:
        """Return the sections that have no parent."""
        return self.pick(self.children[-1])

    def pick(self, indices: Sequence[int]) -> tuple[Section, ...]:
        """Return the sections of some headings."""
        return tuple(self.sections[index] for index in indices)


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a tree, or the preamble when `index` is None."""

    tree: SectionTree
    index: int | None

    def __repr__(self) -> str:
        return f"Section({self.path!r}, {self.span})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Section):
            return NotImplemented
        return self.tree is other.tree and self.index == other.index

    def __hash__(self) -> int:
        return hash((id(self.tree), self.index))

    @property
    def heading(self) -> Heading | None:
        """The heading, None for the preamble."""
        return None if self.index is None else self.tree.headings[self.index]

    @property
    def level(self) -> int:
        """Level of the heading, 0 for the preamble."""
        return 0 if self.heading is None else self.heading.level

    @property
    def title(self) -> str:
        """The heading as a reader sees it, "(preamble)" for the preamble."""
        return PREAMBLE if self.heading is None else self.heading.text

    @property
    def path(self) -> str:
        """The full dot-path; it leads back to this section and to no other."""
        from md_mcp.document.address import format_path

        return format_path(self)

    @property
    def start(self) -> int:
        """Offset at which the heading starts, or the preamble."""
        return self.tree.start if self.index is None else self.tree.offset(self.index)

    @property
    def span(self) -> Span:
        """The subtree: heading, own body and all deeper sections."""
        if self.index is None:
            return self.own_span
        end = self.tree.offset(self.tree.subtree_ends[self.index])
        return Span(self.start, end)

    @property
    def own_span(self) -> Span:
        """Heading and own body, up to the next heading of any level."""
        following = 0 if self.index is None else self.index + 1
        return Span(self.start, self.tree.offset(following))

    @property
    def body_span(self) -> Span:
        """The own body: after the heading, up to the next heading of any level."""
        start = self.start if self.heading is None else self.heading.span.end
        return Span(start, self.own_span.end)

    @property
    def children(self) -> tuple[Section, ...]:
        """The sections directly below, in file order."""
        if self.index is None:
            return ()
        return self.tree.pick(self.tree.children[self.index])

    @property
    def parent(self) -> Section | None:
        """The section above, None at the root."""
        if self.index is None or self.tree.parents[self.index] < 0:
            return None
        return self.tree.sections[self.tree.parents[self.index]]

    @property
    def ordinal(self) -> int:
        """1-based place among the siblings whose headings compare equal."""
        return 1 if self.index is None else self.tree.ordinals[self.index]

    @property
    def descendants(self) -> tuple[Section, ...]:
        """All sections below, in file order."""
        if self.index is None:
            return ()
        end = self.tree.subtree_ends[self.index]
        return self.tree.sections[self.index + 1 : end]

    def chain(self) -> tuple[Section, ...]:
        """Return the sections from the root down to this one."""
        return tuple(self._upwards())[::-1]

    def _upwards(self) -> Iterator[Section]:
        section: Section | None = self
        while section is not None:
            yield section
            section = section.parent
