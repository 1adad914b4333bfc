"""Delimiter runs: which characters of `*`, `_` and `~` are emphasis and which are text.

The algorithm at the end of the CommonMark specification, reduced to what the text of a
heading needs: how many characters of each run are left over.
https://spec.commonmark.org/0.31.2/#phase-2-inline-structure

Strikethrough follows cmark-gfm, which GitHub runs: a run of one or two tildes that
finds one of the same length, and tildes beside a run of `*` or `_` are looked through
when its flanks are judged.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

_WHITE_SPACE = " \t\n\r\f"


@dataclass(slots=True)
class DelimiterRun:
    """A run of one delimiter character.

    Attributes:
        character: "*", "_" or "~".
        length: characters of the run.
        can_open: whether it can open emphasis.
        can_close: whether it can close emphasis.
        left: characters that are text, as far as matched; at first all.
    """

    character: str
    length: int
    can_open: bool
    can_close: bool
    left: int = 0

    def __post_init__(self) -> None:
        self.left = self.length

    def may_open_for(self, closer: DelimiterRun) -> bool:
        """Return whether rules 9 and 10 of emphasis let `closer` end what this opens.

        https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis
        """
        if self.character != closer.character:
            return False
        if not self.can_close and not closer.can_open:
            return True
        return closer.length % 3 == 0 or (self.length + closer.length) % 3 != 0


def scan_delimiter_run(source: str, start: int, end: int) -> DelimiterRun:
    """Return the run that `source` holds from `start` to `end`.

    https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
    """
    character, length = source[start], end - start
    before, after = _neighbours(source, start, end)
    before_blank, before_punctuation = _is_blank(before), _is_punctuation(before)
    after_blank, after_punctuation = _is_blank(after), _is_punctuation(after)
    left = not after_blank and (
        not after_punctuation or before_blank or before_punctuation
    )
    right = not before_blank and (
        not before_punctuation or after_blank or after_punctuation
    )
    if character == "_":
        can_open = left and (not right or before_punctuation)
        can_close = right and (not left or after_punctuation)
        return DelimiterRun(character, length, can_open, can_close)
    matters = character == "*" or length <= 2
    return DelimiterRun(character, length, left and matters, right and matters)


def _neighbours(source: str, start: int, end: int) -> tuple[str, str]:
    """Return the characters on both sides; a line's begin and end count as blank."""
    if source[start] != "~":
        while start and source[start - 1] == "~":
            start -= 1
        while source.startswith("~", end):
            end += 1
    return source[start - 1 : start] or " ", source[end : end + 1] or " "


def _is_blank(character: str) -> bool:
    return character in _WHITE_SPACE or unicodedata.category(character) == "Zs"


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def match_delimiter_runs(runs: Sequence[DelimiterRun]) -> None:
    """Match openers and closers and lower `left` of each run accordingly.

    Linear, since a search for an opener either takes away what it passes, or is not
    repeated over the same runs for closers of the same kind.
    """
    openers: list[_Opener] = []
    searched: dict[tuple[str, bool, int], int] = {}
    for order, run in enumerate(runs):
        if run.can_close:
            kind = run.character, run.can_open, run.length % 3
            if _close(openers, run, searched.get(kind, 0)):
                continue
            searched[kind] = order
        if run.can_open:
            openers.append(_Opener(order, run))


class _Opener(NamedTuple):
    order: int
    run: DelimiterRun


def _close(openers: list[_Opener], closer: DelimiterRun, first: int) -> bool:
    """Match `closer` with openers from order `first` on, as long as it has characters.

    Returns whether it is done; otherwise there is no opener left for it.
    """
    while closer.left:
        index = _find_opener(openers, closer, first)
        if index < 0:
            return False
        opener = openers[index].run
        if closer.character == "~":
            # Tildes of another number end the search as well, and stay text.
            if opener.length == closer.length:
                opener.left = closer.left = 0
            del openers[index:]
            return True
        used = 2 if opener.left >= 2 and closer.left >= 2 else 1
        opener.left -= used
        closer.left -= used
        del openers[index + bool(opener.left) :]
    return True


def _find_opener(openers: Sequence[_Opener], closer: DelimiterRun, first: int) -> int:
    """Return the index of the nearest opener from order `first` on, or -1."""
    for index in range(len(openers) - 1, -1, -1):
        if openers[index].order < first:
            break
        if openers[index].run.may_open_for(closer):
            return index
    return -1
