"""GitHub's heading anchors, made as the npm package github-slugger makes them.

A slug is the visible text of a heading in lower case, without the characters that
GitHub drops, and with hyphens for spaces. Letters, marks, decimal digits, connector
punctuation and hyphens stay; the letter-like circled and squared capitals count as
letters (Unicode's Alphabetic property). Each space becomes a hyphen of its own; a
no-break space is dropped, as every other blank is.

github-slugger 2.0.0 knows the letters of Unicode 13, GitHub itself later ones; this
module follows the running Python's `unicodedata`.
"""

from __future__ import annotations

import re
import unicodedata

_DROPPED_ASCII = re.compile(r"[^a-z0-9_\- ]+")

_LETTER_SYMBOLS = (
    range(0x24B6, 0x24EA),  # circled Latin letters
    range(0x1F130, 0x1F14A),  # squared Latin capital letters
    range(0x1F150, 0x1F16A),  # negative circled
    range(0x1F170, 0x1F18A),  # negative squared
)
"""Alphabetic characters whose general category is So; all others are L*, M* or Nl."""


def slugify(text: str) -> str:
    """Return the anchor of a heading with this visible text, repeats not numbered."""
    text = text.lower()
    if text.isascii():
        kept = _DROPPED_ASCII.sub("", text)
    else:
        kept = "".join(filter(_is_kept, text))
    return kept.replace(" ", "-")


def _is_kept(character: str) -> bool:
    category = unicodedata.category(character)
    return (
        category[0] in "LM"
        or category in {"Nd", "Nl", "Pc"}
        or character in " -"
        or any(ord(character) in symbols for symbols in _LETTER_SYMBOLS)
    )


class Slugger:
    """Makes the anchors of one document; a repeated slug gets a number, from `-1` on.

    A number is skipped when the slug that it would make is taken already, by a
    heading of that text or by another repeat.
    """

    __slots__ = ("_repeats",)

    def __init__(self) -> None:
        self._repeats: dict[str, int] = {}

    def slug(self, text: str) -> str:
        """Return the anchor of the next heading of the document."""
        base = result = slugify(text)
        while result in self._repeats:
            self._repeats[base] += 1
            result = f"{base}-{self._repeats[base]}"
        self._repeats[result] = 0
        return result
