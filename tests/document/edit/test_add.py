"""Layout and refusals of `add`; every row is exact."""

import pytest

from md_mcp.document.edit import add
from md_mcp.document.model import Document
from md_mcp.errors import (
    ArgumentError,
    EditError,
    InvalidHeadingError,
    SectionNotFoundError,
    StructureError,
)

R = "# R\n\n## A\n\na\n\n## B\n\nb\n"

LAYOUT = [
    pytest.param(
        R,
        {"after": "R.A"},
        "# R\n\n## A\n\na\n\n## N\n\nn\n\n## B\n\nb\n",
        id="after a section: one blank line on each side",
    ),
    pytest.param(
        "# R\n\n## A\n\na\n\n\n## B\n\nb\n",
        {"before": "R.B"},
        "# R\n\n## A\n\na\n\n## N\n\nn\n\n## B\n\nb\n",
        id="of two blank lines one stays before, one behind",
    ),
    pytest.param(
        "# R\n\n## A\na\n## B\nb\n",
        {"before": "R.B"},
        "# R\n\n## A\na\n\n## N\n\nn\n\n## B\nb\n",
        id="without blank lines both are added",
    ),
    pytest.param(
        "# R\n\n## A\n\na\n\n### K\n\nk\n\n## B\n",
        {"after": "R.A"},
        "# R\n\n## A\n\na\n\n### K\n\nk\n\n## N\n\nn\n\n## B\n",
        id="after means after the children",
    ),
    pytest.param(R, {"under": "R"}, R + "\n## N\n\nn\n", id="under the title"),
    pytest.param(
        "# R\n\nr\n\n# S\n\ns\n",
        {"under": "R"},
        "# R\n\nr\n\n## N\n\nn\n\n# S\n\ns\n",
        id="under a section in the middle",
    ),
    pytest.param(
        R,
        {"under": "R", "before": "R.A"},
        "# R\n\n## N\n\nn\n\n## A\n\na\n\n## B\n\nb\n",
        id="under and before",
    ),
    pytest.param("# R\n\nx", {}, "# R\n\nx\n\n## N\n\nn", id="no final ending stays"),
    pytest.param(
        "# R\n\nx\n\n\n\n", {}, "# R\n\nx\n\n## N\n\nn\n\n\n\n", id="blank end stays"
    ),
    pytest.param("", {}, "## N\n\nn\n", id="an empty file"),
    pytest.param("\ufeff", {}, "\ufeff## N\n\nn\n", id="a file of just a BOM"),
    pytest.param("\n\n", {}, "\n\n## N\n\nn\n", id="a blank file"),
    pytest.param(
        "\n\n# A\n",
        {"before": "A"},
        "\n\n## N\n\nn\n\n# A\n",
        id="blank lines in front",
    ),
    pytest.param(
        "\ufeff# A\n", {"before": "A"}, "\ufeff## N\n\nn\n\n# A\n", id="after the BOM"
    ),
    pytest.param(
        "---\nt: 1\n---\n", {}, "---\nt: 1\n---\n\n## N\n\nn\n", id="after front matter"
    ),
    pytest.param(
        "---\nt: 1\n---", {}, "---\nt: 1\n---\n\n## N\n\nn", id="unended front matter"
    ),
    pytest.param(
        "# R\n\n<!-- B -->\n<a id='b'></a>\n## B\n",
        {"before": "R.B"},
        "# R\n\n## N\n\nn\n\n<!-- B -->\n<a id='b'></a>\n## B\n",
        id="what touches a heading stays with it",
    ),
    pytest.param(
        "# R\n\n## A\n\na\n\n<!-- A -->\n\n<!-- B -->\n## B\n",
        {"after": "R.A"},
        "# R\n\n## A\n\na\n\n<!-- A -->\n\n## N\n\nn\n\n<!-- B -->\n## B\n",
        id="what does not touch it stays with the section before",
    ),
    pytest.param(
        "# R\n\n[1] x\n\n[1]: /u\n",
        {},
        "# R\n\n[1] x\n\n## N\n\nn\n\n[1]: /u\n",
        id="before closing definitions",
    ),
    pytest.param(
        "# R\n\n## A\n\n[1] x\n\n[1]: /u\n",
        {"after": "R.A"},
        "# R\n\n## A\n\n[1] x\n\n## N\n\nn\n\n[1]: /u\n",
        id="after the last section too",
    ),
    pytest.param(
        "# R\r\n\r\nx\r\n", {}, "# R\r\n\r\nx\r\n\r\n## N\r\n\r\nn\r\n", id="CRLF"
    ),
    pytest.param("# R\r\rx\r", {}, "# R\r\rx\r\r## N\r\rn\r", id="old-Mac"),
    pytest.param(
        "# R\n\nx\n   ", {}, "# R\n\nx\n\n## N\n\nn\n   ", id="a blank last line"
    ),
]


