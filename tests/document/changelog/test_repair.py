"""Repairs: mechanical, complete in one go, and never in releases that are out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.changelog.check import check_changelog
from md_mcp.document.changelog.repair import repair_changelog
from md_mcp.document.model import Document
from md_mcp.errors import ChangelogError

HEAD = "# Changelog\n\n## [Unreleased]\n\n"
TAIL = "\n## [1.0.0] - 2023/11/05\n\n### fixed\n\n- z\n\n### Added\n\n- y\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("### fixes\n\n- b\n", "### Fixed\n\n- b\n", id="a spelling"),
        pytest.param(
            "### Fixed\n\n- b\n\n\n### Added\n- a  \n",
            "### Added\n- a  \n\n\n### Fixed\n\n- b\n",
            id="the order, with the gaps where they were",
        ),
        pytest.param(
            "### Added\n\n- a\n\n### Fixed\n\n- b\n\n### Added\n\n- c\n",
            "### Added\n\n- a\n- c\n\n### Fixed\n\n- b\n",
            id="a repetition goes on the list of the first",
        ),
        pytest.param(
            "### Added\n\n- a\n\n### add\n\n* c\n",
            "### Added\n\n- a\n\n* c\n",
            id="a list of another kind stays one of its own",
        ),
        pytest.param(
            "### Added\n\ntext\n\n### Added\n\n- c\n",
            "### Added\n\ntext\n\n- c\n",
            id="a text stays apart from a list",
        ),
        pytest.param(
            "### Added\n\n### Added\n\n- c\n", "### Added\n\n- c\n", id="an empty first"
        ),
        pytest.param(
            "### Added\n\n- a\n\n### Added\n",
            "### Added\n\n- a\n",
            id="an empty second",
        ),
        pytest.param(
            "### Security\n\n- s\n\n### Notes\n\nn\n\n### Added\n\n- a\n",
            "### Added\n\n- a\n\n### Notes\n\nn\n\n### Security\n\n- s\n",
            id="an unknown category keeps its place",
        ),
        pytest.param(
            "<!-- one -->\n### Fixed\n\n- b\n\n<!-- two -->\n### Added\n\n- a\n",
            "<!-- two -->\n### Added\n\n- a\n\n<!-- one -->\n### Fixed\n\n- b\n",
            id="comments go with the heading that they touch",
        ),
    ],
)
def test_what_is_unreleased_is_mended(before: str, after: str) -> None:
    edit = repair_changelog(Document(HEAD + before + TAIL))
    assert edit.text == HEAD + after + TAIL
    assert not repair_changelog(edit.result).changed


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("### Added\n\n- a\n\n### Fixed\n\n- b\n", id="all in order"),
        pytest.param("### Features\n\n- a\n\n### Bug Fixes\n\n- b\n", id="other words"),
        pytest.param(
            "### Added\n\n#### Core\n\n- a\n\n### Added\n\n- b\n",
            id="a repetition after deeper headings",
        ),
    ],
)
def test_what_needs_no_repair_or_judgement_stays(body: str) -> None:
    assert not repair_changelog(Document(HEAD + body + "\n## 0.1\n")).changed


def test_releases_are_mended_only_when_that_is_allowed() -> None:
    text = HEAD + "### Added\n\n- a\n" + TAIL
    assert not repair_changelog(Document(text)).changed
    edit = repair_changelog(Document(text), allow_released=True)
    assert edit.text == HEAD + "### Added\n\n- a\n" + (
        "\n## [1.0.0] - 2023-11-05\n\n### Added\n\n- y\n\n### Fixed\n\n- z\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "# C\n\n## [1.0.0]\n\n[1.0.0]: /1\n",
            "# C\n\n## Unreleased\n\n## [1.0.0]\n\n[1.0.0]: /1\n",
            id="without a definition of its own it is no link",
        ),
        pytest.param(
            "# C\n\n## [1.0.0]\n\n[unreleased]: /u\n[1.0.0]: /1\n",
            "# C\n\n## [Unreleased]\n\n## [1.0.0]\n\n[unreleased]: /u\n[1.0.0]: /1\n",
            id="with one it is",
        ),
        pytest.param(
            "1.0 / 2024-01-02\n===\n\n* a\n",
            "Unreleased\n===\n\n1.0 / 2024-01-02\n===\n\n* a\n",
            id="a setext heading among such",
        ),
        pytest.param(
            "# C\n\n<a id='1.0'></a>\n## v1.0\n",
            "# C\n\n## Unreleased\n\n<a id='1.0'></a>\n## v1.0\n",
            id="before the anchor of the release",
        ),
        pytest.param(
            "# Changelog\n\nSoon.",
            "# Changelog\n\nSoon.\n\n## Unreleased",
            id="at the end",
        ),
        pytest.param(
            "# All\n\n## A\n\n### 1.0\n\n## B\n\n### 2.0\n",
            "# All\n\n## A\n\n### Unreleased\n\n### 1.0\n\n## B\n\n### Unreleased\n\n### 2.0\n",
            id="in each log",
        ),
    ],
)
def test_a_missing_unreleased_section_is_made(before: str, after: str) -> None:
    edit = repair_changelog(Document(before))
    assert edit.text == after
    assert not repair_changelog(edit.result).changed


URL = "https://x.org/compare"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            f"[unreleased]: {URL}/v1.0...HEAD\n[1.0]: {URL}/v0.9...v1.0\n",
            f"[unreleased]: {URL}/v1.1...HEAD\n"
            f"[1.1]: {URL}/v1.0...v1.1\n[1.0]: {URL}/v0.9...v1.0\n",
            id="a release behind",
        ),
        pytest.param(
            f"[1.1]: <{URL}/v1.0...v1.1>\n",
            f"[1.1]: <{URL}/v1.0...v1.1>\n[1.0]: <{URL}/v0.9...v1.0>\n",
            id="after the one above, in its style",
        ),
        pytest.param("[1.1]: /blog\n", "[1.1]: /blog\n", id="no URL to learn from"),
    ],
)
def test_definitions_are_brought_up_to_date(before: str, after: str) -> None:
    head = "# C\n\n## [Unreleased]\n\n## [1.1]\n\n## [1.0]\n\n## 0.9\n\n"
    edit = repair_changelog(Document(head + before))
    assert edit.text == head + after
    assert not repair_changelog(edit.result).changed


def test_another_document_is_refused() -> None:
    with pytest.raises(ChangelogError):
        repair_changelog(Document("# Guide\n"))


@st.composite
def changelogs(draw: st.DrawFn) -> str:
    """Draw changelogs whose Unreleased section has any categories in any order."""
    names = st.sampled_from(
        ["Added", "added", "Fixed", "Fixes", "Security", "Notes", "Changed", "Remove"]
    )
    bodies = st.sampled_from(
        [
            "- a",
            "- b\n- c",
            "* d",
            "text",
            "",
            "- e\n\n  f",
            "#### g\n\n- h",
            "```\n- i\n```",
        ]
    )
    gaps = st.sampled_from(["\n\n", "\n", "\n\n\n"])
    parts = draw(st.lists(st.tuples(names, bodies, gaps), max_size=6))
    sections = (f"### {name}\n\n{body}{gap}" for name, body, gap in parts)
    end = draw(st.sampled_from(["", "## 1.0\n", "## [1.0]\n\n### fixes\n\n- z"]))
    text = (
        "# C\n\n" + draw(st.sampled_from(["## Unreleased\n\n", ""])) + "".join(sections)
    )
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    return (text + (end or "## 0.1\n")).replace("\n", ending)


@given(changelogs())
def test_a_repair_is_complete_and_loses_nothing(text: str) -> None:
    edit = repair_changelog(Document(text))
    assert not repair_changelog(edit.result).changed
    before = [line.strip(" \r") for line in text.split("\n") if "#" not in line]
    after = [line.strip(" \r") for line in edit.text.split("\n") if "#" not in line]
    assert sorted(filter(None, before)) == sorted(filter(None, after))
    rules = {finding.rule for finding in check_changelog(edit.result)}
    assert "no-unreleased" not in rules
