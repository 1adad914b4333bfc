"""Links and anchors of whole texts: where they stand, and what hides them."""

from __future__ import annotations

import re
from urllib.parse import unquote

import cmarkgfm  # type: ignore[import-untyped]
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from md_mcp.document.blocks.definitions import normalize_label
from md_mcp.document.links import Link, Links
from md_mcp.document.model import Document
from md_mcp.document.text import Span


def targets(text: str) -> list[str]:
    return [
        link.path if link.fragment is None else f"{link.path}#{link.fragment}"
        for link in Links.of(text).links
        if link.kind != "definition"
    ]


def only(text: str) -> Link:
    (link,) = Links.of(text).links
    return link


def shown(span: Span | None, text: str) -> str | None:
    return None if span is None else span.of(text)


@pytest.mark.parametrize(
    ("text", "path", "fragment", "label"),
    [
        pytest.param("x [a](b.md#c) y", "b.md", "c", "a", id="inline link"),
        pytest.param("x [a](<b d.md#c d>) y", "b d.md", "c d", "a", id="angles"),
        pytest.param("x ![a](b.png) y", "b.png", None, "a", id="image"),
        pytest.param("x [a](#c) y", "", "c", "a", id="to the same text"),
        pytest.param("x [a](b#) y", "b", "", "a", id="an empty fragment"),
        pytest.param("x [[b#c|a]] y", "b", "c", "a", id="wikilink"),
        pytest.param("x ![[b#^c]] y", "b", "^c", None, id="embed of a block"),
        pytest.param("# x [[b#c]]", "b", "c", None, id="in a heading"),
        pytest.param("x [[b]]\n===", "b", None, None, id="in a setext heading"),
        pytest.param("- > 1. [a](b#c)", "b", "c", "a", id="in nested containers"),
        pytest.param(
            "> x [a\n> a](b#c)", "b", "c", "a\n> a", id="over a quote's lines"
        ),
        pytest.param("|x|\n|-|\n|[a](b#c)|", "b", "c", "a", id="in a table"),
        pytest.param(
            "|x|\n|-|\n|[[b#c\\|a]]|", "b", "c", "a", id="with an alias there"
        ),
        pytest.param("[^1]: [a](b#c)\n\n[^1]", "b", "c", "a", id="in a footnote"),
        pytest.param("x\n\n    code\n\n[a](b#c)", "b", "c", "a", id="after code"),
        pytest.param("```\nx\n```\n[a](b#c)", "b", "c", "a", id="after a fence"),
        pytest.param("<div>\n\n[a](b#c)", "b", "c", "a", id="after HTML"),
    ],
)
def test_spans_cover_what_an_edit_would_replace(
    text: str, path: str, fragment: str | None, label: str | None
) -> None:
    link = only(text)
    assert link.path_span.of(text) == link.path == path
    assert link.fragment == fragment
    assert shown(link.fragment_span, text) == fragment
    assert shown(link.label_span, text) == label
    assert link.span.contains(link.path_span)


def test_the_span_of_a_link_reaches_from_bracket_to_bracket() -> None:
    text = "x ![a](b 'c') y"
    assert only(text).span.of(text) == "![a](b 'c')"


def test_escapes_and_entities_are_decoded_but_percent_signs_are_not() -> None:
    text = r"[a](b\_c&amp;%20.md#d\_e)"
    link = only(text)
    assert (link.path, link.fragment) == ("b_c&%20.md", "d_e")
    assert link.path_span.of(text) == r"b\_c&amp;%20.md"


def test_a_hash_in_an_entity_does_not_start_the_fragment() -> None:
    assert targets("[a](b&#95;c#d)") == ["b_c#d"]


def test_a_reference_has_the_destination_of_its_definition() -> None:
    text = "see [a][B]\n\n[b]: <c d.md#e> 'f'\n"
    reference, definition = Links.of(text).links
    assert (reference.kind, definition.kind) == ("reference", "definition")
    assert (reference.path, reference.fragment) == ("c d.md", "e")
    assert reference.path_span == definition.path_span
    assert reference.fragment_span == definition.fragment_span
    assert definition.path_span.of(text) == "c d.md"
    assert reference.span.of(text) == "[a][B]"
    assert definition.span.of(text) == "[b]: <c d.md#e> 'f'"
    assert definition.label_span is not None
    assert definition.label_span.of(text) == "b"


