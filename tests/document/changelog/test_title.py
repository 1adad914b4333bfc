"""What headings of releases say, and headings that only look like them."""

from __future__ import annotations

import pytest

from md_mcp.document.changelog.title import find_title


def summary(text: str) -> tuple[str, str] | None:
    """Return version and date as they are written, "" where there is none."""
    title = find_title(text)
    if title is None:
        return None
    version = title.version.text if title.version else ""
    return version, title.date.text if title.date else ""


@pytest.mark.parametrize(
    ("text", "version", "date"),
    [
        ("[1.2.0] - 2024-01-02", "1.2.0", "2024-01-02"),
        ("v1.2.0", "1.2.0", ""),
        ("1.2.0 (2024-01-02)", "1.2.0", "2024-01-02"),
        ("1.2.0 / 2024-01-02", "1.2.0", "2024-01-02"),
        ("2024-01-02 / 1.2.0", "1.2.0", "2024-01-02"),
        ("v2.1.1. / 2025-12-01", "2.1.1", "2025-12-01"),
        ("1.2.0 — 2024-01-02", "1.2.0", "2024-01-02"),
        ("1.2.0 2024-01-02", "1.2.0", "2024-01-02"),
        ("Version v1.53.2", "1.53.2", ""),
        ("Release 1.0", "1.0", ""),
        ("Build 21364", "21364", ""),
        ("v3", "3", ""),
        ("3 (2024-01-02)", "3", "2024-01-02"),
        ("2.0.0: the big one", "2.0.0", ""),
        ("2024-01-02", "2024-01-02", "2024-01-02"),
        ("1.0.0-rc.1 - 2024-01-02", "1.0.0-rc.1", "2024-01-02"),
        ("@scope/name@1.2.0", "1.2.0", ""),
        ("name-v1.2.0 (2024-01-02)", "1.2.0", "2024-01-02"),
        ("Rust 1.98", "1.98", ""),
        ("Unreleased", "", ""),
        ("[Unreleased]", "", ""),
        ("UNRELEASED / in nightly", "", ""),
    ],
)
def test_a_release_is_recognised(text: str, version: str, date: str) -> None:
    assert summary(text) == (version, date)


@pytest.mark.parametrize(
    "text",
    [
        "Added",
        "Changelog",
        "3",
        "1. Find the commits",
        "2.1 Overview",
        "Drop support for Python 3.8",
        "Upgrade to 2.0",
        "1.2.x",
        "2024-02-30",
        "Unreleasedness",
        "What is unreleased",
        "Step 1: versions",
        "",
    ],
)
def test_other_headings_are_no_releases(text: str) -> None:
    assert find_title(text) is None


def test_a_yanked_release_is_marked() -> None:
    title = find_title("[0.0.5] - 2014-08-09 [YANKED]")
    assert title is not None
    assert title.is_yanked
    assert not title.is_unreleased


@pytest.mark.parametrize("text", ["2.0.0 (unreleased)", "2.0.0 - Unreleased"])
def test_a_version_may_be_still_to_come(text: str) -> None:
    title = find_title(text)
    assert title is not None
    assert title.is_unreleased
    assert title.version is not None


def test_a_name_set_apart_by_a_blank_is_weaker_than_one_with_a_sign() -> None:
    titles = [find_title("Rust 1.98"), find_title("rust@1.98")]
    assert [t and (t.name, t.is_named) for t in titles] == [
        ("rust", True),
        ("rust", False),
    ]
