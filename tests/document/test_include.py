"""Regions that repeat a text from elsewhere."""

from __future__ import annotations

import pytest

from md_mcp.document.include import check_includes, update_includes
from md_mcp.document.model import Document
from md_mcp.errors import FileMissingError

SOURCES = {
    "guide.md": "---\na: 1\n---\n# Guide\n\n## Usage\n\nRun it.\n\n### Again\n\nTwice.\n\n## End\n",
    "demo.py": "import sys\n\nprint(sys.argv)\n",
    "crlf.md": "# X\r\n\r\none\r\n\r\ntwo\r\n",
    "fence.py": "'''\n```\n'''\n",
    "chain.md": "# C\n\n<!-- md-mcp: from=guide.md#End -->\n\nx\n\n<!-- md-mcp: end -->\n",
    "a b.md": "# S\n\nspaced\n",
}


def load(path: str) -> Document:
    if path not in SOURCES:
        raise FileMissingError(path)
    return Document(SOURCES[path])


def region(source: str, inner: str = "") -> Document:
    return Document(
        f"# T\n\ntext\n\n<!-- md-mcp: from={source} -->\n{inner}<!-- md-mcp: end -->\n\n## Next\n"
    )


@pytest.mark.parametrize(
    ("source", "inner"),
    [
        pytest.param(
            "guide.md#Guide.Usage",
            "\nRun it.\n\n### Again\n\nTwice.\n\n",
            id="a section",
        ),
        pytest.param("guide.md#again", "\nTwice.\n\n", id="a shortened path"),
        pytest.param("demo.py#L3", "\nprint(sys.argv)\n\n", id="a line"),
        pytest.param("demo.py#L2-L3", "\nprint(sys.argv)\n\n", id="lines"),
        pytest.param("crlf.md", "\n# X\n\none\n\ntwo\n\n", id="a whole file"),
        pytest.param('"a b.md#S"', "\nspaced\n\n", id="a quoted name"),
        pytest.param("chain.md#C", "\nx\n\n", id="markers in the source stay there"),
        pytest.param("#Next", "", id="an empty section"),
    ],
)
def test_an_empty_region_is_filled(source: str, inner: str) -> None:
    edit = update_includes(region(source), load)
    assert edit.text == region(source, inner).text
    assert not update_includes(edit.result, load).changed
    assert check_includes(edit.result, load) == ()


def test_a_region_that_differs_is_found_and_updated() -> None:
    document = region("guide.md#Again", "Once.\n")
    found = check_includes(document, load)
    assert [(f.line, f.rule, f.message) for f in found] == [
        (5, "include", "this differs from guide.md#Again")
    ]
    assert (
        update_includes(document, load).text
        == region("guide.md#Again", "Twice.\n").text
    )


def test_the_line_endings_of_the_document_are_used() -> None:
    document = Document(region("crlf.md#X", "\nold\n\n").text.replace("\n", "\r\n"))
    expected = region("crlf.md#X", "\none\n\ntwo\n\n").text.replace("\n", "\r\n")
    assert update_includes(document, load).text == expected
    unix = update_includes(region("crlf.md#X", "\nold\n\n"), load).text
    assert "\r" not in unix


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("```python\n```\n", "```python\nimport sys\n\nprint(sys.argv)\n```\n"),
        ("\n~~~\nold\n~~~\n\n", "\n~~~\nimport sys\n\nprint(sys.argv)\n~~~\n\n"),
    ],
)
def test_a_code_block_keeps_its_fences(old: str, new: str) -> None:
    edit = update_includes(region("demo.py", old), load)
    assert edit.text == region("demo.py", new).text
    assert not update_includes(edit.result, load).changed


def test_blank_lines_around_belong_to_code() -> None:
    edit = update_includes(region("demo.py#L2-L3", "```\n```\n"), load)
    assert "```\n\nprint(sys.argv)\n```\n" in edit.text
    assert not update_includes(edit.result, load).changed


def test_a_section_that_begins_with_a_marker_is_the_region() -> None:
    text = "# T\n\n## A\n\n<!-- md-mcp: from=guide.md#Again -->\n\nold\n\n## B\n\nb\n"
    edit = update_includes(Document(text), load)
    assert edit.text == text.replace("old", "Twice.")


def test_an_empty_section_that_begins_with_a_marker_is_filled() -> None:
    text = "# T\n\n## A\n<!-- md-mcp: from=guide.md#Again -->\n\n## B\n"
    edit = update_includes(Document(text), load)
    assert edit.text == text.replace("-->\n\n", "-->\n\nTwice.\n\n")
    assert not update_includes(edit.result, load).changed


def test_a_region_may_repeat_a_section_of_its_own_file() -> None:
    text = "# T\n\n## A\n\nsame\n\n## B\n\n<!-- md-mcp: from=#T.A -->\n\nold\n"
    assert update_includes(Document(text), load).text == text.replace("old", "same")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        pytest.param(region("gone.md"), 'there is no "gone.md"', id="no file"),
        pytest.param(region("guide.md#No"), 'no section "No"', id="no section"),
        pytest.param(region("demo.py#L3-L9"), "no lines 3 to 9", id="no lines"),
        pytest.param(region("demo.py#L3-L2"), "no lines 3 to 2", id="lines backwards"),
        pytest.param(region("#T"), "in its own source", id="its own section"),
        pytest.param(
            region("fence.py", "```\n```\n"), "holds a fence", id="a fence in a fence"
        ),
        pytest.param(
            Document("# A\n\n<!-- md-mcp: from=guide.md#Usage -->\n"),
            "sections below",
            id="deeper sections without an end marker",
        ),
    ],
)
def test_a_source_that_cannot_be_had_is_found_and_nothing_changes(
    document: Document, message: str
) -> None:
    found = check_includes(document, load)
    assert [finding.rule for finding in found] == ["include-source"]
    assert message in found[0].message
    assert not update_includes(document, load).changed


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("# A\n\ntext\n\n<!-- md-mcp: from=x -->\n", [5], id="no end"),
        pytest.param("<!-- md-mcp: from=x -->\n", [1], id="no end, before headings"),
        pytest.param("# A\n\n<!-- md-mcp: end -->\n", [3], id="no start"),
    ],
)
def test_a_marker_without_counterpart_is_found(text: str, lines: list[int]) -> None:
    found = check_includes(Document(text), load)
    assert [(f.line, f.rule) for f in found] == [(n, "include-marker") for n in lines]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```\n<!-- md-mcp: from=gone -->\n```\n", id="in code"),
        pytest.param("Write `<!-- md-mcp: from=gone -->`.\n", id="in a line"),
        pytest.param("# A\n\n<!-- md-mcp: other -->\n", id="another comment"),
    ],
)
def test_other_places_are_no_markers(text: str) -> None:
    assert check_includes(Document(text), load) == ()