def test_definitions_count_in_containers_and_the_first_one_wins() -> None:
    assert targets("> [b]: c\n\n[b]: d\n\n[b]") == ["c"]


def test_a_definition_of_another_site_is_no_link_but_hides_a_wikilink() -> None:
    assert targets("[[b]]\n\n[b]: https://x.org\n") == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[a](https://x.org/y.md)", id="another site"),
        pytest.param("[a](//x.org/y.md)", id="the same scheme"),
        pytest.param("[a](mailto:x@y.z)", id="an address"),
        pytest.param("<https://x.org>", id="an autolink"),
        pytest.param("`[a](b)` and `[[b]]`", id="code spans"),
        pytest.param("```\n[a](b)\n```", id="fenced code"),
        pytest.param("~~~\n\n[[b]]\n", id="a fence that is left open"),
        pytest.param("- x\n  ```\n  [a](b)\n  ```", id="a fence in a list item"),
        pytest.param("- x\n\n  ~~~\n  [a](b)", id="a fence after a blank line"),
        pytest.param("> ```\n> [a](b)", id="a fence in a quote"),
        pytest.param("    [a](b)", id="indented code"),
        pytest.param("# x\n    [a](b)", id="indented code after a heading"),
        pytest.param("x\n\n    [a](b)", id="indented code after a blank line"),
        pytest.param("- x\n\n      [a](b)", id="indented code in a list item"),
        pytest.param("-     [a](b)", id="indented code after a list marker"),
        pytest.param("- # x\n      [a](b)", id="and after a heading in the item"),
        pytest.param("|x|\n|-|\n    [a](b)", id="and after a table"),
        pytest.param("<!-- [a](b)\n\n[[b]] -->", id="a comment"),
        pytest.param("x <!-- [a](b) --> y", id="a comment in a line"),
        pytest.param("<div>\n[a](b)\n</div>", id="an HTML block"),
        pytest.param("<script>\n\n[a](b)\n</script>", id="a script"),
        pytest.param("- <div>\n  [a](b)", id="an HTML block in a list item"),
        pytest.param("x `a\nb [a](b)` c", id="a code span over two lines"),
        pytest.param("|a|\n|-|\n|[a|](b)|", id="a bar that ends a cell"),
        pytest.param("- [a\n- b](c)", id="brackets of two list items"),
        pytest.param("[a\n\nb](c)", id="brackets of two paragraphs"),
        pytest.param("[a\n# b](c)", id="brackets around a heading"),
        pytest.param("- `x\n- [a](b)`\n\n  ```\n  [a](b)", id="code that is none"),
    ],
)
def test_what_is_hidden_or_elsewhere_is_no_link(text: str) -> None:
    expected = ["b"] if text.startswith("- `x") else []
    assert targets(text) == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param('<a id="b"></a> x', ["b"], id="an id in a line"),
        pytest.param("<a name='b'></a>\n\nx", ["b"], id="a name in an HTML block"),
        pytest.param("<h2 class=x id=b>c</h2>", ["b"], id="without quotes"),
        pytest.param('<A ID = "b">', ["b"], id="capitals and blanks"),
        pytest.param('<a id="b" name="c">', ["b", "c"], id="both"),
        pytest.param('x <b\nid="c">', ["c"], id="on the next line"),
        pytest.param('- <div id="b">', ["b"], id="in a list item"),
        pytest.param("# x {#b}", ["b"], id="of a heading"),
        pytest.param("# x {#b .c}\n", ["b"], id="with a class"),
        pytest.param("x ^b-1\n", ["b-1"], id="of a block"),
        pytest.param("|x|\n|-|\n\n^b\n", ["b"], id="of the block above"),
        pytest.param('`<a id="b">`', [], id="not in a code span"),
        pytest.param('```\n<a id="b">\n```', [], id="not in code"),
        pytest.param('    <a id="b">', [], id="not in indented code"),
        pytest.param('<!-- <a id="b"> -->', [], id="not in a comment"),
        pytest.param('x id="b"', [], id="not outside of a tag"),
        pytest.param('<a data-id="b">', [], id="not of another attribute"),
        pytest.param("```\nx ^b\n# c {#d}\n```", [], id="no block in code"),
        pytest.param("x^b\n", [], id="no exponent"),
    ],
)
def test_explicit_anchors_are_found(text: str, names: list[str]) -> None:
    anchors = Links.of(text).anchors
    assert [anchor.name for anchor in anchors] == names
    assert [anchor.span.of(text) for anchor in anchors] == names


