from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.matching.messages import (
    Reply,
    Request,
    Status,
    read_reply,
    read_request,
    write_reply,
    write_request,
)

SURROGATES_TOO = st.text(st.characters(codec=None), max_size=20)


@given(SURROGATES_TOO, SURROGATES_TOO, st.floats(0, 60), st.integers(0, 2**32 - 1))
def test_a_request_arrives_as_it_was_sent(
    source: str, text: str, seconds: float, most: int
) -> None:
    pipe = io.BytesIO()
    sent = Request(source, text, seconds, most)
    write_request(pipe, sent)
    pipe.seek(0)
    assert read_request(pipe) == sent
    assert read_request(pipe) is None


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(Status.DONE, [(0, 3), (70_000, 4_000_000_000)]), id="lines"),
        pytest.param(Reply(Status.DONE, []), id="no line"),
        pytest.param(Reply(Status.TIMED_OUT, []), id="the time is up"),
    ],
)
def test_a_reply_arrives_as_it_was_sent(reply: Reply) -> None:
    pipe = io.BytesIO()
    write_reply(pipe, reply)
    pipe.seek(0)
    assert read_reply(pipe) == reply


def test_a_message_that_breaks_off_is_none() -> None:
    request, reply = io.BytesIO(), io.BytesIO()
    write_request(request, Request("a", "text", 1.0))
    write_reply(reply, Reply(Status.DONE, [(0, 1)]))
    for size in range(len(request.getvalue())):
        assert read_request(io.BytesIO(request.getvalue()[:size])) is None
    for size in range(len(reply.getvalue())):
        assert read_reply(io.BytesIO(reply.getvalue()[:size])) is None
