"""Check the links of some files, reading only these and the notes that they lead to.

A link graph reads every note of a folder; a hook is handed a few. The other files are
only listed, so that links can be resolved.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field

from md_mcp.document.finding import Finding
from md_mcp.document.model import Document
from md_mcp.errors import FileError
from md_mcp.files import Files, IgnoreRules
from md_mcp.library.note import Note, NoteLink
from md_mcp.library.targets import NOTE_EXTENSIONS, Target, TargetKind, Targets


@dataclass(slots=True)
class LinkChecker:
    """Resolves links among the files below one folder, which is a root of `files`."""

    files: Files
    _targets: Targets
    _notes: dict[str, Note | None] = field(default_factory=dict)
    """The notes that were read; None for one that cannot be."""

    @classmethod
    def of(cls, files: Files, directory: str = ".") -> LinkChecker:
        """Return the checker for a folder, listed once.

        Raises:
            FileError: the folder cannot be listed.
        """
        targets = Targets()
        listing = files.list_notes(directory, NOTE_EXTENSIONS, IgnoreRules())
        for path in (*listing.notes, *listing.others):
            targets.add(path)
        return cls(files, targets)

    def check(self, document: Document, path: str) -> Iterator[Finding]:
        """Yield the links of the document at `path` that lead nowhere, in order."""
        path = posixpath.normpath(path)
        if "](" not in document.text and "[" not in document.text:
            return
        note = Note.of(path, None, document)
        self._notes[path] = note
        for link in note.links:
            target = self._target(path, link)
            if target.kind is TargetKind.MISSING:
                if not (target.path and self.files.exists(target.path)):
                    message = f'"{link.written}" leads to no file'
                    yield Finding(
                        link.line, "no-file", message + self._hint(path, link)
                    )
            elif link.fragment and not self._has_anchor(target, link):
                message = f'"{link.written}" leads to no heading or anchor'
                hint = self._closest(target, link)
                yield Finding(link.line, "no-anchor", message + hint)

    def _target(self, source: str, link: NoteLink) -> Target:
        if link.is_wikilink:
            return self._targets.wikilink(source, link.path)
        return self._targets.relative(source, link.path)

    def _hint(self, source: str, link: NoteLink) -> str:
        near = self._targets.similar(source, link.path)
        return f'; is "{near}" meant?' if near else ""

    def _note(self, path: str) -> Note | None:
        """Return the note at `path`, None when it cannot be read."""
        if path not in self._notes:
            try:
                document = self.files.read_once(path).document
                self._notes[path] = Note.of(path, None, document)
            except FileError:
                self._notes[path] = None
        return self._notes[path]

    def _has_anchor(self, target: Target, link: NoteLink) -> bool:
        """Return whether the fragment is there, as far as that can be known."""
        if target.kind is not TargetKind.NOTE or link.fragment is None:
            return True
        note = self._note(target.path)
        if note is None:
            return True
        return note.has_anchor(link.fragment, is_wikilink=link.is_wikilink)

    def _closest(self, target: Target, link: NoteLink) -> str:
        note = self._note(target.path)
        if note is None or link.fragment is None:
            return ""
        near = note.closest_anchor(link.fragment, is_wikilink=link.is_wikilink)
        return f'; the closest is "#{near}"' if near else ""
