"""From dot-paths to sections.

Strict lookup follows the tree from a root, child by child. Lenient lookup also takes a
path that starts deeper or skips levels, but only when it fits exactly one section.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from md_mcp.document.path import Segment, comparison_key, parse_path, unescape
from md_mcp.document.section import ROOT, Section, SectionTree
from md_mcp.errors import AmbiguousPathError, SectionNotFoundError

_MAX_CANDIDATES = 5
_MAX_NEAREST = 3
_MAX_COMPARED = 20_000
"""Sections that a failed lookup looks through for similar ones."""
_MAX_DEPTH = 6
"""Levels deepen along a chain, and there are six."""
_CLOSE = 0.5
"""difflib ratio from which a heading counts as similar."""


class Lookup:
    """Finds the sections of one tree by path."""

    def __init__(self, tree: SectionTree) -> None:
        self._tree = tree

    def find_strict(self, segments: Sequence[Segment]) -> Section | None:
        """Return the first section whose chain from the root spells `segments`.

        Candidates of each step are tried in the order spelling, then place in the
        file; a step that leads nowhere further is taken back.
        """
        # An explicit stack of iterators: paths may be longer than recursion allows.
        stack: list[Iterator[int]] = [self._step(ROOT, segments[0])]
        while stack:
            index = next(stack[-1], None)
            if index is None:
                stack.pop()
            elif len(stack) == len(segments):
                return Section(self._tree, index)
            else:
                stack.append(self._step(index, segments[len(stack)]))
        return None

    def _step(self, parent: int, segment: Segment) -> Iterator[int]:
        """Yield the children of `parent` that `segment` names, best first."""
        siblings = list(self._tree.children(parent))
        ordinal = None
        if segment.ordinal is not None:
            ranked = self._spelled(siblings, segment.name)
            fitting = [equal for equal in ranked if len(equal) >= segment.ordinal]
            if fitting:
                ordinal = fitting[0][segment.ordinal - 1]
                yield ordinal
        for equal in self._spelled(siblings, segment.text):
            yield from (index for index in equal if index != ordinal)

    def _spelled(self, indices: Iterable[int], text: str) -> tuple[list[int], ...]:
        """Return the headings that `text` spells: one list a spelling, best first.

        A heading is in the list of its best spelling that fits only.
        """
        key = comparison_key(text)
        ranked: tuple[list[int], ...] = ([], [], [])
        for index in indices:
            spellings = self._tree.spellings(index)
            if key in spellings:
                ranked[spellings.index(key)].append(index)
        return ranked

    def find_lenient(self, segments: Sequence[Segment]) -> list[Section]:
        """Return all sections whose chain holds `segments` in order, ending in them."""
        *above, last = [self._matcher(segment) for segment in segments]
        found = []
        for index in filter(last, range(len(self._tree.headings))):
            ancestors = self._ancestors(index)
            if all(any(map(matches, ancestors)) for matches in reversed(above)):
                found.append(Section(self._tree, index))
        return found

    def _ancestors(self, index: int) -> Iterator[int]:
        while (index := self._tree.parents[index]) != ROOT:
            yield index

    def _matcher(self, segment: Segment) -> Callable[[int], bool]:
        """Return the test whether `segment` names a heading, in any spelling."""
        key, name = comparison_key(segment.text), comparison_key(segment.name)

        def matches(index: int) -> bool:
            if segment.ordinal and self._tree.key(index) == name:
                return segment.ordinal == self._tree.ordinal(index)
            return key in self._tree.spellings(index)

        return matches

    def get(self, path: str, *, lenient: bool = True) -> Section:
        """Return the section that `path` names.

        Raises:
            SectionNotFoundError: none does; the error offers the nearest.
            AmbiguousPathError: a shortened path fits several.
        """
        segments = parse_path(path)
        section = self.find_strict(segments)
        if section is not None:
            return section
        fitting = self.find_lenient(segments)
        if lenient and len(fitting) == 1:
            return fitting[0]
        if lenient and fitting:
            offered = tuple(found.path for found in fitting[:_MAX_CANDIDATES])
            raise AmbiguousPathError(path, offered, len(fitting))
        nearest = [found.path for found in fitting] or self._nearest(path, segments)
        raise SectionNotFoundError(
            path,
            resolved=self._deepest_prefix(segments),
            nearest=tuple(nearest[:_MAX_NEAREST]),
            shortened=bool(fitting),
        )

    def _deepest_prefix(self, segments: Sequence[Segment]) -> str:
        for length in range(min(len(segments) - 1, _MAX_DEPTH), 0, -1):
            section = self.find_strict(segments[:length])
            if section is not None:
                return section.path
        return ""

    def _nearest(self, path: str, segments: Sequence[Segment]) -> list[str]:
        """Return paths of similar sections, forgotten escapes first."""
        whole, last = comparison_key(unescape(path)), comparison_key(segments[-1].text)
        scored = []
        for index in range(min(len(self._tree.headings), _MAX_COMPARED)):
            section = Section(self._tree, index)
            plain = ".".join(comparison_key(step.title) for step in section.chain())
            score = _likeness(whole, last, plain, comparison_key(section.title))
            if score > 0:
                scored.append((-score, section.start, section))
        scored.sort(key=lambda entry: entry[:2])
        return [section.path for *_, section in scored[:_MAX_NEAREST]]


def _likeness(whole: str, last: str, plain: str, title: str) -> float:
    """Return how well a section fits a path that was not found; 0 is not at all."""
    if plain == whole:
        return 4
    if plain.endswith("." + whole) or title == whole:
        return 3
    if title == last:
        return 2
    if last and (last in title or (title and title in last)):
        return 1
    return _close_spelling(last, title)


def _close_spelling(wanted: str, title: str) -> float:
    shorter, longer = sorted((len(wanted), len(title)))
    # difflib's ratio is at most this; it keeps long lists of headings affordable.
    if not shorter or 2 * shorter / (shorter + longer) < _CLOSE:
        return 0
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, wanted[:200], title[:200], autojunk=False)
    if matcher.quick_ratio() < _CLOSE:
        return 0
    ratio = matcher.ratio()
    return ratio if ratio >= _CLOSE else 0
