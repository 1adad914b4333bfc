r"""Search patterns of users: Python regular expressions, checked before they run.

A pattern is what `re` accepts and means what `re` means. It is tried on each line
without its ending. `re` itself parses it; from its tree follow the limits, whether the
pattern is plain text, which texts every matching line holds, and the source for the
engine, which md_mcp.document.dialect writes. Nothing is matched here but plain text.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from md_mcp.document.dialect import RARE, Flags, Node, children, write_pattern
from md_mcp.document.literal import Find, Literal
from md_mcp.document.text import BOM, line_separator
from md_mcp.errors import PatternError

MAX_LENGTH = 1000
MAX_NESTING = 100
"""Groups, repeats and alternatives inside one another."""

MAX_REPEATS = 10_000
"""How often nested counted repeats may run their innermost part."""

LineFinder = Callable[[str], Iterable[tuple[int, int]]]
"""Yields the lines of a `plain_lines` text that match, as offsets of their content."""

_MAX_REQUIRED = 8
"""Texts of which a matching line must hold one; looking for many is no short cut."""

_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")

_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A checked pattern.

    Attributes:
        query: the pattern as it was given.
        literal: the text to look for when the pattern is nothing else, else None.
        required: texts of which every matching line holds at least one; none known if
            empty.
        sources: the pattern for the `regex` package, for texts without and with rare
            characters.
    """

    query: str
    literal: Literal | None
    required: tuple[Literal, ...]
    sources: tuple[str, str]

    def source(self, text: str) -> str:
        """Return the pattern as `regex` searches a `plain_lines` text with it."""
        return self.sources[any(character in text for character in RARE)]

    def byte_test(self) -> Callable[[bytes], bool]:
        """Return a test that fails only for UTF-8 texts without a matching line."""
        if len(self.required) == 1:  # the common case; each file is put to the test
            return self.required[0].may_be_in
        tests = [text.may_be_in for text in self.required]
        return lambda data: not tests or any(test(data) for test in tests)


def parse_pattern(query: str, *, case_sensitive: bool = False) -> Pattern:
    """Return the pattern that `query` is; inline flags such as `(?-i:…)` count.

    Raises:
        PatternError: `re` does not accept it, or it is beyond a limit.
    """
    if len(query) > MAX_LENGTH:
        raise PatternError(
            query,
            f"the pattern has {len(query):,} characters; the limit is {MAX_LENGTH:,}. "
            "Search for a part of it.",
            offset=MAX_LENGTH,
        )
    tree, bits = _parse(query, 0 if case_sensitive else re.IGNORECASE)
    _check_limits(query, tree)
    flags = Flags.of(bits)
    literal = _literal(tree, flags)
    required = (literal,) if literal else _required(tree, flags)
    sources = write_pattern(tree, bits, rare=False), write_pattern(tree, bits)
    return Pattern(query, literal, required, sources)


def plain_lines(text: str) -> str:
    r"""Return `text` without a BOM, every line ending written as "\n"."""
    text = text.removeprefix(BOM)
    if "\r" not in text:
        return text
    ending = "\r" if line_separator(text) == "\r" else "\r\n"
    return text.replace(ending, "\n")


