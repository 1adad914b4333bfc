"""The eight questions about the links of a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from md_mcp.errors import ArgumentError, NoteNotFoundError
from md_mcp.files import Files
from md_mcp.library.links import LinkGraph
from md_mcp.library.queries import QUERIES, Question, answer

Write = Callable[[Mapping[str, str]], None]
Ask = Callable[..., dict[str, Any]]

NOTES = {
    "Home.md": "---\ntype: index\ntags: [start]\n---\n# Home\n\n[[Setup]] [[Plan]]\n",
    "docs/Setup.md": (
        "---\ntype: guide\ntags: [start, how]\n---\n# Setup\n\n## First.steps\n\n"
        "[home](../Home.md) [[Nowhere]]\n"
    ),
    "docs/Plan.md": "---\ntipo: guide\n---\nx\n\n# Plan\n\n[a](Setup.md#frist-steps)\n",
    "Far.md": "[[Far/Further]]\n",
    "Far/Further.md": "nothing\n",
    "Alone.md": "# Alone\n\n[[#Alone]] [x](https://x.org)\n",
}


@pytest.fixture
def ask(links: LinkGraph, files: Files, write: Write) -> Ask:
    write(NOTES)

    def query(
        name: str,
        node: str | None = None,
        to: str | None = None,
        depth: int = 1,
        limit: int = 10,
    ) -> dict[str, Any]:
        links.update(files)
        return answer(name, Question(files, links, node, to, depth, limit))

    return query


def test_there_are_eight_queries() -> None:
    assert list(QUERIES) == [
        *("stats", "node", "neighbors", "search_type"),
        *("most_connected", "isolated", "path", "broken"),
    ]


def test_stats_count_notes_links_types_and_tags(ask: Ask) -> None:
    assert ask("stats") == {
        "notes": 6,
        "links": 5,
        "broken": 2,
        "types": {"guide": 2, "index": 1},
        "tags": {"start": 2, "how": 1},
    }


def test_stats_say_how_many_tags_are_left_out(ask: Ask) -> None:
    found = ask("stats", limit=1)
    assert (found["tags"], found["more_tags"]) == ({"start": 2}, 1)


def test_a_node_is_told_with_its_links_both_ways(ask: Ask) -> None:
    assert ask("node", node="setup") == {
        "path": "docs/Setup.md",
        "frontmatter": {"type": "guide", "tags": ["start", "how"]},
        "headings": [
            {"path": "Setup", "lines": [5, 9]},
            {"path": r"Setup.First\.steps", "lines": [7, 9]},
        ],
        "links": [
            {
                "line": 9,
                "section": r"Setup.First\.steps",
                "link": "../Home.md",
                "to": "Home.md",
            }
        ],
        "unresolved": [
            {
                "line": 9,
                "section": r"Setup.First\.steps",
                "link": "Nowhere",
                "problem": "no file",
            }
        ],
        "linked_from": [
            {"path": "Home.md", "lines": [7]},
            {"path": "docs/Plan.md", "lines": [8]},
        ],
    }


def test_links_before_the_first_heading_stand_in_the_preamble(ask: Ask) -> None:
    (link,) = ask("node", node="Far.md")["links"]
    assert link["section"] == "(preamble)"


def test_a_name_that_fits_none_offers_those_that_contain_it(ask: Ask) -> None:
    assert ask("node", node="far") == ask("node", node="Far.md")
    assert ask("node", node="urthe") == {
        "node": "urthe",
        "total": 1,
        "notes": ["Far/Further.md"],
    }
    with pytest.raises(NoteNotFoundError, match='no note "nowhere at all"'):
        ask("node", node="nowhere at all")


def test_a_name_that_fits_several_offers_them(ask: Ask, write: Write) -> None:
    write({"x/Setup.md": "x\n"})
    assert ask("node", node="Setup") == {
        "node": "Setup",
        "total": 2,
        "notes": ["docs/Setup.md", "x/Setup.md"],
    }


def test_neighbors_are_found_both_ways(ask: Ask) -> None:
    assert ask("neighbors", node="docs/Plan.md")["neighbors"] == [
        {"path": "Home.md", "distance": 1},
        {"path": "docs/Setup.md", "distance": 1},
    ]


@pytest.mark.parametrize("name", ["guide", "GUIDE"])
def test_notes_of_a_type_are_found_by_either_key(ask: Ask, name: str) -> None:
    found = ask("search_type", node=name)
    assert found["notes"] == ["docs/Plan.md", "docs/Setup.md"]


def test_an_unknown_type_is_answered_with_those_that_exist(ask: Ask) -> None:
    found = ask("search_type", node="nothing")
    assert (found["total"], found["types"]) == (0, {"guide": 2, "index": 1})


def test_the_most_connected_come_first(ask: Ask) -> None:
    assert ask("most_connected", limit=2) == {
        "notes": [
            {"path": "Home.md", "in": 1, "out": 2},
            {"path": "docs/Setup.md", "in": 2, "out": 1},
        ]
    }


def test_a_link_to_its_own_heading_leaves_a_note_isolated(ask: Ask) -> None:
    assert ask("isolated") == {"total": 1, "notes": ["Alone.md"]}


def test_a_path_says_whether_it_follows_the_links(ask: Ask) -> None:
    assert ask("path", node="Plan", to="Home") == {
        "from": "docs/Plan.md",
        "to": "Home.md",
        "path": ["docs/Plan.md", "docs/Setup.md", "Home.md"],
        "directed": True,
    }
    assert ask("path", node="Further", to="Far.md")["directed"] is False
    assert ask("path", node="Home", to="Alone")["path"] is None


def test_broken_links_are_told_with_what_was_probably_meant(ask: Ask) -> None:
    assert ask("broken") == {
        "total": 2,
        "no_file": 1,
        "no_heading": 1,
        "broken": [
            {
                "path": "docs/Plan.md",
                "line": 8,
                "section": "Plan",
                "link": "Setup.md#frist-steps",
                "problem": "no heading",
                "closest": "Setup.md#firststeps",
            },
            {
                "path": "docs/Setup.md",
                "line": 9,
                "section": r"Setup.First\.steps",
                "link": "Nowhere",
                "problem": "no file",
            },
        ],
    }


def test_what_a_limit_leaves_out_is_counted(ask: Ask) -> None:
    found = ask("broken", limit=1)
    assert (found["total"], len(found["broken"])) == (2, 1)
    assert found["more"] == "1 more: repeat with a larger limit"


@pytest.mark.parametrize(
    ("query", "arguments", "argument"),
    [
        ("nodes", {}, "query"),
        ("node", {}, "node"),
        ("neighbors", {}, "node"),
        ("neighbors", {"node": "Home", "depth": 0}, "depth"),
        ("search_type", {}, "node"),
        ("path", {"node": "Home"}, "to"),
        ("path", {"to": "Home"}, "node"),
    ],
)
def test_a_missing_or_wrong_argument_is_named(
    ask: Ask, query: str, arguments: dict[str, Any], argument: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        ask(query, **arguments)
    assert caught.value.argument == argument
