"""The front door of a large folder: which sections and notes a question is about.

Headings, tags and file names are looked at, not the text. Few notes that match are
shown section by section, with what each costs to read; many as a list of the best; and
without any the best connected notes are where to begin.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from md_mcp.document.find import words_match
from md_mcp.document.model import Document
from md_mcp.document.section import Section
from md_mcp.document.tokens import estimate_tokens
from md_mcp.files import Files
from md_mcp.library.links import LinkGraph
from md_mcp.library.note import Note
from md_mcp.library.targets import without_extension
from md_mcp.library.vocabulary import Vocabulary, query_words, words_of

Mode = Literal["regions", "documents", "entry_points"]

_FEW = 20
"""Notes up to which their sections are shown."""

_REGION_TOKENS = 4000
"""Tokens that reading all shown sections costs at most."""

_DOCUMENTS = 15
_ENTRY_POINTS = 8


class Fit(NamedTuple):
    """How well a heading fits a query, the best fit being the smallest.

    Attributes:
        missing: how many words of the query match none of its words.
        inexact: how many are none of its words.
        extra: how many of its words match none of the query.
    """

    missing: int
    inexact: int
    extra: int


class Match(NamedTuple):
    """How well a note fits a query, the best fit being the smallest.

    Attributes:
        missing: how many words of the query it does not answer to.
        heading: how its best heading fits; the file name counts as one.
        unlinked: minus the number of links to it.
        path: the note.
    """

    missing: int
    heading: Fit
    unlinked: int
    path: str


@dataclass(slots=True)
class NoteIndex:
    """The words of the notes of a folder, kept up to date with its link graph."""

    _notes: dict[str, Note] = field(default_factory=dict)
    _by_word: dict[str, set[str]] = field(default_factory=dict)
    _vocabulary: Vocabulary | None = None

    def update(self, links: LinkGraph) -> None:
        """Take over the notes that changed."""
        gone = [
            path
            for path, note in self._notes.items()
            if links.notes.get(path) is not note
        ]
        for path in gone:
            for word in _note_words(self._notes.pop(path)):
                self._by_word[word].discard(path)
        new = links.notes.keys() - self._notes.keys()
        for path in new:
            note = self._notes[path] = links.notes[path]
            for word in _note_words(note):
                self._by_word.setdefault(word, set()).add(path)
        if gone or new:
            self._vocabulary = None

    def find(self, words: Sequence[str], links: LinkGraph) -> list[Match]:
        """Return the notes that answer to any of the words, best first."""
        if self._vocabulary is None:
            self._vocabulary = Vocabulary(self._by_word)
        matched: dict[str, int] = {}
        for word in words:
            meant = (self._by_word[other] for other in self._vocabulary.matches(word))
            for path in set[str]().union(*meant):
                matched[path] = matched.get(path, 0) + 1
        return sorted(
            _match(self._notes[path], words, len(words) - count, links)
            for path, count in matched.items()
        )


def _note_words(note: Note) -> set[str]:
    return {
        word
        for text in (*note.titles, *note.tags, _name(note))
        for word in words_of(text)
    }


def _name(note: Note) -> str:
    return posixpath.basename(without_extension(note.path))


def _match(note: Note, words: Sequence[str], missing: int, links: LinkGraph) -> Match:
    titles = (*note.titles, _name(note))
    best = min(_fit(words, words_of(title)) for title in titles)
    return Match(missing, best, -links.graph.degree(note.path)[1], note.path)


def _fit(words: Sequence[str], title: Sequence[str]) -> Fit:
    missing = sum(not any(words_match(w, other) for other in title) for w in words)
    inexact = sum(word not in title for word in words)
    extra = sum(not any(words_match(w, other) for w in words) for other in title)
    return Fit(missing, inexact, extra)


@dataclass(frozen=True, slots=True)
class Search:
    """A search for notes: where, for which words, and how many sections at most.

    `directory` is the folder as it was given.
    """

    files: Files
    links: LinkGraph
    directory: str
    words: Sequence[str]
    limit: int

    def file_path(self, path: str) -> str:
        """Return what the other tools take for a note."""
        return path if self.directory in {"", "."} else f"{self.directory}/{path}"

    def document(self, path: str) -> Document:
        """Return the document of a note."""
        return self.files.read(f"{self.links.directory}/{path}").document


def find_notes(
    files: Files,
    links: LinkGraph,
    index: NoteIndex,
    directory: str,
    query: str,
    limit: int,
) -> dict[str, Any]:
    """Return the answer in one of the three modes."""
    index.update(links)
    words = query_words(query)
    search = Search(files, links, directory.rstrip("/"), words, limit)
    matches = index.find(words, links)
    if not matches:
        return _entry_points(search)
    answer = {"words": list(words), "matching": len(matches)}
    if len(matches) > _FEW:
        return {"mode": "documents", **answer, **_documents(search, matches)}
    return {"mode": "regions", **answer, **_regions(search, matches)}


def _entry_points(search: Search) -> dict[str, Any]:
    graph = search.links.graph
    points = []
    for path in graph.most_connected()[:_ENTRY_POINTS]:
        out, into = graph.degree(path)
        title = _title(search.links.notes[path])
        points.append(
            {
                "file_path": search.file_path(path),
                "title": title,
                "in": into,
                "out": out,
            }
        )
    return {
        "mode": "entry_points",
        "words": list(search.words),
        "matching": 0,
        "documents": points,
    }


def _title(note: Note) -> str:
    return note.titles[0] if note.titles else _name(note)


def _documents(search: Search, matches: Sequence[Match]) -> dict[str, Any]:
    shown = [
        {
            "file_path": search.file_path(match.path),
            "title": _title(search.links.notes[match.path]),
            "words": len(search.words) - match.missing,
            "tokens": estimate_tokens(search.document(match.path).text),
        }
        for match in matches[:_DOCUMENTS]
    ]
    return {"documents": shown, "more": "these are the best; add words to narrow it"}


def _regions(search: Search, matches: Sequence[Match]) -> dict[str, Any]:
    """Return sections to read: the best of each note, within what they may cost."""
    share = max(1, search.limit // len(matches))
    budget, regions, left = _REGION_TOKENS, list[dict[str, Any]](), 0
    for match in matches:
        document = search.document(match.path)
        for section in _best_sections(search, document)[:share]:
            region = _region(document, section, budget, first=not regions)
            if region is None or len(regions) == search.limit:
                left += 1
                continue
            budget -= region["tokens"]
            regions.append({"file_path": search.file_path(match.path), **region})
    more = {"more": f"{left} more: repeat with a larger limit, or narrower"}
    return {"regions": regions, **(more if left else {})}


def _best_sections(search: Search, document: Document) -> list[Section]:
    """Return the sections whose headings fit best, none below another, in file order.

    Where only tags or the file name fit, that is the first section, or the preamble.
    """
    fits = [_fit(search.words, words_of(s.title)).missing for s in document.sections]
    best = min(fits, default=len(search.words))
    if best == len(search.words):
        return [*document.sections[:1]] or [document.preamble]
    chosen: list[Section] = []
    for section, missing in zip(document.sections, fits, strict=True):
        inside = chosen and chosen[-1].span.contains(section.span)
        if missing == best and not inside:
            chosen.append(section)
    return chosen


def _region(
    document: Document, section: Section, budget: int, *, first: bool
) -> dict[str, Any] | None:
    """Return where a section is and what it costs, None when it costs too much.

    One that is too long with its children is offered without; the first always.
    """
    whole = estimate_tokens(section.span.of(document.text))
    region: dict[str, Any] = {
        "path": section.path,
        "lines": list(document.line_range(section.span)),
        "tokens": whole,
    }
    if whole <= budget:
        return region
    own = estimate_tokens(section.own_span.of(document.text))
    if own <= budget or first:
        return {**region, "tokens": own, "depth": 0}
    return None
