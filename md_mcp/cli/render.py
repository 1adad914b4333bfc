"""Results drawn for people: the index as a tree, matches as lines, diffs in colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from md_mcp.cli.console import Console

Node = Mapping[str, Any]


def tree_lines(nodes: Sequence[Node], console: Console) -> Iterator[str]:
    """Yield one line for each node of an index, children below their parent.

    A line shows the segment by which a path reaches the node.
    """
    for node in nodes:
        yield console.show(_segment(node, None), "path")
        yield from _branches(node, "", console)


def _branches(parent: Node, indent: str, console: Console) -> Iterator[str]:
    children: Sequence[Node] = parent["children"]
    omitted = parent.get("omitted", 0)
    for number, child in enumerate(children, 1):
        last = number == len(children) and not omitted
        yield (
            indent
            + ("└── " if last else "├── ")
            + console.show(_segment(child, parent))
        )
        yield from _branches(child, indent + ("    " if last else "│   "), console)
    if omitted:
        yield indent + console.show(f"└── … {omitted} left out", "faint")


def _segment(node: Node, parent: Node | None) -> str:
    """Return the last segment of the node's path, as it is to be typed."""
    path = str(node["path"])
    return path if parent is None else path.removeprefix(f"{parent['path']}.")


def section_lines(sections: Sequence[Node], console: Console) -> Iterator[str]:
    """Yield each section's path and below it its matches with their line numbers."""
    for section in sections:
        yield console.show(section["path"], "path")
        for match in section["matches"]:
            number = console.show(str(match["line"]), "line")
            yield f"  {number}: {console.show(match['text'])}"


def match_lines(matches: Sequence[Node], console: Console) -> Iterator[str]:
    """Yield `FILE:LINE: PATH: TEXT` for each match of a search through files."""
    for match in matches:
        file = console.show(match["file_path"], "path")
        line = console.show(str(match["line"]), "line")
        section = console.show(match["path"], "faint")
        yield f"{file}:{line}: {section}: {console.show(match['text'])}"


def diff_text(diff: str, console: Console) -> str:
    """Return the diff as it may be printed: in colour on a terminal."""
    lines = diff.split("\n")
    return "\n".join(_diff_line(line, at, console) for at, line in enumerate(lines))


def _diff_line(line: str, at: int, console: Console) -> str:
    """Return one line without its line feed, so that a carriage return is shown."""
    if at < 2:
        return console.show(line, "header")
    colours = {"+": "added", "-": "removed", "@": "hunk", "\\": "faint"}
    return console.show(line, colours.get(line[:1], ""))
