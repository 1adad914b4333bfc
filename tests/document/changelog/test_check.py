"""What `check_changelog` finds: each rule with a twin that is right."""

from __future__ import annotations

import pytest

from md_mcp.document.changelog.check import check_changelog
from md_mcp.document.model import Document

GOOD = """\
# Changelog

## [Unreleased]

### Added

- a

### Fixed

- b

## [1.1.0] - 2024-02-29

### Changed

- c

## [1.0.0] - 2023-11-05 [YANKED]

[unreleased]: https://x.org/compare/v1.1.0...HEAD
[1.1.0]: https://x.org/compare/v1.0.0...v1.1.0
[1.0.0]: https://x.org/releases/tag/v1.0.0
"""


def found(text: str) -> list[tuple[int, str]]:
    return [(f.line, f.rule) for f in check_changelog(Document(text))]


def test_a_changelog_in_order_has_no_findings() -> None:
    assert check_changelog(Document(GOOD)) == ()


def test_line_endings_make_no_difference() -> None:
    assert found(GOOD.replace("\n", "\r\n")) == []


@pytest.mark.parametrize(
    ("old", "new", "findings"),
    [
        pytest.param(
            "## [Unreleased]\n\n### Added\n\n- a\n\n### Fixed\n\n- b\n\n",
            "",
            [(3, "no-unreleased"), (11, "unused-definition")],
            id="no Unreleased section",
        ),
        pytest.param("### Fixed", "### fixed", [(9, "category")], id="a small letter"),
        pytest.param("### Fixed", "### Fixes", [(9, "category")], id="another form"),
        pytest.param("### Fixed", "### Bugs", [(9, "category")], id="another word"),
        pytest.param(
            "### Fixed", "### Added", [(9, "duplicate-category")], id="a repetition"
        ),
        pytest.param(
            "### Added", "### Security", [(9, "category-order")], id="another order"
        ),
        pytest.param(
            "## [1.0.0] -",
            "## [1.1.0] -",
            [(19, "duplicate-version"), (23, "unused-definition")],
            id="a version twice",
        ),
        pytest.param(
            "## [1.0.0] -",
            "## [1.10.0] -",
            [(19, "no-definition"), (19, "version-order"), (23, "unused-definition")],
            id="versions that ascend, and a label without its definition",
        ),
        pytest.param("2024-02-29", "2023-02-29", [(13, "date")], id="no such day"),
        pytest.param("2024-02-29", "29.02.2024", [(13, "date")], id="no ISO date"),
        pytest.param(" - 2024-02-29", "", [], id="no date at all"),
        pytest.param(
            "v1.1.0...HEAD",
            "v1.0.0...HEAD",
            [(21, "stale-definition")],
            id="comparing with an older release",
        ),
        pytest.param(
            "v1.0.0...v1.1.0",
            "v0.9.0...v1.0.0",
            [(22, "stale-definition")],
            id="comparing other releases",
        ),
        pytest.param(
            "[1.0.0]: https://x.org/releases/tag/v1.0.0\n",
            "",
            [(19, "no-definition")],
            id="a missing definition",
        ),
    ],
)
def test_a_fault_is_found(old: str, new: str, findings: list[tuple[int, str]]) -> None:
    assert old in GOOD
    assert sorted(found(GOOD.replace(old, new, 1))) == findings


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        pytest.param("# Guide\n\n## Install\n", [(1, "no-changelog")], id="a guide"),
        pytest.param("# Changelog\n", [(1, "no-unreleased")], id="a title only"),
        pytest.param(
            "## Unreleased\n## 1.0\n## Unreleased\n",
            [(3, "duplicate-version")],
            id="a second Unreleased section",
        ),
        pytest.param(
            "# Cs\n## 1.0\n### Unreleased\n## 0.9\n",
            [(2, "no-unreleased"), (3, "version-order")],
            id="an Unreleased section below a release",
        ),
        pytest.param(
            "## Unreleased\n### Features\n### Bug Fixes\n## 1.0\n### Features\n",
            [],
            id="a vocabulary of its own",
        ),
        pytest.param(
            "## Unreleased\n### Features\n### Features\n",
            [(3, "duplicate-category")],
            id="a repetition in another vocabulary",
        ),
        pytest.param(
            "# C\n## Unreleased\n## a@1.0\n## b@2.0\n## a@0.9\n",
            [],
            id="packages are in order each for itself",
        ),
        pytest.param(
            "## Unreleased\n## [1.0]\n## [0.9]\n",
            [],
            id="brackets without any definition",
        ),
        pytest.param(
            "## Unreleased\n\nSee [0.1].\n\n## [1.0]\n\n[1.0]: /a\n[0.1]: /b\n",
            [],
            id="a definition that a text uses",
        ),
    ],
)
def test_other_shapes(text: str, findings: list[tuple[int, str]]) -> None:
    assert found(text) == findings


def test_more_categories_may_be_allowed() -> None:
    text = "## Unreleased\n### Added\n### Docs\n"
    assert found(text) == [(3, "category")]
    document = Document(text)
    assert check_changelog(document, ("Added", "Fixed", "Docs")) == ()


def test_a_message_says_what_would_be_right() -> None:
    document = Document(GOOD.replace("### Fixed", "### fixd"))
    assert [finding.message for finding in check_changelog(document)] == [
        '"fixd" is to read "Fixed"'
    ]
