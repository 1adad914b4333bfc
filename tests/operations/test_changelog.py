"""The operations on changelogs, on real files."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from md_mcp.errors import ArgumentError, ConflictError
from md_mcp.files import Change, Files
from md_mcp.operations import update_changelog
from md_mcp.operations.changelog import (
    add_changelog_entry,
    check_changelog,
    release_changelog,
    show_changelog,
)

TEXT = b"# C\n\n## Unreleased\n\n- a\n\n## 1.0 (2024-01-02)\n\n- z\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "CHANGELOG.md"
    path.write_bytes(TEXT)
    return path


def test_an_entry_is_written(log: Path) -> None:
    change = add_changelog_entry(Files.open(), str(log), "b")
    assert log.read_bytes() == TEXT.replace(b"- a\n", b"- a\n- b\n")
    assert change.name.endswith("CHANGELOG.md")


def test_a_preview_is_what_the_write_does_and_writes_nothing(log: Path) -> None:
    preview = add_changelog_entry(Files.open(), str(log), "b", dry_run=True)
    assert log.read_bytes() == TEXT
    assert preview.diff == add_changelog_entry(Files.open(), str(log), "b").diff


def test_a_release_has_the_date_of_today_unless_one_is_given(log: Path) -> None:
    before = datetime.date.today().isoformat()
    change = release_changelog(Files.open(), str(log), "1.1", dry_run=True)
    dates = {before, datetime.date.today().isoformat()}
    assert any(f"+## 1.1 ({date})\n" in change.diff for date in dates)
    release_changelog(Files.open(), str(log), "1.1", "2024-06-30")
    assert b"## Unreleased\n\n## 1.1 (2024-06-30)\n\n- a\n" in log.read_bytes()


def test_notes_are_shown_and_faults_are_listed(log: Path) -> None:
    assert show_changelog(Files.open(), str(log), "1.0") == "- z\n"
    assert check_changelog(Files.open(), str(log)) == []
    log.write_bytes(b"# C\n\n## 1.0\n")
    assert check_changelog(Files.open(), str(log)) == [
        {
            "line": 3,
            "rule": "no-unreleased",
            "message": 'no Unreleased section under "C"',
        }
    ]


def test_a_stale_revision_is_refused(log: Path) -> None:
    with pytest.raises(ConflictError):
        add_changelog_entry(
            Files.open(), str(log), "b", expected_revision="0123456789ab"
        )
    assert log.read_bytes() == TEXT


def test_one_function_does_each_action(log: Path) -> None:
    files, path = Files.open(), str(log)
    assert isinstance(update_changelog(files, path, "add", entry="b"), Change)
    assert update_changelog(files, path, "show", version="unreleased") == "- a\n- b\n"
    update_changelog(files, path, "release", version="2.0", date="2024-06-30")
    assert update_changelog(files, path, "show", version="2.0") == "- a\n- b\n"
    assert update_changelog(files, path, "check") == []


@pytest.mark.parametrize(
    ("action", "arguments", "message"),
    [
        ("delete", {}, "'delete' is no action. There are add, release, show, check."),
        ("add", {}, 'action "add" needs entry. Give it.'),
        ("release", {"date": "2024-06-30"}, 'action "release" needs version. Give it.'),
        ("show", {"version": "1.0", "entry": "x"}, 'action "show" takes no entry.'),
        ("check", {"version": "1.0"}, 'action "check" takes no version.'),
    ],
)
def test_arguments_that_do_not_belong_to_the_action_are_refused(
    log: Path, action: str, arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        update_changelog(Files.open(), str(log), action, **arguments)
    assert str(caught.value).startswith(message)
    assert log.read_bytes() == TEXT
