"""The link graph: what is resolved, what is broken, and what a change costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from md_mcp.files import Files
from md_mcp.library.links import LinkGraph

Write = Callable[[Mapping[str, str]], None]

NOTES = {
    "Home.md": "# Home\n\nSee [[Setup]], [the plan](docs/plan.md#goals) and ![[x.png]].\n",
    "docs/Setup.md": "# Setup\n\n## First steps\n\n[back](../Home.md)\n",
    "docs/plan.md": "# Plan\n\n## Goals\n\n[[Setup#First steps]]\n",
    "x.png": "png",
}


def broken(links: LinkGraph, files: Files) -> list[tuple[str, int, str, bool]]:
    return [
        (found.source, found.edge.link.line, found.edge.link.written, found[2])
        for found in links.broken(files)
    ]


def test_links_between_notes_are_edges(
    links: LinkGraph, files: Files, write: Write
) -> None:
    write(NOTES)
    links.update(files)
    assert links.graph.out("Home.md") == {"docs/Setup.md": 1, "docs/plan.md": 1}
    assert links.graph.into("docs/Setup.md") == {"Home.md": 1, "docs/plan.md": 1}
    assert broken(links, files) == []


@pytest.mark.parametrize(
    ("link", "is_heading_missing"),
    [
        pytest.param("[[Nowhere]]", False, id="no note of the name"),
        pytest.param("![[nothing.png]]", False, id="no attachment"),
        pytest.param("[a](nowhere.md)", False, id="no file"),
        pytest.param("[a](docs/nowhere/)", False, id="no folder"),
        pytest.param("[[Setup#Last steps]]", True, id="no heading"),
        pytest.param("[[Setup#First steps#Setup]]", True, id="headings in wrong order"),
        pytest.param("[[Setup#^block]]", True, id="no block"),
        pytest.param("[a](docs/plan.md#no-goals)", True, id="no anchor"),
        pytest.param("[a](#nothing)", True, id="no anchor in the note itself"),
    ],
)
def test_a_link_to_nothing_is_broken(
    links: LinkGraph, files: Files, write: Write, link: str, is_heading_missing: bool
) -> None:
    write({**NOTES, "a.md": f"x\n\n{link}\n"})
    links.update(files)
    ((source, line, _, missing),) = broken(links, files)
    assert (source, line, missing) == ("a.md", 3, is_heading_missing)


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("[[Setup#First steps]]", id="a heading by its text"),
        pytest.param("[[Setup#first  STEPS!]]", id="folded, without punctuation"),
        pytest.param("[[Setup#Setup#First steps]]", id="headings below each other"),
        pytest.param("[[Setup#first-steps]]", id="by its anchor"),
        pytest.param("[a](docs/Setup.md#first-steps)", id="an anchor"),
        pytest.param("[a](docs/Setup.md#First%20steps)", id="a heading in a URL"),
        pytest.param("[a](docs/plan.md#%67oals)", id="percent signs"),
        pytest.param("[a](docs/plan.md#)", id="an empty fragment"),
        pytest.param("[a](docs/plan.md#L3-L5)", id="lines of the source"),
        pytest.param("[a](#top)", id="the top"),
        pytest.param("[a](#/route/x) [b](#tab/x)", id="routes and tabs of a site"),
        pytest.param("[a](/#nothing)", id="the first page of a site"),
        pytest.param("[a](#b----c)\n\n# B -  `c`", id="two spaces, two hyphens"),
        pytest.param("[a](x.png#page=3)", id="a place in another file"),
        pytest.param("[a](docs)", id="a folder"),
        pytest.param("[a](../out/side.md)", id="out of the folder"),
        pytest.param("[a](/a/site/page)", id="a page of a site"),
        pytest.param("[a](#b) <a id='b'></a>", id="an explicit anchor"),
        pytest.param("[a](#b)\n\n# C {#b}", id="a heading's id"),
        pytest.param("[[#^b]] ^b", id="a block"),
        pytest.param("`[[Nowhere]]`", id="code"),
        pytest.param("[[Nowhere]]: x\n\n[Nowhere]: /a", id="a defined label"),
    ],
)
def test_a_link_that_leads_somewhere_is_not_broken(
    links: LinkGraph, files: Files, write: Write, link: str
) -> None:
    write({**NOTES, "a.md": f"x\n\n{link}\n"})
    links.update(files)
    assert [found for found in broken(links, files) if found[0] == "a.md"] == []


def test_repeated_headings_have_numbered_anchors(
    links: LinkGraph, files: Files, write: Write
) -> None:
    write({"a.md": "# X\n\n# X\n\n[1](#x) [2](#x-1) [3](#x-2)\n"})
    links.update(files)
    assert broken(links, files) == [("a.md", 5, "#x-2", True)]


def test_files_in_folders_that_are_left_out_exist(
    links: LinkGraph, files: Files, write: Write
) -> None:
    write(
        {
            ".gitignore": "build/\n",
            "build/a.md": "# A\n",
            ".github/b.md": "# B\n",
            "c.md": "[a](build/a.md) [b](.github/b.md) [x](build/x.md)\n",
        }
    )
    links.update(files)
    assert list(links.notes) == ["c.md"]
    assert broken(links, files) == [("c.md", 1, "build/x.md", False)]


def test_the_closest_file_and_heading_are_offered(
    links: LinkGraph, files: Files, write: Write
) -> None:
    write({**NOTES, "a.md": "[[Setpu]] [[Setup#Firts steps]] [a](docs/plan.md#goal)\n"})
    links.update(files)
    assert [links.closest(found) for found in links.broken(files)] == [
        "docs/Setup.md",
        "Setup#First steps",
        "docs/plan.md#goals",
    ]


def test_only_changed_notes_are_read_again(
    links: LinkGraph, files: Files, write: Write
) -> None:
    write(NOTES)
    links.update(files)
    before = dict(links.notes)
    write({"Home.md": "# Home\n\n[[plan]]\n"})
    links.update(files)
    read = [path for path, note in links.notes.items() if before[path] is not note]
    settled = [path for path in read if before[path].identity is not None]
    assert "Home.md" in read
    assert settled in ([], ["Home.md"])
    assert links.graph.out("Home.md") == {"docs/plan.md": 1}


def test_a_file_that_appears_mends_links_and_one_that_goes_breaks_them(
    links: LinkGraph, files: Files, write: Write
) -> None:
    write({"a.md": "[[b]] [b](b.md) [c](c/)\n"})
    links.update(files)
    assert [found[2] for found in broken(links, files)] == ["b", "b.md", "c/"]
    write({"b.md": "# B\n", "c/x.md": "# X\n"})
    links.update(files)
    assert broken(links, files) == []
    write({"b.md": "", "c/x.md": ""})
    links.update(files)
    assert [found[2] for found in broken(links, files)] == ["b", "b.md", "c/"]
    assert "b.md" not in links.notes


def test_a_nearer_file_takes_a_wikilink_over(
    links: LinkGraph, files: Files, write: Write
) -> None:
    write({"x/y/b.md": "# B\n", "z/a.md": "[[b]]\n"})
    links.update(files)
    assert links.graph.out("z/a.md") == {"x/y/b.md": 1}
    write({"z/b.md": "# B\n"})
    links.update(files)
    assert links.graph.out("z/a.md") == {"z/b.md": 1}


def test_notes_that_cannot_be_read_are_told(
    links: LinkGraph, files: Files, write: Write, folder: Path
) -> None:
    write({"a.md": "[b](b.md#x)\n"})
    (folder / "b.md").write_bytes(b"\xff\n")
    (folder / "c.md").write_bytes(b"\0\n")
    links.update(files)
    assert links.unread == {"b.md": "NOT_UTF8", "c.md": "BINARY_FILE"}
    assert broken(links, files) == []
    write({"b.md": "# X\n", "c.md": ""})
    links.update(files)
    assert links.unread == {}
    assert set(links.notes) == {"a.md", "b.md"}


def test_progress_is_told_from_nothing_to_all(
    links: LinkGraph, files: Files, write: Write
) -> None:
    write({f"{number}.md": "x\n" for number in range(250)})
    told: list[tuple[int, int]] = []
    links.update(files, lambda done, total: told.append((done, total)))
    assert told == [(0, 250), (100, 250), (200, 250), (250, 250)]


@pytest.mark.parametrize(
    ("front", "kind", "tags"),
    [
        ("type: guide\ntags: [a, '#b']", "guide", ("a", "b")),
        ("tipo: gu\u00eda\ntags: a, b c", "gu\u00eda", ("a", "b", "c")),
        ("type: 3\ntag: x", "3", ("x",)),
        ("type: [a]\ntags: {a: b}", None, ()),
        ("title: type", None, ()),
    ],
)
def test_type_and_tags_come_from_the_front_matter(
    links: LinkGraph,
    files: Files,
    write: Write,
    front: str,
    kind: str | None,
    tags: tuple[str, ...],
) -> None:
    write({"a.md": f"---\n{front}\n---\n# A\n"})
    links.update(files)
    note = links.notes["a.md"]
    assert (note.type, note.tags) == (kind, tags)


NAMES = st.sampled_from(["a.md", "b.md", "x/a.md", "x/c.md", "x/README.md", "i.png"])
TEXTS = st.sampled_from(
    [
        "",
        "[[a]] [[x/a]] [[c]]\n",
        "[a](a.md) [x](x/) [x](x) [up](../a.md)\n",
        "![[i.png]] [r](.) [r](x/README)\n",
        "# A\n",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.dictionaries(NAMES, TEXTS, max_size=3), max_size=5))
def test_changes_one_by_one_give_the_graph_built_at_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("notes")
    files = Files.open([folder])
    stepwise = LinkGraph(str(folder))
    for step in steps:
        for name, text in step.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode()) if text else path.unlink(missing_ok=True)
        stepwise.update(files)
    whole = LinkGraph(str(folder))
    whole.update(files)
    stepwise.update(files)
    assert stepwise.edges == whole.edges
    for note in whole.notes:
        assert stepwise.graph.out(note) == whole.graph.out(note)
        assert stepwise.graph.into(note) == whole.graph.into(note)
