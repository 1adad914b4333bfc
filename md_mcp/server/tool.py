"""`Tool`: a row of a tool table, all that clients and the validator know of a tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]
"""A JSON Schema of one argument: `type`, or `enum` for a choice of strings."""

ToolValue = str | dict[str, Any] | list[Any]
"""What a tool function returns: text as it is, or a value to show as JSON."""

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
BOOLEAN: Schema = {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its interface as the model reads it, and the function behind it.

    `function` is called with the files and the validated arguments by name; the
    defaults of arguments that are left out are its own.
    """

    name: str
    description: str
    parameters: Mapping[str, Schema]
    """The schema of each argument, in the order in which they are shown."""

    required: tuple[str, ...]
    function: Callable[..., ToolValue]
    writes: bool = False
    destructive: bool = False
    """It can remove text, as opposed to adding some."""

    idempotent: bool = False
    """Repeating the same call changes nothing more."""

    def input_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments; it allows no others."""
        return {
            "type": "object",
            "properties": dict(self.parameters),
            "required": list(self.required),
            "additionalProperties": False,
        }
