"""Words by which notes can be found, and which of them a word of a query means.

Words are folded as titles are. Runs of CJK characters are kept whole, since nothing
tells where a word ends in them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property

from md_mcp.document.find import fold, words_match
from md_mcp.document.tokens import CJK

_WORD = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")

_IS_CJK = re.compile(f"[{CJK}]")

_MIN_LENGTH = 3
"""Letters of a query's word; two where it is written in capitals, such as "CI"."""

_MAX_LENGTH = 64
"""Letters of a word that count: no heading needs more, and the rest costs time."""

_ENGLISH = """
    about after all also and any are because been before but can could did does doing
    done during each for from get got had has have her here hers him his how into its
    just like made make many may more most much must not now off one only other our
    out over own same she should some such than that the their them then there these
    they this those through too under until use used using very was were what when
    where which while who whom why will with would you your
"""

_SPANISH = """
    algo alguna alguno algunas algunos ante antes aquel aquella aqui asi aun aunque
    cada casi como con contra cual cuales cuando cuanto cuya cuyo del desde donde dos
    ella ellas ellos entonces entre era eran ese esa eso esas esos esta estan estas
    este esto estos fue fueron hace hacen hacer hacia hasta hay las les los mas menos
    mientras mis mucha mucho muy nada nos nosotros nuestra nuestro otra otro otras
    otros para pero poco por porque pues que quien quienes segun ser sera sido sin
    sobre solo son sus tal tambien tan tanto tener tiene tienen toda todas todo todos
    tras una unas uno unos usar usted
"""

STOP_WORDS = frozenset((_ENGLISH + _SPANISH).split())
"""Words that say nothing about a note, folded."""


def words_of(text: str) -> list[str]:
    """Return the words of a heading, tag or file name, folded, in order."""
    return [word[:_MAX_LENGTH] for word in _WORD.findall(fold(text))]


def query_words(query: str) -> list[str]:
    """Return the distinct words of a query that can find something, folded.

    Stop words count only where there is nothing else.
    """
    found: dict[str, None] = {}
    for written in _WORD.findall(query):
        for word in words_of(written):
            if _is_telling(word, written):
                found[word] = None
    telling = [word for word in found if word not in STOP_WORDS]
    return telling or list(found)


def _is_telling(word: str, written: str) -> bool:
    if len(word) >= _MIN_LENGTH or _IS_CJK.match(word):
        return True
    return len(word) == _MIN_LENGTH - 1 and written.isupper()


class Vocabulary:
    """Distinct words, looked through for those that a word of a query means."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = sorted(words)

    @cached_property
    def _joined(self) -> str:
        return "\n".join(("", *self._words, ""))

    @cached_property
    def _starts(self) -> list[int]:
        starts, position = [], 1
        for word in self._words:
            starts.append(position)
            position += len(word) + 1
        return starts

    def matches(self, word: str) -> set[str]:
        """Return the words that match `word`; see `words_match`."""
        near = {*self._containing(word), *self._starting(word[:4]), *_parts(word)}
        return {
            other for other in near if self._has(other) and words_match(word, other)
        }

    def _has(self, word: str) -> bool:
        place = bisect_left(self._words, word)
        return place < len(self._words) and self._words[place] == word

    def _containing(self, word: str) -> Iterator[str]:
        position = self._joined.find(word)
        while position >= 0:
            place = bisect_right(self._starts, position) - 1
            found = self._words[place]
            yield found
            position = self._joined.find(word, self._starts[place] + len(found))

    def _starting(self, start: str) -> Iterator[str]:
        for place in range(bisect_left(self._words, start), len(self._words)):
            if not self._words[place].startswith(start):
                break
            yield self._words[place]


def _parts(word: str) -> Iterator[str]:
    """Yield what could be contained in `word`."""
    for start in range(len(word)):
        for end in range(start + 1, len(word) + 1):
            yield word[start:end]
