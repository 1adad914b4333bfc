"""`Matcher`: one warm worker process, and the clock that it runs against."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from types import TracebackType
from typing import Self

from md_mcp.errors import PatternError, PatternMemoryError, PatternTimeoutError
from md_mcp.matching.messages import (
    ALL,
    Lines,
    Reply,
    Request,
    Status,
    read_reply,
    write_request,
)
from md_mcp.matching.worker import MEMORY_BYTES

GRACE = 0.1
"""Seconds that the worker gets to notice by itself that the time is up."""

_START = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from md_mcp.matching.worker import main; main()"
)
"""The worker imports from where we did, and not from the folder it is started in."""


class Matcher:
    """Runs patterns in a worker process, which is started on the first need.

    Safe to share between threads: one search runs at a time, and a search that waits
    for another waits no longer than its own limit. `close` it, or use it in a `with`
    statement; closed, it starts a new worker when it is needed again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: subprocess.Popen[bytes] | None = None

    def find_lines(
        self, query: str, source: str, text: str, seconds: float, most: int = ALL
    ) -> Lines:
        """Return the lines of `text` that match, the first `most`.

        Args:
            query: the pattern as the user knows it.
            source: the pattern as the engine reads it.
            text: lines that end at a line feed.
            seconds: the limit for everything, waiting and starting included.
            most: how many lines are wanted.

        Raises:
            PatternTimeoutError: it takes longer, or another search did.
            PatternMemoryError: it takes more memory than the worker has.
        """
        deadline = time.monotonic() + seconds
        if not self._lock.acquire(timeout=max(0.0, seconds)):
            raise PatternTimeoutError(query, seconds, waiting=True)
        try:
            left = deadline - time.monotonic()
            reply = self._ask(Request(source, text, max(0.0, left), most))
        except OSError as error:
            raise PatternError(
                query,
                f"the process that runs patterns does not start ({error.strerror}). "
                "Search for plain text.",
            ) from None
        finally:
            self._lock.release()
        return _lines(query, seconds, reply)

    def close(self) -> None:
        """End the worker, also in the middle of a search."""
        worker = self._worker
        if worker is not None:
            worker.kill()
        with self._lock:
            self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(self, request: Request) -> Reply:
        """Return the worker's reply; one that does not reply is killed and dropped."""
        worker = self._running()
        killed = threading.Event()

        def kill() -> None:
            killed.set()
            worker.kill()

        timer = threading.Timer(request.seconds + GRACE, kill)
        timer.daemon = True
        timer.start()
        try:
            reply = _exchange(worker, request)
        finally:
            timer.cancel()
        if reply is None or killed.is_set():
            self._drop()
        if reply is not None:
            return reply
        return Reply(Status.TIMED_OUT if killed.is_set() else Status.OUT_OF_MEMORY)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._worker is not None and self._worker.poll() is None:
            return self._worker
        self._drop()
        self._worker = _start()
        return self._worker

    def _drop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        worker.kill()
        worker.wait()
        for pipe in (worker.stdin, worker.stdout):
            with contextlib.suppress(OSError):  # a request may wait in its buffer
                if pipe is not None:
                    pipe.close()


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _START, *map(str, sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _exchange(worker: subprocess.Popen[bytes], request: Request) -> Reply | None:
    """Return the reply, None if the worker died."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        write_request(worker.stdin, request)
        return read_reply(worker.stdout)
    except OSError:
        return None


def _lines(query: str, seconds: float, reply: Reply) -> Lines:
    if reply.status is Status.TIMED_OUT:
        raise PatternTimeoutError(query, seconds)
    if reply.status is Status.OUT_OF_MEMORY:
        raise PatternMemoryError(query, MEMORY_BYTES // 2**20)
    if reply.status is Status.REFUSED:
        raise PatternError(query, "the engine does not accept it. Simplify it.")
    return reply.lines
