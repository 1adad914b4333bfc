"""Check front matter against a small schema: required keys, types, allowed values.

    required = ["title", "status"]
    keys.status = {type = "string", values = ["draft", "final"]}

Dates are text in front matter; the type "date" wants a day or a time as of ISO 8601.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from md_mcp.document.changelog.dates import is_iso_date
from md_mcp.document.finding import Finding
from md_mcp.document.front_matter import (
    FrontMatter,
    explain_front_matter,
    read_front_matter,
)
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span, split_ending, split_lines
from md_mcp.errors import ArgumentError, FrontMatterError

if TYPE_CHECKING:  # checking needs no verbs
    from md_mcp.document.edit.base import Edit

TYPES = ("string", "integer", "number", "boolean", "list", "mapping", "date")

_TIME = re.compile(r"[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?.{0,6}")


@dataclass(frozen=True, slots=True)
class KeyRule:
    """What the value of a key may be; of a list, what its items may be by value."""

    type: str = ""
    values: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Schema:
    """What front matter must hold. The empty schema wants only that it parses."""

    required: tuple[str, ...] = ()
    keys: Mapping[str, KeyRule] = field(default_factory=dict)


def parse_schema(table: Mapping[str, object]) -> Schema:
    """Return the schema that a table of a TOML file holds.

    Raises:
        ArgumentError: a key is unknown, or a value of a wrong form.
    """
    for key in table:
        if key not in ("required", "keys"):
            raise _wrong(key, 'is unknown. There are "required" and "keys"')
    required, keys = table.get("required", []), table.get("keys", {})
    if not isinstance(required, list) or not all(isinstance(k, str) for k in required):
        raise _wrong("required", 'is no list of keys. Give such as ["title"]')
    if not isinstance(keys, Mapping):
        raise _wrong("keys", "is no table. Give a table for each key")
    return Schema(tuple(required), {key: _rule(key, keys[key]) for key in keys})


def _rule(key: str, given: object) -> KeyRule:
    name = f"keys.{key}"
    if not isinstance(given, Mapping) or given.keys() - {"type", "values"}:
        raise _wrong(name, 'is to be a table of "type" and "values"')
    kind, values = given.get("type", ""), given.get("values", [])
    if kind and kind not in TYPES:
        raise _wrong(f"{name}.type", f"is none. There are {', '.join(TYPES)}")
    if not isinstance(values, list):
        raise _wrong(f"{name}.values", "is no list. List the values that are allowed")
    return KeyRule(str(kind), tuple(values))


def _wrong(name: str, reason: str) -> ArgumentError:
    return ArgumentError("front-matter", f"front-matter.{name} {reason}.")


def check_front_matter_schema(
    document: Document, schema: Schema
) -> tuple[Finding, ...]:
    """Return what is wrong with a document's front matter, by line."""
    front = document.front_matter
    if front is None:
        error = explain_front_matter(document.text)
        if error is not None:
            return (Finding(error.line or 1, "front-matter", str(error)),)
        missing = ", ".join(schema.required)
        message = f"there is no front matter; it needs {missing}"
        return (Finding(1, "required-key", message),) if missing else ()
    try:
        values = read_front_matter(document.text, front)
    except FrontMatterError as error:
        return (Finding(error.line or 1, "front-matter", str(error)),)
    found = list(_check_values(document, front, values, schema))
    return tuple(sorted(found, key=lambda finding: finding.line))


def _check_values(
    document: Document,
    front: FrontMatter,
    values: Mapping[str, object],
    schema: Schema,
) -> Iterator[Finding]:
    for key in schema.required:
        if key not in values:
            yield Finding(1, "required-key", f'the key "{key}" is missing')
    for key, rule in schema.keys.items():
        if key not in values:
            continue
        line = _line(document, front, key)
        value = values[key]
        if rule.type and not _is_of(value, rule.type):
            message = f'"{key}" is {value!r}, not of type {rule.type}'
            yield Finding(line, "type", message)
        elif rule.values and not _allowed(value, rule.values):
            known = ", ".join(map(str, rule.values))
            message = f'"{key}" is {value!r}, not one of {known}'
            yield Finding(line, "value", message)


def _is_of(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "date":
        return isinstance(value, str) and _is_date(value)
    return {
        "string": isinstance(value, str),
        "integer": isinstance(value, int),
        "number": isinstance(value, int | float),
        "list": isinstance(value, list),
        "mapping": isinstance(value, dict),
    }.get(kind, False)


def _is_date(value: str) -> bool:
    time = value[10:]
    return is_iso_date(value[:10]) and (not time or bool(_TIME.fullmatch(time)))


def _allowed(value: object, values: Sequence[object]) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(_is_among(item, values) for item in items)


def _is_among(value: object, values: Sequence[object]) -> bool:
    """Return whether an equal value of the same type is there: True is not 1."""
    return any(value == other and type(value) is type(other) for other in values)


def _line(document: Document, front: FrontMatter, key: str) -> int:
    """Return the line in which a key of the outermost level stands."""
    lines = split_lines(front.inner.of(document.text), document.separator)
    return next((n for n, line in enumerate(lines, 2) if _has_key(line, key)), 1)


def _has_key(line: str, key: str) -> bool:
    pattern = rf"[\"']?{re.escape(key)}[\"']?[ \t]*[:=]"
    return re.match(pattern, line) is not None


def respell_values(document: Document, schema: Schema) -> Edit:
    """Return the edit that spells values as the schema does: "Draft" becomes "draft".

    Only a text that stands alone on the line of its key is changed, and only where one
    allowed value differs from it by nothing but case.
    """
    from md_mcp.document.edit.base import Edit

    front, scope = document.front_matter, Span(0, len(document.text))
    splices: list[Splice] = []
    if front is not None:
        values = _values(document, front)
        for key, rule in schema.keys.items():
            splices += _respell(document, front, key, values.get(key), rule)
    ordered = sorted(splices, key=lambda splice: splice.span)
    return Edit(document, tuple(ordered), "spell values as allowed", "", scope)


def _values(document: Document, front: FrontMatter) -> dict[str, object]:
    """Return the values of a block; none where they cannot be told."""
    try:
        return read_front_matter(document.text, front)
    except FrontMatterError:
        return {}


def _respell(
    document: Document, front: FrontMatter, key: str, value: object, rule: KeyRule
) -> Iterator[Splice]:
    if not isinstance(value, str) or _is_among(value, rule.values):
        return
    texts = [other for other in rule.values if isinstance(other, str)]
    near = [other for other in texts if other.casefold() == value.casefold()]
    if len(near) != 1:
        return
    pattern = re.compile(
        rf"[\"']?{re.escape(key)}[\"']?[ \t]*[:=][ \t]*(?P<quote>[\"']?)"
        rf"(?P<value>{re.escape(value)})(?P=quote)[ \t]*(?:#.*)?"
    )
    start = front.inner.start
    for line in split_lines(front.inner.of(document.text), document.separator):
        match = pattern.fullmatch(split_ending(line, document.separator)[0])
        if match:
            at = start + match.start("value")
            yield Splice(Span(at, at + len(value)), near[0])
            return
        start += len(line)
