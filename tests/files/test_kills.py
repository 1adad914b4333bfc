"""Kill a process at every system call of one edit, by strace's fault injection.

The signal comes when the call is entered, before it does anything. So with every call
in turn each state that an edit passes through is left behind once.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.files import Files

Swap = Callable[[str, str], Callable[[Document], Edit]]

PROGRAM = Path(__file__).parent / "programs" / "edit_once.py"
REPOSITORY = Path(__file__).resolve().parents[2]

OLD = b"# Guide\n\n## Alpha\n\none\n"
NEW = b"# Guide\n\n## Alpha\n\nthree\n"

NO_EXCHANGE = "inject=renameat2:error=EINVAL"

WAITING = {"rt_sigtimedwait", "restart_syscall"}
"""The call that the process is in when strace attaches to it."""

_CALL = re.compile(r"^(\w+)\((.*)", re.MULTILINE)

pytestmark = pytest.mark.slow


def edit_under_strace(file: Path, *options: str) -> int:
    """Edit `file` in a process that strace is attached to; return its exit code."""
    rehearsal = file.parent.parent / "rehearsal" / "a.md"
    rehearsal.parent.mkdir(exist_ok=True)
    rehearsal.write_bytes(OLD)
    path = os.pathsep.join((str(REPOSITORY), os.environ.get("PYTHONPATH", "")))
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), str(file), str(rehearsal)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as editor:
        assert editor.stdout is not None
        editor.stdout.readline()
        with subprocess.Popen(
            ["strace", *options, "-p", str(editor.pid)], stderr=subprocess.PIPE
        ) as tracer:
            assert tracer.stderr is not None
            answer = tracer.stderr.readline().decode("utf-8", "replace")
            if "attached" not in answer:
                editor.kill()
                pytest.skip(f"tracing is not allowed here: {answer}")
            editor.send_signal(signal.SIGUSR1)
            editor.wait()
            tracer.communicate()
    return editor.returncode


@pytest.fixture(scope="module", autouse=True)
def tracing() -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")


def fresh_file(folder: Path) -> tuple[Path, bool]:
    """Return a file with a mode of its own, and whether it has an attribute too."""
    folder.mkdir()
    file = folder / "a.md"
    file.write_bytes(OLD)
    file.chmod(0o640)
    try:
        os.setxattr(file, "user.note", b"kept")
    except OSError:
        return file, False
    return file, True


def calls_of_an_edit(folder: Path, *options: str) -> list[tuple[str, int]]:
    """Return name and number, by name, of each system call of the edit."""
    file, _ = fresh_file(folder)
    trace = folder.with_suffix(".trace")
    code = edit_under_strace(file, "-o", str(trace), *options)
    assert (code, file.read_bytes()) == (0, NEW)
    seen: Counter[str] = Counter()
    calls: list[tuple[str, int]] = []
    for name, rest in _CALL.findall(trace.read_text("utf-8", "replace")):
        if "mark-of-the-end" in rest:
            return calls
        if name not in WAITING:
            seen[name] += 1
            calls.append((name, seen[name]))
    raise AssertionError("the trace has no end mark")


def signal_at(
    file: Path, call: tuple[str, int], name: str, options: tuple[str, ...]
) -> int:
    """Run the edit, signal it when it enters a call of that name and number."""
    signalled = f"signal={name}:when={call[1]}"
    inject = f"inject={call[0]}:{signalled}"
    if call[0] == "renameat2" and options:
        options, inject = (), f"{NO_EXCHANGE}:{signalled}"
    quiet = ("-o", os.devnull, "-e", f"trace={call[0]},renameat2")
    return edit_under_strace(file, *quiet, *options, "-e", inject)


@pytest.mark.parametrize(
    "options", [(), ("-e", NO_EXCHANGE)], ids=["exchange", "plain rename"]
)
def test_after_a_kill_at_any_call_the_file_is_the_old_or_the_new_one(
    tmp_path: Path, swap: Swap, options: tuple[str, ...]
) -> None:
    """With the plain rename, only the calls from the first flush on are others."""
    calls = calls_of_an_edit(tmp_path / "trial", *options)
    names = [name for name, _ in calls]
    assert {"flock", "write", "fsync", "renameat2"} <= set(names)
    found: Counter[str] = Counter()
    for call in calls[names.index("fsync") if options else 0 :]:
        file, with_attribute = fresh_file(tmp_path / "{}-{}".format(*call))
        assert signal_at(file, call, "KILL", options) == -signal.SIGKILL, call

        data = file.read_bytes()
        assert data in {OLD, NEW}, call
        assert file.stat().st_mode & 0o7777 == 0o640, call
        if with_attribute:
            assert os.getxattr(file, "user.note") == b"kept", call
        found["old" if data == OLD else "new"] += 1
        found["litter"] += len(list(file.parent.iterdir())) - 1

        word = "one" if data == OLD else "three"
        Files.open([file.parent]).update(file.name, swap(word, "four"))
        assert [path.name for path in file.parent.iterdir()] == ["a.md"], call
    print(found.total() - found["litter"], "kills:", dict(found))
    assert found["old"] > 0
    assert found["new"] > 0
    assert found["litter"] > 0


def test_an_interrupt_at_any_call_leaves_no_litter_either(tmp_path: Path) -> None:
    found: Counter[str] = Counter()
    for call in calls_of_an_edit(tmp_path / "trial"):
        file, _ = fresh_file(tmp_path / "{}-{}".format(*call))
        assert signal_at(file, call, "INT", ()) == -signal.SIGINT, call
        data = file.read_bytes()
        assert data in {OLD, NEW}, call
        assert [path.name for path in file.parent.iterdir()] == ["a.md"], call
        found["old" if data == OLD else "new"] += 1
    assert found["old"] > 0
    assert found["new"] > 0
