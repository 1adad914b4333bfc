"""Mend what is mechanical in a changelog; the bytes of entries stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from md_mcp.document.blocks.definitions import normalize_label
from md_mcp.document.changelog.categories import (
    CATEGORIES,
    find_category,
    has_vocabulary,
    rank,
)
from md_mcp.document.changelog.compare import release_url, unreleased_url
from md_mcp.document.changelog.definitions import (
    find_definitions,
    known_versions,
    reference_label,
    write_definition,
)
from md_mcp.document.changelog.entries import find_list, read_style
from md_mcp.document.changelog.plan import (
    heading_lines,
    make_edit,
    start_of_log,
    unreleased_lines,
)
from md_mcp.document.changelog.read import Changelog, Log, Release, read_changelog
from md_mcp.document.edit import Edit, tail
from md_mcp.document.edit.insert import insert_at, insert_lines
from md_mcp.document.edit.layout import before_ending
from md_mcp.document.model import Document
from md_mcp.document.path import comparison_key
from md_mcp.document.section import Section
from md_mcp.document.splice import Splice
from md_mcp.document.text import BLANK, Span, split_ending


def repair_changelog(
    document: Document,
    categories: Sequence[str] = CATEGORIES,
    *,
    allow_released: bool = False,
) -> Edit:
    """Return the edit that mends what `check` finds and what needs no judgement.

    That is: a missing Unreleased section; spelling, order and repetition of categories;
    missing and stale link definitions. Releases that are out are left alone, unless
    `allow_released`; then their categories and dates are mended too.

    Raises:
        ChangelogError: the document is no changelog.
        EditError: the structure would break.
    """
    changelog = read_changelog(document)
    splices = [
        *_add_unreleased(changelog),
        *_mend_releases(changelog, categories, allow_released=allow_released),
        *_mend_definitions(changelog),
    ]
    return make_edit(
        document, splices, "repair the changelog", "", Span(0, len(document.text))
    )


def _add_unreleased(changelog: Changelog) -> Iterator[Splice]:
    for log in changelog.logs:
        if log.unreleased is None:
            place = start_of_log(changelog, log)
            lines = unreleased_lines(changelog, log)
            yield insert_at(changelog.document, place, lines)


def _mend_releases(
    changelog: Changelog, categories: Sequence[str], *, allow_released: bool
) -> Iterator[Splice]:
    known = categories if has_vocabulary(changelog, categories) else ()
    coming = [log.unreleased for log in changelog.logs]
    for release in changelog.releases:
        if release not in coming and not allow_released:
            continue
        yield from _mend_date(changelog.document, release)
        yield from _mend_categories(changelog, release, known)


def _mend_date(document: Document, release: Release) -> Iterator[Splice]:
    date = release.title.date
    if date is None or date.is_iso or not date.iso:
        return
    span = release.heading.span
    start = document.text.rfind(date.text, span.start, span.end)
    if start >= 0:
        yield Splice(Span(start, start + len(date.text)), date.iso)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A category with what touches its heading, without the blank lines after it."""

    section: Section
    span: Span
    text: str


def _mend_categories(
    changelog: Changelog, release: Release, categories: Sequence[str]
) -> Iterator[Splice]:
    document = changelog.document
    pieces = _cut(changelog, release)
    if not pieces:
        return
    mended = [_spell(document, piece, categories) for piece in pieces]
    merged = _merge(document, mended, categories)
    ordered = _order(merged, categories)
    if len(ordered) == len(pieces):
        for old, new in zip(pieces, ordered, strict=True):
            if new.text != old.span.of(document.text):
                yield Splice(old.span, new.text)
        return
    gaps = [
        document.text[above.span.end : below.span.start]
        for above, below in pairwise(pieces)
    ]
    texts = [
        text
        for piece, gap in zip(ordered, [*gaps[: len(ordered) - 1], ""], strict=True)
        for text in (piece.text, gap)
    ]
    whole = Span(pieces[0].span.start, pieces[-1].span.end)
    yield Splice(whole, "".join(texts))


def _cut(changelog: Changelog, release: Release) -> list[_Piece]:
    """Return the categories of a release; none when other sections stand between."""
    document, sections = changelog.document, release.categories
    apart = any(above.span.end != below.start for above, below in pairwise(sections))
    if not sections or apart:
        return []
    starts = [tail.touching_start(document, section) for section in sections]
    ends = [*starts[1:], changelog.end(release)]
    pieces = []
    for section, start, end in zip(sections, starts, ends, strict=True):
        if end < section.body_span.start:
            return []
        last = tail.skip_blank_lines_back(document, Span(start, end))
        span = Span(start, before_ending(document, last))
        pieces.append(_Piece(section, span, span.of(document.text)))
    return pieces


