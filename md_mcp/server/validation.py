"""Check a tool's arguments against its schema, and coerce what clients often mistype.

Models send `"true"` and `"5"` where a boolean and an integer are due, a JSON text where
a list is, and null for "left out". These are understood. A name that the tool does not
know is an error: a misspelt flag must not fall back on its default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from md_mcp.errors import ArgumentError
from md_mcp.server.tool import Schema, Tool

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")

_TYPE_NAMES = {
    "string": "a string",
    "integer": "an integer",
    "boolean": "true or false",
    "array": "a list",
}


def check_arguments(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return `arguments` as the types of the schema; those that are null left out.

    Raises:
        ArgumentError: one is unknown, missing or of a wrong type.
    """
    for name in arguments:
        if name not in tool.parameters:
            raise _unknown_argument(tool, name)
    given = {name: value for name, value in arguments.items() if value is not None}
    for name in tool.required:
        if name not in given:
            raise ArgumentError(name, f'"{name}" is missing. {_usage(tool)}')
    return {
        name: _check_value(name, value, tool.parameters[name])
        for name, value in given.items()
    }


def offer_nearest(name: str, known: Iterable[str]) -> str:
    """Return a sentence that offers the name most like `name`, or ""."""
    import difflib

    nearest = difflib.get_close_matches(name, known, n=1)
    return f' Did you mean "{nearest[0]}"?' if nearest else ""


def _unknown_argument(tool: Tool, name: str) -> ArgumentError:
    shown = name if len(name) <= 80 else f"{name[:80]}…"
    offer = offer_nearest(shown, tool.parameters)
    return ArgumentError(name, f'unknown argument "{shown}".{offer} {_usage(tool)}')


def _usage(tool: Tool) -> str:
    names = (
        name if name in tool.required else f"{name} (optional)"
        for name in tool.parameters
    )
    return f"{tool.name} takes {', '.join(names)}."


def _check_value(name: str, value: Any, schema: Schema) -> Any:
    coerced = _coerce(value, schema["type"])
    if coerced is None:
        wanted = _TYPE_NAMES[schema["type"]]
        got = _describe(value)
        raise ArgumentError(name, f'"{name}" must be {wanted}, not {got}.')
    if isinstance(coerced, str):
        _check_string(name, coerced, schema)
    return coerced


def _coerce(value: Any, kind: str) -> Any:
    """Return `value` as a `kind`, None when it is not one."""
    match kind:
        case "string":
            return value if isinstance(value, str) else None
        case "integer":
            return _coerce_integer(value)
        case "boolean":
            return _coerce_boolean(value)
        case _:
            return _coerce_list(value)


def _coerce_boolean(value: Any) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower())
    return value if isinstance(value, bool) else None


def _coerce_integer(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _INTEGER.fullmatch(value):
        return int(value)
    return None


def _coerce_list(value: Any) -> list[Any] | None:
    if isinstance(value, str):
        import json

        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, list) else None


def _check_string(name: str, value: str, schema: Schema) -> None:
    choices = schema.get("enum")
    if choices is not None and value not in choices:
        offer = ", ".join(f'"{choice}"' for choice in choices)
        raise ArgumentError(name, f'"{name}" must be one of {offer}.')
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ArgumentError(
            name,
            f'"{name}" holds half a surrogate pair at character {error.start}, which '
            "no text file can hold. Send the whole character.",
        ) from None


def _describe(value: Any) -> str:
    """Return what `value` is in the words of JSON, without its contents."""
    match value:
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return f'the string "{value[:40]}"'
        case list():
            return "a list"
        case _:
            return "an object"
