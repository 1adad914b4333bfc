from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import JSONRPCNotification, JSONRPCRequest

from md_mcp.server.messages import Refusal, parse_message, read_id

NOT_JSON, NOT_A_MESSAGE = -32700, -32600


def line(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def test_a_request_is_read() -> None:
    assert parse_message(line(id=7, method="m", params={"a": "é"})) == JSONRPCRequest(
        jsonrpc="2.0", id=7, method="m", params={"a": "é"}
    )


def test_a_request_without_params_is_read() -> None:
    message = parse_message(line(id="x", method="m"))
    assert message == JSONRPCRequest(jsonrpc="2.0", id="x", method="m", params=None)


def test_a_notification_is_read() -> None:
    message = parse_message(line(method="m", params={}))
    assert message == JSONRPCNotification(jsonrpc="2.0", method="m", params={})


def test_a_whole_surrogate_pair_is_a_character() -> None:
    text = b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"\\ud83d\\ude00"}}'
    message = parse_message(text)
    assert isinstance(message, JSONRPCRequest)
    assert message.params == {"a": "\U0001f600"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"", id="an empty line"),
        pytest.param(b" \t\r", id="a blank line"),
        pytest.param(line(id=1, result={}), id="a result"),
        pytest.param(line(id=1, error={"code": 1, "message": ""}), id="an error"),
    ],
)
def test_lines_that_need_no_answer_get_none(text: bytes) -> None:
    assert parse_message(text) is None


MALFORMED = [
    pytest.param(b"hello", NOT_JSON, None, id="not JSON"),
    pytest.param(b'{"jsonrpc":"2.0","id":5,"method":"m"', NOT_JSON, 5, id="cut off"),
    pytest.param(b'{"method":"m","params":{"id":5', NOT_JSON, None, id="cut inside"),
    pytest.param(b'{"id":5,"a":NaN}', NOT_JSON, 5, id="NaN"),
    pytest.param(b'{"id":5,"a":-Infinity}', NOT_JSON, 5, id="infinity"),
    pytest.param(b'{"id":5,"a":"\t"}', NOT_JSON, 5, id="a raw tab in a string"),
    pytest.param(b'{"id":5,"a":' + b"9" * 5000 + b"}", NOT_JSON, 5, id="5,000 digits"),
    pytest.param(b"[" * 10_000, NOT_JSON, None, id="10,000 open brackets"),
    pytest.param(
        b'{"id":5,"a":' + b"[" * 10_000 + b"]" * 10_000 + b"}",
        NOT_JSON,
        5,
        id="nested 10,000 deep",
    ),
    pytest.param(b'{"id":5,"a":"\xff"}', NOT_JSON, 5, id="a byte that is not UTF-8"),
    pytest.param(b'{"id":5,"a":"\xed\xa0\xbd"}', NOT_JSON, 5, id="a raw surrogate"),
    pytest.param(b"\xff", NOT_JSON, None, id="only a byte that is not UTF-8"),
    pytest.param(
        b"\xef\xbb\xbf" + line(id=5, method="m"), NOT_JSON, 5, id="a byte order mark"
    ),
    pytest.param(b"[]", NOT_A_MESSAGE, None, id="an empty batch"),
    pytest.param(
        b"[" + line(id=5, method="m") + b"]", NOT_A_MESSAGE, None, id="a batch"
    ),
    pytest.param(b"5", NOT_A_MESSAGE, None, id="a number"),
    pytest.param(b"null", NOT_A_MESSAGE, None, id="null"),
    pytest.param(b"{}", NOT_A_MESSAGE, None, id="an empty object"),
    pytest.param(line(id=5), NOT_A_MESSAGE, 5, id="neither method nor result"),
    pytest.param(
        b'{"jsonrpc":"1.0","id":5,"method":"m"}', NOT_A_MESSAGE, 5, id="version 1.0"
    ),
    pytest.param(b'{"id":5,"method":"m"}', NOT_A_MESSAGE, 5, id="no version"),
    pytest.param(
        b'{"jsonrpc":2.0,"id":5,"method":"m"}', NOT_A_MESSAGE, 5, id="version as number"
    ),
    pytest.param(line(id=5, method=7), NOT_A_MESSAGE, 5, id="a method that is none"),
    pytest.param(line(id=5, method="m", params=[1]), NOT_A_MESSAGE, 5, id="list"),
    pytest.param(line(id=5, method="m", params="x"), NOT_A_MESSAGE, 5, id="text"),
    pytest.param(line(id=None, method="m"), NOT_A_MESSAGE, None, id="id null"),
    pytest.param(line(id=1.5, method="m"), NOT_A_MESSAGE, None, id="id with fraction"),
    pytest.param(line(id=True, method="m"), NOT_A_MESSAGE, None, id="id true"),
    pytest.param(line(id=[1], method="m"), NOT_A_MESSAGE, None, id="id a list"),
    pytest.param(
        line(id="\ud800", method="m"), NOT_A_MESSAGE, None, id="id a surrogate"
    ),
    pytest.param(
        line(id=5, method="m", params={"a": ["\ud800"]}),
        NOT_A_MESSAGE,
        5,
        id="a surrogate in an argument",
    ),
    pytest.param(
        line(id=5, method="m", params={"\udfff": 1}),
        NOT_A_MESSAGE,
        5,
        id="a surrogate in a name",
    ),
]


@pytest.mark.parametrize(("text", "code", "request_id"), MALFORMED)
def test_a_malformed_line_is_refused_under_its_id(
    text: bytes, code: int, request_id: int | None
) -> None:
    refusal = parse_message(text)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.request_id) == (code, request_id)
    refusal.message.encode()


def test_a_refusal_says_what_was_wrong() -> None:
    refusal = parse_message(b'{"id":5,"a":"\xff"}')
    assert refusal == Refusal(
        NOT_JSON, "not UTF-8: bad byte at offset 13 of the line; nothing was done", 5
    )


@pytest.mark.parametrize(
    ("text", "request_id"),
    [
        (b'{"jsonrpc": "2.0", "id": 3, "method"', 3),
        (b'{"jsonrpc":"2.0","method":"tools/call","id":"a-1","params":{', "a-1"),
        (b'..."}},"jsonrpc":"2.0","id":12}', 12),
        (b'..."}}, "jsonrpc": "2.0", "id": "x" }\r', "x"),
        (b'{"method":"m","params":{"id":9,', None),
        (b'{"params":{"jsonrpc":"2.0","id":9}}', None),
        (b'..."id":9}', None),
        (b'{"id":9.5,', None),
    ],
)
def test_an_id_is_read_only_where_it_can_be_nothing_else(
    text: bytes, request_id: int | str | None
) -> None:
    assert read_id(text) == request_id


@given(st.binary())
def test_no_line_makes_the_parser_fail(text: bytes) -> None:
    parse_message(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["jsonrpc", "id", "method", "params", "result"]), inner
        )
    ),
)


@given(JSON)
def test_no_json_makes_the_parser_fail(value: Any) -> None:
    parse_message(json.dumps(value).encode())
