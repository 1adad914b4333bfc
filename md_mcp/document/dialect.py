r"""Write a pattern that `re` has parsed in the syntax of the `regex` package.

The two packages read most patterns alike, but not all: `regex` gives a meaning to text
that is literal for `re` (`{e<=1}`, `[[:alpha:]]`), takes combining marks for word
characters, folds some letters differently. So nothing of the user's text reaches the
engine. Each node of the tree that `re` made of it is written anew, in a form that has
one meaning, and characters are listed where the packages disagree about a class.

The result is meant for whole texts whose lines end at "\n", yet it finds what the
pattern finds in each line on its own: no part of it can match a line feed, `^` and `$`
stand at the edges of lines, and at an edge every assertion sees a line feed where `re`
would see the end of the string, which decides the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from typing import Any, NamedTuple

Node = tuple[Any, Any]
"""Opcode and argument, as `re._parser` yields them."""

NOTHING = "(?!)"
"""Matches nowhere."""

_LINE_FEED = 10

_SCOPES = ("(?i:", "(?-i:")

_ANY_FIRST = "(?=.|$)"
"""Holds everywhere and keeps `regex` from working out how a match may start.

It gets that wrong where folding and exact sets meet: `(?i:b?)[^ax]` misses "A".
"""

_TURKIC = "Ii\u0130\u0131"
"""Four letters that `re` takes for one without case; `regex` keeps two pairs apart."""

RARE = "\u0130\u0131\u0345"
"""Characters that need care while `regex` folds, which makes searches slower.

The first two are Turkic. The last, another case of a Greek letter and thereby a word
character for `regex`, is a combining mark for `re`.
"""

_SPACES = (
    *((0x09, 0x09), (0x0B, 0x0D), (0x1C, 0x20), (0x85, 0x85), (0xA0, 0xA0)),
    *((0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F)),
    *((0x205F, 0x205F), (0x3000, 0x3000)),
)
"""`str.isspace` without the line feed; `regex` leaves out U+001C to U+001F."""

_EMPTY_IS_NO_BOUNDARY = re.search(r"\B", "") is not None
r"""Before Python 3.14 `\B` does not match an empty string."""


class Flags(NamedTuple):
    """What a node stands under; other flags of `re` change nothing within a line.

    Attributes:
        ignore_case: IGNORECASE.
        ascii_only: ASCII.
        rare: whether the text may hold `RARE` characters.
    """

    ignore_case: bool
    ascii_only: bool
    rare: bool = True

    @classmethod
    def of(cls, bits: int, *, rare: bool = True) -> Flags:
        """Return the flags of `re`'s bits."""
        return cls(bool(bits & re.IGNORECASE), bool(bits & re.ASCII), rare)

    def changed(self, added: int, removed: int) -> Flags:
        """Return the flags inside a group such as `(?i-s:…)`."""
        ascii_only = self.ascii_only
        if added & (re.ASCII | re.UNICODE):
            ascii_only = bool(added & re.ASCII)
        ignore_case = self.ignore_case or bool(added & re.IGNORECASE)
        ignore_case = ignore_case and not removed & re.IGNORECASE
        return Flags(ignore_case, ascii_only, self.rare)

    @property
    def folds(self) -> bool:
        """Whether the engine's own case folding is used: that of Unicode."""
        return self.ignore_case and not self.ascii_only


def write_pattern(tree: Sequence[Node], bits: int, *, rare: bool = True) -> str:
    """Return the source for `regex` of a tree from `re._parser.parse`.

    `bits` are the flags that hold for the whole pattern. Not `rare` is for texts that
    hold none of the `RARE` characters.
    """
    flags = Flags.of(bits, rare=rare)
    writer = _Writer(sorted(set(referenced_groups(tree))))
    body = writer.sequence(tree, flags)
    mixed = any(scope in body for scope in _SCOPES) and "[^" in body
    folding = "(?i)" if flags.folds else ""
    return f"(?V1m-f){folding}{_ANY_FIRST if mixed else ''}{body}"


def referenced_groups(tree: Iterable[Node]) -> Iterable[int]:
    """Yield the numbers of the groups that the pattern itself refers to."""
    for code, argument in tree:
        if code is op.GROUPREF:
            yield argument
        elif code is op.GROUPREF_EXISTS:
            yield argument[0]
        for child in children((code, argument)):
            yield from referenced_groups(child)