@pytest.mark.parametrize(("before", "place", "after"), LAYOUT)
def test_add_writes_exactly_this(before, place, after):
    assert add(Document(before), "## N", "n", **place).text == after


@pytest.mark.parametrize(
    ("content", "block"),
    [
        pytest.param("", "## N\n", id="no content"),
        pytest.param("\n\nn\n\n\n", "## N\n\nn\n", id="outer blank lines go"),
        pytest.param("## N\n\nn", "## N\n\nn\n", id="the heading itself goes"),
        pytest.param("### K\n\nk", "## N\n\n### K\n\nk\n", id="deeper headings stay"),
        pytest.param("```\n# x\n```", "## N\n\n```\n# x\n```\n", id="code"),
    ],
)
def test_add_lays_out_the_content(content, block):
    text = add(Document("# R\n"), "## N", content).text
    assert text == f"# R\n\n{block}"


REFUSED = [
    pytest.param(R, "## N", "# M", {}, EditError, "level 1", id="content above"),
    pytest.param(R, "## N", "n\n\n## M", {}, EditError, "level 2", id="content beside"),
    pytest.param(R, "# N", "n", {"under": "R"}, EditError, "Use ##", id="level"),
    pytest.param(
        R,
        "## N",
        "n",
        {"before": "R.A", "after": "R.B"},
        ArgumentError,
        "exclude",
        id="before and after",
    ),
    pytest.param(
        R + "\n### K\n",
        "#### N",
        "n",
        {"under": "R.A", "after": "R.B.K"},
        ArgumentError,
        'under "R.B"',
        id="under is not the parent",
    ),
    pytest.param(R, "## N", "n", {"after": "R.C"}, SectionNotFoundError, "R.C", id="x"),
    pytest.param(
        R,
        "## N",
        "n",
        {"after": "(preamble)"},
        ArgumentError,
        "preamble",
        id="preamble",
    ),
    pytest.param(
        "---\na: 1\n---\n# R\n",
        "# N",
        "n",
        {"after": "frontmatter"},
        ArgumentError,
        "front matter",
        id="front matter",
    ),
    pytest.param(
        "# R\n\n```\ncode\n", "## N", "n", {}, StructureError, "fence", id="open fence"
    ),
    pytest.param(
        "# R\n\n<!-- open\n",
        "## N",
        "-->\n\n## N\n\nn",
        {},
        StructureError,
        '"## N" would not be a heading there',
        id="open comment that the content closes before a like heading",
    ),
    pytest.param(
        R, "## N", "```\n", {"before": "R.B"}, StructureError, "swallow", id="swallow"
    ),
]


@pytest.mark.parametrize(
    ("before", "heading", "content", "place", "error", "message"), REFUSED
)
def test_add_refuses(before, heading, content, place, error, message):
    with pytest.raises(error, match=message):
        add(Document(before), heading, content, **place)


@pytest.mark.parametrize(
    "heading",
    ["N", "#N", "####### N", "#", "## ", "## ##", "## N\nx", "## N\r", "", "\\# N"],
)
def test_add_refuses_what_is_not_one_atx_heading(heading):
    with pytest.raises(InvalidHeadingError, match="such as"):
        add(Document(R), heading, "n")