def matching_lines(find: Find, text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines on which `find` finds something, each once, in order.

    `text` is one that `plain_lines` made. What `find` finds must lie in one line; a
    place at a line's end is the offset of its ending.
    """
    position = 0
    while position < len(text) and (found := find(position)) >= 0:
        start = text.rfind("\n", position, found) + 1 or position
        end = text.find("\n", found)
        end = len(text) if end < 0 else end
        if start == len(text):  # after the last ending there is no line
            return
        yield start, end
        position = end + 1


def literal_lines(literal: Literal, text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of a `plain_lines` text that hold `literal`."""
    if "\n" in literal.text:  # no line holds one
        return iter(())
    return matching_lines(literal.finder(text), text)


def unbounded_lines(pattern: Pattern) -> LineFinder:
    """Return the search for `pattern`, run in this process.

    Nothing bounds its time: for some patterns it grows exponentially with the length
    of a line. `md_mcp.matching` runs it under limits.
    """
    if pattern.literal is not None:
        return partial(literal_lines, pattern.literal)
    return partial(_engine_lines, pattern)


def _engine_lines(pattern: Pattern, text: str) -> Iterator[tuple[int, int]]:
    import regex

    search = regex.compile(pattern.source(text)).search

    def find(start: int) -> int:
        match = search(text, start)
        return -1 if match is None else match.start()

    return matching_lines(find, text)


def _parse(query: str, flags: int) -> tuple[Sequence[Node], int]:
    """Return `re`'s tree and the flags that hold for all of it."""
    try:
        # `re` warns of sets that may come to mean something else one day.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            tree = _parser.parse(query, flags)
        _check_lookbehinds(tree)
    except re.error as error:
        raise _refusal(query, error.msg, error.pos) from None
    except RecursionError:
        raise _too_nested(query) from None
    except (OverflowError, ValueError) as error:
        raise _refusal(query, str(error), None) from None
    return tree, tree.state.flags


def _refusal(query: str, reason: str, offset: int | None) -> PatternError:
    place = "" if offset is None else f" at offset {offset}"
    step = "Correct it"
    if len(query) <= 80 and (escaped := _SPECIAL.sub(r"\\\g<0>", query)) != query:
        step = f"To find this very text, search for {escaped}"
    message = f"Python's re does not accept the pattern{place}: {reason}. {step}."
    return PatternError(query, message, offset=offset)


def _too_nested(query: str) -> PatternError:
    return PatternError(
        query,
        f"groups and repeats of the pattern are nested more than {MAX_NESTING} deep. "
        "Search for a part of it.",
    )


def _check_lookbehinds(tree: Iterable[Node]) -> None:
    """Refuse what `re` finds out only when it compiles: the width must be fixed."""
    for code, argument in tree:
        if code in (op.ASSERT, op.ASSERT_NOT) and argument[0] < 0:
            least, most = argument[1].getwidth()
            if least != most:
                raise re.error("look-behind requires fixed-width pattern")
        for child in children((code, argument)):
            _check_lookbehinds(child)


def _check_limits(
    query: str, tree: Iterable[Node], depth: int = 0, repeats: int = 1
) -> None:
    if depth > MAX_NESTING:
        raise _too_nested(query)
    for code, argument in tree:
        inner = repeats
        if code in _REPEATS:
            low, high, _ = argument
            inner *= max(1, low if high is op.MAXREPEAT else high)
        if inner > MAX_REPEATS:
            raise PatternError(
                query,
                f"the counted repeats of the pattern multiply to {inner:,}; the limit "
                f"is {MAX_REPEATS:,}. Use smaller counts, or * and +.",
            )
        for child in children((code, argument)):
            _check_limits(query, child, depth + 1, inner)


def _literal(tree: Iterable[Node], flags: Flags) -> Literal | None:
    """Return the text that the pattern is, None if it is more than a text."""
    if flags.ignore_case and flags.ascii_only:
        return None
    characters = []
    for code, argument in tree:
        if code is not op.LITERAL:
            return None
        characters.append(chr(argument))
    return Literal("".join(characters), flags.ignore_case)


def _required(tree: Iterable[Node], flags: Flags) -> tuple[Literal, ...]:
    """Return texts of which every match holds one, the longest that are found."""
    best: tuple[Literal, ...] = ()
    for candidate in _candidates(tree, flags):
        if _worth(candidate) > _worth(best):
            best = candidate
    return best


def _worth(texts: tuple[Literal, ...]) -> int:
    return min((len(literal.text) for literal in texts), default=0)


def _candidates(tree: Iterable[Node], flags: Flags) -> Iterator[tuple[Literal, ...]]:
    """Yield what each part of a sequence requires that no match can do without."""
    run = ""
    for code, argument in tree:
        if code is op.LITERAL:
            run += chr(argument)
            continue
        if run:
            yield (Literal(run, flags.ignore_case),)
        run = ""
        yield _required_by(code, argument, flags)
    if run:
        yield (Literal(run, flags.ignore_case),)


def _required_by(code: Any, argument: Any, flags: Flags) -> tuple[Literal, ...]:
    if code is op.SUBPATTERN:
        _, added, removed, body = argument
        return _required(body, flags.changed(added, removed))
    if code is op.ATOMIC_GROUP:
        return _required(argument, flags)
    if code is op.ASSERT or (code in _REPEATS and argument[0] > 0):
        return _required(argument[-1], flags)
    if code is op.BRANCH:
        branches = [_required(branch, flags) for branch in argument[1]]
        texts = tuple(literal for branch in branches for literal in branch)
        return texts if all(branches) and len(texts) <= _MAX_REQUIRED else ()
    return ()