def children(node: Node) -> tuple[Sequence[Node], ...]:
    """Return the sequences of nodes that stand inside a node."""
    code, argument = node
    if code is op.BRANCH:
        return tuple(argument[1])
    if code is op.GROUPREF_EXISTS:
        return tuple(part for part in argument[1:] if part is not None)
    if code is op.ATOMIC_GROUP:
        return (argument,)
    if code is op.SUBPATTERN or code in _REPEATS or code in _LOOKS:
        return (argument[-1],)
    return ()


_REPEATS = {op.MAX_REPEAT: "", op.MIN_REPEAT: "?", op.POSSESSIVE_REPEAT: "+"}

_LOOKS = {op.ASSERT: "=", op.ASSERT_NOT: "!"}

_NEGATIVE = {
    op.CATEGORY_NOT_DIGIT: op.CATEGORY_DIGIT,
    op.CATEGORY_NOT_SPACE: op.CATEGORY_SPACE,
    op.CATEGORY_NOT_WORD: op.CATEGORY_WORD,
}

_WORDS = {op.CATEGORY_WORD, op.CATEGORY_NOT_WORD}


class _Writer:
    """Writes nodes; knows which groups must be captured and how they are numbered."""

    def __init__(self, captured: Sequence[int]) -> None:
        # Capturing costs time and memory in every turn of a loop, so only the groups
        # that are referred to capture. They get new numbers in the old order.
        self.numbers = {group: number for number, group in enumerate(captured, 1)}

    def sequence(self, nodes: Iterable[Node], flags: Flags) -> str:
        return "".join(self.node(code, argument, flags) for code, argument in nodes)

    def node(self, code: Any, argument: Any, flags: Flags) -> str:
        if code is op.LITERAL:
            return write_literal(argument, flags)
        if code is op.NOT_LITERAL:
            return write_set([(op.NEGATE, None), (op.LITERAL, argument)], flags)
        if code is op.IN:
            return write_set(argument, flags)
        if code is op.ANY:
            return "."
        if code is op.AT:
            return write_position(argument, flags)
        if code is op.FAILURE:
            return NOTHING
        return self.compound(code, argument, flags)

    def compound(self, code: Any, argument: Any, flags: Flags) -> str:
        if code in _REPEATS:
            low, high, body = argument
            count = write_count(low, high) + _REPEATS[code]
            return f"(?:{self.sequence(body, flags)}){count}"
        if code is op.SUBPATTERN:
            return self.group(argument, flags)
        if code is op.BRANCH:
            return f"(?:{'|'.join(self.sequence(b, flags) for b in argument[1])})"
        if code in _LOOKS:
            direction, body = argument
            sign = ("<" if direction < 0 else "") + _LOOKS[code]
            return f"(?{sign}{self.sequence(body, flags)})"
        if code is op.ATOMIC_GROUP:
            return f"(?>{self.sequence(argument, flags)})"
        if code is op.GROUPREF:
            return rf"\g<{self.numbers[argument]}>"
        if code is op.GROUPREF_EXISTS:
            return self.conditional(argument, flags)
        raise NotImplementedError(f"re has a new kind of node: {code}")

    def group(self, argument: Any, flags: Flags) -> str:
        group, added, removed, body = argument
        inner = flags.changed(added, removed)
        text = self.sequence(body, inner)
        if inner.folds != flags.folds:
            text = f"(?{'' if inner.folds else '-'}i:{text})"
        return f"({text})" if group in self.numbers else f"(?:{text})"

    def conditional(self, argument: Any, flags: Flags) -> str:
        group, *branches = argument
        texts = (self.sequence(b, flags) for b in branches if b is not None)
        return f"(?({self.numbers[group]}){'|'.join(texts)})"


def write_count(low: int, high: int) -> str:
    """Return the quantifier of a repeat."""
    return f"{{{low},{'' if high is op.MAXREPEAT else high}}}"


def write_character(code: int) -> str:
    """Return one character in a form that is literal everywhere, sets included."""
    character = chr(code)
    if character.isalnum() and character.isascii():
        return character
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def write_literal(code: int, flags: Flags) -> str:
    """Return what matches one character, or its other case too."""
    if code == _LINE_FEED:
        return NOTHING
    if flags.ignore_case and (_turkic(code, code, flags) or flags.ascii_only):
        return write_set([(op.LITERAL, code)], flags)
    return write_character(code)


