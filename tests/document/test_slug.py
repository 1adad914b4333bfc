"""Heading anchors, compared by hand with what github-slugger 2.0.0 makes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.slug import Slugger, slugify


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("Getting Started", "getting-started", id="lower case, hyphen"),
        pytest.param("a  b", "a--b", id="each space is a hyphen"),
        pytest.param(" a ", "-a-", id="outer spaces too"),
        pytest.param("a\tb\u00a0c\u3000d\u2028e", "abcde", id="other blanks go"),
        pytest.param("snake_case - kebab-case", "snake_case---kebab-case", id="_ -"),
        pytest.param("v1.2.3 (beta)!", "v123-beta", id="punctuation goes"),
        pytest.param("C++ & C#", "c--c", id="symbols go"),
        pytest.param("naïve Ñandú", "naïve-ñandú", id="accents stay"),
        pytest.param("e\u0301", "e\u0301", id="combining marks stay"),
        pytest.param("数据库 設計", "数据库-設計", id="Han"),
        pytest.param(
            "\uff21\uff30\uff29\uff08\uff11\uff09",
            "\uff41\uff50\uff49\uff11",
            id="full-width letters and digits stay, parentheses go",
        ),
        pytest.param("한국어・日本語", "한국어日本語", id="Hangul and kana"),
        pytest.param("हिन्दी", "हिन्दी", id="vowel signs and virama"),
        pytest.param("🎉 New", "-new", id="emoji go, their space stays"),
        pytest.param("❤\ufe0f x", "\ufe0f-x", id="a variation selector is a mark"),
        pytest.param("👩\u200d👧", "", id="a zero-width joiner goes"),
        pytest.param("x² ½ Ⅷ ٣", "x--ⅷ-٣", id="letter and decimal numbers only"),
        pytest.param("Ⓐ 🄰", "ⓐ-🄰", id="circled and squared letters"),
        pytest.param("a‿b⁀c", "a‿b⁀c", id="connector punctuation"),
        pytest.param("ΟΔΟΣ İ ẞ", "οδος-i̇-ß", id="special lower cases"),
        pytest.param("«quoted» — dash", "quoted--dash", id="quotes and dashes go"),
    ],
)
def test_a_slug_keeps_letters_marks_digits_and_connectors(text: str, slug: str) -> None:
    assert slugify(text) == slug


@pytest.mark.parametrize(
    ("texts", "slugs"),
    [
        pytest.param(["a", "a", "a"], ["a", "a-1", "a-2"], id="repeats are numbered"),
        pytest.param(["A!", "a?"], ["a", "a-1"], id="equal slugs repeat, not texts"),
        pytest.param(["a", "a", "a-1"], ["a", "a-1", "a-1-1"], id="a number is taken"),
        pytest.param(["a-1", "a", "a"], ["a-1", "a", "a-2"], id="and taken before"),
        pytest.param(
            ["a", "a", "a-1", "a-1", "a"],
            ["a", "a-1", "a-1-1", "a-1-2", "a-2"],
            id="each slug counts its own repeats",
        ),
        pytest.param(["!", "?"], ["", "-1"], id="empty slugs repeat too"),
    ],
)
def test_repeats_in_one_document_are_numbered(
    texts: list[str], slugs: list[str]
) -> None:
    slugger = Slugger()
    assert [slugger.slug(text) for text in texts] == slugs


def test_documents_do_not_share_their_numbers() -> None:
    assert (Slugger().slug("a"), Slugger().slug("a")) == ("a", "a")


@given(st.lists(st.sampled_from(["a", "A", "a 1", "a-1", "a-1-1", "b", "!", "-1"])))
def test_the_anchors_of_one_document_are_all_different(texts: list[str]) -> None:
    slugger = Slugger()
    slugs = [slugger.slug(text) for text in texts]
    assert len(set(slugs)) == len(slugs)


@given(st.text())
def test_a_slug_is_stable_and_holds_no_spaces(text: str) -> None:
    slug = slugify(text)
    assert " " not in slug
    assert slugify(slug) == slug
