"""What is wrong with a changelog, by the rules of Keep a Changelog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from md_mcp.document.blocks.definitions import normalize_label
from md_mcp.document.changelog.categories import (
    CATEGORIES,
    find_category,
    has_vocabulary,
    rank,
)
from md_mcp.document.changelog.compare import find_comparison, version_in
from md_mcp.document.changelog.definitions import (
    Definition,
    find_definitions,
    known_versions,
    reference_label,
)
from md_mcp.document.changelog.read import Changelog, Log, Release, read_changelog
from md_mcp.document.finding import Finding
from md_mcp.document.model import Document
from md_mcp.document.path import comparison_key
from md_mcp.document.section import Section
from md_mcp.document.text import LineNumbers
from md_mcp.errors import ChangelogError


def check_changelog(
    document: Document, categories: Sequence[str] = CATEGORIES
) -> tuple[Finding, ...]:
    """Return the findings in file order; none means that all is well."""
    try:
        changelog = read_changelog(document)
    except ChangelogError as error:
        return (Finding(1, "no-changelog", str(error)),)
    found = [
        *(f for log in changelog.logs for f in _check_log(log)),
        *_check_categories(changelog, categories),
        *_check_definitions(changelog),
    ]
    return tuple(sorted(found, key=lambda finding: finding.line))


def _check_log(log: Log) -> Iterator[Finding]:
    if log.unreleased is None:
        line = log.releases[0].heading.line if log.releases else 1
        where = f' under "{log.path}"' if log.container else ""
        yield Finding(line, "no-unreleased", f"no Unreleased section{where}")
    yield from _check_versions(log)
    for release in log.released:
        date = release.title.date
        if date is not None and not date.is_iso:
            hint = f", such as {date.iso}" if date.iso else ""
            message = f"{date.text!a} is not a date as year-month-day{hint}"
            yield Finding(release.heading.line, "date", message)


def _check_versions(log: Log) -> Iterator[Finding]:
    """Yield versions that repeat or ascend, among those of the same package."""
    lines: dict[object, int] = {}
    by_name: dict[str, list[Release]] = {}
    for release in log.releases:
        line, label = release.heading.line, release.label
        version = release.title.version
        key = (release.title.name, version.key if version else None)
        if key in lines:
            message = f"{label} stands in line {lines[key]} already"
            yield Finding(line, "duplicate-version", message)
        else:
            by_name.setdefault(release.title.name, []).append(release)
        lines.setdefault(key, line)
    for releases in by_name.values():
        yield from _check_order(releases)


def _check_order(releases: Sequence[Release]) -> Iterator[Finding]:
    for above, below in pairwise(releases):
        newer, older = above.title.version, below.title.version
        if older is None:
            message = f"Unreleased stands below {above.label}"
            yield Finding(below.heading.line, "version-order", message)
        elif newer is not None and newer.key < older.key:
            message = f"{older.text} stands below the older {newer.text}"
            yield Finding(below.heading.line, "version-order", message)


def _check_categories(
    changelog: Changelog, categories: Sequence[str]
) -> Iterator[Finding]:
    vocabulary = has_vocabulary(changelog, categories)
    for release in changelog.releases:
        lines: dict[str, int] = {}
        ranks: list[tuple[int, Section]] = []
        for section in release.categories:
            if vocabulary:
                yield from _check_spelling(section, categories)
            name = find_category(section.title, categories) if vocabulary else None
            key = comparison_key(name or section.title)
            line = _line(section)
            if key in lines:
                message = f'"{section.title}" stands in line {lines[key]} already'
                yield Finding(line, "duplicate-category", message)
                continue
            lines[key] = line
            place = rank(section.title, categories) if vocabulary else None
            if place is not None:
                ranks.append((place, section))
        for (first, above), (second, below) in pairwise(ranks):
            if first > second:
                message = f'"{below.title}" comes before "{above.title}"'
                yield Finding(_line(below), "category-order", message)


def _check_spelling(section: Section, categories: Sequence[str]) -> Iterator[Finding]:
    name = find_category(section.title, categories)
    if name is None:
        known = ", ".join(categories)
        message = f'"{section.title}" is no category. There are {known}'
        yield Finding(_line(section), "category", message)
    elif section.title != name:
        message = f'"{section.title}" is to read "{name}"'
        yield Finding(_line(section), "category", message)


def _line(section: Section) -> int:
    assert section.heading is not None
    return section.heading.line


def _check_definitions(changelog: Changelog) -> Iterator[Finding]:
    definitions = find_definitions(changelog.document)
    if not definitions:
        return
    used = set()
    for release in changelog.releases:
        label = reference_label(release)
        key = normalize_label(label)
        used.add(key)
        if label and key not in definitions:
            message = f"no definition [{label}]: of its link"
            yield Finding(release.heading.line, "no-definition", message)
    lines = LineNumbers(changelog.document.text)
    for key, definition in definitions.items():
        line = lines.line(definition.span.start)
        if key not in used and not _is_mentioned(changelog, definition):
            message = f"[{definition.label}]: is the link of no release"
            yield Finding(line, "unused-definition", message)
        yield from _check_comparison(changelog, definition, line)


def _is_mentioned(changelog: Changelog, definition: Definition) -> bool:
    """Return whether a release has that version, or a text uses the label."""
    reference = f"[{definition.label}]"
    return changelog.document.text.count(reference) > 1


def _check_comparison(
    changelog: Changelog, definition: Definition, line: int
) -> Iterator[Finding]:
    comparison = find_comparison(definition.url_span.of(changelog.document.text))
    if comparison is None:
        return
    versions = known_versions(changelog)
    sides = [version_in(side, versions) for side in (comparison.left, comparison.right)]
    released = [r.version for log in changelog.logs for r in log.released]
    if definition.is_unreleased:
        base = sides[0] or sides[1]
        if len(changelog.logs) == 1 and released and base and base != released[0]:
            message = f"[{definition.label}]: compares with {base}, not {released[0]}"
            yield Finding(line, "stale-definition", message)
    elif any(sides) and not any(_same(side, definition.label) for side in sides):
        message = f"[{definition.label}]: compares {' and '.join(filter(None, sides))}"
        yield Finding(line, "stale-definition", message)


def _same(version: str, label: str) -> bool:
    return version == label.lstrip("vV")
