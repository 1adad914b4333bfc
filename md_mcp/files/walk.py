"""Find files below a directory, in path order, through open directories only."""

from __future__ import annotations

import os
import stat
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from md_mcp.document.model import Document
from md_mcp.errors import (
    BadPathError,
    BinaryFileError,
    FileError,
    NotAFileError,
    NotAFolderError,
    NotUtf8Error,
    TooLargeError,
    UnreadableError,
)
from md_mcp.files.contents import Content, ContentCache
from md_mcp.files.folder import Folder, describe
from md_mcp.files.names import PROTECTED, is_litter
from md_mcp.files.pattern import Glob, States
from md_mcp.files.reading import (
    MAX_FILE_BYTES,
    FileIdentity,
    FileState,
    check_text,
    read_place,
)
from md_mcp.files.resolve import MAX_DEPTH, Place, resolve, resolve_from
from md_mcp.files.roots import Roots, Start


class FoundFile(NamedTuple):
    """A regular file that a walk came by. A tuple, since thousands are made.

    Attributes:
        file_path: what the other calls take for it: the directory as given, "/", and
            the path below it.
        path: the path below the directory, with "/".
        identity: its state, from one `stat`.
    """

    file_path: str
    path: str
    identity: FileIdentity


# Thousands of these are made in a search that takes some tens of milliseconds, so they
# are tuples without names.

_Child = tuple[str, os.DirEntry[str], States | None, bool]
"""An entry of a directory: what it is ordered by, itself, the states inside it or None
for a file, and whether it is a link."""

_Hit = tuple[FoundFile, Start, Folder, str, os.stat_result]
"""A found file, the place and the open folder that hold it or a link to it, its name
there, and what stands under that name."""


