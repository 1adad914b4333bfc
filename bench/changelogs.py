"""Read, extend, release and repair every changelog below a folder, in memory.

    python -m bench.changelogs [DIR] [--verbose]

For each file that is named like a changelog: checking it raises nothing; an added entry
taken out again leaves the file's bytes; releasing changes nothing but the Unreleased
section, the new heading and link definitions; a repair repeated changes nothing more.
All of it also with CRLF endings and without a final line ending. Nothing is written.
Prints how many are understood; the exit code is 1 if a promise is broken.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from md_mcp.document.changelog.add import add_entry
from md_mcp.document.changelog.check import check_changelog
from md_mcp.document.changelog.definitions import find_definitions
from md_mcp.document.changelog.read import Changelog, read_changelog
from md_mcp.document.changelog.release import release_changes
from md_mcp.document.changelog.repair import repair_changelog
from md_mcp.document.changelog.show import show_release
from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice, apply_splices
from md_mcp.document.text import Span
from md_mcp.errors import ChangelogError, MdMcpError

NAMED = re.compile(
    r"_?(?:change(?:s|logs?)?|change-log|changelo|history|releases?|news"
    r"|(?:.*-)?release-notes?)(?:[-_.].*)?\.(?:md|mdx|markdown)",
    re.IGNORECASE,
)

TODAY = "2030-01-31"


def twins(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text and its twins: CRLF endings, no final ending."""
    yield "as it is", text
    unix = text.replace("\r\n", "\n")
    yield "CRLF", unix.replace("\n", "\r\n")
    yield "no final ending", unix.rstrip("\n")


def undo(edit: Edit) -> str:
    """Return the result without what the edit inserted."""
    shift, back = 0, []
    for splice in edit.splices:
        start = splice.span.start + shift
        old = splice.span.of(edit.document.text)
        back.append(Splice(Span(start, start + len(splice.text)), old))
        shift += len(splice.text) - len(splice.span)
    return apply_splices(edit.text, back)


def check_add(document: Document, changelog: Changelog) -> None:
    """Add an entry to a new and to a used category, and take it out again."""
    used = [c.title for r in changelog.releases for c in r.categories]
    for category in ("Security", used[0]) if used else (None,):
        for log in changelog.logs:
            under = log.path if len(changelog.logs) > 1 else None
            edit = add_entry(document, "an entry of `one line`", category, under)
            assert all(not splice.span for splice in edit.splices), "add replaces"
            assert undo(edit) == document.text, "add cannot be undone"
            notes = show_release(edit.result, "unreleased", under)
            assert "entry of `one line`" in notes, "the entry is not shown"
            check_release(edit.result, under)


def check_release(document: Document, under: str | None) -> None:
    """Release a document with unreleased changes."""
    changelog = read_changelog(document)
    log = changelog.log(under)
    versions = [r.title.version.key for r in log.released if r.title.version]
    highest = max(versions)[0] if versions else (0,)
    new = f"{(highest or (0,))[0] + 1}.0.0"
    edit = release_changes(document, new, today=TODAY, under=under)
    allowed = [definition.span for definition in find_definitions(document).values()]
    unreleased = log.unreleased
    assert unreleased is not None
    allowed.append(Span(unreleased.heading.span.start, changelog.end(unreleased)))
    for splice in edit.splices:
        assert any(
            span.start <= splice.span.start and splice.span.end <= span.end
            for span in allowed
        ), f"release touches offset {splice.span.start}"
    assert undo(edit) == document.text, "release cannot be undone"
    result = read_changelog(edit.result)
    again = result.log(under)
    assert again.unreleased is not None, "no new Unreleased"
    assert show_release(edit.result, "unreleased", under) == "", (
        "Unreleased is not empty"
    )
    labels = [r.label for r in again.released]
    assert labels[1:] == [r.label for r in log.released], "other releases change"
    assert again.released[0].version == new, "the version is not the latest"
    notes = show_release(document, "unreleased", under)
    assert show_release(edit.result, new, under) == notes, "the notes change"


def check_repair(document: Document) -> None:
    """Repair twice, with and without the released versions."""
    for released in (False, True):
        edit = repair_changelog(document, allow_released=released)
        again = repair_changelog(edit.result, allow_released=released)
        assert not again.changed, f"a second repair changes: {again.diff('x')[:400]}"
        lines = Counter(map(str.strip, document.text.split("\n")))
        entries = {line for line in lines if line[:2] in {"- ", "* "}}
        after = Counter(map(str.strip, edit.text.split("\n")))
        assert all(after[entry] == lines[entry] for entry in entries), (
            "an entry changed"
        )


def examine(text: str) -> str:
    """Return what a file is; raise when a promise does not hold."""
    document = Document(text)
    check_changelog(document)
    try:
        changelog = read_changelog(document)
    except ChangelogError:
        return "no changelog"
    check_add(document, changelog)
    check_repair(document)
    return "understood" if changelog.releases else "begun"


def describe(text: str) -> str:
    """Return what is understood of a file: releases, dates, findings by rule."""
    document = Document(text)
    releases = read_changelog(document).releases
    dated = sum(release.title.date is not None for release in releases)
    rules = Counter(finding.rule for finding in check_changelog(document))
    found = ", ".join(f"{rule} {count}" for rule, count in rules.items()) or "clean"
    return f"{len(releases)} releases, {dated} dated; {found}"


def main() -> int:
    """Examine all changelogs below a folder."""
    parser = argparse.ArgumentParser(description="examine changelogs")
    parser.add_argument("directory", type=Path, nargs="?", default=Path())
    parser.add_argument("--verbose", action="store_true", help="a line for each file")
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    failed = 0
    for path in sorted(options.directory.rglob("*")):
        if not (path.is_file() and NAMED.fullmatch(path.name)):
            continue
        name = path.relative_to(options.directory)
        if name.parts[0].startswith("."):  # an environment, say
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        for twin, source in twins(text):
            kind = attempt(source)
            if kind.startswith("FAILED"):
                failed += 1
                print(f"{name} ({twin}): {kind}")
            if twin == "as it is":
                kinds[kind.partition(":")[0]] += 1
                if kind == "no changelog":
                    print(f"{name}: {kind}")
                elif options.verbose:
                    print(f"{name}: {describe(text)}")
    print(", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    return 1 if failed else 0


def attempt(text: str) -> str:
    """Return the kind, or what went wrong."""
    try:
        return examine(text)
    except MdMcpError as error:
        return f"FAILED: {error.code}: {error}"
    except AssertionError as error:
        return f"FAILED: {error}"


if __name__ == "__main__":
    sys.exit(main())
