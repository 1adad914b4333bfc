"""`Files`: read, update and find Markdown files below the roots."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Self

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.errors import (
    ConflictError,
    EditError,
    MdMcpError,
    ReadOnlyError,
    TooLargeError,
    UnreadableError,
)
from md_mcp.files.cache import DocumentCache
from md_mcp.files.commits import Commits
from md_mcp.files.folder import Folder
from md_mcp.files.litter import sweep
from md_mcp.files.locks import locked
from md_mcp.files.reading import (
    MAX_FILE_BYTES,
    FileIdentity,
    FileState,
    check_regular,
    check_text,
    read_place,
)
from md_mcp.files.replace import check_replaceable, replace_file
from md_mcp.files.resolve import Place, resolve
from md_mcp.files.roots import Roots
from md_mcp.files.walk import Walk

Plan = Callable[[Document], Edit]
"""Plans an edit of a document; called again when another part of the file changed."""

REVISION_DIGITS = 12

_MAX_PLANS = 50
"""Plans of one edit while others keep changing other parts of the file."""


def _no_check() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A file as it was read: its document and what to call it.

    Attributes:
        document: shared by all who read this state of the file.
        name: the file relative to its root, links resolved, for diffs and display.
        file_path: the path as it was given.
        revision: the first 12 hex digits of the SHA-256 of the file's bytes.
        identity: tells this state of the file from others without reading it.
    """

    document: Document
    name: str
    file_path: str
    revision: str
    identity: FileIdentity


@dataclass(frozen=True, slots=True)
class Change:
    """What an update did, or with `dry_run` would do.

    Attributes:
        edit: the edit, planned on what the file held.
        name: the file relative to its root, links resolved.
        revision: the revision of the file with the edit.
        warnings: what of the old file could not be kept, such as its owner.
    """

    edit: Edit
    name: str
    revision: str
    warnings: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the edit changes anything; if not, nothing was written."""
        return self.edit.changed

    @property
    def diff(self) -> str:
        """The unified diff of the edit, "" if it changes nothing."""
        return self.edit.diff(self.name)


@dataclass(frozen=True, slots=True)
class Files:
    """All files below some roots. Safe to share between threads."""

    roots: Roots
    read_only: bool = False
    break_hardlinks: bool = False
    _check: Callable[[], None] = _no_check
    _cache: DocumentCache = field(default_factory=DocumentCache, repr=False)
    _commits: Commits = field(default_factory=Commits, repr=False)

    @classmethod
    def open(
        cls,
        roots: Sequence[str | os.PathLike[str]] = (),
        *,
        read_only: bool = False,
        break_hardlinks: bool = False,
    ) -> Files:
        """Return the files below `roots`; without any, all that the system lets us.

        Roots that cannot be used are listed in `roots.problems`, to be reported.

        Raises:
            RootError: none of several roots can be used.
        """
        return cls(Roots.open(roots), read_only, break_hardlinks)

    def with_check(self, check: Callable[[], None]) -> Self:
        """Return the same files for one call that can be cancelled.

        `check` raises to give the call up. It is called while an update waits for
        its turn and once right before the commit, and never after that.
        """
        return replace(self, _check=check)

    def commits_idle(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds; return whether no commit is running.

        When every `check` raises from now on, no further commit will start either.
        """
        return self._commits.idle(timeout)

    def read(self, file_path: str | os.PathLike[str]) -> Snapshot:
        """Return the document in a file, from the cache if the file has not changed.

        Raises:
            FileError: the leaf says what: `OutsideRootError`, `FileMissingError`,
                `NotAFileError`, `TooLargeError`, `BinaryFileError`, `NotUtf8Error`, …
        """
        with resolve(self.roots, file_path) as place:
            return self._read(place)

    def update(
        self,
        file_path: str | os.PathLike[str],
        plan: Plan,
        *,
        expected_revision: str | None = None,
        dry_run: bool = False,
    ) -> Change:
        """Plan an edit on what the file holds and write the result in one step.

        When another part of the file changed meanwhile, the edit is planned again.
        `dry_run` does all but the writing, refusals included.

        Raises:
            ConflictError: the file has another revision than `expected_revision`, or
                the edited part changed meanwhile.
            FileError: the file cannot be read or must not be written.
            MdMcpError: whatever `plan` raises.
        """
        with resolve(self.roots, file_path, writing=True) as place:
            if self.read_only:
                raise ReadOnlyError(place.given, "md-mcp was started with --read-only")
            check_regular(place.given, place.status.st_mode)
            with self._alone(place, clear=not dry_run):
                return self._update(place, plan, expected_revision, dry_run=dry_run)

    @contextlib.contextmanager
    def _alone(self, place: Place, *, clear: bool) -> Iterator[None]:
        """Hold the lock on the directory of `place`; `clear` it of litter."""
        with (
            _readable(place) as directory,
            locked(directory, place.given, self._check) as exclusive,
        ):
            if clear:
                sweep(directory, exclusive=exclusive)
            yield

    def _update(
        self, place: Place, plan: Plan, expected: str | None, *, dry_run: bool
    ) -> Change:
        earlier, revision = None, ""
        for _ in range(_MAX_PLANS):
            state, snapshot = self._load(place)
            _check_revision(snapshot, plan, expected)
            edit = _plan(snapshot, plan, earlier)
            data = _encode(place, edit)
            change = Change(edit, snapshot.name, _revision(sha256(data).digest()))
            if data == state.data:
                return change
            check_replaceable(place, state.status, break_hardlinks=self.break_hardlinks)
            if dry_run:
                return change
            done = replace_file(place, state, data, self._commits, self._check)
            if done is not None:
                digest = sha256(data).digest()
                self._cache.store(done.identity, edit.result, digest, 0)
                return replace(change, warnings=done.warnings)
            earlier, revision = _scope_text(edit, snapshot), snapshot.revision
        raise ConflictError(place.given, revision=revision, current=earlier)

    def walk(self, directory: str | os.PathLike[str], glob: str) -> Walk:
        """Return the files below `directory` whose relative path matches `glob`.

        Raises:
            ArgumentError: `glob` is not a relative pattern, or goes up.
            FileError: `directory` is no folder below the roots, or unreadable.
        """
        return Walk(self.roots, directory, glob)

    def _read(self, place: Place) -> Snapshot:
        check_regular(place.given, place.status.st_mode)
        identity = FileIdentity.of(place.status)
        cached = self._cache.find(identity)
        if cached is None or not cached.trusted:
            return self._load(place)[1]
        return self._snapshot(place, cached.document, cached.digest, identity)

    def _load(self, place: Place) -> tuple[FileState, Snapshot]:
        """Read the file; take the document from the cache if the bytes are the same."""
        read_ns = time.time_ns()
        state = read_place(place)
        identity = FileIdentity.of(state.status)
        digest = sha256(state.data).digest()
        document = self._cache.find_equal(identity.device, identity.inode, digest)
        if document is None:
            check_text(place.given, state.data)
            document = Document.from_bytes(state.data, place.given)
        self._cache.store(identity, document, digest, read_ns)
        return state, self._snapshot(place, document, digest, identity)

    def _snapshot(
        self, place: Place, document: Document, digest: bytes, identity: FileIdentity
    ) -> Snapshot:
        name = self.roots.display_name(place.root, place.parts)
        return Snapshot(document, name, place.given, _revision(digest), identity)