def test_front_matter_is_not_looked_at() -> None:
    document = Document("---\na: '[[b]]'\n---\n[[c]]\n")
    assert [link.path for link in document.links.links] == ["c"]


def test_links_of_an_old_mac_file_are_found() -> None:
    assert targets("# x\r\r```\r[a](b)\r```\r[a](c)\r") == ["c"]


PIECES = st.sampled_from(
    [
        *("[a](b)", "[a](c", "[d]", "[e][d]", "![i](j)", "x", "`", "``", "]", "["),
        *("\n", "\n", "\n\n", "\n    ", "\n  ", "- ", "1. ", "> ", "# ", "    ", "\t"),
        *(
            "```",
            "~~~",
            "<div>",
            "<!--",
            "-->",
            "<b>",
            "|",
            "\n|-|\n",
            "---\n",
            "\n===",
        ),
        *("[d]: f\n", "\n\n[d]: g\n\n", "\\", "* * *", "(h)", " "),
    ]
)


_TARGET = re.compile(r'<a href="([^"]*)"|<img src="([^"]*)"')


def _oracle(text: str) -> list[tuple[str, str]]:
    html = cmarkgfm.markdown_to_html_with_extensions(text, extensions=["table"])
    return _targets_in(html)


def _second_oracle(text: str) -> list[tuple[str, str]]:
    return _targets_in(MarkdownIt("commonmark").enable("table").render(text))


def _targets_in(html: str) -> list[tuple[str, str]]:
    return [
        ("link" if found[1] else "image", unquote(found[1] or found[2]))
        for found in _TARGET.finditer(html)
    ]


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_links_are_those_of_the_reference_parser(text: str) -> None:
    """But for a paragraph of definitions that a table or an underline follows.

    Nor where the two reference parsers, of which each has its faults, disagree, where
    a comment holds another's start (they read it by older rules), and for cells that
    a table has no column for, which nobody sees.
    """
    assume(not re.search(r"\[d\]: (.|\n)*(\|-\||---|===)", text))
    assume(not re.search(r"\|-\|[^-]*\n\W*+[^|\n]*\|.*\[", text))
    assume(text.count("<!--") < 2)
    assume(_oracle(text) == _second_oracle(text))
    own = [
        ("image" if "image" in link.kind else "link", link.path)
        for link in Links.of(text).links
        if link.kind not in ("definition", "wikilink", "embed")
    ]
    assert own == _oracle(text)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_a_twin_with_other_line_endings_has_the_same_links(text: str) -> None:
    twin = text.replace("\n", "\r\n")
    pairs = zip(Links.of(text).links, Links.of(twin).links, strict=True)
    for link, other in pairs:
        assert (link.kind, link.path) == (other.kind, other.path)
        assert link.path_span.of(text) == other.path_span.of(twin)


@pytest.mark.parametrize(
    ("label", "key"),
    [
        pytest.param(" A  b\n c ", "a b c", id="blanks and line endings"),
        pytest.param("a\u00a0b", "a\u00a0b", id="a no-break space is a character"),
        pytest.param("a\u2028b", "a\u2028b", id="so is a line separator"),
        pytest.param("\u1e9e", "ss", id="case folded"),
    ],
)
def test_labels_are_compared_as_commonmark_does(label: str, key: str) -> None:
    assert normalize_label(label) == key
