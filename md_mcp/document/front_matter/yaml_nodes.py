"""YAML as nodes with positions, by ruamel.yaml's composer; nothing is constructed.

Whatever goes wrong inside the library becomes a `FrontMatterError` about the block, and
the limits hold before anything walks the nodes: depth, aliases, no two documents.
Nodes are the library's: `id` is "mapping", "sequence" or "scalar"; `value` holds pairs,
nodes or text; marks hold positions in `YamlSource.text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from md_mcp.document.front_matter.limits import MAX_ALIASES, MAX_DEPTH
from md_mcp.document.front_matter.yaml_source import (
    YamlSource,
    line_in_file,
    masked_source,
    plain_source,
)
from md_mcp.document.text import Span, line_separator
from md_mcp.errors import FrontMatterError, FrontMatterLimitError

_EXAMPLE = 'Write lines such as "title: Guide".'


@dataclass(frozen=True, slots=True)
class YamlMapping:
    """A block that is one YAML mapping: its root node and the source it came from."""

    source: YamlSource
    root: Any


class Entry(NamedTuple):
    """A key of a mapping and its value, as spans of the block.

    Block values end with the last line that says something, which is not where the
    library ends them. The value of a key alone is an empty span.
    """

    key: str
    key_span: Span
    value_span: Span


def compose_mapping(block: str, first_line: int) -> YamlMapping:
    """Return the mapping that the lines of `block` form.

    With template actions they are masked first; where that is no mapping, the lines are
    taken as they stand. `first_line` is the 1-based number of the first in the file.

    Raises:
        FrontMatterLimitError: the block nests too deep or has too many aliases.
        FrontMatterError: it is no YAML, or no mapping; carries the line.
    """
    _check_one_document(block, first_line)
    masked = masked_source(block, first_line)
    if masked is not None:
        try:
            return YamlMapping(masked, _compose(masked))
        except FrontMatterError as error:
            if isinstance(error, FrontMatterLimitError):
                raise
    source = plain_source(block, first_line)
    return YamlMapping(source, _compose(source))


def _check_one_document(block: str, first_line: int) -> None:
    """Refuse document markers, after which the library would not look any further."""
    marker = _document_marker(line_separator(block)).search(block)
    if marker is None:
        return
    line = line_in_file(block, marker.start(1), first_line)
    raise FrontMatterError(
        f'line {line} starts with "{marker[1]}", which begins or ends a YAML document; '
        "front matter is one. Remove the line, or indent it if it is text.",
        line=line,
    )


@cache
def _document_marker(separator: str) -> re.Pattern[str]:
    return re.compile(rf"(?:\A|(?<={separator}))(---|\.\.\.)(?=[ \t\r\n]|\Z)")


def _compose(source: YamlSource) -> Any:
    try:
        root = _new_library().compose(source.text)
    except RecursionError:
        raise _too_deep(source) from None
    # The library raises more than its own errors: for a bad escape, an odd directive.
    # Whatever it is, it says that the block cannot be read as YAML.
    except Exception as error:
        raise _invalid(source, error) from None
    if root is None:
        raise _no_mapping(source, "empty")
    if root.id != "mapping":
        raise _no_mapping(source, "a list" if root.id == "sequence" else "plain text")
    _check_limits(source, root)
    return root


def _new_library() -> Any:
    from ruamel.yaml import YAML

    library = YAML(typ="safe", pure=True)
    # A scalar at the deepest level counts as one more. Versions without this setting
    # end in a RecursionError instead.
    library.max_depth = MAX_DEPTH + 1
    library.Scanner = _linear_scanner()
    library.composer.warn_double_anchors = False
    return library


@cache
def _linear_scanner() -> Any:
    """Return the library's scanner without its search of all open brackets per token.

    What may be a key is noted per flow level, outermost first, so the first note is the
    oldest one; only when that is stale any other can be.
    """
    from ruamel.yaml.scanner import Scanner

    class LinearScanner(Scanner):  # type: ignore[misc, unused-ignore]
        def next_possible_simple_key(self) -> Any:
            first = next(iter(self.possible_simple_keys.values()), None)
            return None if first is None else first.token_number

        def stale_possible_simple_keys(self) -> None:
            first = next(iter(self.possible_simple_keys.values()), None)
            if first is not None and (
                first.line != self.reader.line
                or self.reader.index - first.index > _MAX_SIMPLE_KEY
            ):
                super().stale_possible_simple_keys()

    return LinearScanner


_MAX_SIMPLE_KEY = 1024
"""Characters after which a key has ended: https://yaml.org/spec/1.2.2/#example-single-pair-explicit-entry"""


def _invalid(source: YamlSource, error: Exception) -> FrontMatterError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    position = getattr(error, "position", 0) if mark is None else mark.index
    problem = getattr(error, "problem", None) or getattr(error, "reason", None)
    if type(error).__name__ == "MaxDepthExceededError":
        return _too_deep(source, position)
    line = source.line(position)
    fault = source.restore(str(problem or error).partition("\n")[0])
    if fault.startswith("expected '<document start>'"):
        fault = "it does not continue what is above"
    return FrontMatterError(
        f"line {line} is not valid YAML: {fault}. Correct the line; a value with "
        '": " or " #" in it, or with a sign of YAML at its start, needs quotes.',
        line=line,
    )


