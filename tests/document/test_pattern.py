from __future__ import annotations

import re
import warnings
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.pattern import (
    MAX_LENGTH,
    literal_lines,
    matching_lines,
    parse_pattern,
    plain_lines,
    unbounded_lines,
)
from md_mcp.errors import PatternError


def found_by_line(query: str, text: str, *, case_sensitive: bool = False) -> list[str]:
    """Return the matching lines by trying `re` on each, as the contract words it."""
    compiled = re.compile(query, 0 if case_sensitive else re.IGNORECASE)
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line for line in lines if compiled.search(line)]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        pytest.param("needle", "needle", id="no special characters"),
        pytest.param(r"a\.b\*", "a.b*", id="special ones escaped"),
        pytest.param("[.]x", ".x", id="a set of one"),
        pytest.param("{e<=1}", "{e<=1}", id="braces that count nothing"),
        pytest.param(r"\x41\u00e9", "A\u00e9", id="characters by number"),
        pytest.param("(?x) a b # c", "ab", id="verbose"),
        pytest.param("(?:ab)c", "abc", id="a group that changes nothing"),
        pytest.param("", "", id="nothing at all"),
    ],
)
def test_plain_text_is_recognised(query: str, text: str) -> None:
    literal = parse_pattern(query).literal
    assert literal is not None
    assert (literal.text, literal.folded) == (text, True)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("a.b", id="a full stop"),
        pytest.param("ab*", id="a repeat"),
        pytest.param("^a", id="a place"),
        pytest.param("[ab]", id="a set"),
        pytest.param("(a)", id="a group that captures"),
        pytest.param("(?ai)k", id="case of ASCII letters only"),
        pytest.param("a(?-i:b)", id="case that counts in part"),
    ],
)
def test_other_patterns_are_no_plain_text(query: str) -> None:
    assert parse_pattern(query).literal is None


@pytest.mark.parametrize(
    ("query", "case_sensitive", "folded"),
    [
        pytest.param("a", True, False, id="case counts"),
        pytest.param("a", False, True, id="case does not count"),
        pytest.param("(?i)a", True, True, id="an inline flag wins"),
    ],
)
def test_the_literal_is_folded_unless_case_counts(
    query: str, case_sensitive: bool, folded: bool
) -> None:
    literal = parse_pattern(query, case_sensitive=case_sensitive).literal
    assert literal is not None
    assert literal.folded is folded


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        pytest.param("ab+cde.", ["cde"], id="the longest run"),
        pytest.param("v[0-9]+ of", [" of"], id="a run after a repeat"),
        pytest.param("(?:foo|ba)r", ["foo", "ba"], id="one of the alternatives"),
        pytest.param("(?:foo|x*)", [], id="an alternative that may be empty"),
        pytest.param("(?:abc){2,}d", ["abc"], id="what is repeated at least once"),
        pytest.param("(?:abc)*d", ["d"], id="not what may be left out"),
        pytest.param("(?=abc)a", ["abc"], id="what is ahead"),
        pytest.param("(?!abc)a", ["a"], id="not what must not be ahead"),
        pytest.param("(?>abc)d", ["abc"], id="an atomic group"),
        pytest.param("((abc))d?", ["abc"], id="groups"),
        pytest.param(r"(a)?(?(1)bcd|e)f", ["f"], id="not the branches of a condition"),
        pytest.param("[ab]c*", [], id="nothing that is certain"),
        pytest.param("a|b|c|d|e|f|g|h|i1", [], id="more than is worth looking for"),
    ],
)
def test_texts_that_every_match_needs_are_known(query: str, texts: list[str]) -> None:
    assert [literal.text for literal in parse_pattern(query).required] == texts


@pytest.mark.parametrize(
    ("query", "offset", "part"),
    [
        pytest.param("[", 0, "unterminated character set", id="an open set"),
        pytest.param("a(b", 1, "unterminated subpattern", id="an open group"),
        pytest.param("*a", 0, "nothing to repeat", id="a repeat of nothing"),
        pytest.param("\\", 0, "bad escape", id="a backslash at the end"),
        pytest.param(r"\p{L}", 0, "bad escape", id="a Unicode property"),
        pytest.param(r"\K", 0, "bad escape", id="keep out"),
        pytest.param(r"\X", 0, "bad escape", id="a grapheme"),
        pytest.param(r"\m", 0, "bad escape", id="start of a word"),
        pytest.param(r"\L<x>", 0, "bad escape", id="a named list"),
        pytest.param(r"\g<1>", 0, "bad escape", id="a reference as in templates"),
        pytest.param("(?|a|b)", 1, "unknown extension", id="a branch reset"),
        pytest.param("(?R)", 1, "unknown extension", id="recursion"),
        pytest.param("(?&x)", 1, "unknown extension", id="a call of a group"),
        pytest.param("(?b)(?:hello world){e<=8}", 1, "unknown ext", id="best match"),
        pytest.param("(?V1)a", 1, "unknown extension", id="version 1"),
        pytest.param("(?r)a", 1, "unknown extension", id="reverse"),
        pytest.param("a{3,2}", 2, "min repeat greater", id="counts in disorder"),
        pytest.param("a**", 2, "multiple repeat", id="a repeat of a repeat"),
        pytest.param(r"(?P=x)", 4, "unknown group name", id="an unknown name"),
        pytest.param("(?<=a+)b", None, "look-behind", id="a look-behind of any width"),
        pytest.param("a{9999999999}", None, "too large", id="a count without end"),
    ],
)
def test_what_re_does_not_accept_is_refused(
    query: str, offset: int | None, part: str
) -> None:
    with pytest.raises(PatternError) as caught:
        parse_pattern(query)
    assert (caught.value.pattern, caught.value.offset) == (query, offset)
    assert part in str(caught.value)


