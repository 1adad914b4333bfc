"""What the destination of a link means among the files of a folder.

Wikilinks name a note wherever it stands: a path from the folder, a path from the note
that holds the link, or else the nearest file whose path ends so. Case and Unicode
normalization do not matter to them, as in the programs that write them. Destinations of
Markdown links are relative URLs: exact paths from the file that holds them, where a
folder stands for its index page and a note may be named without its extension, as sites
have it. All paths are relative to the folder, with "/".
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple
from urllib.parse import unquote

NOTE_EXTENSIONS = (".md", ".markdown", ".mdx")

INDEX_NAMES = ("readme", "index", "_index")
"""Names, without extension and folded, of the note that a folder stands for."""

_CLOSE = 0.8
"""difflib ratio from which a name is offered for a missing one."""

_SITE_ROOT = re.compile(r"/|~/")
"""A path from the root of a site or repository, which this folder may be or not."""
_DYNAMIC = re.compile(r"\{\{|\{%|\$\{|<%")
"""What a template fills in later names no file yet."""


class TargetKind(Enum):
    """What a destination leads to."""

    NOTE = "note"
    FILE = "file"
    """A file that is no note, or a folder without an index page."""
    MISSING = "missing"
    OUTSIDE = "outside"
    """Out of the folder, or filled in later: nothing can be said."""


class Target(NamedTuple):
    """The end of a link: a path in the folder, "" when there is none."""

    kind: TargetKind
    path: str


_OUTSIDE = Target(TargetKind.OUTSIDE, "")


def is_note(name: str) -> bool:
    """Return whether a file of this name is a note."""
    return name.casefold().endswith(NOTE_EXTENSIONS)


def name_key(name: str) -> str:
    """Return `name` as wikilinks compare it: case folded, composed characters."""
    if name.isascii():
        return name.casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def without_extension(path: str) -> str:
    """Return the path of a note without its extension; other paths as they are."""
    return posixpath.splitext(path)[0] if is_note(path) else path


def link_name(destination: str) -> str:
    """Return the key of the last name in a destination: the file it depends on."""
    path = destination.partition("?")[0].rstrip("/ \t")
    name = posixpath.basename(unquote(path) if "%" in path else path)
    return "" if name in {".", ".."} else name_key(without_extension(name))


def names_of(path: str) -> Iterator[str]:
    """Yield the keys of `link_name` with which a link may lead to `path`.

    Those of the folders above belong to them: they exist as long as it does.
    """
    yield name_key(without_extension(posixpath.basename(path)))
    for folder in _folders_above(path):
        yield name_key(posixpath.basename(folder))


@dataclass(slots=True)
class Targets:
    """The files and folders that links can lead to; changed one file at a time."""

    _files: set[str] = field(default_factory=set)
    _folders: dict[str, int] = field(default_factory=lambda: {"": 1})
    """How many files each folder holds, those of its subfolders included."""
    _by_key: dict[str, set[str]] = field(default_factory=dict)
    """Files by the key of their path, notes with and without extension."""
    _by_name: dict[str, set[str]] = field(default_factory=dict)
    """Files by the key of their name, notes with and without extension."""

    def add(self, path: str) -> None:
        """Add the file at `path`."""
        self._files.add(path)
        for folder in _folders_above(path):
            self._folders[folder] = self._folders.get(folder, 0) + 1
        for key, name in _keys(path):
            self._by_key.setdefault(key, set()).add(path)
            self._by_name.setdefault(name, set()).add(path)

    def remove(self, path: str) -> None:
        """Remove the file at `path`."""
        self._files.remove(path)
        for folder in _folders_above(path):
            self._folders[folder] -= 1
            if not self._folders[folder]:
                del self._folders[folder]
        for key, name in _keys(path):
            _discard(self._by_key, key, path)
            _discard(self._by_name, name, path)

    def notes_named(self, name: str) -> list[str]:
        """Return the notes that answer to a bare name or a path, in order."""
        key = name_key(name)
        found = self._by_key.get(key) or self._by_name.get(key) or ()
        return sorted(path for path in found if is_note(path))

    def wikilink(self, source: str, name: str) -> Target:
        """Return what `[[name]]` in the note `source` leads to."""
        name = name.strip(" \t")
        if not name:
            return Target(TargetKind.NOTE, source)
        if _DYNAMIC.search(name):
            return _OUTSIDE
        found = self._find_wikilink(source, name)
        return _target(found) if found else Target(TargetKind.MISSING, "")

    def _find_wikilink(self, source: str, name: str) -> str | None:
        beside = _join(posixpath.dirname(source), name)
        if name.startswith(("./", "../")):
            return self._by_path(source, beside) if beside is not None else None
        wanted = name.strip("/")
        found = self._by_path(source, wanted)
        if found is None and "/" in wanted and beside is not None:
            found = self._by_path(source, beside)
        return found or self._nearest(source, self._ending(wanted))

    def _by_path(self, source: str, path: str) -> str | None:
        return self._nearest(source, self._by_key.get(name_key(path), ()))

    def _ending(self, wanted: str) -> Iterable[str]:
        """Return the files whose path ends with `wanted`, names taken whole."""
        key = name_key(wanted)
        named = self._by_name.get(posixpath.basename(key), ())
        if "/" not in wanted:
            return named
        tail = "/" + key
        return [path for path in named if any(k.endswith(tail) for k, _ in _keys(path))]

    def _nearest(self, source: str, paths: Iterable[str]) -> str | None:
        """Return the path fewest folders away; a note, a short one, before others."""
        here = posixpath.dirname(source).split("/")

        def rank(path: str) -> tuple[bool, int, int, str]:
            return not is_note(path), _distance(here, path), len(path), path

        return min(paths, key=rank, default=None)

    def relative(self, source: str, destination: str) -> Target:
        """Return what the relative URL `destination` in the file `source` leads to."""
        path = unquote(destination.partition("?")[0])
        if not path:
            return Target(TargetKind.NOTE, source)
        if _DYNAMIC.search(destination):
            return _OUTSIDE
        if prefix := _SITE_ROOT.match(path):
            # Where a site's root lies is not known: a hit counts, a miss says nothing.
            rest = posixpath.normpath(path[prefix.end() :] or ".")
            found = None if rest == "." else self._find_path(rest)
            return _OUTSIDE if found is None else _target(found)
        joined = _join(posixpath.dirname(source), path)
        if joined is None:
            return _OUTSIDE
        found = self._find_path(joined)
        return Target(TargetKind.MISSING, joined) if found is None else _target(found)

    def _find_path(self, path: str) -> str | None:
        path = "" if path == "." else path
        if path in self._files:
            return path
        for extension in NOTE_EXTENSIONS:
            if path + extension in self._files:
                return path + extension
        if path not in self._folders:
            return None
        return self._index_page(path) or f"{path or '.'}/"

    def _index_page(self, folder: str) -> str | None:
        prefix = f"{folder}/" if folder else ""
        for name in INDEX_NAMES:
            for path in sorted(self._by_key.get(name_key(prefix + name), ())):
                if is_note(path) and posixpath.dirname(path) == folder:
                    return path
        return None

    def similar(self, source: str, destination: str) -> str | None:
        """Return the file whose name is spelled most like that in `destination`.

        Of several the nearest to `source` is taken.
        """
        from difflib import get_close_matches  # slow to import, rarely needed

        name = link_name(destination)
        close = get_close_matches(name, self._by_name, n=1, cutoff=_CLOSE)
        return self._nearest(source, self._by_name[close[0]]) if close else None


def _target(path: str) -> Target:
    return Target(TargetKind.NOTE if is_note(path) else TargetKind.FILE, path)


def _keys(path: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of a path and of its name; for notes also without extension."""
    key = name_key(path)
    yield key, posixpath.basename(key)
    if is_note(path):
        stem = without_extension(key)
        yield stem, posixpath.basename(stem)


def _folders_above(path: str) -> Iterator[str]:
    while path:
        path = posixpath.dirname(path)
        yield path


def _join(folder: str, path: str) -> str | None:
    """Return the path from the top, None when it leads out of it."""
    joined = posixpath.normpath(posixpath.join(folder, path))
    return None if joined == ".." or joined.startswith(("../", "/")) else joined


def _distance(here: list[str], path: str) -> int:
    """Return how many steps up and down lead from a folder to that of `path`."""
    there = posixpath.dirname(path).split("/")
    shared = 0
    for one, other in zip(here, there, strict=False):
        if one != other:
            break
        shared += 1
    return len([*filter(None, here[shared:]), *filter(None, there[shared:])])


def _discard(index: dict[str, set[str]], key: str, path: str) -> None:
    paths = index[key]
    paths.discard(path)
    if not paths:
        del index[key]
