"""TOML front matter, by `tomllib`: checked, and read as values that JSON knows.

Whatever goes wrong in the library becomes a `FrontMatterError` about the block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from md_mcp.document.front_matter.limits import MAX_DEPTH
from md_mcp.document.front_matter.scalars import is_json_number
from md_mcp.document.text import BLANK, line_separator
from md_mcp.errors import FrontMatterError, FrontMatterLimitError

# The library takes time quadratic in the parts of a dotted key, so they are counted
# before it sees them. A string of so many parts is refused with them.
_PART = r"(?:[A-Za-z0-9_\-]++|\"[^\"\r\n]*+\"|'[^'\r\n]*+')"
_DEEP_KEY = re.compile(rf"(?:{_PART}[ \t]*+\.[ \t]*+){{{MAX_DEPTH}}}")

_PLACE = re.compile(r" \(at (?:line ([0-9]+), column [0-9]+|end of document)\)\Z")
_TWICE = re.compile("overwrite|twice|Duplicate|redefine", re.IGNORECASE)
"""What the library says of a key that is there already."""


def parse_toml(block: str, first_line: int) -> dict[str, object]:
    """Return the table that the lines of `block` form, as the library gives it.

    `first_line` is the 1-based number of the first of them in the file.

    Raises:
        FrontMatterLimitError: it nests too deep.
        FrontMatterError: it is no TOML, or empty; carries the line where it is known.
    """
    import tomllib

    if _DEEP_KEY.search(block):
        raise _too_deep(first_line)
    source = block.replace("\r", "\n") if line_separator(block) == "\r" else block
    try:
        table: dict[str, object] = tomllib.loads(source)
    except RecursionError:
        raise _too_deep(first_line) from None
    # Its own errors, and ValueErrors of numbers that Python does not take.
    except ValueError as error:
        raise _invalid(error, source, first_line) from None
    if not table:
        raise FrontMatterError(
            'front matter must hold entries. Write lines such as title = "Guide".',
            line=first_line,
        )
    _check_depth(table, first_line)
    return table


def _invalid(error: ValueError, source: str, first_line: int) -> FrontMatterError:
    place = _PLACE.search(str(error))
    if place is None:
        return FrontMatterError(
            "the front matter is not valid TOML: it holds a number that is none. "
            "Correct it.",
            line=first_line,
        )
    fault = str(error)[: place.start()]
    number = int(place[1]) if place[1] else source.rstrip("\n").count("\n") + 1
    line = first_line + number - 1
    if _TWICE.search(fault):
        key = source.split("\n")[number - 1].partition("=")[0].strip(BLANK + "\r")
        fault = f'duplicate key "{key}"'
    return FrontMatterError(
        f"line {line} is not valid TOML: {fault}. Correct it.", line=line
    )


def _too_deep(first_line: int) -> FrontMatterLimitError:
    return FrontMatterLimitError(
        f"the TOML nests deeper than {MAX_DEPTH} levels. Make it flatter.",
        line=first_line,
    )


def _check_depth(table: dict[str, object], first_line: int) -> None:
    level: list[object] = [table]
    for _ in range(MAX_DEPTH):
        level = [child for value in level for child in _children(value)]
        if not level:
            return
    if any(isinstance(value, dict | list) for value in level):
        raise _too_deep(first_line)


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def json_value(value: object) -> object:
    """Return a value of the library as one that JSON knows.

    Dates, times, infinities, NaN and integers that not every JSON reader takes are
    text.
    """
    if isinstance(value, dict):
        return {key: json_value(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [json_value(entry) for entry in value]
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | float) and is_json_number(value):
        return value
    # A date or time as ISO 8601 writes it, which TOML takes too.
    write_moment = getattr(value, "isoformat", None)
    return write_moment() if write_moment else str(value)
