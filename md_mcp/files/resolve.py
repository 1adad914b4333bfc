"""Walk a path from its root, one component at a time, and follow links by hand.

The kernel's own resolution would follow a link anywhere, and a path that was checked
before it is opened can be redirected in between. So each directory is opened through
the one before it without following links; when a component turns out to be a link, its
text is read and walked the same way. A link's text that starts with "/" must name a
root again, and ".." steps back to the directory that was walked through before, never
above the root. The result is an open folder and a name in it.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from md_mcp.errors import (
    BadPathError,
    FileError,
    FileMissingError,
    OutsideRootError,
    ProtectedError,
    UnreadableError,
    UnsettledFileError,
)
from md_mcp.files.folder import LINK_ERRORS, Folder, describe
from md_mcp.files.names import (
    parse_path,
    protected_component,
    split_path,
)
from md_mcp.files.roots import Root, Roots, Start

MAX_LINKS = 40
"""As Linux has it. https://man7.org/linux/man-pages/man7/path_resolution.7.html"""

MAX_DEPTH = 128
"""Directories below the root; each level holds a descriptor during the walk."""

_MAX_CHANGES = 64
"""How often a component may turn from link to directory and back under our hands."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads: a name in an open folder. Close it after use.

    Attributes:
        given: the path as it was given, for messages.
        root: the root that the place lies under.
        parts: real components below the root, the name included.
        folder: the directory that holds it, open.
        name: its name there; "." when the place is a directory, which `folder` is then.
        status: what stood there when the walk ended.
    """

    given: str
    root: Root
    parts: tuple[str, ...]
    folder: Folder
    name: str
    status: os.stat_result

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.folder.close()


def resolve(
    roots: Roots, path: str | os.PathLike[str], *, writing: bool = False
) -> Place:
    """Return the place that `path` leads to; something is there.

    Raises:
        BadPathError: it can name nothing, or goes through more than 40 links.
        OutsideRootError: it leads out of the roots. What is there is not looked at.
        FileMissingError: there is nothing of that name.
        ProtectedError: it goes through `.git` or the like, and is for `writing`.
        UnreadableError: a directory on the way must not be entered.
        UnsettledFileError: others keep changing directories on the way.
    """
    parsed = parse_path(path)
    start = roots.locate(parsed)
    if start is None:
        raise OutsideRootError(parsed.given, roots.paths)
    return resolve_from(start, roots, parsed.given, writing=writing)


def resolve_from(
    start: Start, roots: Roots, given: str, *, writing: bool = False
) -> Place:
    """Return the place that the walk from `start` leads to; errors as `resolve`."""
    with _Walk(roots, given, writing=writing) as walk:
        return walk.run(start)


class _Walk:
    """The state of one walk: the directories passed, and what is still to be walked."""

    def __init__(self, roots: Roots, given: str, *, writing: bool) -> None:
        self._roots, self._given, self._writing = roots, given, writing
        self._pending: deque[str] = deque()
        self._passed: list[tuple[str, Folder]] = []
        """Names and open directories from the root, whose name is "", downwards."""
        self._links, self._changes = 0, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._leave()

    def run(self, start: Start) -> Place:
        """Walk from `start` to the end and return the place."""
        try:
            self._begin(start)
            while self._pending:
                place = self._step(self._pending.popleft())
                if place is not None:
                    return place
            return self._end(".", self._passed[-1][1].stat("."))
        except OSError as error:
            raise self._error(error) from None

    def _begin(self, start: Start) -> None:
        self._leave()
        self._root = start.root
        self._guard(start.root.parts)
        self._pending.extendleft(reversed(start.parts))
        self._passed.append(("", start.root.open()))

    def _leave(self) -> None:
        while self._passed:
            self._passed.pop()[1].close()

    def _step(self, name: str) -> Place | None:
        """Walk one component; return the place when it is the last one."""
        if name in {"", "."}:
            return None
        if name == "..":
            self._up()
            return None
        self._guard((name,))
        folder = self._passed[-1][1]
        if self._pending:
            self._down(folder, name)
            return None
        status = folder.stat(name)
        if stat.S_ISDIR(status.st_mode):
            self._down(folder, name)
            return None
        if stat.S_ISLNK(status.st_mode):
            self._follow(folder, name)
            return None
        return self._end(name, status)

    def _up(self) -> None:
        if len(self._passed) > 1:
            self._passed.pop()[1].close()
        elif self._roots.restricted:
            raise OutsideRootError(self._given, self._roots.paths)

    def _down(self, folder: Folder, name: str) -> None:
        if len(self._passed) > MAX_DEPTH:
            raise BadPathError(self._given, f"it is more than {MAX_DEPTH} folders deep")
        try:
            self._passed.append((name, folder.child(name)))
        except NotADirectoryError:
            self._follow(folder, name)

    def _follow(self, folder: Folder, name: str) -> None:
        try:
            target = folder.link_target(name)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            self._look_again(folder, name)
            return
        self._links += 1
        if self._links > MAX_LINKS:
            raise BadPathError(self._given, f"it goes through {self._links} links")
        anchor, parts = split_path(target)
        if not anchor:
            self._pending.extendleft(reversed(parts))
            return
        start = self._roots.match(anchor, parts)
        if start is None:
            raise OutsideRootError(self._given, self._roots.paths)
        self._begin(start)

    def _look_again(self, folder: Folder, name: str) -> None:
        """`name` was no directory and is no link: a file, or it changed in between."""
        mode = folder.stat(name).st_mode
        if self._pending and not (stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
            raise FileMissingError(self._given)
        self._changes += 1
        if self._changes > _MAX_CHANGES:
            raise UnsettledFileError(self._given)
        self._pending.appendleft(name)

    def _guard(self, names: tuple[str, ...]) -> None:
        found = protected_component(names) if self._writing else None
        if found is not None:
            raise ProtectedError(self._given, found)

    def _end(self, name: str, status: os.stat_result) -> Place:
        parts = [name for name, _ in self._passed[1:]]
        if name != ".":
            parts.append(name)
        _, folder = self._passed.pop()
        return Place(self._given, self._root, tuple(parts), folder, name, status)

    def _error(self, error: OSError) -> FileError:
        if error.errno in {errno.ENOENT, errno.ENOTDIR}:
            return FileMissingError(self._given)
        if error.errno == errno.ENAMETOOLONG:
            return BadPathError(self._given, "a name in it is too long")
        if error.errno in LINK_ERRORS:
            return UnsettledFileError(self._given)
        return UnreadableError(self._given, describe(error))
