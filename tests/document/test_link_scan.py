"""Links in one run of inline content, against CommonMark's rules and an oracle."""

from __future__ import annotations

import re

import pytest
from cmarkgfm import cmark  # type: ignore[import-untyped]
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from md_mcp.document.blocks.definitions import normalize_label
from md_mcp.document.link_scan import LinkScanner, ScannedLink


def scan(text: str, *labels: str) -> list[ScannedLink]:
    known = frozenset(map(normalize_label, labels))
    links = LinkScanner(text, known).scan().links
    return sorted(links, key=lambda link: link.place)


def shown(text: str, *labels: str) -> list[tuple[str, str, str | None]]:
    """Return kind, target and label of each link."""
    return [
        (
            link.kind,
            text[slice(*link.target)],
            None if link.label is None else text[slice(*link.label)],
        )
        for link in scan(text, *labels)
    ]


@pytest.mark.parametrize(
    ("text", "kind", "target", "label"),
    [
        pytest.param("[a](b.md)", "link", "b.md", "a", id="inline link"),
        pytest.param("![a](b.png)", "image", "b.png", "a", id="image"),
        pytest.param("[a](<b c.md>)", "link", "b c.md", "a", id="angle brackets"),
        pytest.param("[a](<>)", "link", "", "a", id="empty angle brackets"),
        pytest.param("[a]()", "link", "", "a", id="no destination"),
        pytest.param("[](b)", "link", "b", "", id="no text"),
        pytest.param("[a]( b 'c' )", "link", "b", "a", id="title and blanks"),
        pytest.param('[a](b "c\nd")', "link", "b", "a", id="title over two lines"),
        pytest.param("[a](\n b\n (c))", "link", "b", "a", id="one line break each"),
        pytest.param("[a](b(c)d)", "link", "b(c)d", "a", id="balanced parentheses"),
        pytest.param(r"[a](b\)c)", "link", r"b\)c", "a", id="escaped parenthesis"),
        pytest.param(r"[a](b\ )", "link", "b\\", "a", id="backslash before a space"),
        pytest.param("[a](b#c)", "link", "b#c", "a", id="fragment"),
        pytest.param("[a [b] c](d)", "link", "d", "a [b] c", id="brackets in the text"),
        pytest.param(r"[a\]](b)", "link", "b", r"a\]", id="escaped bracket"),
        pytest.param("[`]`](b)", "link", "b", "`]`", id="bracket in a code span"),
        pytest.param("[<b c=']'>](b)", "link", "b", "<b c=']'>", id="bracket in a tag"),
        pytest.param("[a][B  c]", "reference", "B  c", "a", id="full reference"),
        pytest.param("[b c][]", "reference", "b c", "b c", id="collapsed reference"),
        pytest.param("[B\nc]", "reference", "B\nc", "B\nc", id="shortcut reference"),
        pytest.param("![b c]", "image reference", "b c", "b c", id="image reference"),
        pytest.param("[b c](d e)", "reference", "b c", "b c", id="no destination, so"),
        pytest.param("[[a]]", "wikilink", "a", None, id="wikilink"),
        pytest.param("[[a b#c d]]", "wikilink", "a b#c d", None, id="with a heading"),
        pytest.param("[[#c]]", "wikilink", "#c", None, id="to the same note"),
        pytest.param("[[a#^x]]", "wikilink", "a#^x", None, id="to a block"),
        pytest.param("[[a|b]]", "wikilink", "a", "b", id="with an alias"),
        pytest.param("[[a|b [c]]]", "wikilink", "a", "b [c", id="ends at the first ]]"),
        pytest.param(r"[[a#b\|c]]", "wikilink", "a#b", "c", id="a bar in a table"),
        pytest.param("[[a|]]", "wikilink", "a", "", id="with an empty alias"),
        pytest.param("![[a.png|100]]", "embed", "a.png", "100", id="embed"),
        pytest.param("[[a]](b)", "link", "b", "[a]", id="brackets in a link's text"),
        pytest.param(
            "[[b c]]", "reference", "b c", "b c", id="brackets around a label"
        ),
    ],
)
def test_a_link_has_kind_target_and_label(
    text: str, kind: str, target: str, label: str | None
) -> None:
    assert shown(text, "b c") == [(kind, target, label)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[a] (b)", id="a blank before the parenthesis"),
        pytest.param("[a](b c)", id="a blank in the destination"),
        pytest.param("[a](<b\nc>)", id="a line break in angle brackets"),
        pytest.param("[a](b(c)", id="an open parenthesis"),
        pytest.param('[a](<b>"c")', id="no blank before the title"),
        pytest.param("[a](b", id="an open end"),
        pytest.param(r"\[a](b)", id="an escaped opening bracket"),
        pytest.param(r"[a\](b)", id="an escaped closing bracket"),
        pytest.param("`[a](b)`", id="a code span"),
        pytest.param("``[a](b) ` [[c]]``", id="a code span of two backticks"),
        pytest.param("<!-- [a](b) [[c]] -->", id="a comment"),
        pytest.param("<a title='[a](b)'>", id="an attribute"),
        pytest.param("<http://x/[a](b)>", id="an autolink"),
        pytest.param("<?[a](b)?>", id="a processing instruction"),
        pytest.param("<![CDATA[[a](b)]]>", id="a CDATA section"),
        pytest.param("[x]", id="an undefined label"),
        pytest.param("[ ]", id="a task box"),
        pytest.param("[b][x]", id="a defined label before an undefined one"),
        pytest.param("[[]]", id="an empty wikilink"),
        pytest.param("[[#]]", id="an empty heading"),
        pytest.param("[[a\nb]]", id="a line break in a wikilink"),
        pytest.param("[[a] b]", id="no wikilink"),
    ],
)
def test_what_looks_alike_is_no_link(text: str) -> None:
    assert shown(text, "b") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[a [b](c) d](e)", ["c"], id="the inner one of two links"),
        pytest.param("![a [b](c) d](e)", ["e", "c"], id="an image holds links"),
        pytest.param("[a ![b](c) d](e)", ["e", "c"], id="a link holds images"),
        pytest.param("[a](b)[c](d)", ["b", "d"], id="two side by side"),
        pytest.param("` [a](b)", ["b"], id="a backtick without an end"),
        pytest.param("<!-- [a](b)", ["b"], id="a comment without an end"),
        pytest.param("[a](b) <c [d](e)", ["b", "e"], id="a tag without an end"),
        pytest.param("[[a]] and [[b|c]]", ["a", "b"], id="two wikilinks"),
        pytest.param("[see [[a]] too](b)", ["b", "a"], id="a wikilink in a link"),
        pytest.param("[[[a]]]", ["a"], id="a wikilink in brackets"),
    ],
)
def test_several_links_come_in_order(text: str, expected: list[str]) -> None:
    assert [target for _, target, _ in shown(text)] == expected


