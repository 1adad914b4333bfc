"""`Files`: read, update and find Markdown files below the roots."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Self

from md_mcp.errors import FileError, ReadOnlyError, UnreadableError, UnsettledFileError
from md_mcp.files.change import (
    Change,
    Plan,
    Planned,
    check_revision,
    encode,
    plan_on,
)
from md_mcp.files.commits import Commits
from md_mcp.files.folder import Folder, describe
from md_mcp.files.litter import Sweeper
from md_mcp.files.locks import locked
from md_mcp.files.reading import check_regular
from md_mcp.files.replace import check_replaceable, replace_file
from md_mcp.files.resolve import Place, resolve
from md_mcp.files.roots import Roots
from md_mcp.files.snapshot import Reader, Snapshot, revision_of

if TYPE_CHECKING:  # loaded by who walks or lists
    from md_mcp.files.ignore import IgnoreRules
    from md_mcp.files.listing import Listing
    from md_mcp.files.walk import Walk

_MAX_PLANS = 50
"""Plans of one edit while others keep changing other parts of the file."""


def _no_check() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Files:
    """All files below some roots. Safe to share between threads."""

    roots: Roots
    read_only: bool
    break_hardlinks: bool
    _reader: Reader = field(repr=False)
    _commits: Commits = field(default_factory=Commits, repr=False)
    _sweeper: Sweeper = field(default_factory=Sweeper, repr=False)
    _check: Callable[[], None] = _no_check

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
        opened = Roots.open(roots)
        return cls(opened, read_only, break_hardlinks, Reader(opened))

    def with_check(self, check: Callable[[], None]) -> Self:
        """Return the same files for one call that can be cancelled.

        `check` raises to give the call up. It is called while an update waits for
        its turn and once right before each attempt to commit, and never after a commit.
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
            return self._reader.read(place)

    def read_once(self, file_path: str | os.PathLike[str]) -> Snapshot:
        """Return the document in a file and keep nothing of it.

        For those who read many files to look at each once; see `read` for the errors.
        """
        with resolve(self.roots, file_path) as place:
            return Reader(self.roots).read(place)

    def list_notes(
        self,
        directory: str | os.PathLike[str],
        extensions: tuple[str, ...],
        rules: IgnoreRules,
    ) -> Listing:
        """Return the notes of a folder with their state, and what else stands there.

        `rules` are those that an earlier listing of the same folder used, or new ones.

        Raises:
            FileError: `directory` is no folder below the roots, or unreadable.
        """
        from md_mcp.files.listing import list_folder

        return list_folder(self.roots, directory, extensions, rules)

    def real_path(self, path: str | os.PathLike[str]) -> str:
        """Return where `path` leads, links resolved, as text to compare.

        Raises:
            FileError: there is nothing, or it lies outside the roots.
        """
        with resolve(self.roots, path) as place:
            return os.path.join(place.root.path, *place.parts)

    def exists(self, path: str | os.PathLike[str]) -> bool:
        """Return whether anything below the roots stands at `path`."""
        try:
            with resolve(self.roots, path):
                return True
        except FileError:
            return False

    def walk(self, directory: str | os.PathLike[str], glob: str) -> Walk:
        """Return the files below `directory` whose relative path matches `glob`.

        Raises:
            ArgumentError: `glob` is not a relative pattern, or goes up.
            FileError: `directory` is no folder below the roots, or unreadable.
        """
        from md_mcp.files.walk import Walk

        return Walk(self.roots, directory, glob)

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
            UnsettledFileError: it changed again and again meanwhile.
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
                self._sweeper.sweep(directory, exclusive=exclusive)
            yield

    def _update(
        self, place: Place, plan: Plan, expected: str | None, *, dry_run: bool
    ) -> Change:
        planned: Planned | None = None
        for _ in range(_MAX_PLANS):
            outcome = self._attempt(place, plan, expected, planned, dry_run=dry_run)
            if isinstance(outcome, Change):
                return outcome
            planned = outcome
        raise UnsettledFileError(place.given)

    def _attempt(
        self,
        place: Place,
        plan: Plan,
        expected: str | None,
        earlier: Planned | None,
        *,
        dry_run: bool,
    ) -> Change | Planned:
        """Make the change; return what was planned if the file changed meanwhile."""
        state, snapshot = self._reader.load(place)
        check_revision(snapshot, plan, expected)
        edit = plan_on(snapshot, plan, earlier)
        data = encode(place.given, edit)
        digest = sha256(data).digest()
        change = Change(edit, snapshot.name, revision_of(digest))
        if data == state.data:
            return change
        check_replaceable(place, state.status, break_links=self.break_hardlinks)
        if dry_run:
            return change
        done = replace_file(place, state, data, self._commits, self._check)
        if done is None:
            return Planned.of(edit, snapshot)
        self._reader.cache.store(done.identity, edit.result, digest, 0)
        return replace(change, warnings=done.warnings)


def _readable(place: Place) -> Folder:
    try:
        return place.folder.readable()
    except OSError as error:
        raise UnreadableError(place.given, describe(error)) from None
