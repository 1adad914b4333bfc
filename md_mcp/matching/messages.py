"""The messages between the server and the worker, length first, over pipes.

Nothing in a message is executed or unpickled: a request is a pattern, a text and two
limits, a reply is a status and offsets. Both sides run on one machine, so offsets are
sent as `array` holds them.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import IO

Lines = Sequence[tuple[int, int]]
"""Lines of a text, each as the offsets of its first character and of its end."""

_REQUEST = struct.Struct("!dIII")
_REPLY = struct.Struct("!BI")

ALL = 2**32 - 1
"""The most lines that can be asked for."""


class Status(IntEnum):
    """How a search ended."""

    DONE = 0
    TIMED_OUT = 1
    OUT_OF_MEMORY = 2
    REFUSED = 3


@dataclass(frozen=True, slots=True)
class Request:
    """A search: `source` in the syntax of `regex`, seconds, and how many lines."""

    source: str
    text: str
    seconds: float
    most: int = ALL


@dataclass(frozen=True, slots=True)
class Reply:
    """The lines found, none unless the search was done."""

    status: Status
    lines: Lines = ()


def write_request(stream: IO[bytes], request: Request) -> None:
    """Send a request."""
    source, text = _encode(request.source), _encode(request.text)
    sizes = _REQUEST.pack(request.seconds, request.most, len(source), len(text))
    stream.write(sizes + source)
    stream.write(text)
    stream.flush()


def read_request(stream: IO[bytes]) -> Request | None:
    """Return the next request, None when the other side is gone."""
    head = stream.read(_REQUEST.size)
    if len(head) < _REQUEST.size:
        return None
    seconds, most, source_size, text_size = _REQUEST.unpack(head)
    source, text = stream.read(source_size), stream.read(text_size)
    if len(text) < text_size:
        return None
    return Request(_decode(source), _decode(text), seconds, most)


def write_reply(stream: IO[bytes], reply: Reply) -> None:
    """Send a reply."""
    offsets = array("I", (offset for line in reply.lines for offset in line))
    stream.write(_REPLY.pack(reply.status, len(offsets)) + offsets.tobytes())
    stream.flush()


def read_reply(stream: IO[bytes]) -> Reply | None:
    """Return the reply, None when the other side is gone."""
    head = stream.read(_REPLY.size)
    if len(head) < _REPLY.size:
        return None
    status, count = _REPLY.unpack(head)
    offsets = array("I")
    data = stream.read(count * offsets.itemsize)
    if len(data) < count * offsets.itemsize:
        return None
    offsets.frombytes(data)
    return Reply(Status(status), list(zip(offsets[::2], offsets[1::2], strict=True)))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
