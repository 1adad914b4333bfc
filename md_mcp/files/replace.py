"""Replace a file by new content in one step: the old file or the new one, never a mix.

The content goes into a temporary file in the same directory, with the old file's owner,
mode and attributes, and to the disk. Then the two names are exchanged, and what was
swapped out is compared with what the edit was planned on: when an editor saved in
between, its file is put back and nothing has happened. Where names cannot be exchanged,
the comparison comes right before a plain rename.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from md_mcp.errors import (
    DiskFullError,
    FileError,
    FileMissingError,
    HardLinkedError,
    ReadOnlyError,
    UnsettledFileError,
    WriteFailedError,
)
from md_mcp.files.attributes import copy_attributes
from md_mcp.files.commits import Commits
from md_mcp.files.exchange import exchange
from md_mcp.files.folder import HANDLES, Folder, describe
from md_mcp.files.names import litter_name
from md_mcp.files.reading import FileIdentity, FileState, read_bytes
from md_mcp.files.resolve import Place

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}

_MAX_RETURNS = 1000
"""How often a file that keeps being replaced is put back before we give up."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """A commit that is done: the new file's identity, and what could not be kept."""

    identity: FileIdentity
    warnings: tuple[str, ...]


def check_replaceable(
    place: Place, status: os.stat_result, *, break_links: bool
) -> None:
    """Refuse to replace a file whose protection or other names would be lost.

    Raises:
        HardLinkedError: it has other names, which `break_links` would cut off.
        ReadOnlyError: the file or its directory is write-protected.
        FileMissingError: it was removed meanwhile.
    """
    if status.st_nlink > 1 and not break_links:
        raise HardLinkedError(place.given, status.st_nlink)
    with _write_errors(place.given):
        if _is_protected(place.folder, place.name):
            raise ReadOnlyError(place.given, "the file is write-protected")
        if _is_protected(place.folder, "."):
            raise ReadOnlyError(place.given, "its folder is write-protected")


def _is_protected(folder: Folder, name: str) -> bool:
    """Return whether `name` is not to be written.

    A rename asks only the directory's permission, and root is asked nothing, so the
    mode itself is looked at too.
    """
    mode = folder.stat(name).st_mode
    return not mode & stat.S_IWUSR or not folder.may_write(name)


def replace_file(
    place: Place,
    old: FileState,
    data: bytes,
    commits: Commits,
    veto: Callable[[], None],
) -> Replaced | None:
    """Replace the file, which is expected to be in state `old`, by `data`.

    `veto` is called once right before the commit; when it raises, nothing is written.
    Returns None, and leaves everything as it is, when the file has changed.

    Raises:
        DiskFullError: no room.
        ReadOnlyError: the system forbids it.
        WriteFailedError: the system refuses for another reason.
    """
    with _Temporary(place) as temporary:
        with _write_errors(place.given):
            warnings = temporary.fill(old, data)
        if warnings is None:
            return None
        with commits.running():
            veto()
            with _write_errors(place.given):
                if not _commit(place, temporary, old):
                    return None
            identity = FileIdentity.of(temporary.status())
            warnings += temporary.dispose()
            warnings += _sync(place.folder)
        return Replaced(identity, tuple(warnings))


