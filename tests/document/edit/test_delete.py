"""Layout and refusals of `delete`; every row is exact."""

import pytest

from md_mcp.document.edit import add, delete
from md_mcp.document.model import Document
from md_mcp.errors import EditError, SectionNotFoundError

SUBTREE = [
    pytest.param(
        "# A\n\na\n\n# B\n\nb\n", "A", "# B\n\nb\n", id="its blank lines go with it"
    ),
    pytest.param(
        "# R\n\n## A\n\na\n\n## B\n\nlast",
        "R.B",
        "# R\n\n## A\n\na",
        id="at the end the blank lines before go, no final ending stays",
    ),
    pytest.param(
        "# R\n\n## A\n\na\n\n## B\n\nb\n\n\n",
        "R.B",
        "# R\n\n## A\n\na\n\n\n",
        id="the blank end of the file stays",
    ),
    pytest.param("# A\n\na\n", "A", "", id="the only section"),
    pytest.param("# A\n\na", "A", "", id="the only section, no final ending"),
    pytest.param(
        "---\nt: 1\n---\n\n# A\n\na\n", "A", "---\nt: 1\n---\n", id="below front matter"
    ),
    pytest.param(
        "# A\n\n## K\n\nk\n\n# B\n", "A", "# B\n", id="the children go with it"
    ),
    pytest.param(
        "# A\n\na\n\n<!-- x -->\n\n<!-- B -->\n# B\n",
        "A",
        "<!-- x -->\n\n<!-- B -->\n# B\n",
        id="comments before the next heading stay",
    ),
    pytest.param(
        "# R\n\n<a name='a'></a>\n## A\n\na\n\n<a name='b'></a>\n## B\n",
        "R.A",
        "# R\n\n<a name='b'></a>\n## B\n",
        id="anchors of its own heading go, those of the next one stay",
    ),
    pytest.param(
        "# R\n\n<a name='a'></a>\n<!-- A -->\n## A\n\na\n\n## B\n",
        "R.A",
        "# R\n\n<!-- A -->\n## B\n",
        id="comments of its own heading stay",
    ),
    pytest.param(
        "# C\n\n## 2\n\n- b\n\n## 1\n\n- a\n\n[2]: /2\n[1]: /1\n",
        "C.1",
        "# C\n\n## 2\n\n- b\n\n[2]: /2\n[1]: /1\n",
        id="closing definitions stay",
    ),
    pytest.param(
        "para\n# A\n***\nNext\n====\n",
        "A",
        "para\n\nNext\n====\n",
        id="a blank line keeps the neighbours apart",
    ),
    pytest.param(
        "# A\r\n\r\na\r\n\r\n# B\r\n\r\nb",
        "B",
        "# A\r\n\r\na",
        id="CRLF, no final ending",
    ),
    pytest.param("# A\r\ra\r\r# B\rb\r", "A", "# B\rb\r", id="old-Mac"),
    pytest.param("\ufeff# A\n\na\n# B\n", "A", "\ufeff# B\n", id="after a BOM"),
    pytest.param("# A\n# A\nx\n", "A[2]", "# A\n", id="the second of two equal ones"),
]


@pytest.mark.parametrize(("before", "path", "after"), SUBTREE)
def test_delete_leaves_exactly_this(before, path, after):
    assert delete(Document(before), path).text == after


KEEPING = [
    pytest.param(
        "# A\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n",
        "A.B",
        "# A\n\n### C\n\nc\n\n## D\n\nd\n",
        id="children move up",
    ),
    pytest.param("# A\n\na\n\n# B\n", "A", "# B\n", id="no children"),
    pytest.param(
        "# A\n\na\n<!-- K -->\n## K\n",
        "A",
        "<!-- K -->\n## K\n",
        id="the child's comment",
    ),
]


@pytest.mark.parametrize(("before", "path", "after"), KEEPING)
def test_delete_can_keep_the_children(before, path, after):
    assert delete(Document(before), path, include_children=False).text == after


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        pytest.param(
            "K",
            SectionNotFoundError,
            'Only a full path is taken here: "R.K"',
            id="a shortened path",
        ),
        pytest.param("(preamble)", EditError, "empty content", id="the preamble"),
        pytest.param("FRONTMATTER", EditError, "front matter", id="front matter"),
    ],
)
def test_delete_refuses(path, error, message):
    with pytest.raises(error, match=message):
        delete(Document("---\na: 1\n---\nx\n\n# R\n\n## K\n"), path)


@pytest.mark.parametrize(
    "place", [{}, {"after": "R.A"}, {"before": "R.B"}, {"under": "R"}]
)
def test_deleting_what_was_added_restores_the_text(place):
    text = "# R\n\n## A\n\na\n\n## B\n\nb\n"
    added = add(Document(text), "## N", "n", **place).result
    assert delete(added, "R.N").text == text
