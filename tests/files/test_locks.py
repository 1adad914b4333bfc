from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.errors import BusyError
from md_mcp.files import Files, folder, locks
from md_mcp.files.commits import Commits
from md_mcp.files.folder import Folder
from md_mcp.files.locks import locked

Swap = Callable[[str, str], Callable[[Document], Edit]]

fcntl = pytest.importorskip("fcntl")


class StopError(Exception):
    """What a check raises to give a call up."""


def stop() -> None:
    raise StopError


def go_on() -> None:
    return None


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Folder]:
    with Folder.at(str(path)) as directory, directory.readable() as readable:
        yield readable


@pytest.fixture
def held(root: Path) -> Iterator[int]:
    """The lock on the root, held by somebody else."""
    fd = os.open(root, os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    yield fd
    os.close(fd)


@pytest.mark.usefixtures("held")
def test_a_lock_that_is_held_too_long_is_an_error(
    files: Files, root: Path, swap: Swap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "PATIENCE", 0.05)
    with pytest.raises(BusyError) as caught:
        files.update("a.md", swap("one", "1"))
    assert (caught.value.code, caught.value.path) == ("BUSY", "a.md")
    assert caught.value.waited > 0.05
    assert files.read("a.md").name == "a.md"


@pytest.mark.usefixtures("held")
def test_a_check_ends_the_waiting(files: Files, swap: Swap) -> None:
    with pytest.raises(StopError):
        files.with_check(stop).update("a.md", swap("one", "1"))


def test_a_released_lock_lets_the_waiting_through(
    files: Files, root: Path, swap: Swap, held: int
) -> None:
    timer = threading.Timer(0.05, fcntl.flock, (held, fcntl.LOCK_UN))
    timer.start()
    files.update("a.md", swap("one", "1"))
    timer.join()
    assert b"\n1\n" in (root / "a.md").read_bytes()


def test_the_kernel_releases_the_lock_of_a_killed_process(
    files: Files, root: Path, swap: Swap
) -> None:
    program = (
        "import fcntl, os, sys, time\n"
        "fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)\n"
        "print(flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(root)], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(StopError):
            files.with_check(stop).update("a.md", swap("one", "1"))
        holder.kill()
        holder.wait()
        assert files.update("a.md", swap("one", "1")).changed


def test_threads_exclude_each_other(root: Path) -> None:
    inside, most = 0, 0

    def enter() -> None:
        nonlocal inside, most
        for _ in range(20):
            with opened(root) as directory, locked(directory, "a.md", go_on):
                inside += 1
                most = max(most, inside)
                time.sleep(0.0002)
                inside -= 1

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_child_that_inherited_the_descriptor_does_not_keep_the_lock(
    root: Path,
) -> None:
    with opened(root) as directory:
        assert directory.descriptor is not None
        with locked(directory, "a.md", go_on):
            copy = os.dup(directory.descriptor)  # as a fork would leave it
    try:
        with opened(root) as directory, locked(directory, "a.md", stop) as shared:
            assert shared
    finally:
        os.close(copy)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EBADF, errno.EOPNOTSUPP])
def test_without_locks_of_the_file_system_threads_still_take_turns(
    root: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(fd: int, operation: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with opened(root) as one, opened(root) as two:
        with locked(one, "a.md", go_on) as shared:
            assert not shared
            with pytest.raises(StopError), locked(two, "a.md", stop):
                pass
        with locked(two, "a.md", stop) as shared:
            assert not shared


def test_without_directory_handles_threads_still_take_turns(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "HANDLES", False)
    with (
        opened(root) as one,
        opened(root) as two,
        locked(one, "a.md", go_on) as shared,
    ):
        assert not shared
        with pytest.raises(StopError), locked(two, "a.md", stop):
            pass


def test_a_shutdown_can_wait_for_a_running_commit() -> None:
    commits = Commits()
    entered, leave = threading.Event(), threading.Event()

    def commit() -> None:
        with commits.running():
            entered.set()
            leave.wait(10)

    thread = threading.Thread(target=commit)
    thread.start()
    entered.wait(10)
    assert not commits.idle(0.01)
    leave.set()
    assert commits.idle(10)
    thread.join()


def test_a_commit_that_fails_counts_no_longer() -> None:
    commits = Commits()
    with pytest.raises(StopError), commits.running():
        stop()
    assert commits.idle(0)
