"""The transport as a client meets it: raw lines to a server process and back."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Start = Callable[..., Any]

HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")


def tools_call(request_id: int, tool: str, **arguments: Any) -> bytes:
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call"}
    return json.dumps({**message, "params": params}).encode()


def wait_for_text(path: Path, text: str) -> None:
    deadline = time.monotonic() + 30
    while not (path.exists() and path.read_text(encoding="utf-8").startswith(text)):
        assert time.monotonic() < deadline
        time.sleep(0.005)


# --- lines that are no messages -------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code"),
    [
        pytest.param(b"hello", -32700, id="not JSON"),
        pytest.param(b"[]", -32600, id="a batch"),
        pytest.param(b'{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600, id="version"),
        pytest.param(b"\xef\xbb\xbf{}", -32700, id="a byte order mark"),
        pytest.param(b"[" * 10_000, -32700, id="10,000 brackets"),
        pytest.param(tools_call(5, "echo", text="\ud800"), -32600, id="a surrogate"),
        pytest.param(b"\xff", -32700, id="a byte that is not UTF-8"),
        pytest.param(b"x" * (17 * 2**20), -32600, id="17 MiB"),
    ],
)
def test_a_malformed_line_is_answered_and_the_next_call_works(
    shared: Any, line: bytes, code: int
) -> None:
    shared.send_line(line)
    assert shared.receive()["error"]["code"] == code
    assert shared.request("ping")["result"] == {}


def test_malformed_lines_may_come_first(start: Start) -> None:
    client = start()
    client.read()
    for line in (b"{", b"[]", b"\xff"):
        client.send_line(line)
        assert client.receive()["id"] is None
    assert client.handshake()["serverInfo"]["name"] == "md-mcp"


def test_bytes_that_are_not_utf8_reach_no_tool(shared: Any) -> None:
    shared.send_line(tools_call(9, "echo", text="caf?").replace(b"?", b"\xe9"))
    answer = shared.receive()
    assert answer["id"] == 9
    assert answer["error"] == {
        "code": -32700,
        "message": "not UTF-8: bad byte at offset 105 of the line; nothing was done",
    }


def test_the_replacement_character_itself_is_text_like_any_other(shared: Any) -> None:
    assert shared.text("echo", text="\ufffd") == "\ufffd"


def test_a_line_over_the_limit_is_refused_under_its_id(shared: Any) -> None:
    shared.send_line(tools_call(7, "echo", text="x" * (16 * 2**20)))
    answer = shared.receive()
    assert answer["id"] == 7
    assert answer["error"] == {
        "code": -32600,
        "message": "the line is longer than 16,777,216 bytes; nothing was done",
    }


def test_a_line_just_under_the_limit_is_a_message(shared: Any) -> None:
    text = "x" * (16 * 2**20 - 200)
    assert shared.text("echo", text=text) == text


def test_a_last_line_without_its_end_is_a_message(odd: Any) -> None:
    odd.process.stdin.write(tools_call(5, "echo", text="last"))
    odd.close_input()
    (answer,) = odd.rest()
    assert answer["id"] == 5
    assert odd.exit_code() == 0


# --- both eras ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ],
)
def test_the_handshake_agrees_on_a_version(
    start: Start, asked: str, given: str
) -> None:
    client = start()
    client.read()
    info = {"name": "test", "version": "1"}
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": info}
    result = client.request("initialize", params)["result"]
    assert result["protocolVersion"] == given
    client.send("notifications/initialized")
    assert client.text("echo", text="hi") == "hi"


def test_the_stateless_era_needs_no_handshake(start: Start) -> None:
    client = start()
    client.read()
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "echo", "arguments": {"text": "hi"}, "_meta": meta}
    result = client.request("tools/call", params)["result"]
    assert result["content"] == [{"type": "text", "text": "hi"}]
    assert result["isError"] is False
    assert "structuredContent" not in result


# --- output ---------------------------------------------------------------------------


def test_nothing_but_messages_reaches_standard_output(odd: Any) -> None:
    assert odd.text("shout") == "quiet"
    odd.close_input()
    assert odd.rest() == []


def test_stray_output_goes_to_standard_error(start: Start) -> None:
    client = start(stderr=subprocess.PIPE)
    client.handshake()
    assert client.text("shout") == "quiet"
    client.close_input()
    assert client.exit_code() == 0
    assert sorted(client.process.stderr.read().split(b"\n")) == [
        b"",
        b"a stray child",
        b"a stray line",
        b"a stray write",
    ]


def test_standard_error_that_nobody_reads_blocks_nothing(start: Start) -> None:
    client = start(stderr=subprocess.PIPE)
    client.handshake()
    assert client.text("grumble", size=3000) == "done"
    assert client.request("ping")["result"] == {}
    client.close_input()
    assert client.exit_code() == 0


def test_lone_surrogates_in_a_result_are_shown_as_escapes(shared: Any) -> None:
    assert json.loads(shared.text("surrogates")) == [
        {"file_path": r"caf\xe9.md"},
        {"file_path": r"\ud83d"},
    ]


@pytest.mark.parametrize("kind", ["exit", "interrupt", "memory", "value"])
def test_a_tool_that_fails_in_any_way_leaves_the_server_alive(
    shared: Any, kind: str
) -> None:
    assert shared.refusal("fail", kind=kind).startswith("INTERNAL_ERROR: fail failed (")
    assert shared.text("echo", text="alive") == "alive"


# --- many requests --------------------------------------------------------------------


def test_every_pipelined_request_is_answered_once(shared: Any) -> None:
    count = 10_000
    for number in range(count):
        shared.send_line(tools_call(1000 + number, "echo", text=str(number)))
    shared.send("ping", id="last")
    answers = [shared.receive() for _ in range(count + 1)]
    assert sorted(str(answer["id"]) for answer in answers) == sorted(
        [*(str(1000 + number) for number in range(count)), "last"]
    )
    for answer in answers:
        if "error" in answer:
            assert answer["error"]["code"] == -32000
        elif answer["id"] != "last":
            assert answer["result"]["content"][0]["text"] == str(answer["id"] - 1000)


def test_more_requests_than_64_in_flight_are_refused(
    shared: Any, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    for number in range(80):
        shared.send_line(tools_call(1000 + number, "hold", path=str(gate)))
    refused = [shared.receive() for _ in range(16)]
    assert [answer["id"] for answer in refused] == list(range(1064, 1080))
    assert refused[0]["error"] == {
        "code": -32000,
        "message": "too many requests in flight, so this one was not begun; "
        "repeat it when others have been answered",
    }
    assert shared.request("ping")["result"] == {}
    gate.touch()
    held = [shared.receive() for _ in range(64)]
    assert sorted(answer["id"] for answer in held) == list(range(1000, 1064))
    assert all("result" in answer for answer in held)
    assert shared.text("echo", text="again") == "again"


def test_requests_of_more_than_32_mib_in_flight_are_refused(
    shared: Any, tmp_path: Path
) -> None:
    gate, text = tmp_path / "gate", "x" * (12 * 2**20)
    for number in range(4):
        shared.send_line(tools_call(1000 + number, "hold", path=str(gate), text=text))
    shared.send_line(tools_call(1004, "hold", path=str(gate)))
    refused = [shared.receive() for _ in range(2)]
    assert [answer["id"] for answer in refused] == [1002, 1003]
    assert [answer["error"]["code"] for answer in refused] == [-32000, -32000]
    gate.touch()
    held = [shared.receive() for _ in range(3)]
    assert sorted(answer["id"] for answer in held) == [1000, 1001, 1004]


def test_a_ping_is_answered_while_calls_keep_the_server_busy(odd: Any) -> None:
    for number in range(20):
        odd.send_line(tools_call(1000 + number, "spin", milliseconds=1000))
    assert odd.request("ping")["result"] == {}


def test_a_client_that_never_reads_is_waited_for(start: Start) -> None:
    client = start()
    client.send("initialize", HANDSHAKE, id=0)
    for number in range(40):
        client.send_line(tools_call(number + 1, "fill", size=500_000))
    time.sleep(0.5)
    client.read()
    answers = [client.receive() for _ in range(41)]
    assert sorted(answer["id"] for answer in answers) == list(range(41))
    assert all("result" in answer for answer in answers)
    assert client.request("ping")["result"] == {}


# --- cancelling -----------------------------------------------------------------------


def test_a_call_cancelled_before_it_writes_writes_nothing(
    odd: Any, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    odd.send_line(tools_call(50, "write", path=str(path), before=300, during=0))
    odd.send("notifications/cancelled", {"requestId": 50})
    assert odd.text("echo", text="next") == "next"
    time.sleep(0.5)
    assert not path.exists()
    odd.close_input()
    assert odd.rest() == []


def test_a_call_cancelled_while_it_writes_is_finished_and_not_answered(
    odd: Any, tmp_path: Path
) -> None:
    path = tmp_path / "a.md"
    odd.send_line(tools_call(50, "write", path=str(path), before=0, during=300))
    wait_for_text(path, "begun ")
    odd.send("notifications/cancelled", {"requestId": 50})
    assert odd.text("echo", text="next") == "next"
    wait_for_text(path, "begun done\n")
    odd.close_input()
    assert odd.rest() == []


def test_cancelling_what_is_not_running_does_nothing(shared: Any) -> None:
    assert shared.text("echo", text="done") == "done"
    for request_id in (shared.ids, 999, "x", None):
        shared.send("notifications/cancelled", {"requestId": request_id})
    assert shared.text("echo", text="next") == "next"


def test_cancelled_calls_make_room_for_others(shared: Any, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    for number in range(64):
        shared.send_line(tools_call(1000 + number, "hold", path=str(gate)))
    for number in range(64):
        shared.send("notifications/cancelled", {"requestId": 1000 + number})
    shared.request("ping")
    gate.touch()
    assert shared.text("echo", text="in") == "in"


# --- the end --------------------------------------------------------------------------


def end_by(client: Any, how: str) -> None:
    if how == "input":
        client.close_input()
    else:
        client.process.send_signal(getattr(signal, how))


ENDS = [
    "input",
    pytest.param("SIGINT", marks=POSIX),
    pytest.param("SIGTERM", marks=POSIX),
]


@pytest.mark.parametrize("how", ENDS)
def test_an_idle_server_ends_well(odd: Any, how: str) -> None:
    end_by(odd, how)
    assert odd.rest() == []
    assert odd.exit_code() == 0


@pytest.mark.parametrize("how", ENDS)
def test_a_server_ends_before_its_handshake(start: Start, how: str) -> None:
    client = start()
    client.read()
    client.send("ping", id=1)
    assert client.receive()["id"] == 1
    end_by(client, how)
    assert client.exit_code() == 0


@pytest.mark.parametrize("how", ENDS)
def test_a_commit_that_runs_at_the_end_is_finished_and_answered(
    odd: Any, tmp_path: Path, how: str
) -> None:
    path = tmp_path / "a.md"
    odd.send_line(tools_call(50, "write", path=str(path), before=0, during=700))
    wait_for_text(path, "begun ")
    end_by(odd, how)
    (answer,) = odd.rest()
    assert answer["result"]["content"][0]["text"] == "ok"
    assert odd.exit_code() == 0
    assert path.read_bytes() == b"begun done\n"


@pytest.mark.parametrize("how", ENDS)
def test_a_write_that_has_not_begun_at_the_end_is_given_up(
    odd: Any, tmp_path: Path, how: str
) -> None:
    path = tmp_path / "a.md"
    odd.send_line(tools_call(50, "write", path=str(path), before=20_000, during=0))
    odd.request("ping")
    end_by(odd, how)
    (answer,) = odd.rest()
    text = answer["result"]["content"][0]["text"]
    assert text.startswith("SERVER_ENDING: the server is ending")
    assert odd.exit_code() == 0
    assert not path.exists()


def test_requests_sent_just_before_the_input_ends_are_answered(odd: Any) -> None:
    for number in range(20):
        odd.send_line(tools_call(1000 + number, "echo", text="x"))
    odd.close_input()
    answers = odd.rest()
    assert sorted(answer["id"] for answer in answers) == list(range(1000, 1020))
    assert all("result" in answer for answer in answers)


def test_a_server_whose_output_nobody_reads_any_more_ends(start: Start) -> None:
    client = start()
    client.process.stdout.close()
    client.send("ping", id=1)
    assert client.exit_code() == 0


def test_a_call_that_hangs_does_not_keep_the_server_from_ending(odd: Any) -> None:
    odd.send_line(tools_call(50, "spin", milliseconds=20_000))
    odd.request("ping")
    odd.close_input()
    assert odd.exit_code() == 0
