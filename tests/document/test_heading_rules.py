"""Rules for headings, and levels without gaps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.heading_rules import check_headings, close_gaps
from md_mcp.document.model import Document


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        pytest.param("# A\n## B\n### C\n## D\n", [], id="all in order"),
        pytest.param("text\n", [], id="no heading"),
        pytest.param("## A\n## B\n", [], id="no title"),
        pytest.param("# A\n# B\n", [(2, "several-titles")], id="two titles"),
        pytest.param("A\n=\n\nB\n=\n", [(4, "several-titles")], id="two setext titles"),
        pytest.param("# A\n### B\n", [(2, "skipped-level")], id="a gap"),
        pytest.param("### A\n# B\n", [], id="the first heading may be deep"),
        pytest.param("# A\n##\n", [(2, "empty-heading")], id="no text"),
        pytest.param("# A\n## ##\n", [(2, "empty-heading")], id="only a closing run"),
        pytest.param("# A\n## B\n## b\n", [(3, "duplicate-path")], id="one path twice"),
        pytest.param("# A\n## B\n# C\n## B\n", [(3, "several-titles")], id="two paths"),
        pytest.param("```\n# A\n# B\n```\n", [], id="code"),
    ],
)
def test_findings(text: str, findings: list[tuple[int, str]]) -> None:
    found = check_headings(Document(text))
    assert [(f.line, f.rule) for f in found] == findings


def test_a_rule_can_be_left_out() -> None:
    document = Document("# A\n# B\n##\n")
    assert [f.rule for f in check_headings(document, ("empty-heading",))] == [
        "empty-heading"
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("# A\n### B\n", "# A\n## B\n", id="one gap"),
        pytest.param(
            "# A\n#### B ####\n##### C\n## D\n",
            "# A\n## B ####\n### C\n## D\n",
            id="what is below moves along",
        ),
        pytest.param("  # A\n   ### B\n", "  # A\n   ## B\n", id="indented"),
        pytest.param("A\n===\n\n### B\r\n", "A\n===\n\n## B\r\n", id="below setext"),
        pytest.param("### A\n## B\n", "### A\n## B\n", id="none between roots"),
    ],
)
def test_gaps_are_closed(before: str, after: str) -> None:
    assert close_gaps(Document(before)).text == after


@given(st.lists(st.integers(1, 6), max_size=12))
def test_closing_gaps_keeps_the_tree_and_leaves_none(levels: list[int]) -> None:
    text = "".join(f"{'#' * level} h{n}\n\n" for n, level in enumerate(levels))
    document = Document(text)
    edit = close_gaps(document)
    assert edit.result.tree.parents == document.tree.parents
    assert check_headings(edit.result, ("skipped-level",)) == ()
    assert not close_gaps(edit.result).changed