def write_set(items: Sequence[Node], flags: Flags) -> str:
    """Return a set such as `[a-z]`; it never holds the line feed."""
    negated = items[0][0] is op.NEGATE
    members = items[1:] if negated else items
    ranges = [_range(*item) for item in members if item[0] is not op.CATEGORY]
    listed = "".join(
        _write_range(*r) for r in _without_line_feed(_with_cases(ranges, flags))
    )
    names = [argument for code, argument in members if code is op.CATEGORY]
    classes = "".join(write_category(name, flags) for name in names)
    if flags.folds and flags.rare and not _WORDS.isdisjoint(names):
        return _write_folding_set(negated, listed, classes)
    return _bracket(negated, listed + classes)


def _write_folding_set(negated: bool, listed: str, classes: str) -> str:
    r"""Return a set whose listed characters are folded and whose classes are not.

    While `regex` folds, it takes U+0345 for a word character, because it is another
    case of a Greek letter.
    """
    exact = f"(?-i:{_bracket(False, classes)})"
    if not listed:
        return exact if not negated else f"(?-i:{_bracket(True, classes)})"
    if negated:
        return f"(?:(?!{exact}){_bracket(True, listed)})"
    return f"(?:{_bracket(False, listed)}|{exact})"


def _bracket(negated: bool, members: str) -> str:
    if negated:
        return f"[^\\n{members}]"
    return f"[{members}]" if members else NOTHING


def _range(code: Any, argument: Any) -> tuple[int, int]:
    return (argument, argument) if code is op.LITERAL else argument


def _with_cases(ranges: list[tuple[int, int]], flags: Flags) -> list[tuple[int, int]]:
    """Return the ranges with the characters that the engine's folding would miss."""
    if not flags.ignore_case:
        return ranges
    if flags.ascii_only:
        alike = _ascii_cases(ranges)
    else:
        alike = {code for low, high in ranges for code in _turkic(low, high, flags)}
    return [*ranges, *((code, code) for code in sorted(alike))]


def _turkic(low: int, high: int, flags: Flags) -> list[int]:
    """Return the letters to add to a range because of one that is in it."""
    causes = _TURKIC if flags.rare else _TURKIC[2:]
    if not any(low <= ord(letter) <= high for letter in causes):
        return []
    return [code for code in map(ord, _TURKIC) if not low <= code <= high]


def _ascii_cases(ranges: Iterable[tuple[int, int]]) -> set[int]:
    letters = {
        code
        for low, high in ranges
        for code in range(low, min(high, 127) + 1)
        if chr(code).isalpha()
    }
    return {ord(chr(code).swapcase()) for code in letters}


def _without_line_feed(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    kept = []
    for low, high in ranges:
        if low <= _LINE_FEED <= high:
            kept += [(low, _LINE_FEED - 1), (_LINE_FEED + 1, high)]
        else:
            kept.append((low, high))
    return [(low, high) for low, high in kept if low <= high]


def _write_range(low: int, high: int) -> str:
    if low == high:
        return write_character(low)
    return f"{write_character(low)}-{write_character(high)}"


def write_category(category: Any, flags: Flags) -> str:
    r"""Return the members of `\d`, `\s`, `\w` or a negation, to stand in a set.

    A word character is what `str.isalnum` takes for one, a letter or anything with a
    numeric value, or "_"; `regex` has combining marks too but no fractions.
    """
    if category in _NEGATIVE:
        return rf"[^\n{write_category(_NEGATIVE[category], flags)}]"
    if category is op.CATEGORY_DIGIT:
        return "0-9" if flags.ascii_only else r"\p{Nd}"
    if category is op.CATEGORY_SPACE:
        ranges = ((9, 9), (11, 13), (32, 32)) if flags.ascii_only else _SPACES
        return "".join(_write_range(low, high) for low, high in ranges)
    if flags.ascii_only:
        return "0-9A-Za-z_"
    return r"0-9A-Za-z_\p{L}\P{Numeric_Type=None}"


def write_position(place: Any, flags: Flags) -> str:
    """Return an assertion about the place in the line."""
    if place in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
        return "^"
    if place in (op.AT_END, op.AT_END_STRING):
        return "$"
    word = write_set([(op.CATEGORY, op.CATEGORY_WORD)], flags)
    if place is op.AT_BOUNDARY:
        return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
    empty = "" if _EMPTY_IS_NO_BOUNDARY else "(?!^$)"
    return f"(?:{empty}(?:(?<={word})(?={word})|(?<!{word})(?!{word})))"
