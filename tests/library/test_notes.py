"""The three ways in which a folder of notes answers a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from md_mcp.files import Files
from md_mcp.library.links import LinkGraph
from md_mcp.library.notes import NoteIndex, find_notes

Write = Callable[[Mapping[str, str]], None]
Ask = Callable[..., dict[str, Any]]

NOTES = {
    "walls.md": "# Walls\n\nx\n\n## Aislamiento\n\ny\n\n### Aislar el techo\n\nz\n",
    "roof.md": "# Roof\n\n## Repair\n\nsee [[walls]]\n",
    "tagged.md": "---\ntags: [wall-paint]\n---\nno heading\n",
    "setup guide.md": "# \u8bbe\u7f6e\u6307\u5357\n\n## API\n\n[[walls]]\n",
}


@pytest.fixture
def ask(links: LinkGraph, files: Files, write: Write) -> Ask:
    write(NOTES)
    index = NoteIndex()

    def find(query: str, limit: int = 12) -> dict[str, Any]:
        links.update(files)
        return find_notes(files, links, index, "notes", query, limit)

    return find


def sections(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [(region["file_path"], region["path"]) for region in found["regions"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(
            "c\u00f3mo aislar",
            [("notes/walls.md", "Walls.Aislamiento")],
            id="headings that start alike, the outermost of them",
        ),
        pytest.param("repair", [("notes/roof.md", "Roof.Repair")], id="a heading"),
        pytest.param(
            "paint", [("notes/tagged.md", "(preamble)")], id="a tag gives the beginning"
        ),
        pytest.param(
            "guide",
            [("notes/setup guide.md", "\u8bbe\u7f6e\u6307\u5357")],
            id="a file name gives the first section",
        ),
        pytest.param(
            "\u6307\u5357",
            [("notes/setup guide.md", "\u8bbe\u7f6e\u6307\u5357")],
            id="Han characters inside a run",
        ),
        pytest.param(
            "walls repair",
            [
                ("notes/walls.md", "Walls"),
                ("notes/roof.md", "Roof.Repair"),
                ("notes/tagged.md", "(preamble)"),
            ],
            id="any of the words, links in decide",
        ),
    ],
)
def test_few_matching_notes_are_answered_with_sections(
    ask: Ask, query: str, expected: list[tuple[str, str]]
) -> None:
    found = ask(query)
    assert found["mode"] == "regions"
    assert sections(found) == expected


def test_a_section_comes_with_lines_and_tokens(ask: Ask) -> None:
    found = ask("techo")
    assert found["regions"] == [
        {
            "file_path": "notes/walls.md",
            "path": "Walls.Aislamiento.Aislar el techo",
            "lines": [9, 11],
            "tokens": 6,
        }
    ]
    assert (found["words"], found["matching"]) == (["techo"], 1)


def test_more_words_matched_win_over_links(ask: Ask, write: Write) -> None:
    write({"a.md": "# Walls and repair\n", "b.md": "[[walls]] [[walls]]\n"})
    assert sections(ask("walls repair"))[0] == ("notes/a.md", "Walls and repair")


def test_a_whole_word_wins_over_one_that_only_starts_alike(
    ask: Ask, write: Write
) -> None:
    write({"a.md": "# Rooftop\n", "b.md": "[[a]]\n"})
    assert [path for path, _ in sections(ask("roof"))] == [
        "notes/roof.md",
        "notes/a.md",
    ]


def test_shown_sections_cost_at_most_4000_tokens(ask: Ask, write: Write) -> None:
    long = "word " * 2500
    write(
        {
            "a.md": f"# Boiler\n\nshort\n\n## More\n\n{long}{long}\n",
            "b.md": f"# Boiler two\n\n{long}\n",
            "c.md": f"# Boiler three\n\n{long}\n",
        }
    )
    found = ask("boiler")
    assert sum(region["tokens"] for region in found["regions"]) <= 4000
    assert found["regions"][0] == {
        "file_path": "notes/a.md",
        "path": "Boiler",
        "lines": [1, 7],
        "tokens": 5,
        "depth": 0,
    }
    assert [region["file_path"] for region in found["regions"]] == [
        "notes/a.md",
        "notes/b.md",
    ]
    assert found["more"] == "1 more: repeat with a larger limit, or narrower"


def test_limit_bounds_the_sections(ask: Ask, write: Write) -> None:
    write({f"{n}.md": "# Boiler\n" for n in range(5)})
    found = ask("boiler", 3)
    assert len(found["regions"]) == 3
    assert found["more"] == "2 more: repeat with a larger limit, or narrower"


def test_many_matching_notes_are_answered_with_the_best_15(
    ask: Ask, write: Write
) -> None:
    write({f"{n:02}.md": "# Boiler\n\nx\n" for n in range(21)})
    write({"best.md": "# Boiler\n\n# Valve\n"})
    found = ask("boiler valve")
    assert (found["mode"], found["matching"]) == ("documents", 22)
    assert len(found["documents"]) == 15
    assert found["documents"][0] == {
        "file_path": "notes/best.md",
        "title": "Boiler",
        "words": 2,
        "tokens": 5,
    }


@pytest.mark.parametrize("query", ["nothing of this", "zz", ""])
def test_without_a_match_the_best_connected_notes_are_shown(
    ask: Ask, query: str
) -> None:
    found = ask("zzzz " + query)
    assert (found["mode"], found["matching"]) == ("entry_points", 0)
    assert found["documents"][0] == {
        "file_path": "notes/walls.md",
        "title": "Walls",
        "in": 2,
        "out": 0,
    }


def test_a_changed_note_is_found_by_its_new_words_only(
    ask: Ask, write: Write, folder: Path
) -> None:
    assert ask("repair")["mode"] == "regions"
    write({"roof.md": "# Roof\n\n## Gutter\n"})
    assert ask("repair")["mode"] == "entry_points"
    assert sections(ask("gutter")) == [("notes/roof.md", "Roof.Gutter")]
    write({"roof.md": ""})
    assert ask("gutter")["mode"] == "entry_points"