def test_the_refusal_shows_how_to_search_for_the_text() -> None:
    with pytest.raises(PatternError) as caught:
        parse_pattern("arr[0")
    assert str(caught.value) == (
        "Python's re does not accept the pattern at offset 3: unterminated character "
        r"set. To find this very text, search for arr\[0."
    )


@pytest.mark.parametrize(
    ("query", "part"),
    [
        pytest.param("a" * (MAX_LENGTH + 1), "1,001 characters", id="length"),
        pytest.param("(" * 101 + "a" + ")" * 101, "nested", id="groups"),
        pytest.param("(?:a" * 101 + "b)*" + ")*" * 100, "nested", id="repeats"),
        pytest.param("(" * 490 + "a" + ")" * 490, "nested", id="the parser's stack"),
        pytest.param("a{10001}", "multiply to 10,001", id="one repeat"),
        pytest.param("(?:a{101}b){100}", "multiply to 10,100", id="nested repeats"),
        pytest.param("(?:a{101,}b){100}", "multiply to 10,100", id="least counts"),
    ],
)
def test_patterns_beyond_the_limits_are_refused(query: str, part: str) -> None:
    with pytest.raises(PatternError, match=part):
        parse_pattern(query)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("a" * MAX_LENGTH, id="length"),
        pytest.param("(" * 99 + "ab?" + ")" * 99, id="groups"),
        pytest.param("(?:a{100}b){100}", id="repeats"),
        pytest.param("a{100}b{200}", id="repeats side by side"),
        pytest.param("(?:a*b)*", id="repeats without a count"),
    ],
)
def test_patterns_at_the_limits_are_accepted(query: str) -> None:
    assert parse_pattern(query).query == query


def test_sets_that_re_warns_of_are_accepted_in_silence() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse_pattern("[[a]b]").literal is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        pytest.param("a\r\nb\r\n", "a\nb\n", id="CRLF"),
        pytest.param("a\nb\r\nc", "a\nb\nc", id="mixed endings"),
        pytest.param("a\rb\r", "a\nb\n", id="old Mac"),
        pytest.param("a\rb\n", "a\rb\n", id="a lone CR inside a line"),
        pytest.param("a\r\r\nb", "a\r\nb", id="a CR before the ending"),
        pytest.param("\ufeffa\n", "a\n", id="a BOM"),
        pytest.param("a\x0b\x0c\x85\u2028b", "a\x0b\x0c\x85\u2028b", id="no endings"),
    ],
)
def test_plain_lines_end_at_line_feeds_only(text: str, plain: str) -> None:
    assert plain_lines(text) == plain


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        pytest.param("ab\nb\nc", "b", [(0, 2), (3, 4)], id="each line once"),
        pytest.param("b b b\n", "b", [(0, 5)], id="several on one line"),
        pytest.param("a\n\nb\n", "", [(0, 1), (2, 2), (3, 4)], id="the empty text"),
        pytest.param("a\n", "x", [], id="nothing"),
        pytest.param("", "", [], id="no line in no text"),
        pytest.param("a\nb", "a\nb", [], id="no line holds a line feed"),
    ],
)
def test_lines_with_the_text_are_found_whole(
    text: str, query: str, found: list[tuple[int, int]]
) -> None:
    literal = parse_pattern(query).literal
    assert literal is not None
    assert list(literal_lines(literal, text)) == found


def test_a_place_at_the_end_of_a_line_belongs_to_it() -> None:
    assert list(matching_lines(lambda start: 2 if start <= 2 else -1, "ab\ncd")) == [
        (0, 2)
    ]


QUERIES = st.sampled_from(
    [
        "a",
        "A.b",
        "k",
        r"\bi",
        "s+$",
        "^$",
        "",
        r"\w\W",
        "[^a]",
        "(a|b)\\1",
        r"\.",
        "^ *#",
    ]
)

TEXTS = st.text(st.sampled_from("aAbBiksS.# \u017f\u0130\u212a\r\n"), max_size=30)


@given(QUERIES, TEXTS, st.booleans())
def test_the_whole_text_gives_the_lines_that_match_one_by_one(
    query: str, text: str, case_sensitive: bool
) -> None:
    pattern = parse_pattern(query, case_sensitive=case_sensitive)
    expected = found_by_line(query, text, case_sensitive=case_sensitive)
    spans = list(unbounded_lines(pattern)(text))
    assert [text[start:end] for start, end in spans] == expected
    if pattern.literal is not None:
        by_engine = unbounded_lines(replace(pattern, literal=None))(text)
        assert list(by_engine) == spans
    if expected:
        assert pattern.byte_test()(text.encode())


def test_bytes_without_any_text_that_a_match_needs_are_ruled_out() -> None:
    may_match = parse_pattern("(?:foo|bar)[0-9]").byte_test()
    assert [may_match(data) for data in (b"a foo", b"BAR", b"fo ba")] == [
        True,
        True,
        False,
    ]
    assert parse_pattern("[0-9]").byte_test()(b"")
