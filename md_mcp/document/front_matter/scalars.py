"""What a plain YAML scalar means, as JSON knows it.

YAML 1.2's core schema says what is null, a boolean, an integer or a float, with three
exceptions that keep what an author wrote: a float needs a point, so that `1e3` stays
text; leading zeros stay text, and so do numbers that JSON cannot hold exactly. Dates
and `no` are text anyway. https://yaml.org/spec/1.2.2/#103-core-schema
"""

from __future__ import annotations

import math
import re

from md_mcp.document.front_matter.limits import MAX_EXACT_INTEGER

_CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,15})|0x[0-9A-Fa-f]{1,14}|0o[0-7]{1,18}")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]{1,300}|(?:0|[1-9][0-9]{0,300})\.[0-9]{0,300})"
    r"(?:[eE][-+]?[0-9]{1,4})?"
)


def plain_value(text: str) -> object:
    """Return what a plain scalar without a tag means."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        number = int(text, 0 if text.startswith(("0x", "0o")) else 10)
        return number if is_json_number(number) else text
    if _FLOAT.fullmatch(text):
        decimal = float(text)
        return decimal if is_json_number(decimal) else text
    return text


def is_json_number(value: int | float) -> bool:
    """Return whether every JSON reader takes the number as it is."""
    if isinstance(value, int):
        return abs(value) <= MAX_EXACT_INTEGER
    return math.isfinite(value)
