"""The guards on every edit: what lies outside it must mean what it meant before.

An ATX or setext heading at the top level closes every open block, and the parser's
state after it depends on nothing before it. So the outline can change only between the
last heading before the edit and the first heading after it that is found again; that
much is scanned, plus the lines over which a template action may reach: on either side,
for a `}}` in the edit may end an action that starts above the last heading before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from md_mcp.document.edit.tail import defined_labels, find_closing_definitions
from md_mcp.document.model import Document
from md_mcp.document.scanner import Heading, scan_headings
from md_mcp.document.section import Section
from md_mcp.document.splice import Splice, apply_splices
from md_mcp.document.template import MAX_ACTION_LINES
from md_mcp.document.text import (
    Span,
    is_blank,
    line_end,
    line_separator,
    line_start,
)
from md_mcp.errors import StructureError


@dataclass(frozen=True, slots=True)
class Found:
    """A heading of the result and the offset at which it starts there."""

    start: int
    heading: Heading

    @property
    def end(self) -> int:
        """Offset in the result at which its last line ends."""
        return self.start + len(self.heading.span)


@dataclass(frozen=True, slots=True)
class Guarded:
    """A result that passed the guards, and the headings that the edit brought in."""

    text: str
    inserted: tuple[Found, ...]


def apply_guarded(
    document: Document, splices: Sequence[Splice], edited: Span
) -> Guarded:
    """Apply `splices`, all of which lie in the span `edited`, and check the result.

    Raises:
        StructureError: a heading or the front matter outside the edited span would be
            lost, changed or new, or closing definitions would no longer be some.
    """
    text = apply_splices(document.text, splices)
    shift = len(text) - len(document.text)
    _check_bytes(document.text, text, edited, shift)
    _check_front_matter(document, text, edited, shift)
    inserted = _check_headings(document, text, edited, shift)
    _check_closing_definitions(document, text, edited, inserted)
    return Guarded(text, inserted)


def _check_bytes(before: str, after: str, edited: Span, shift: int) -> None:
    kept_start = before[: edited.start] == after[: edited.start]
    if not kept_start or before[edited.end :] != after[edited.end + shift :]:
        raise AssertionError("internal error: text outside the edit would change")


def _check_front_matter(
    document: Document, text: str, edited: Span, shift: int
) -> None:
    front = document.front_matter
    if front is None:
        end = None
    elif edited.start >= front.span.end:
        return
    else:
        end = front.span.end + shift
    found = Document(text).front_matter
    if (found.span.end if found else None) != end:
        raise StructureError(
            "this would change where the front matter block ends, or make one. "
            "Keep lines of just --- or +++ out of the content."
        )


def _check_headings(
    document: Document, text: str, edited: Span, shift: int
) -> tuple[Found, ...]:
    """Return the headings that start inside the edited span of the result."""
    before, after = _neighbours(document, edited)
    is_inner = before and before[0] is not document.headings[0]
    start = before[0].span.start if is_inner else Document(text).body_start
    stop = _window_end(text, after[0].span.end + shift if after else len(text))
    edge = edited.end + shift
    limit = after[0].span.start + shift if after else len(text)
    found = [entry for entry in _scan_window(text, start, stop) if entry.start <= limit]
    inside = tuple(entry for entry in found if edited.start <= entry.start < edge)
    outside = [entry for entry in found if not edited.start <= entry.start < edge]
    kept = [(h, h.span.start) for h in before]
    kept += [(h, h.span.start + shift) for h in after]
    for heading, place in kept:
        if not outside or not _is_same(heading, outside[0], place):
            raise _lost(document, heading, outside[0] if outside else None)
        outside.pop(0)
    if outside:
        raise _new(outside[0])
    return inside


def _scan_window(text: str, start: int, stop: int) -> list[Found]:
    window = text[start:stop]
    separator = line_separator(text)
    if separator not in window:
        # Alone, one line with a carriage return in it would be an old-Mac text.
        window += separator
    return [Found(start + h.span.start, h) for h in scan_headings(window)]


def _neighbours(
    document: Document, edited: Span
) -> tuple[tuple[Heading, ...], tuple[Heading, ...]]:
    """Return the headings before that the edit could change and the first one after.

    Those before begin with the last one above which nothing depends on the edit, or
    with the first of the document.
    """
    headings = document.headings
    stop = bisect_left(headings, edited.start, key=_start)
    reach = _actions_start(document, edited.start)
    first = max(min(bisect_right(headings, reach, key=_start), stop) - 1, 0)
    following = bisect_left(headings, edited.end, key=_start)
    return headings[first:stop], headings[following : following + 1]


def _actions_start(document: Document, offset: int) -> int:
    """Return the start of the first line from which an action can reach `offset`."""
    text, separator = document.text, document.separator
    start = line_start(text, offset, separator)
    for _ in range(MAX_ACTION_LINES - 1):
        above = line_start(text, max(start - 1, 0), separator)
        if is_blank(text[above:start], separator):
            break
        start = above
    return start


def _start(heading: Heading) -> int:
    return heading.span.start


def _window_end(text: str, offset: int) -> int:
    """Return the end of the lines over which an action that starts before can reach."""
    separator = line_separator(text)
    for _ in range(MAX_ACTION_LINES):
        offset = line_end(text, offset, separator)
    return offset


def _is_same(old: Heading, new: Found, place: int) -> bool:
    heading = new.heading
    return (new.start, heading.level, heading.raw) == (place, old.level, old.raw)


def _lost(document: Document, old: Heading, new: Found | None) -> StructureError:
    index = bisect_left(document.headings, old.span.start, key=_start)
    path = Section(document.tree, index).path
    joined = new is not None and old.raw != new.heading.raw
    if new is None or not joined or old.raw not in new.heading.raw:
        reason = f'would swallow section "{path}" (line {old.line})'
        step = "Is a code fence, a comment or a template action left open? Close it"
    else:
        reason = f'would join text to the heading of "{path}" (line {old.line})'
        step = "Put a blank line between"
    return StructureError(
        f"the edit {reason}. {step} and try again.", section=path, line=old.line
    )


def _new(found: Found) -> StructureError:
    return StructureError(
        f'the edit would make text outside it the heading "{found.heading.text}". '
        "Close what the content leaves open, or end it with a blank line."
    )


def _check_closing_definitions(
    document: Document, text: str, edited: Span, inserted: Sequence[Found]
) -> None:
    """Check that closing definitions below the edit still are definitions."""
    last = document.headings[-1].span.start if document.headings else 0
    if last >= edited.end > 0:
        return
    closing = find_closing_definitions(document)
    if closing is None or closing.span.start < edited.end:
        return
    before, _ = _neighbours(document, edited)
    if inserted:
        start = inserted[-1].end
    else:
        start = before[-1].span.end if before else document.body_start
    labels = defined_labels(text, Span(min(start, len(text)), len(text)))
    if not closing.labels <= labels:
        raise StructureError(
            "the edit would swallow the link definitions at the end of the file. Is a "
            "code fence, a comment or a template action left open? Close it and try "
            "again."
        )
