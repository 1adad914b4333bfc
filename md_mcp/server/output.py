"""The real standard output: messages go out in order, from a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue

import anyio

from md_mcp.server.stdio import write_all

HIGH_WATER_BYTES = 4 * 1024 * 1024
"""Unread answers above which nothing new is begun."""


class Output:
    """What waits to be read by the client. Used from the event loop only."""

    def __init__(self, fd: int, on_broken: Callable[[], None]) -> None:
        """Write to `fd`; `on_broken` is called when nobody reads it any more."""
        self._fd, self._on_broken = fd, on_broken
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[bytes] = SimpleQueue()
        self._unread = 0
        self._room, self._empty = asyncio.Event(), asyncio.Event()
        self._room.set()
        self._empty.set()
        threading.Thread(target=self._drain, name="md-mcp output", daemon=True).start()

    def put(self, data: bytes) -> None:
        """Send `data` when the client reads; never waits."""
        self._count(len(data))
        self._queue.put(data)

    async def room(self) -> None:
        """Wait until the client has read most of what was sent."""
        await self._room.wait()

    async def flush(self, timeout: float) -> None:
        """Wait up to `timeout` seconds for the client to read everything."""
        with anyio.move_on_after(timeout):
            await self._empty.wait()

    def _drain(self) -> None:
        """Write what is put, until the client or the loop is gone."""
        try:
            while True:
                data = self._queue.get()
                write_all(self._fd, data)
                self._loop.call_soon_threadsafe(self._count, -len(data))
        except OSError:
            self._loop.call_soon_threadsafe(self._on_broken)
        except RuntimeError:  # the loop is closed
            return

    def _count(self, change: int) -> None:
        self._unread += change
        _set_to(self._room, self._unread <= HIGH_WATER_BYTES)
        _set_to(self._empty, self._unread == 0)


def _set_to(event: asyncio.Event, value: bool) -> None:
    if value:
        event.set()
    else:
        event.clear()
