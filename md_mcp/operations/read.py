"""Reading before editing: outlines, approximate lookup, front matter, links."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from md_mcp.document.address import Lookup
from md_mcp.document.find import closest, is_clear, rank
from md_mcp.document.front_matter import explain_front_matter, read_front_matter
from md_mcp.document.model import Document, check_depth
from md_mcp.document.outline import (
    MAX_LEVEL,
    OutlineLine,
    outline_lines,
    outline_title,
)
from md_mcp.document.path import parse_path
from md_mcp.document.section import Section
from md_mcp.document.text import line_end
from md_mcp.document.tokens import estimate_tokens
from md_mcp.errors import ArgumentError, SectionNotFoundError
from md_mcp.files import Files
from md_mcp.operations.limits import CAP, MAX_LINES, PAGE, fit, size_of

MAX_CANDIDATES = 8
"""Sections that are offered when several fit."""

LINKS = 10
NOTES = 12
MAX_LIMIT = 1000
"""Items of a list: those of `query_links` and `find_notes` by default, and at most."""

Progress = Callable[[int, int], None]
"""Is told how many of how many notes have been read."""

_REST_OF_OUTLINE = (
    'get_index(path="…") a section, search_sections(scope="headings") headings'
)


def get_outline(files: Files, file_path: str, max_level: int = MAX_LEVEL) -> str:
    """Return the outline of a file: a line on the file, then a line a heading.

    One of more than `PAGE` bytes ends with a line on what is left out.

    Raises:
        ArgumentError: `max_level` is not 1 to 6.
        FileError: the file cannot be read.
    """
    _check_range("max_level", max_level, 1, MAX_LEVEL)
    snapshot = files.read(file_path)
    lines = outline_lines(snapshot.document, max_level)
    body = "\n".join(_page(lines, max_level))
    title = outline_title(snapshot.document, snapshot.name, snapshot.revision, body)
    return f"{title}\n{body}" if body else title


def _page(lines: Sequence[OutlineLine], max_level: int) -> Iterator[str]:
    """Yield the lines that fit on a page, and one on the others."""
    shown = _fitting(lines)
    yield from (line.text for line in lines[:shown])
    if shown == len(lines):
        return
    first = lines[shown].section
    where = f" from {first.path}" if first is not None else ""
    fitting = [level for level in range(1, max_level) if _fits(lines, level)]
    whole = f"max_level={fitting[-1]} shows the whole file, " if fitting else ""
    yield f"… {len(lines) - shown} more{where}: {whole}{_REST_OF_OUTLINE}"


def _fits(lines: Sequence[OutlineLine], level: int) -> bool:
    """Return whether the lines fit on a page without headings deeper than `level`."""
    kept = [line for line in lines if not line.section or line.section.level <= level]
    return _fitting(kept) == len(kept)


def _fitting(lines: Sequence[OutlineLine]) -> int:
    """Return how many of the lines fit on a page; the first always does."""
    left = PAGE
    for count, line in enumerate(lines):
        left -= size_of(line.text) + 1
        if left < 0 and count:
            return count
    return len(lines)


def find_section(
    files: Files, file_path: str, heading: str, depth: int | None = None
) -> str:
    """Return the section whose heading fits best: a line about it, then its text.

    Where several fit about as well, they are listed without text.

    Raises:
        SectionNotFoundError: none fits; the closest are offered.
        FileError: the file cannot be read.
    """
    check_depth(depth)
    document = files.read(file_path).document
    section = _exact(document, heading)
    if section is not None:
        return _found(document, section, 1.0, depth)
    titles = [section.title for section in document.sections]
    ranked = rank(heading, titles)
    if not ranked:
        near = [document.sections[at].path for at in closest(heading, titles)]
        raise SectionNotFoundError(heading, nearest=tuple(near))
    if is_clear(ranked):
        score, at = ranked[0]
        return _found(document, document.sections[at], score, depth)
    return "\n".join(_candidates(document, heading, ranked))


def _exact(document: Document, heading: str) -> Section | None:
    """Return the section of a full path of several steps, such as one offered."""
    segments = parse_path(heading)
    if len(segments) == 1 and segments[0].ordinal is None:
        return None
    return Lookup(document.tree).find_strict(segments)


def _candidates(
    document: Document, heading: str, ranked: Sequence[tuple[float, int]]
) -> Iterator[str]:
    shown = ranked[:MAX_CANDIDATES]
    of = f", the best {len(shown)}" if len(shown) < len(ranked) else ""
    yield f'{len(ranked)} sections fit "{heading}"{of}; repeat with one of these paths:'
    for score, at in shown:
        section = document.sections[at]
        tokens = estimate_tokens(section.span.of(document.text))
        yield f"{section.path} · score {score:.2f} · {tokens:,} tokens"


def _found(
    document: Document, section: Section, score: float, depth: int | None
) -> str:
    """Return the line about a section and its text, cut where it is long."""
    text = document.get(section.path, depth)
    first, last = document.line_range(section.span)
    about = f"{section.path} · L{first}-{last} · {estimate_tokens(text):,} tokens"
    if score < 1:
        about += f" · score {score:.2f}"
    shown = _first_sections(document, section, depth)
    if len(shown) < len(text):
        more = estimate_tokens(text) - estimate_tokens(shown)
        about += f" · cut, {more:,} tokens more: get_section shows all of it"
    return f"{about}\n{shown}"


def _first_sections(document: Document, section: Section, depth: int | None) -> str:
    """Return the text up to the last section that fits on a page.

    A first section that alone is longer is cut at a line, before clients cut it.
    """
    pieces: list[str] = []
    left = PAGE
    for part in (section, *_below(section, depth)):
        piece = part.own_span.of(document.text)
        left -= size_of(piece)
        if left < 0 and pieces:
            break
        pieces.append(piece)
    return _capped("".join(pieces), document.separator)


def _below(section: Section, depth: int | None) -> Iterator[Section]:
    if depth == 0:
        return
    for child in section.children:
        yield child
        yield from _below(child, None if depth is None else depth - 1)


def _capped(text: str, separator: str) -> str:
    """Return the first lines of `text` that clients show."""
    end, left, count = 0, CAP - PAGE // 10, 0
    while end < len(text) and count < MAX_LINES:
        stop = line_end(text, end, separator)
        left -= size_of(text[end:stop])
        if left < 0:
            return text[:end] or text[: CAP // 4]
        end, count = stop, count + 1
    return text[:end]


def get_frontmatter(files: Files, file_path: str) -> dict[str, Any]:
    """Return `{"frontmatter": {…} | None, "lines": [first, last], "tokens": n}`.

    Where a block looks like front matter and is none, "fault" tells why.

    Raises:
        FrontMatterError: the values cannot be read, such as an expansion beyond limits.
        FileError: the file cannot be read.
    """
    document = files.read(file_path).document
    front = document.front_matter
    if front is None:
        found: dict[str, Any] = {"frontmatter": None, "lines": None, "tokens": 0}
        fault = explain_front_matter(document.text)
        return found if fault is None else {**found, "fault": str(fault)}
    values = read_front_matter(document.text, front)
    return {
        "frontmatter": fit(values, CAP - PAGE, "get_section shows its source"),
        "lines": list(document.line_range(front.span)),
        "tokens": estimate_tokens(front.span.of(document.text)),
    }


def query_links(
    files: Files,
    directory: str,
    query: str,
    node: str | None = None,
    to: str | None = None,
    depth: int = 1,
    limit: int = LINKS,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return the answer to a query about the links between the notes of a folder.

    See `md_mcp.library.queries`. `progress` is told how the first reading gets on.

    Raises:
        ArgumentError: an unknown query, or one that misses an argument.
        NoteNotFoundError: no note answers to a name.
        FileError: the folder cannot be listed.
    """
    from md_mcp.library.folders import note_folder  # not for other verbs to load
    from md_mcp.library.queries import Question, answer

    _check_range("limit", limit, 1, MAX_LIMIT)
    with note_folder(files, directory, progress) as folder:
        question = Question(files, folder.links, node, to, depth, limit)
        found = answer(query, question)
    return _paged(found, limit > LINKS)


def find_notes(
    files: Files,
    directory: str,
    query: str,
    limit: int = NOTES,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return the sections or notes of a folder that a question is about.

    See `md_mcp.library.notes`. `progress` is told how the first reading gets on.

    Raises:
        ArgumentError: `limit` is out of range.
        FileError: the folder cannot be listed.
    """
    from md_mcp.library import notes  # not for other verbs to load
    from md_mcp.library.folders import note_folder

    _check_range("limit", limit, 1, MAX_LIMIT)
    with note_folder(files, directory, progress) as folder:
        found = notes.find_notes(
            files, folder.links, folder.index, directory, query, limit
        )
    return _paged(found, limit > NOTES)


def _paged(found: dict[str, Any], asked_for_more: bool) -> dict[str, Any]:
    if asked_for_more:
        return fit(found, CAP, "name a smaller folder")
    return fit(found, PAGE, "a larger limit shows more")


def _check_range(argument: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ArgumentError(argument, f"{argument} is {value}: give {least} to {most}.")
