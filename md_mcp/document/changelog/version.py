"""Version numbers and their order.

Read are semantic versions (https://semver.org/spec/v2.0.0.html), shorter and longer
ones, those of calendars, and Python's pre-releases such as `1.0rc1`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_VERSION = re.compile(
    r"[0-9]{1,18}(?:\.[0-9]{1,18}){0,9}"
    r"(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*"  # a semantic version's pre-release
    r"|[._]?(?:alpha|beta|preview|pre|post|dev|rc|a|b|c)[._-]?[0-9]{0,18})?"
    r"(?:\+[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?"
    r"(?![0-9A-Za-z]|\.[0-9])",
    re.ASCII | re.IGNORECASE,
)

_PARTS = re.compile(
    r"(?P<numbers>[0-9]+(?:\.[0-9]+)*)"
    r"(?:-(?P<semantic>[^+]+)|[._]?(?P<stage>[A-Za-z]+)[._-]?(?P<serial>[0-9]*))?"
    r"(?:\+.*)?"
)

_STAGES = {
    "dev": 0,
    "a": 1,
    "alpha": 1,
    "b": 2,
    "beta": 2,
    "c": 3,
    "rc": 3,
    "pre": 3,
    "preview": 3,
    "post": 5,
}

_FINAL = 4
"""Between the stages before a release and the corrections after it."""

Identifier = tuple[int, int, str]
"""A number is `(0, n, "")`, a word `(1, 0, word)`: numbers come first."""


class Version(NamedTuple):
    """A version as it is written, without a leading `v`."""

    text: str

    @property
    def key(self) -> tuple[tuple[int, ...], int, tuple[Identifier, ...]]:
        """What versions are sorted by; equal for spellings of the same version."""
        parts = _PARTS.fullmatch(self.text)
        if parts is None:
            raise ValueError(f"not a version: {self.text!r}")
        numbers = [int(number) for number in parts["numbers"].split(".")]
        while numbers and not numbers[-1]:
            numbers.pop()
        if parts["semantic"]:
            words = parts["semantic"].casefold().split(".")
            return tuple(numbers), _FINAL - 1, tuple(map(_identifier, words))
        stage = _STAGES[parts["stage"].casefold()] if parts["stage"] else _FINAL
        serial = (0, int(parts["serial"] or 0), "")
        return tuple(numbers), stage, (serial,)


def scan_version(text: str, start: int) -> Version | None:
    """Return the version that stands in `text` at `start`."""
    match = _VERSION.match(text, start)
    return Version(match[0]) if match else None


def find_version(text: str) -> Version | None:
    """Return the version that `text` is, with or without a leading `v`, or None."""
    bare = text[1:] if text[:1] in {"v", "V"} else text
    return Version(bare) if _VERSION.fullmatch(bare) else None


def _identifier(word: str) -> Identifier:
    """Return the rank of a pre-release identifier.

    https://semver.org/spec/v2.0.0.html#spec-item-11
    """
    return (0, int(word), "") if word.isdigit() and len(word) < 19 else (1, 0, word)
