"""The text model: spans, lines and line endings, and the only code that splits lines.

A document is its text, byte for byte decoded; lines with their endings, joined, are the
text. A line ends at a line feed, and a carriage return right before it belongs to the
ending. A text with lone carriage returns and no line feed at all is an old-Mac file,
in which a carriage return ends a line. Nothing else ends a line: form feed, U+0085,
U+2028 and the like are ordinary characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BOM = "\ufeff"

BLANK = " \t"
"""The characters of a blank line. `strip()` without an argument takes more."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code-point offsets into a text: `0 <= start <= end`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """Return the slice of `text` that the span covers."""
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        """Return whether `other` lies inside, borders included."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its 1-based number, its span with the ending, and the ending."""

    number: int
    span: Span
    ending: str


def line_separator(text: str) -> str:
    r"""Return the character that ends lines: "\n", or "\r" in old-Mac files."""
    return "\r" if "\n" not in text and "\r" in text else "\n"


def split_ending(line: str, separator: str = "\n") -> tuple[str, str]:
    r"""Return the content and the ending of one line; the ending may be "".

    `separator` is what ends lines in the text that the line comes from.
    """
    if not line.endswith(separator):
        return line, ""
    if separator == "\n" and line.endswith("\r\n"):
        return line[:-2], "\r\n"
    return line[:-1], separator


def split_lines(text: str, separator: str = "") -> list[str]:
    """Return the lines with their endings; joined, they are `text`.

    `separator` overrides what ends a line, for pieces of a larger text.
    """
    separator = separator or line_separator(text)
    pieces = text.split(separator)
    last = pieces.pop()
    lines = [piece + separator for piece in pieces]
    return [*lines, last] if last else lines


def iter_lines(text: str) -> Iterator[Line]:
    """Yield the lines of `text` in order, the last one with or without an ending."""
    separator = line_separator(text)
    start = 0
    for number, line in enumerate(split_lines(text, separator), 1):
        end = start + len(line)
        yield Line(number, Span(start, end), split_ending(line, separator)[1])
        start = end


def dominant_ending(text: str) -> str:
    r"""Return the ending of most lines; on a tie the first one; "\n" if none."""
    if line_separator(text) == "\r":
        return "\r"
    feeds = text.count("\n")
    pairs = text.count("\r\n")
    if 2 * pairs != feeds:
        return "\r\n" if 2 * pairs > feeds else "\n"
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def line_start(text: str, offset: int, separator: str) -> int:
    """Return where the line that holds `offset` starts."""
    return text.rfind(separator, 0, offset) + 1


def line_end(text: str, offset: int, separator: str) -> int:
    """Return where the line that holds `offset` ends, its ending included."""
    found = text.find(separator, offset)
    return len(text) if found < 0 else found + 1


def is_blank(line: str, separator: str = "\n") -> bool:
    """Return whether `line`, with or without an ending, holds only spaces and tabs."""
    return not split_ending(line, separator)[0].strip(BLANK)


def with_ending(text: str, ending: str, *, old_mac: bool = False) -> str:
    r"""Return `text` with each line ending written as `ending`.

    "\r\n" and "\n" are endings; a lone "\r" is one only with `old_mac`, elsewhere it
    is an ordinary character.
    """
    pattern = r"\r\n|\n|\r" if old_mac else r"\r?\n"
    return re.sub(pattern, lambda _: ending, text)


class LineNumbers:
    """Line numbers by offset: line endings counted up to every 4,096th character.

    The counts are made as far as somebody asks, so that the number of one line costs a
    count and no list of all lines.
    """

    __slots__ = ("_counts", "_separator", "_text")

    _STEP = 4096

    def __init__(self, text: str) -> None:
        self._text = text
        self._separator = line_separator(text)
        self._counts = [0]

    @property
    def starts(self) -> list[int]:
        """Offsets at which the lines start, ascending; never empty."""
        separator = re.compile(re.escape(self._separator))
        return [0, *(match.end() for match in separator.finditer(self._text))]

    def line(self, offset: int) -> int:
        """Return the 1-based number of the line that holds `offset`."""
        step, counts = self._STEP, self._counts
        for start in range((len(counts) - 1) * step, offset - step + 1, step):
            more = self._text.count(self._separator, start, start + step)
            counts.append(counts[-1] + more)
        index = offset // step
        return (
            1 + counts[index] + self._text.count(self._separator, index * step, offset)
        )
