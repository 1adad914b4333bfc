"""The verb `panel` as a process."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from md_mcp.cli import main

MD_MCP = [sys.executable, "-m", "md_mcp", "panel"]


@contextmanager
def panel(*arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [*MD_MCP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        with process:
            yield process
            process.kill()
    finally:
        process.kill()


def first_line(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().decode().rstrip("\n")


def test_the_url_is_printed_and_can_be_opened(folder: Path) -> None:
    with panel(folder, "--port", "0") as process:
        url = first_line(process)
        with urlopen(url, timeout=20) as response:
            body = response.read()
    assert url.startswith("http://127.0.0.1:")
    assert b"<title>md-mcp panel</title>" in body


def test_the_hint_goes_to_standard_error(folder: Path) -> None:
    with panel(folder, "--port", "0") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == (
            b"md-mcp: open this address in a browser; Ctrl-C ends the panel\n"
        )


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_interrupt_ends_it_quietly(folder: Path) -> None:
    with panel(folder, "--port", "0") as process:
        first_line(process)
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert (process.wait(20), process.stderr.read()) == (130, b"")


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_port_that_is_taken_is_told(
    taken: int, folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["panel", str(folder), "--port", str(taken)]) == 2
    assert capfdbinary.readouterr().err.decode() == (
        f"md-mcp: INVALID_ARGUMENT: port {taken} cannot be used: "
        f"{os.strerror(errno.EADDRINUSE)}. "
        "Give another one with --port, or 0 for a free one.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--port", "-1"], "INVALID_ARGUMENT: port is -1: give 0 to 65535."),
        (["--port", "65536"], "INVALID_ARGUMENT: port is 65536: give 0 to 65535."),
    ],
)
def test_a_port_that_is_none_is_refused(
    arguments: list[str],
    message: str,
    folder: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert main(["panel", str(folder), *arguments]) == 2
    assert capfdbinary.readouterr().err.decode() == f"md-mcp: {message}\n"


def test_a_folder_that_is_not_there_is_told_before_anything_is_served(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["panel", str(folder / "gone"), "--port", "0"]) == 2
    out, err = capfdbinary.readouterr()
    assert (out, err.partition(b": there is")[0]) == (b"", b"md-mcp: FILE_NOT_FOUND")


def test_a_folder_outside_the_roots_is_refused(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    root = str(folder / "guides")
    assert main(["panel", str(folder), "--allow-root", root, "--port", "0"]) == 2
    assert capfdbinary.readouterr().err.startswith(b"md-mcp: OUTSIDE_ROOT: ")
