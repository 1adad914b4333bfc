"""Delete a section."""

from __future__ import annotations

from md_mcp.document.edit import tail
from md_mcp.document.edit.base import Edit, guard_with_seam, hull
from md_mcp.document.edit.layout import before_ending, lacks_final_ending
from md_mcp.document.model import Document
from md_mcp.document.section import Section
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span
from md_mcp.errors import EditError


def delete(document: Document, path: str, include_children: bool = True) -> Edit:
    """Return the edit that deletes a section; only a complete path is taken.

    Without `include_children` the sections below stay, byte for byte. Comments between
    the section and the next heading stay; anchor lines that touch its own heading go.

    Raises:
        AddressError: `path` does not lead to a section from the root.
        EditError: it names the preamble or the front matter, or the result would break
            the structure.
    """
    if document.is_front_matter(path):
        raise EditError(
            "the front matter cannot be deleted as a section. Empty or change its "
            'lines with replace_in_section and path "frontmatter".'
        )
    section = document.section(path, lenient=False)
    if section.heading is None:
        raise EditError(
            "the preamble cannot be deleted. Replace it with empty content instead."
        )
    last = section.last if include_children else section
    scope = section.span if include_children else section.own_span
    splices = _deleted(document, section, last)
    _, splices = guard_with_seam(document, splices, hull(splices))
    summary = f'delete "{section.path}"'
    return Edit(document, splices, summary, section.path, scope)


def _deleted(document: Document, section: Section, last: Section) -> tuple[Splice, ...]:
    """Return the splices that take out `section` up to the end of `last`."""
    ending = tail.find_tail(document, last)
    anchors = tail.touching_anchors(document, section)
    start, end = section.start, _end_of_deletion(document, ending)
    while anchors and anchors[-1].end == start:
        start = anchors[-1].start
        anchors = anchors[:-1]
    if ending.end == len(document.text):
        floor = Span(document.body_start, start)
        start = tail.skip_blank_lines_back(document, floor)
        if end == len(document.text) and lacks_final_ending(document):
            start = before_ending(document, start)
    return (*(Splice(anchor, "") for anchor in anchors), Splice(Span(start, end), ""))


def _end_of_deletion(document: Document, ending: tail.Tail) -> int:
    """Return where the part of a tail starts that a deletion keeps."""
    if ending.end == len(document.text):
        return ending.start
    return tail.skip_blank_lines(document, Span(ending.start, ending.end))
