"""What the changelog verbs share: new headings like the old ones, and the check."""

from __future__ import annotations

from collections.abc import Sequence

from md_mcp.document.changelog.definitions import find_definitions, reference_label
from md_mcp.document.changelog.read import Changelog, Log, Release
from md_mcp.document.edit import tail
from md_mcp.document.edit.base import Edit, guard_with_seam, hull
from md_mcp.document.edit.insert import insert_at
from md_mcp.document.model import Document
from md_mcp.document.scanner import Heading
from md_mcp.document.section import Section
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span

UNRELEASED = "Unreleased"


def make_edit(
    document: Document, splices: Sequence[Splice], summary: str, path: str, scope: Span
) -> Edit:
    """Return the checked edit; its splices may be none.

    Raises:
        StructureError: headings outside the edit would change.
    """
    if not splices:
        return Edit(document, (), summary, path, scope)
    ordered = sorted(splices, key=lambda splice: splice.span)
    edited = _with_whole_headings(document, hull(ordered))
    _, checked = guard_with_seam(document, ordered, edited)
    return Edit(document, checked, summary, path, scope)


def _with_whole_headings(document: Document, span: Span) -> Span:
    """Return the span grown to hold headings whole that it begins or ends in."""
    start, end = span.start, span.end
    for heading in document.headings:
        if heading.span.start < start < heading.span.end:
            start = heading.span.start
        if heading.span.start < end < heading.span.end:
            end = heading.span.end
    return Span(start, end)


def heading_lines(document: Document, like: Heading | None, text: str) -> list[str]:
    """Return the lines of a heading with this source, written as another one is."""
    if like is None:
        return [f"## {text}"]
    lines = document.bare_lines(like.span)
    if like.style == "atx":
        return [lines[0].replace(like.raw, text, 1) if like.raw else f"## {text}"]
    length = len(lines[-1]) if len(lines[-1]) != len(like.raw) else len(text)
    return [text, lines[-1][0] * max(length, 1)]


def unreleased_lines(changelog: Changelog, log: Log) -> list[str]:
    """Return the lines of a new heading "Unreleased" for a log."""
    document = changelog.document
    if not log.releases:
        level = log.container.level + 1 if log.container else 2
        return [f"{'#' * min(level, 6)} {UNRELEASED}"]
    first = log.releases[0]
    bracketed = _is_linked(document, first)
    text = f"[{UNRELEASED}]" if bracketed else UNRELEASED
    if first.title.version and first.heading.raw.startswith("v"):
        text = UNRELEASED
    return heading_lines(document, first.heading, text)


def _is_linked(document: Document, release: Release) -> bool:
    """Return whether `[Unreleased]` would be a link, as the release's version is."""
    definitions = find_definitions(document)
    return bool(reference_label(release)) and "unreleased" in definitions


def insert_before(document: Document, section: Section, lines: list[str]) -> Splice:
    """Return the splice that puts a block before a section and what touches it."""
    place = tail.touching_start(document, section)
    return insert_at(document, place, lines)


def start_of_log(changelog: Changelog, log: Log) -> int:
    """Return where the newest release of a log is put."""
    document = changelog.document
    if log.releases:
        return tail.touching_start(document, log.releases[0].section)
    closing = tail.find_closing_definitions(document)
    return closing.span.start if closing else len(document.text)
