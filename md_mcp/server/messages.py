"""One line of standard input -> a message for the session, or the refusal of it.

Strict where the SDK's own transport guesses or stays silent: the line must be UTF-8 and
one JSON-RPC 2.0 object. A refusal names the request where its id can be read for sure;
nothing of a refused line is executed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    JSONRPCNotification,
    JSONRPCRequest,
    RequestId,
)

BOM = b"\xef\xbb\xbf"

_HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")
"""Only escapes can bring surrogates in; most lines have none."""

_ID = rb'"id"\s*:\s*(-?[0-9]{1,18}|"[^"\\\x00-\x1f]{0,200}")\s*'
_HEAD_ID = re.compile(
    rb'\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"\s*,\s*)*' + _ID + rb"[,}]"
)
"""The id among the first members of the line: as most clients write it."""

_TAIL_ID = re.compile(rb',\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*' + _ID + rb"\}\s*\Z")
"""The id as the last member: as the TypeScript SDK writes it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A JSON-RPC error that answers a line, under the id of its request if known."""

    code: int
    message: str
    request_id: RequestId | None = None


Message = JSONRPCRequest | JSONRPCNotification


def parse_message(line: bytes) -> Message | Refusal | None:
    """Return the message of `line`, its refusal, or None when it needs no answer.

    Blank lines and responses need none: the server asks the client nothing.
    """
    if not line.strip():
        return None
    if line.startswith(BOM):
        message = "the line starts with a byte order mark; send UTF-8 without one"
        return _refuse_text(PARSE_ERROR, message, line[len(BOM) :])
    try:
        value = _decode(line)
    except UnicodeDecodeError as error:
        message = (
            f"not UTF-8: bad byte at offset {error.start} of the line; nothing was done"
        )
        return _refuse_text(PARSE_ERROR, message, line)
    except RecursionError:
        return Refusal(PARSE_ERROR, "nested too deeply", read_id(line))
    except ValueError as error:
        return Refusal(PARSE_ERROR, f"not JSON: {error}", read_id(line))
    return _check_message(value, line)


def read_id(line: bytes) -> RequestId | None:
    """Return the id of a line that is not parsed, where it can only be the id."""
    found = _HEAD_ID.match(line) or _TAIL_ID.search(line[-300:])
    if found is None:
        return None
    try:
        value: RequestId = json.loads(found[1])
    except ValueError:
        return None
    return value


def _decode(line: bytes) -> Any:
    return json.loads(line.decode(), parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _refuse_text(code: int, message: str, line: bytes) -> Refusal:
    """Refuse a line of wrong encoding; its id can be read with the rest replaced."""
    try:
        value = json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return Refusal(code, message, read_id(line))
    return Refusal(code, message, _valid_id(value))


def _valid_id(value: Any) -> RequestId | None:
    request_id = value.get("id") if isinstance(value, dict) else None
    if isinstance(request_id, bool) or not isinstance(request_id, int | str):
        return None
    return None if _has_half_pair(request_id) else request_id


def _has_half_pair(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _check_message(value: Any, line: bytes) -> Message | Refusal | None:
    fault = _find_fault(value)
    if fault is None and _HALF_PAIR.search(line) and _has_half_pair(value):
        fault = (
            "half a surrogate pair (such as \\ud83d alone), which no text can hold; "
            "send the whole character"
        )
    if fault is not None:
        return Refusal(INVALID_REQUEST, fault, _valid_id(value))
    if "method" not in value:
        return None
    if "id" not in value:
        return JSONRPCNotification(
            jsonrpc="2.0", method=value["method"], params=value.get("params")
        )
    return JSONRPCRequest(
        jsonrpc="2.0",
        id=value["id"],
        method=value["method"],
        params=value.get("params"),
    )


def _find_fault(value: Any) -> str | None:
    """Return why `value` is no JSON-RPC message, None if it is one."""
    if isinstance(value, list):
        return "batches are not supported; send one message a line"
    if not isinstance(value, dict):
        return "a message is a JSON object"
    if value.get("jsonrpc") != "2.0":
        return '"jsonrpc" must be "2.0"'
    if "method" not in value:
        answers = "result" in value or "error" in value
        return None if answers else '"method" is missing'
    if not isinstance(value["method"], str):
        return '"method" must be a string'
    if not isinstance(value.get("params"), dict | None):
        return '"params" must be an object'
    if "id" in value and _valid_id(value) is None:
        return '"id" must be a string or an integer'
    return None
