"""Count the commits that are running, so that a shutdown can wait for them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from threading import Condition


class Commits:
    """The commits of one process: from the last veto to the flushed directory."""

    __slots__ = ("_changed", "_running")

    def __init__(self) -> None:
        self._changed = Condition()
        self._running = 0

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Count one commit while the block runs.

        A veto is asked inside the block. So once vetoes are refused and `idle` has
        said yes, no commit is running and none will start.
        """
        with self._changed:
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def idle(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds; return whether no commit is running."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, timeout)
