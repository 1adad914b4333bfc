from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.model import Document
from md_mcp.document.search import Match
from md_mcp.document.section import Section
from md_mcp.document.text import BOM
from md_mcp.errors import ArgumentError, PatternError

GUIDE = """\
---
title: The needle
---
A needle in front.

# Guide

A Needle here.

## The *needle* case

Setext needle
=============

no match, needle, two on needle a line
```
# needle in code
```

[needle]: /needle
"""


def found(text: str, query: str, **options: object) -> list[tuple[str, int, str]]:
    matches = Document(text).search(query, **options)  # type: ignore[arg-type]
    return [(match.path, match.line, match.text) for match in matches]


def test_each_line_is_found_in_the_section_whose_own_body_it_is_in() -> None:
    assert found(GUIDE, "needle") == [
        ("frontmatter", 2, "title: The needle"),
        ("(preamble)", 4, "A needle in front."),
        ("Guide", 8, "A Needle here."),
        ("Setext needle", 15, "no match, needle, two on needle a line"),
        ("Setext needle", 17, "# needle in code"),
        ("Setext needle", 20, "[needle]: /needle"),
    ]


def test_headings_are_searched_by_their_text() -> None:
    assert found(GUIDE, "needle", scope="headings") == [
        ("Guide.The needle case", 10, "The needle case"),
        ("Setext needle", 12, "Setext needle"),
    ]
    assert found(GUIDE, r"\*", scope="headings") == []
    assert found(GUIDE, "^The needle case$", scope="headings") == [
        ("Guide.The needle case", 10, "The needle case"),
    ]


def test_both_scopes_give_a_heading_before_its_body() -> None:
    matches = found(GUIDE, "needle", scope="both")
    assert [line for _, line, _ in matches] == [2, 4, 8, 10, 12, 15, 17, 20]


@pytest.mark.parametrize(
    ("text", "query", "lines"),
    [
        pytest.param("a needle\r\nb\r\n", "needle$", [1], id="CRLF"),
        pytest.param("a needle\rb needle", "needle$", [1, 2], id="old Mac"),
        pytest.param("a\nneedle\r\nneedle\n", "^needle$", [2, 3], id="mixed"),
        pytest.param("needle\r\r\n", "needle$", [], id="a CR before the ending"),
        pytest.param(BOM + "needle\n", "^needle", [1], id="a BOM"),
        pytest.param(BOM + "a\r\nneedle\r\n", "^needle", [2], id="a BOM and CRLF"),
        pytest.param("a\x0b\x0c\x1c\x85\u2028b\nneedle", "needle", [2], id="controls"),
        pytest.param("a\x85needle\nb", "^needle", [], id="NEL ends no line"),
        pytest.param("x" * 9000 + "\0needle\n", "needle", [1], id="after a NUL"),
        pytest.param("needle", "needle", [1], id="no ending"),
        pytest.param("", "", [], id="no text, no line"),
        pytest.param("\n\n", "^$", [1, 2], id="blank lines"),
        pytest.param("\n\n", "", [1, 2], id="the empty pattern"),
    ],
)
def test_lines_are_those_of_the_file_without_their_endings(
    text: str, query: str, lines: list[int]
) -> None:
    assert [line for _, line, _ in found(text, query)] == lines


def test_the_text_of_a_match_is_the_whole_line_without_its_ending() -> None:
    assert found(BOM + "  a\tneedle \r\n", "needle") == [
        ("(preamble)", 1, "  a\tneedle ")
    ]


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        pytest.param(
            "---\na: x\n---\nx\n",
            [("frontmatter", 2, "a: x"), ("(preamble)", 4, "x")],
            id="YAML",
        ),
        pytest.param("+++\nx = 1\n+++\n", [("frontmatter", 2, "x = 1")], id="TOML"),
        pytest.param(
            "---\nx\n---\n", [("(preamble)", 1, "---")], id="a break and a heading"
        ),
    ],
)
def test_delimiters_of_front_matter_and_headings_belong_to_no_body(
    text: str, matches: list[tuple[str, int, str]]
) -> None:
    assert found(text, ".") == matches


def test_case_counts_only_on_request() -> None:
    assert len(found("Needle\nneedle\n", "needle")) == 2
    assert len(found("Needle\nneedle\n", "needle", case_sensitive=True)) == 1
    assert len(found("Needle\nneedle\n", r"ne{2}dle")) == 2


def test_an_unknown_scope_is_refused() -> None:
    with pytest.raises(ArgumentError) as caught:
        found("a", "a", scope="all")
    assert caught.value.argument == "scope"
    assert str(caught.value) == 'scope is "all": give "body", "headings" or "both".'


def test_what_is_no_pattern_is_refused() -> None:
    with pytest.raises(PatternError):
        found("a", "(")


def test_paths_lead_back_to_the_section() -> None:
    text = "# A.b\n\nx\n\n# A.b\n\nx\n\n# (preamble)\n\nx\n"
    document = Document(text)
    paths = [match.path for match in document.search("x")]
    assert paths == [r"A\.b", r"A\.b[2]", "(preamble)[1]"]
    assert [document.section(path).index for path in paths] == [0, 1, 2]


def plain_search(document: Document, query: str, scope: str) -> Iterator[Match]:
    """Search line by line and section by section, as the contract words it."""
    compiled = re.compile(query, re.IGNORECASE)
    front = document.front_matter
    if front is not None and scope != "headings":
        for line in document.lines:
            if front.inner.contains(line.span):
                yield from plain_match(document, "frontmatter", line.number, compiled)
    for section in (document.preamble, *document.sections):
        yield from plain_section(document, section, compiled, scope)


def plain_section(
    document: Document, section: Section, query: re.Pattern[str], scope: str
) -> Iterator[Match]:
    heading = section.heading
    if heading is not None and scope != "body" and query.search(heading.text):
        yield Match(section.path, heading.line, heading.text)
    if scope == "headings":
        return
    for line in document.lines:
        marked = line.number == 1 and document.text.startswith(BOM)
        start = line.span.start + len(BOM) * marked
        if section.body_span.start <= start < section.body_span.end:
            yield from plain_match(document, section.path, line.number, query)


def plain_match(
    document: Document, path: str, number: int, query: re.Pattern[str]
) -> Iterator[Match]:
    line = document.lines[number - 1]
    content = line.span.of(document.text).removesuffix(line.ending).removeprefix(BOM)
    if query.search(content):
        yield Match(path, number, content)


LINES = st.sampled_from(
    [
        *("# A", "## a", "A", "===", "---", "a: k", "", "  ", "> a", "```", "- a"),
        *("\u212aa\u0130", "### *a*b", "<!-- a -->", "[a]: b", "a\u2028b", "\ta"),
    ]
)
TEXTS = st.tuples(
    st.sampled_from(["", BOM]),
    st.lists(st.tuples(LINES, st.sampled_from(["\n", "\n", "\r\n", "\r"])), max_size=9),
    st.sampled_from(["", "a", "# k"]),
).map(lambda parts: parts[0] + "".join(map("".join, parts[1])) + parts[2])

QUERIES = st.sampled_from(["a", "K", "", "^a", "a$", r"\w+", "^$", "[^#]", "i|b", "-"])


@given(TEXTS, QUERIES, st.sampled_from(["body", "headings", "both"]))
def test_a_search_gives_what_trying_line_by_line_gives(
    text: str, query: str, scope: str
) -> None:
    document = Document(text)
    expected = tuple(plain_search(document, query, scope))
    assert document.search(query, scope=scope) == expected
