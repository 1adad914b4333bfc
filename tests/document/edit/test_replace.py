"""Layout and refusals of `replace`; every row is exact."""

import pytest

from md_mcp.document.edit import patch, replace
from md_mcp.document.model import Document
from md_mcp.errors import (
    AmbiguousPathError,
    EditError,
    FrontMatterError,
    SectionNotFoundError,
    StructureError,
)

LAYOUT = [
    pytest.param(
        "# R\nold\n", "R", "new", "# R\nnew\n", id="no blank line after the heading"
    ),
    pytest.param(
        "# R\n\n\nold\n", "R", "new", "# R\n\n\nnew\n", id="blank lines after it stay"
    ),
    pytest.param(
        "# A\n\nold\n\n\n## B\n\nb\n",
        "A",
        "\n\nnew\n\n\n\n",
        "# A\n\nnew\n\n\n## B\n\nb\n",
        id="outer blank lines of the content are ignored",
    ),
    pytest.param(
        "# R\n\n## E\n## F\n",
        "R.E",
        "x",
        "# R\n\n## E\n\nx\n\n## F\n",
        id="an empty section gets one blank line on each side",
    ),
    pytest.param(
        "# E\n\n\n\n# F\n",
        "E",
        "x",
        "# E\n\nx\n\n\n# F\n",
        id="existing blank lines: one before the block, the rest after it",
    ),
    pytest.param("# E\n", "E", "x", "# E\n\nx\n", id="an empty last section"),
    pytest.param("# E", "E", "x", "# E\n\nx", id="a heading without an ending"),
    pytest.param("# E\n\n", "E", "x", "# E\n\nx\n", id="blank end: one before it"),
    pytest.param("# A\n\nold", "A", "new\n", "# A\n\nnew", id="no final ending stays"),
    pytest.param(
        "# R\r\n\r\nold\r\n",
        "R",
        "a\nb",
        "# R\r\n\r\na\r\nb\r\n",
        id="created lines get CRLF",
    ),
    pytest.param(
        "# R\r\rold\r\r## N\rx\r",
        "R",
        "a\nb",
        "# R\r\ra\rb\r\r## N\rx\r",
        id="created lines get CR in an old-Mac file",
    ),
    pytest.param(
        "# A\r\n\r\nsame\nold\r\nend\n\r\n# B\n",
        "A",
        "same\nnew\nend",
        "# A\r\n\r\nsame\nnew\r\nend\n\r\n# B\n",
        id="equal first and last lines keep their mixed endings",
    ),
    pytest.param(
        "# A\n\nx\rold\n", "A", "x\rnew", "# A\n\nx\rnew\n", id="a lone CR is text"
    ),
    pytest.param(
        "Title\n=====\n\nold\n\nSub\n---\nkeep\n",
        "Title",
        "new",
        "Title\n=====\n\nnew\n\nSub\n---\nkeep\n",
        id="the body starts after the setext underline",
    ),
    pytest.param(
        "# T\n\n## One\n\nold\n",
        "T.One",
        "---\n\ntext",
        "# T\n\n## One\n\n---\n\ntext\n",
        id="a thematic break first",
    ),
    pytest.param(
        "## A\n\n***\nNext\n====\n",
        "A",
        "text",
        "## A\n\ntext\n\nNext\n====\n",
        id="a blank line keeps the text off a following setext heading",
    ),
    pytest.param(
        "# T\n\n## U\n\nold\n",
        "T.U",
        "## U\n\nnew\n",
        "# T\n\n## U\n\nnew\n",
        id="the own heading in front is dropped",
    ),
    pytest.param(
        "# T\n\n## `U` ##\n\nold\n",
        "T.U",
        "## U\nnew\n",
        "# T\n\n## `U` ##\n\nnew\n",
        id="a heading of equal level and text is the own one",
    ),
    pytest.param(
        "T\n=\n\nold\n", "T", "T\n=\n\nnew", "T\n=\n\nnew\n", id="a setext own heading"
    ),
    pytest.param(
        "# A\n\nold\n",
        "A",
        "```\n# x\n```",
        "# A\n\n```\n# x\n```\n",
        id="# in a fence",
    ),
    pytest.param(
        "# R\n\nr\n\n## K\n\nk\n\n# S\n",
        "R",
        "new",
        "# R\n\nnew\n\n## K\n\nk\n\n# S\n",
        id="without headings the children stay",
    ),
    pytest.param(
        "# R\n\nr\n\n## K\n\nk\n\n## L\n\nl\n\n# S\n",
        "R",
        "new\n\n## M\n\nm",
        "# R\n\nnew\n\n## M\n\nm\n\n# S\n",
        id="with deeper headings the subtree is replaced",
    ),
    pytest.param(
        "# R\n## K\nk\n# S\n", "R", "## K\nn", "# R\n## K\nn\n# S\n", id="no own body"
    ),
    pytest.param(
        "# R\n\npara\n",
        "R",
        "para\n---",
        "# R\n\npara\n---\n",
        id="text made a heading",
    ),
    pytest.param(
        "## A\n\nold\n\n## B\n",
        "A",
        "",
        "## A\n\n## B\n",
        id="empty content, heading next",
    ),
    pytest.param(
        "## A\n\nold\n", "A", "\n \n", "## A\n", id="blank content at the end"
    ),
    pytest.param("## A\n\nold", "A", "", "## A", id="empty content, no final ending"),
    pytest.param("# A", "A", "", "# A", id="nothing for nothing"),
    pytest.param(
        "old\n\n# A\n", "(preamble)", "new", "new\n\n# A\n", id="the preamble"
    ),
    pytest.param("# A\n", "(preamble)", "new", "new\n\n# A\n", id="no preamble yet"),
    pytest.param(
        "---\nt: 1\n---\n# A\n",
        "(preamble)",
        "new",
        "---\nt: 1\n---\n\nnew\n\n# A\n",
        id="a preamble below front matter",
    ),
    pytest.param(
        "\ufeffold\n\n# A\n",
        "(preamble)",
        "new",
        "\ufeffnew\n\n# A\n",
        id="after a BOM",
    ),
]

