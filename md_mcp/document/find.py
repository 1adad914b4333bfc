"""Approximate lookup of headings: how well a query fits a title.

For reading only: an agent names a section roughly and sees what was found, while
writing needs an exact address. Case, accents and white space are folded. The rules
are tried from the best to the weakest and the first that fits gives the score. Short
queries must fit a word's start, because two or three letters stand somewhere in most
titles: "no" is not looking for "Conocimiento".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from md_mcp.document.tokens import CJK

EQUAL = 1.0
WHOLE_WORD = TITLE_CONTAINS = 0.9
WORD_START = 0.85
QUERY_CONTAINS = 0.8
CLOSE_SPELLING = 0.7
SKELETON = 0.6
SOME_WORDS, ALL_WORDS = 0.5, 0.3
"""A title that shares words with the query gets 0.5 and its share of 0.3."""

FOUND = 0.5
"""The least score of a section that counts as found."""

LEAD = 0.1
"""How far the best section must be ahead of the next to be the one that was meant."""

SHORT_QUERY = 3
"""Up to so many letters a query is matched against words, not against the title."""

_ACCENTS = re.compile("[\u0300-\u036f]")
_WHITE_SPACE = re.compile(r"\s+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD_BREAK = re.compile(r"[\s\-_/]+")
_EDGE = re.compile(r"\A[^\w+#]+|[^\w+#]+\Z")
"""Punctuation around a word; the signs of `C++` and `C#` belong to it."""
_IS_CJK = re.compile(f"[{CJK}]")
_VOWELS = frozenset("aeiou")


def fold(text: str) -> str:
    """Return `text` without case and accents, white space runs as one space."""
    return _fold_case(_fold_accents(text))


def _fold_accents(text: str) -> str:
    """Return `text` without the accents of Latin, Greek and Cyrillic letters."""
    if text.isascii():
        return text
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text))


def _fold_case(text: str) -> str:
    folded = _WHITE_SPACE.sub(" ", text.casefold()).strip(" ")
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a folded text: split at white space, `-`, `_` and `/`."""
    words = (_EDGE.sub("", word) for word in _WORD_BREAK.split(text))
    return tuple(word for word in words if word)


def words_match(one: str, other: str) -> bool:
    """Return whether one folded word contains the other or both start alike.

    Alike are four equal letters. A word of three letters must stand at an edge of the
    other, shorter ones must be equal: they occur inside of most words.
    """
    shorter, longer = sorted((one, other), key=len)
    if shorter == longer:
        return True
    if len(shorter) > SHORT_QUERY or _IS_CJK.search(shorter):
        return shorter in longer or shorter[:4] == longer[:4]
    at_edge = longer.startswith(shorter) or longer.endswith(shorter)
    return at_edge and len(shorter) == SHORT_QUERY


@dataclass(frozen=True, slots=True)
class Title:
    """A title or query, folded and split once for all comparisons."""

    folded: str
    words: tuple[str, ...]
    parts: tuple[str, ...]
    """The words with camelCase split too; their first letters are the initials."""

    @classmethod
    def of(cls, text: str) -> Title:
        """Return the title `text`."""
        plain = _fold_accents(text)
        folded = _fold_case(plain)
        parts = split_words(_fold_case(_HUMP.sub(" ", plain)))
        return cls(folded, split_words(folded), parts)

    @property
    def is_short(self) -> bool:
        """Whether it is one alphabetic word of up to three letters."""
        return (
            len(self.words) == 1
            and len(self.folded) <= SHORT_QUERY
            and not _IS_CJK.search(self.folded)
        )


def score(query: Title, title: Title) -> float:
    """Return how well `title` fits `query`: 1.0 if equal, 0.0 if not at all."""
    if not query.folded or not title.folded:
        return 0.0
    if query.folded == title.folded:
        return EQUAL
    if query.is_short:
        return _score_short(query.folded, title)
    if query.folded in title.folded:
        return TITLE_CONTAINS
    if _contains_title(query, title):
        return QUERY_CONTAINS
    if _is_close(query.folded, title.folded):
        return CLOSE_SPELLING
    return _score_words(query.words, title.words)


def _score_short(query: str, title: Title) -> float:
    words = {*title.words, *title.parts}
    if query in words:
        return WHOLE_WORD
    if len(query) == 1:
        return 0.0
    initials = "".join(part[0] for part in title.parts)
    if query == initials or any(word.startswith(query) for word in words):
        return WORD_START
    return SKELETON if any(_is_skeleton(query, word) for word in words) else 0.0


def _is_skeleton(query: str, word: str) -> bool:
    """Return whether `query` is the word's first letter and later consonants of it."""
    if word[0] != query[0] or not _VOWELS.isdisjoint(query[1:]):
        return False
    rest = iter(word[1:])
    return all(letter in rest for letter in query[1:])


def _contains_title(query: Title, title: Title) -> bool:
    """Return whether the query holds the title; a short title as whole words."""
    if not title.is_short:
        return title.folded in query.folded
    return title.folded in query.words


def _is_close(query: str, title: str) -> bool:
    shorter, longer = sorted((len(query), len(title)))
    if 2 * shorter < CLOSE_RATIO * (shorter + longer):
        return False
    return spelling_ratio(query, title) >= CLOSE_RATIO


CLOSE_RATIO = 0.8


def spelling_ratio(one: str, other: str) -> float:
    """Return how alike two strings are spelled, from 0 to 1, as `difflib` counts."""
    from difflib import SequenceMatcher  # slow to import, rarely needed

    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _score_words(query: Sequence[str], title: Sequence[str]) -> float:
    most = max(len(query), len(title))
    if most < 2:
        return 0.0
    matched = sum(any(words_match(word, other) for other in title) for word in query)
    return SOME_WORDS + ALL_WORDS * matched / most if matched else 0.0


def rank(query: str, titles: Sequence[str]) -> list[tuple[float, int]]:
    """Return score and index of each title that fits, best first, then in order."""
    wanted = Title.of(query)
    scores = ((score(wanted, Title.of(title)), at) for at, title in enumerate(titles))
    return sorted((hit for hit in scores if hit[0] >= FOUND), key=lambda hit: -hit[0])


def is_clear(ranked: Sequence[tuple[float, int]]) -> bool:
    """Return whether the first of `ranked` is the one that was meant.

    Scores are compared in hundredths: 1.0 - 0.9 is less than 0.1 as a float.
    """
    if len(ranked) < 2:
        return bool(ranked)
    return round(100 * (ranked[0][0] - ranked[1][0])) >= round(100 * LEAD)


def closest(query: str, titles: Sequence[str], count: int = 3) -> list[int]:
    """Return the indices of the `count` titles spelled most like `query`."""
    wanted = fold(query)
    ratios = [spelling_ratio(wanted, fold(title)) for title in titles]
    best_first = sorted(range(len(titles)), key=lambda at: -ratios[at])
    return best_first[:count]
