"""Tables of contents: in step, out of step, and what is no table."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from md_mcp.document.model import Document
from md_mcp.document.toc import check_toc, update_toc

PLAIN = "# T\n\n<!-- toc -->\n\n{}\n\n<!-- tocstop -->\n\n"


def table(body: str, max_depth: int = 6) -> str:
    """Return the list that is made for a body."""
    document = Document("<!-- toc -->\n<!-- tocstop -->\n\n" + body)
    text = update_toc(document, max_depth).text
    return text.partition("-->\n\n")[2].partition("\n\n<!--")[0]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        pytest.param("## A\n## B\n", "- [A](#a)\n- [B](#b)", id="siblings"),
        pytest.param(
            "## A\n### K\n#### L\n## B\n",
            "- [A](#a)\n  - [K](#k)\n    - [L](#l)\n- [B](#b)",
            id="children",
        ),
        pytest.param(
            "## A\n###### Z\n",
            "- [A](#a)\n  - [Z](#z)",
            id="skipped levels are no deeper",
        ),
        pytest.param(
            "### A\n## B\n### C\n",
            "- [A](#a)\n- [B](#b)\n  - [C](#c)",
            id="a deep start",
        ),
        pytest.param("## A\n## A\n", "- [A](#a)\n- [A](#a-1)", id="equal headings"),
        pytest.param("A\n---\n", "- [A](#a)", id="a setext heading"),
        pytest.param("## `a_b` *c*\n", "- [`a_b` *c*](#a_b-c)", id="markup is kept"),
        pytest.param(
            "## [A](/x) & b\n", "- [A & b](#a--b)", id="a link cannot be inside"
        ),
        pytest.param("## [*A*](/x) \\*\n", "- [A \\*](#a-)", id="its text is escaped"),
        pytest.param("## Größe 中\n", "- [Größe 中](#größe-中)", id="other scripts"),
        pytest.param("##\n## A\n", "- [A](#a)", id="an empty heading"),
        pytest.param("```\n## no\n```\n## A\n", "- [A](#a)", id="code"),
        pytest.param("## A\n```\n", "- [A](#a)", id="an open fence"),
    ],
)
def test_the_list_of_a_body(body: str, lines: str) -> None:
    assert table(body) == lines


@pytest.mark.parametrize(
    ("depth", "lines"),
    [(2, "- [A](#a)\n- [B](#b)"), (3, "- [A](#a)\n  - [K](#k)\n- [B](#b)")],
)
def test_deeper_levels_are_left_out(depth: int, lines: str) -> None:
    assert table("## A\n### K\n#### L\n## B\n", depth) == lines


def test_a_table_of_nothing_stays_empty() -> None:
    document = Document("<!-- toc -->\n<!-- tocstop -->\n\n## A\n")
    assert not update_toc(document, 1).changed


def test_headings_before_the_table_count_for_anchors_only() -> None:
    text = "# A\n\n<!-- toc -->\n<!-- tocstop -->\n\n## A\n"
    assert "- [A](#a-1)\n" in update_toc(Document(text)).text
    assert update_toc(Document(text)).text.count("](#") == 1


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("- [A](#a)\n  - [K *k*](#k-k)\n- [Ö](#ö)", id="as it is made"),
        pytest.param("* [A](#a)\n  * [K *k*](#k-k)\n* [Ö](#ö)", id="with stars"),
        pytest.param(
            "- [A](#a)\n    - [K *k*](#k-k)\n- [Ö](#ö)", id="indented by four"
        ),
        pytest.param("- [A](#a)\n  - [K k](#k-k)\n- [Ö](#ö)", id="without markup"),
        pytest.param(
            "- [A](#a)\n  - [K *k*](#k-k)\n- [Ö](#%C3%B6)", id="escaped anchors"
        ),
    ],
)
def test_a_table_in_step_keeps_its_bytes(lines: str) -> None:
    document = Document(PLAIN.format(lines) + "## A\n### K *k*\n## Ö\n")
    assert not update_toc(document).changed
    assert check_toc(document) == ()


def test_lines_that_are_still_right_and_the_style_are_kept() -> None:
    old = "* [A](#a)\n    * [K k](#k-k)\n* [Gone](#gone)"
    document = Document(PLAIN.format(old) + "## A\n### K *k*\n### L\n## B\n")
    new = "* [A](#a)\n    * [K k](#k-k)\n    * [L](#l)\n* [B](#b)"
    assert update_toc(document).text == document.text.replace(old, new)


def test_a_table_that_is_indented_by_levels_goes_on_so() -> None:
    old = "- [A](#a)\n  - [K](#k)\n- [B](#b)\n    - [Z](#z)"
    document = Document(PLAIN.format(old) + "## A\n### K\n## B\n#### Z\n")
    assert not update_toc(document).changed
    longer = Document(document.text + "#### Y\n")
    assert update_toc(longer).text == longer.text.replace(old, f"{old}\n    - [Y](#y)")


def test_a_table_never_begins_indented() -> None:
    old = "* [Z](#z)\n   * [A](#a)"
    edit = update_toc(Document(PLAIN.format(old) + "## A\n\n# B\n"))
    assert edit.text == PLAIN.format("* [A](#a)\n* [B](#b)") + "## A\n\n# B\n"
    assert not update_toc(edit.result).changed


def test_a_table_that_is_out_of_step_is_found_in_the_line_of_its_marker() -> None:
    found = check_toc(Document("# T\n\n<!-- toc -->\n<!-- tocstop -->\n\n## A\n"))
    assert [(finding.line, finding.rule) for finding in found] == [(3, "toc")]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("<!-- toc -->\n\n## A\n", [1], id="no end"),
        pytest.param("## A\n\n<!-- tocstop -->\n", [3], id="no start"),
        pytest.param(
            "<!-- toc -->\n\n<!-- END doctoc -->\n", [1, 3], id="of two kinds"
        ),
    ],
)
def test_a_marker_without_counterpart_is_found_and_left(
    text: str, lines: list[int]
) -> None:
    found = check_toc(Document(text))
    assert [(f.line, f.rule) for f in found] == [(n, "toc-marker") for n in lines]
    assert not update_toc(Document(text)).changed


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```\n<!-- toc -->\n<!-- tocstop -->\n```\n## A\n", id="in code"),
        pytest.param("- <!-- toc -->\n- <!-- tocstop -->\n\n## A\n", id="in a list"),
        pytest.param("a <!-- toc --> b\n<!-- tocless -->\n\n## A\n", id="in a line"),
        pytest.param("toc\n\n## A\n", id="as a word"),
    ],
)
def test_other_places_are_no_markers(text: str) -> None:
    assert check_toc(Document(text)) == ()
    assert not update_toc(Document(text)).changed


def test_the_end_of_the_file_may_follow_the_table() -> None:
    document = Document("# A\n\n<!-- toc -->\n- [X](#x)\n<!-- tocstop -->")
    assert update_toc(document).text == "# A\n\n<!-- toc -->\n<!-- tocstop -->"


@example(["## A", "# [x](y)"], "* [Z](#z)\n   * [A](#a)", "\n")
@given(
    st.lists(
        st.sampled_from(
            ["## A", "### B *b*", "# [x](y)", "text", "```\n## c\n```", "##"]
        )
    ),
    st.sampled_from(
        ["", "- [A](#a)", "* [Z](#z)\n   * [A](#a)", "**Contents**\n\n- [a](#b)"]
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_an_update_is_complete_and_keeps_all_else(
    parts: list[str], old: str, ending: str
) -> None:
    head, foot = PLAIN.split("{}")
    body = "\n\n".join(parts)
    document = Document((head + old + foot + body).replace("\n", ending))
    edit = update_toc(document)
    assert not update_toc(edit.result).changed
    assert check_toc(edit.result) == ()
    kept = head.rstrip("\n").replace("\n", ending)
    assert edit.text.startswith(kept)
    assert edit.text.endswith((foot.lstrip("\n") + body).replace("\n", ending))