def _spell(document: Document, piece: _Piece, categories: Sequence[str]) -> _Piece:
    heading = piece.section.heading
    name = find_category(piece.section.title, categories)
    if heading is None or name is None or name == piece.section.title:
        return piece
    old = split_ending(heading.span.of(document.text), document.separator)[0]
    new = document.line_ending.join(heading_lines(document, heading, name))
    start = heading.span.start - piece.span.start
    text = piece.text[:start] + new + piece.text[start + len(old) :]
    return replace(piece, text=text)


def _merge(
    document: Document, pieces: Sequence[_Piece], categories: Sequence[str]
) -> list[_Piece]:
    """Put what repeats a category behind the first of its name."""
    first: dict[str, int] = {}
    merged: list[_Piece] = []
    for piece in pieces:
        name = find_category(piece.section.title, categories)
        key = comparison_key(name or piece.section.title)
        if key in first and _can_merge(merged[first[key]], piece):
            target = merged[first[key]]
            merged[first[key]] = replace(target, text=_joined(document, target, piece))
        else:
            first.setdefault(key, len(merged))
            merged.append(piece)
    return merged


def _can_merge(target: _Piece, piece: _Piece) -> bool:
    """Return whether nothing but entries is moved, to a place right under a heading."""
    touches = piece.span.start != piece.section.start
    return not touches and not target.section.children


def _joined(document: Document, target: _Piece, piece: _Piece) -> str:
    heading = piece.section.heading
    assert heading is not None
    start = tail.skip_blank_lines(
        document, Span(heading.span.end, max(piece.span.end, heading.span.end))
    )
    body = document.text[start : piece.span.end].strip("\r\n")
    if not body.strip(BLANK):
        return target.text
    ending = document.line_ending
    gap = ending if _continues_list(document, target, piece) else ending * 2
    return target.text + gap + body


def _continues_list(document: Document, target: _Piece, piece: _Piece) -> bool:
    """Return whether both are tight lists of one kind that meet at the seam."""
    spans = [find_list(document, p.section.body_span) for p in (target, piece)]
    if spans[0] is None or spans[1] is None:
        return False
    above, below = (read_style(document, [span]) for span in spans if span)
    ends = tail.skip_blank_lines_back(document, spans[0])
    start = tail.skip_blank_lines(document, piece.section.body_span)
    return (
        (above.mark, above.indent) == (below.mark, below.indent)
        and not above.is_loose
        and before_ending(document, ends) == target.span.end
        and spans[1].start == start
    )


def _order(pieces: Sequence[_Piece], categories: Sequence[str]) -> list[_Piece]:
    """Sort the known categories; the others keep their places."""
    ranks = [rank(piece.section.title, categories) for piece in pieces]
    known = [index for index, place in enumerate(ranks) if place is not None]
    ordered = list(pieces)
    for slot, index in zip(
        known, sorted(known, key=lambda i: ranks[i] or 0), strict=True
    ):
        ordered[slot] = pieces[index]
    return ordered


def _mend_definitions(changelog: Changelog) -> Iterator[Splice]:
    document = changelog.document
    definitions = find_definitions(document)
    unreleased = definitions.get("unreleased")
    versions = known_versions(changelog)
    if unreleased and len(changelog.logs) == 1 and changelog.logs[0].released:
        old = unreleased.url_span.of(document.text)
        new = unreleased_url(old, versions, changelog.logs[0].released[0].version)
        if new is not None and new != old:
            yield Splice(unreleased.url_span, new)
    for log in changelog.logs:
        for place, release in enumerate(log.releases):
            label = reference_label(release)
            if label and normalize_label(label) not in definitions:
                yield from _define(changelog, log, place, label)


def _define(changelog: Changelog, log: Log, place: int, label: str) -> Iterator[Splice]:
    """Yield the definition of a release, like that of the nearest one that has one."""
    document = changelog.document
    definitions = find_definitions(document)
    release = log.releases[place]
    if release.title.version is None:
        return
    older = log.releases[place + 1].version if place + 1 < len(log.releases) else ""
    for other in [*log.releases[place + 1 :], *reversed(log.releases[:place])]:
        like = definitions.get(normalize_label(reference_label(other)))
        if like is None:
            continue
        url = release_url(
            like.url_span.of(document.text),
            known_versions(changelog),
            older,
            release.version,
        )
        if url is not None:
            line = write_definition(document, like, label, url)
            below = log.releases.index(other) > place
            at = like.span.start if below else like.span.end
            content = split_ending(line, document.separator)[0]
            yield insert_lines(document, at, [content])
            return
