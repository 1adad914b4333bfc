"""The outline of a document: its lines, what they cost, and the first line."""

from __future__ import annotations

import pytest

from md_mcp.document.model import Document
from md_mcp.document.outline import outline_lines, outline_title
from md_mcp.document.tokens import estimate_tokens


def lines(text: str, max_level: int = 6) -> list[str]:
    return [line.text for line in outline_lines(Document(text), max_level)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("# A\n", ["A L1-1 1"], id="a heading without text"),
        pytest.param(
            "# A\n\nabcd\n\n## B\n\nabcdefgh\n",
            ["A L1-7 3/7", " B L5-7 4"],
            id="own tokens and those of the subtree",
        ),
        pytest.param(
            "# A\n### B\n## C\n#### D\n",
            ["A L1-4 1/7", " B L2-2 2", " C L3-4 2/4", "  D L4-4 2"],
            id="indented by depth, not by level",
        ),
        pytest.param(
            "# A\n## B\n## B\n",
            ["A L1-3 1/5", " B L2-2 2", " `A.B[2]` L3-3 2"],
            id="the path of a duplicate",
        ),
        pytest.param(
            "# A\n## v1.2\n",
            ["A L1-2 1/3", r" `A.v1\.2` L2-2 2"],
            id="the path of a text with a dot",
        ),
        pytest.param(
            "---\na: b\n---\n\nhello\n\n# A\n",
            ["frontmatter L1-3 4", "(preamble) L4-6 2", "A L7-7 1"],
            id="front matter and preamble",
        ),
        pytest.param(
            "\n\n# A\n", ["A L3-3 1"], id="a preamble of blank lines is not shown"
        ),
        pytest.param("A\r\n===\r\n\r\nx\r\n", ["A L1-4 4"], id="CRLF and setext"),
        pytest.param("# A\r\rx\r# B\r", ["A L1-3 2", "B L4-4 1"], id="old Mac"),
        pytest.param("# \u6570\u636e\n", ["\u6570\u636e L1-1 3"], id="Han characters"),
    ],
)
def test_each_heading_has_a_line(text: str, expected: list[str]) -> None:
    assert lines(text) == expected


def test_deeper_headings_are_left_out_but_counted() -> None:
    text = "# A\n## B\n### C\n## D\n"
    assert lines(text, 2) == ["A L1-4 1/7", " B L2-3 2/4", " D L4-4 2"]


def test_a_block_that_is_no_front_matter_is_named_with_its_fault() -> None:
    (fault, *_) = lines("---\na: [\n---\n# A\n")
    assert fault.startswith("! no front matter: ")
    assert "line" in fault


@pytest.mark.parametrize(
    ("text", "endings"),
    [
        ("# A\nx\n", "LF"),
        ("# A", "LF"),
        ("# A\r\nx\r\n", "CRLF"),
        ("# A\rx\r", "CR"),
        ("# A\nx\ny\r\n", "mixed LF (2) and CRLF (1)"),
    ],
)
def test_the_first_line_tells_the_line_endings(text: str, endings: str) -> None:
    title = outline_title(Document(text), "a.md", "0123456789ab", "")
    assert title.endswith(f"· 1 heading · {endings} · revision 0123456789ab")


def test_the_first_line_tells_what_the_outline_costs() -> None:
    document = Document("# A\n\n" + "word " * 4000 + "\n\n## B\n")
    body = "\n".join(line.text for line in outline_lines(document))
    title = outline_title(document, "a.md", "0123456789ab", body)
    assert title == (
        "a.md · 5,003 tokens · outline 29 (99% saved) · 2 headings · LF · "
        "revision 0123456789ab"
    )
    assert abs(estimate_tokens(f"{title}\n{body}") - 29) <= 1
