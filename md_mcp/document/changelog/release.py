"""Roll the unreleased changes into a version."""

from __future__ import annotations

import re
from collections.abc import Iterator

from md_mcp.document.blocks.definitions import normalize_label
from md_mcp.document.changelog.compare import (
    release_url,
    retag,
    unreleased_url,
)
from md_mcp.document.changelog.dates import is_iso_date, replace_date
from md_mcp.document.changelog.definitions import (
    Definition,
    find_definitions,
    known_versions,
    reference_label,
    write_definition,
)
from md_mcp.document.changelog.plan import (
    UNRELEASED,
    heading_lines,
    insert_before,
    make_edit,
)
from md_mcp.document.changelog.read import Changelog, Log, Release, read_changelog
from md_mcp.document.changelog.version import Version, find_version
from md_mcp.document.edit import Edit, tail
from md_mcp.document.edit.insert import insert_lines
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice
from md_mcp.document.text import BLANK, Span, split_ending
from md_mcp.errors import ArgumentError, ChangelogError

_INLINE_LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<url>[^() \t]+)\)")

_UNRELEASED_WORD = re.compile("unreleased", re.IGNORECASE)

_PLAIN = re.compile(r"[-–—/|:,~()\[\]*_.v ]*", re.IGNORECASE)  # noqa: RUF001
"""What a title holds beside version, date, name and link if it can be a model."""

_TAG = re.compile(r"<[^<>]*>")


def release_changes(
    document: Document,
    version: str,
    date: str | None = None,
    today: str = "",
    under: str | None = None,
) -> Edit:
    """Return the edit that makes the unreleased changes a release.

    Its heading is written as that of the latest release; `today` is the date where
    headings have one and `date` is None. An empty Unreleased section stays above it,
    and link definitions that compare versions are brought up to date. `under` names the
    log in a file of several.

    Raises:
        ArgumentError: `version` or `date` is none.
        ChangelogError: nothing is unreleased, or the version is not above the latest.
        EditError: the structure would break.
    """
    changelog = read_changelog(document)
    log = changelog.log(under)
    new = _check_arguments(version, date)
    unreleased = _check_unreleased(changelog, log)
    _check_order(log, new)
    if unreleased.title.version is None:
        text = _new_title(changelog, log, new.text, date, today)
        heads = _split_off(changelog, log, unreleased, new.text, text)
    else:
        heads = _settle(document, unreleased, new.text, date or today)
    splices = [*heads, *_define(changelog, log, new.text)]
    end = changelog.end(unreleased)
    scope = Span(unreleased.section.start, max(end, unreleased.heading.span.end))
    return make_edit(
        document, splices, f"release {new.text}", unreleased.section.path, scope
    )


def _check_arguments(version: str, date: str | None) -> Version:
    found = find_version(version)
    if found is None:
        raise ArgumentError(
            "version", f'{version!a} is not a version. Give one such as "1.4.0".'
        )
    if date is not None and not is_iso_date(date):
        raise ArgumentError(
            "date", f'{date!a} is not a date. Give year-month-day, "2024-01-31".'
        )
    return found


def _check_unreleased(changelog: Changelog, log: Log) -> Release:
    unreleased = log.unreleased
    if unreleased is None:
        raise ChangelogError(
            "there is no Unreleased section. Add an entry first; that makes one."
        )
    body = Span(unreleased.heading.span.end, changelog.end(unreleased))
    if not body.of(changelog.document.text).strip(BLANK + "\r\n"):
        raise ChangelogError(
            "the Unreleased section is empty: there is nothing to release. "
            "Add an entry first.",
            line=unreleased.heading.line,
        )
    return unreleased


def _check_order(log: Log, new: Version) -> None:
    for other in log.released:
        version = other.title.version
        if version is None:
            continue
        if version.key == new.key:
            raise ChangelogError(
                f"{version.text} is released already, in line {other.heading.line}. "
                "Give a higher version.",
                line=other.heading.line,
            )
        if version.key > new.key:
            raise ChangelogError(
                f"{new.text} is not above {version.text}, which is released. "
                "Give a higher version, or add its section by hand.",
                line=other.heading.line,
            )


def _split_off(
    changelog: Changelog, log: Log, unreleased: Release, version: str, text: str
) -> Iterator[Splice]:
    """Yield the splice that puts the new heading below the Unreleased one."""
    document = changelog.document
    model = _model(log)
    like = model.heading if model else unreleased.heading
    lines = ["", *_anchors(document, model, version)]
    lines += heading_lines(document, like, text)
    yield insert_lines(document, unreleased.heading.span.end, lines)


