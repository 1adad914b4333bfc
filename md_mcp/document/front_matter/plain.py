r"""Blocks so plain that they can be recognised and read without composing them.

Composing costs more than scanning a whole file, and nearly every front matter is a list
of `key: value` lines. The grammar here is narrower than YAML's by far: identifiers as
keys; values that hold nothing which could be structure, a comment or an escape; lists
of such values, one to a line or in brackets; blank lines and comments. What it takes
composes to a mapping, with the same values; a property test compares the two.
"""

from __future__ import annotations

import re

from md_mcp.document.front_matter.scalars import plain_value

# Only single characters are repeated possessively: CPython before 3.11.5 matches such
# repeats of groups wrongly (https://github.com/python/cpython/issues/106052).

_OTHER = "\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
"""What is printable to YAML beyond ASCII, without NBSP, line breaks and the BOM."""

_EOL = r"\x20*+\r?\n"
_SKIPPED = rf"(?:\x20*+(?:\#[\x20-~{_OTHER}]*+)?\r?\n)*"
"""Blank lines and comments."""

_KEY = r"""
    (?: [A-Za-z_][A-Za-z0-9_.\-]{0,99}
      | (?P<quote>['"]) [A-Za-z0-9_\x20./@\-]{1,99} (?P=quote) )
"""

# A colon before a blank would make a key, a # after one a comment.
_PLAIN = rf"""
    (?: [A-Za-z0-9_/(.+$^;~=\\{_OTHER}] | -(?=[A-Za-z0-9.]) )
    (?: [!-"$-9;-~{_OTHER}] | \# | :(?=[!-~{_OTHER}]) | \x20++(?![\#\r\n]) )*
"""
_QUOTED = rf"""
    (?: "[\x20!\#-\[\]-~{_OTHER}]*+" | '[\x20-&(-~{_OTHER}]*+' )
"""
_VALUE = rf"(?: {_PLAIN} | {_QUOTED} )"

_FLOW_ITEM = rf"""
    (?: [A-Za-z0-9_./{_OTHER}]
        (?: [A-Za-z0-9_./+\-{_OTHER}] | \x20++(?=[A-Za-z0-9_./{_OTHER}]) )*
      | {_QUOTED} )
"""
_FLOW = rf"""
    \[ \x20*+ (?: {_FLOW_ITEM} \x20*+ (?: , \x20*+ {_FLOW_ITEM} \x20*+ )* )? \]
"""

_ITEM = rf"-\x20++ (?: {_VALUE} ) {_EOL}"
_LIST = rf"""
    {_SKIPPED} (?P<indent>\x20*+) {_ITEM} (?: {_SKIPPED} (?P=indent) {_ITEM} )*
"""

_ENTRY = rf"""
    (?P<key>{_KEY}):
    (?: \x20++ (?: (?P<value>{_VALUE}) | (?P<flow>{_FLOW}) ) {_EOL}
      | {_EOL} (?P<list>{_LIST})? )
    {_SKIPPED}
"""

_MAPPING = re.compile(rf"{_SKIPPED} (?: {_ENTRY} )+", re.VERBOSE)
_FIRST_ENTRY = re.compile(_SKIPPED, re.VERBOSE)
_NEXT_ENTRY = re.compile(_ENTRY, re.VERBOSE)
_NEXT_FLOW_ITEM = re.compile(_FLOW_ITEM, re.VERBOSE)
_NEXT_ITEM = re.compile(rf"{_SKIPPED} \x20*+ -\x20++ ({_VALUE}) {_EOL}", re.VERBOSE)


def is_plain_mapping(block: str) -> bool:
    """Return whether the lines of `block` are surely one YAML mapping."""
    return "{{" not in block and _MAPPING.fullmatch(block) is not None


def read_plain_mapping(block: str) -> dict[str, object] | None:
    """Return the entries of a plain mapping; None if it is none or repeats a key."""
    if not is_plain_mapping(block):
        return None
    entries: dict[str, object] = {}
    start = _FIRST_ENTRY.match(block)
    position = start.end() if start else 0
    while entry := _NEXT_ENTRY.match(block, position):
        key = entry["key"].strip("'\"")
        if key in entries:
            return None
        entries[key] = _entry_value(entry)
        position = entry.end()
    return entries


def _entry_value(entry: re.Match[str]) -> object:
    if entry["flow"]:
        return [_scalar(item[0]) for item in _NEXT_FLOW_ITEM.finditer(entry["flow"], 1)]
    if entry["list"]:
        return [_scalar(item[1]) for item in _NEXT_ITEM.finditer(entry["list"])]
    return _scalar(entry["value"] or "")


def _scalar(source: str) -> object:
    """Return the value of a plain scalar, or of a quoted one without escapes."""
    return source[1:-1] if source[:1] in {'"', "'"} else plain_value(source)
