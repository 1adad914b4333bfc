from __future__ import annotations

import random
import re
import unicodedata
import warnings
from re import _parser  # type: ignore[attr-defined]

import pytest
import regex
from hypothesis import given, note, settings
from hypothesis import strategies as st

from md_mcp.document.dialect import RARE, write_pattern
from md_mcp.document.pattern import matching_lines

# Below U+30000 every character that both Unicode versions know, but for the line feed.
KNOWN = "".join(
    character
    for character in regex.findall(
        r"[^\n\p{Cn}\p{Cs}]", "".join(map(chr, range(0x30000)))
    )
    if unicodedata.category(character) != "Cn"
)

FOLDED_APART = "iI\u0130\u0131kK\u212asS\u017f\u03c3\u03c2\u03a3\u00b5\u03bc\u00df\u1e9e\u0345\u03b9\u0399\u1fbe"


def written(pattern: str, flags: int = 0, *, rare: bool = True) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        tree = _parser.parse(pattern, flags)
    return write_pattern(tree, tree.state.flags, rare=rare)


def matching(pattern: str, flags: int, lines: list[str]) -> list[int]:
    """Return the indices of the lines that match, found in all of them at once."""
    text = "".join(f"{line}\n" for line in lines)
    found = found_in(text, written(pattern, flags))
    if not any(character in text for character in RARE):
        assert found_in(text, written(pattern, flags, rare=False)) == found
    return found


def found_in(text: str, source: str) -> list[int]:
    search = regex.compile(source).search

    def find(start: int) -> int:
        match = search(text, start)
        return -1 if match is None else match.start()

    return [text.count("\n", 0, start) for start, _ in matching_lines(find, text)]


