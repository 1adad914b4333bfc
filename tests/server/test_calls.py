from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from md_mcp.errors import CallError, DeadlineError, ServerEndingError
from md_mcp.server import calls as calls_module
from md_mcp.server.calls import Call, Calls
from md_mcp.server.results import Answer

OK = Answer("ok")


def ok(call: Call) -> Answer:
    return OK


class Writer:
    """Work that waits, passes the last check, waits again, and tells what it did."""

    def __init__(self) -> None:
        self.started, self.checked = threading.Event(), threading.Event()
        self.may_check, self.may_finish = threading.Event(), threading.Event()
        self.events: list[str] = []
        self.running = False

    def __call__(self, call: Call) -> Answer:
        self.started.set()
        self.may_check.wait(30)
        self.running = True
        try:
            call.check()
            self.checked.set()
            self.may_finish.wait(30)
            self.events.append("written")
        except CallError as error:
            self.events.append(error.code)
        finally:
            self.running = False
        return OK

    def idle(self) -> bool:
        return not self.running


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def run(main: Callable[[], Awaitable[Any]]) -> None:
    async def within_time() -> None:
        async with asyncio.timeout(30):
            await main()

    asyncio.run(within_time())


def test_a_call_is_answered() -> None:
    async def main() -> None:
        assert await Calls().run(ok) == OK

    run(main)


def test_calls_run_at_the_same_time() -> None:
    barrier = threading.Barrier(3, timeout=30)

    def meet(call: Call) -> Answer:
        barrier.wait()
        return OK

    async def main() -> None:
        calls = Calls()
        assert await asyncio.gather(*(calls.run(meet) for _ in range(3))) == [OK] * 3

    run(main)


def test_no_more_calls_run_than_there_are_workers() -> None:
    running: list[int] = []
    peak: list[int] = []

    def work(call: Call) -> Answer:
        running.append(1)
        peak.append(len(running))
        threading.Event().wait(0.005)
        running.pop()
        return OK

    async def main() -> None:
        calls = Calls(workers=2)
        assert await asyncio.gather(*(calls.run(work) for _ in range(20))) == [OK] * 20

    run(main)
    assert max(peak) == 2


def test_a_late_call_is_given_up_and_does_not_write() -> None:
    writer = Writer()

    async def main() -> None:
        calls = Calls(deadline_s=0.02, commits_idle=writer.idle)
        with pytest.raises(DeadlineError) as caught:
            await calls.run(writer)
        assert caught.value.seconds == 0.02
        writer.may_check.set()
        await until(lambda: bool(writer.events))
        assert await calls.run(ok) == OK

    run(main)
    assert writer.events == ["DEADLINE_EXCEEDED"]


def test_a_call_waiting_for_a_thread_is_given_up_too_and_never_starts() -> None:
    writer = Writer()

    async def main() -> None:
        calls = Calls(deadline_s=0.1, workers=1)
        late = asyncio.create_task(calls.run(writer))
        await until(writer.started.is_set)
        began: list[str] = []

        def begin(call: Call) -> Answer:
            began.append("begun")
            return OK

        with pytest.raises(DeadlineError):
            await calls.run(begin)
        with pytest.raises(DeadlineError):
            await late
        writer.may_check.set()
        assert await calls.run(ok) == OK
        assert began == []

    run(main)


def test_a_call_that_commits_at_its_deadline_is_answered_as_it_went(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calls_module, "LATE_GRACE_S", 30)
    writer = Writer()
    writer.may_check.set()

    async def main() -> None:
        calls = Calls(deadline_s=0.02, commits_idle=writer.idle)
        task = asyncio.create_task(calls.run(writer))
        await until(writer.checked.is_set)
        await asyncio.sleep(0.03)
        writer.may_finish.set()
        assert await task == OK

    run(main)
    assert writer.events == ["written"]


def test_a_call_cancelled_before_its_commit_does_not_write() -> None:
    writer = Writer()

    async def main() -> None:
        calls = Calls(commits_idle=writer.idle)
        task = asyncio.create_task(calls.run(writer))
        await until(writer.started.is_set)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        writer.may_check.set()
        await until(lambda: bool(writer.events))

    run(main)
    assert writer.events == ["CANCELLED"]


def test_a_call_cancelled_during_its_commit_finishes_it() -> None:
    writer = Writer()
    writer.may_check.set()

    async def main() -> None:
        calls = Calls(commits_idle=writer.idle)
        task = asyncio.create_task(calls.run(writer))
        await until(writer.checked.is_set)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        writer.may_finish.set()
        await until(lambda: bool(writer.events))

    run(main)
    assert writer.events == ["written"]


def test_the_end_waits_for_a_commit_and_gives_up_the_rest() -> None:
    committing, reading = Writer(), Writer()
    committing.may_check.set()

    async def main() -> None:
        calls = Calls(commits_idle=committing.idle)
        tasks = [asyncio.create_task(calls.run(w)) for w in (committing, reading)]
        await until(lambda: committing.checked.is_set() and reading.started.is_set())
        end = asyncio.create_task(calls.end())
        await asyncio.sleep(0.02)
        assert not end.done()
        committing.may_finish.set()
        await end
        assert await tasks[0] == OK
        with pytest.raises(ServerEndingError):
            await tasks[1]
        with pytest.raises(ServerEndingError):
            await calls.run(ok)
        reading.may_check.set()
        await until(lambda: bool(reading.events))

    run(main)
    assert (committing.events, reading.events) == (["written"], ["SERVER_ENDING"])


def test_a_call_starts_only_when_there_is_room_for_its_answer() -> None:
    async def main() -> None:
        room = asyncio.Event()

        async def ready() -> None:
            await room.wait()

        began: list[str] = []

        def work(call: Call) -> Answer:
            began.append("begun")
            return OK

        task = asyncio.create_task(Calls(ready=ready).run(work))
        await asyncio.sleep(0.01)
        assert began == []
        room.set()
        assert await task == OK

    run(main)
