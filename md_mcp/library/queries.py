"""Questions about the link graph of a folder, each with an answer that JSON knows.

A query is a function of a `Question`. Ranked lists hold at most `limit` items, and then
say how many there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from md_mcp.document.front_matter import read_front_matter
from md_mcp.document.model import Document
from md_mcp.errors import ArgumentError, FrontMatterError, NoteNotFoundError
from md_mcp.files import Files
from md_mcp.library.links import BrokenLink, LinkGraph
from md_mcp.library.note import NoteLink
from md_mcp.library.targets import TargetKind, name_key

Answer = dict[str, Any]

_MAX_CANDIDATES = 10
"""Notes that are offered for a name that fits none, or several."""


class _SeveralNotes(Exception):
    """Several notes, or none but similar ones, answer to a name; not an error."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Question:
    """The arguments of a query, and what it is about."""

    files: Files
    links: LinkGraph
    node: str | None
    to: str | None
    depth: int
    limit: int

    def document(self, path: str) -> Document:
        """Return the document of a note."""
        return self.files.read(f"{self.links.directory}/{path}").document

    def note(self, name: str | None, argument: str) -> str:
        """Return the path of the note that an argument names.

        Raises:
            ArgumentError: the argument is missing.
            _SeveralNotes: no single note has that name.
            NoteNotFoundError: none has, and none has a similar path.
        """
        if not name:
            raise ArgumentError(
                argument, f"this query needs {argument}: the path or name of a note."
            )
        found = self.links.targets.notes_named(name)
        if len(found) == 1 and found[0] in self.links.notes:
            return found[0]
        wanted = name_key(name)
        candidates = found or [
            path for path in sorted(self.links.notes) if wanted in name_key(path)
        ]
        if not candidates:
            raise NoteNotFoundError(name)
        raise _SeveralNotes({argument: name, **_cut(candidates, _MAX_CANDIDATES)})


def answer(query: str, question: Question) -> Answer:
    """Return the answer to one of `QUERIES`.

    Raises:
        ArgumentError: there is no such query, or it needs another argument.
        NoteNotFoundError: no note has the name asked for, or a similar one.
    """
    function = QUERIES.get(query)
    if function is None:
        known = ", ".join(QUERIES)
        raise ArgumentError("query", f'no query "{query}". There are {known}.')
    try:
        return function(question)
    except _SeveralNotes as several:
        return several.answer


def _stats(question: Question) -> Answer:
    links = question.links
    kinds = Counter(e.target.kind for edges in links.edges.values() for e in edges)
    broken = sum(1 for _ in links.broken(question.files))
    types, tags = links.types(), links.tags()
    found: Answer = {
        "notes": len(links.notes),
        "links": kinds.total() - kinds[TargetKind.OUTSIDE] - broken,
        "broken": broken,
        "types": dict(types.most_common()),
        "tags": dict(tags.most_common(question.limit)),
    }
    if len(tags) > question.limit:
        found["more_tags"] = len(tags) - question.limit
    if links.unread:
        found["unreadable"] = dict(Counter(links.unread.values()))
    return found


def _node(question: Question) -> Answer:
    links, path = question.links, question.note(question.node, "node")
    document = question.document(path)
    broken = list(links.broken_in(question.files, path))
    unresolved = {link.edge for link in broken}
    return {
        "path": path,
        "frontmatter": _front_matter(document),
        "headings": [
            {"path": section.path, "lines": list(document.line_range(section.span))}
            for section in document.sections
        ],
        "links": [
            {**_place(edge.link, document), "to": edge.target.path}
            for edge in links.edges[path]
            if edge.target.path and edge not in unresolved
        ],
        "unresolved": [_broken_link(links, document, link) for link in broken],
        "linked_from": [
            {"path": source, "lines": _lines(links, source, path)}
            for source in sorted(links.graph.into(path))
        ],
    }


def _front_matter(document: Document) -> Mapping[str, object] | None:
    if document.front_matter is None:
        return None
    try:
        return read_front_matter(document.text, document.front_matter)
    except FrontMatterError:
        return None


def _place(link: NoteLink, document: Document) -> Answer:
    """Return where a link stands and how it is written."""
    return {
        "line": link.line,
        "section": _section_path(document, link.heading),
        "link": link.written,
    }


def _section_path(document: Document, heading: int) -> str:
    if 0 <= heading < len(document.sections):
        return document.sections[heading].path
    return document.preamble.path


def _broken_link(links: LinkGraph, document: Document, broken: BrokenLink) -> Answer:
    found = _place(broken.edge.link, document)
    found["problem"] = "no heading" if broken.is_heading_missing else "no file"
    closest = links.closest(broken)
    return found if closest is None else {**found, "closest": closest}


def _lines(links: LinkGraph, source: str, target: str) -> list[int]:
    lines = {e.link.line for e in links.edges[source] if e.target.path == target}
    return sorted(lines)


def _neighbors(question: Question) -> Answer:
    path = question.note(question.node, "node")
    if question.depth < 1:
        raise ArgumentError("depth", f"depth is {question.depth}: give 1 or more.")
    found = question.links.graph.neighbors(path, question.depth)
    return {
        "node": path,
        "neighbors": [{"path": other, "distance": far} for other, far in found],
    }


def _search_type(question: Question) -> Answer:
    if not question.node:
        raise ArgumentError("node", "this query needs node: a front matter type.")
    wanted = name_key(question.node)
    found = [
        note.path
        for note in question.links.notes.values()
        if note.type is not None and name_key(note.type) == wanted
    ]
    answer: Answer = {"type": question.node, **_cut(sorted(found), question.limit)}
    if not found:
        answer["types"] = dict(question.links.types().most_common(_MAX_CANDIDATES))
    return answer


def _most_connected(question: Question) -> Answer:
    graph = question.links.graph
    ranked = []
    for path in graph.most_connected()[: question.limit]:
        out, into = graph.degree(path)
        ranked.append({"path": path, "in": into, "out": out})
    return {"notes": ranked}


def _isolated(question: Question) -> Answer:
    return _cut(question.links.graph.isolated(), question.limit)


def _path(question: Question) -> Answer:
    start = question.note(question.node, "node")
    end = question.note(question.to, "to")
    route = question.links.graph.route(start, end)
    if route is None:
        return {"from": start, "to": end, "path": None}
    return {
        "from": start,
        "to": end,
        "path": list(route.nodes),
        "directed": route.directed,
    }


def _broken(question: Question) -> Answer:
    links = question.links
    found = list(links.broken(question.files))
    headings = sum(broken.is_heading_missing for broken in found)
    shown = [
        {
            "path": broken.source,
            **_broken_link(links, question.document(broken.source), broken),
        }
        for broken in found[: question.limit]
    ]
    counts: Answer = {
        "total": len(found),
        "no_file": len(found) - headings,
        "no_heading": headings,
    }
    return {**counts, "broken": shown, **_more(len(found) - len(shown))}


def _cut(paths: list[str], limit: int) -> Answer:
    """Return the first `limit` notes and how many there are."""
    shown = paths[:limit]
    return {"total": len(paths), "notes": shown, **_more(len(paths) - len(shown))}


def _more(left: int) -> Answer:
    if left <= 0:
        return {}
    return {"more": f"{left} more: repeat with a larger limit"}


QUERIES: Mapping[str, Callable[[Question], Answer]] = {
    "stats": _stats,
    "node": _node,
    "neighbors": _neighbors,
    "search_type": _search_type,
    "most_connected": _most_connected,
    "isolated": _isolated,
    "path": _path,
    "broken": _broken,
}