def test_code_spans_and_tags_are_kept_as_opaque_places() -> None:
    text = "a `b` <c> <!-- d --> [e](f)"
    opaque = LinkScanner(text).scan().opaque
    assert [text[slice(*place)] for place in opaque] == ["`b`", "<c>", "<!-- d -->"]


def _oracle(text: str, labels: list[str]) -> list[tuple[str, str]]:
    parser = MarkdownIt("commonmark", {"maxNesting": 10_000})
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    references = {label: {"href": f"ref:{label}", "title": ""} for label in labels}
    found: list[tuple[str, str]] = []
    _collect(parser.parseInline(text, {"references": references}), found)
    return found


def _collect(tokens: list[Token], found: list[tuple[str, str]]) -> None:
    for token in tokens:
        if token.type == "link_open" and token.markup != "autolink":
            found.append(("link", str(token.attrs["href"])))
        elif token.type == "image":
            found.append(("image", str(token.attrs["src"])))
        _collect(token.children or [], found)


def _own(text: str, labels: list[str]) -> list[tuple[str, str]]:
    found = []
    for kind, target, _ in shown(text, *labels):
        if "reference" in kind:
            target = f"ref:{normalize_label(target).upper()}"
        target = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", target)
        found.append(("image" if kind.startswith("image") else "link", target))
    return found


def _links_by_cmark(text: str, labels: list[str]) -> list[tuple[str, str]]:
    html = cmark.markdown_to_html(
        _definitions(labels) + text, cmark.Options.CMARK_OPT_UNSAFE
    )
    return re.findall(r'<(a|img) \w+="([^"]*)', html)


def _links_by_the_oracle(text: str, labels: list[str]) -> list[tuple[str, str]]:
    html = MarkdownIt("commonmark").render(_definitions(labels) + text)
    return re.findall(r'<(a|img) \w+="([^"]*)', html)


def _definitions(labels: list[str]) -> str:
    return "".join(f"[{label}]: ref:{label}\n" for label in labels) + "\n"


PIECES = st.sampled_from(
    [
        *("[", "]", "(", ")", "![", "](", "`", "``", "<", ">", "\\", " ", "!", "\nz"),
        *("a", "b", '"', "'", "<x>", "[a]", "[a][b]", "[]", '<b c="d">', "u#f"),
    ]
)


@given(
    st.lists(PIECES, max_size=14).map("".join),
    st.sampled_from([[], ["A"], ["A", "B"]]),
)
def test_links_are_those_of_the_reference_parser(text: str, labels: list[str]) -> None:
    """Without `[[`, which is ours, and where cmark says that the oracle errs."""
    assume("[[" not in text)
    text = f"z{text}z"
    assume(_links_by_cmark(text, labels) == _links_by_the_oracle(text, labels))
    assert _own(text, labels) == _oracle(text, labels)
