"""Changelogs: add an entry, release what is unreleased, show and check."""

from __future__ import annotations

import datetime
from typing import Any

from md_mcp.document.changelog.add import add_entry
from md_mcp.document.changelog.check import check_changelog as find_faults
from md_mcp.document.changelog.release import release_changes
from md_mcp.document.changelog.show import show_release
from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.errors import ArgumentError
from md_mcp.files import Change, Files

CHANGELOG_ACTIONS = ("add", "release", "show", "check")

_ARGUMENTS = {
    "add": {"entry", "category", "under"},
    "release": {"version", "date", "under"},
    "show": {"version", "under"},
    "check": set[str](),
}

_REQUIRED = {"add": "entry", "release": "version", "show": "version"}


def add_changelog_entry(
    files: Files,
    file_path: str,
    entry: str,
    category: str | None = None,
    under: str | None = None,
    *,
    expected_revision: str | None = None,
    dry_run: bool = False,
) -> Change:
    """Add an entry to the unreleased changes; see `add_entry` of the core."""

    def plan(document: Document) -> Edit:
        return add_entry(document, entry, category, under)

    return files.update(
        file_path, plan, expected_revision=expected_revision, dry_run=dry_run
    )


def release_changelog(
    files: Files,
    file_path: str,
    version: str,
    date: str | None = None,
    under: str | None = None,
    *,
    expected_revision: str | None = None,
    dry_run: bool = False,
) -> Change:
    """Make the unreleased changes a version, by default of today."""
    today = datetime.date.today().isoformat()

    def plan(document: Document) -> Edit:
        return release_changes(document, version, date, today, under)

    return files.update(
        file_path, plan, expected_revision=expected_revision, dry_run=dry_run
    )


def show_changelog(
    files: Files, file_path: str, version: str, under: str | None = None
) -> str:
    """Return the notes of a version, or of what is "unreleased"."""
    return show_release(files.read(file_path).document, version, under)


def check_changelog(files: Files, file_path: str) -> list[dict[str, Any]]:
    """Return `[{"line", "rule", "message"}]`, what is wrong with a changelog."""
    return [
        {"line": found.line, "rule": found.rule, "message": found.message}
        for found in find_faults(files.read(file_path).document)
    ]


def update_changelog(
    files: Files,
    file_path: str,
    action: str,
    entry: str | None = None,
    category: str | None = None,
    version: str | None = None,
    date: str | None = None,
    under: str | None = None,
    *,
    expected_revision: str | None = None,
) -> Change | str | list[dict[str, Any]]:
    """Do one of `CHANGELOG_ACTIONS` with the arguments that belong to it.

    Raises:
        ArgumentError: an argument is missing, or belongs to another action.
        ChangelogError: the action is not possible.
        FileError: the file cannot be read or must not be written.
    """
    arguments = {
        "entry": entry,
        "category": category,
        "version": version,
        "date": date,
        "under": under,
    }
    given = {name: value for name, value in arguments.items() if value is not None}
    _check_arguments(action, given)
    if action == "show":
        return show_changelog(files, file_path, given["version"], under)
    if action == "check":
        return check_changelog(files, file_path)
    if action == "release":
        return release_changelog(
            files,
            file_path,
            given["version"],
            date,
            under,
            expected_revision=expected_revision,
        )
    return add_changelog_entry(
        files,
        file_path,
        given["entry"],
        category,
        under,
        expected_revision=expected_revision,
    )


def _check_arguments(action: str, given: dict[str, str]) -> None:
    if action not in CHANGELOG_ACTIONS:
        known = ", ".join(CHANGELOG_ACTIONS)
        raise ArgumentError("action", f"{action!a} is no action. There are {known}.")
    needed = _REQUIRED.get(action)
    if needed and needed not in given:
        raise ArgumentError(needed, f'action "{action}" needs {needed}. Give it.')
    for name in given:
        if name not in _ARGUMENTS[action]:
            raise ArgumentError(
                name, f'action "{action}" takes no {name}. Leave it out.'
            )
