"""Search many files: which can match, where they do, and in which section.

Most files cannot match, and their bytes tell: a text that every match needs is not
among them. They are neither decoded nor parsed. The others are searched several at
once, as one text, and only the files with a matching line are parsed, for the paths of
their sections.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from md_mcp.document.model import Document
from md_mcp.document.pattern import LineFinder, Pattern
from md_mcp.document.search import (
    Haystack,
    Match,
    check_scope,
    haystacks,
    in_file_order,
)
from md_mcp.files import Walk
from md_mcp.files.contents import ContentCache

_BATCH = 256 * 1024
"""Characters searched at once: asking the worker costs more than a short text does."""


@dataclass(frozen=True, slots=True)
class FileMatch:
    """A match in one of the files; `file_path` is what other calls take for it."""

    file_path: str
    match: Match


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        matches: by path, then in file order.
        truncated: whether there is at least one more.
    """

    matches: tuple[FileMatch, ...]
    truncated: bool


def search_files(
    walk: Walk,
    pattern: Pattern,
    find_lines: LineFinder,
    *,
    scope: str,
    limit: int,
    max_file_bytes: int,
) -> Found:
    """Return the first `limit` matches; `walk` counts the files that were skipped.

    Raises:
        ArgumentError: `scope` is unknown.
        PatternError: the search was given up.
    """
    check_scope(scope)
    texts = _candidates(walk, pattern, scope, max_file_bytes)
    matches = (match for batch in _batches(texts) for match in batch.search(find_lines))
    first = tuple(islice(matches, limit + 1))
    return Found(first[:limit], len(first) > limit)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A file that may match, and the texts of it to search."""

    file_path: str
    haystacks: list[Haystack]

    def matches(
        self, lines: Iterable[Iterable[tuple[int, int]]]
    ) -> Iterator[FileMatch]:
        """Yield the matches on the lines found in each haystack."""
        pairs = zip(self.haystacks, lines, strict=True)
        located = (haystack.locate(found) for haystack, found in pairs)
        for match in in_file_order(located):
            yield FileMatch(self.file_path, match)


def _candidates(
    walk: Walk, pattern: Pattern, scope: str, max_file_bytes: int
) -> Iterator[_Candidate]:
    # What a reader sees of a heading need not stand among the bytes of the file.
    may_match = pattern.byte_test() if scope == "body" else None
    for found, data in walk.contents(max_file_bytes, _contents()):
        if may_match is None or may_match(data):
            document = Document(data.decode())
            yield _Candidate(found.file_path, haystacks(document, scope))


@dataclass(frozen=True, slots=True)
class _Batch:
    """Some candidates whose texts are searched as one."""

    candidates: list[_Candidate]

    def search(self, find_lines: LineFinder) -> Iterator[FileMatch]:
        """Yield the matches in the candidates, file by file."""
        texts = [h.text for c in self.candidates for h in c.haystacks]
        lines = iter(find_in_all(texts, find_lines))
        for candidate in self.candidates:
            yield from candidate.matches(list(islice(lines, len(candidate.haystacks))))


def _batches(candidates: Iterable[_Candidate]) -> Iterator[_Batch]:
    batch: list[_Candidate] = []
    size = 0
    for candidate in candidates:
        batch.append(candidate)
        size += sum(len(haystack.text) for haystack in candidate.haystacks)
        if size >= _BATCH:
            yield _Batch(batch)
            batch, size = [], 0
    if batch:
        yield _Batch(batch)


def find_in_all(
    texts: list[str], find_lines: LineFinder
) -> Iterator[list[tuple[int, int]]]:
    """Yield the matching lines of each text, found in all of them at once."""
    ended = [text if text.endswith("\n") else f"{text}\n" for text in texts if text]
    lines = iter(find_lines("".join(ended)))
    line = next(lines, None)
    start = 0
    for text in texts:
        found = []
        end = start + len(text)
        while line is not None and line[0] < end:
            found.append((line[0] - start, line[1] - start))
            line = next(lines, None)
        yield found
        start = end + (bool(text) and not text.endswith("\n"))


@cache
def _contents() -> ContentCache:
    """Return the cache of this process; identities are valid whatever the roots."""
    return ContentCache()
