"""The command as a process: pipes, signals, bytes of arguments, exit codes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

MD_MCP = [sys.executable, "-m", "md_mcp"]


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "a.md"
    path.write_bytes(b"# A\r\n\r\none\rtwo \x1b[2J\r\n")
    return path


def run(*arguments: str | bytes | Path, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    done = subprocess.run([*MD_MCP, *arguments], input=stdin, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def test_a_pipe_gets_the_exact_bytes(document: Path) -> None:
    assert run("get", document, "A") == (0, document.read_bytes(), b"")


def test_standard_input_reaches_the_document_as_bytes(document: Path) -> None:
    assert run("replace", document, "A", "-", stdin="é\u2028\n".encode())[0] == 0
    assert document.read_bytes() == "# A\r\n\r\né\u2028\r\n".encode()


def test_standard_input_that_is_not_utf8_is_refused(document: Path) -> None:
    before = document.read_bytes()
    code, out, err = run("replace", document, "A", "-", stdin=b"caf\xe9")
    assert (code, out, document.read_bytes()) == (2, b"", before)
    assert err == (
        b'md-mcp: NOT_UTF8: "standard input" is not UTF-8: the first bad byte is at '
        b"offset 3. Convert the file to UTF-8 first. Nothing was written.\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="arguments are not bytes on Windows")
def test_an_argument_that_is_not_utf8_is_refused(document: Path) -> None:
    before = document.read_bytes()
    code, _, err = run("replace", document, "A", b"caf\xe9")
    assert (code, document.read_bytes()) == (2, before)
    assert err == (
        b"md-mcp: INVALID_ARGUMENT: content is not UTF-8: the first bad byte is at "
        b"offset 3. Give it in UTF-8. Nothing was written.\n"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="file names may be any bytes")
def test_a_file_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/caf\xe9.md"
    Path(os.fsdecode(name)).write_bytes(b"# A\n\na\n")
    code, out, err = run("replace", name, "A", "b")
    assert (code, out) == (2, b"")
    assert err.startswith(b"md-mcp: BAD_PATH: ")


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_bytes(b"# A\n\n" + b"line of text\n" * 200_000)
    process = subprocess.Popen(
        [*MD_MCP, "get", path, "A"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        assert process.stdout.read(3) == b"# A"
        process.stdout.close()
        assert (process.stderr.read(), process.wait(20)) == (b"", 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_told(document: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*MD_MCP, "get", document, "A"], stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 2
    assert done.stderr == b"md-mcp: IO_ERROR: [Errno 28] No space left on device\n"


def run_without(closed: str, *arguments: str | Path) -> tuple[int, bytes, bytes]:
    """Run as a shell does that closes streams: "<&-", ">&-", "2>&-"."""
    script = f'exec "$0" "$@" {closed}'
    command = ["sh", "-c", script, *map(str, (*MD_MCP, *arguments))]
    done = subprocess.run(command, input=b"", capture_output=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a POSIX shell")
def test_without_standard_output_what_cannot_be_printed_is_told(document: Path) -> None:
    code, out, err = run_without(">&-", "get", document, "A")
    assert (code, out) == (2, b"")
    assert err == b"md-mcp: IO_ERROR: [Errno 9] Bad file descriptor\n"


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a POSIX shell")
def test_without_standard_input_only_what_reads_it_is_refused(document: Path) -> None:
    before = document.read_bytes()
    assert run_without("<&-", "get", document, "A") == (0, before, b"")
    code, out, err = run_without("<&-", "replace", document, "A", "-")
    assert (code, out, document.read_bytes()) == (2, b"", before)
    assert err == b"md-mcp: IO_ERROR: [Errno 9] Bad file descriptor\n"


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a POSIX shell")
def test_without_standard_error_the_exit_code_tells(document: Path) -> None:
    before = document.read_bytes()
    assert run_without("2>&-", "get", document, "A") == (0, before, b"")
    assert run_without("2>&-", "get", document, "B") == (2, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a POSIX shell")
@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_without_streams_nothing_but_the_edit_gets_into_a_file(
    document: Path, closed: str
) -> None:
    run_without(closed, "replace", document, "A", "new")
    assert document.read_bytes() == b"# A\r\n\r\nnew\r\n"
    assert [path.name for path in document.parent.iterdir()] == ["a.md"]


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a POSIX shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_server_without_streams_ends(tmp_path: Path, closed: str) -> None:
    code, out, err = run_without(closed, "serve", "--allow-root", tmp_path)
    assert (code, out, err) == (0, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_interrupt_ends_quietly_with_130(document: Path) -> None:
    before = document.read_bytes()
    process = subprocess.Popen(
        [*MD_MCP, "replace", document, "A", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stderr is not None
    with process.stdin as stdin, process.stderr as stderr:
        # The write returns when all but a pipe's buffer was read: it waits for more.
        stdin.write(b"x" * 200_000)
        stdin.flush()
        assert (interrupt(process), stderr.read()) == (130, b"")
    assert document.read_bytes() == before


def interrupt(process: subprocess.Popen[bytes]) -> int:
    """Return the exit code of a process that is interrupted until it ends.

    CPython notices a signal that comes between two reads only at the next one.
    """
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(1)
    process.kill()
    return process.wait()


def test_the_output_is_utf8_whatever_the_locale(document: Path) -> None:
    document.write_bytes("# Größe\n".encode())
    done = subprocess.run(
        [*MD_MCP, "index", document],
        env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
    )
    assert (done.returncode, done.stdout) == (0, "Größe\n".encode())
