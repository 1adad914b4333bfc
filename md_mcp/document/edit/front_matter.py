"""Replace the lines of the front matter; the delimiters always stay."""

from __future__ import annotations

from collections.abc import Sequence

from md_mcp.document.edit import tail
from md_mcp.document.edit.base import Edit
from md_mcp.document.edit.guard import apply_guarded
from md_mcp.document.edit.layout import content_lines, replace_lines, trim_blank
from md_mcp.document.front_matter import FrontMatter, check_front_matter
from md_mcp.document.model import Document
from md_mcp.document.path import FRONT_MATTER
from md_mcp.document.splice import Splice, apply_splices
from md_mcp.document.text import Span
from md_mcp.errors import FrontMatterError


def replace_front_matter(document: Document, front: FrontMatter, content: str) -> Edit:
    """Return the edit that replaces the lines between the delimiters.

    `content` may come with or without the delimiters.

    Raises:
        FrontMatterError: the result would not be a mapping; carries the line.
    """
    delimiter = "---" if front.kind == "yaml" else "+++"
    lines = content_lines(document, content)
    if lines and lines[0] == delimiter and lines[-1] == delimiter and len(lines) > 1:
        lines = trim_blank(lines[1:-1])
    if not lines:
        raise FrontMatterError(
            "empty front matter is not a mapping. Give at least one key.", line=2
        )
    if delimiter in lines:
        line = 2 + lines.index(delimiter)
        raise FrontMatterError(
            f"line {line} is {delimiter}, which would end the block. Give only the "
            "lines between the delimiters.",
            line=line,
        )
    end = tail.skip_blank_lines_back(document, front.inner)
    start = tail.skip_blank_lines(document, Span(front.inner.start, end))
    splices = replace_lines(document, Span(start, end), lines)
    if splices:
        check_front_matter_edit(document, front, splices)
        apply_guarded(document, splices, front.inner)
    summary = "replace the front matter"
    return Edit(document, tuple(splices), summary, FRONT_MATTER, front.span)


def check_front_matter_edit(
    document: Document, front: FrontMatter, splices: Sequence[Splice]
) -> None:
    """Check that the inner lines still form a mapping; a block never checked is not.

    Raises:
        FrontMatterError: they would not; carries the line.
    """
    if not front.checked:
        return
    text = apply_splices(document.text, splices)
    end = front.inner.end + len(text) - len(document.text)
    check_front_matter(text[front.inner.start : end], front.kind)
