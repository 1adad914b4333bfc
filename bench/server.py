"""Measure the server over stdio: start, ping, end, memory under a hostile client.

    python -m bench.server [--repeat N]

Prints a line a figure, with what docs/reliability.md promises. Linux only where memory
is read.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Queue
from typing import Any

HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Client:
    """One server process and raw messages to it."""

    def __init__(self, root: Path) -> None:
        """Start a server that may work in `root`."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "md_mcp", "serve", "--allow-root", str(root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.answers: Queue[dict[str, Any] | None] = Queue()

    def read(self) -> None:
        """Begin to read answers."""
        threading.Thread(target=self._pump, daemon=True).start()

    def _pump(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.answers.put(json.loads(line))
        self.answers.put(None)

    def send(self, method: str, params: Any = None, request_id: Any = None) -> None:
        """Send a request, or without an id a notification."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if request_id is not None:
            message["id"] = request_id
        if params is not None:
            message["params"] = params
        self.send_line(json.dumps(message).encode())

    def send_line(self, line: bytes) -> None:
        """Send a line as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def wait_for(self, request_id: Any) -> dict[str, Any]:
        """Return the answer to a request, all before it dropped."""
        while (answer := self.answers.get(timeout=120)) is not None:
            if answer["id"] == request_id:
                return answer
        raise SystemExit("the server has ended")

    def handshake(self) -> None:
        """Open a session."""
        self.read()
        self.send("initialize", HANDSHAKE, 0)
        self.wait_for(0)
        self.send("notifications/initialized")

    def ping_ms(self, request_id: Any) -> float:
        """Return how long a ping takes."""
        start = time.perf_counter()
        self.send("ping", None, request_id)
        self.wait_for(request_id)
        return (time.perf_counter() - start) * 1000

    def close_input(self) -> None:
        """End the input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def peak_mib(self) -> float:
        """Return the most memory that the server has held."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        (line,) = (line for line in status.split("\n") if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024

    def kill(self) -> None:
        """End the process for sure."""
        self.process.kill()
        self.process.wait()


def report(what: str, figure: str, promise: str = "") -> None:
    print(f"{what:<46}{figure:>22}  {promise}", flush=True)


def call(client: Client, request_id: Any, tool: str, **arguments: Any) -> None:
    client.send("tools/call", {"name": tool, "arguments": arguments}, request_id)


def measure_start(root: Path, repeat: int) -> None:
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        client = Client(root)
        client.handshake()
        times.append((time.perf_counter() - start) * 1000)
        client.kill()
    report("start to handshake", f"median {statistics.median(times):.0f} ms")


def measure_ping(root: Path) -> None:
    client = Client(root)
    client.handshake()
    idle = sorted(client.ping_ms(f"i{number}") for number in range(200))
    report("ping, idle", percentiles(idle), "p99 100 ms")
    # Small results: large ones would keep this process, not the server, from its pings
    heavy = (
        ("get_index", {"depth": 0}),
        ("search_sections", {"query": "lorem.*z"}),
        ("patch_section", {"path": "H.Part 7", "new_content": "new"}),
    )
    busy = []
    for number in range(40):
        tool, extra = heavy[number % 3]
        call(client, 1000 + number, tool, file_path="big.md", **extra)
    for number in range(200):
        busy.append(client.ping_ms(f"b{number}"))
        tool, extra = heavy[number % 3]
        call(client, 2000 + number, tool, file_path="big.md", **extra)
    report("ping, calls on 5 MB running", percentiles(sorted(busy)), "p99 100 ms")
    client.kill()


def percentiles(values: Sequence[float]) -> str:
    middle, high = values[len(values) // 2], values[int(len(values) * 0.99)]
    return f"p50 {middle:.1f}, p99 {high:.1f} ms"


def measure_end(root: Path, repeat: int) -> None:
    ends: dict[str, Callable[[Client], None]] = {
        "end of input": Client.close_input,
        "SIGINT": lambda client: client.process.send_signal(signal.SIGINT),
        "SIGTERM": lambda client: client.process.send_signal(signal.SIGTERM),
    }
    for name, end in ends.items():
        for busy in (False, True):
            times = [time_to_end(root, end, busy=busy) for _ in range(repeat)]
            what = f"{name} to exit, {'calls running' if busy else 'idle'}"
            report(what, f"max {max(times):.0f} ms", "500 ms")


def time_to_end(root: Path, end: Callable[[Client], None], *, busy: bool) -> float:
    client = Client(root)
    client.handshake()
    for number in range(20 if busy else 0):
        call(client, number + 1, "search_sections", file_path="big.md", query="(x|y)+z")
    client.ping_ms("p")
    start = time.perf_counter()
    end(client)
    code = client.process.wait(60)
    elapsed = (time.perf_counter() - start) * 1000
    if code != 0:
        raise SystemExit(f"exit code {code}")
    return elapsed


def measure_memory(root: Path) -> None:
    client = Client(root)
    client.handshake()
    base = client.peak_mib()
    client.send_line(b'{"jsonrpc":"2.0","id":1,"x":"' + b"x" * 100_000_000 + b'"}')
    assert "error" in client.wait_for(1)
    report(
        "memory after a line of 100 MB", f"{base:.0f} -> {client.peak_mib():.0f} MiB"
    )
    client.kill()
    client = Client(root)
    client.send("initialize", HANDSHAKE, 0)
    flood = threading.Thread(target=send_flood, args=(client,), daemon=True)
    flood.start()
    flood.join(5)
    unread = client.peak_mib()
    client.read()
    flood.join()
    answers = sum(1 for _ in range(10_001) if client.answers.get(timeout=120))
    report("memory, 10,000 results of 200 KB unread", f"{base:.0f} -> {unread:.0f} MiB")
    report("  then answered, one each", f"{answers - 1}")
    report("  ping after that", f"{client.ping_ms('end'):.1f} ms")
    client.kill()


def send_flood(client: Client) -> None:
    for number in range(10_000):
        call(client, number + 1, "get_section", file_path="part.md", path="H")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="measure the server over stdio")
    parser.add_argument("--repeat", type=int, default=5, metavar="N")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        section = "## Part {}\n\n" + "lorem ipsum dolor x\n" * 50 + "\n"
        big = "# H\n\n" + "".join(section.format(number) for number in range(5000))
        (root / "big.md").write_text(big, encoding="utf-8")
        (root / "part.md").write_text(big[:200_000], encoding="utf-8")
        os.chdir(root)
        measure_start(root, options.repeat)
        measure_ping(root)
        measure_end(root, options.repeat)
        if sys.platform == "linux":
            measure_memory(root)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
