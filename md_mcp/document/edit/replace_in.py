"""Replace a literal text inside one section."""

from __future__ import annotations

import re
from collections.abc import Sequence

from md_mcp.document.edit.base import Edit, hull
from md_mcp.document.edit.front_matter import check_front_matter_edit
from md_mcp.document.edit.guard import apply_guarded
from md_mcp.document.model import Document
from md_mcp.document.path import FRONT_MATTER
from md_mcp.document.splice import Splice, apply_splices
from md_mcp.document.text import BLANK, Span, with_ending
from md_mcp.errors import ArgumentError, TextNotFoundError, TextNotUniqueError

_MAX_COMPARED_LENGTH = 200
_MAX_MATCHED_LINES = 40
_MAX_COMPARED_LINES = 2_000
"""Lines of a section that a failed `replace_in` looks through for a similar one."""


def replace_in(
    document: Document, path: str, old: str, new: str, replace_all: bool = False
) -> Edit:
    r"""Return the edit that replaces a literal text in the own body of a section.

    "\n" in `old` matches any line ending; line endings in `new` become the document's.
    "frontmatter" means the lines between the delimiters.

    Raises:
        AddressError: `path` leads to no section, or to several.
        ArgumentError: `old` is empty or equal to `new`.
        TextNotFoundError: `old` does not occur.
        TextNotUniqueError: it occurs several times, without `replace_all`.
        EditError: the result would break the structure or the front matter.
    """
    if not old:
        raise ArgumentError("old", "old is empty: give the text to replace.")
    if old == new:
        raise ArgumentError("new", "old and new are equal: there is nothing to do.")
    front = document.front_matter
    if front is not None and document.is_front_matter(path):
        body, name, scope = front.inner, FRONT_MATTER, front.span
    else:
        front = None
        section = document.section(path)
        body, name, scope = section.body_span, section.path, section.own_span
    found = _occurrences(document, body, old)
    if not found:
        raise _text_not_found(document, body, name, old)
    if len(found) > 1 and not replace_all:
        lines = tuple(_line_number(document, span.start) for span in found[:10])
        raise TextNotUniqueError(name, len(found), lines)
    text = with_ending(new, document.line_ending, old_mac=document.separator == "\r")
    splices = [Splice(span, text) for span in found if span.of(document.text) != text]
    splices = _with_last_ending(document, body, splices)
    if splices and front is not None:
        check_front_matter_edit(document, front, splices)
    if splices:
        apply_guarded(document, splices, hull(splices))
    summary = f'replace a text {len(found)} times in "{name}"'
    return Edit(document, tuple(splices), summary, name, scope)


def _occurrences(document: Document, body: Span, old: str) -> list[Span]:
    ending = "\r" if document.separator == "\r" else "\r?\n"
    pattern = re.compile(ending.join(map(re.escape, old.split("\n"))))
    found = pattern.finditer(document.text, body.start, body.end)
    return [Span(*match.span()) for match in found]


def _with_last_ending(
    document: Document, body: Span, splices: list[Splice]
) -> list[Splice]:
    """Keep the line ending before the next heading if the last splice takes it away."""
    at_end = bool(splices) and splices[-1].span.end == body.end
    if not at_end or body.end == len(document.text):
        return splices
    inside = [
        Splice(Span(s.span.start - body.start, s.span.end - body.start), s.text)
        for s in splices
    ]
    result = apply_splices(body.of(document.text), inside)
    if not result or result.endswith(document.separator):
        return splices
    last = splices[-1]
    return [*splices[:-1], Splice(last.span, last.text + document.line_ending)]


def _text_not_found(
    document: Document, body: Span, name: str, old: str
) -> TextNotFoundError:
    wanted = next((line for line in old.split("\n") if line.strip(BLANK)), old)
    bare = document.bare_lines(body)
    index = _closest(wanted, bare[:_MAX_COMPARED_LINES])
    if index is None:
        return TextNotFoundError(name, old)
    line = _line_number(document, body.start) + index
    closest = bare[index][:_MAX_COMPARED_LENGTH]
    return TextNotFoundError(name, old, closest=closest, line=line)


def _closest(wanted: str, lines: Sequence[str]) -> int | None:
    """Return the line of which most of `wanted` is a part, None if not even half."""
    from difflib import SequenceMatcher

    wanted = wanted[:_MAX_COMPARED_LENGTH]
    lines = [line[:_MAX_COMPARED_LENGTH] for line in lines]
    matcher = SequenceMatcher(None, "", wanted, autojunk=False)
    promising = []
    for index, line in enumerate(lines):
        matcher.set_seq1(line)
        # The number of common characters, whatever their order, is quick to tell.
        most = matcher.quick_ratio() * (len(line) + len(wanted)) / 2
        promising.append((-most, index))
    found: list[tuple[int, int]] = []
    for _, index in sorted(promising)[:_MAX_MATCHED_LINES]:
        matcher.set_seq1(lines[index])
        common = sum(block.size for block in matcher.get_matching_blocks())
        if common > len(wanted) / 2:
            found.append((-common, index))
    return min(found)[1] if found else None


def _line_number(document: Document, offset: int) -> int:
    return document.text.count(document.separator, 0, offset) + 1
