"""The index of a file, cut to what clients take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from md_mcp.files import Files

Node = dict[str, Any]

INDEX_LIMIT = 48 * 1024
"""Bytes of compact JSON above which an index leaves sections out: clients cut there."""

_REST = 400
"""Bytes set aside for the keys of an answer that leaves sections out."""


def get_index(
    files: Files, file_path: str, path: str | None = None, depth: int | None = None
) -> dict[str, Any]:
    """Return the nested index of a file, or of the subtree of one section.

    Above `INDEX_LIMIT` the deepest generations are left out: nodes that miss sections
    carry "omitted" with their number, and the answer "truncated" and "continue".
    """
    index = files.read(file_path).document.index(path, depth)
    if _size(index) <= INDEX_LIMIT:
        return index
    return _shortened(index["sections"], file_path)


def _shortened(nodes: Sequence[Node], file_path: str) -> dict[str, Any]:
    budget = INDEX_LIMIT - _REST - len(file_path.encode("utf-8", "replace"))
    for depth in range(_height(nodes) - 1, -1, -1):
        kept = [_cut_below(node, depth) for node in nodes]
        if _size(kept) > budget:
            continue
        if depth == 0 and len(kept) == 1:
            kept = [_first_children(nodes[0], budget)]
        return _truncated(kept, file_path)
    roots = list(_fitting([_cut_below(node, 0) for node in nodes], budget))
    return _truncated(roots, file_path, omitted=len(nodes) - len(roots))


def _truncated(
    nodes: Sequence[Node], file_path: str, *, omitted: int = 0
) -> dict[str, Any]:
    import json

    answer: dict[str, Any] = {"sections": list(nodes), "truncated": True}
    if omitted:
        answer["omitted"] = omitted
    partly = any(node.get("omitted") and node["children"] for node in nodes)
    name = json.dumps(file_path, ensure_ascii=False)
    answer["continue"] = (
        f'search_sections(file_path={name}, query="…", scope="headings")'
        if omitted or partly
        else f'get_index(file_path={name}, path="<path of a node with omitted>")'
    )
    return answer


def _cut_below(node: Node, depth: int) -> Node:
    """Return `node` with `depth` generations of children."""
    if not node["children"]:
        return node
    if depth == 0:
        return {**node, "children": [], "omitted": _count(node["children"])}
    return {**node, "children": [_cut_below(c, depth - 1) for c in node["children"]]}


def _first_children(node: Node, budget: int) -> Node:
    """Return `node` with as many of its children as fit, in file order."""
    bare = [_cut_below(child, 0) for child in node["children"]]
    alone = _size({**node, "children": []})
    kept = list(_fitting(bare, budget - alone))
    missing = node["children"][len(kept) :]
    if not missing:
        return {**node, "children": kept}
    return {**node, "children": kept, "omitted": _count(missing)}


def _fitting(nodes: Sequence[Node], budget: int) -> Iterator[Node]:
    for node in nodes:
        budget -= _size(node)
        if budget < 0:
            return
        yield node


def _count(nodes: Sequence[Node]) -> int:
    return sum(1 + _count(node["children"]) for node in nodes)


def _height(nodes: Sequence[Node]) -> int:
    """Return the number of generations, at most six; 0 for none."""
    return max((1 + _height(node["children"]) for node in nodes), default=0)


def _size(value: object) -> int:
    """Return the bytes of `value` as the server sends it: compact, a node a line."""
    import json

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "replace")) + text.count('{"heading":')
