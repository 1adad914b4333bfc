"""The entries of a front matter block: their values, and where they stand."""

from __future__ import annotations

from md_mcp.document.front_matter.block import FrontMatter
from md_mcp.document.front_matter.plain import read_plain_mapping
from md_mcp.document.front_matter.toml_values import json_value, parse_toml
from md_mcp.document.front_matter.yaml_nodes import (
    Entry,
    compose_mapping,
    mapping_entries,
)
from md_mcp.document.front_matter.yaml_values import read_mapping
from md_mcp.document.text import Span
from md_mcp.errors import FrontMatterError


def read_front_matter(text: str, front_matter: FrontMatter) -> dict[str, object]:
    """Return the entries of the block of `text` as values that JSON knows.

    Dates, `no`, `1e3`, unknown tags and template actions are text.

    Raises:
        FrontMatterError: the block is a template that is no YAML, has a key twice, or
            aliases that expand it too far; carries the line.
    """
    block = front_matter.inner.of(text)
    if front_matter.kind == "toml":
        table = parse_toml(block, 2)
        return {key: json_value(value) for key, value in table.items()}
    plain = read_plain_mapping(block)
    if plain is not None:
        return plain
    _check_readable(front_matter)
    return read_mapping(compose_mapping(block, 2))


def front_matter_entries(text: str, front_matter: FrontMatter) -> tuple[Entry, ...]:
    """Return the outermost entries of a YAML block of `text` in order.

    Their spans are offsets into `text`.

    Raises:
        FrontMatterError: the block is TOML, or a template that is no YAML.
    """
    _check_readable(front_matter)
    if front_matter.kind == "toml":
        raise FrontMatterError(
            "entries of TOML front matter cannot be told apart. Edit its lines.", line=2
        )
    start = front_matter.inner.start
    return tuple(
        Entry(entry.key, _moved(entry.key_span, start), _moved(entry.value_span, start))
        for entry in mapping_entries(compose_mapping(front_matter.inner.of(text), 2))
    )


def _moved(span: Span, offset: int) -> Span:
    return Span(span.start + offset, span.end + offset)


def _check_readable(front_matter: FrontMatter) -> None:
    if not front_matter.checked:
        raise FrontMatterError(
            "the front matter is a template that is no YAML before it is rendered. "
            "Read its lines with get_section.",
            line=2,
        )