def matching_by_re(pattern: str, flags: int, lines: list[str]) -> list[int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        compiled = re.compile(pattern, flags)
    return [index for index, line in enumerate(lines) if compiled.search(line)]


@pytest.mark.parametrize("flags", ["", "(?i)", "(?a)", "(?ai)"])
@pytest.mark.parametrize(
    "characters", [r"\d", r"\s", r"\w", r"[\d\s]", r"[^\W\d]", r"\D", r"\S", r"\W"]
)
def test_classes_hold_the_characters_that_they_hold_for_re(
    characters: str, flags: str
) -> None:
    ours = regex.sub(written(f"{flags}{characters}"), "", KNOWN)
    assert ours == re.sub(f"{flags}{characters}", "", KNOWN)


@pytest.mark.parametrize("flags", ["(?i)", "(?ai)"])
@pytest.mark.parametrize("character", FOLDED_APART)
@pytest.mark.parametrize("form", ["{}", "[{}]", "[^{}]", "[{}-{}]", "[^_{}]"])
def test_letters_are_folded_as_re_folds_them(
    form: str, character: str, flags: str
) -> None:
    pattern = flags + form.replace("{}", character)
    for letters in (FOLDED_APART + "abAB_", "iIkKsS\u03c3\u00df\u03b9abAB_"):
        lines = list(letters)
        assert matching(pattern, 0, lines) == matching_by_re(pattern, 0, lines)


@pytest.mark.parametrize(
    ("pattern", "line", "other"),
    [
        pytest.param("a{e<=1}", "a{e<=1}", "ab", id="fuzzy matching"),
        pytest.param("(?:foo){i<=2,d<=1}", "foo{i<=2,d<=1}", "fo", id="fuzzy costs"),
        pytest.param("a{s}", "a{s}", "b", id="fuzzy without a number"),
        pytest.param("[[:alpha:]]", ":]", "x", id="a POSIX class"),
        pytest.param("[[a-z]--[aeiou]]", "--]", "x", id="difference of sets"),
        pytest.param("[a&&b]", "&", "c", id="intersection of sets"),
        pytest.param("[a~~b]", "~", "c", id="symmetric difference of sets"),
        pytest.param("[a||b]", "|", "c", id="union of sets"),
        pytest.param("[[a]b]", "[b]", "b", id="a set in a set"),
        pytest.param("(?x)a\u00a0b", "a\u00a0b", "ab", id="no-break space is no blank"),
        pytest.param(r"\d{,}", "{,}", "12{3", id="a repeat without numbers"),
    ],
)
def test_syntax_that_only_regex_knows_is_read_as_re_reads_it(
    pattern: str, line: str, other: str
) -> None:
    lines = [line, other]
    assert matching(pattern, 0, lines) == matching_by_re(pattern, 0, lines)


@pytest.mark.parametrize(
    ("pattern", "lines", "found"),
    [
        pytest.param("b$", ["ab", "b", "ba"], [0, 1], id="the end of a line"),
        pytest.param(r"^b|b\Z", ["ab", "ba", "aba"], [0, 1], id="start and end"),
        pytest.param(r"\Aa", ["a", "ba"], [0], id="the start of the string"),
        pytest.param(r"a[^x]b", ["a", "b", "a-b"], [2], id="no set holds an ending"),
        pytest.param(r"a\sb", ["a", "b"], [], id="space holds no ending"),
        pytest.param(r"(?s)a.b", ["a", "b"], [], id="nor does the full stop"),
        pytest.param(r"a\nb", ["a", "b"], [], id="nor does the line feed itself"),
        pytest.param(r"a(?!.)", ["a", "ab"], [0], id="nothing ahead at the end"),
        pytest.param(r"(?<!.)a", ["ba", "a"], [1], id="nothing behind at the start"),
        pytest.param("", ["", "a", ""], [0, 1, 2], id="the empty pattern"),
        pytest.param("^$", ["", "a", ""], [0, 2], id="empty lines"),
        pytest.param(r"\B", ["", "a", "ab"], [2], id="no boundary in no text"),
        pytest.param(r"(?i:b?)[^ax]", ["A", "a"], [0], id="folded beside exact"),
        pytest.param(r"(?i)(a)(?-i:x)(b)\2", ["AxbB", "AXbb"], [0], id="a reference"),
        pytest.param(r"(a)?(?(1)b|c)$", ["ab", "c", "ac"], [0, 1, 2], id="a condition"),
    ],
)
def test_lines_are_matched_one_by_one(
    pattern: str, lines: list[str], found: list[int]
) -> None:
    assert matching(pattern, 0, lines) == found
    assert matching_by_re(pattern, 0, lines) == found


def test_only_groups_that_are_referred_to_capture() -> None:
    assert written(r"(a)(b)(c)\2") == r"(?V1m-f)(?:a)(b)(?:c)\g<1>"


PIECES = (
    *("a", "b", "A", "i", "k", "s", "S", "1", "_", " ", "-", ",", "#", "{", "}", "<"),
    *("é", "\u017f", "\u212a", "\u0130", "\u0131", "\u00b5", "\u00df", "\u00b2"),
    *("\u0301", r"\.", r"\n", r"\t", r"\x41", r"\u0130", "{e<=1}", "&", "~"),
)

MEMBERS = (
    *("a", "b", "a-z", "A-Z", r"\w", r"\d", r"\s", r"\W", r"\S", r"\D", "i", "_", "["),
    *("\u017f", "k-s", "[:alpha:", "--", "&&", "||", "~~", r"\n", r"\]", "^", "{"),
    *("\x00-\u024f", ".", "\u0130", "é"),
)

PLACES = (".", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\b", r"\B", "^", "$", r"\A")

COUNTS = ("*", "+", "?", "{2}", "{1,2}", "{,2}", "{1,}", "*?", "+?", "??", "*+", "++")

# Not `(?a:`: there `re` itself goes wrong when such a group starts with a class.
GROUPS = (
    "(",
    "(?:",
    "(?=",
    "(?!",
    "(?>",
    "(?i:",
    "(?-i:",
    "(?s:",
    "(?x:",
    "(?<=",
    "(?<!",
)

TEXT = "aAbBiIkKsS_1 .{}<-[]()|#\t\x1c,=:&~é\u0301\u00b2\u00df\u00b5\u03bc\x85\xa0\u2028\r\x0b"

FOLDING = "\u017f\u212a\u0130\u0131\u0345"


class Draw:
    """Patterns and lines from a seed; quicker to draw than strategies by far."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.pick = self.random.choice

    def pattern(self) -> str:
        flags = self.pick(["", "(?i)", "(?a)", "(?ai)", "(?x)", "(?is)"])
        return flags + self.alternatives(depth=3)

    def lines(self) -> list[str]:
        characters = TEXT + self.pick(["", FOLDING])
        sizes = [self.random.randrange(9) for _ in range(6)]
        return ["".join(self.pick(characters) for _ in range(size)) for size in sizes]

    def alternatives(self, depth: int) -> str:
        return "|".join(self.sequence(depth) for _ in range(self.pick([1, 1, 1, 2, 3])))

    def sequence(self, depth: int) -> str:
        return "".join(self.item(depth) for _ in range(self.pick([1, 2, 3, 4])))

    def item(self, depth: int) -> str:
        if depth and self.random.random() < 0.3:
            body = f"{self.pick(GROUPS)}{self.alternatives(depth - 1)})"
            # An open repeat stands in no other: `re` would take exponential time.
            counts = COUNTS if depth == 1 else ("?", "??", "?+", "{2}", "{1,2}")
        elif depth == 0:
            return self.atom()
        else:
            body, counts = self.atom(), COUNTS
        return body + self.pick(["", "", *self.random.sample(counts, 1)])

    def atom(self) -> str:
        kind = self.random.random()
        if kind < 0.1:
            return self.pick([r"\1", r"\2", "(?(1)a|b)", "(?(2)k)"])
        if kind < 0.3:
            members = "".join(self.random.sample(MEMBERS, self.pick([1, 2, 3, 4])))
            return self.pick(["[", "[^"]) + members + "]"
        return self.pick(PLACES if kind < 0.5 else PIECES)


def is_accepted_by_re(pattern: str) -> bool:
    try:
        matching_by_re(pattern, 0, [])
    except re.error:
        return False
    return True


@settings(max_examples=500)
@given(st.integers(0, 2**64), st.sampled_from([0, re.IGNORECASE]))
def test_the_engine_finds_the_lines_that_re_finds(seed: int, flags: int) -> None:
    draw = Draw(seed)
    pattern = next(p for p in iter(draw.pattern, None) if is_accepted_by_re(p))
    lines = draw.lines()
    note(f"{pattern!r} {lines!r}")
    assert matching(pattern, flags, lines) == matching_by_re(pattern, flags, lines)
