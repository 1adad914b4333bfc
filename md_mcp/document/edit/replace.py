"""Replace the text of a section, and the preview of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from md_mcp.document.edit import tail
from md_mcp.document.edit.base import Edit, guard_with_seam
from md_mcp.document.edit.front_matter import replace_front_matter
from md_mcp.document.edit.layout import (
    before_ending,
    content_lines,
    insert_block,
    lacks_final_ending,
    replace_lines,
    trim_blank,
)
from md_mcp.document.edit.repeats import without_repeated_tail
from md_mcp.document.model import Document
from md_mcp.document.path import comparison_key
from md_mcp.document.scanner import Heading, scan_headings
from md_mcp.document.section import Section
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span
from md_mcp.errors import EditError, StructureError


def replace(document: Document, path: str, content: str) -> Edit:
    """Return the edit that makes `content` the text of a section.

    Content without headings replaces the own body and keeps the sections below;
    content with deeper headings replaces the whole subtree. "(preamble)" and
    "frontmatter" are taken too. The heading, the blank lines round the text, and
    comments that touch the next heading stay.

    Raises:
        AddressError: `path` leads to no section, or to several.
        EditError: the content would break the structure, or is refused for what it
            would delete.
    """
    if document.front_matter is not None and document.is_front_matter(path):
        return replace_front_matter(document, document.front_matter, content)
    section = document.section(path)
    lines = _without_own_heading(document, section, content_lines(document, content))
    own = _replace_part(document, section, section, lines)
    if section.heading is None and own.error is not None:
        raise own.error
    if own.inserted:
        _check_content_headings(section, own.inserted)
        last = section.last
        if last != section:
            own = _replace_part(document, section, last, lines)
            _check_kept_children(section, own.inserted)
        scope = section.span
    else:
        scope = section.own_span
    if own.error is not None:
        raise own.error
    summary = f'replace the text of "{section.path}"'
    return Edit(document, own.splices, summary, section.path, scope)


def patch(
    document: Document, path: str, content: str, name: str = "document.md"
) -> str:
    """Return the unified diff of what `replace` would change, "" for nothing."""
    return replace(document, path, content).diff(name)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A plan that was tried: its splices and the headings it brings in.

    `error` holds the guards' refusal; what the content holds can matter more.
    """

    splices: tuple[Splice, ...]
    inserted: tuple[Heading, ...]
    error: StructureError | None = None


def _replace_part(
    document: Document, section: Section, last: Section, lines: Sequence[str]
) -> _Attempt:
    """Try `lines` as all between the heading of `section` and the end of `last`."""
    body = Span(section.body_span.start, last.body_span.end)
    ending = tail.find_tail(document, last)
    end = _end_of_replaced_definitions(document, ending, lines)
    if end is None:
        lines = without_repeated_tail(document, ending, lines)
        end = ending.start
    region = Span(body.start, max(end, body.start))
    first = tail.skip_blank_lines(document, region)
    if not lines:
        region = _with_unended_heading(document, region)
        splices = replace_lines(document, region, lines)
    elif first < region.end:
        splices = replace_lines(document, Span(first, region.end), lines)
        if region.end == ending.touching < ending.end:
            splices = _kept_apart(document, region, splices, lines)
    else:
        gap_end = tail.skip_blank_lines(document, body)
        region = Span(body.start, min(gap_end, ending.touching))
        splices = [insert_block(document, region, lines, keeps_end=False)]
    return _try_splices(document, splices, region, lines)


def _with_unended_heading(document: Document, region: Span) -> Span:
    """Take the heading's line ending too where the file goes on having no last one."""
    if region.end == len(document.text) and lacks_final_ending(document):
        return Span(before_ending(document, region.start), region.end)
    return region


def _kept_apart(
    document: Document, region: Span, splices: list[Splice], lines: Sequence[str]
) -> list[Splice]:
    """Put a blank line between a comment or anchor in `lines` and one that touches."""
    if not splices or not tail.ends_in_tail_item(document, lines):
        return splices
    return [*splices, Splice(Span(region.end, region.end), document.line_ending)]


def _end_of_replaced_definitions(
    document: Document, ending: tail.Tail, lines: Sequence[str]
) -> int | None:
    """Return the end of closing definitions that `lines` defines anew, else None."""
    if ending.end < len(document.text):
        return None
    closing = tail.find_closing_definitions(document)
    if closing is None or closing.span.start < ending.start:
        return None
    text = document.line_ending.join(lines)
    if not closing.labels <= tail.defined_labels(text, Span(0, len(text))):
        return None
    return tail.skip_blank_lines_back(document, closing.span)


def _try_splices(
    document: Document, splices: Sequence[Splice], region: Span, lines: Sequence[str]
) -> _Attempt:
    if not splices:
        return _Attempt((), ())
    try:
        guarded, splices = guard_with_seam(document, splices, region)
    except StructureError as error:
        text = "".join(line + document.line_ending for line in lines)
        return _Attempt(tuple(splices), scan_headings(text, 0), error)
    inserted = tuple(found.heading for found in guarded.inserted)
    return _Attempt(tuple(splices), inserted)


def _without_own_heading(
    document: Document, section: Section, lines: list[str]
) -> list[str]:
    """Drop a heading at the start of `lines` that is the section's own."""
    if section.heading is None or not lines:
        return lines
    own = document.bare_lines(section.heading.span)
    if lines[: len(own)] == own:
        return trim_blank(lines[len(own) :])
    source = "".join(line + "\n" for line in lines)
    first = scan_headings(source, 0)[:1]
    if first and first[0].span.start == 0 and _is_same_title(first[0], section.heading):
        return trim_blank(lines[first[0].span.of(source).count("\n") :])
    return lines


def _is_same_title(one: Heading, other: Heading) -> bool:
    same_text = comparison_key(one.text) == comparison_key(other.text)
    return one.level == other.level and same_text


def _check_content_headings(section: Section, headings: Sequence[Heading]) -> None:
    if section.heading is None:
        raise EditError(
            f'the preamble cannot hold a heading ("{headings[0].text}"). '
            "Add the section with add_section."
        )
    for heading in headings:
        if heading.level <= section.level:
            raise EditError(
                f'the content holds the heading "{heading.text}" of level '
                f'{heading.level}, and "{section.path}" has level {section.level}: it '
                "would end the section. Use add_section for a section beside it, or a "
                "deeper level for one below."
            )


def _check_kept_children(section: Section, headings: Sequence[Heading]) -> None:
    """Refuse content that was read with `depth` and would delete what was cut out."""
    new = Counter((h.level, comparison_key(h.text)) for h in headings)
    generations = _generations(section)
    kept: Counter[tuple[int, str]] = Counter()
    for number, generation in enumerate(generations[:-1], 1):
        kept += Counter((s.level, comparison_key(s.title)) for s in generation)
        below = [s for deeper in generations[number:] for s in deeper]
        extra = new - kept
        if kept <= new and not any(
            (s.level, comparison_key(s.title)) in extra for s in below
        ):
            raise EditError(
                f'the content keeps the sections of "{section.path}" down to '
                f'generation {number} and none below, so "{below[0].path}" and its '
                "like would be deleted. Read the section without depth and write it "
                "whole, replace the parts one by one, or use delete_section first."
            )


def _generations(section: Section) -> list[tuple[Section, ...]]:
    generations = []
    current = section.children
    while current:
        generations.append(current)
        current = tuple(child for parent in current for child in parent.children)
    return generations
