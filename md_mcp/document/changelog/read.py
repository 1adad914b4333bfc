"""A changelog as its releases, over the untouched text.

A file may hold several logs, one a package: each is what stands under one heading that
is no release itself. Releases are told by their titles, wherever in the tree their
headings stand: older tools write `#` for minor and `##` for patch releases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from md_mcp.document.blocks import parse_blocks
from md_mcp.document.changelog.title import Title, find_title
from md_mcp.document.changelog.version import find_version
from md_mcp.document.model import Document
from md_mcp.document.scanner import Heading
from md_mcp.document.section import ROOT, Section
from md_mcp.errors import ChangelogError

_NAME = re.compile(
    r"(?:.{1,60}[ ])?(?:change[ -]?log|changes|release (?:notes|history))"
    r"(?:[ ](?:for|of)[ ].{1,60})?",
    re.IGNORECASE,
)
"""The only heading of a changelog that has no release yet."""

_INTRODUCTION = ("paragraph", "html_block", "link_reference_definition")


class Release(NamedTuple):
    """One release of a log, the unreleased one included.

    Attributes:
        section: the section of its heading.
        title: what the heading says.
        categories: the sections right below that are no releases.
    """

    section: Section
    title: Title
    categories: tuple[Section, ...]

    @property
    def heading(self) -> Heading:
        """The heading of the release."""
        assert self.section.heading is not None
        return self.section.heading

    @property
    def label(self) -> str:
        """The release as people name it: its version, or "Unreleased"."""
        version = self.title.version
        if version is None or self.title.is_unreleased:
            return "Unreleased" if version is None else f"{version.text} (unreleased)"
        name = self.title.name
        return f"{name}@{version.text}" if name else version.text

    @property
    def version(self) -> str:
        """The version as it is written, "" for a plain "Unreleased"."""
        return self.title.version.text if self.title.version else ""


class Log(NamedTuple):
    """The releases under one heading, in file order.

    Attributes:
        container: the section that holds them, None for the whole file.
        releases: at least one, but for a log that has just been begun.
    """

    container: Section | None
    releases: tuple[Release, ...]

    @property
    def unreleased(self) -> Release | None:
        """The release that is still to come; it stands above those that are out."""
        first = self.releases[:1]
        return first[0] if first and first[0].title.is_unreleased else None

    @property
    def released(self) -> tuple[Release, ...]:
        """The releases that are out."""
        return tuple(r for r in self.releases if not r.title.is_unreleased)

    @property
    def path(self) -> str:
        """The path of the container, "" for the whole file."""
        return self.container.path if self.container else ""


@dataclass(frozen=True)
class Changelog:
    """A document that has been read as a changelog."""

    document: Document
    logs: tuple[Log, ...]

    @cached_property
    def releases(self) -> tuple[Release, ...]:
        """The releases of all logs, in file order."""
        every = (release for log in self.logs for release in log.releases)
        return tuple(sorted(every, key=lambda release: release.section.start))

    def log(self, under: str | None = None) -> Log:
        """Return the only log, or the one that stands under the path `under`.

        Raises:
            ChangelogError: there are several and none was named, or none is there.
            AddressError: `under` leads to no section, or to several.
        """
        paths = ", ".join(f'"{log.path}"' for log in self.logs[:5])
        if under is None:
            if len(self.logs) > 1:
                raise ChangelogError(
                    f"the file holds {len(self.logs)} changelogs, under {paths}. "
                    "Say which one with under."
                )
            return self.logs[0]
        section = self.document.section(under)
        for log in self.logs:
            if log.container == section:
                return log
        raise ChangelogError(
            f'there are no releases right under "{section.path}", but under {paths}. '
            "Give one of these."
        )

    def end(self, release: Release) -> int:
        """Return where a release ends: before the next one and what touches that."""
        from md_mcp.document.edit.tail import find_closing_definitions, touching_start

        log = next(log for log in self.logs if release in log.releases)
        place = log.releases.index(release) + 1
        if place < len(log.releases):
            return touching_start(self.document, log.releases[place].section)
        end = release.section.span.end
        if end < len(self.document.text):
            return touching_start(self.document, _following(release.section))
        closing = find_closing_definitions(self.document)
        return closing.span.start if closing else end

    def find(self, version: str, under: str | None = None) -> Release:
        """Return the release of a version, or with "unreleased" the one to come.

        The version may have a `v` or, as in the heading, a package's name before it.

        Raises:
            ChangelogError: no release or several have that version; says which exist.
        """
        logs = self.logs if under is None else (self.log(under),)
        if version.casefold().strip("[]") == "unreleased":
            found = [log.unreleased for log in logs if log.unreleased]
        else:
            found = [r for log in logs for r in log.releases if _is_called(r, version)]
        if len(found) == 1:
            return found[0]
        if found:
            lines = ", ".join(str(release.heading.line) for release in found)
            raise ChangelogError(
                f"{len(found)} releases are called {version!a}, in lines {lines}. "
                "Say with under which log is meant, or give the heading's full name."
            )
        known = [release.label for log in logs for release in log.releases]
        more = f" and {len(known) - 5} more" if len(known) > 5 else ""
        offer = ", ".join(known[:5]) + more if known else "none"
        raise ChangelogError(f"there is no release {version!a}. There are: {offer}.")


def read_changelog(document: Document) -> Changelog:
    """Return the document as a changelog.

    Raises:
        ChangelogError: it has no release, and no title that says it is a changelog.
    """
    titles = _find_releases(document)
    logs = tuple(_make_logs(document, titles))
    if not logs:
        if not _is_begun(document):
            raise ChangelogError(
                "this is no changelog: no heading is a release, such as "
                '"## [1.2.0] - 2024-01-02" or "## Unreleased". Add one of them.'
            )
        logs = (Log(document.roots[0], ()),)
    return Changelog(document, logs)


def _following(section: Section) -> Section:
    """Return the section after a subtree that is not the last of the file."""
    last = section.last.index
    assert last is not None
    return Section(section.tree, last + 1)


def _is_begun(document: Document) -> bool:
    """Return whether the document is a title and at most an introduction."""
    if len(document.headings) != 1 or not _NAME.fullmatch(document.headings[0].text):
        return False
    blocks = parse_blocks(
        document.text, document.roots[0].body_span, document.separator
    )
    return all(block.kind in _INTRODUCTION for block in blocks)


def _is_called(release: Release, wanted: str) -> bool:
    version, name = find_version(wanted), ""
    if version is None:
        title = find_title(wanted)
        if title is None or title.version is None:
            return False
        version, name = title.version, title.name
    own = release.title.version
    if own is None or (name and name != release.title.name):
        return False
    return own.key == version.key


def _find_releases(document: Document) -> dict[int, Title]:
    """Return the titles of releases by the index of their heading."""
    titles: dict[int, Title] = {}
    for index, heading in enumerate(document.headings):
        raw = heading.raw
        if any("0" <= character <= "9" for character in raw) or "nrel" in raw.lower():
            title = find_title(heading.text)
            if title is not None and not _is_group(document, index, title):
                titles[index] = title
    plain = any(title.version and not title.name for title in titles.values())
    return {
        index: title
        for index, title in titles.items()
        if not title.name
        or not ((title.is_named and plain) or _is_below(document, index, titles))
    }


def _is_group(document: Document, index: int, title: Title) -> bool:
    """Return whether a heading such as "v5" only holds the releases of that number."""
    if title.version is None or "." in title.version.text:
        return False
    following = document.headings[index + 1 : index + 2]
    if not following or following[0].level <= document.headings[index].level:
        return False
    below = find_title(following[0].text)
    number = f"{title.version.text}."
    return bool(below and below.version and below.version.text.startswith(number))


def _is_below(document: Document, index: int, titles: dict[int, Title]) -> bool:
    parents = document.tree.parents
    parent = parents[index]
    while parent != ROOT:
        if parent in titles:
            return True
        parent = parents[parent]
    return False


def _make_logs(document: Document, titles: dict[int, Title]) -> Iterator[Log]:
    groups: dict[int, list[int]] = {}
    for index in titles:
        groups.setdefault(_container(document, index, titles), []).append(index)
    if ROOT in groups and 0 in groups:
        # `# Changelog`, then `## 1.1.1` and `# 1.1.0`: one log under the title.
        groups[0] = sorted(groups[0] + groups.pop(ROOT))
    for container, indices in sorted(groups.items()):
        section = None if container == ROOT else Section(document.tree, container)
        yield Log(section, tuple(_make_release(document, i, titles) for i in indices))


def _container(document: Document, index: int, titles: dict[int, Title]) -> int:
    parents = document.tree.parents
    parent = parents[index]
    while parent in titles:
        parent = parents[parent]
    return parent


def _make_release(document: Document, index: int, titles: dict[int, Title]) -> Release:
    children: Sequence[int] = tuple(document.tree.children(index))
    return Release(
        Section(document.tree, index),
        titles[index],
        tuple(Section(document.tree, i) for i in children if i not in titles),
    )
