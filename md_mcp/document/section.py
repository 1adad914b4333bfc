"""The section tree: what each heading governs, as spans over the untouched text.

A section reaches from its heading to the next heading of the same or a smaller level
(its subtree); its own part ends at the next heading of any level. Levels may be
skipped: the parent is the nearest heading before of a smaller level.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from md_mcp.document.inline import visible_text
from md_mcp.document.path import PREAMBLE, comparison_key, format_segment
from md_mcp.document.scanner import Heading
from md_mcp.document.text import Span

Spellings = tuple[str, str, str]
"""Comparison keys of one heading, best first."""

ROOT = -1
"""Index that stands for the parent of sections without one."""

_HEADING_ID = re.compile(r"[ \t]*\{#[^{}]*\}[ \t]*\Z")


def _spell(raw: str) -> Spellings:
    visible = visible_text(raw)
    key = comparison_key(visible)
    source_key = key if visible == raw else comparison_key(raw)
    if "{#" not in visible:
        return key, source_key, key
    return key, source_key, comparison_key(_HEADING_ID.sub("", visible))


@dataclass(frozen=True)
class SectionTree:
    """The tree over the headings of one text; sections are views into it.

    Relations are computed from the levels when somebody asks, so that looking up one
    section of a very long document makes no object for each of the others.

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

    @property
    def preamble(self) -> Section:
        """What stands before the first heading, front matter excluded; may be empty."""
        return Section(self, None)

    @property
    def roots(self) -> tuple[Section, ...]:
        """The sections that have no parent."""
        return tuple(Section(self, index) for index in self.children(ROOT))

    @cached_property
    def _relations(self) -> tuple[list[int], list[int]]:
        count = len(self.headings)
        parents, ends = [ROOT] * count, [count] * count
        still_open, open_levels = [ROOT], [0]
        for index, level in enumerate([heading.level for heading in self.headings]):
            while open_levels[-1] >= level:
                open_levels.pop()
                ends[still_open.pop()] = index
            parents[index] = still_open[-1]
            still_open.append(index)
            open_levels.append(level)
        return parents, ends

    @property
    def parents(self) -> list[int]:
        """Index of each heading's parent, `ROOT` without one."""
        return self._relations[0]

    @property
    def subtree_ends(self) -> list[int]:
        """Index of the first heading after each subtree, `len(headings)` at the end."""
        return self._relations[1]

    def children(self, index: int) -> Iterator[int]:
        """Yield the indices of the children of a heading, or of `ROOT`."""
        ends = self.subtree_ends
        end = len(ends) if index == ROOT else ends[index]
        child = index + 1
        while child < end:
            yield child
            child = ends[child]

    @cached_property
    def _spellings(self) -> tuple[list[Spellings | None], dict[str, Spellings]]:
        return [None] * len(self.headings), {}

    def spellings(self, index: int) -> Spellings:
        """Return the keys by which a heading is known, best first.

        They are those of its visible text, of its raw source and of the visible text
        without a trailing `{#id}`. Equal sources, common in changelogs, are read once.
        """
        by_index, by_source = self._spellings
        known = by_index[index]
        if known is None:
            raw = self.headings[index].raw
            known = by_source.get(raw)
            if known is None:
                known = by_source[raw] = _spell(raw)
            by_index[index] = known
        return known

    def key(self, index: int) -> str:
        """Return the comparison key of a heading's visible text."""
        return self.spellings(index)[0]

    @cached_property
    def _ordinals(self) -> dict[int, dict[int, int]]:
        return {}

    def ordinal(self, index: int) -> int:
        """Return the 1-based place of a heading among siblings whose keys are equal."""
        parent = self.parents[index]
        if parent not in self._ordinals:
            seen: Counter[str] = Counter()
            ordinals = {}
            for child in self.children(parent):
                key = self.key(child)
                seen[key] += 1
                ordinals[child] = seen[key]
            self._ordinals[parent] = ordinals
        return self._ordinals[parent][index]

    def offset(self, index: int) -> int:
        """Return where heading `index` starts; the end of the text after the last."""
        if index < len(self.headings):
            return self.headings[index].span.start
        return len(self.text)


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
        """The full dot-path; strict lookup leads it back to this very section."""
        if self.index is None:
            return PREAMBLE
        return ".".join(step.last_segment for step in self.chain())

    @property
    def last_segment(self) -> str:
        """The last segment of the full path."""
        segment = format_segment(self.title, self.ordinal)
        if self.ordinal > 1 or self.parent is not None:
            return segment
        is_taken = comparison_key(self.title) in self.tree.reserved
        return f"{segment}[1]" if is_taken else segment

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
        indices = self.tree.children(self.index)
        return tuple(Section(self.tree, index) for index in indices)

    @property
    def parent(self) -> Section | None:
        """The section above, None at the root."""
        if self.index is None or self.tree.parents[self.index] < 0:
            return None
        return Section(self.tree, self.tree.parents[self.index])

    @property
    def ordinal(self) -> int:
        """1-based place among the siblings whose headings compare equal."""
        return 1 if self.index is None else self.tree.ordinal(self.index)

    @property
    def descendants(self) -> tuple[Section, ...]:
        """All sections below, in file order."""
        if self.index is None:
            return ()
        end = self.tree.subtree_ends[self.index]
        return tuple(Section(self.tree, i) for i in range(self.index + 1, end))

    @property
    def last(self) -> Section:
        """The last section of the subtree, the one whose own body ends it."""
        if self.index is None:
            return self
        return Section(self.tree, self.tree.subtree_ends[self.index] - 1)

    @property
    def before(self) -> Section | None:
        """The section, or the preamble, whose own body ends where this one starts."""
        if self.index is None:
            return None
        return Section(self.tree, self.index - 1 if self.index else None)

    def chain(self) -> tuple[Section, ...]:
        """Return the sections from the root down to this one."""
        return tuple(self._upwards())[::-1]

    def _upwards(self) -> Iterator[Section]:
        section: Section | None = self
        while section is not None:
            yield section
            section = section.parent