class _Temporary:
    """A temporary file next to the target; removed at the end if it still exists.

    After an exchange its name stands for what was swapped out. That must not be
    removed before it is known to be what the edit was planned on: `disposable`.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self.name = litter_name(os.urandom(8))
        self._fd = -1
        self.disposable = False

    def fill(self, old: FileState, data: bytes) -> list[str] | None:
        """Write `data` and the old file's attributes to the disk.

        Returns what could not be kept; None when the old file is gone or another.
        """
        folder = self._place.folder
        self.disposable = True
        self._fd = folder.create_file(self.name)
        _write_all(self._fd, data)
        try:
            source = folder.open_file(self._place.name)
        except OSError:  # it is gone, or a link took its place
            return None
        try:
            status = os.fstat(source)
            if FileIdentity.of(status) != FileIdentity.of(old.status):
                return None
            warnings = copy_attributes(source, status, self._fd)
        finally:
            os.close(source)
        os.fsync(self._fd)
        return warnings

    def status(self) -> os.stat_result:
        """Return what the new file is, under whichever name."""
        if self._fd < 0:
            return self._place.folder.stat(self._place.name)
        return os.fstat(self._fd)

    def is_new(self) -> bool:
        """Return whether the temporary name still stands for the new file."""
        try:
            return _key(self._place.folder.stat(self.name)) == _key(self.status())
        except OSError:
            return False

    def replace_target(self) -> None:
        """Take the target's place; what was there is gone."""
        if not HANDLES:  # Windows renames no open file
            self._close()
        self._place.folder.rename(self.name, self._place.name)

    def dispose(self) -> list[str]:
        """Remove what has the temporary name; return a warning if that fails."""
        if not self.disposable:
            return []
        self.disposable = False
        try:
            self._place.folder.unlink(self.name)
        except FileNotFoundError:
            return []
        except OSError as error:
            return [f"the temporary file {self.name} was left: {describe(error)}"]
        return []

    def _close(self) -> None:
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self._close()
        finally:
            self.dispose()


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _commit(place: Place, temporary: _Temporary, old: FileState) -> bool:
    """Put the temporary file in the target's place unless the target has changed."""
    folder = place.folder
    if not _holds(folder, place.name, old):
        return False
    temporary.disposable = False
    try:
        committed = _swap(place, temporary, old)
    except BaseException:  # also an interrupt between the exchange and the look at it
        known = temporary.is_new() or _holds(folder, temporary.name, old)
        temporary.disposable = known
        raise
    temporary.disposable = True
    return committed


def _swap(place: Place, temporary: _Temporary, old: FileState) -> bool:
    folder = place.folder
    try:
        exchanged = exchange(folder, temporary.name, place.name)
    except FileNotFoundError:  # the target was removed; it must not come back
        return False
    if not exchanged:
        temporary.replace_target()
        return True
    if _holds(folder, temporary.name, old):
        return True
    _put_back(place, temporary)
    return False


def _put_back(place: Place, temporary: _Temporary) -> None:
    """Exchange again; what others put in the target's place meanwhile stays there.

    Each time, what comes out should be what we put in. If it is not, it is newer and
    goes back in turn.
    """
    folder = place.folder
    placed = _key(temporary.status())
    with contextlib.suppress(OSError):  # the target was removed meanwhile
        for _ in range(_MAX_RETURNS):
            returned = _key(folder.stat(temporary.name))
            exchange(folder, temporary.name, place.name)
            if _key(folder.stat(temporary.name)) == placed:
                return
            placed = returned
    raise UnsettledFileError(place.given)


def _holds(folder: Folder, name: str, old: FileState) -> bool:
    """Return whether `name` is the same file as `old`, with the same bytes and mode."""
    try:
        fd = folder.open_file(name)
    except OSError:  # removed, or a link took its place
        return False
    try:
        status = os.fstat(fd)
        if _traits(status) != _traits(old.status) or status.st_size != len(old.data):
            return False
        return read_bytes(fd, status.st_size, len(old.data)) == old.data
    except OSError:  # what cannot be read cannot be vouched for
        return False
    finally:
        os.close(fd)


def _key(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _traits(status: os.stat_result) -> tuple[int, ...]:
    """Return what an edit keeps or refuses; a rename changes none of it."""
    return (
        *_key(status),
        status.st_mode,
        status.st_uid,
        status.st_gid,
        status.st_nlink,
    )


def _sync(folder: Folder) -> list[str]:
    """Flush the directory; the commit stands even when that fails."""
    try:
        with folder.readable() as directory:
            if directory.descriptor is not None:
                os.fsync(directory.descriptor)
    except OSError as error:
        if error.errno in {errno.EINVAL, errno.EBADF, errno.ENOTSUP}:
            return []  # this file system flushes no directories
        return [f"the folder could not be flushed to the disk: {describe(error)}"]
    return []


@contextlib.contextmanager
def _write_errors(given: str) -> Iterator[None]:
    """Turn the system's refusals to write into ours."""
    try:
        yield
    except OSError as error:
        raise _write_error(given, error) from None


def _write_error(given: str, error: OSError) -> FileError:
    reason = describe(error)
    if error.errno == errno.EBUSY:
        reason += " (a mount point of its own? Mount its folder instead)"
    if error.errno == errno.ENOENT:
        return FileMissingError(given)
    if error.errno in _NO_ROOM:
        return DiskFullError(given, reason)
    if error.errno in _FORBIDDEN:
        return ReadOnlyError(given, reason)
    return WriteFailedError(given, reason)