def _anchors(document: Document, model: Release | None, version: str) -> Iterator[str]:
    if model is None:
        return
    for span in tail.touching_anchors(document, model.section):
        line = split_ending(span.of(document.text), document.separator)[0]
        yield retag(line, model.version, version)


def _model(log: Log) -> Release | None:
    """Return the latest release whose title says nothing but version and date."""
    return next((r for r in log.released if _is_plain(r)), None)


def _is_plain(release: Release) -> bool:
    title = release.title
    text = _TAG.sub("", _INLINE_LINK.sub(r"\1", release.heading.raw)).casefold()
    text = text.replace(release.version.casefold(), "", 1).replace(title.name, "", 1)
    if title.date:
        text = text.replace(title.date.text.casefold(), "", 1)
    words = re.sub("version|release|build", "", text)
    return _PLAIN.fullmatch(words.replace("@", "")) is not None


def _new_title(
    changelog: Changelog, log: Log, version: str, date: str | None, today: str
) -> str:
    model = _model(log)
    if model is None:
        when = date or today
        bracketed = log.unreleased and log.unreleased.heading.raw.startswith("[")
        name = f"[{version}]" if bracketed else version
        return f"{name} - {when}" if when else name
    raw = _INLINE_LINK.sub(
        lambda link: _new_link(changelog, log, link, version), model.heading.raw
    )
    if not _INLINE_LINK.search(raw):
        raw = retag(raw, model.version, version)
    if model.title.date is None:
        return f"{raw} - {date}" if date else raw
    return _replace_date(raw, date or today or model.title.date.text)


def _replace_date(raw: str, date: str) -> str:
    """Return a title with another date; those in a link destination are no dates."""
    link = _INLINE_LINK.search(raw)
    start = link.end() if link else 0
    head, rest = raw[:start], raw[start:]
    changed = replace_date(rest, date)
    if changed == rest and link:
        head = replace_date(head, date)
    return head + changed


def _new_link(changelog: Changelog, log: Log, link: re.Match[str], version: str) -> str:
    """Return the link of the new version; its text alone where no URL can be made."""
    older = log.released[0].version
    model = _model(log)
    text = retag(link["text"], model.version if model else older, version)
    url = release_url(link["url"], known_versions(changelog), older, version)
    return f"[{text}]({url})" if url else text


def _settle(
    document: Document, unreleased: Release, version: str, date: str
) -> Iterator[Splice]:
    """Yield the splices for a title such as "1.2.0 (unreleased)"."""
    heading = unreleased.heading
    raw = retag(heading.raw, unreleased.version, version)
    raw = _UNRELEASED_WORD.sub(lambda _: date, raw, count=1)
    lines = heading_lines(document, heading, UNRELEASED)
    yield insert_before(document, unreleased.section, lines)
    content, ending = split_ending(heading.span.of(document.text), document.separator)
    end = heading.span.end - len(ending)
    new = document.line_ending.join(heading_lines(document, heading, raw))
    if new != content:
        yield Splice(Span(heading.span.start, end), new)


def _define(changelog: Changelog, log: Log, version: str) -> Iterator[Splice]:
    """Yield the splices that bring the link definitions up to date."""
    definitions = find_definitions(changelog.document)
    unreleased = definitions.get("unreleased")
    latest = log.released[0] if log.released else None
    if unreleased:
        yield from _move_unreleased(changelog, unreleased, version)
    if latest is None:
        return
    label = reference_label(latest)
    like = definitions.get(normalize_label(label)) if label else None
    model = unreleased or like
    if not label or model is None:
        return
    document = changelog.document
    url = _new_url(changelog, unreleased, like, latest.version, version)
    if url is not None:
        new = retag(label, latest.version, version)
        line = write_definition(document, model, new, url)
        place = model.span.end if unreleased else model.span.start
        yield _insert_definition(document, place, line)


def _new_url(
    changelog: Changelog,
    unreleased: Definition | None,
    like: Definition | None,
    latest: str,
    version: str,
) -> str | None:
    for definition in (unreleased, like):
        if definition is not None:
            url = definition.url_span.of(changelog.document.text)
            found = release_url(url, known_versions(changelog), latest, version)
            if found is not None:
                return found
    return None


def _move_unreleased(
    changelog: Changelog, definition: Definition, version: str
) -> Iterator[Splice]:
    old = definition.url_span.of(changelog.document.text)
    url = unreleased_url(old, known_versions(changelog), version)
    if url is not None and url != old:
        yield Splice(definition.url_span, url)


def _insert_definition(document: Document, place: int, line: str) -> Splice:
    content = split_ending(line, document.separator)[0]
    return insert_lines(document, place, [content])
