"""Headings: which there are, beside what only looks like one.

Three oracles judge generated documents: the exact block state machine, markdown-it-py
where no definition, table or footnote is drawn, and cmark-gfm elsewhere.
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from cmarkgfm import cmark  # type: ignore[import-untyped]
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from md_mcp.document.blocks import BlockParser, parse_blocks
from md_mcp.document.scanner import scan_headings, scan_structure
from md_mcp.document.text import Span


def outline(text: str) -> list[tuple[int, int, str]]:
    return [(each.line, each.level, each.raw) for each in scan_headings(text)]


CASES = [
    # ATX headings
    pytest.param("# a", [(1, 1, "a")], id="an ATX heading"),
    pytest.param("###### a\n", [(1, 6, "a")], id="six levels"),
    pytest.param("####### a\n", [], id="not seven"),
    pytest.param("#\n##\t\n", [(1, 1, ""), (2, 2, "")], id="without text"),
    pytest.param("#5 bolt\n####NoSpace\n\\# x\n", [], id="not without a blank"),
    pytest.param("#\ta  # b  ##  \n", [(1, 1, "a  # b")], id="a closing sequence"),
    pytest.param("# a#\n## #\n", [(1, 1, "a#"), (2, 2, "")], id="a # that closes nothing"),
    pytest.param("   # a\n    # b\n", [(1, 1, "a")], id="three columns of indentation"),
    pytest.param(" \t# a\n", [], id="a tab makes it code"),
    pytest.param("a\n# b\nc\n", [(2, 1, "b")], id="in the middle of a paragraph"),
    pytest.param("a\n    # b\n", [], id="not as deep paragraph text"),
    pytest.param("#\xa0a\n\u3000# b\n", [], id="other blanks are no blanks"),
    # fenced code
    pytest.param("```\n# a\n```\n# b\n", [(4, 1, "b")], id="not in a fence"),
    pytest.param("~~~ `\n# a\n~~~\n# b\n", [(4, 1, "b")], id="not in a tilde fence"),
    pytest.param("````\n```\n# a\n`````\n# b\n", [(5, 1, "b")], id="a fence closes by length"),
    pytest.param("```\n~~~\n# a\n", [], id="and by its character"),
    pytest.param("```\n``` x\n# a\n", [], id="and with nothing behind"),
    pytest.param("```\n    ```\n# a\n", [], id="and not from deep inside"),
    pytest.param("```\n   ```\t\n# a\n", [(3, 1, "a")], id="but with some indentation"),
    pytest.param("``` a`b\n# c\n", [(2, 1, "c")], id="a code span is no fence"),
    pytest.param(" ```\n# a\n ```\n# b\n", [(4, 1, "b")], id="an indented fence"),
    pytest.param("- ```\n# a\n", [(2, 1, "a")], id="a fence ends with its list item"),
    pytest.param("- a\n  ```\n# b\n  ```\n# c\n", [(3, 1, "b")], id="which its closer then opens anew"),
    pytest.param("1. a\n   ```\n   # b\n\n   ```\n   # c\n", [], id="fences of list items"),
    pytest.param("> ```\n# a\n", [(2, 1, "a")], id="a fence ends with its quote"),
    # setext headings
    pytest.param("a\n===\nb\n-\n", [(1, 1, "a"), (3, 2, "b")], id="setext headings"),
    pytest.param("a \n  b\t\n c\n   ---  \n", [(1, 2, "a\nb\nc")], id="of several lines"),
    pytest.param("a\n    ===\n", [], id="a deep underline is text"),
    pytest.param("a\n= =\n", [], id="so is one with gaps"),
    pytest.param("a\n\n===\n", [], id="no text above"),
    pytest.param("===\n---\n", [(1, 2, "===")], id="an underline of nothing is text"),
    pytest.param("- a\n---\n- b\n===\n", [], id="not under a list item"),
    pytest.param("- a\nb\n===\n", [], id="nor under its lazy line"),
    pytest.param("- a\n\nb\n===\n", [(3, 1, "b")], id="but behind the list"),
    pytest.param("> a\n---\n> b\nc\n===\n", [], id="not under a quote"),
    pytest.param("# a\n---\n", [(1, 1, "a")], id="not under a heading"),
    pytest.param("```\n```\n---\n", [], id="not under a fence"),
    pytest.param("    a\n---\n", [], id="not under code"),
    pytest.param("<div>\n===\n\na\n===\n", [(4, 1, "a")], id="not in an HTML block"),
    pytest.param("**a**\n---\n* a\n---\n", [(1, 2, "**a**")], id="emphasis is no list"),
    pytest.param("1.2\n---\n1. 2\n---\n", [(1, 2, "1.2")], id="a number is no list"),
    pytest.param("a\n2. b\n---\n", [(1, 2, "a\n2. b")], id="nor is 2 below text"),
    pytest.param("***\n---\n___\n===\n", [], id="not under a thematic break"),
    pytest.param("`a`\n---\n", [(1, 2, "`a`")], id="a code span above"),
    # link reference definitions, tables, footnotes
    pytest.param("[a]: b\n===\n", [], id="not under a definition"),
    pytest.param("[a]: b\n---\n", [], id="nor is that a heading"),
    pytest.param("[a]: b\nc\n===\n", [(2, 1, "c")], id="text behind a definition"),
    pytest.param("[a]:\n===\n", [(1, 1, "[a]:")], id="no definition"),
    pytest.param("[a]: b)\n===\n", [(1, 1, "[a]: b)")], id="an unbalanced parenthesis"),
    pytest.param("[1.2.0]\n---\n", [(1, 2, "[1.2.0]")], id="a reference"),
    pytest.param("[a]: b\n'c\n# d\n'\n", [(3, 1, "d")], id="a title cannot hold a heading"),
    pytest.param("a|b\n-|-\nc\n---\n", [], id="not under a table row"),
    pytest.param("a\n:--\n---\n", [], id="nor under one column"),
    pytest.param("a|b\n-|-|-\n---\n", [(1, 2, "a|b\n-|-|-")], id="but where cells are missing"),
    pytest.param("a|b\n-|-\n# c\n", [(3, 1, "c")], id="a heading ends a table"),
    pytest.param("[^1]: a\n===\n", [], id="not under a footnote"),
    pytest.param("[^1]: a\n\n    # b\n\n  # c\n", [(5, 1, "c")], id="a footnote holds four columns"),
    pytest.param("a\n[^1]: b\n---\n", [], id="a footnote interrupts a paragraph"),
    # HTML blocks
    pytest.param("<div>\n# a\n\n# b\n", [(4, 1, "b")], id="not in a block tag"),
    pytest.param("<!--\n\n# a\n-->\n# b\n", [(5, 1, "b")], id="not in a comment"),
    pytest.param("<!-->\n# a\n", [(2, 1, "a")], id="the shortest comment"),
    pytest.param("<script>\n\n# a\n</pre>\n# b\n", [(5, 1, "b")], id="</pre> may end <script>"),
    pytest.param("<?\n\n# a\n?>\n# b\n", [(5, 1, "b")], id="not in an instruction"),
    pytest.param("<!x\n\n# a\n>\n# b\n", [(5, 1, "b")], id="not in a declaration"),
    pytest.param("<![CDATA[\n\n# a\n]]>\n# b\n", [(5, 1, "b")], id="not in CDATA"),
    pytest.param("<b>\n# a\n\n# b\n", [(4, 1, "b")], id="not behind a tag alone"),
    pytest.param("a\n<b>\n# c\n", [(3, 1, "c")], id="which interrupts no paragraph"),
    pytest.param("- a\n<b>\n# c\n", [(3, 1, "c")], id="a lazy one neither"),
    pytest.param("<b c='d\n---\n'>\n", [(1, 2, "<b c='d")], id="a tag over lines is none"),
    pytest.param("<https://a.example>\n# a\n", [(2, 1, "a")], id="an autolink is no tag"),
    pytest.param(" <!--\n# a\n-->\n# b\n", [(4, 1, "b")], id="an indented comment"),
    pytest.param("- a\n  <!--\n# b\n", [(3, 1, "b")], id="a comment ends with its list item"),
    pytest.param("a <!--\n# b\n-->\n", [(2, 1, "b")], id="a comment within a line"),
    # containers
    pytest.param("- # a\n> # b\n1. # c\n", [], id="not in containers"),
    pytest.param("- a\n  # b\n # c\n", [(3, 1, "c")], id="a list item ends by indentation"),
    pytest.param("- a\n\n\n  # b\n", [], id="and not by blank lines"),
    pytest.param("-\n\n  # a\n", [(3, 1, "a")], id="unless it is empty"),
    pytest.param("10. a\n\n   # b\n\n    # c\n", [(3, 1, "b")], id="a wide marker needs more"),
    pytest.param("-\ta\n\n  # b\n", [(3, 1, "b")], id="so does one with a tab"),
    pytest.param("a\n\n  # b\n", [(3, 1, "b")], id="where no list is open"),
    # template actions
    pytest.param("{{ a\n# b\n```\n}}\n# c\n", [(5, 1, "c")], id="not in an action"),
    pytest.param("{{ a\n\n# b\n}}\n", [(3, 1, "b")], id="which holds no blank line"),
    pytest.param("# {{ a\n# b }}\n# c }}\n", [(1, 1, "{{ a"), (3, 1, "c }}")], id="one may start in a heading"),
    pytest.param("a {{ b }} {{ c\n# d\n}} {{\n# e }}\n# f\n", [(5, 1, "f")], id="one after another"),
    pytest.param("```\n{{\n```\n# a\n}}\n", [(4, 1, "a")], id="a fence holds no action"),
    pytest.param("- a\n\n    ```\n    {{\n# b\n    }}\n", [(5, 1, "b")], id="nor does one of a list item"),
    pytest.param("<div {{\n# a }}\n\n# b\n", [(4, 1, "b")], id="one within an HTML block"),
    pytest.param("<!-- {{ -->\n# a\n}}\n# b\n", [(4, 1, "b")], id="one that outlasts a comment"),
    pytest.param("a {{ b\nc }}\n===\n", [(1, 1, "a {{ b\nc }}")], id="one above an underline"),
    pytest.param("{{ a\n---\n}}\n", [], id="no underline in one"),
    pytest.param('{{ "}}\n# a\n" }}\n', [(2, 1, "a")], id="one with an open string"),
    # characters
    pytest.param("a\r# b\n#\rc\n", [], id="a lone carriage return is text"),
    pytest.param("---\r\n\n# a\x0b\u2028b\n", [(3, 1, "a\x0b\u2028b")], id="other line breaks are text"),
    pytest.param("\x0c# a\n\x0c\n===\n", [(1, 1, "\x0c# a\n\x0c")], id="a form feed is text"),
    pytest.param("\0# a\n# \0\n", [(2, 1, "\0")], id="NUL is text"),
    pytest.param("# 見出し 😀\n\n重\n==\n", [(1, 1, "見出し 😀"), (3, 1, "重")], id="any letters"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "headings"), CASES)
def test_headings_are_told_from_what_looks_like_them(text, headings) -> None:
    assert outline(text) == headings


@pytest.mark.parametrize(("text", "headings"), CASES)
def test_line_endings_do_not_matter(text, headings) -> None:
    assert outline(text.replace("\n", "\r\n")) == headings


@pytest.mark.parametrize(
    ("text", "headings"), [case for case in CASES if "\r" not in str(case.values[0])]
)
def test_an_old_mac_text_has_the_same_headings(text, headings) -> None:
    assert outline(text.replace("\n", "\r")) == headings


@pytest.mark.parametrize(("text", "headings"), CASES)
def test_nothing_before_a_settled_place_matters(text, headings) -> None:
    """Headings are found whether or not short cuts are taken before them."""
    before = "- a\n\n  # b\n\n```\n# c\n```\n\nd\n===\n\n"
    moved = [(line + 11, level, raw) for line, level, raw in headings]
    assert outline(before + text) == [(9, 1, "d"), *moved]


# --- a heading ------------------------------------------------------------------------


def test_a_heading_covers_its_lines_with_their_endings() -> None:
    text = "[x]: y\r\na\r\nb\r\n---\r\n# c"
    setext, atx = scan_headings(text)
    assert (setext.style, atx.style) == ("setext", "atx")
    assert setext.span.of(text) == "a\r\nb\r\n---\r\n"
    assert atx.span.of(text) == "# c"
    assert (setext.line, atx.line) == (2, 5)
    assert (setext.raw, atx.raw) == ("a\nb", "c")


def test_the_text_of_a_heading_is_what_a_reader_sees() -> None:
    (heading,) = scan_headings("## *a* `b`  [c](d) ##\n")
    assert heading.text == "a b c"


def test_a_heading_says_where_it_is_in_its_representation() -> None:
    (heading,) = scan_headings("\n## a\n")
    assert repr(heading) == "<Heading 2: ## 'a'>"


@pytest.mark.parametrize("raw", ["a" + " " * 50_000 + "b", "#" * 50_000 + "a", "# " * 50_000 + "a"])  # fmt: skip
def test_long_texts_of_headings_are_cut_out_at_once(raw: str) -> None:
    (heading,) = scan_headings(f"# {raw}\n")
    assert heading.raw == raw


def test_the_scan_starts_where_the_body_does() -> None:
    assert [h.span for h in scan_headings("\ufeff# a\n", 1)] == [Span(1, 5)]
    assert [h.span for h in scan_headings("\ufeffa\n=\n", 1)] == [Span(1, 5)]
    assert [h.line for h in scan_headings("---\na: b\n---\n# c\n", 13)] == [4]
    assert not scan_headings("---\na: b\n---\n", 13)


def test_the_scan_stops_where_it_is_told_to() -> None:
    text = "# a\n\nb\n===\n\n```\n# c\n"
    assert [h.level for h in scan_headings(text, 0, 7)] == [1]
    assert [h.level for h in scan_headings(text, 4, 11)] == [1]
    assert [h.line for h in scan_headings(text, 16, len(text))] == [7]


# --- oracles --------------------------------------------------------------------------


def exact_headings(text: str) -> list[tuple[int, int, int, str]]:
    if "\n" not in text:
        text = text.replace("\r", "\n")
    parser = BlockParser(text)
    parser.parse()
    return list(parser.found.headings())


def scanned(text: str) -> list[tuple[int, int, int, str]]:
    return [(h.span.start, h.span.end, h.level, h.style) for h in scan_headings(text)]


TEXT = [
    *(
        "",
        "a",
        "\\# a",
        "*b*",
        "**c**",
        "`d`",
        "e  ",
        "é",
        "-a",
        "1.2",
        "#a",
        "=",
        "--",
    ),
    *("# a", "## b ##", "#", "===", "---", "-", "***", "- - -", "_ _ _"),
    *("```", "````", "``` a`b", "~~~", "~~~ x"),
    *("- a", "-", "* b", "+ c", "1. d", "2) e", "10. f", "- - g", "> h", ">", "> - i"),
    *("<div>", "</div>", "<!-- j -->", "<!--", "-->", "<?", "?>", "<!X", "<![CDATA["),
    *("]]>", "<pre>", "<script>", "<hr/>", "<b", "k <b>"),
]
TAGS = ["<b>", "</pre>", "</b>", "<a b='c'>", "<x-y z>", "<b x"]
TABLES = ["a | b", "| a |", "|", "-|-", "| --- |", ":--", "|-|-|", "\\|"]
DEFINITIONS = [
    *("[a]: b", "[a]:", "b", "'c'", "'c", "c'", "[a]: <b> 'c'", "[a]: b c", "[a]"),
    *("[", "]: b", "[a]: b)"),
]
FOOTNOTES = ["[^1]: a", "[^1]:", "[^1]: # a", "[^1]: - a", "[^a b]: c", "[^]: d"]
ACTIONS = [
    *("{{ a }}", "{{", "}}", "{{ a", "b }}", "# {{", "}} # a", '{{ "', '" }}', "{{ `"),
    *("` }}", "{{/*", "*/}}", "<!-- {{", "}} -->", "- {{", "> {{", "```{{"),
]
CONTROLS = [
    "a\rb",
    "\r",
    "# a\rb",
    "#\r",
    "---\r",
    "\r---",
    "\x0c",
    "\x0c# a",
    "\u2028",
]
INDENTATION = ["", "", "", "", " ", "  ", "   ", "    ", "\t", "> ", "- "]


def documents(fragments: list[str]) -> st.SearchStrategy[str]:
    """Draw documents whose lines are fragments, indented more or less, by paragraphs."""
    line = st.tuples(st.sampled_from(INDENTATION), st.sampled_from(fragments))
    lines = st.lists(line.map("".join), min_size=1, max_size=12)
    ending = st.sampled_from(["\n", "\n\n", ""])
    return st.tuples(lines.map("\n".join), ending).map("".join)


@settings(max_examples=400)
@given(
    documents([*TEXT, *TAGS, *TABLES, *DEFINITIONS, *FOOTNOTES, *ACTIONS, *CONTROLS]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_the_scan_finds_what_the_exact_machine_finds(text: str, ending: str) -> None:
    text = text.replace("\n", ending)
    assert scanned(text) == exact_headings(text)


@settings(max_examples=200)
@given(documents([*TEXT, *ACTIONS]), documents([*TEXT, *ACTIONS, *DEFINITIONS]))
def test_it_does_so_in_long_documents(one: str, other: str) -> None:
    """Short cuts follow each other here, and the machine is asked again and again."""
    text = "\n\n".join([one, other, "a\n===", one, "- b", other, "# c", one, other])
    assert scanned(text) == exact_headings(text)


@settings(max_examples=100)
@given(documents([*TEXT, *TAGS, *ACTIONS]))
def test_the_verbatim_blocks_are_those_of_the_exact_machine(text: str) -> None:
    blocks = parse_blocks(text, Span(0, len(text)))
    assert [(each.start, each.end) for each in scan_structure(text)[1]] == [
        (block.span.start, block.span.end)
        for block in blocks
        if block.kind in ("fenced_code", "html_block")
    ]


MARKDOWN_IT = MarkdownIt("commonmark", {"maxNesting": 1000}).enable("table")


def by_markdown_it(text: str) -> list[tuple[int, int]]:
    return [
        (token.map[0] + 1, int(token.tag[1]))
        for token in MARKDOWN_IT.parse(text)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


@settings(max_examples=300)
@given(documents([*TEXT, *TAGS]))
def test_headings_are_those_of_markdown_it(text: str) -> None:
    # It reads a lazy line that is indented like code otherwise than cmark does.
    has_container = re.search(r"^\s*(?:[-+*>]|[0-9]+[.)])", text, re.MULTILINE)
    assume(not (has_container and re.search(r"^ {0,3}(?:\t| {4})", text, re.MULTILINE)))
    assert [(h.line, h.level) for h in scan_headings(text)] == by_markdown_it(text)


_TAG = re.compile(
    r'<(/?)(blockquote|ul|ol|section|h[1-6])(?: [^>]*?data-sourcepos="(\d+):[^>]*)?'
    r"(?: [^>]*)?>"
)


def by_cmark_gfm(text: str) -> list[tuple[int, int]]:
    """Read the headings off HTML with source positions; raw HTML is left out of it."""
    options = (
        cmark.Options.CMARK_OPT_SOURCEPOS,
        cmark.Options.CMARK_OPT_FOOTNOTES,
    )
    html = cmark.markdown_to_html_with_extensions(text, sum(options), ["table"])
    depth, found = 0, []
    for closing, name, line in _TAG.findall(html):
        if name not in ("blockquote", "ul", "ol", "section"):
            if not closing and not depth:
                found.append((int(line), int(name[1])))
        else:
            depth += -1 if closing else 1
    return found


def by_us(text: str) -> list[tuple[int, int]]:
    """Return lines and levels; cmark counts the definitions to a heading's lines."""
    blocks = parse_blocks(text, Span(0, len(text)))
    starts: dict[int, int] = {}
    for before, block in pairwise(blocks):
        if before.kind == "link_reference_definition":
            start = starts.get(before.span.start, before.span.start)
            if block.span.start == before.span.end and block.kind != "atx_heading":
                starts[block.span.start] = start
    return [
        (text.count("\n", 0, starts.get(h.span.start, h.span.start)) + 1, h.level)
        for h in scan_headings(text)
    ]


@settings(max_examples=300)
@given(documents([*TEXT, *TABLES, *DEFINITIONS, *FOOTNOTES]))
def test_headings_are_those_of_cmark_gfm(text: str) -> None:
    """Where it differs, the specification or markdown-it-py is followed, or GitHub.

    TAGS are not drawn: an HTML block of type 7 ends a lazy paragraph in cmark-gfm.
    """
    # A definition-only paragraph takes `---` as text, and as a heading if `===` follows.
    assume(not re.search(r"^\W*\[a\]:.*\n\W*-+\s*\n", text, re.MULTILINE))
    # A list item that holds a definition only counts as empty.
    assume(not re.search(r"[-*+.)] *\[a\]:", text))
    # A blank line of blanks ends a footnote, and an empty item with it does not end.
    assume(not re.search(r"^[\t >-]+$", text, re.MULTILINE))
    # Where one delimiter row of a paragraph did not fit, none is looked for any more.
    assume(len(re.findall(r"^\W*[-:|]+\W*$", text, re.MULTILINE)) < 2)
    assert by_us(text) == by_cmark_gfm(text)
