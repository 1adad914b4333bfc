"""A heading as a place in its text: what it says is cut out when somebody asks."""

from __future__ import annotations

from typing import Literal

from md_mcp.document.inline import visible_text
from md_mcp.document.text import (
    BLANK,
    LineNumbers,
    Span,
    line_separator,
    split_ending,
    split_lines,
)

HeadingStyle = Literal["atx", "setext"]


class HeadingSource:
    """What the headings of one text share: the text and the numbers of its lines."""

    __slots__ = ("lines", "separator", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.separator = line_separator(text)
        self.lines = LineNumbers(text)


class Heading:
    """An ATX or setext heading that is a direct child of the document.

    Scanning makes one of these for each heading, so it holds offsets only.

    Attributes:
        level: 1 to 6.
        style: "atx" or "setext".
    """

    __slots__ = ("_end", "_source", "_start", "level", "style")

    def __init__(
        self,
        source: HeadingSource,
        start: int,
        end: int,
        level: int,
        style: HeadingStyle,
    ) -> None:
        self._source = source
        self._start = start
        self._end = end
        self.level = level
        self.style = style

    def __repr__(self) -> str:
        return f"<Heading {self.line}: {'#' * self.level} {self.raw!r}>"

    @property
    def span(self) -> Span:
        """The heading's lines with their endings, a setext underline included."""
        return Span(self._start, self._end)

    @property
    def line(self) -> int:
        """The 1-based number of its first line in the file."""
        return self._source.lines.line(self._start)

    @property
    def raw(self) -> str:
        r"""The inline source, without markers and outer blanks.

        The text lines of a setext heading are joined with "\n".
        """
        source = self._source
        text = source.text[self._start : self._end]
        if self.style == "atx":
            # A carriage return that is no part of an ending is text, also at the end.
            return _atx_text(split_ending(text, source.separator)[0].strip(BLANK))
        lines = [
            split_ending(line, source.separator)[0].strip(BLANK)
            for line in split_lines(text, source.separator)
        ]
        return "\n".join(lines[:-1])

    @property
    def text(self) -> str:
        """What a reader sees of the heading."""
        return visible_text(self.raw)


def _atx_text(line: str) -> str:
    """Return what stands between the opening and the closing sequence of `#`.

    https://spec.commonmark.org/0.31.2/#atx-headings
    """
    content = line.lstrip("#").lstrip(BLANK)
    unclosed = content.rstrip("#")
    # A closing sequence stands alone or after a blank; otherwise its # are text.
    return content if unclosed and unclosed[-1] not in BLANK else unclosed.rstrip(BLANK)
