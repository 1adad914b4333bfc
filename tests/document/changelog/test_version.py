"""Versions: what is one, and in which order they stand."""

from __future__ import annotations

from itertools import pairwise

import pytest

from md_mcp.document.changelog.version import Version, find_version, scan_version

ASCENDING = [
    # https://semver.org/spec/v2.0.0.html#spec-item-11
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.0.post1",
    # Python's pre-releases
    "1.1.dev3",
    "1.1a2",
    "1.1b1",
    "1.1rc1",
    "1.1",
    "1.1.1",
    "1.9",
    "1.10",
    "5.15.57.1",
    "2024.2",
    "2024.10",
]


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(ASCENDING)))
def test_versions_ascend(lower: str, higher: str) -> None:
    assert Version(lower).key < Version(higher).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("1.2", "1.2.0", id="a last zero may be left out"),
        pytest.param("1.2.0+linux", "1.2.0+mac", id="build metadata does not count"),
        pytest.param("1.0rc1", "1.0.0RC1", id="case does not count"),
    ],
)
def test_spellings_of_one_version_are_equal(one: str, other: str) -> None:
    assert Version(one).key == Version(other).key


@pytest.mark.parametrize(
    ("text", "version"),
    [
        pytest.param("1.2.3", "1.2.3", id="plain"),
        pytest.param("v1.2.3", "1.2.3", id="with v"),
        pytest.param("1.2.0-rc.1+5", "1.2.0-rc.1+5", id="with pre-release and build"),
        pytest.param("7", "7", id="one number"),
        pytest.param("1.2.x", None, id="a range"),
        pytest.param("1.2.3 - 2024-01-02", None, id="more than a version"),
        pytest.param("vv1.2", None, id="two v"),
        pytest.param("", None, id="empty"),
        pytest.param("\u0661.\u0662", None, id="digits of another script"),
        pytest.param("1" * 5000, None, id="more digits than Python converts"),
    ],
)
def test_find_version(text: str, version: str | None) -> None:
    found = find_version(text)
    assert (found.text if found else None) == version


def test_a_version_ends_before_a_sentence_goes_on() -> None:
    found = scan_version("v2.1.1. / 2025", 1)
    assert found == Version("2.1.1")


def test_a_version_is_not_cut_out_of_a_word() -> None:
    assert scan_version("1.2.0x", 0) is None
