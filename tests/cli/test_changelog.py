"""The verbs for changelogs: what they print, write and return."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from md_mcp.cli import main

TEXT = """\
# Changelog

## [Unreleased]

### Fixed

- a

## [1.0.0] - 2024-01-02

### Added

- z
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "CHANGELOG.md"
    path.write_bytes(TEXT.encode())
    return path


def test_add_writes_an_entry(
    log: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["changelog", "add", "--category", "Fixed", "b"]) == 0
    assert capfdbinary.readouterr() == (b"ok\n", b"")
    assert log.read_bytes().decode() == TEXT.replace("- a\n", "- a\n- b\n")


def test_a_preview_of_a_release_writes_nothing(
    log: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    arguments = ["changelog", "release", "1.1.0", "--date", "2024-06-30", "--dry-run"]
    assert main(arguments) == 0
    assert capfdbinary.readouterr().out.decode() == (
        "--- a/CHANGELOG.md\n+++ b/CHANGELOG.md\n@@ -2,6 +2,8 @@\n \n"
        " ## [Unreleased]\n \n+## [1.1.0] - 2024-06-30\n+\n ### Fixed\n \n - a\n"
    )
    assert log.read_bytes() == TEXT.encode()


def test_show_prints_notes_as_they_stand(
    log: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["changelog", "show", "v1.0.0"]) == 0
    assert capfdbinary.readouterr().out == b"### Added\n\n- z\n"
    assert main(["changelog", "show", "unreleased", "--json"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == "### Fixed\n\n- a\n"


def test_check_is_silent_or_lists_faults(
    log: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["changelog", "check"]) == 0
    assert capfdbinary.readouterr() == (b"", b"")
    log.rename("HISTORY.md").write_bytes(TEXT.replace("Added", "Aded").encode())
    assert main(["changelog", "check", "--changelog", "HISTORY.md"]) == 1
    assert capfdbinary.readouterr().out == (
        b'HISTORY.md:11: "Aded" is to read "Added" (category)\n'
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["release", "0.9"],
            "CHANGELOG: 0.9 is not above 1.0.0, which is released. Give a higher version,",
        ),
        (
            ["show", "3.0"],
            "CHANGELOG: there is no release '3.0'. There are: Unreleased, 1.0.0.",
        ),
        (
            ["show", "1.0", "--changelog", "NO.md"],
            'FILE_NOT_FOUND: there is no "NO.md".',
        ),
        (["add"], "INVALID_ARGUMENT: the following arguments are required: ENTRY."),
        (["ad"], 'INVALID_ARGUMENT: no verb "changelog ad". Nearest: "changelog add".'),
        ([], 'INVALID_ARGUMENT: no verb "changelog". Nearest: "changelog add".'),
    ],
)
def test_a_refusal_names_the_next_step(
    log: Path,
    arguments: list[str],
    message: str,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert main(["changelog", *arguments]) == 2
    captured = capfdbinary.readouterr()
    assert captured.out == b""
    assert captured.err.decode().startswith(f"md-mcp: {message}")
    assert log.read_bytes() == TEXT.encode()
