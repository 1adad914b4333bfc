from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.literal import Literal, fold_character, has_stable_bytes

CHARACTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]

CASED = "".join(
    character
    for character in CHARACTERS
    if {character.lower(), character.upper(), character.title()} != {character}
)

ODD = "iI\u0130\u0131kK\u212asS\u017f\u03c3\u03c2\u03a3\u00b5\u03bc\u00df\u1e9e\u0345\u03b9"

TEXTS = st.text(st.sampled_from(ODD + "aAé\u0301 .\n\U00010428\U00010400"), max_size=12)


def occurrences(literal: Literal, text: str) -> list[int]:
    find, found = literal.finder(text), []
    start = find(0)
    while start >= 0:
        found.append(start)
        start = find(start + 1)
    return found


def test_characters_fold_together_exactly_when_re_takes_them_for_one() -> None:
    alike: dict[str, set[str]] = {}
    for character in CASED:
        alike.setdefault(fold_character(character), set()).add(character)
    for character in CASED:
        found = re.findall(f"(?i){re.escape(character)}", CASED)
        assert set(found) == alike[fold_character(character)], hex(ord(character))


def test_only_one_character_has_a_lower_case_of_another_length() -> None:
    assert [c for c in CHARACTERS if len(c.lower()) != 1] == ["\u0130"]


def test_characters_without_case_fold_to_themselves() -> None:
    uncased = set(CHARACTERS).difference(CASED)
    assert [c for c in uncased if fold_character(c) != c] == []


def test_stable_bytes_are_those_of_every_case() -> None:
    alike: dict[str, set[bytes]] = {}
    for character in CASED:
        folded = alike.setdefault(fold_character(character), set())
        folded.add(character.encode().lower())
    unstable = [c for c in CASED if len(alike[fold_character(c)]) > 1]
    assert [c for c in unstable if has_stable_bytes(c)] == []


@pytest.mark.parametrize(
    ("text", "looked_for", "found"),
    [
        pytest.param("one TWO two", "two", [4, 8], id="every case is found"),
        pytest.param("aaaa", "aa", [0, 1, 2], id="places may overlap"),
        pytest.param("a.c abc", "a.c", [0], id="a full stop is a full stop"),
        pytest.param("\u0130x x", "x", [1, 3], id="dotted capital i moves no offset"),
        pytest.param("\u039f\u03a3 \u03bf\u03c2", "\u03bf\u03c3", [0, 3], id="sigmas"),
        pytest.param("stra\u00dfe STRASSE", "strasse", [7], id="sharp s is not ss"),
        pytest.param("", "a", [], id="nothing in nothing"),
        pytest.param("ab", "", [0, 1, 2], id="the empty text stands everywhere"),
        pytest.param("a\x00b", "\x00B", [1], id="NUL is a character"),
    ],
)
def test_folded_text_is_found_in_every_case(
    text: str, looked_for: str, found: list[int]
) -> None:
    assert occurrences(Literal(looked_for, folded=True), text) == found


@given(TEXTS, TEXTS.filter(bool), st.booleans())
def test_a_literal_is_found_where_re_finds_it(
    text: str, looked_for: str, folded: bool
) -> None:
    flags = re.IGNORECASE if folded else 0
    ahead = re.compile(f"(?={re.escape(looked_for)})", flags)
    expected = [match.start() for match in ahead.finditer(text)]
    assert occurrences(Literal(looked_for, folded), text) == expected


@given(TEXTS, TEXTS, TEXTS, st.booleans())
def test_bytes_that_hold_the_literal_are_never_ruled_out(
    before: str, looked_for: str, after: str, folded: bool
) -> None:
    literal = Literal(looked_for, folded)
    for variant in (looked_for, looked_for.swapcase()):
        text = before + variant + after
        if occurrences(literal, text):
            assert literal.may_be_in(text.encode())


@pytest.mark.parametrize(
    ("data", "looked_for", "folded"),
    [
        pytest.param(b"Needle", "needle", False, id="another case"),
        pytest.param(b"only ASCII", "kiss", True, id="letters with cases elsewhere"),
        pytest.param("déjà".encode(), "vu", True, id="no part in the bytes"),
        pytest.param(b"\xed\xa0\x80", "\ud801", False, id="a lone surrogate"),
    ],
)
def test_bytes_without_the_literal_are_ruled_out(
    data: bytes, looked_for: str, folded: bool
) -> None:
    assert not Literal(looked_for, folded).may_be_in(data)
