"""A server whose tools misbehave, to be started as a process by the tests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import anyio

from md_mcp.server.session import serve_wire
from md_mcp.server.stdio import claim_stdio
from md_mcp.server.tool import INTEGER, STRING, Tool


class SlowFiles:
    """Stands in for the files: a write takes a while between its last check and end."""

    def __init__(self) -> None:
        self.running = 0

    def with_check(self, check: Callable[[], None]) -> CheckedFiles:
        return CheckedFiles(self, check)

    def commits_idle(self, timeout: float) -> bool:
        return self.running == 0


@dataclass
class CheckedFiles:
    files: SlowFiles
    check: Callable[[], None]

    def write(self, path: str, before_s: float, during_s: float) -> None:
        time.sleep(before_s)
        self.files.running += 1
        try:
            self.check()
            with Path(path).open("ab", buffering=0) as file:
                file.write(b"begun ")
                time.sleep(during_s)
                file.write(b"done\n")
        finally:
            self.files.running -= 1


def write(files: CheckedFiles, path: str, before: int, during: int) -> str:
    files.write(path, before / 1000, during / 1000)
    return "ok"


def shout(files: object) -> str:
    print("a stray line")
    os.write(1, b"a stray write\n")
    subprocess.run([sys.executable, "-c", "print('a stray child')"], check=True)
    return "quiet"


def grumble(files: object, size: int) -> str:
    for _ in range(size):
        print("x" * 1000, file=sys.stderr)
    return "done"


def spin(files: object, milliseconds: int) -> str:
    end = time.monotonic() + milliseconds / 1000
    while time.monotonic() < end:
        sum(range(1000))
    return "done"


def hold(files: object, path: str, text: str = "") -> str:
    while not Path(path).exists():
        time.sleep(0.01)
    return "released"


def fail(files: object, kind: str) -> str:
    raise {
        "exit": SystemExit(3),
        "interrupt": KeyboardInterrupt(),
        "memory": MemoryError(),
        "value": ValueError("a \udc80 surrogate"),
    }[kind]


def fill(files: object, size: int) -> str:
    return "é" * size


def surrogates(files: object) -> list[dict[str, str]]:
    return [{"file_path": "caf\udce9.md"}, {"file_path": "\ud83d"}]


def echo(files: object, text: str) -> str:
    return text


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "write",
            "",
            {"path": STRING, "before": INTEGER, "during": INTEGER},
            ("path", "before", "during"),
            write,
            writes=True,
        ),
        Tool("shout", "", {}, (), shout),
        Tool("grumble", "", {"size": INTEGER}, ("size",), grumble),
        Tool("spin", "", {"milliseconds": INTEGER}, ("milliseconds",), spin),
        Tool("hold", "", {"path": STRING, "text": STRING}, ("path",), hold),
        Tool("fail", "", {"kind": STRING}, ("kind",), fail, writes=True),
        Tool("fill", "", {"size": INTEGER}, ("size",), fill),
        Tool("surrogates", "", {}, (), surrogates),
        Tool("echo", "", {"text": STRING}, ("text",), echo),
    )
}


def main() -> None:
    with claim_stdio() as wire:
        anyio.run(serve_wire, wire, TOOLS, "", SlowFiles())


if __name__ == "__main__":
    main()
