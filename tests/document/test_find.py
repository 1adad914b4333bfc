"""Scores of titles against approximate queries."""

import pytest

from md_mcp.document.find import (
    Title,
    closest,
    fold,
    is_clear,
    rank,
    score,
    split_words,
    words_match,
)

TITLES = ("Introduction", "API Layer", "Deployment", "Database Design", "Roadmap")


@pytest.mark.parametrize(
    ("query", "title", "expected"),
    [
        pytest.param("Setup", "setup", 1.0, id="case is folded"),
        pytest.param("instalacion", "Instalación", 1.0, id="accents are folded"),
        pytest.param("road  map", " Road\u00a0Map ", 1.0, id="white space is folded"),
        pytest.param(
            "\uff21\uff30\uff29", "API", 1.0, id="full-width letters are folded"
        ),
        pytest.param("API", "API Layer", 0.9, id="three letters equal a word"),
        pytest.param("api", "RestAPI", 0.9, id="or a part of a camelCase word"),
        pytest.param("ios", "iOS guide", 0.9, id="or a word that camelCase would cut"),
        pytest.param("c++", "The C++ API", 0.9, id="signs belong to a word"),
        pytest.param("api", "The (API):", 0.9, id="punctuation around it does not"),
        pytest.param("c", "The C API", 0.9, id="one letter can be a whole word"),
        pytest.param("c", "Configuration", 0.0, id="one letter starts too much"),
        pytest.param("dep", "Deployment", 0.85, id="three letters start a word"),
        pytest.param("dd", "Database Design", 0.85, id="two letters are the initials"),
        pytest.param("rmp", "road-map_plan", 0.85, id="initials split at - and _"),
        pytest.param("io", "Input/Output", 0.85, id="initials split at /"),
        pytest.param("js", "JavaScript", 0.85, id="initials split camelCase"),
        pytest.param("db", "Database", 0.6, id="consonants from the first letter"),
        pytest.param("cfg", "Configuration", 0.6, id="three consonants in order"),
        pytest.param("bd", "Database", 0.0, id="consonants out of order"),
        pytest.param("no", "Conocimiento", 0.0, id="no letters inside of a word"),
        pytest.param("api", "Rapid start", 0.0, id="no three letters inside either"),
        pytest.param("de", "Database", 0.0, id="a vowel is no consonant"),
        pytest.param("database", "Database Design", 0.9, id="the title contains it"),
        pytest.param("ploy", "Deployment", 0.9, id="four letters inside a word"),
        pytest.param("the deployment steps", "Deployment", 0.8, id="it contains it"),
        pytest.param("the api layer", "API", 0.8, id="it contains a short title"),
        pytest.param("rapid starts", "API", 0.0, id="not inside of its words"),
        pytest.param("instalation", "Installation", 0.7, id="close spelling"),
        pytest.param("confgiuration", "Configuration", 0.7, id="swapped letters"),
        pytest.param("insane", "Install", 0.0, id="spelling too far apart"),
        pytest.param("road map plan", "Roadmap", 0.7, id="two of three words"),
        pytest.param("install guide", "Guide to install", 0.7, id="words reordered"),
        pytest.param("guide install", "Install guide", 0.8, id="all words reordered"),
        pytest.param("deploys it", "Deployment", 0.65, id="a prefix of four letters"),
        pytest.param("a plan", "Another story", 0.0, id="no word in common"),
        pytest.param("部署", "部署指南", 0.9, id="two Han characters start a title"),
        pytest.param("指南", "部署指南", 0.9, id="or stand inside it"),
        pytest.param("データ", "大きなデータ型", 0.9, id="so do kana"),
        pytest.param("库", "数据库", 0.9, id="or one"),
        pytest.param("数据库的设计", "数据库", 0.8, id="a query holds a Han title"),
        pytest.param("部署", "数据库", 0.0, id="other Han characters"),
        pytest.param("が", "か", 0.0, id="a voiced kana is another letter"),
        pytest.param("", "Setup", 0.0, id="an empty query fits nothing"),
        pytest.param("setup", "", 0.0, id="an empty title fits nothing"),
    ],
)
def test_the_first_rule_that_fits_gives_the_score(
    query: str, title: str, expected: float
) -> None:
    assert score(Title.of(query), Title.of(title)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("db", "Database Design"),
        ("API", "API Layer"),
        ("deploy", "Deployment"),
        ("database", "Database Design"),
        ("road map plan", "Roadmap"),
    ],
)
def test_a_rough_query_finds_the_one_section(query: str, title: str) -> None:
    ranked = rank(query, TITLES)
    assert TITLES[ranked[0][1]] == title
    assert is_clear(ranked)


def test_no_finds_nothing_in_conocimiento() -> None:
    assert rank("no", ["Conocimiento", "Diagnóstico"]) == []


def test_equal_titles_are_ranked_in_file_order_and_not_clear() -> None:
    ranked = rank("setup", ["Usage", "Setup", "Setup"])
    assert ranked == [(1.0, 1), (1.0, 2)]
    assert not is_clear(ranked)


def test_an_equal_title_is_clear_of_one_that_contains_the_query() -> None:
    ranked = rank("database", ["Database Design", "Database"])
    assert ranked == [(1.0, 1), (0.9, 0)]
    assert is_clear(ranked)


def test_nothing_is_not_clear() -> None:
    assert not is_clear([])


def test_the_closest_titles_come_best_first() -> None:
    assert [TITLES[at] for at in closest("deplyo", TITLES, 2)] == [
        "Deployment",
        "Roadmap",
    ]


@pytest.mark.parametrize(
    ("one", "other", "match"),
    [
        pytest.param("aislar", "aislamiento", True, id="a prefix of four"),
        pytest.param("config", "configuracion", True, id="one contains the other"),
        pytest.param("map", "roadmap", True, id="three letters at the end"),
        pytest.param("api", "rapid", False, id="three letters inside"),
        pytest.param("ai", "aislar", False, id="two letters inside"),
        pytest.param("ai", "ai", True, id="two equal letters"),
        pytest.param("plan", "planet", True, id="a start"),
        pytest.param("plan", "play", False, id="a prefix of three"),
        pytest.param("数据", "数据库", True, id="a Han run inside another"),
    ],
)
def test_words_match(one: str, other: str, match: bool) -> None:
    assert words_match(one, other) is match
    assert words_match(other, one) is match


def test_fold_keeps_signs_and_marks_that_are_letters() -> None:
    assert fold("Ünï  C++ ガイド 한국") == "uni c++ ガイド 한국"


def test_words_are_split_at_space_hyphen_underscore_and_slash() -> None:
    assert split_words("a-b_c/d (e): f") == ("a", "b", "c", "d", "e", "f")
