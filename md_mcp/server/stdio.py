"""Standard input, output and error, taken away from everybody but the transport.

While a server runs, only the transport holds the real standard output: a `print`, an
`os.write(1, …)` or a child process must not put a line between its messages. Nor may a
client that does not read standard error stop the server: what it does not read in time
is dropped.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from queue import Full, Queue

_STDIN, _STDOUT, _STDERR = 0, 1, 2

KEPT_WRITES = 200
"""Writes to standard error that may wait for the client; further ones are dropped."""

FLUSH_S = 0.1


@dataclass(frozen=True, slots=True)
class Wire:
    """Private descriptors of the real standard input and output."""

    stdin: int
    stdout: int


class DroppingWriter(io.TextIOBase):
    """A text stream that never blocks its writers."""

    def __init__(self, fd: int) -> None:
        """Write to `fd` from a thread of its own."""
        self._fd = fd
        self._queue: Queue[bytes | None] = Queue(KEPT_WRITES)
        self._thread = threading.Thread(target=self._drain, daemon=True)
        self._thread.start()

    def write(self, text: str) -> int:
        """Hand `text` over, or drop it while too much is waiting."""
        with contextlib.suppress(Full):
            self._queue.put_nowait(text.encode(errors="backslashreplace"))
        return len(text)

    def writable(self) -> bool:
        """Return True."""
        return True

    def finish(self) -> None:
        """Give the client a last moment to read what is waiting."""
        with contextlib.suppress(Full):
            self._queue.put_nowait(None)
        self._thread.join(FLUSH_S)

    def _drain(self) -> None:
        while (data := self._queue.get()) is not None:
            try:
                write_all(self._fd, data)
            except OSError:  # nobody reads it any more
                return


def write_all(fd: int, data: bytes) -> None:
    """Write all of `data` to `fd`, waiting for its reader."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except BlockingIOError:  # the client has made the pipe non-blocking
            _wait_for(fd, writing=True)


def read_some(fd: int, size: int) -> bytes:
    """Return up to `size` bytes from `fd`, b"" at its end."""
    while True:
        try:
            return os.read(fd, size)
        except BlockingIOError:
            _wait_for(fd, writing=False)


def _wait_for(fd: int, *, writing: bool) -> None:
    import select

    select.select([] if writing else [fd], [fd] if writing else [], [])


@contextlib.contextmanager
def claim_stdio() -> Iterator[Wire]:
    """Give the real descriptors; standard output leads to standard error meanwhile.

    The private descriptors are never closed: a thread may still be blocked on one, and
    must not find another file under its number.
    """
    wire = Wire(_duplicate(_STDIN, os.O_RDONLY), _duplicate(_STDOUT, os.O_WRONLY))
    error = _duplicate(_STDERR, os.O_WRONLY)
    null = os.open(os.devnull, os.O_RDONLY)
    streams = sys.stdout, sys.stderr
    writer = DroppingWriter(error)
    os.dup2(null, _STDIN)
    os.dup2(error, _STDOUT)
    os.close(null)
    sys.stdout = sys.stderr = writer
    try:
        yield wire
    finally:
        sys.stdout, sys.stderr = streams
        writer.finish()
        os.dup2(wire.stdin, _STDIN)
        os.dup2(wire.stdout, _STDOUT)


def _duplicate(fd: int, flags: int) -> int:
    try:
        return os.dup(fd)
    except OSError:  # started without it
        return os.open(os.devnull, flags)
