from __future__ import annotations

import pytest

from md_mcp.matching import worker
from md_mcp.matching.messages import Reply, Request, Status

BACKTRACKS = "^(?:a|aa)+$"


@pytest.mark.parametrize(
    ("request_", "reply"),
    [
        pytest.param(
            Request("(?m)b$", "ab\nba\nb\n", 9.0),
            Reply(Status.DONE, [(0, 2), (6, 7)]),
            id="all lines that match",
        ),
        pytest.param(
            Request("b", "ab\nba\nb\n", 9.0, most=2),
            Reply(Status.DONE, [(0, 2), (3, 5)]),
            id="the first lines that match",
        ),
        pytest.param(
            Request("", "a\n\n", 9.0),
            Reply(Status.DONE, [(0, 1), (2, 2)]),
            id="an empty match at each place",
        ),
        pytest.param(
            Request(BACKTRACKS, "a" * 60 + "b", 0.1),
            Reply(Status.TIMED_OUT),
            id="a pattern that takes too long",
        ),
        pytest.param(
            Request("b", "ab\n", 0.0), Reply(Status.TIMED_OUT), id="no time at all"
        ),
        pytest.param(
            Request("(", "ab\n", 9.0), Reply(Status.REFUSED), id="not a pattern"
        ),
    ],
)
def test_a_request_is_answered(request_: Request, reply: Reply) -> None:
    assert worker.answer(request_) == reply


def test_memory_that_runs_out_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(request: Request) -> None:
        raise MemoryError

    monkeypatch.setattr(worker, "_lines", run_out)
    assert worker.answer(Request("a", "a", 1.0)) == Reply(Status.OUT_OF_MEMORY)
