"""What a client reads: one block of text for a result, one for an error.

Hosts differ in which parts of a result the model sees; all of them show text. So a
result is one text, complete in itself: JSON without spaces, with a line break between
the items of a list, because clients cut or hide what stands on one very long line.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from md_mcp.errors import MdMcpError, report_text
from md_mcp.server.tool import ToolValue

_SURROGATE = re.compile("[\ud800-\udfff]")

UNSETTLED = (
    "It may have written before; read the section again before repeating the edit."
)
"""For an edit that was given up at a moment when it may have begun to write."""

_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Answer:
    """The one text that answers a call."""

    text: str
    is_error: bool = False


def render_value(value: ToolValue) -> str:
    """Return a tool's value as the text of its result."""
    if isinstance(value, str):
        return scrub(value)
    return _replace_surrogates(_render_json(value), "\\\\")


def render_error(error: MdMcpError, ending: str = "") -> Answer:
    """Return the answer that tells of `error`: its code, its message, `ending`."""
    return Answer(scrub(report_text(error, ending)), is_error=True)


def scrub(text: str) -> str:
    r"""Return `text` without lone surrogates, which cannot be sent, as escapes.

    A byte of a file name that is not UTF-8 is shown as `\xff`, others as `\ud800`.
    """
    return _replace_surrogates(text, "\\")


def _replace_surrogates(text: str, backslash: str) -> str:
    """Write surrogates as escapes; `backslash` is how `text` spells one."""

    def escape(match: re.Match[str]) -> str:
        code = ord(match[0])
        # PEP 383: os.fsdecode gives such a byte as U+DC00 plus its value
        is_byte = 0xDC80 <= code <= 0xDCFF
        return backslash + (f"x{code - 0xDC00:02x}" if is_byte else f"u{code:04x}")

    return text if text.isascii() else _SURROGATE.sub(escape, text)


def _render_json(value: Any) -> str:
    if isinstance(value, list):
        separator = ",\n" if value and isinstance(value[0], dict) else ","
        return f"[{separator.join(map(_render_json, value))}]"
    if isinstance(value, dict):
        members = (
            f"{_COMPACT.encode(key)}:{_render_json(item)}"
            for key, item in value.items()
        )
        return f"{{{','.join(members)}}}"
    return _COMPACT.encode(value)
