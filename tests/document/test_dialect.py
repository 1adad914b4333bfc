from __future__ import annotations

import re
import unicodedata
import warnings
from re import _parser  # type: ignore[attr-defined]

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from md_mcp.document.dialect import write_pattern
from md_mcp.document.pattern import compile_source

# Below U+30000 every character that both Unicode versions know, but for the line feed.
KNOWN = "".join(
    character
    for character in map(chr, range(0x30000))
    if character != "\n"
    and unicodedata.category(character) not in {"Cn", "Cs"}
    and not regex.fullmatch(r"\p{Cn}", character)
)

FOLDED_APART = "iI\u0130\u0131kK\u212asS\u017f\u03c3\u03c2\u03a3\u00b5\u03bc\u00df\u1e9e\u0345\u03b9\u0399\u1fbe"


def written(pattern: str, flags: int = 0) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        tree = _parser.parse(pattern, flags)
    return write_pattern(tree, tree.state.flags)


def matching(pattern: str, flags: int, lines: list[str]) -> list[int]:
    """Return the indices of the lines that match, found in all of them at once."""
    text = "".join(f"{line}\n" for line in lines)
    found = compile_source(written(pattern, flags))(text)
    return [text.count("\n", 0, start) for start, _ in found]


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
    lines = list(FOLDED_APART + "abAB_")
    pattern = flags + form.replace("{}", character)
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

CHARACTERS = st.sampled_from(
    "aAbBiIkKsS_1 .{}<-[]()|#\t\x1c,=:&~é\u0301\u00b2\u00df\u00b5"
)
ODDITIES = st.sampled_from("\u017f\u212a\u0130\u0131\u03bc\u0345\x85\xa0\u2028\r\x0b")

LINES = st.lists(st.text(CHARACTERS | ODDITIES, max_size=8), min_size=1, max_size=6)


def sets() -> st.SearchStrategy[str]:
    members = st.lists(st.sampled_from(MEMBERS), min_size=1, max_size=4).map("".join)
    return st.tuples(st.sampled_from(["[", "[^"]), members).map(
        lambda parts: f"{parts[0]}{parts[1]}]"
    )


def sequences(atoms: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    counted = st.tuples(atoms, st.sampled_from(["", "", "", *COUNTS])).map("".join)
    sequence = st.lists(counted, min_size=1, max_size=4).map("".join)
    return st.lists(sequence, min_size=1, max_size=3).map("|".join)


def grouped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(GROUPS), sequences(inner)).map(
        lambda parts: f"{parts[0]}{parts[1]})"
    )


ATOMS = st.sampled_from(PIECES) | sets() | st.sampled_from(PLACES)
REFERENCES = st.sampled_from([r"\1", r"\2", "(?(1)a|b)", "(?(2)k)"])

PATTERNS = st.tuples(
    st.sampled_from(["", "(?i)", "(?a)", "(?ai)", "(?x)", "(?is)"]),
    sequences(st.recursive(ATOMS | REFERENCES, grouped, max_leaves=6)),
).map("".join)


def is_accepted_by_re(pattern: str) -> bool:
    try:
        matching_by_re(pattern, 0, [])
    except re.error:
        return False
    return True


@settings(max_examples=150)
@given(PATTERNS.filter(is_accepted_by_re), st.sampled_from([0, re.IGNORECASE]), LINES)
def test_the_engine_finds_the_lines_that_re_finds(
    pattern: str, flags: int, lines: list[str]
) -> None:
    assert matching(pattern, flags, lines) == matching_by_re(pattern, flags, lines)
