"""The graph that the panel draws, and what it tells of one note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from md_mcp.errors import NotAFolderError, NoteNotFoundError
from md_mcp.files import Files
from md_mcp.operations.panel import describe_note, draw_links


def nodes(graph: dict[str, Any], *fields: str) -> list[tuple[Any, ...]]:
    return [tuple(node.get(field) for field in fields) for node in graph["nodes"]]


def edges(graph: dict[str, Any]) -> list[tuple[str, str, str, int]]:
    def name(number: int) -> str:
        node = graph["nodes"][number]
        return f"{node['path']}: {node['title']}"

    return [
        (name(edge["source"]), edge["kind"], name(edge["target"]), edge["count"])
        for edge in graph["edges"]
    ]


def test_nodes_are_documents_then_sections_then_missing_files(
    files: Files, folder: Path
) -> None:
    graph = draw_links(files, str(folder))
    assert nodes(graph, "kind", "path", "title", "level", "line", "broken") == [
        ("document", "guides/empty.md", "empty", None, None, 0),
        ("document", "guides/setup.md", "setup", None, None, 0),
        ("document", "home.md", "home", None, None, 5),
        ("section", "guides/setup.md", "Setup", 1, 1, None),
        ("section", "guides/setup.md", "Install", 2, 3, None),
        ("section", "home.md", "Home", 1, 1, None),
        ("section", "home.md", "More", 2, 5, None),
        ("missing", "Lost", "Lost", None, None, None),
        ("missing", "guides/gone.md", "gone.md", None, None, None),
    ]


def test_the_id_of_a_node_is_its_place_in_the_list(files: Files, folder: Path) -> None:
    graph = draw_links(files, str(folder))
    assert nodes(graph, "id") == [(number,) for number in range(9)]


def test_edges_are_counted_and_a_broken_link_is_no_link(
    files: Files, folder: Path
) -> None:
    assert edges(draw_links(files, str(folder))) == [
        ("guides/setup.md: setup", "part", "guides/setup.md: Setup", 1),
        ("guides/setup.md: setup", "part", "guides/setup.md: Install", 1),
        ("guides/setup.md: setup", "link", "home.md: home", 1),
        ("home.md: home", "part", "home.md: Home", 1),
        ("home.md: home", "part", "home.md: More", 1),
        ("home.md: home", "link", "guides/setup.md: setup", 2),
        ("home.md: home", "broken", "Lost: Lost", 2),
        ("home.md: home", "broken", "guides/setup.md: setup", 1),
        ("home.md: home", "broken", "guides/gone.md: gone.md", 1),
        ("home.md: home", "broken", "home.md: home", 1),
    ]


def test_a_link_whose_heading_is_missing_leaves_no_edge_of_kind_link(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.md").write_bytes(b"[x](b.md#gone)\n")
    (tmp_path / "b.md").write_bytes(b"text\n")
    graph = draw_links(Files.open([tmp_path]), str(tmp_path))
    assert edges(graph) == [("a.md: a", "broken", "b.md: b", 1)]


def test_a_note_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"# A\n\n[x](b.md)\n")
    (tmp_path / "b.md").write_bytes(b"caf\xe9\n")
    graph = draw_links(Files.open([tmp_path]), str(tmp_path))
    assert nodes(graph, "kind", "path") == [("document", "a.md"), ("section", "a.md")]
    assert [edge["kind"] for edge in graph["edges"]] == ["part"]


def test_titles_are_what_a_reader_sees(tmp_path: Path) -> None:
    (tmp_path / "v1.2 notes.md").write_bytes(b"# *Big* `<b>` &amp; [link](x)\n")
    graph = draw_links(Files.open([tmp_path]), str(tmp_path))
    assert nodes(graph, "kind", "title") == [
        ("document", "v1.2 notes"),
        ("section", "Big <b> & link"),
        ("missing", "x"),
    ]


def test_a_name_that_several_documents_have_comes_with_its_folder(
    tmp_path: Path,
) -> None:
    for path in ("README.md", "a/README.md", "a/b/README.md", "a/b/only.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"")
    graph = draw_links(Files.open([tmp_path]), str(tmp_path))
    assert nodes(graph, "path", "title") == [
        ("README.md", "README"),
        ("a/README.md", "a/README"),
        ("a/b/README.md", "b/README"),
        ("a/b/only.md", "only"),
    ]


def test_an_empty_folder_gives_an_empty_graph(tmp_path: Path) -> None:
    assert draw_links(Files.open([tmp_path]), str(tmp_path)) == {
        "nodes": [],
        "edges": [],
    }


def test_a_file_is_no_folder_to_draw(files: Files, folder: Path) -> None:
    with pytest.raises(NotAFolderError):
        draw_links(files, str(folder / "home.md"))


def test_a_note_is_described_with_lines_tokens_sections_and_links(
    files: Files, folder: Path
) -> None:
    setup = "guides/setup.md"
    assert describe_note(files, str(folder), "home.md") == {
        "path": "home.md",
        "lines": 7,
        "tokens": 42,
        "sections": [
            {"path": "Home", "lines": [1, 7], "tokens": 42},
            {"path": "Home.More", "lines": [5, 7], "tokens": 22},
        ],
        "out": [
            {"line": 3, "written": "Setup", "broken": False, "path": setup},
            {"line": 3, "written": f"{setup}#install", "broken": False, "path": setup},
            {"line": 3, "written": "Lost", "broken": True, "path": None},
            {"line": 7, "written": "Setup#Nowhere", "broken": True, "path": setup},
            {"line": 7, "written": "guides/gone.md", "broken": True, "path": None},
            {"line": 7, "written": "Lost", "broken": True, "path": None},
            {"line": 7, "written": "#no", "broken": True, "path": "home.md"},
        ],
        "into": [setup],
    }


def test_an_empty_note_is_described_as_such(files: Files, folder: Path) -> None:
    assert describe_note(files, str(folder), "guides/empty.md") == {
        "path": "guides/empty.md",
        "lines": 0,
        "tokens": 0,
        "sections": [],
        "out": [],
        "into": [],
    }


def test_a_note_is_described_as_it_is_now(files: Files, folder: Path) -> None:
    describe_note(files, str(folder), "home.md")
    (folder / "home.md").write_bytes(b"# New\n\none\ntwo\n")
    note = describe_note(files, str(folder), "home.md")
    assert (note["lines"], note["out"]) == (4, [])


@pytest.mark.parametrize(
    "path", ["gone.md", "../notes/home.md", "/etc/passwd", "data.csv", "guides", ""]
)
def test_only_notes_of_the_folder_are_described(
    path: str, files: Files, folder: Path
) -> None:
    with pytest.raises(NoteNotFoundError):
        describe_note(files, str(folder), path)


def test_a_note_that_is_no_text_any_more_is_none(files: Files, folder: Path) -> None:
    describe_note(files, str(folder), "home.md")
    (folder / "home.md").write_bytes(b"caf\xe9\n")
    with pytest.raises(NoteNotFoundError):
        describe_note(files, str(folder), "home.md")
