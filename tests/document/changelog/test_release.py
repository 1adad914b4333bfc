"""Releases: what is refused, and headings that are no model."""

from __future__ import annotations

import pytest

from md_mcp.document.changelog.check import check_changelog
from md_mcp.document.changelog.release import release_changes
from md_mcp.document.model import Document
from md_mcp.errors import ArgumentError, ChangelogError

TODAY = "2024-06-30"


def first_line(text: str, version: str, date: str | None = None) -> str:
    """Return the new heading."""
    edit = release_changes(Document(text), version, date, TODAY)
    before = set(text.split("\n"))
    return next(line for line in edit.text.split("\n") if line not in before)


@pytest.mark.parametrize(
    ("latest", "heading"),
    [
        ("## [1.0.0] - 2024-01-02", "## [1.1.0] - 2024-06-30"),
        ("## 1.0.0 (2024-01-02)", "## 1.1.0 (2024-06-30)"),
        ("## v1.0.0", "## v1.1.0"),
        ("## 1.0.0 / 2024-01-02 ##", "## 1.1.0 / 2024-06-30 ##"),
        ("## 2024-01-02 / 1.0.0", "## 2024-06-30 / 1.1.0"),
        ("## Version 1.0.0, 2 Jan 2024", "## Version 1.1.0, 2024-06-30"),
        (
            "## **1.0.0** <small>2024-01-02</small>",
            "## **1.1.0** <small>2024-06-30</small>",
        ),
        ("## name@1.0.0", "## name@1.1.0"),
        ("## [1.0.0](https://x.org/blog)", "## 1.1.0"),
        (
            "## [1.0.0](https://x.org/tag/v1.0.0)",
            "## [1.1.0](https://x.org/tag/v1.1.0)",
        ),
        ("## 1.0.0 - The big one", "## 1.1.0 - 2024-06-30"),
        ("## [1.0.0] - 2024-01-02 [YANKED]", "## 1.1.0 - 2024-06-30"),
    ],
)
def test_the_heading_is_like_the_latest_one(latest: str, heading: str) -> None:
    text = f"# C\n\n## Unreleased\n\n- a\n\n{latest}\n\n- z\n"
    assert first_line(text, "1.1.0") == heading


def test_a_yanked_release_is_passed_over_as_a_model() -> None:
    text = "## Unreleased\n- a\n## 1.1 (2024-02-03) [YANKED]\n## 1.0 (2024-01-02)\n"
    assert first_line(text, "1.2") == "## 1.2 (2024-06-30)"


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# Changelog\n\n## Unreleased\n\n- a\n", "## 0.1.0 - 2024-06-30"),
        ("# Changelog\n\n## [Unreleased]\n\n- a\n", "## [0.1.0] - 2024-06-30"),
        ("Unreleased\n---\n\n- a\n", "0.1.0 - 2024-06-30"),
    ],
)
def test_a_first_release_has_the_date(text: str, heading: str) -> None:
    assert first_line(text, "v0.1.0") == heading


def test_a_date_that_is_given_is_written_where_the_others_have_none() -> None:
    text = "## Unreleased\n- a\n## v1.0\n"
    assert first_line(text, "1.1", "2024-01-31") == "## v1.1 - 2024-01-31"


@pytest.mark.parametrize(
    ("version", "date", "error", "message"),
    [
        pytest.param("next", None, ArgumentError, "not a version", id="no version"),
        pytest.param("2.0", "30.6.2024", ArgumentError, "not a date", id="no date"),
        pytest.param("2.0", "2024-02-30", ArgumentError, "not a date", id="no day"),
        pytest.param("1.0.0", None, ChangelogError, "released already", id="again"),
        pytest.param(
            "v1.0", None, ChangelogError, "released already", id="again, as v"
        ),
        pytest.param("0.9", None, ChangelogError, "not above 1.0.0", id="lower"),
        pytest.param("1.0.0-rc.1", None, ChangelogError, "not above", id="before it"),
    ],
)
def test_what_makes_no_sense_is_refused(
    version: str, date: str | None, error: type[Exception], message: str
) -> None:
    document = Document("# C\n\n## Unreleased\n\n- a\n\n## 1.0.0\n")
    with pytest.raises(error, match=message):
        release_changes(document, version, date, TODAY)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# C\n\n## Unreleased\n\n## 1.0\n", id="nothing unreleased"),
        pytest.param("# C\n\n## Unreleased", id="nothing at the end of the file"),
        pytest.param("# C\n\n## 1.0\n", id="no Unreleased section"),
        pytest.param("# Changelog\n", id="a changelog just begun"),
    ],
)
def test_nothing_is_not_released(text: str) -> None:
    with pytest.raises(ChangelogError):
        release_changes(Document(text), "9.0", None, TODAY)


def test_a_released_changelog_still_passes_the_check() -> None:
    text = (
        "# C\n\n## [Unreleased]\n\n### Added\n\n- a\n\n## [1.0.0] - 2024-01-02\n\n"
        "[unreleased]: https://x.org/compare/v1.0.0...HEAD\n"
        "[1.0.0]: https://x.org/releases/tag/v1.0.0\n"
    )
    edit = release_changes(Document(text), "1.1.0", None, TODAY)
    assert check_changelog(edit.result) == ()
    assert edit.text.endswith(
        "[unreleased]: https://x.org/compare/v1.1.0...HEAD\n"
        "[1.1.0]: https://x.org/compare/v1.0.0...v1.1.0\n"
        "[1.0.0]: https://x.org/releases/tag/v1.0.0\n"
    )
