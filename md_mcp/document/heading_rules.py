"""What is wrong with the headings of a document, and levels without gaps."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from md_mcp.document.finding import Finding
from md_mcp.document.model import Document
from md_mcp.document.scanner import Heading
from md_mcp.document.section import ROOT
from md_mcp.document.text import Span

if TYPE_CHECKING:  # checking needs no verbs
    from md_mcp.document.edit.base import Edit

RULES = ("duplicate-path", "skipped-level", "empty-heading", "several-titles")


def check_headings(
    document: Document, rules: Collection[str] = RULES
) -> tuple[Finding, ...]:
    """Return what breaks one of `rules`, in file order."""
    found = [f for f in _find(document) if f.rule in rules]
    return tuple(sorted(found, key=lambda finding: finding.line))


def _find(document: Document) -> Iterator[Finding]:
    titles = [heading for heading in document.headings if heading.level == 1]
    for heading in titles[1:]:
        message = f"a second heading of level 1; the first is in line {titles[0].line}"
        yield Finding(heading.line, "several-titles", message)
    for section, heading in zip(document.sections, document.headings, strict=True):
        if not heading.raw:
            yield Finding(heading.line, "empty-heading", "a heading without text")
        elif section.ordinal > 1:
            message = f'a second "{section.path.rpartition("[")[0]}"'
            yield Finding(heading.line, "duplicate-path", message)
        parent = section.parent
        if parent is not None and heading.level > parent.level + 1:
            message = f"level {heading.level} below level {parent.level}"
            yield Finding(heading.line, "skipped-level", message)


def close_gaps(document: Document) -> Edit:
    """Return the edit that leaves no gap between the levels of parent and child.

    Which section stands below which does not change, so neither do paths and anchors.
    """
    from md_mcp.document.edit.base import Edit
    from md_mcp.document.splice import Splice

    splices = [
        Splice(_marker(document, heading), "#" * level)
        for heading, level in zip(document.headings, _levels(document), strict=True)
        if heading.level != level
    ]
    scope = Span(0, len(document.text))
    return Edit(document, tuple(splices), "close gaps between levels", "", scope)


def _levels(document: Document) -> list[int]:
    """Return the level of each heading once each is one below its parent at most."""
    levels: list[int] = []
    for heading, parent in zip(document.headings, document.tree.parents, strict=True):
        top = heading.level if parent == ROOT else levels[parent] + 1
        levels.append(min(heading.level, top))
    return levels


def _marker(document: Document, heading: Heading) -> Span:
    """Return the span of the opening `#`s; a setext heading never leaves a gap.

    Its level is 2 at most, so its parent has level 1.
    """
    start = document.text.index("#", heading.span.start)
    return Span(start, start + heading.level)