def _revision(digest: bytes) -> str:
    return digest.hex()[:REVISION_DIGITS]


def _readable(place: Place) -> Folder:
    try:
        return place.folder.readable()
    except OSError as error:
        raise UnreadableError(place.given, os.strerror(error.errno or 0)) from None


def _scope_text(edit: Edit, snapshot: Snapshot) -> str:
    return edit.scope.of(snapshot.document.text)


def _check_revision(snapshot: Snapshot, plan: Plan, expected: str | None) -> None:
    if expected is None or expected == snapshot.revision:
        return
    try:
        current = _scope_text(plan(snapshot.document), snapshot)
    except MdMcpError:  # the place of the edit is gone, or it is no longer possible
        current = None
    raise ConflictError(
        snapshot.file_path,
        revision=snapshot.revision,
        expected=expected,
        current=current,
    )


def _plan(snapshot: Snapshot, plan: Plan, earlier: str | None) -> Edit:
    """Plan the edit; `earlier` is the text of its scope when planned before, if it was.

    Raises:
        ConflictError: the scope reads differently now.
    """
    if earlier is None:
        return plan(snapshot.document)
    try:
        edit = plan(snapshot.document)
    except MdMcpError:
        raise ConflictError(snapshot.file_path, revision=snapshot.revision) from None
    current = _scope_text(edit, snapshot)
    if current != earlier:
        raise ConflictError(
            snapshot.file_path, revision=snapshot.revision, current=current
        )
    return edit


def _encode(place: Place, edit: Edit) -> bytes:
    """Return the bytes of the edited file, which we must be able to read again."""
    try:
        data = edit.text.encode()
    except UnicodeEncodeError as error:
        raise EditError(
            f"the new text holds a lone surrogate, U+{ord(error.object[error.start]):X}"
            ", which no file can hold. Give text without it."
        ) from None
    if len(data) > MAX_FILE_BYTES:
        raise TooLargeError(place.given, len(data), MAX_FILE_BYTES)
    if edit.changed:
        check_text(place.given, data)
    return data
