"""One writer at a time: a lock per directory, between threads and processes.

The lock is `flock` on the directory itself. It needs no lock file that could be left
over, swapped, or hidden from another user or container; every process that reaches the
directory sees it, and the kernel releases it when its holder dies. Each holder opens
the directory anew, so that threads exclude each other too. Programs that know nothing
of it are caught by the comparisons around the replacement.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from threading import Lock

from md_mcp.errors import BusyError
from md_mcp.files.folder import Folder

PATIENCE = 30.0
"""Seconds to wait for a holder; an edit takes milliseconds."""

_process_lock = Lock()
"""Stands in where directories cannot be locked: the threads of this process only."""


class _NoLocksError(Exception):
    """The platform or the file system cannot lock a directory."""


@contextlib.contextmanager
def locked(
    folder: Folder, given: str, keep_waiting: Callable[[], None]
) -> Iterator[bool]:
    """Hold the lock of `folder`, a readable one; give whether other processes see it.

    `keep_waiting` is called between tries and may raise to give up.

    Raises:
        BusyError: another holder did not let go for 30 seconds.
    """
    fd = folder.descriptor
    try:
        _wait(lambda: _try_flock(fd), given, keep_waiting)
    except _NoLocksError:
        with _process_locked(given, keep_waiting):
            yield False
        return
    try:
        yield True
    finally:
        _unlock(fd)


@contextlib.contextmanager
def _process_locked(given: str, keep_waiting: Callable[[], None]) -> Iterator[None]:
    _wait(lambda: _process_lock.acquire(blocking=False), given, keep_waiting)
    try:
        yield
    finally:
        _process_lock.release()


def _wait(
    attempt: Callable[[], bool], given: str, keep_waiting: Callable[[], None]
) -> None:
    started = time.monotonic()
    pause = 0.0002
    while not attempt():
        keep_waiting()
        waited = time.monotonic() - started
        if waited > PATIENCE:
            raise BusyError(given, waited)
        time.sleep(pause * (0.5 + random.random()))
        pause = min(pause * 1.5, 0.005)


def _try_flock(fd: int | None) -> bool:
    """Return whether the lock is ours now."""
    if fd is None:
        raise _NoLocksError
    import fcntl  # missing on Windows, where directories have no descriptor

    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        raise _NoLocksError from None
    return True


def _unlock(fd: int | None) -> None:
    """Release the lock; closing alone would not, had a child inherited `fd`."""
    if fd is not None:
        import fcntl

        fcntl.flock(fd, fcntl.LOCK_UN)
