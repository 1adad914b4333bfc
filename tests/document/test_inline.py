"""Heading source to visible text: CommonMark's inline structure, actions, odd input."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from cmarkgfm.cmark import (  # type: ignore[import-untyped]
    Options,
    markdown_to_html_with_extensions,
)
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from md_mcp.document.inline import anchor_text, visible_text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("Plain words", "Plain words", id="plain text"),
        pytest.param("  a \t b  ", "a b", id="blanks are one space and trimmed"),
        pytest.param("a\nb", "a b", id="a soft break is a space"),
        pytest.param("a\\\nb", "a b", id="so is a hard break"),
        pytest.param("a\\", "a\\", id="a backslash at the end is text"),
        pytest.param("a\u00a0\u00a0b\u2003", "a\u00a0\u00a0b\u2003", id="NBSP stays"),
        pytest.param("a\u2028b\x0cc\rd", "a\u2028b\x0cc\rd", id="no line endings"),
        pytest.param("a &#32;&#10;b", "a b", id="white space from references too"),
        pytest.param("\\*a\\* \\a", "*a* \\a", id="escapes of punctuation only"),
        pytest.param("R&amp;D &copy; &nope; &amp", "R&D © &nope; &amp", id="entities"),
        pytest.param("&#35;&#x41;&#x1F600;", "#A😀", id="numeric references"),
        pytest.param("&#0;&#xD800;&#x110000;", "\ufffd" * 3, id="invalid code points"),
        pytest.param("&#128;", "\x80", id="no Windows code page, unlike HTML"),
        pytest.param("&#12345678;", "&#12345678;", id="too many digits"),
    ],
)
def test_text_is_one_line_with_escapes_and_entities_decoded(
    raw: str, text: str
) -> None:
    assert visible_text(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("*a* _b_ **c** __d__ ***e***", "a b c d e", id="emphasis"),
        pytest.param("snake_case_name", "snake_case_name", id="intraword _ is text"),
        pytest.param("in*tra*word", "intraword", id="intraword * is not"),
        pytest.param("2 * 3 * 4", "2 * 3 * 4", id="between blanks it is text"),
        pytest.param("*\u00a0a*", "*\u00a0a*", id="a no-break space is a blank"),
        pytest.param("**a*", "*a", id="an opener keeps what is left"),
        pytest.param("*foo**bar*", "foo**bar", id="rule of three"),
        pytest.param("*a _b* c_", "a _b c_", id="no overlap"),
        pytest.param("*[a*](b)", "*a*", id="links bind tighter"),
        pytest.param("a*€b* **€c**", "a*€b* €c", id="symbols count as punctuation"),
        pytest.param("~~a~~ ~b~", "a b", id="one or two tildes strike through"),
        pytest.param("~~~a~~~ ~~b~", "~~~a~~~ ~~b~", id="not three, nor unequal"),
        pytest.param("a**~~b~~**c", "abc", id="tildes are looked through"),
    ],
)
def test_emphasis_is_removed_by_the_delimiter_run_rules(raw: str, text: str) -> None:
    assert visible_text(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("`a *b*` c", "a *b* c", id="content is kept as it is"),
        pytest.param("`` a`b ``", "a`b", id="longer run, one space off each side"),
        pytest.param("x`  `y", "x y", id="only blanks are kept"),
        pytest.param("`a\nb`", "a b", id="a line ending is a space"),
        pytest.param("``a`", "``a`", id="runs of other lengths do not close"),
        pytest.param("`a\\`b`", "a\\b`", id="no escapes inside"),
        pytest.param("\\`a`b`", "`ab", id="an escaped backtick opens nothing"),
        pytest.param("`&amp;`", "&amp;", id="no entities inside"),
        pytest.param("*a`*`", "*a*", id="code binds tighter than emphasis"),
        pytest.param("[a`](b)`", "[a](b)", id="and than links"),
    ],
)
def test_code_spans_keep_their_content(raw: str, text: str) -> None:
    assert visible_text(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("[a](b)", "a", id="inline link"),
        pytest.param("[a *b* `c`](d)", "a b c", id="markup in the link text"),
        pytest.param("[a](<b c> 'd')", "a", id="bracketed destination, title"),
        pytest.param('[a](b "t\\"u")', "a", id="escaped quote in the title"),
        pytest.param("[a](b (t))", "a", id="title in parentheses"),
        pytest.param("[a]( )x", "ax", id="empty destination"),
        pytest.param("[a](b(c(d))e)x", "ax", id="balanced parentheses"),
        pytest.param("[a](b\\)c)x", "ax", id="escaped parenthesis"),
        pytest.param("[a](\nb\n'c'\n)x", "ax", id="over several lines"),
        pytest.param("[a](b c)", "a(b c)", id="no link tail: a reference and text"),
        pytest.param("[a](b'c')x", "ax", id="title needs a blank before it"),
        pytest.param("[a](<b>c)", "a(c)", id="nothing may follow a bracketed one"),
        pytest.param("[a] (b)", "a (b)", id="no blank before the parenthesis"),
        pytest.param("[a [b](c) d](e)", "[a b d](e)", id="no link in a link"),
        pytest.param("[![a](b)](c)", "a", id="but an image in a link"),
        pytest.param("![a *b* [c](d)](e)", "a b c", id="image: its description"),
        pytest.param("![](b.png) x", "x", id="image without description"),
        pytest.param("\\[a](b)", "[a](b)", id="an escaped bracket opens nothing"),
        pytest.param("!\\[a]", "![a]", id="nor an image"),
        pytest.param("[1.2.0] - today", "1.2.0 - today", id="shortcut reference"),
        pytest.param("[a][b] [c][]", "a c", id="full and collapsed references"),
        pytest.param("![a] ![b][c]", "a b", id="image references"),
        pytest.param("[] [ ] [a][ ]", "[] [ ] a[ ]", id="blanks are no label"),
        pytest.param("[a]b]", "ab]", id="a closing bracket alone is text"),
        pytest.param("[a\\]b]", "a]b", id="escaped bracket in a label"),
        pytest.param(f"[{'a' * 999}]", "a" * 999, id="label of 999 characters"),
        pytest.param(f"[{'a' * 1000}]", f"[{'a' * 1000}]", id="1,000 are too many"),
        pytest.param("[[a]]", "[a]", id="brackets around a reference stay"),
    ],
)
def test_links_and_images_give_their_text(raw: str, text: str) -> None:
    assert visible_text(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("<https://e.x/a_b_c>", "https://e.x/a_b_c", id="autolink"),
        pytest.param("<https://e.x/\\*?a&amp;b>", "https://e.x/\\*?a&b", id="decoded"),
        pytest.param("<a.b@e.x>", "a.b@e.x", id="e-mail autolink"),
        pytest.param("https://e.x", "https://e.x", id="a bare URL is text"),
        pytest.param('a <b class="x>y">c</b >', "a c", id="tags"),
        pytest.param("a<br/>b", "ab", id="a removed tag leaves no space"),
        pytest.param("a <!-- b --> <?c?><!D e><![CDATA[f]]>", "a", id="all six kinds"),
        pytest.param("a<!-->b<!--->c", "abc", id="the short comments"),
        pytest.param("a < b <3 <c d=>", "a < b <3 <c d=>", id="no tags"),
        pytest.param("<!-- a", "<!-- a", id="an unclosed comment is text"),
        pytest.param('*<a b="*">', "*", id="HTML binds tighter than emphasis"),
        pytest.param("Title[^1]", "Title", id="footnote marker"),
        pytest.param("a[^*]*", "a*", id="emphasis does not reach into one"),
        pytest.param("[1.0][^n]", "1.0", id="a marker is no link label"),
        pytest.param("[^1](b)", "^1", id="an inline link comes first"),
        pytest.param("![^1]x", "!x", id="no image of a footnote"),
        pytest.param("[^a b]", "^a b", id="a blank makes it a reference"),
    ],
)
def test_html_and_footnote_markers_are_removed_and_autolinks_kept(
    raw: str, text: str
) -> None:
    assert visible_text(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("<Foo>", "<Foo>", id="a tag alone"),
        pytest.param("[^1]", "[^1]", id="a footnote marker alone"),
        pytest.param(
            '<a id="x"></a> <!-- y -->', '<a id="x"></a> <!-- y -->', id="all"
        ),
        pytest.param("![](x)<br>", "<br>", id="other markup is removed all the same"),
    ],
)
def test_html_and_footnote_markers_stay_where_nothing_else_is(
    raw: str, text: str
) -> None:
    assert visible_text(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param(
            'Deps {{ template "x" . }}', 'Deps {{ template "x" . }}', id="an action"
        ),
        pytest.param("*a* {{ *b* &amp; }}", "a {{ *b* &amp; }}", id="raw inside"),
        pytest.param("{{ `a` }} `b`", "{{ `a` }} b", id="its quotes are no code"),
        pytest.param('{{ "<b>" }}<b>', '{{ "<b>" }}', id="its HTML is no HTML"),
        pytest.param("[a]({{ .Url }})", "a", id="a destination may hold one"),
        pytest.param('<a href="{{ "b" }}">c', "c", id="an attribute too"),
        pytest.param("*{{ a }}*", "{{ a }}", id="emphasis around one"),
        pytest.param("{{ *a* `b`", "{{ a b", id="without an end it is text"),
    ],
)
def test_template_actions_stay_as_they_are(raw: str, text: str) -> None:
    assert visible_text(raw) == text


@pytest.mark.parametrize(
    "unit",
    [
        *("`", "[", "]", "![", "*", "*a ", "a*_b ", "~a ~~b ", "<", "<a ", "<!--"),
        *("<?a", "<![CDATA[", '<a b="', "[a](", "[](()", "[](<", '[](a "', "(", "[a]["),
        *("[^", "&a", "\\", "{{", '{{"', "[ ![", "<a@b.", "`a``"),
    ],
)
def test_a_flood_of_openers_ends_and_stays_text(unit: str) -> None:
    raw = "x" + unit * 4000
    assert visible_text(raw).startswith("x")
    assert len(visible_text(raw)) <= len(raw)


# --- oracles --------------------------------------------------------------------------

_MARKDOWN_IT = MarkdownIt("commonmark", {"maxNesting": 1000})
_MARKDOWN_IT.normalizeLink = lambda url: url  # type: ignore[method-assign]
_MARKDOWN_IT.validateLink = lambda url: True  # type: ignore[method-assign]


class AllDefined(dict[str, Any]):
    """References in which every possible label is defined."""

    def get(self, label: str, default: Any = None) -> Any:
        is_label = re.fullmatch(r"(?:\\.|[^\\\[\]]){1,999}", label, re.DOTALL)
        return {"href": "x", "title": ""} if is_label and label.strip() else default


def text_of_tokens(tokens: list[Any]) -> str:
    pieces = []
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            pieces.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            pieces.append(" ")
        pieces.append(text_of_tokens(token.children or []))
    return "".join(pieces)


def collapsed(text: str) -> str:
    return re.sub(r"[ \t\n]+", " ", text).strip(" ")


def joined(pieces: list[str]) -> str:
    """Join pieces to the source of a heading: no blank lines, no blanks at the edges."""
    return re.sub(r"[ \t]*\n\s*", "\n", "".join(pieces)).strip(" \t\n")


WORDS = ["a", "b", " ", "é", "«", ".", "1", "\\", "&amp;", "&#35;", "&", "\n", ";"]
EMPHASIS = ["*", "**", "***", "_", "__"]
CODE_AND_HTML = ["`", "``", "<b>", '<b c="d">', "<!-- -->", "<u:v>", "<", ">", '"', "'"]
LINKS = ["[", "]", "!", "[a][b]", "[]", "[a](b)", "![a](<b> 'c')"]


@given(
    st.lists(st.sampled_from([*WORDS, *EMPHASIS, *CODE_AND_HTML, *LINKS, "€"])).map(
        joined
    )
)
def test_text_is_markdown_its_with_every_label_defined(raw: str) -> None:
    tokens = _MARKDOWN_IT.parseInline(raw, {"references": AllDefined()})
    expected = collapsed(text_of_tokens(tokens))
    # markdown-it-py takes brackets with brackets inside for a label after a link text,
    # and the end of a link text for the end of a line; a label that ends in a
    # backslash and a blank or begins a code span is none there.
    if expected and not re.search(r"\]\[[^\]]*[\[`]|[*_]\]|\\[ \n]\]", raw):
        assert visible_text(raw) == expected


LABEL = re.compile(r"(?=\[((?:\\.|[^\\\[\]])*)\])", re.DOTALL)

_OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES


def text_by_cmark(raw: str) -> str:
    """Return the text of the paragraph `raw`, with every label in it defined."""
    labels = sorted({match[1] for match in LABEL.finditer(raw) if match[1].strip()})
    definitions = [f"[{label}]: x" for label in labels]
    page = markdown_to_html_with_extensions(
        "\n\n".join([raw, *definitions]), _OPTIONS, extensions=["strikethrough"]
    )
    paragraph = page[len("<p>") : page.index("</p>")]
    paragraph = re.sub(r"<sup .*?</sup>", "", paragraph)
    paragraph = re.sub(r'<img src="[^"]*" alt="([^"]*)".*? />', r"\1", paragraph)
    return collapsed(html.unescape(re.sub(r"<!-- -->|</?[a-z][^<>]*>", "", paragraph)))


TILDES = ["~", "~~", "~~~", "~a~"]
TAILS = ["](b)", "](<2> 'c')", "](b(c)\n)", "](<2>c)", "](b c)", "]('b' (c))", "[^1]"]


@given(
    st.lists(st.sampled_from([*WORDS[:-2], *EMPHASIS, *TILDES, *TAILS, "[", "]", "!["]))
)
def test_tildes_footnotes_and_link_tails_are_read_as_cmark_gfm_does(
    pieces: list[str],
) -> None:
    # The word in front keeps the lines a paragraph. A marker beside a bracket is read
    # our own way, see above.
    raw = joined(["x", *pieces]).replace("\n", "\nx")
    raw = re.sub(r"\]\[\^|\[\^1\](?=\[)|\[\^(?!1\])", "", raw)
    # cmark-gfm forgets that a bracket holds a link when another one follows inside, and
    # does not look again for what a long run can close when a shorter one could not.
    if not re.search(r"\].*\[.*\]\(|[*_]{3}", raw, re.DOTALL):
        assert visible_text(raw) == text_by_cmark(raw)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a  b", "a  b"),
        ("a -  `b`", "a -  b"),
        ("[a  b](c)  d", "a  b  d"),
        ("[1.2]  (x)", "1.2  (x)"),
        ("<b>  a</b>", "  a"),
        ("<br>", ""),
        ("", ""),
    ],
)
def test_the_text_of_an_anchor_keeps_its_white_space(raw: str, text: str) -> None:
    assert anchor_text(raw) == text