def _no_mapping(source: YamlSource, what: str) -> FrontMatterError:
    return FrontMatterError(
        f"front matter must be a mapping of keys to values, and this is {what}. "
        f"{_EXAMPLE}",
        line=source.first_line,
    )


def _too_deep(source: YamlSource, position: int = 0) -> FrontMatterLimitError:
    line = source.line(position)
    return FrontMatterLimitError(
        f"line {line} of the YAML is over {MAX_DEPTH} levels deep. Make it flatter.",
        line=line,
    )


def _check_limits(source: YamlSource, root: Any) -> None:
    """Check depth and number of aliases; a node with aliases is walked once."""
    seen: set[int] = set()
    aliases = 0
    pending = [(root, 1)]
    while pending:
        node, depth = pending.pop()
        if id(node) in seen:
            aliases += 1
            continue
        seen.add(id(node))
        if node.id == "scalar":
            continue
        if depth > MAX_DEPTH:
            raise _too_deep(source, node.start_mark.index)
        pending += [(child, depth + 1) for child in _children(node)]
    if aliases > MAX_ALIASES:
        raise FrontMatterLimitError(
            f"the YAML has {aliases} aliases; {MAX_ALIASES} is the most. Write the "
            "values out.",
            line=source.first_line,
        )


def _children(node: Any) -> Iterator[Any]:
    if node.id == "sequence":
        yield from node.value
    elif node.id == "mapping":
        for pair in node.value:
            yield from pair


def check_unique_keys(mapping: YamlMapping) -> None:
    """Check that no mapping of the block has a key twice, the nested ones included.

    Keys that lines of template actions stand between may belong to two branches.

    Raises:
        FrontMatterError: a key is there twice; carries the line of the second.
    """
    source = mapping.source
    seen: set[int] = set()
    pending = [mapping.root]
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        pending += _children(node)
        if node.id == "mapping":
            _check_keys(source, node)


def _check_keys(source: YamlSource, node: Any) -> None:
    positions: dict[str, int] = {}
    for key_node, _ in node.value:
        key, position = key_text(source, key_node), key_node.start_mark.index
        first = positions.setdefault(key, position)
        if first == position or source.is_divided(first, position):
            continue
        line = source.line(position)
        raise FrontMatterError(
            f'duplicate key "{key}" in the YAML: line {source.line(first)}, and again '
            f"line {line}. Keep one of them.",
            line=line,
        )


def key_text(source: YamlSource, node: Any) -> str:
    """Return the text that tells a key from others: its value, or all its source."""
    if node.id == "scalar":
        return source.restore(node.value)
    span = _node_span(source, node)
    return source.block[source.offset(span.start) : source.offset(span.end)]


def mapping_entries(mapping: YamlMapping) -> tuple[Entry, ...]:
    """Return the entries of the outermost mapping in order."""
    source = mapping.source
    entries = []
    position = 0
    for key, value in mapping.root.value:
        key_span = _written_span(source, key, position)
        value_span = _written_span(source, value, key_span.end)
        entries.append(
            Entry(
                key_text(source, key),
                Span(source.offset(key_span.start), source.offset(key_span.end)),
                Span(source.offset(value_span.start), source.offset(value_span.end)),
            )
        )
        position = value_span.end
    return tuple(entries)


_ALIAS = re.compile(r"(?:[ \t\r\n:,?]|#[^\r\n]*)*(\*[^ \t\r\n,\[\]{}]+)")


def _written_span(source: YamlSource, node: Any, after: int) -> Span:
    """Return the span of `source.text` that the node is written as, from `after` on.

    For an alias the library gives the node that it stands for, which is further up.
    """
    start = node.start_mark.index
    alias = _ALIAS.match(source.text, after) if start < after else None
    if alias is not None:
        return Span(*alias.span(1))
    return _node_span(source, node)


_TAG_BEFORE_ANCHOR = re.compile(r"![^ \t\r\n,\[\]{}]*(?<!:)[ \t\r\n]+\Z")


def node_start(source: YamlSource, node: Any) -> int:
    """Return where a node starts in `source.text`, its tag and anchor included.

    The library's mark is that of the anchor where the tag stands before it.
    """
    start: int = node.start_mark.index
    if not source.text.startswith("&", start):
        return start
    tag = _TAG_BEFORE_ANCHOR.search(source.text, max(0, start - 200), start)
    return tag.start() if tag else start


def _node_span(source: YamlSource, node: Any) -> Span:
    start, last = node_start(source, node), _last_node(node)
    end = last.end_mark.index
    if last.id != "scalar" and not last.flow_style:
        # What follows a collection, blank lines and comments, is not part of it.
        return Span(start, start + len(_without_comments(source.text[start:end])))
    if last.id == "scalar" and last.style in ("|", ">"):
        end = start + len(source.text[start:end].rstrip(" \t\r\n"))
    return Span(start, end)


def _last_node(node: Any) -> Any:
    """Return the last node inside a block collection, or the collection itself.

    An alias at its end, which would lead elsewhere, is not followed.
    """
    while node.id != "scalar" and not node.flow_style and node.value:
        last = node.value[-1][1] if node.id == "mapping" else node.value[-1]
        if last.start_mark.index <= node.start_mark.index:
            break
        node = last
    return node


def _without_comments(text: str) -> str:
    return re.sub(r"(?:[\r\n][ \t]*(?:#[^\r\n]*)?)+\Z", "", text)
