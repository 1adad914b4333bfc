"""Add an entry to the unreleased changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from md_mcp.document.changelog.categories import CATEGORIES, find_category, rank
from md_mcp.document.changelog.entries import (
    EntryStyle,
    find_list,
    read_style,
    write_entry,
)
from md_mcp.document.changelog.plan import (
    heading_lines,
    insert_before,
    make_edit,
    start_of_log,
    unreleased_lines,
)
from md_mcp.document.changelog.read import Changelog, Log, Release, read_changelog
from md_mcp.document.edit import Edit, tail
from md_mcp.document.edit.insert import insert_at, insert_lines
from md_mcp.document.model import Document
from md_mcp.document.path import comparison_key
from md_mcp.document.section import Section
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span
from md_mcp.errors import ArgumentError

_MAX_NEIGHBOURS = 40
"""Lists that are looked at for the style of a new entry."""


def add_entry(
    document: Document,
    entry: str,
    category: str | None = None,
    under: str | None = None,
    categories: Sequence[str] = CATEGORIES,
) -> Edit:
    """Return the edit that adds an entry to the unreleased changes.

    The entry comes last in its category, bulleted and wrapped as those around it are.
    A category that is not there is put in its place, and so is the Unreleased section.
    Without a category the entry stands right under the heading, in a changelog that
    has no categories. `under` names the log in a file of several.

    Raises:
        ArgumentError: the entry is empty, or the category is unknown or missing.
        ChangelogError: the document is no changelog, or holds several.
        EditError: the entry would break the structure.
    """
    changelog = read_changelog(document)
    log = changelog.log(under)
    name = _choose_category(changelog, category, categories)
    style = read_style(document, list(_neighbours(changelog, log, name)))
    lines = write_entry(document, entry, style)
    if not lines:
        raise ArgumentError("entry", "the entry is empty. Give its text.")
    if log.unreleased is None:
        splice = _add_unreleased(changelog, log, name, lines)
    else:
        splice = _add(changelog, log.unreleased, name, lines, style, categories)
    place = Span(splice.span.start, splice.span.start)
    where = f'"{name}"' if name else "Unreleased"
    return make_edit(document, [splice], f"add an entry to {where}", name, place)


def _choose_category(
    changelog: Changelog, given: str | None, categories: Sequence[str]
) -> str:
    """Return the category as it is to be written, "" for none."""
    used = [c.title for r in changelog.releases for c in r.categories]
    if given is None:
        if not used:
            return ""
        raise ArgumentError(
            "category",
            "the entries of this changelog stand in categories. "
            f"Give one: {_offer(used, categories)}.",
        )
    key = comparison_key(given)
    for name in (*categories, *used):
        if comparison_key(name) == key:
            return name
    near = find_category(given, categories)
    hint = f' Did you mean "{near}"?' if near else ""
    raise ArgumentError(
        "category",
        f"{given!a} is no category.{hint} There are {_offer(used, categories)}.",
    )


def _offer(used: Sequence[str], categories: Sequence[str]) -> str:
    known = {comparison_key(name) for name in categories}
    own = [name for name in dict.fromkeys(used) if comparison_key(name) not in known]
    return ", ".join((*categories, *own[:6]))


def _neighbours(changelog: Changelog, log: Log, category: str) -> Iterator[Span]:
    """Yield the lists near a new entry, the nearest first."""
    releases = sorted(log.releases, key=lambda r: not r.title.is_unreleased)
    found = 0
    for release in releases:
        sections = sorted(
            release.categories,
            key=lambda section: (
                comparison_key(section.title) != comparison_key(category)
            ),
        )
        for section in (*sections, release.section):
            span = find_list(changelog.document, section.body_span)
            if span is not None:
                yield span
                found += 1
        if found >= _MAX_NEIGHBOURS:
            return


def _add_unreleased(
    changelog: Changelog, log: Log, category: str, entry: list[str]
) -> Splice:
    lines = [*unreleased_lines(changelog, log), ""]
    if category:
        lines += [*_category_lines(changelog, log, category), ""]
    place = start_of_log(changelog, log)
    return insert_at(changelog.document, place, [*lines, *entry])


def _category_lines(changelog: Changelog, log: Log, name: str) -> list[str]:
    """Return the heading of a category: as others of its name, or of any, are."""
    every = [c.heading for r in log.releases for c in r.categories if c.heading]
    same = [h for h in every if comparison_key(h.text) == comparison_key(name)]
    if same:
        return heading_lines(changelog.document, same[0], same[0].raw)
    if every:
        return heading_lines(changelog.document, every[0], name)
    level = log.releases[0].section.level + 1 if log.releases else 3
    return [f"{'#' * min(level, 6)} {name}"]


def _add(
    changelog: Changelog,
    release: Release,
    category: str,
    entry: list[str],
    style: EntryStyle,
    categories: Sequence[str],
) -> Splice:
    if not category:
        return _add_to_body(changelog, release, release.section, entry, style)
    key = comparison_key(category)
    for section in release.categories:
        if comparison_key(section.title) == key:
            return _add_to_body(changelog, release, section, entry, style)
    log = next(log for log in changelog.logs if release in log.releases)
    lines = [*_category_lines(changelog, log, category), "", *entry]
    following = _following(release, category, categories)
    if following is not None:
        return insert_before(changelog.document, following, lines)
    return insert_at(changelog.document, changelog.end(release), lines)


def _following(
    release: Release, category: str, categories: Sequence[str]
) -> Section | None:
    """Return the first category that comes after a new one."""
    place = rank(category, categories)
    if place is None:
        return None
    for section in release.categories:
        other = rank(section.title, categories)
        if other is not None and other > place:
            return section
    return None


def _add_to_body(
    changelog: Changelog,
    release: Release,
    section: Section,
    entry: list[str],
    style: EntryStyle,
) -> Splice:
    """Return the splice that puts an entry after the last list of an own body."""
    document = changelog.document
    end = min(section.body_span.end, changelog.end(release))
    body = Span(section.body_span.start, max(end, section.body_span.start))
    span = find_list(document, body)
    if span is None:
        place = tail.find_tail(document, section).start
        return insert_at(document, max(min(place, end), body.start), entry)
    place = tail.skip_blank_lines_back(document, span)
    lines = ["", *entry] if style.is_loose else entry
    return insert_lines(document, place, lines)
