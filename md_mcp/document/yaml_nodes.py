"""YAML as nodes with positions, by ruamel.yaml's composer; nothing is constructed.

Whatever goes wrong inside the library becomes a `FrontMatterError` about the block.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from md_mcp.errors import FrontMatterError

MAX_DEPTH = 50
MAX_ALIASES = 100
MAX_VALUES = 10_000
"""Values that one block may expand to through aliases."""

_MAX_OPEN_BRACKETS = 500
"""Unclosed brackets from which composing, which recurses, is not even tried."""
_MAX_DIGITS = 300
"""Digits up to which a number is one; JSON readers choke on more."""

_DOCUMENT_END = re.compile(r"^\.\.\.(?:[ \t]|$)", re.MULTILINE)
_DOCUMENT_START = re.compile(r"^---(?:[ \t]|$)", re.MULTILINE)
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)")
_CONSTANTS = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
_PREFIX = "tag:yaml.org,2002:"


def check_mapping(source: str, first_line: int, *, unique_keys: bool) -> None:
    """Check that `source` is one YAML mapping within the limits.

    Raises:
        FrontMatterError: it is not; carries the line, counted from `first_line`.
    """
    root = compose_mapping(source, first_line)
    if unique_keys:
        _check_unique_keys(root, first_line)


def compose_mapping(source: str, first_line: int) -> Any:
    """Return ruamel.yaml's `MappingNode` for `source`.

    Raises:
        FrontMatterError: `source` is not YAML, no mapping, or beyond the limits.
    """
    for marker in (_DOCUMENT_END, _DOCUMENT_START):
        found = marker.search(source)
        if found:
            line = first_line + source.count("\n", 0, found.start())
            raise FrontMatterError(
                f"line {line} is {found[0].rstrip()}, which ends the YAML document. "
                "Remove the line.",
                line=line,
            )
    if _open_brackets(source) > _MAX_OPEN_BRACKETS:
        raise _too_deep(first_line)
    root = _compose(source, first_line)
    if getattr(root, "id", None) != "mapping" or not root.value:
        kind = getattr(root, "id", None) or "empty"
        raise FrontMatterError(
            f"the front matter is not a YAML mapping but {kind}. Write key: value "
            "lines.",
            line=first_line,
        )
    _check_limits(root, first_line)
    return root


def _compose(source: str, first_line: int) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).compose(source)
    except RecursionError:
        raise _too_deep(first_line) from None
    except YAMLError as error:
        raise _invalid(error, source, first_line) from None
    except Exception as error:
        # The library's own faults (a bad escape, an odd directive) end here as well:
        # whatever happens in it says that the block is not YAML that can be read.
        raise FrontMatterError(
            f"the front matter is not YAML that can be read: {error}. Correct it.",
            line=first_line,
        ) from None


def _invalid(error: Exception, source: str, first_line: int) -> FrontMatterError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or str(error).split("\n", 1)[0]
    last = source.rstrip("\n").count("\n")
    line = first_line + min(mark.line, last) if mark is not None else first_line
    return FrontMatterError(
        f"the front matter is not valid YAML at line {line}: {problem}. Correct it, "
        "for example by quoting the value.",
        line=line,
    )


def _too_deep(first_line: int) -> FrontMatterError:
    return FrontMatterError(
        f"the front matter nests deeper than {MAX_DEPTH} levels. Make it flatter.",
        line=first_line,
    )


def _open_brackets(source: str) -> int:
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", source):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _children(node: Any) -> Iterator[Any]:
    if node.id == "mapping":
        for key, value in node.value:
            yield key
            yield value
    elif node.id == "sequence":
        yield from node.value


def _check_limits(root: Any, first_line: int) -> None:
    """Check depth and number of aliases; shared nodes are walked once."""
    seen = {id(root)}
    aliases = 0
    level = [root]
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH + 1:
            raise _too_deep(first_line)
        following = []
        for node in level:
            for child in _children(node):
                if id(child) in seen:
                    aliases += 1
                    continue
                seen.add(id(child))
                following.append(child)
        level = following
    if aliases > MAX_ALIASES:
        raise FrontMatterError(
            f"the front matter has {aliases} aliases; {MAX_ALIASES} is the most. Write "
            "the values out.",
            line=first_line,
        )


def _check_unique_keys(root: Any, first_line: int) -> None:
    seen = {id(root)}
    pending = [root]
    while pending:
        node = pending.pop()
        keys: set[str] = set()
        for child in _children(node):
            if id(child) not in seen:
                seen.add(id(child))
                pending.append(child)
        for key, _ in node.value if node.id == "mapping" else ():
            if key.id != "scalar":
                continue
            if key.value in keys:
                line = first_line + key.start_mark.line
                raise FrontMatterError(
                    f'duplicate key "{key.value}" on line {line}. Keep one of them.',
                    line=line,
                )
            keys.add(key.value)


def read_mapping(
    source: str, first_line: int, masks: Mapping[str, str]
) -> dict[str, object]:
    """Return a YAML mapping as values that JSON knows.

    `masks` maps stand-ins in `source` to the template actions to put back.

    Raises:
        FrontMatterError: `source` is no such mapping, or aliases expand it too far.
    """
    reader = _Reader(first_line, masks)
    return reader.mapping(compose_mapping(source, first_line), ())


class _Reader:
    def __init__(self, first_line: int, masks: Mapping[str, str]) -> None:
        self._first_line = first_line
        self._masks = masks
        self._values = 0

    def _value(self, node: Any, above: tuple[int, ...]) -> object:
        self._values += 1
        if self._values > MAX_VALUES or id(node) in above:
            raise FrontMatterError(
                f"the aliases of the front matter expand to over {MAX_VALUES} values "
                "or into themselves. Write the values out.",
                line=self._first_line,
            )
        if node.id == "mapping":
            return self.mapping(node, above)
        if node.id == "sequence":
            return [self._value(item, (*above, id(node))) for item in node.value]
        return self._scalar(node)

    def mapping(self, node: Any, above: tuple[int, ...]) -> dict[str, object]:
        """Return the entries of a mapping node, merge keys resolved."""
        inside = (*above, id(node))
        merged: dict[str, object] = {}
        own: dict[str, object] = {}
        for key, value in node.value:
            if key.id == "scalar" and key.value == "<<" and not key.style:
                self._merge(value, inside, merged)
            else:
                own[self._key(key)] = self._value(value, inside)
        return {**merged, **own}

    def _merge(
        self, node: Any, above: tuple[int, ...], merged: dict[str, object]
    ) -> None:
        for source in node.value if node.id == "sequence" else [node]:
            value = self._value(source, above)
            if isinstance(value, dict):
                for key, entry in value.items():
                    merged.setdefault(key, entry)

    def _key(self, node: Any) -> str:
        return self._text(node.value) if node.id == "scalar" else "?"

    def _scalar(self, node: Any) -> object:
        text: str = node.value
        plain = node.style in (None, "") and self._is_untagged(node)
        if not plain:
            return self._text(text)
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if len(text) <= _MAX_DIGITS and _INTEGER.fullmatch(text):
            return int(text)
        if len(text) <= _MAX_DIGITS and _DECIMAL.fullmatch(text):
            return float(text)
        return self._text(text)

    def _is_untagged(self, node: Any) -> bool:
        tag = str(getattr(node, "tag", "") or "")
        return (tag.startswith(_PREFIX) and not tag.endswith(":str")) or not tag

    def _text(self, text: str) -> str:
        for mask, action in self._masks.items():
            if mask in text:
                text = text.replace(mask, action)
        return text


def json_value(value: object) -> object:
    """Return a value that `tomllib` read as one that JSON knows."""
    if isinstance(value, dict):
        return {key: json_value(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [json_value(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)