TAILS = [
    pytest.param(
        "## A\n\nold\n\n<!-- BEGIN -->\n## B\n",
        "A",
        "new",
        "## A\n\nnew\n\n<!-- BEGIN -->\n## B\n",
        id="a comment that touches the next heading",
    ),
    pytest.param(
        "## A\n\nold\n\n<!-- x -->\n\n## B\n",
        "A",
        "new",
        "## A\n\nnew\n\n<!-- x -->\n\n## B\n",
        id="a comment before a blank line and a heading",
    ),
    pytest.param(
        "## A\n\nold\n<a name='b'></a>\n## B\n",
        "A",
        "new",
        "## A\n\nnew\n<a name='b'></a>\n## B\n",
        id="an anchor line that a paragraph runs into",
    ),
    pytest.param(
        '## A\n\n- old\n<a id="b"></a>\n## B\n',
        "A",
        "- new",
        '## A\n\n- new\n<a id="b"></a>\n## B\n',
        id="an anchor line below a list",
    ),
    pytest.param(
        '## A\n\nold\n\n[^1]: n\n<a id="b"></a>\n## B\n',
        "A",
        "new",
        '## A\n\nnew\n<a id="b"></a>\n## B\n',
        id="an anchor line below a footnote",
    ),
    pytest.param(
        "# A\n\nold [^1]\n\n[^1]: note\n",
        "A",
        "new [^1] [1]\n\n[1]: /u",
        "# A\n\nnew [^1] [1]\n\n[1]: /u\n\n[^1]: note\n",
        id="a link definition does not replace a closing footnote of like label",
    ),
    pytest.param(
        "# A\n\nold [^1]\n\n[^1]: note\n",
        "A",
        "new [^1]\n\n[^1]: other",
        "# A\n\nnew [^1]\n\n[^1]: other\n",
        id="a footnote replaces the closing one of its label",
    ),
    pytest.param(
        "# A\n\nuses [^1]\n\n# B\n\n[^1]: note\n",
        "B",
        "new",
        "# A\n\nuses [^1]\n\n# B\n\nnew\n\n[^1]: note\n",
        id="a footnote that another section uses is a closing one",
    ),
    pytest.param(
        "# A\n\nuses [1]\n\n# B\n\n[^1]: note\n",
        "B",
        "new",
        "# A\n\nuses [1]\n\n# B\n\nnew\n",
        id="a footnote that nothing outside uses is the text of its section",
    ),
    pytest.param(
        "## A\n\n<!-- x -->\n## B\n",
        "A",
        "new\n<!-- y -->",
        "## A\n\nnew\n<!-- y -->\n\n<!-- x -->\n## B\n",
        id="one blank line between a new comment and one that touches",
    ),
    pytest.param(
        "## A\n\n```\n<!-- x -->\n```\n## B\n",
        "A",
        "new",
        "## A\n\nnew\n## B\n",
        id="a comment in code is body",
    ),
    pytest.param(
        "## A\n\n<!-- hint -->\n\n## B\n",
        "A",
        "new",
        "## A\n\nnew\n\n## B\n",
        id="a body of comments only is replaced",
    ),
    pytest.param(
        "## A\n\n<!-- hint -->\n\n<!-- B -->\n## B\n",
        "A",
        "new",
        "## A\n\nnew\n\n<!-- B -->\n## B\n",
        id="but not the comment that touches the next heading",
    ),
    pytest.param(
        "## A\n\nold\n\n<!-- end -->\n",
        "A",
        "new",
        "## A\n\nnew\n",
        id="at the end of the file comments are body",
    ),
    pytest.param(
        "## A\n\nold\n\n<!-- BEGIN -->\n## B\n",
        "A",
        "new\n\n<!-- BEGIN -->\n",
        "## A\n\nnew\n\n<!-- BEGIN -->\n## B\n",
        id="a tail that the content repeats is not doubled",
    ),
    pytest.param(
        "## A\n\nold\n<!-- B -->\n## B\n",
        "A",
        "new\n<!-- C -->",
        "## A\n\nnew\n<!-- C -->\n\n<!-- B -->\n## B\n",
        id="a new comment is kept apart from one that touches the heading",
    ),
    pytest.param(
        "# C\n\n## 1\n\nold [1]\n\n[1]: /u\n",
        "C.1",
        "new",
        "# C\n\n## 1\n\nnew\n\n[1]: /u\n",
        id="closing definitions stay",
    ),
    pytest.param(
        "# C\n\n## 1\n\nold\n\n<!-- links -->\n[1]: /u\n[^2]: n\n",
        "C.1",
        "new",
        "# C\n\n## 1\n\nnew\n\n<!-- links -->\n[1]: /u\n[^2]: n\n",
        id="with the comment above them",
    ),
    pytest.param(
        "# C\n\n## 1\n\nold\n\n[1]: /u\n[2]: /v\n",
        "C.1",
        "new\n\n[1]: /x\n[2]: /v\n",
        "# C\n\n## 1\n\nnew\n\n[1]: /x\n[2]: /v\n",
        id="content that defines all their labels replaces them",
    ),
    pytest.param(
        "# C\n\n## 1\n\nold\n\n[1]: /u\n[2]: /v\n",
        "C.1",
        "new\n\n[1]: /x",
        "# C\n\n## 1\n\nnew\n\n[1]: /x\n\n[1]: /u\n[2]: /v\n",
        id="content that defines only some does not",
    ),
    pytest.param(
        "# C\n\n## Links\n\n[1]: /u\n",
        "C.Links",
        "[2]: /v",
        "# C\n\n## Links\n\n[2]: /v\n",
        id="unused definitions that are all a section has are its body",
    ),
    pytest.param(
        "# C [1]\n\n## Links\n\n[1]: /u\n",
        "C [1].Links",
        "text",
        "# C [1]\n\n## Links\n\ntext\n\n[1]: /u\n",
        id="used ones are not",
    ),
]


