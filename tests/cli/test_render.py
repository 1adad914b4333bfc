"""How results are drawn for people."""

from __future__ import annotations

import io
from typing import Any

from md_mcp.cli.console import Console
from md_mcp.cli.render import diff_text, match_lines, section_lines, tree_lines

PLAIN = Console(io.BytesIO(), io.BytesIO())
TERMINAL = Console(io.BytesIO(), io.BytesIO(), True, True, False)
COLOUR = Console(io.BytesIO(), io.BytesIO(), True, True, True)


def node(path: str, *children: dict[str, Any], **more: int) -> dict[str, Any]:
    return {"heading": "", "level": 1, "path": path, "children": [*children], **more}


def test_the_index_is_drawn_as_a_tree_of_segments() -> None:
    nodes = [
        node("frontmatter"),
        node(
            "Guide",
            node("Guide.Trees", node("Guide.Trees.Oak"), node("Guide.Trees.Oak[2]")),
            node("Guide.1\\.2\\.0"),
        ),
    ]
    assert list(tree_lines(nodes, PLAIN)) == [
        "frontmatter",
        "Guide",
        "├── Trees",
        "│   ├── Oak",
        "│   └── Oak[2]",
        "└── 1\\.2\\.0",
    ]


def test_what_an_index_leaves_out_is_told_in_its_place() -> None:
    nodes = [node("Guide", node("Guide.Trees", omitted=12))]
    assert list(tree_lines(nodes, PLAIN)) == [
        "Guide",
        "└── Trees",
        "    └── … 12 left out",
    ]


def test_a_subtree_starts_with_the_full_path_of_its_root() -> None:
    nodes = [node("Guide.Trees", node("Guide.Trees.Oak"))]
    assert list(tree_lines(nodes, PLAIN)) == ["Guide.Trees", "└── Oak"]


def test_matches_stand_below_their_section() -> None:
    found = [{"path": "A.B", "matches": [{"line": 7, "text": "one"}]}]
    assert list(section_lines(found, PLAIN)) == ["A.B", "  7: one"]


def test_a_match_in_a_file_starts_with_file_and_line() -> None:
    found = [{"file_path": "d/a.md", "line": 3, "path": "A.B", "text": "x: y"}]
    assert list(match_lines(found, PLAIN)) == ["d/a.md:3: A.B: x: y"]


def test_a_match_cannot_steer_the_terminal() -> None:
    found = [{"file_path": "a.md", "line": 3, "path": "A\x1b", "text": "\x1b[2J"}]
    assert list(match_lines(found, TERMINAL)) == ["a.md:3: A\\x1b: \\x1b[2J"]


DIFF = "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-a\r\n+b\n\\ No newline at end of file\n"


def test_a_diff_goes_into_a_pipe_as_it_is() -> None:
    assert diff_text(DIFF, PLAIN) == DIFF


def test_a_diff_on_a_terminal_shows_carriage_returns() -> None:
    assert diff_text(DIFF, TERMINAL) == DIFF.replace("\r", "\\r")


def test_a_diff_in_colour_paints_whole_lines() -> None:
    assert diff_text(DIFF, COLOUR).split("\n") == [
        "\x1b[1m--- a/a.md\x1b[0m",
        "\x1b[1m+++ b/a.md\x1b[0m",
        "\x1b[36m@@ -1 +1 @@\x1b[0m",
        "\x1b[31m-a\\r\x1b[0m",
        "\x1b[32m+b\x1b[0m",
        "\x1b[2m\\ No newline at end of file\x1b[0m",
        "",
    ]


def test_a_removed_line_of_dashes_is_no_header() -> None:
    diff = "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n---- x\n++++ y\n"
    assert diff_text(diff, COLOUR).split("\n")[3:5] == [
        "\x1b[31m---- x\x1b[0m",
        "\x1b[32m++++ y\x1b[0m",
    ]
