"""List a folder of notes: which files there are, and in what state, without reading.

Links are not followed. Left out are folders whose name starts with a dot,
`node_modules`, and what a `.gitignore` names. The names in a folder `ATTACHMENTS` are
listed, since notes show what lies there, but no note is looked for in it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from md_mcp.errors import NotAFolderError, UnreadableError
from md_mcp.files.folder import Folder, describe
from md_mcp.files.ignore import GITIGNORE, IgnoreRules
from md_mcp.files.reading import FileIdentity, read_bytes
from md_mcp.files.resolve import MAX_DEPTH, resolve
from md_mcp.files.roots import Roots

IGNORED_FOLDERS = frozenset({"node_modules"})

ATTACHMENTS = "ATTACHMENTS"

_MAX_GITIGNORE = 1024 * 1024


@dataclass(slots=True)
class Listing:
    """What stands in a folder and below it. Paths are relative to it, with "/".

    Attributes:
        notes: the files with one of the extensions asked for, with their state.
        others: the other files, links and attachments, and notes that are ignored.
        unlisted: the folders that were not entered, each ending in "/".
    """

    notes: dict[str, FileIdentity] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    unlisted: set[str] = field(default_factory=set)


def list_folder(
    roots: Roots,
    directory: str | os.PathLike[str],
    extensions: tuple[str, ...],
    rules: IgnoreRules,
) -> Listing:
    """Return what stands in `directory`, by the rules kept from earlier listings.

    Raises:
        FileError: `directory` is no folder below the roots, or unreadable.
    """
    with resolve(roots, directory) as place:
        if place.name != ".":
            raise NotAFolderError(os.fspath(directory))
        try:
            top = place.folder.readable()
        except OSError as error:
            raise UnreadableError(os.fspath(directory), describe(error)) from None
    lister = _Lister(extensions)
    lister.visit(top, "", rules, notes=True)
    return lister.listing


class _Lister:
    """One walk over a folder; `listing` is what it has found."""

    def __init__(self, extensions: tuple[str, ...]) -> None:
        self._extensions = extensions
        self.listing = Listing()

    def visit(
        self, folder: Folder, path: str, rules: IgnoreRules, *, notes: bool
    ) -> None:
        """List `folder`, which is closed at the end; `path` is "" or ends in "/".

        Without `notes` all its files are attachments.
        """
        with folder:
            for entry in _entries(folder, rules):
                if entry.is_dir(follow_symlinks=False):
                    self._enter(folder, path, entry.name, rules, notes=notes)
                elif notes and entry.name.lower().endswith(self._extensions):
                    self._add_note(entry, path, rules)
                else:
                    self._add_other(entry, path)

    def _enter(
        self, above: Folder, path: str, name: str, rules: IgnoreRules, *, notes: bool
    ) -> None:
        inner = f"{path}{name}/"
        folder = None
        if not _is_left_out(name, rules) and path.count("/") < MAX_DEPTH:
            folder = _open(above, name)
        if folder is None:
            self.listing.unlisted.add(inner)
            return
        notes = notes and name != ATTACHMENTS
        self.visit(folder, inner, rules.below(name), notes=notes)

    def _add_note(self, entry: os.DirEntry[str], path: str, rules: IgnoreRules) -> None:
        name = entry.name
        if rules.ignores(name) or not entry.is_file(follow_symlinks=False):
            self._add_other(entry, path)
        elif name.isascii() or _is_text(name):
            status = entry.stat(follow_symlinks=False)
            self.listing.notes[path + name] = FileIdentity.of(status)

    def _add_other(self, entry: os.DirEntry[str], path: str) -> None:
        self.listing.others.add(path + entry.name)
        if entry.is_symlink():  # what it leads to is not known
            self.listing.unlisted.add(f"{path}{entry.name}/")


def _entries(folder: Folder, rules: IgnoreRules) -> list[os.DirEntry[str]]:
    """Return the entries of `folder`, in no order; bring its rules up to date."""
    with folder.scan() as scan:
        entries = list(scan)
    gitignore = next((entry for entry in entries if entry.name == GITIGNORE), None)
    identity = None
    if gitignore is not None and gitignore.is_file(follow_symlinks=False):
        identity = FileIdentity.of(gitignore.stat(follow_symlinks=False))
    rules.update(identity, lambda: _read_gitignore(folder))
    return entries


def _is_left_out(name: str, rules: IgnoreRules) -> bool:
    if name.startswith(".") or name in IGNORED_FOLDERS or not _is_text(name):
        return True
    return rules.ignores(f"{name}/")


def _open(above: Folder, name: str) -> Folder | None:
    """Open a subfolder; None when that is not possible, or no longer one."""
    try:
        return above.child(name, readable=True)
    except OSError:
        return None


def _read_gitignore(folder: Folder) -> str | None:
    try:
        fd = folder.open_file(GITIGNORE)
        try:
            data = read_bytes(fd, 0, _MAX_GITIGNORE)
        finally:
            os.close(fd)
    except OSError:
        return None
    return data.decode("utf-8", "replace")


def _is_text(name: str) -> bool:
    """Return whether the name is UTF-8, so that it can be handed back."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
