"""A client that knows no more of md-mcp than any client does, and servers for it."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
ODD_SERVER = Path(__file__).with_name("odd_server.py")

PATIENCE_S = 30
"""Nothing here takes a second; only a hanging server makes a test wait."""

HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Client:
    """Raw lines to and from one server process."""

    def __init__(self, *arguments: str, stderr: int = subprocess.DEVNULL) -> None:
        path = os.pathsep.join((str(REPOSITORY), os.environ.get("PYTHONPATH", "")))
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ, "PYTHONPATH": path},
            bufsize=0,
        )
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        self.ids = 0
        self._reader: threading.Thread | None = None

    def read(self) -> None:
        """Begin to read standard output."""
        self._reader = threading.Thread(target=self._pump, daemon=True)
        self._reader.start()

    def _pump(self) -> None:
        assert self.process.stdout is not None
        with os.fdopen(os.dup(self.process.stdout.fileno()), "rb") as lines:
            for line in lines:
                self.lines.put(line)
        self.lines.put(None)

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin is not None
        data = memoryview(line + b"\n")
        while data:
            data = data[self.process.stdin.write(data) :]

    def send(self, method: str, params: Any = None, **members: Any) -> None:
        message = {"jsonrpc": "2.0", **members, "method": method}
        if params is not None:
            message["params"] = params
        self.send_line(json.dumps(message).encode())

    def receive(self) -> dict[str, Any]:
        """Return the next message; every line must be one."""
        line = self.lines.get(timeout=PATIENCE_S)
        assert line is not None, "the server has ended"
        message: dict[str, Any] = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def request(self, method: str, params: Any = None) -> dict[str, Any]:
        """Return the answer to a request; it must be the next message."""
        self.ids += 1
        self.send(method, params, id=self.ids)
        answer = self.receive()
        assert answer["id"] == self.ids
        return answer

    def handshake(self) -> dict[str, Any]:
        self.read()
        answer = self.request("initialize", HANDSHAKE)
        self.send("notifications/initialized")
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        result: dict[str, Any] = answer["result"]
        return result

    def text(self, tool: str, **arguments: Any) -> str:
        """Return the one text block of a call that must succeed."""
        result = self.call(tool, **arguments)
        assert not result["isError"], result
        return only_text(result)

    def refusal(self, tool: str, **arguments: Any) -> str:
        """Return the one text block of a call that must fail."""
        result = self.call(tool, **arguments)
        assert result["isError"], result
        return only_text(result)

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def exit_code(self) -> int:
        return self.process.wait(PATIENCE_S)

    def rest(self) -> list[dict[str, Any]]:
        """Return the messages up to the end of output."""
        return [json.loads(line) for line in iter(self._next, None)]

    def _next(self) -> bytes | None:
        return self.lines.get(timeout=PATIENCE_S)

    def clean_up(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        if self._reader is not None:
            self._reader.join(PATIENCE_S)


def only_text(result: dict[str, Any]) -> str:
    """Return the text of a result that is exactly one text block."""
    assert set(result) == {"content", "isError"}
    (block,) = result["content"]
    assert set(block) == {"type", "text"}
    text: str = block["text"]
    return text


@pytest.fixture
def start() -> Iterator[Callable[..., Client]]:
    """Start servers: `start()` the odd one, `start("-m", "md_mcp", …)` the real one."""
    clients: list[Client] = []

    def start_server(*arguments: str, stderr: int = subprocess.DEVNULL) -> Client:
        client = Client(*(arguments or (str(ODD_SERVER),)), stderr=stderr)
        clients.append(client)
        return client

    yield start_server
    for client in clients:
        client.clean_up()


@pytest.fixture(scope="module")
def serve_module() -> Iterator[Callable[..., Client]]:
    """Start servers for all tests of a module that leave them alive."""
    clients: list[Client] = []

    def start_server(*arguments: str) -> Client:
        client = Client(*arguments)
        clients.append(client)
        client.handshake()
        return client

    yield start_server
    for client in clients:
        client.clean_up()


@pytest.fixture(scope="module")
def shared(serve_module: Callable[..., Client]) -> Client:
    """Return a client of one odd server."""
    return serve_module(str(ODD_SERVER))


@pytest.fixture
def odd(start: Callable[..., Client]) -> Client:
    """Return a client of the odd server after the handshake."""
    client = start()
    client.handshake()
    return client
