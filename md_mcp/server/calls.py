"""Tool calls in worker threads: deadlines, cancellation, and what it must not touch.

Python cannot stop a thread. A call that is cancelled or late is let go instead: nobody
waits for it, and `Call.check`, which every write passes right before it commits,
raises. A commit that has passed it runs to its end.

The threads are daemons, so that one that hangs in the operating system cannot keep the
process from ending.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from queue import SimpleQueue

from md_mcp.errors import (
    CallCancelledError,
    CallError,
    DeadlineError,
    ServerEndingError,
)
from md_mcp.server.results import Answer

DEADLINE_S = 40.0
"""Longer than a write waits for a lock (30 s), shorter than clients wait (60 s or so):
so that what is answered says what went wrong."""

WORKERS = 3
"""Threads; with more, messages would wait longer for a turn at the interpreter lock."""

LATE_GRACE_S, END_GRACE_S = 0.2, 0.05
"""Time for a call that was let go to report what it did, for a write above all."""

_POLL_S = 0.005


class Call:
    """Whether one tool call may still write, and if not, why."""

    __slots__ = ("_end",)

    def __init__(self) -> None:
        """Begin as a call that may."""
        self._end: CallError | None = None

    def check(self) -> None:
        """Let the call go on.

        Raises:
            CallError: nobody waits for it any more; the leaf says why.
        """
        if self._end is not None:
            raise self._end

    def end(self, reason: CallError) -> None:
        """Make every further `check` raise the first `reason` given."""
        self._end = self._end or reason

    @property
    def ended(self) -> bool:
        """Whether `end` was called."""
        return self._end is not None


Work = Callable[[Call], Answer]
"""What a call does in its thread. It never raises."""


async def _at_once() -> None:
    """Start calls without waiting."""


def _always() -> bool:
    return True


@dataclass(slots=True, eq=False)
class _Job:
    work: Work
    future: asyncio.Future[Answer]
    call: Call = field(default_factory=Call)


class Calls:
    """The calls of one server, at most `workers` of them running."""

    def __init__(
        self,
        *,
        deadline_s: float = DEADLINE_S,
        workers: int = WORKERS,
        ready: Callable[[], Awaitable[None]] = _at_once,
        commits_idle: Callable[[], bool] = _always,
    ) -> None:
        """Set the limits.

        Args:
            deadline_s: how long a call may take, its wait for a thread included.
            workers: how many calls run at a time; the others wait.
            ready: a call starts only when this returns.
            commits_idle: whether no commit is running at this moment.
        """
        self._deadline_s, self._workers = deadline_s, workers
        self._ready, self._commits_idle = ready, commits_idle
        self._queue: SimpleQueue[_Job] = SimpleQueue()
        self._threads = 0
        self._waiting: set[_Job] = set()
        self._ending = False

    async def run(self, work: Work) -> Answer:
        """Return the answer of `work`; cancelling the caller cancels the call.

        Raises:
            DeadlineError: it took too long. It will begin no write any more.
            ServerEndingError: the server ends. Nor will it then.
        """
        await self._ready()
        if self._ending:
            raise ServerEndingError
        job = _Job(work, asyncio.get_running_loop().create_future())
        self._waiting.add(job)
        self._submit(job)
        try:
            return await self._wait(job)
        finally:
            job.call.end(CallCancelledError())
            self._waiting.discard(job)

    async def end(self) -> None:
        """Let every call go, accept no new ones, and wait for running commits."""
        self._ending = True
        jobs = tuple(self._waiting)
        for job in jobs:
            job.call.end(ServerEndingError())
        while not self._commits_idle():
            await asyncio.sleep(_POLL_S)
        if jobs:
            await asyncio.wait([job.future for job in jobs], timeout=END_GRACE_S)
        for job in jobs:
            if not job.future.done():
                job.future.set_exception(ServerEndingError())

    async def _wait(self, job: _Job) -> Answer:
        # asyncio.wait leaves the future alone when the waiting task is cancelled
        await asyncio.wait((job.future,), timeout=self._deadline_s)
        if not job.future.done():
            late = DeadlineError(self._deadline_s)
            job.call.end(late)
            await asyncio.wait((job.future,), timeout=LATE_GRACE_S)
            if not job.future.done():
                raise late
        return job.future.result()

    def _submit(self, job: _Job) -> None:
        self._queue.put(job)
        # All at once: later, starting one would wait for the calls that run
        while self._threads < self._workers:
            self._threads += 1
            name = f"md-mcp call {self._threads}"
            loop = job.future.get_loop()
            threading.Thread(
                target=self._serve_queue, args=(loop,), name=name, daemon=True
            ).start()

    def _serve_queue(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            job = self._queue.get()
            answer = None if job.call.ended else job.work(job.call)
            try:
                loop.call_soon_threadsafe(_deliver, job, answer)
            except RuntimeError:  # the loop has been closed: the server has ended
                return


def _deliver(job: _Job, answer: Answer | None) -> None:
    if answer is not None and not job.future.done():
        job.future.set_result(answer)