@pytest.mark.parametrize(("before", "path", "content", "after"), [*LAYOUT, *TAILS])
def test_replace_writes_exactly_this(before, path, content, after):
    assert replace(Document(before), path, content).text == after


@pytest.mark.parametrize(("before", "path", "content", "after"), [*LAYOUT, *TAILS])
def test_replacing_again_changes_nothing(before, path, content, after):
    if not content.strip():
        return
    again = replace(Document(after), path, content)
    assert (again.changed, again.text) == (False, after)


REFUSED = [
    pytest.param(
        "# T\n\n## A\n\nold\n\n## B\n\nb\n",
        "T.A",
        "```sh\necho hi\n",
        StructureError,
        'swallow section "T.B" \\(line 7\\)',
        id="an open fence swallows the next section",
    ),
    pytest.param(
        "# A\n\nold\n\n## B\n", "A", "<!-- x", StructureError, "comment", id="comment"
    ),
    pytest.param(
        "# A\n\nold\n\n[1]: /u\n",
        "A",
        "```\nnew",
        StructureError,
        "link definitions",
        id="an open fence swallows closing definitions",
    ),
    pytest.param(
        "{{ if\n# A\nold\n\n# B\n",
        "A",
        "x }}",
        StructureError,
        'swallow section "A" \\(line 2\\)',
        id="the end of an action that starts above the heading",
    ),
    pytest.param(
        "# T\n\n{{ if\n# A\n## B\nold\n",
        "A.B",
        "x }}",
        StructureError,
        'swallow section "A" \\(line 4\\)',
        id="the end of an action that starts above several headings",
    ),
    pytest.param(
        "# T\n\n## A\n\nold\n", "T.A", "## B\n\nb", EditError, "add_section", id="level"
    ),
    pytest.param(
        "# T\n\n## A\n\nold\n", "T.A", "x\n\n# B", EditError, "add_section", id="above"
    ),
    pytest.param(
        "x\n\n# A\n", "(preamble)", "# New", EditError, "add_section", id="preamble"
    ),
    pytest.param(
        "# A\n",
        "(preamble)",
        "---\na: 1\n---",
        EditError,
        "front matter",
        id="made one",
    ),
    pytest.param(
        "# R\n\n## K\n\nk\n\n### L\n\nl\n",
        "R",
        "## K\n\nk",
        EditError,
        'generation 1 and none below, so "R.K.L"',
        id="content read with depth 1",
    ),
    pytest.param(
        "# R\n\n## K\n\n### L\n\n#### M\n",
        "R",
        "## New\n\n## K\n\n### L",
        EditError,
        "generation 2",
        id="content read with depth 2 and a section added",
    ),
    pytest.param(
        "# A\n\n## A1\n", "A.B", "x", SectionNotFoundError, '"A" exists', id="missing"
    ),
    pytest.param(
        "# A\n\n## F\n\n# B\n\n## F\n",
        "F",
        "x",
        AmbiguousPathError,
        '2 sections: "A.F", "B.F"',
        id="ambiguous",
    ),
]


