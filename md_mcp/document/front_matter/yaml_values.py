"""Values of a composed block, as JSON knows them.

Aliases are expanded and merge keys resolved, both within limits. Plain scalars mean
what `scalars` says. A tag that YAML does not define says nothing: its scalar is text.
"""

from __future__ import annotations

import re
from typing import Any

from md_mcp.document.front_matter.limits import MAX_CHARACTERS, MAX_VALUES
from md_mcp.document.front_matter.scalars import plain_value
from md_mcp.document.front_matter.yaml_nodes import (
    YamlMapping,
    check_unique_keys,
    key_text,
    node_start,
)
from md_mcp.document.front_matter.yaml_source import YamlSource
from md_mcp.errors import FrontMatterError, FrontMatterLimitError

_TAG = re.compile(r"(?:&[^ \t\r\n]+[ \t\r\n]+)?(![^ \t\r\n]*)")
"""How a node with a tag starts. The tag that it resolves to says nothing of that."""

_CORE_TAG = "tag:yaml.org,2002:"
_TAGGED_TYPES: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
}
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_mapping(mapping: YamlMapping) -> dict[str, object]:
    """Return the entries with aliases expanded and merge keys (`<<`) resolved.

    Raises:
        FrontMatterLimitError: aliases expand the block beyond all measure.
        FrontMatterError: a key is there twice, or a string is no Unicode; carries the
            line.
    """
    check_unique_keys(mapping)
    return _Reader(mapping.source).mapping(mapping.root)


class _Reader:
    """Reads the nodes of one block, counting what it makes."""

    def __init__(self, source: YamlSource) -> None:
        self._source = source
        self._values = 0
        self._characters = 0
        self._open: set[int] = set()
        """Nodes that are being read; an alias of one of them would have no end."""

    def mapping(self, node: Any) -> dict[str, object]:
        """Return the entries of a mapping node; its own ones win over merged ones."""
        self._enter(node)
        own: dict[str, object] = {}
        merged: dict[str, object] = {}
        for key, value in node.value:
            sources = _merge_sources(key, value)
            for source in sources:
                merged = {**self.mapping(source), **merged}
            if not sources:
                own[self._text(key, key_text(self._source, key))] = self._value(value)
        self._open.discard(id(node))
        return {**merged, **own}

    def _value(self, node: Any) -> object:
        if node.id == "mapping":
            return self.mapping(node)
        if node.id == "scalar":
            self._count(1)
            return self._scalar(node)
        self._enter(node)
        items = [self._value(item) for item in node.value]
        self._open.discard(id(node))
        return items

    def _scalar(self, node: Any) -> object:
        text = self._text(node, self._source.restore(node.value))
        tag = _TAG.match(self._source.text, node_start(self._source, node))
        if tag is None:
            return text if node.style else plain_value(text)
        # "!" alone says that the value is text, whatever it looks like.
        kind = str(node.tag).removeprefix(_CORE_TAG) if tag[1] != "!" else ""
        value = plain_value(text)
        return value if isinstance(value, _TAGGED_TYPES.get(kind, ())) else text

    def _text(self, node: Any, text: str) -> str:
        """Return a string of the block, counted, with surrogate pairs joined."""
        self._characters += len(text)
        self._count(0)
        if _SURROGATE.search(text) is None:
            return text
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        if _SURROGATE.search(text) is None:
            return text
        line = self._source.line(node.start_mark.index)
        raise FrontMatterError(
            f"line {line} of the YAML holds half of a surrogate pair, which is no "
            "character. Write the character itself.",
            line=line,
        )

    def _enter(self, node: Any) -> None:
        self._count(1)
        if id(node) in self._open:
            raise self._endless()
        self._open.add(id(node))

    def _count(self, values: int) -> None:
        self._values += values
        if self._values > MAX_VALUES or self._characters > MAX_CHARACTERS:
            raise self._endless()

    def _endless(self) -> FrontMatterLimitError:
        return FrontMatterLimitError(
            f"the aliases of the YAML expand to over {MAX_VALUES} values or "
            f"{MAX_CHARACTERS} characters, or into themselves. Write the values out.",
            line=self._source.first_line,
        )


def _merge_sources(key: Any, value: Any) -> list[Any]:
    """Return the mappings that a merge key names; none if it is an ordinary key."""
    if key.id != "scalar" or key.value != "<<" or key.style:
        return []
    sources = value.value if value.id == "sequence" else [value]
    return list(sources) if all(s.id == "mapping" for s in sources) else []
