"""The notes of one release, for a release job."""

from __future__ import annotations

from md_mcp.document.changelog.read import read_changelog
from md_mcp.document.edit.layout import trim_blank
from md_mcp.document.model import Document
from md_mcp.document.text import Span, split_ending, split_lines


def show_release(document: Document, version: str, under: str | None = None) -> str:
    """Return what stands below the heading of a release, without outer blank lines.

    The lines keep their endings. "unreleased" asks for the changes to come.

    Raises:
        ChangelogError: no release has that version, or several have.
    """
    changelog = read_changelog(document)
    release = changelog.find(version, under)
    span = Span(release.heading.span.end, changelog.end(release))
    lines = split_lines(span.of(document.text), document.separator)
    bare = [split_ending(line, document.separator)[0] for line in lines]
    first = next((i for i, line in enumerate(bare) if trim_blank([line])), 0)
    return "".join(lines[first : first + len(trim_blank(bare))])
