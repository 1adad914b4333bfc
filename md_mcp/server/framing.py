"""Bytes from standard input -> lines, of which over-long ones are skipped, not kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_LINE_BYTES = 16 * 1024 * 1024

KEPT_BYTES = 1024
"""How much of each end of an over-long line is kept, to find its id in."""


@dataclass(frozen=True, slots=True)
class LongLine:
    """A line over the limit: its first and its last bytes."""

    head: bytes
    tail: bytes


@dataclass(slots=True)
class LineSplitter:
    r"""Cuts a stream of bytes at each `\n`, which no JSON text contains."""

    limit: int = MAX_LINE_BYTES
    _pending: bytearray = field(default_factory=bytearray)
    _head: bytes | None = None

    def feed(self, data: bytes) -> Iterator[bytes | LongLine]:
        """Yield the lines that `data` completes, without their ends."""
        *pieces, rest = data.split(b"\n")
        for piece in pieces:
            self._extend(piece)
            yield self._take()
        self._extend(rest)

    def finish(self) -> Iterator[bytes | LongLine]:
        """Yield the last line, if the stream ended within one."""
        if self._pending:
            yield self._take()

    def _extend(self, piece: bytes) -> None:
        self._pending += piece
        if self._head is None and len(self._pending) > self.limit:
            self._head = bytes(self._pending[:KEPT_BYTES])
        if self._head is not None:
            del self._pending[:-KEPT_BYTES]

    def _take(self) -> bytes | LongLine:
        line, head = bytes(self._pending), self._head
        self._pending.clear()
        self._head = None
        return line if head is None else LongLine(head, line)
