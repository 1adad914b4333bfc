"""Roots: the folders below which files may be reached, and paths matched against them.

A root is known by its real path, fixed at the start, and by the path that was given
for it. Roots inside other roots add nothing and are merged into them; so a file has one
name. Without roots everything is reachable: the one root is then "/".
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from md_mcp.errors import BadPathError, RootError
from md_mcp.files.folder import Folder
from md_mcp.files.names import FilePath, split_path


@dataclass(frozen=True, slots=True)
class Root:
    """One allowed folder: its real path, cut into anchor and components."""

    anchor: str
    parts: tuple[str, ...]

    @property
    def path(self) -> str:
        """The real path, as it was when the root was opened."""
        return self.anchor + os.sep.join(self.parts)

    def open(self) -> Folder:
        """Open the root, component by component; links on the way are refused.

        It is opened anew each time: a folder that was moved away and made again, as
        version control and deployments do, is the one that stands at the path.

        Raises:
            OSError: it is gone, or a link has taken a place on the way.
        """
        folder = Folder.at(self.anchor)
        for part in self.parts:
            with folder:
                folder = folder.child(part)
        return folder


@dataclass(frozen=True, slots=True)
class Start:
    """Where a walk begins: a root and components to walk down from it."""

    root: Root
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Roots:
    """The allowed folders. `problems` names those that were asked for and are not."""

    roots: tuple[Root, ...]
    restricted: bool
    problems: tuple[RootError, ...]
    _prefixes: tuple[tuple[str, tuple[str, ...], Start], ...] = field(repr=False)
    """Anchor, components and meaning of each known path of a root, longest first."""

    _base: Start | None
    """Where relative paths start when the current directory is outside."""

    @classmethod
    def open(cls, paths: Sequence[str | os.PathLike[str]]) -> Roots:
        """Return the roots at `paths`, or all the disk for none.

        Raises:
            RootError: none of several `paths` is a folder.
        """
        if not paths:
            return _unrestricted()
        found: list[tuple[_Known, _Known]] = []
        problems: list[RootError] = []
        for path in paths:
            try:
                found.append(_real_folder(os.fspath(path)))
            except RootError as error:
                problems.append(error)
        if not found:
            raise problems[0]
        return _merge(found, tuple(problems))

    @property
    def paths(self) -> tuple[str, ...]:
        """The real paths, for messages."""
        return tuple(root.path for root in self.roots)

    def locate(self, path: FilePath) -> Start | None:
        """Return where the walk along `path` begins; None when it is outside.

        A relative path starts at the current directory when that lies under a root,
        else at the first root.

        Raises:
            BadPathError: it is relative, there are no roots and no current directory.
        """
        if path.anchor:
            return self.match(path.anchor, path.parts)
        base = self._current() or self._base
        if base is None:
            reason = "it is relative, and the current directory is gone"
            raise BadPathError(path.given, reason)
        return Start(base.root, (*base.parts, *path.parts))

    def match(self, anchor: str, parts: tuple[str, ...]) -> Start | None:
        """Return the root that an absolute path names first, None if there is none."""
        for own_anchor, own_parts, start in self._prefixes:
            size = len(own_parts)
            if _same((anchor, *parts[:size]), (own_anchor, *own_parts)):
                return Start(start.root, (*start.parts, *parts[size:]))
        return None

    def display_name(self, root: Root, parts: tuple[str, ...]) -> str:
        """Return the name of a file relative to its root, with "/".

        Unrestricted, it is relative to the current directory when it lies there.
        """
        if not self.restricted and (current := self._current()):
            size = len(current.parts)
            if current.root == root and parts[:size] == current.parts:
                parts = parts[size:]
        return "/".join(parts)

    def _current(self) -> Start | None:
        try:
            anchor, parts = split_path(os.getcwd())
        except OSError:  # it was deleted
            return None
        return self.match(anchor, parts)


_Known = tuple[str, tuple[str, ...]]
"""An absolute path without dots: anchor and components."""


def _unrestricted() -> Roots:
    anchor, _ = split_path(os.path.abspath(os.sep))
    start = Start(Root(anchor, ()), ())
    return Roots((start.root,), False, (), ((anchor, (), start),), None)


def _real_folder(path: str) -> tuple[_Known, _Known]:
    """Return the path of a root as given, made absolute, and its real path."""
    if not path:  # as from an unset variable; it would mean the current directory
        raise RootError(path, "is empty")
    try:
        given = path if os.path.isabs(path) else os.path.join(os.getcwd(), path)
        real = os.path.realpath(given, strict=True)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RootError(path, f"cannot be opened ({reason})") from None
    if not os.path.isdir(real):
        raise RootError(path, "is not a folder")
    return split_path(os.path.normpath(given)), split_path(real)


def _merge(
    found: list[tuple[_Known, _Known]], problems: tuple[RootError, ...]
) -> Roots:
    """Return the roots, those inside others as places to start at in the outer one."""
    real = {path for _, path in found}
    starts: dict[_Known, Start] = {}
    for given, path in found:
        start = _start_in_outermost(path, real)
        starts.setdefault(path, start)
        starts.setdefault(given, start)
    prefixes = sorted(
        ((anchor, parts, start) for (anchor, parts), start in starts.items()),
        key=lambda prefix: -len(prefix[1]),
    )
    roots = tuple(dict.fromkeys(start.root for start in starts.values()))
    return Roots(roots, True, problems, tuple(prefixes), starts[found[0][1]])


def _start_in_outermost(path: _Known, roots: set[_Known]) -> Start:
    anchor, parts = path
    sizes = range(len(parts) + 1)
    size = next(size for size in sizes if (anchor, parts[:size]) in roots)
    return Start(Root(anchor, parts[:size]), parts[size:])


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two paths are the same text, as this platform compares them."""
    return one == other or tuple(map(os.path.normcase, one)) == tuple(
        map(os.path.normcase, other)
    )
