"""Add a section."""

from __future__ import annotations

import re

from md_mcp.document.edit import tail
from md_mcp.document.edit.base import Edit, guard_with_seam
from md_mcp.document.edit.guard import Guarded
from md_mcp.document.edit.layout import content_lines, insert_block, trim_blank
from md_mcp.document.model import Document
from md_mcp.document.scanner import scan_headings
from md_mcp.document.section import Section
from md_mcp.document.text import Span
from md_mcp.errors import (
    ArgumentError,
    EditError,
    InvalidHeadingError,
    StructureError,
)

_ATX_HEADING = re.compile(r"(#{1,6})[ \t]+[^\r\n]*[^ \t\r\n]")


def add(
    document: Document,
    heading: str,
    content: str,
    under: str | None = None,
    before: str | None = None,
    after: str | None = None,
) -> Edit:
    """Return the edit that adds a section.

    `under` puts it after the parent's whole subtree, `before` right before a section's
    heading and what touches it, `after` behind a section's subtree; without any it
    comes at the end of the document, before closing definitions.

    Raises:
        AddressError: a path leads to no section, or to several.
        ArgumentError: `before` and `after` together, or `under` not their parent.
        InvalidHeadingError: `heading` is not one ATX heading.
        EditError: the content or the place would break the structure.
    """
    level = _heading_level(heading)
    place, summary = _find_place(document, level, under, before, after)
    source = heading.strip(" \t")
    lines = content_lines(document, content)
    if lines and lines[0].rstrip(" \t") == source:
        lines = trim_blank(lines[1:])
    block = [source, "", *lines] if lines else [source]
    gap = Span(
        tail.skip_blank_lines_back(document, Span(document.body_start, place)), place
    )
    splice = insert_block(document, gap, block, keeps_end=True)
    guarded, splices = guard_with_seam(document, [splice], gap)
    _check_added(guarded, guarded.text.index("#", splice.span.start), source, level)
    return Edit(
        document, splices, f'add "{source}" {summary}', source, Span(place, place)
    )


def _heading_level(heading: str) -> int:
    match = _ATX_HEADING.fullmatch(heading.strip(" \t"))
    if "\n" in heading or "\r" in heading:
        raise InvalidHeadingError(heading, "it has more than one line")
    if match is None:
        raise InvalidHeadingError(heading, "it is not # signs, a space and text")
    found = scan_headings(heading.strip(" \t"), 0)
    if len(found) != 1 or not found[0].raw:
        raise InvalidHeadingError(heading, "it has no text")
    return len(match[1])


def _find_place(
    document: Document,
    level: int,
    under: str | None,
    before: str | None,
    after: str | None,
) -> tuple[int, str]:
    """Return the offset for a new section and the place in words."""
    if before is not None and after is not None:
        raise ArgumentError("after", "before and after exclude each other: give one.")
    parent = None if under is None else _sibling(document, "under", under)
    if parent is not None and level <= parent.level:
        raise EditError(
            f"a heading of level {level} cannot stand under "
            f'"{parent.path}" of level {parent.level}. '
            f"Use {'#' * min(parent.level + 1, 6)}, or after instead of under."
        )
    if before is not None:
        sibling = _sibling(document, "before", before)
        _check_parent(parent, sibling)
        return tail.touching_start(document, sibling), f'before "{sibling.path}"'
    if after is not None:
        sibling = _sibling(document, "after", after)
        _check_parent(parent, sibling)
        return _end_of(document, sibling), f'after "{sibling.path}"'
    if parent is not None:
        return _end_of(document, parent), f'under "{parent.path}"'
    closing = tail.find_closing_definitions(document)
    end = len(document.text) if closing is None else closing.span.start
    return end, "at the end"


def _sibling(document: Document, argument: str, path: str) -> Section:
    if document.is_front_matter(path):
        raise ArgumentError(
            argument, "a section cannot be placed by the front matter. Name a section."
        )
    section = document.section(path)
    if section.heading is None:
        raise ArgumentError(
            argument, "a section cannot be placed by the preamble. Name a section."
        )
    return section


def _check_parent(parent: Section | None, sibling: Section) -> None:
    if parent is None or sibling.parent == parent:
        return
    actual = sibling.parent
    name = "no section" if actual is None else f'"{actual.path}"'
    raise ArgumentError(
        "under",
        f'"{sibling.path}" does not stand right under "{parent.path}" but under '
        f"{name}. "
        "Give that as under, or leave under out.",
    )


def _end_of(document: Document, section: Section) -> int:
    """Return where a section that follows the subtree of `section` is put."""
    if section.span.end < len(document.text):
        last = section.last
        return tail.find_tail(document, last).touching
    closing = tail.find_closing_definitions(document)
    return len(document.text) if closing is None else closing.span.start


def _check_added(guarded: Guarded, place: int, source: str, level: int) -> None:
    """Check that the new heading is one at `place`, and that all others are deeper."""
    inserted = guarded.inserted
    if not inserted or inserted[0].start != place:
        raise StructureError(
            f'"{source}" would not be a heading there. Is a code fence or a comment '
            "left open before that place? Close it first, or add elsewhere."
        )
    for heading in [found.heading for found in inserted[1:]]:
        if heading.level <= level:
            raise EditError(
                f'the content holds the heading "{heading.text}" of level '
                f"{heading.level}: it would end the new section. Add it in a call of "
                "its own, or use a deeper level."
            )
