"""Words of notes and queries, and which mean each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.find import words_match
from md_mcp.library.vocabulary import Vocabulary, query_words, words_of


@pytest.mark.parametrize(
    ("query", "words"),
    [
        pytest.param("Install the Driver", ["install", "driver"], id="English"),
        pytest.param("c\u00f3mo aislar una pared", ["aislar", "pared"], id="Spanish"),
        pytest.param("Configuraci\u00f3n", ["configuracion"], id="accents are folded"),
        pytest.param("CI for go", ["ci"], id="two letters in capitals"),
        pytest.param("ab x", [], id="too short"),
        pytest.param(
            "snake_case-word/x2y", ["snake", "case", "word", "x2y"], id="signs"
        ),
        pytest.param("install Install", ["install"], id="once each"),
        pytest.param("what is this", ["what", "this"], id="nothing but stop words"),
        pytest.param("\u540c\u6b65 sync", ["\u540c\u6b65", "sync"], id="Han runs"),
        pytest.param("API\u8bbe\u7f6e", ["api", "\u8bbe\u7f6e"], id="glued to letters"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_query_words_are_those_that_can_find_something(
    query: str, words: list[str]
) -> None:
    assert query_words(query) == words


def test_words_of_a_title_are_all_of_them() -> None:
    assert words_of("The API, v2 \u540c\u6b65\u8bbe\u7f6e") == [
        *("the", "api", "v2"),
        "\u540c\u6b65\u8bbe\u7f6e",
    ]


@pytest.mark.parametrize(
    ("word", "matches"),
    [
        ("config", {"config", "configuracion", "reconfig"}),
        ("aislar", {"aislamiento"}),
        ("map", {"roadmap"}),
        ("\u8bbe", {"\u540c\u6b65\u8bbe\u7f6e"}),
        ("nothing", set()),
    ],
)
def test_words_that_contain_each_other_or_start_alike_match(
    word: str, matches: set[str]
) -> None:
    words = ("config", "configuracion", "reconfig", "aislamiento", "roadmap", "rapid")
    vocabulary = Vocabulary((*words, "\u540c\u6b65\u8bbe\u7f6e", "ai", "ma"))
    assert vocabulary.matches(word) == matches


WORDS = st.text("ab\u540c\u6b65", min_size=1, max_size=6)


@given(st.sets(WORDS), WORDS)
def test_the_vocabulary_finds_exactly_the_words_that_match(
    words: set[str], word: str
) -> None:
    expected = {other for other in words if words_match(word, other)}
    assert Vocabulary(words).matches(word) == expected
