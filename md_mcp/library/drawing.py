"""The link graph of a folder as nodes and edges to draw, and one note to describe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from md_mcp.document.model import Document
from md_mcp.document.section import Section
from md_mcp.document.tokens import estimate_tokens
from md_mcp.errors import NoteNotFoundError
from md_mcp.files import Files
from md_mcp.library.links import BrokenLink, LinkGraph
from md_mcp.library.targets import TargetKind, without_extension

Item = dict[str, Any]


def draw_graph(files: Files, links: LinkGraph) -> Item:
    """Return `{"nodes": […], "edges": […]}`, ids being places in the list of nodes.

    Nodes are of kind "document", "section" or "missing" (a file that a link names and
    that is not there). Edges are of kind "part" (of a document), "link" or "broken",
    each with a count; a link to a heading that its document lacks is a broken edge to
    the document.
    """
    drawing = _Drawing()
    for path, title in _titles(sorted(links.notes)):
        drawing.add_document(path, title)
    for path in sorted(links.notes):
        drawing.add_sections(path, links)
        drawing.add_links(path, links)
    for broken in links.broken(files):
        drawing.add_broken(broken)
    return {"nodes": drawing.nodes, "edges": drawing.edges()}


def _titles(paths: list[str]) -> Iterator[tuple[str, str]]:
    """Yield paths with their name; one that several have comes with its folder."""
    parts = [without_extension(path).split("/") for path in paths]
    names = Counter(folders[-1] for folders in parts)
    for path, folders in zip(paths, parts, strict=True):
        yield path, "/".join(folders[-2:] if names[folders[-1]] > 1 else folders[-1:])


class _Drawing:
    def __init__(self) -> None:
        self.nodes: list[Item] = []
        self._documents: dict[str, Item] = {}
        self._missing: dict[str, Item] = {}
        self._counts: Counter[tuple[int, int, str]] = Counter()

    def _add(self, kind: str, path: str, title: str, **further: Any) -> Item:
        node = {
            "id": len(self.nodes),
            "kind": kind,
            "path": path,
            "title": title,
            **further,
        }
        self.nodes.append(node)
        return node

    def add_document(self, path: str, title: str) -> None:
        self._documents[path] = self._add("document", path, title, broken=0)

    def add_sections(self, path: str, links: LinkGraph) -> None:
        note = links.notes[path]
        for heading, title in zip(note.headings, note.titles, strict=True):
            section = self._add(
                "section", path, title, level=heading.level, line=heading.line
            )
            self._count(self._documents[path], section, "part")

    def add_links(self, path: str, links: LinkGraph) -> None:
        source = self._documents[path]
        for target, count in links.graph.out(path).items():
            if target in self._documents:
                self._count(source, self._documents[target], "link", count)

    def add_broken(self, broken: BrokenLink) -> None:
        source = self._documents[broken.source]
        source["broken"] += 1
        if broken.is_heading_missing:
            target = self._documents[broken.edge.target.path]
            if target is not source:  # it was counted as a link, which it is not
                self._count(source, target, "link", -1)
        else:
            target = self._missing_file(broken)
        self._count(source, target, "broken")

    def _missing_file(self, broken: BrokenLink) -> Item:
        path = broken.edge.target.path or broken.edge.link.path
        if path not in self._missing:
            title = path.rpartition("/")[2] or path
            self._missing[path] = self._add("missing", path, title)
        return self._missing[path]

    def _count(self, source: Item, target: Item, kind: str, count: int = 1) -> None:
        self._counts[source["id"], target["id"], kind] += count

    def edges(self) -> list[Item]:
        return [
            {"source": source, "target": target, "kind": kind, "count": count}
            for (source, target, kind), count in self._counts.items()
            if count
        ]


def describe_note(files: Files, links: LinkGraph, path: str) -> Item:
    """Return lines, tokens, sections and links of one note, for a reader.

    Raises:
        NoteNotFoundError: the folder has no such note.
        FileError: the note cannot be read.
    """
    if path not in links.notes:
        raise NoteNotFoundError(path)
    document = files.read(f"{links.directory}/{path}").document
    return {
        "path": path,
        "lines": len(document.lines),
        "tokens": estimate_tokens(document.text),
        "sections": [_describe_section(document, part) for part in document.sections],
        "out": _describe_links(files, links, path),
        "into": sorted(links.graph.into(path)),
    }


def _describe_section(document: Document, section: Section) -> Item:
    first, last = document.line_range(section.span)
    return {
        "path": section.path,
        "lines": [first, last],
        "tokens": estimate_tokens(section.span.of(document.text)),
    }


def _describe_links(files: Files, links: LinkGraph, path: str) -> list[Item]:
    """Return the links of a note; "path" is the note that one leads to, or None."""
    broken = {found.edge for found in links.broken_in(files, path)}
    return [
        {
            "line": edge.link.line,
            "written": edge.link.written,
            "broken": edge in broken,
            "path": edge.target.path if edge.target.kind is TargetKind.NOTE else None,
        }
        for edge in links.edges[path]
    ]
