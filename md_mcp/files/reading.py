"""Read one file whole: regular files only, bounded, and not while it changes."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from md_mcp.errors import (
    BinaryFileError,
    FileMissingError,
    NotAFileError,
    TooLargeError,
    UnreadableError,
    UnsettledFileError,
)
from md_mcp.files.folder import LINK_ERRORS, describe
from md_mcp.files.resolve import Place

MAX_FILE_BYTES = 64 * 1024 * 1024

TEXT_CHECKED_BYTES = 8192
"""A NUL among so many first bytes makes a file binary; later ones are text."""

_CHUNK = 1024 * 1024

_TRIES = 4
"""Readings of a file that changes meanwhile; a log that only grows never settles."""

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
    (stat.S_ISLNK, "a link that leads nowhere"),
)


class FileIdentity(NamedTuple):
    """What tells one state of a file from another without reading it.

    A tuple, since thousands are made and compared in one go.
    """

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileIdentity:
        """Return the identity that a `stat` shows."""
        return cls(
            status.st_dev,
            status.st_ino,
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
        )

    def is_settled(self, now_ns: int) -> bool:
        """Return whether a change after `now_ns` would show in the identity.

        Clocks of file systems tick coarsely, so a second change within one tick leaves
        the times as they are. Whole seconds hint at a file system that keeps no more.
        """
        changed = max(self.mtime_ns, self.ctime_ns)
        tick = 50_000_000 if changed % 1_000_000_000 else 2_000_000_000
        return now_ns - changed > tick


class FileState(NamedTuple):
    """The bytes of a file, and what `fstat` said of the file that they came from."""

    data: bytes
    status: os.stat_result


def check_regular(given: str, mode: int) -> None:
    """Refuse what is not a regular file.

    Raises:
        NotAFileError: `mode` is that of something else.
    """
    if not stat.S_ISREG(mode):
        kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), "no file")
        raise NotAFileError(given, kind)


def check_text(given: str, data: bytes) -> None:
    """Refuse what is not text.

    Raises:
        BinaryFileError: there is a NUL in the first 8 KB.
    """
    offset = data.find(b"\0", 0, TEXT_CHECKED_BYTES)
    if offset >= 0:
        raise BinaryFileError(given, offset)


def read_place(place: Place, limit: int = MAX_FILE_BYTES) -> FileState:
    """Return the bytes of the file at `place`, at most `limit`.

    Raises:
        NotAFileError: a directory, FIFO, socket or device; it is not even opened.
        TooLargeError: it is larger than `limit` bytes, or grows beyond them.
        FileMissingError: it was removed meanwhile.
        UnreadableError: the system does not let us.
        UnsettledFileError: a link took its place.
    """
    check_regular(place.given, place.status.st_mode)
    try:
        fd = place.folder.open_file(place.name)
    except FileNotFoundError:
        raise FileMissingError(place.given) from None
    except OSError as error:
        if error.errno in LINK_ERRORS:
            raise UnsettledFileError(place.given) from None
        raise UnreadableError(place.given, describe(error)) from None
    try:
        return _read_open(place.given, fd, limit)
    except OSError as error:
        raise UnreadableError(place.given, describe(error)) from None
    finally:
        os.close(fd)


def _read_open(given: str, fd: int, limit: int) -> FileState:
    status = os.fstat(fd)
    check_regular(given, status.st_mode)
    data = b""
    for _ in range(_TRIES):
        if status.st_size > limit:
            raise TooLargeError(given, status.st_size, limit)
        data = read_bytes(fd, status.st_size, limit)
        if len(data) > limit:
            raise TooLargeError(given, len(data), limit)
        before, status = status, os.fstat(fd)
        if FileIdentity.of(before) == FileIdentity.of(status):
            break
    return FileState(data, status)


def read_bytes(fd: int, size: int, limit: int) -> bytes:
    """Return the bytes from the start of `fd`, stopping soon after `limit`.

    `size` is what `fstat` said; files in /proc say 0 and hold more, others grow.
    """
    os.lseek(fd, 0, os.SEEK_SET)
    chunks = []
    total, wanted = 0, size + 1 if size else _CHUNK
    while total <= limit and (chunk := os.read(fd, wanted)):
        chunks.append(chunk)
        total += len(chunk)
        wanted = _CHUNK
    return b"".join(chunks)
