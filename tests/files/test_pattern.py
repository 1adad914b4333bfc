from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from md_mcp.errors import ArgumentError
from md_mcp.files.pattern import Glob


def matches(pattern: str, path: str) -> bool:
    """Match a whole path the way a walk does: directory by directory."""
    glob = Glob.parse(pattern)
    *folders, name = PurePosixPath(path).parts
    states = glob.start()
    for folder in folders:
        states = glob.enter(states, folder, through_link=False)
    return glob.matches_file(states, name)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.md", "a.md"),
        ("a.md", "a.md"),
        ("./a.md", "a.md"),
        ("**/*.md", "a.md"),
        ("**/*.md", "x/y/z/a.md"),
        ("**", "a.md"),
        ("**", "x/y/a.md"),
        ("docs/**", "docs/a.md"),
        ("docs/**", "docs/x/y/a.md"),
        ("docs/**/a.md", "docs/a.md"),
        ("docs/**/a.md", "docs/x/y/a.md"),
        ("**/docs/*.md", "docs/a.md"),
        ("**/docs/*.md", "x/docs/a.md"),
        ("**/**/*.md", "a.md"),
        ("*/*/?.md", "x/y/a.md"),
        ("[ab].md", "b.md"),
        ("[!ab].md", "c.md"),
        ("*", ".hidden"),
        ("[.md", "[.md"),
        ("a+(b).md", "a+(b).md"),
        ("*\n.md", "x\n.md"),
    ],
)
def test_a_pattern_matches(pattern: str, path: str) -> None:
    assert matches(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.md", "x/a.md"),
        ("*.md", "a.MD"),
        ("*.md", "a.md\n"),
        ("docs/**", "a.md"),
        ("docs/**", "docs2/a.md"),
        ("**/docs/*.md", "docs/x/a.md"),
        ("*/*.md", "a.md"),
        ("*/*.md", "x/y/a.md"),
        ("?.md", "ab.md"),
        ("[ab].md", "c.md"),
        ("{a,b}.md", "a.md"),
    ],
)
def test_a_pattern_does_not_match(pattern: str, path: str) -> None:
    assert not matches(pattern, path)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        ".",
        "/**",
        "/",
        "../**",
        "**/..",
        "a/../b",
        "..",
        "a//b",
        "docs/",
        "x" * 1001,
    ],
)
def test_a_pattern_that_leaves_its_folder_is_an_argument_error(pattern: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Glob.parse(pattern)
    assert caught.value.argument == "glob"


def test_two_dots_in_a_name_are_no_way_up() -> None:
    assert matches("a..b/*.md", "a..b/x.md")


def test_stars_do_not_explode() -> None:
    """As many as fit; a matcher that backtracks would never come back."""
    glob = Glob.parse("**/" * 100 + "a*" * 300 + "b")
    states = glob.start()
    for _ in range(100):
        states = glob.enter(states, "x", through_link=False)
    assert not glob.matches_file(states, "a" * 255)


names = st.text(st.sampled_from("ab.*?"), min_size=1, max_size=3).filter(
    lambda name: name not in {".", ".."} and "**" not in name
)
patterns = st.lists(names | st.just("**"), min_size=1, max_size=4)
paths = st.lists(
    st.text(st.sampled_from("ab."), min_size=1, max_size=3).filter(
        lambda name: name not in {".", ".."}
    ),
    min_size=1,
    max_size=4,
)


def expression(components: list[str]) -> str:
    """Return a regular expression for the pattern, an oracle for whole paths."""
    pieces = []
    for place, component in enumerate(components):
        if component == "**":
            last = place == len(components) - 1
            pieces.append("(?:[^/]+/)*[^/]+" if last else "(?:[^/]+/)*")
            continue
        wild = {"*": "[^/]*", "?": "[^/]"}
        pieces += [wild.get(c, re.escape(c)) for c in component]
        if place < len(components) - 1:
            pieces.append("/")
    return "".join(pieces)


@settings(deadline=None)
@given(patterns, paths)
def test_matching_by_folder_equals_matching_whole_paths(
    components: list[str], path: list[str]
) -> None:
    expected = re.fullmatch(expression(components), "/".join(path)) is not None
    assert matches("/".join(components), "/".join(path)) is expected
