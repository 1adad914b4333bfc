r"""Plain text to look for, with or without regard to case, in time linear in the text.

Without regard to case two characters are equal when `re` says so under IGNORECASE:
when their simple lower cases are, or belong to one of the groups that share an upper
case, such as "s" and the long s, or the two small sigmas. Text is folded without
changing its length, so offsets into the folded text are offsets into the text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from re import _casefix  # type: ignore[attr-defined]

Find = Callable[[int], int]
"""Returns the offset of the first occurrence at or after an offset, -1 for none."""

_ALIKE: dict[int, tuple[int, ...]] = _casefix._EXTRA_CASES
"""Lower case characters that share an upper case, each with the others."""

_DOTTED_I = "\u0130"
"""The one character whose lower case `str.lower` writes as two."""

_UNSTABLE = frozenset("IiKkSs")
"""ASCII letters with another case outside of ASCII: the dotted capital and
the dotless small i, the Kelvin sign, the long s."""


def fold_character(character: str) -> str:
    """Return the character that stands for all which `re` takes for `character`."""
    lower = "i" if character == _DOTTED_I else character.lower()
    return chr(min(ord(lower), *_ALIKE.get(ord(lower), (ord(lower),))))


def has_stable_bytes(character: str) -> bool:
    """Return whether its UTF-8, ASCII letters lowered, is that of all its cases."""
    if character.isascii():
        return character not in _UNSTABLE
    return character.lower() == character.upper() == character


@dataclass(frozen=True)
class Literal:
    """A text to look for; `folded` looks for it in any case."""

    text: str
    folded: bool

    @cached_property
    def needle(self) -> str:
        """What is looked for in the text, or when folded in the folded text."""
        if not self.folded:
            return self.text
        return "".join(map(fold_character, self.text))

    @cached_property
    def _variants(self) -> tuple[tuple[str, str], ...]:
        """Characters that `str.lower` leaves apart from one of the needle's."""
        return tuple(
            (chr(other), character)
            for character in sorted(set(self.needle))
            for other in _ALIKE.get(ord(character), ())
        )

    def finder(self, text: str) -> Find:
        """Return the search in `text`."""
        needle, prepared = self.needle, self._fold(text) if self.folded else text
        return lambda start: prepared.find(needle, start)

    def _fold(self, text: str) -> str:
        if text.isascii():
            return text.lower()
        lowered = text.replace(_DOTTED_I, "i").lower()
        for variant, character in self._variants:
            lowered = lowered.replace(variant, character)
        return lowered

    @cached_property
    def _bytes(self) -> bytes:
        # A lone surrogate gives bytes that no valid UTF-8 holds.
        return self.needle.encode("utf-8", "surrogatepass")

    @cached_property
    def _stable_bytes(self) -> bytes:
        """UTF-8 of the longest part that is written alike in every case."""
        parts = [""]
        for character in self.needle:
            if has_stable_bytes(character):
                parts[-1] += character
            else:
                parts.append("")
        encoded = (part.encode("utf-8", "surrogatepass") for part in parts)
        return max(encoded, key=len)

    def may_be_in(self, data: bytes) -> bool:
        """Return False only if no text that is `data` in UTF-8 holds the literal."""
        if not self.folded:
            return self._bytes in data
        lowered = data.lower()
        if self._stable_bytes not in lowered:
            return False
        return self._bytes in lowered or not data.isascii()
