"""`replace_in`: literal, only in the own body, never a lost line break."""

import pytest

from md_mcp.document.edit import replace_in
from md_mcp.document.model import Document
from md_mcp.errors import (
    ArgumentError,
    FrontMatterError,
    StructureError,
    TextNotFoundError,
    TextNotUniqueError,
)

CASES = [
    pytest.param(
        "# A\n\nVALUE\n", "A", "VALUE", r"$& \1 \g<0> \d", "# A\n\n$& \\1 \\g<0> \\d\n",
        id="nothing is expanded",
    ),
    pytest.param("# A\n\na.c abc\n", "A", "a.c", "x", "# A\n\nx abc\n", id="literal dot"),
    pytest.param(
        "# A\r\n\r\none\r\ntwo\r\n", "A", "one\ntwo", "1\n2\n3",
        "# A\r\n\r\n1\r\n2\r\n3\r\n", id="a line feed matches CRLF and becomes it",
    ),
    pytest.param("# A\r\ra\rb\r", "A", "a\nb", "x\ny", "# A\r\rx\ry\r", id="old-Mac"),
    pytest.param(
        "# A\n\nx\n## B\n", "A", "x\n", "y", "# A\n\ny\n## B\n",
        id="the line break before a heading is kept",
    ),
    pytest.param(
        "# A\n\nx\ny\n## B\n", "A", "y\n", "", "# A\n\nx\n## B\n", id="a last line deleted"
    ),
    pytest.param("# A\nx\n## B\n", "A", "x\n", "", "# A\n## B\n", id="a body deleted"),
    pytest.param("# A\n\nx\n", "A", "x\n", "y", "# A\n\ny", id="at the end as asked"),
    pytest.param("x\n\n# A\n", "(preamble)", "x", "y", "y\n\n# A\n", id="preamble"),
    pytest.param(
        "# A\n\nx\n\n[1]: /u\n", "A", "/u", "/v", "# A\n\nx\n\n[1]: /v\n",
        id="closing definitions belong to the last section",
    ),
    pytest.param(
        "---\na: 1\n---\n", "frontmatter", "1", "2", "---\na: 2\n---\n", id="front matter"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("before", "path", "old", "new", "after"), CASES)
def test_replace_in_writes_exactly_this(before, path, old, new, after):
    assert replace_in(Document(before), path, old, new).text == after


def test_replace_all_is_one_pass_from_left_to_right():
    edit = replace_in(Document("# A\n\naa a\n\n# B\n\na\n"), "A", "a", "aa", True)
    assert edit.text == "# A\n\naaaa aa\n\n# B\n\na\n"


def test_text_in_children_and_in_the_heading_is_out_of_reach():
    with pytest.raises(TextNotFoundError) as caught:
        replace_in(Document("# Deep\n\n## K\n\ndeep\n"), "Deep", "deep", "x")
    assert (caught.value.closest, caught.value.line) == ("", 0)


def test_an_absent_text_names_the_closest_line():
    with pytest.raises(TextNotFoundError, match="line 4: 'the quick fox'") as caught:
        replace_in(Document("# A\n\nx\nthe quick fox\n"), "A", "the quik fox", "y")
    assert (caught.value.closest, caught.value.line) == ("the quick fox", 4)


@pytest.mark.parametrize(
    ("old", "closest"),
    [
        pytest.param(
            "head fist", "Walks down a trunk head first.", id="part of a line"
        ),
        pytest.param("qqqq", "", id="nothing like it"),
    ],
)
def test_a_short_text_is_compared_with_parts_of_lines(old, closest):
    document = Document("# A\n\nA small bird.\nWalks down a trunk head first.\n")
    with pytest.raises(TextNotFoundError) as caught:
        replace_in(document, "A", old, "x")
    assert caught.value.closest == closest


def test_a_repeated_text_names_count_and_lines():
    with pytest.raises(TextNotUniqueError, match=r"2 times in \"A\" \(lines 3, 4\)"):
        replace_in(Document("# A\n\nx = 1\nx = 1\n"), "A", "x = 1", "x = 2")


@pytest.mark.parametrize(("old", "new"), [("", "x"), ("x", "x")])
def test_replace_in_refuses_empty_and_equal(old, new):
    with pytest.raises(ArgumentError):
        replace_in(Document("# A\n\nx\n"), "A", old, new)


@pytest.mark.parametrize(
    ("text", "path", "old", "new", "error"),
    [
        pytest.param("# A\n\nx\n\n# B\n", "A", "x", "```", StructureError, id="fence"),
        pytest.param("# A\n\na\nx\n", "A", "x", "===", StructureError, id="underline"),
        pytest.param(
            "---\na: 1\nb: 2\n---\n",
            "frontmatter",
            "b",
            "a",
            FrontMatterError,
            id="key",
        ),
        pytest.param(
            "---\na: 1\nb: 2\n---\n",
            "frontmatter",
            "b: 2",
            "---",
            StructureError,
            id="end",
        ),
    ],
)
def test_replace_in_refuses_a_broken_structure(text, path, old, new, error):
    with pytest.raises((error, FrontMatterError)):
        replace_in(Document(text), path, old, new)
