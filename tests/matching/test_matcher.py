from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import md_mcp
from md_mcp.errors import PatternError, PatternMemoryError, PatternTimeoutError
from md_mcp.matching import matcher as module
from md_mcp.matching.matcher import Matcher

PACKAGES = Path(md_mcp.__file__).parent.parent


@pytest.fixture
def matcher() -> Iterator[Matcher]:
    with Matcher() as matcher:
        yield matcher


def find(matcher: Matcher, source: str, text: str, seconds: float = 30.0) -> object:
    return matcher.find_lines(source, source, text, seconds)


def worker_id(matcher: Matcher) -> int:
    assert matcher._worker is not None
    return matcher._worker.pid


def test_one_worker_answers_all_searches(matcher: Matcher) -> None:
    assert find(matcher, "b", "ab\nc\nb") == [(0, 2), (5, 6)]
    first = worker_id(matcher)
    assert find(matcher, "é+", "é\n\U0001f600é") == [(0, 1), (2, 4)]
    assert find(matcher, "x", "ab") == []
    assert worker_id(matcher) == first


def test_only_as_many_lines_as_wanted_are_found(matcher: Matcher) -> None:
    assert matcher.find_lines("b", "b", "b\nb\nb", 30.0, most=2) == [(0, 1), (2, 3)]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        pytest.param("(?:a|aa)+$", "a" * 60 + "b", id="alternatives in a repeat"),
        pytest.param("^(?:.*?,){25}P", "," * 40, id="repeats in a repeat"),
    ],
)
def test_a_search_that_takes_too_long_is_given_up(
    matcher: Matcher, source: str, text: str
) -> None:
    with pytest.raises(PatternTimeoutError) as caught:
        find(matcher, source, text, seconds=0.3)
    assert (caught.value.code, caught.value.seconds) == ("TIMEOUT", 0.3)
    assert not caught.value.waiting
    assert find(matcher, "b", "b") == [(0, 1)]


def test_a_worker_that_does_not_answer_is_killed(
    matcher: Matcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_START", "import time; time.sleep(60)")
    with pytest.raises(PatternTimeoutError):
        find(matcher, "b", "b" * 1_000_000, seconds=0.1)
    monkeypatch.undo()
    assert find(matcher, "b", "b") == [(0, 1)]


def test_a_worker_that_dies_is_replaced(
    matcher: Matcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_START", "import os; os._exit(1)")
    with pytest.raises(PatternMemoryError) as caught:
        find(matcher, "b", "b")
    assert (caught.value.code, caught.value.megabytes) == ("OUT_OF_MEMORY", 512)
    monkeypatch.undo()
    assert find(matcher, "b", "b") == [(0, 1)]
    assert matcher._worker is not None
    matcher._worker.kill()
    matcher._worker.wait()
    assert find(matcher, "b", "b") == [(0, 1)]


@pytest.mark.skipif(sys.platform != "linux", reason="macOS sets no such limit")
def test_a_search_that_needs_too_much_memory_is_given_up(matcher: Matcher) -> None:
    with pytest.raises(PatternMemoryError):
        find(matcher, "(?:a|b|ab)*[xy]", "ab" * 8_000_000)
    assert find(matcher, "b", "b") == [(0, 1)]


def test_what_the_engine_refuses_is_an_error_about_the_pattern(
    matcher: Matcher,
) -> None:
    with pytest.raises(PatternError) as caught:
        find(matcher, "(", "b")
    assert caught.value.code == "BAD_PATTERN"


def test_without_a_python_to_start_the_error_names_the_way_out(
    matcher: Matcher, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    with pytest.raises(PatternError, match=r"does not start .* plain text"):
        find(matcher, "b", "b")


def test_a_search_waits_for_another_no_longer_than_its_own_limit(
    matcher: Matcher,
) -> None:
    find(matcher, "b", "b")
    started = threading.Event()

    def occupy() -> None:
        started.set()
        with pytest.raises(PatternTimeoutError):
            find(matcher, "(?:a|aa)+$", "a" * 60 + "b", seconds=1.0)

    other = threading.Thread(target=occupy)
    other.start()
    started.wait()
    while not matcher._lock.locked():
        pass
    with pytest.raises(PatternTimeoutError) as caught:
        find(matcher, "b", "b", seconds=0.05)
    assert caught.value.waiting
    other.join()
    assert find(matcher, "b", "b") == [(0, 1)]


def test_searches_of_several_threads_get_their_own_answers(matcher: Matcher) -> None:
    texts = ["\n" * size + "b" for size in range(1, 20)]
    answers: dict[int, object] = {}

    def search(size: int, text: str) -> None:
        answers[size] = find(matcher, "b", text)

    threads = [
        threading.Thread(target=search, args=(size, text))
        for size, text in enumerate(texts, 1)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {size: [(size, size + 1)] for size in range(1, 20)}


def test_closing_ends_the_worker_and_a_later_search_starts_one(
    matcher: Matcher,
) -> None:
    find(matcher, "b", "b")
    worker = matcher._worker
    assert worker is not None
    matcher.close()
    assert worker.returncode is not None
    assert find(matcher, "b", "b") == [(0, 1)]


def test_the_worker_ends_by_itself_when_its_input_ends(matcher: Matcher) -> None:
    find(matcher, "b", "b")
    assert matcher._worker is not None
    assert matcher._worker.stdin is not None
    matcher._worker.stdin.close()
    assert matcher._worker.wait(30) == 0


@pytest.mark.skipif(os.name != "posix", reason="sends signals to a process group")
def test_the_worker_dies_with_its_parent_even_when_that_is_killed() -> None:
    program = f"""
        import os, signal, sys
        sys.path.insert(0, {str(PACKAGES)!r})
        from md_mcp.matching.matcher import Matcher
        matcher = Matcher()
        matcher.find_lines("b", "b", "b", 30.0)
        print(matcher._worker.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    # The worker does not have this pipe, so its end says nothing about the worker;
    # the worker's own standard output is a pipe to the parent that is gone.
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        check=False,
    )
    worker = int(done.stdout)
    for _ in range(3000):
        if not is_running(worker):
            return
        threading.Event().wait(0.01)
    pytest.fail(f"the worker {worker} is still there")


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    # Where nobody waits for orphans, one that ended stays as a zombie.
    return not (stat.exists() and stat.read_text("utf-8").split()[2] == "Z")


def test_the_worker_runs_no_code_from_the_folder_it_is_started_in(
    matcher: Matcher, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("regex", "signal", "struct", "md_mcp"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(3)\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    assert find(matcher, "b", "b") == [(0, 1)]
