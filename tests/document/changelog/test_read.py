"""Which headings are releases, which logs they form, and how far they reach."""

from __future__ import annotations

import pytest

from md_mcp.document.changelog.read import read_changelog
from md_mcp.document.changelog.show import show_release
from md_mcp.document.model import Document
from md_mcp.errors import ChangelogError


def logs(text: str) -> list[tuple[str, list[str]]]:
    """Return path and labels of each log."""
    changelog = read_changelog(Document(text))
    return [(log.path, [r.label for r in log.releases]) for log in changelog.logs]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            "# Changelog\n## [Unreleased]\n## [1.0.0]\n",
            [("Changelog", ["Unreleased", "1.0.0"])],
            id="under a title",
        ),
        pytest.param(
            "1.1 / 2024-01-02\n===\n\n1.0\n===\n",
            [("", ["1.1", "1.0"])],
            id="setext headings without a title",
        ),
        pytest.param(
            "# Changes\n## 1.1.1\n# 1.1.0\n## 1.0.1\n# 1.0.0\n",
            [("Changes", ["1.1.1", "1.1.0", "1.0.1", "1.0.0"])],
            id="minor releases one level above patches",
        ),
        pytest.param(
            "# All\n## Client\n### 0.3\n## Server\n### 2.0\n### 1.0\n",
            [("All.Client", ["0.3"]), ("All.Server", ["2.0", "1.0"])],
            id="several logs",
        ),
        pytest.param(
            "# v2\n## v2.1.0\n# v1\n## v1.0.0\n",
            [("v2", ["2.1.0"]), ("v1", ["1.0.0"])],
            id="releases grouped by their first number",
        ),
        pytest.param(
            "# C\n## 2.0.0\n### Python 3.12\n### name@1.2.0\n## 1.0.0\n",
            [("C", ["2.0.0", "1.0.0"])],
            id="names with versions below releases are none",
        ),
        pytest.param(
            "# C\n## Rust 1.98\n### Added\n## Rust 1.97\n",
            [("C", ["rust@1.98", "rust@1.97"])],
            id="releases by the name of the product",
        ),
        pytest.param(
            "# C\n## a@1.1.0\n## b@2.0.0\n## a@1.0.0\n",
            [("C", ["a@1.1.0", "b@2.0.0", "a@1.0.0"])],
            id="packages in one log",
        ),
        pytest.param(
            '# C\n## **1.2.0**\n## <small>1.1.0 (2024-01-02)</small>\n## [1.0.0](/x "t")\n',
            [("C", ["1.2.0", "1.1.0", "1.0.0"])],
            id="markup in headings",
        ),
        pytest.param("# Changelog\n\nSoon.\n", [("Changelog", [])], id="just begun"),
    ],
)
def test_the_logs_of_a_file(text: str, found: list[tuple[str, list[str]]]) -> None:
    assert logs(text) == found


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="an empty file"),
        pytest.param("# Guide\n\n## Install\n", id="another document"),
        pytest.param("# Changelog\n\n| 1.0 | x |\n|-|-|\n", id="a table"),
        pytest.param("# History\n\ntext\n", id="a page about history"),
        pytest.param("```\n## 1.0.0\n```\n", id="a release in code"),
    ],
)
def test_other_files_are_no_changelogs(text: str) -> None:
    with pytest.raises(ChangelogError):
        read_changelog(Document(text))


@pytest.mark.parametrize(
    ("version", "notes"),
    [
        pytest.param("unreleased", "- next\n", id="what is to come"),
        pytest.param("[Unreleased]", "- next\n", id="with brackets"),
        pytest.param("1.1.0", "### Added\n\n- a\n\n## Thanks\n\nto all\n", id="plain"),
        pytest.param(
            "v1.1", "### Added\n\n- a\n\n## Thanks\n\nto all\n", id="by value"
        ),
        pytest.param("1.0.0", "- b", id="the last, before definitions"),
        pytest.param("0.9.0", "", id="empty"),
    ],
)
def test_show_gives_the_notes_of_a_release(version: str, notes: str) -> None:
    text = (
        "# C\n\n## Unreleased\n\n- next\n\n<a name='1.1.0'></a>\n## 1.1.0\n\n"
        "### Added\n\n- a\n\n## Thanks\n\nto all\n\n## 0.9.0\n## 1.0.0\n\n- b"
        "\n\n[1.1.0]: /x\n"
    )
    assert show_release(Document(text), version).rstrip("\n") == notes.rstrip("\n")


def test_a_release_of_one_of_several_logs_is_found_by_its_log() -> None:
    document = Document("# A\n## 1.0.0\n- a\n# B\n## 1.0.0\n- b\n")
    with pytest.raises(ChangelogError, match="in lines 2, 5"):
        show_release(document, "1.0.0")
    assert show_release(document, "1.0.0", "B") == "- b\n"


def test_a_release_of_a_package_is_found_by_its_full_name() -> None:
    document = Document("# C\n## a@1.0.0\n- a\n## b@1.0.0\n- b\n")
    assert show_release(document, "b@1.0.0") == "- b\n"


def test_a_missing_release_is_an_error_that_tells_which_exist() -> None:
    with pytest.raises(ChangelogError, match=r"no release '2\.0'. There are: 1\.0\."):
        show_release(Document("# C\n## 1.0\n"), "2.0")


def test_the_notes_keep_their_line_endings() -> None:
    assert (
        show_release(Document("## 1.0\r\n\r\n- a\r\n- b\r\n"), "1.0")
        == "- a\r\n- b\r\n"
    )
