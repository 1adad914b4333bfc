"""`Folder`: an open directory, through which everything in it is reached by name.

With `dir_fd` and `O_NOFOLLOW` (Linux, macOS, BSD) a folder is a handle: whatever is
renamed or linked around it, a name is looked up in the directory that was opened, and a
link in the last place is never followed. Elsewhere (Windows) it falls back on its path,
which others can redirect between two calls.
"""

from __future__ import annotations

import errno
import os
import stat
from types import TracebackType
from typing import Self

HANDLES = {os.open, os.stat, os.readlink, os.unlink, os.rename} <= os.supports_dir_fd
"""Whether directories can be held open and names looked up in them."""

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_PASS = getattr(os, "O_PATH", os.O_RDONLY)
"""Linux can open a directory to look names up with search permission alone."""

_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
LINK_ERRORS = {errno.ELOOP, errno.EMLINK}
"""What `O_NOFOLLOW` on a link fails with: POSIX's answer and FreeBSD's."""

_FILE = (
    _NOFOLLOW
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO would wait for its writer
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)  # Windows would translate line endings
)


def describe(error: OSError) -> str:
    """Return the system's words for an error, for messages."""
    return error.strerror or str(error)


class Folder:
    """An open directory. Close it, or use it in a `with` statement."""

    __slots__ = ("_fd", "_path")

    def __init__(self, fd: int | None, path: str = "") -> None:
        """Take over the descriptor `fd`; `path` is used only where there is none."""
        self._fd, self._path = fd, path

    @classmethod
    def at(cls, path: str) -> Folder:
        """Open the directory `path`, whose last component must not be a link."""
        if not HANDLES:
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                raise NotADirectoryError(path)
            return cls(None, path)
        return cls(os.open(path, _PASS | _DIRECTORY | _NOFOLLOW))

    def child(self, name: str, *, readable: bool = False) -> Folder:
        """Open the directory `name`, with `readable` so that it can be listed.

        Raises:
            NotADirectoryError: `name` is something else, such as a link.
            OSError: it does not exist or must not be entered.
        """
        if self._fd is None:
            return Folder.at(self._join(name))
        access = os.O_RDONLY if readable else _PASS
        try:
            flags = access | _DIRECTORY | _NOFOLLOW
            return Folder(os.open(name, flags, dir_fd=self._fd))
        except OSError as error:
            if error.errno in LINK_ERRORS:  # which systems say instead of ENOTDIR
                raise NotADirectoryError(name) from None
            raise

    def readable(self) -> Folder:
        """Open the same directory once more so that it can be listed and synced."""
        if self._fd is None:
            return Folder(None, self._path)
        return Folder(os.open(".", os.O_RDONLY | _DIRECTORY, dir_fd=self._fd))

    def stat(self, name: str) -> os.stat_result:
        """Return what `name` itself is, a link not followed."""
        return os.stat(self._name(name), dir_fd=self._fd, follow_symlinks=False)

    def link_target(self, name: str) -> str:
        """Return the text of the link `name`."""
        return os.readlink(self._name(name), dir_fd=self._fd)

    def open_file(self, name: str) -> int:
        """Return a descriptor that reads `name`; never waits, never follows a link."""
        fd = os.open(self._name(name), os.O_RDONLY | _FILE, dir_fd=self._fd)
        if not _NOFOLLOW and not os.path.samestat(os.fstat(fd), self.stat(name)):
            os.close(fd)
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
        return fd

    def create_file(self, name: str) -> int:
        """Return a descriptor that writes the new file `name`, mode 0600."""
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _FILE
        return os.open(self._name(name), flags, 0o600, dir_fd=self._fd)

    def rename(self, old: str, new: str) -> None:
        """Rename `old` to `new`, which it replaces."""
        os.replace(
            self._name(old),
            self._name(new),
            src_dir_fd=self._fd,
            dst_dir_fd=self._fd,
        )

    def unlink(self, name: str) -> None:
        """Remove the file `name`."""
        os.unlink(self._name(name), dir_fd=self._fd)

    def may_write(self, name: str) -> bool:
        """Return whether the system would let us write `name`, "." being the folder."""
        if self._fd is None:
            return os.access(self._name(name), os.W_OK)
        effective = os.access in os.supports_effective_ids
        return os.access(name, os.W_OK, dir_fd=self._fd, effective_ids=effective)

    def scan(self) -> os._ScandirIterator[str]:
        """Return the entries; the folder must be a `readable` one."""
        return os.scandir(self._path if self._fd is None else self._fd)

    @property
    def descriptor(self) -> int | None:
        """The open descriptor; None where directories have none."""
        return self._fd

    def close(self) -> None:
        """Release the descriptor; a second time does nothing."""
        if self._fd is not None and self._fd >= 0:
            fd, self._fd = self._fd, -1  # which no call accepts
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _name(self, name: str) -> str:
        return name if self._fd is not None else self._join(name)

    def _join(self, name: str) -> str:
        return os.path.join(self._path, name)  # noqa: PTH118 - a name, not a Path
