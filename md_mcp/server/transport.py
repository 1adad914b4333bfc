"""The stdio transport: lines of standard input to the session, its answers back.

The SDK's own leaves what it cannot read unanswered and turns bad bytes into U+FFFD,
which an edit would write. This one answers every line that is not a message, refuses
what is too much instead of storing it, and ends in order: when input ends, on a signal,
or when nobody reads the output any more.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Self

import anyio
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCResponse,
    RequestId,
)

from md_mcp.server.framing import MAX_LINE_BYTES, LineSplitter, LongLine
from md_mcp.server.messages import Message, Refusal, parse_message, read_id
from md_mcp.server.output import Output
from md_mcp.server.stdio import Wire, read_some

MAX_REQUESTS = 64
MAX_REQUEST_BYTES = 32 * 1024 * 1024
"""Requests in flight, and the bytes of their lines together."""

TOO_MANY = -32000
"""The first of the codes that JSON-RPC leaves to servers."""

_TOO_MANY_TEXT = (
    "too many requests in flight, so this one was not begun; "
    "repeat it when others have been answered"
)

END_OF_INPUT_GRACE_S = 0.15
"""Time for the requests that were sent before the input ended."""

_CHUNK_BYTES = 64 * 1024

_Parsed = tuple[Message | Refusal, int]
"""A line as it was understood, and its size."""


class _InFlight:
    """The requests that have no answer yet."""

    def __init__(self) -> None:
        self._bytes: dict[RequestId, list[int]] = {}
        self._requests = self._total = 0
        self.empty = asyncio.Event()
        self.empty.set()

    def admit(self, request_id: RequestId, size: int) -> bool:
        """Count a request, unless there are too many."""
        full = self._total + size > MAX_REQUEST_BYTES
        if self._requests and (self._requests >= MAX_REQUESTS or full):
            return False
        self._bytes.setdefault(request_id, []).append(size)
        self._requests += 1
        self._total += size
        self.empty.clear()
        return True

    def release(self, request_id: RequestId | None) -> None:
        """Forget a request; one that was not counted does not matter."""
        sizes = self._bytes.get(request_id) if request_id is not None else None
        if not sizes:
            return
        self._total -= sizes.pop()
        self._requests -= 1
        if not sizes:
            self._bytes.pop(request_id, None)  # type: ignore[arg-type]
        if not self._requests:
            self.empty.set()


class Transport:
    """One client over two descriptors."""

    def __init__(self, wire: Wire) -> None:
        """Prepare the streams; `start` begins to read."""
        self._fd = wire.stdin
        self._loop = asyncio.get_running_loop()
        self._to_session, self.read_stream = anyio.create_memory_object_stream[
            SessionMessage | Exception
        ]()
        self.write_stream = _WriteStream(self)
        self._in_flight = _InFlight()
        self._input_ended, self._stopped = asyncio.Event(), asyncio.Event()
        self._accepting: asyncio.Task[None] | None = None
        self.output = Output(wire.stdout, self.stop)

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, name="md-mcp input", daemon=True).start()

    def stop(self) -> None:
        """Make `wait_for_end` return."""
        self._stopped.set()

    async def wait_for_end(self) -> None:
        """Return after `stop`, or when input has ended and its requests had time."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._stop_after_input)
            await self._stopped.wait()
            group.cancel_scope.cancel()

    async def close(self, grace_s: float) -> None:
        """Give answers a last moment, then end the session."""
        with anyio.move_on_after(grace_s):
            await self._in_flight.empty.wait()
        await self._to_session.aclose()

    def answer(self, message: JSONRPCMessage) -> None:
        """Send a message of the session to the client."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._in_flight.release(message.id)
        self.output.put(_encode(message))

    async def _stop_after_input(self) -> None:
        await self._input_ended.wait()
        with anyio.move_on_after(END_OF_INPUT_GRACE_S):
            await self._in_flight.empty.wait()
        self.stop()

    # --- in the thread that reads ---

    def _read(self) -> None:
        lines = LineSplitter()
        try:
            while data := self._next_chunk():
                self._pass_on(lines.feed(data))
            self._pass_on(lines.finish())
            self._loop.call_soon_threadsafe(self._input_ended.set)
        except RuntimeError:  # the loop is closed
            return

    def _next_chunk(self) -> bytes:
        try:
            return read_some(self._fd, _CHUNK_BYTES)
        except OSError:  # a terminal that is gone
            return b""

    def _pass_on(self, lines: Iterable[bytes | LongLine]) -> None:
        """Parse lines and wait until they are accepted, so that nothing piles up.

        The lines of a chunk go together: each way to the loop and back has to wait for
        the interpreter lock, which busy calls hold.
        """
        parsed = [item for line in lines if (item := _parse(line)) is not None]
        if parsed:
            accepted = threading.Event()
            self._loop.call_soon_threadsafe(self._begin, parsed, accepted)
            accepted.wait()

    # --- in the event loop ---

    def _begin(self, parsed: list[_Parsed], accepted: threading.Event) -> None:
        self._accepting = self._loop.create_task(self._accept_all(parsed))
        self._accepting.add_done_callback(lambda _: accepted.set())

    async def _accept_all(self, parsed: list[_Parsed]) -> None:
        for message, size in parsed:
            await self._accept(message, size)

    async def _accept(self, parsed: Message | Refusal, size: int) -> None:
        if isinstance(parsed, JSONRPCNotification):
            await self._deliver(SessionMessage(parsed))
            return
        await self.output.room()
        if isinstance(parsed, Refusal):
            self._refuse(parsed)
        # A ping is answered at once, whatever else is going on
        elif parsed.method == "ping" or self._in_flight.admit(parsed.id, size):
            await self._deliver(SessionMessage(parsed, self._metadata(parsed.id)))
        else:
            self._refuse(Refusal(TOO_MANY, _TOO_MANY_TEXT, parsed.id))

    async def _deliver(self, message: SessionMessage) -> None:
        try:
            await self._to_session.send(message)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return  # the session has ended

    def _metadata(self, request_id: RequestId) -> ServerMessageMetadata:
        async def release() -> None:
            self._in_flight.release(request_id)

        return ServerMessageMetadata(on_request_unanswered=release)

    def _refuse(self, refusal: Refusal) -> None:
        error = ErrorData(code=refusal.code, message=refusal.message)
        # Not through `answer`: a refused line was never counted
        message = JSONRPCError(jsonrpc="2.0", id=refusal.request_id, error=error)
        self.output.put(_encode(message))


class _WriteStream:
    """Where the session sends its messages; taking one never waits.

    So a cancelled request cannot be stuck half sent, and the number of messages that
    wait is bounded by the requests that were let in.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def send(self, item: SessionMessage, /) -> None:
        self._transport.answer(item.message)

    async def aclose(self) -> None:
        """Nothing to release: the transport owns the output."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        return None


def _parse(line: bytes | LongLine) -> _Parsed | None:
    """Return what `line` holds and its size, None when there is nothing to do."""
    if isinstance(line, LongLine):
        text = f"the line is longer than {MAX_LINE_BYTES:,} bytes; nothing was done"
        request_id = read_id(line.head + line.tail)
        return Refusal(INVALID_REQUEST, text, request_id), 0
    message = parse_message(line)
    return None if message is None else (message, len(line))


def _encode(message: JSONRPCMessage) -> bytes:
    fields = message.model_dump(by_alias=True, exclude_unset=True)
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    # Results are scrubbed already; this is for whatever else may come along
    return text.encode(errors="backslashreplace") + b"\n"
