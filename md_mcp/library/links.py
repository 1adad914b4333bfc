"""The link graph of a folder of notes: kept in memory, right at each call.

A listing of the folder tells by their identity which files are new, gone or changed.
Only those are read, and only links whose name one of them answers to are resolved anew.
Nothing is written.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from md_mcp.errors import FileError
from md_mcp.files import FileIdentity, Files, IgnoreRules, Listing
from md_mcp.library.graph import Graph
from md_mcp.library.note import Note, NoteLink
from md_mcp.library.targets import (
    NOTE_EXTENSIONS,
    Target,
    TargetKind,
    Targets,
    link_name,
    names_of,
)

Progress = Callable[[int, int], None]
"""Is told how many of how many changed files have been read."""

_PROGRESS_STEP = 100


class Edge(NamedTuple):
    """A link and what it leads to."""

    link: NoteLink
    target: Target


class BrokenLink(NamedTuple):
    """A link that leads nowhere.

    `is_heading_missing` tells that the file is there: `edge.target` says which.
    """

    source: str
    edge: Edge
    is_heading_missing: bool


@dataclass(slots=True)
class LinkGraph:
    """The notes of one folder and the links between them.

    Not safe to share between threads: `NoteFolder` has the lock.

    Attributes:
        directory: the folder, as it can be handed to `Files`.
        notes: by path, relative to the folder.
        edges: the links of each note, resolved.
        graph: the resolved links between notes.
        unread: the notes that could not be read, with the error's code.
    """

    directory: str
    notes: dict[str, Note] = field(default_factory=dict)
    edges: dict[str, tuple[Edge, ...]] = field(default_factory=dict)
    graph: Graph = field(default_factory=Graph)
    targets: Targets = field(default_factory=Targets)
    unread: dict[str, str] = field(default_factory=dict)
    _rules: IgnoreRules = field(default_factory=IgnoreRules, repr=False)
    _files: set[str] = field(default_factory=set, repr=False)
    _unlisted: frozenset[str] = field(default_factory=frozenset, repr=False)
    _failed: dict[str, FileIdentity] = field(default_factory=dict, repr=False)
    _waiting: dict[str, set[str]] = field(default_factory=dict, repr=False)
    """The notes with a link of a name, as `link_name` gives it."""

    def update(self, files: Files, progress: Progress | None = None) -> None:
        """Bring everything up to date with the folder.

        Raises:
            FileError: the folder is gone, or cannot be listed.
        """
        listing = files.list_notes(self.directory, NOTE_EXTENSIONS, self._rules)
        self._unlisted = frozenset(listing.unlisted)
        stale = self._update_files(listing)
        stale |= self._update_notes(files, listing, progress)
        for path in stale & self.notes.keys():
            self._resolve(path)

    def _update_files(self, listing: Listing) -> set[str]:
        """Take over which files there are; return the notes whose links that concerns.

        A note that is gone is among them.
        """
        present = listing.notes.keys() | listing.others
        stale: set[str] = set()
        for path in self._files - present:
            self.targets.remove(path)
            stale |= self._concerned(path)
        for path in present - self._files:
            self.targets.add(path)
            stale |= self._concerned(path)
        self._files = present
        known = self.notes.keys() | self._failed.keys()
        for path in known - listing.notes.keys():
            self._forget(path)
            stale.add(path)
        return stale

    def _concerned(self, path: str) -> set[str]:
        return set().union(*(self._waiting.get(name, ()) for name in names_of(path)))

    def _update_notes(
        self, files: Files, listing: Listing, progress: Progress | None
    ) -> set[str]:
        """Read the notes that changed and return their paths."""
        changed = [path for path in listing.notes if self._is_changed(path, listing)]
        for done, path in enumerate(changed):
            if progress and done % _PROGRESS_STEP == 0:
                progress(done, len(changed))
            self._read(files, path, listing.notes[path])
        if progress and changed:
            progress(len(changed), len(changed))
        return set(changed)

    def _is_changed(self, path: str, listing: Listing) -> bool:
        note = self.notes.get(path)
        known = note.identity if note else self._failed.get(path)
        return known != listing.notes[path]

    def _read(self, files: Files, path: str, listed: FileIdentity) -> None:
        now = time.time_ns()
        try:
            snapshot = files.read_once(f"{self.directory}/{path}")
        except FileError as error:
            self._forget(path)
            self._failed[path], self.unread[path] = listed, error.code
            return
        self._failed.pop(path, None)
        self.unread.pop(path, None)
        # A second change within one tick of the file system's clock would not show.
        settled = snapshot.identity.is_settled(now)
        self._set_note(
            Note.of(path, snapshot.identity if settled else None, snapshot.document)
        )

    def _set_note(self, note: Note) -> None:
        self._stop_waiting(note.path)
        self.notes[note.path] = note
        for link in note.links:
            self._waiting.setdefault(link_name(link.path), set()).add(note.path)

    def _forget(self, path: str) -> None:
        if path in self.notes:
            self._stop_waiting(path)
            self.graph.remove_node(path)
            del self.notes[path], self.edges[path]
        self._failed.pop(path, None)
        self.unread.pop(path, None)

    def _stop_waiting(self, path: str) -> None:
        note = self.notes.get(path)
        for link in note.links if note else ():
            self._waiting[link_name(link.path)].discard(path)

    def _resolve(self, path: str) -> None:
        edges = tuple(
            Edge(link, self._target(path, link)) for link in self.notes[path].links
        )
        self.edges[path] = edges
        notes = (edge.target for edge in edges if edge.target.kind is TargetKind.NOTE)
        self.graph.set_node(path, (target.path for target in notes))

    def _target(self, source: str, link: NoteLink) -> Target:
        if link.is_wikilink:
            return self.targets.wikilink(source, link.path)
        return self.targets.relative(source, link.path)

    def broken(self, files: Files) -> Iterator[BrokenLink]:
        """Yield the links without a file or heading, by note and line."""
        for source in sorted(self.edges):
            yield from self.broken_in(files, source)

    def broken_in(self, files: Files, source: str) -> Iterator[BrokenLink]:
        """Yield the links of one note that lead nowhere, by line."""
        for edge in self.edges[source]:
            if edge.target.kind is TargetKind.MISSING:
                if not self._exists_unlisted(files, edge.target.path):
                    yield BrokenLink(source, edge, is_heading_missing=False)
            elif edge.link.fragment and not self._has_anchor(edge):
                yield BrokenLink(source, edge, is_heading_missing=True)

    def closest(self, broken: BrokenLink) -> str | None:
        """Return what a broken link probably means, as its destination, if anything."""
        link, target = broken.edge.link, broken.edge.target
        if not broken.is_heading_missing:
            return self.targets.similar(broken.source, link.path)
        note = self.notes[target.path]
        fragment = link.fragment or ""
        anchor = note.closest_anchor(fragment, is_wikilink=link.is_wikilink)
        return None if anchor is None else f"{link.path}#{anchor}"

    def _has_anchor(self, edge: Edge) -> bool:
        """Return whether the fragment is there, as far as that can be known."""
        note = self.notes.get(edge.target.path)
        if note is None or edge.link.fragment is None:
            return True
        return note.has_anchor(edge.link.fragment, is_wikilink=edge.link.is_wikilink)

    def _exists_unlisted(self, files: Files, path: str) -> bool:
        """Return whether `path` stands in a folder that is left out of the graph."""
        if not path or not self._unlisted:
            return False
        folders = path.split("/")
        prefixes = ("/".join(folders[:n]) + "/" for n in range(1, len(folders) + 1))
        if not any(prefix in self._unlisted for prefix in prefixes):
            return False
        return files.exists(f"{self.directory}/{path}")

    def types(self) -> Counter[str]:
        """Return how many notes have each type."""
        return Counter(note.type for note in self.notes.values() if note.type)

    def tags(self) -> Counter[str]:
        """Return how many notes have each tag."""
        return Counter(tag for note in self.notes.values() for tag in note.tags)