@pytest.mark.parametrize(("before", "path", "content", "error", "message"), REFUSED)
def test_replace_refuses(before, path, content, error, message):
    with pytest.raises(error, match=message):
        replace(Document(before), path, content)


def test_a_blank_line_keeps_an_action_above_from_ending_in_the_content():
    document = Document("{{ if\n\n# A\nold\n")
    assert replace(document, "A", "x }}").text == "{{ if\n\n# A\nx }}\n"


def test_an_action_of_more_than_twenty_lines_does_not_end_in_the_content():
    above = "# T\n{{ if\n" + "l\n" * 17 + "# A\n"
    with pytest.raises(StructureError, match='swallow section "A"'):
        replace(Document(above + "old\n"), "A", "x }}")
    longer = above.replace("# A", "l\n# A")
    assert replace(Document(longer + "old\n"), "A", "x }}").text == longer + "x }}\n"


def test_the_error_of_a_swallowed_section_carries_it():
    with pytest.raises(StructureError) as caught:
        replace(Document("# A\n\na\n\n# B\n"), "A", "~~~")
    assert (caught.value.section, caught.value.line) == ("B", 5)


FRONT = [
    pytest.param("---\na: 1\n---\n", "a: 2", "---\na: 2\n---\n", id="inner lines"),
    pytest.param(
        "---\na: 1\n---\n", "---\na: 2\n---\n", "---\na: 2\n---\n", id="with delimiters"
    ),
    pytest.param("---\na: 1\n---", "a: 2\n", "---\na: 2\n---", id="no final ending"),
    pytest.param(
        "\ufeff---\r\na: 1\r\n---\r\n# H\r\n",
        "a: 2\nb: 3",
        "\ufeff---\r\na: 2\r\nb: 3\r\n---\r\n# H\r\n",
        id="BOM and CRLF",
    ),
    pytest.param(
        "---\n\na: 1\n\n---\n", "a: 2", "---\n\na: 2\n\n---\n", id="blank lines stay"
    ),
    pytest.param(
        "+++\na = 1\n+++\n", "a = 2", "+++\na = 2\n+++\n", id="TOML between plus signs"
    ),
    pytest.param(
        "---\na: 1\n---\n",
        "title: {{ .Title }}",
        "---\ntitle: {{ .Title }}\n---\n",
        id="template actions are masked",
    ),
]


@pytest.mark.parametrize(("before", "content", "after"), FRONT)
def test_replace_changes_only_the_lines_between_the_delimiters(before, content, after):
    assert replace(Document(before), "FrontMatter", content).text == after


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("a: 1\na: 2", "(?i)duplicate", id="duplicate key"),
        pytest.param("a: b: c", "YAML", id="invalid YAML"),
        pytest.param("- a", "mapping", id="a list"),
        pytest.param("text", "mapping", id="a scalar"),
        pytest.param("", "mapping", id="empty"),
        pytest.param("a: 1\n---\nb: 2", "line 3 is ---", id="a delimiter inside"),
    ],
)
def test_replace_refuses_front_matter_that_is_no_mapping(content, message):
    with pytest.raises(FrontMatterError, match=message):
        replace(Document("---\nx: 1\n---\n\n# H\n"), "frontmatter", content)


def test_patch_is_the_diff_of_replace():
    document = Document("# A\n\nold")
    assert patch(document, "A", "new", "docs/a.md") == (
        "--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1,3 +1,3 @@\n # A\n \n"
        "-old\n\\ No newline at end of file\n+new\n\\ No newline at end of file\n"
    )
    assert patch(document, "A", "old") == ""
