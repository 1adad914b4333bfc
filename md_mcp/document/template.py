"""Template actions: `{{ … }}` as Go templates, Helm charts and chezmoi files hold them.

An action runs from `{{` to its `}}`, over at most `MAX_ACTION_LINES` lines counting
both ends, none of them blank; otherwise the `{{` is plain text. Double-quoted strings
(of one line), back-quoted strings and `{{/* … */}}` comments may hold a `}}`. Where the
quoting leaves no end, the first `}}` is the end. Single quotes do not quote.

Nothing is evaluated here: an action matters only because the lines after its first one
are text, whatever they look like.
"""

from __future__ import annotations

import re
from functools import cache

MAX_ACTION_LINES = 20
"""Lines an action may touch, its first and its last one included."""

_COMMENT_OPENING = re.compile(r"\{\{(?:-[ \t\r\n]*)?/\*")

_NOT_CLOSED_ON_ITS_LINE = re.compile(r'\{\{(?![^{}"`\r\n]{0,200}\}\})')
"""A `{{` that may run over its line; the bound keeps a flood of them linear."""


def find_action_end(text: str, start: int, separator: str = "\n") -> int | None:
    """Return the offset after the `}}` of the action whose `{{` stands at `start`.

    None means that the `{{` is plain text. `separator` is what ends lines in `text`.
    To ask about many actions of one text, keep a `TemplateActions`.
    """
    return TemplateActions(text, separator).end(start)


class TemplateActions:
    """The actions of one text, asked for in file order.

    Each run of non-blank lines is read once, so that no flood of braces and quotes
    costs more than linear time.
    """

    __slots__ = ("_ends", "_read_to", "_separator", "_text")

    def __init__(self, text: str, separator: str = "\n") -> None:
        self._text = text
        self._separator = separator
        self._read_to = -1
        self._ends: dict[int, int] = {}

    def end(self, start: int) -> int | None:
        """Return the end of the action whose `{{` stands at `start`, if it is one."""
        if start >= self._read_to:
            blank = _blank_line(self._separator).search(self._text, start)
            self._read_to = blank.start() + 1 if blank else len(self._text) + 1
            self._ends = _action_ends(
                self._text, start, self._read_to - 1, self._separator
            )
        return self._ends.get(start)

    def find_open(self, position: int) -> tuple[int, int] | None:
        """Return start and end of the first action that runs over a line ending.

        It starts at `position`, which lies outside any action, or later.
        """
        start = position
        while match := _NOT_CLOSED_ON_ITS_LINE.search(self._text, start):
            start = match.start()
            end = self.end(start)
            if end is None:
                start += 1
            elif self._text.find(self._separator, start, end) < 0:
                start = end
            else:
                return start, end
        return None


@cache
def _blank_line(separator: str) -> re.Pattern[str]:
    return re.compile(rf"{separator}(?=[ \t]*\r?{separator}|[ \t]*\Z)")


@cache
def _token(separator: str) -> re.Pattern[str]:
    return re.compile(rf'["`\\{separator}]|\{{(?=\{{)|\}}(?=\}})|\*/')


def _action_ends(text: str, start: int, stop: int, separator: str) -> dict[int, int]:
    """Map the offset of each `{{` between `start` and `stop` to its action's end.

    One automaton, run backwards. In each of its states (outside quotes, in a
    double-quoted string, in a back-quoted string, in a comment) it knows where the text
    from here on would close the action; going left over a quote swaps two of them. So
    every `{{` finds its answer ready, and nothing is read twice.
    """
    tokens = [m.start() for m in _token(separator).finditer(text, start, stop)]
    ends: dict[int, int] = {}
    outside = double = back = comment = first = None
    lines = 0
    beyond = -1, None  # the token just passed, and `double` as it was behind it
    for offset in reversed(tokens):
        character = text[offset]
        double_here = double
        if character == '"':
            outside, double = double, outside
        elif character == "`":
            outside, back = back, outside
        elif character == "}":
            outside = first = offset + 2, lines
        elif character == "*":
            comment = outside
        elif character == "\\":
            # Only in a double-quoted string it takes the next character with it.
            double = beyond[1] if beyond[0] == offset + 1 else double
        elif character == separator:
            double = None
            lines += 1
        else:
            is_comment = _COMMENT_OPENING.match(text, offset)
            for close in (comment if is_comment else outside, first):
                if close and lines - close[1] < MAX_ACTION_LINES:
                    ends[offset] = close[0]
                    break
        beyond = offset, double_here
    return ends
