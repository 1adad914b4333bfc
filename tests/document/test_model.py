import pytest

from md_mcp.document.model import Document
from md_mcp.errors import ArgumentError, NotUtf8Error, SectionNotFoundError

TEXT = "pre\n\n# A\n\na\n\n## B\n\nb\n\n#### C\n\nc\n\n## D\n\n# E\n"


def test_bytes_that_are_not_utf8_are_refused_with_the_offset():
    with pytest.raises(NotUtf8Error, match="offset 4") as caught:
        Document.from_bytes(b"# a\n\xe9", "x.md")
    assert (caught.value.path, caught.value.offset) == ("x.md", 4)


def test_a_document_holds_its_bytes():
    data = "\ufeff# A\r\nx\ry\n\u2028".encode()
    assert Document.from_bytes(data).text.encode() == data


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (None, "# A\n\na\n\n## B\n\nb\n\n#### C\n\nc\n\n## D\n\n"),
        (0, "# A\n\na\n\n"),
        (1, "# A\n\na\n\n## B\n\nb\n\n## D\n\n"),
        (2, "# A\n\na\n\n## B\n\nb\n\n#### C\n\nc\n\n## D\n\n"),
    ],
)
def test_get_counts_generations_of_the_tree(depth, expected):
    assert Document(TEXT).get("A", depth) == expected


def test_get_knows_the_preamble_and_the_front_matter():
    document = Document("---\na: 1\n---\n\npre\n\n# A\n")
    assert document.get("(preamble)") == "\npre\n\n"
    assert document.get("FrontMatter") == "---\na: 1\n---\n"


def test_get_refuses_a_negative_depth_and_absent_front_matter():
    with pytest.raises(ArgumentError, match="depth is -1"):
        Document(TEXT).get("A", -1)
    with pytest.raises(SectionNotFoundError) as caught:
        Document(TEXT).get("frontmatter")
    assert str(caught.value) == (
        "the file has no front matter. List the paths with get_index."
    )


def test_sections_nest_and_tile():
    document = Document(TEXT)
    spans = [section.own_span for section in document.sections]
    assert document.preamble.span.of(TEXT) == "pre\n\n"
    assert "".join(span.of(TEXT) for span in spans) == TEXT[5:]
    a, b, c, d, e = document.sections
    assert (a.children, b.children, c.parent, e.parent) == ((b, d), (c,), b, None)
    assert (a.span.end, a.descendants) == (e.span.start, (b, c, d))
    assert c.chain() == (a, b, c)


def test_index_nests_headings_with_their_paths_in_key_order():
    index = Document("---\na: 1\n---\n# A\n\n## B.1\n\n# A\n").index()
    assert index == {
        "sections": [
            {
                "heading": "frontmatter",
                "level": 0,
                "path": "frontmatter",
                "children": [],
            },
            {
                "heading": "A",
                "level": 1,
                "path": "A",
                "children": [
                    {"heading": "B.1", "level": 2, "path": r"A.B\.1", "children": []}
                ],
            },
            {"heading": "A", "level": 1, "path": "A[2]", "children": []},
        ]
    }
    assert list(index["sections"][1]) == ["heading", "level", "path", "children"]


def test_index_takes_a_section_and_a_number_of_generations():
    document = Document(TEXT)
    (a,) = document.index("A", 1)["sections"]
    assert [node["path"] for node in a["children"]] == ["A.B", "A.D"]
    assert [node["children"] for node in a["children"]] == [[], []]
    assert [node["path"] for node in document.index(depth=0)["sections"]] == ["A", "E"]