class Walk:
    """The files below one directory that match a pattern, ordered by path.

    Iterating gives them without opening any; `documents` and `contents` read them too.
    Directory links are followed only where a component of the pattern other than `**`
    names them, and never out of the roots. Version control data and special files are
    left out.

    Attributes:
        skipped: how many matching files were left out so far, by error code.
    """

    def __init__(
        self, roots: Roots, directory: str | os.PathLike[str], glob: str
    ) -> None:
        """Check the arguments and that `directory` is there."""
        self._roots = roots
        self._glob = Glob.parse(glob)
        self._given = os.fspath(directory)
        self._prefix = _prefix(self._given)
        self.skipped: Counter[str] = Counter()
        self._open_top()[1].close()

    def __iter__(self) -> Iterator[FoundFile]:
        for found, *_ in self._hits():
            yield found

    def documents(
        self, max_file_bytes: int = MAX_FILE_BYTES
    ) -> Iterator[tuple[FoundFile, Document]]:
        """Yield the files that can be read, with their documents; count the others."""
        for found, data in self.contents(max_file_bytes):
            yield found, Document(data.decode())

    def contents(
        self,
        max_file_bytes: int = MAX_FILE_BYTES,
        cache: ContentCache | None = None,
    ) -> Iterator[tuple[FoundFile, bytes]]:
        """Yield the files that hold text, with their bytes; count the others.

        The bytes are valid UTF-8. What `cache` has is not read again.
        """
        for hit in self._hits():
            found = hit[0]
            identity = found.identity
            content: Content | None = None
            if identity.size > max_file_bytes:
                content = TooLargeError.code
            elif cache is not None:
                content = cache.find(identity)
            if content is None:
                content = self._read(hit, max_file_bytes, cache)
            if isinstance(content, bytes):
                yield found, content
            else:
                self._skip(content)

    def _read(self, hit: _Hit, limit: int, cache: ContentCache | None) -> Content:
        """Return the bytes of a found file, or the code of the error about them."""
        read_ns = time.time_ns()
        try:
            state = self._read_state(hit, limit)
        except FileError as error:
            return error.code
        content: Content = state.data
        try:
            check_text(hit[0].file_path, state.data)
            state.data.decode()
        except BinaryFileError as error:
            content = error.code
        except UnicodeDecodeError:
            content = NotUtf8Error.code
        if cache is not None:
            cache.store(FileIdentity.of(state.status), content, read_ns)
        return content

    def _read_state(self, hit: _Hit, limit: int) -> FileState:
        found, here, folder, name, status = hit
        if stat.S_ISLNK(status.st_mode):
            with self._resolve_link(here, name) as place:
                return read_place(place, limit)
        parts = (*here.parts, name)
        return read_place(
            Place(found.file_path, here.root, parts, folder, name, status), limit
        )

    def _hits(self) -> Iterator[_Hit]:
        here, folder = self._open_top()
        yield from self._visit(folder, here, "", self._glob.start())

    def _open_top(self) -> tuple[Start, Folder]:
        with resolve(self._roots, self._given) as place:
            if place.name != ".":
                raise NotAFolderError(self._given)
            try:
                folder = place.folder.readable()
            except OSError as error:
                reason = describe(error)
                raise UnreadableError(self._given, reason) from None
            return Start(place.root, place.parts), folder

    def _visit(
        self, folder: Folder, here: Start, above: str, states: States
    ) -> Iterator[_Hit]:
        """Yield the hits in `folder`, which is closed at the end, and below it.

        `above` is the path from the top down to `folder`, "" or ending in "/".
        """
        with folder:
            for key, entry, inner, is_link in self._children(folder, here, states):
                if inner is None:
                    hit = self._hit(folder, here, above + key, entry)
                    if hit is not None:
                        yield hit
                    continue
                entered = self._enter(folder, here, entry.name, is_link=is_link)
                if entered is not None:
                    yield from self._visit(*entered, above + key, inner)

    def _children(self, folder: Folder, here: Start, states: States) -> list[_Child]:
        """Return what may matter in `folder`, in path order.

        A directory is placed as its files will be: by its name with a "/".
        """
        children: list[_Child] = []
        with folder.scan() as entries:
            for entry in entries:
                name = entry.name
                if name[0] == "." and _is_never_listed(name):
                    continue
                is_folder: bool | None = entry.is_dir(follow_symlinks=False)
                is_link = not is_folder and entry.is_symlink()
                if is_link:
                    is_folder = self._leads_to_folder(here, name, states)
                if is_folder:
                    inner = self._glob.enter(states, name, through_link=is_link)
                    if inner:
                        children.append((f"{name}/", entry, inner, is_link))
                elif is_folder is not None and self._glob.matches_file(states, name):
                    children.append((name, entry, None, is_link))
        children.sort()
        return children

    def _hit(
        self, folder: Folder, here: Start, path: str, entry: os.DirEntry[str]
    ) -> _Hit | None:
        try:
            own = status = entry.stat(follow_symlinks=False)
            if stat.S_ISLNK(own.st_mode):
                with self._resolve_link(here, entry.name) as place:
                    status = place.status
        except OSError:  # it was removed meanwhile
            return None
        except FileError as error:
            self._skip(error.code)
            return None
        if not stat.S_ISREG(status.st_mode):
            self._skip(NotAFileError.code)
            return None
        if not path.isascii() and not _is_text(path):
            self._skip(BadPathError.code)
            return None
        found = FoundFile(self._prefix + path, path, FileIdentity.of(status))
        return found, here, folder, entry.name, own

    def _enter(
        self, folder: Folder, here: Start, name: str, *, is_link: bool
    ) -> tuple[Folder, Start] | None:
        """Open a directory below `folder`; count it when that is not possible."""
        if len(here.parts) >= MAX_DEPTH:
            self._skip(BadPathError.code)
            return None
        try:
            if is_link:
                with self._resolve_link(here, name) as place:
                    return place.folder.readable(), Start(place.root, place.parts)
            inside = Start(here.root, (*here.parts, name))
            return folder.child(name, readable=True), inside
        except (FileNotFoundError, NotADirectoryError):  # it changed meanwhile
            return None
        except OSError:
            self._skip(UnreadableError.code)
            return None
        except FileError as error:
            self._skip(error.code)
            return None

    def _leads_to_folder(self, here: Start, name: str, states: States) -> bool | None:
        """Return whether a link leads to a folder; None when it leads nowhere.

        Those that lead nowhere, or out of the roots, count as skipped when the pattern
        asks for them.
        """
        try:
            with self._resolve_link(here, name) as place:
                return place.name == "."
        except FileError as error:
            if self._glob.matches_file(states, name):
                self._skip(error.code)
            return None

    def _resolve_link(self, here: Start, name: str) -> Place:
        start = Start(here.root, (*here.parts, name))
        return resolve_from(start, self._roots, self._prefix + name)

    def _skip(self, code: str) -> None:
        self.skipped[code] += 1


def _prefix(directory: str) -> str:
    """Return what to put before paths below `directory`."""
    if directory.strip("./") == "" and not directory.startswith(("/", "..")):
        return ""
    return directory if directory.endswith("/") else f"{directory}/"


def _is_never_listed(name: str) -> bool:
    return name.casefold() in PROTECTED or is_litter(name)


def _is_text(path: str) -> bool:
    """Return whether the name is UTF-8, so that it can be handed back."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
