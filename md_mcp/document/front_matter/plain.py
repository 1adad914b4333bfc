r"""Blocks so plain that they can be recognised and read without composing them.

Composing costs more than scanning a whole file, and nearly every front matter is a list
of `key: value` lines. The grammar here is narrower than YAML's by far: identifiers as
keys; values that hold nothing which could be structure, a comment or an escape; lists
of such values, one to a line or in brackets; blank lines and comments. What it takes
composes to a mapping, with the same values; a property test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from md_mcp.document.front_matter.scalars import plain_value

_CONTROL = re.compile(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\xa0]")
_FOREIGN = frozenset("\u2028\u2029\ufeff\ufffe\uffff")
"""What no plain block holds: controls, tabs, the blanks, line breaks and non-characters
beyond ASCII. Looked for once, so that the classes of the expressions below stay short:
a dozen long ones take longer to compile than a block takes to compose.
"""

# Only single characters are repeated possessively: CPython before 3.11.5 matches such
# repeats of groups wrongly (https://github.com/python/cpython/issues/106052).

_EOL = r"\x20*+\r?\n"
_SKIPPED = r"(?:\x20*+(?:\#[^\r\n]*+)?\r?\n)*"
"""Blank lines and comments."""

_KEY = r"""
    (?: [A-Za-z_][A-Za-z0-9_.\-]{0,99}
      | (?P<quote>['"]) [A-Za-z0-9_\x20./@\-]{1,99} (?P=quote) )
"""

# A plain value starts with no sign that means something in YAML. A colon before a blank
# would make a key of it, a # after one a comment.
_PLAIN = r"""
    (?: [^\x00-\x20!"\#%&'()*,\-:<>?@\[\]`{|}] | [(] | -(?=[A-Za-z0-9.]) )
    (?: [^\x20\r\n:] | :(?=[^\x20\r\n]) | \x20++(?![\#\r\n]) )*
"""
_QUOTED = r"""
    (?: "[^"\\\r\n]*+" | '[^'\r\n]*+' )
"""
_VALUE = rf"(?: {_PLAIN} | {_QUOTED} )"

# In brackets only letters, digits and . / _ + - are sure to be just text.
_FLOW_ITEM = rf"""
    (?: [^\x00-\x2d:-@\[-^`{{-\x7f]
        (?: [^\x00-\x2a\x2c:-@\[-^`{{-\x7f] | \x20++(?=[^\x00-\x2d:-@\[-^`{{-\x7f]) )*
      | {_QUOTED} )
"""
_FLOW = rf"""
    \[ \x20*+ (?: {_FLOW_ITEM} \x20*+ (?: , \x20*+ (?!\]) | (?=\]) ) )* \]
"""

_ITEM = rf"-\x20++ (?P<item>{_VALUE}) {_EOL}"
_LIST = rf"""
    (?= {_SKIPPED} (?P<indent>\x20*+) - ) (?: {_SKIPPED} (?P=indent) {_ITEM} )+
"""


# Compiled when a block is there to be looked at: it takes milliseconds, and most
# documents have none.
@cache
def _entry() -> re.Pattern[str]:
    return re.compile(
        rf"""
        (?P<key>{_KEY}):
        (?: \x20++ (?: (?P<value>{_VALUE}) | (?P<flow>{_FLOW}) ) {_EOL}
          | {_EOL} (?P<list>{_LIST})? )
        {_SKIPPED}
        """,
        re.VERBOSE,
    )


@cache
def _flow_item() -> re.Pattern[str]:
    return re.compile(_FLOW_ITEM, re.VERBOSE)


@cache
def _item() -> re.Pattern[str]:
    return re.compile(rf"{_SKIPPED} \x20*+ {_ITEM}", re.VERBOSE)


def is_plain_mapping(block: str) -> bool:
    """Return whether the lines of `block` are surely one YAML mapping."""
    end = -1
    for entry in _find_entries(block):
        end = entry.end()
    return end == len(block)


def read_plain_mapping(block: str) -> dict[str, object] | None:
    """Return the entries of a plain mapping; None if it is none or repeats a key."""
    entries: dict[str, object] = {}
    end = -1
    for entry in _find_entries(block):
        key = entry["key"].strip("'\"")
        if key in entries:
            return None
        entries[key] = _entry_value(entry)
        end = entry.end()
    return entries if end == len(block) else None


def _find_entries(block: str) -> Iterator[re.Match[str]]:
    """Yield the plain entries that the block starts with, each up to the next one."""
    if "{{" in block or _CONTROL.search(block):
        return
    if not block.isascii() and not _FOREIGN.isdisjoint(block):
        return
    start = re.match(_SKIPPED, block)
    position = start.end() if start else 0
    while entry := _entry().match(block, position):
        yield entry
        position = entry.end()


def _entry_value(entry: re.Match[str]) -> object:
    if entry["flow"]:
        return [_scalar(item[0]) for item in _flow_item().finditer(entry["flow"], 1)]
    if entry["list"]:
        return [_scalar(item["item"]) for item in _item().finditer(entry["list"])]
    return _scalar(entry["value"] or "")


def _scalar(source: str) -> object:
    """Return the value of a plain scalar, or of a quoted one without escapes."""
    return source[1:-1] if source[:1] in {'"', "'"} else plain_value(source)
