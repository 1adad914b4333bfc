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
from bisect import bisect_left
from functools import cache

MAX_ACTION_LINES = 20
"""Lines an action may touch, its first and its last one included."""

_COMMENT_OPENING = re.compile(r"\{\{(?:-[ \t\r\n]*)?/\*")

_PLAIN_ACTION = re.compile(r'\{\{[^{}"`\r\n]{0,200}+\}\}')
"""An action of one line without quotes; the bound keeps a flood of them linear."""


def find_action_end(text: str, start: int, separator: str = "\n") -> int | None:
    """Return the offset after the `}}` of the action whose `{{` stands at `start`.

    None means that the `{{` is plain text. `separator` is what ends lines in `text`.
    To ask about many actions of one text, keep a `TemplateActions`.
    """
    return TemplateActions(text, separator).end(start)


class TemplateActions:
    """The actions of one text, asked for in file order.

    A run of non-blank lines is read once and as a whole, so that no flood of braces
    and quotes costs more than linear time.
    """

    __slots__ = ("_asked", "_ends", "_found", "_run", "_separator", "_starts", "_text")

    def __init__(self, text: str, separator: str = "\n") -> None:
        self._text = text
        self._separator = separator
        self._run = 0, 0
        """The run of lines that was read last, from its first `{{` asked about."""
        self._ends: dict[int, int] = {}
        self._starts: list[int] = []
        self._asked = 0
        """The position that `find_open` was asked about last, and what it found."""
        self._found: tuple[int, int] | None = -1, -1

    def end(self, start: int) -> int | None:
        """Return the end of the action whose `{{` stands at `start`, if it is one."""
        self._read_run(start)
        return self._ends.get(start)

    def find_open(self, position: int) -> tuple[int, int] | None:
        """Return start and end of the first action that runs over a line ending.

        It starts at `position`, which lies outside any action, or later.
        """
        is_known = self._asked <= position and (
            self._found is None or position <= self._found[0]
        )
        if not is_known:
            self._asked = position
            self._found = self._search_open(position)
        return self._found

    def _search_open(self, position: int) -> tuple[int, int] | None:
        text = self._text
        while (start := _find_braces(text, position)) >= 0:
            if plain := _PLAIN_ACTION.match(text, start):
                position = plain.end()
                continue
            self._read_run(start)
            for index in range(bisect_left(self._starts, start), len(self._starts)):
                start = self._starts[index]
                if start >= position:
                    position = self._ends[start]
                    if text.find(self._separator, start, position) >= 0:
                        return start, position
            position = max(position, self._run[1])
        return None

    def _read_run(self, start: int) -> None:
        """Read the actions from `start` to the next blank line."""
        if not self._run[0] <= start < self._run[1]:
            blank = _blank_line(self._separator).search(self._text, start)
            stop = blank.start() if blank else len(self._text)
            self._run = start, stop
            self._ends = _action_ends(self._text, start, stop, self._separator)
            self._starts = list(reversed(self._ends))


def _find_braces(text: str, position: int) -> int:
    """Return the offset of the first `{{` at `position` or later, or -1.

    One character is found many times faster than two, and single braces are rare.
    """
    start = text.find("{", position)
    while start >= 0 and not text.startswith("{", start + 1):
        start = text.find("{", start + 1)
    return start


@cache
def _blank_line(separator: str) -> re.Pattern[str]:
    return re.compile(rf"{separator}(?=[ \t]*+\r?{separator}|[ \t]*+\Z)")


@cache
def _token(separator: str) -> re.Pattern[str]:
    return re.compile(rf'["`\\{separator}]|\{{(?=\{{)|\}}(?=\}})|\*/')


_Close = tuple[int, int] | None
"""The offset after a `}}` and the number of line endings behind it."""


def _action_ends(text: str, start: int, stop: int, separator: str) -> dict[int, int]:
    """Map the offset of each `{{` from `start` to `stop` to the end of its action.

    One automaton, run backwards. For each state it could be in (outside quotes, in a
    double-quoted or back-quoted string, in a comment) it knows which `}}` would close
    the action from here on; going left over a quote swaps two states. So every `{{`
    finds its answer ready, and nothing is read twice. Later offsets come first.
    """
    ends: dict[int, int] = {}
    stop = max(start, text.rfind("}}", start, stop) + 2)
    tokens = [match.start() for match in _token(separator).finditer(text, start, stop)]
    outside: _Close = None
    double = back = comment = first = outside
    line_endings = 0
    # An escape in a string skips a character: what `double` was behind that one.
    escaped, double_behind = -1, double
    for offset in reversed(tokens):
        character, double_here = text[offset], double
        if character == "{":
            is_comment = _COMMENT_OPENING.match(text, offset)
            for close in (comment if is_comment else outside, first):
                if close and line_endings - close[1] < MAX_ACTION_LINES:
                    ends[offset] = close[0]
                    break
        elif character == "}":
            outside = first = offset + 2, line_endings
        elif character == '"':
            outside, double = double, outside
        elif character == "`":
            outside, back = back, outside
        elif character == "*":
            comment = outside
        elif character == "\\":
            double = double_behind if escaped == offset + 1 else double
        else:
            double = None
            line_endings += 1
        escaped, double_behind = offset, double_here
    return ends
