"""Entries: how they are written, where they go, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.changelog.add import add_entry
from md_mcp.document.changelog.release import release_changes
from md_mcp.document.changelog.show import show_release
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice, apply_splices
from md_mcp.document.text import Span
from md_mcp.errors import ArgumentError, ChangelogError


def added(text: str, entry: str, category: str | None = None) -> str:
    return add_entry(Document(text), entry, category).text


@pytest.mark.parametrize(
    ("items", "entry", "written"),
    [
        pytest.param("- a\n", "new", "- new\n", id="a bullet"),
        pytest.param("* a\n* b\n", "new", "* new\n", id="a star"),
        pytest.param("  + a\n", "new", "  + new\n", id="indented"),
        pytest.param("-   a\n", "new", "-   new\n", id="a wide gap"),
        pytest.param("1. a\n2. b\n", "new", "3. new\n", id="a number"),
        pytest.param("9) a\n", "new", "10) new\n", id="a number in parentheses"),
        pytest.param("- a\n\n- b\n", "new", "\n- new\n", id="a loose list"),
        pytest.param("- a\n", "* new", "- new\n", id="with a bullet of its own"),
        pytest.param("- a\n", "  new  ", "- new\n", id="with blanks around"),
        pytest.param(
            "- a\n", "# 1 is mended", "- # 1 is mended\n", id="like a heading"
        ),
        pytest.param(
            "- a\n",
            "one\n  two\n\n  - three",
            "- one\n  two\n\n  - three\n",
            id="lines",
        ),
        pytest.param(
            f"- {'long ' * 30}\n",
            "word " * 30,
            f"- {('word ' * 30).strip()}\n",
            id="not wrapped where the neighbours are not",
        ),
        pytest.param(
            f"- {'x' * 40}\n  y\n",
            f"{'a' * 30} {'b' * 9} {'c' * 30} {'d' * 12}",
            f"- {'a' * 30} {'b' * 9}\n  {'c' * 30}\n  {'d' * 12}\n",
            id="wrapped at the longest line of the neighbours",
        ),
        pytest.param(
            f"- {'x' * 40}\n  `y`\n",
            f"{'a' * 38} `b`",
            f"- {'a' * 38}\n  `b`\n",
            id="between code spans",
        ),
        pytest.param(
            f"- {'x' * 40}\n    y\n",
            f"{'a' * 30} {'b' * 30}",
            f"- {'a' * 30}\n    {'b' * 30}\n",
            id="with their indentation",
        ),
        pytest.param(
            f"- {'x' * 40}\n  y\n",
            f"{'a' * 39} - {'b' * 30}",
            f"- {'a' * 39} -\n  {'b' * 30}\n",
            id="no line begins with what would be a bullet",
        ),
    ],
)
def test_an_entry_is_written_as_those_before_it(
    items: str, entry: str, written: str
) -> None:
    text = f"# C\n\n## Unreleased\n\n### Added\n\n{items}\n## 1.0\n"
    expected = text.replace(f"{items}\n", f"{items}{written}\n")
    assert added(text, entry, "Added") == expected


def test_an_entry_follows_the_last_list_not_the_text_after_it() -> None:
    text = "## Unreleased\n\n### Added\n\n- a\n\nThanks to all.\n"
    assert added(text, "b", "Added") == text.replace("- a\n", "- a\n- b\n")


def test_a_category_without_entries_gets_its_first() -> None:
    text = "## Unreleased\n\n### Added\n\n## 1.0\n\n### Added\n\n* z\n"
    assert added(text, "b", "Added") == text.replace(
        "### Added\n\n## 1.0", "### Added\n\n* b\n\n## 1.0"
    )


def test_a_new_category_is_headed_as_the_same_one_elsewhere() -> None:
    text = (
        "## Unreleased\n\n#### Docs\n\n- a\n\n## 1.0\n\n#### :bug: *Fixes* ##\n\n- z\n"
    )
    assert ":bug: *Fixes* ##\n\n- b\n\n## 1.0" in added(text, "b", ":bug: Fixes")


def test_entries_without_categories_stand_right_below_the_heading() -> None:
    assert added("## Unreleased\n\n## 1.0\n\n- z\n", "b") == (
        "## Unreleased\n\n- b\n\n## 1.0\n\n- z\n"
    )


def test_an_unreleased_section_is_made_above_the_releases_that_are_out() -> None:
    text = "# C\n\n## 2.0\n\n- y\n\n## Unreleased\n\n- old\n\n## 1.0\n"
    assert added(text, "b").startswith("# C\n\n## Unreleased\n\n- b\n\n## 2.0\n")


@pytest.mark.parametrize(
    ("entry", "category", "message"),
    [
        pytest.param("x", "Fix", 'Did you mean "Fixed"', id="a near category"),
        pytest.param("x", "Bugs", "There are Added, Changed", id="an unknown category"),
        pytest.param("x", None, "Give one: Added", id="no category"),
        pytest.param(" \n ", "Added", "the entry is empty", id="no text"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    entry: str, category: str | None, message: str
) -> None:
    with pytest.raises(ArgumentError, match=message):
        added("## Unreleased\n\n### Added\n\n- a\n", entry, category)


def test_the_log_must_be_named_where_there_are_several() -> None:
    with pytest.raises(ChangelogError, match='2 changelogs, under "A", "B"'):
        added("# A\n## 1.0\n# B\n## 1.0\n", "x")


def test_a_section_without_releases_is_no_log() -> None:
    with pytest.raises(ChangelogError, match='right under "C", but under "A", "B"'):
        add_entry(Document("# A\n## 1.0\n# B\n## 1.0\n# C\n"), "x", under="C")


CHANGELOGS = st.lists(
    st.sampled_from(
        [
            *(
                "## Unreleased",
                "### Added",
                "### Fixed",
                "#### Core",
                "## [1.0] - 2024-01-02",
            ),
            *(
                "- a",
                "* b\n  c",
                "1. d",
                "text",
                "<!-- note -->",
                "```\n- e\n```",
                "---",
            ),
            *(
                "<a name='x'></a>",
                "[1.0]: /x",
                "> quote",
                "    code",
                "| t |\n|---|",
                "```",
            ),
        ]
    ),
    max_size=12,
).map(lambda parts: "# Changelog\n\n## 2.0\n" + "\n\n".join(parts))


@given(
    CHANGELOGS,
    st.sampled_from(["Added", "Security"]),
    st.sampled_from(["", "\n", "\n\n"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_an_entry_taken_out_again_leaves_the_bytes(
    text: str, category: str, end: str, ending: str
) -> None:
    document = Document((text + end).replace("\n", ending))
    try:
        edit = add_entry(document, "an `entry`", category)
    except ChangelogError:  # the text drawn holds several logs
        return
    assert "an `entry`" in show_release(edit.result, "unreleased")
    back, shift = [], 0
    for splice in edit.splices:
        start = splice.span.start + shift
        old = splice.span.of(document.text)
        back.append(Splice(Span(start, start + len(splice.text)), old))
        shift += len(splice.text) - len(splice.span)
    assert apply_splices(edit.text, back) == document.text
    released = release_changes(edit.result, "9.0", "2024-06-30").result
    assert show_release(released, "unreleased") == ""
    assert show_release(released, "9.0") == show_release(edit.result, "unreleased")
