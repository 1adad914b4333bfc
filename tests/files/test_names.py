from __future__ import annotations

import pytest

from md_mcp.errors import BadPathError
from md_mcp.files.names import is_litter, is_protected, litter_name, parse_path


@pytest.mark.parametrize(
    ("path", "anchor", "parts"),
    [
        ("a.md", "", ("a.md",)),
        ("docs/a.md", "", ("docs", "a.md")),
        ("/docs/a.md", "/", ("docs", "a.md")),
        ("//docs///a.md", "/", ("docs", "a.md")),
        ("./docs/./a.md", "", ("docs", "a.md")),
        ("docs/", "", ("docs", ".")),
        ("docs/.", "", ("docs", ".")),
        (".", "", (".",)),
        ("/", "/", (".",)),
        ("..", "", ("..",)),
        ("a/../b.md", "", ("a", "..", "b.md")),
        ("~/a.md", "", ("~", "a.md")),
        ("$HOME/a.md", "", ("$HOME", "a.md")),
        ("a\\b.md", "", ("a\\b.md",)),
        ("å/日本.md", "", ("å", "日本.md")),
    ],
)
def test_a_path_is_cut_and_nothing_in_it_is_expanded(
    path: str, anchor: str, parts: tuple[str, ...]
) -> None:
    parsed = parse_path(path)
    assert (parsed.given, parsed.anchor, parsed.parts) == (path, anchor, parts)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "it is empty"),
        ("a.md\0.png", "it holds a NUL character"),
        ("\0", "it holds a NUL character"),
        ("a\ud800.md", "it holds bytes or surrogates, not text"),
        ("caf\udce9.md", "it holds bytes or surrogates, not text"),
        ("a/" * 2048 + "b.md", "it is longer than 4096 bytes"),
        ("é" * 2049, "it is longer than 4096 bytes"),
    ],
)
def test_what_can_name_no_file_is_a_bad_path(path: str, reason: str) -> None:
    with pytest.raises(BadPathError) as caught:
        parse_path(path)
    assert caught.value.code == "BAD_PATH"
    assert str(caught.value).endswith(
        f"is not a usable path: {reason}. Name a file or folder that exists."
    )
    assert str(caught.value).isascii()


@pytest.mark.parametrize(
    "name",
    [
        ".git",
        ".GIT",
        ".Git",
        ".hg",
        ".svn",
        ".SVN",
        ".\u017fvn",  # a long s, which folds to s
        ".g\u200cit",
        "\u200d.git",
        ".git\ufeff",
        ".gi\u202et",
        ".git.",
        ".git ",
        ".git. . ",
        ".git::$INDEX_ALLOCATION",
        "git~1",
        "GIT~12",
    ],
)
def test_every_spelling_of_version_control_data_is_protected(name: str) -> None:
    assert is_protected(name)


@pytest.mark.parametrize(
    "name",
    [
        "git",
        ".github",
        ".gitignore",
        ".gitattributes",
        ".git-notes",
        "a.git",
        ".hgignore",
        "svn",
        "git~",
        "git~x",
        "...",
        " ",
        "é.md",
    ],
)
def test_names_that_only_look_alike_are_not_protected(name: str) -> None:
    assert not is_protected(name)


def test_litter_names_are_recognised_and_short() -> None:
    name = litter_name(bytes(range(8)))
    assert name == ".md-mcp-0001020304050607.tmp"
    assert is_litter(name)


@pytest.mark.parametrize(
    "name",
    [
        ".md-mcp-.tmp",
        ".md-mcp-0001020304050607",
        ".md-mcp-0001020304050607.tmp.md",
        "x.md-mcp-0001020304050607.tmp",
        ".md-mcp-00010203040506zz.tmp",
        ".md-mcp-0001020304050607.tmp\n",
    ],
)
def test_other_names_are_not_litter(name: str) -> None:
    assert not is_litter(name)
