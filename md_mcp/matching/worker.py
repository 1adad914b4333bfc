"""The worker process: reads requests from its standard input until that ends.

It gives itself a memory limit, and each search its time. Should it not notice that the
time is up, its parent kills it; should the parent die, the search ends in time and the
closed pipe ends the worker.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from itertools import islice

from md_mcp.document.pattern import matching_lines
from md_mcp.matching.messages import (
    Reply,
    Request,
    Status,
    read_request,
    write_reply,
)

MEMORY_BYTES = 512 * 1024 * 1024
"""Address space of the worker; regex keeps its backtracking states there."""


def main() -> None:
    """Answer requests until there are no more."""
    # An interrupt from the keyboard reaches the whole group; the server ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(MEMORY_BYTES)
    while (request := read_request(sys.stdin.buffer)) is not None:
        write_reply(sys.stdout.buffer, answer(request))


def limit_memory(size: int) -> None:
    """Limit the address space to `size` bytes where the platform can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    with contextlib.suppress(ValueError, OSError):  # macOS knows it and refuses it
        resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def answer(request: Request) -> Reply:
    """Return what a request asks for, or why that is not possible."""
    import regex

    try:
        return Reply(Status.DONE, list(islice(_lines(request), request.most)))
    except TimeoutError:
        return Reply(Status.TIMED_OUT)
    except MemoryError:
        return Reply(Status.OUT_OF_MEMORY)
    except regex.error:
        return Reply(Status.REFUSED)


def _lines(request: Request) -> Iterator[tuple[int, int]]:
    import regex

    deadline = time.monotonic() + request.seconds
    search, text = regex.compile(request.source).search, request.text

    def find(start: int) -> int:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        match = search(text, start, timeout=left)
        return -1 if match is None else match.start()

    return matching_lines(find, text)
