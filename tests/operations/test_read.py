"""The reading operations on real files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from md_mcp.document.tokens import estimate_tokens
from md_mcp.errors import ArgumentError, FileMissingError, SectionNotFoundError
from md_mcp.files import Files
from md_mcp.operations import (
    find_notes,
    find_section,
    get_frontmatter,
    get_outline,
    query_links,
)
from md_mcp.operations.limits import CAP, MAX_LINES, PAGE

GUIDE = (
    "# Guide\n\n## API Layer\n\na\n\n## Deployment\n\nd\n\n### Steps\n\ns\n\n"
    "## Database Design\n\nb\n\n## Roadmap\n\nr\n\n## Instalaci\u00f3n\n\ni\n\n"
    "## \u6570\u636e\u5e93\u8bbe\u8ba1\n\nh\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "docs"
    path.mkdir()
    return path


@pytest.fixture
def files(folder: Path) -> Files:
    return Files.open([folder])


def put(folder: Path, text: str, name: str = "a.md") -> str:
    path = folder / name
    path.write_bytes(text.encode())
    return str(path)


def test_the_outline_starts_with_the_file(folder: Path, files: Files) -> None:
    title, first, *_ = get_outline(files, put(folder, GUIDE)).split("\n")
    assert title.startswith("a.md · ")
    assert title.split(" · ")[-1] == f"revision {files.read(folder / 'a.md').revision}"
    assert first == "Guide L1-29 3/39"


@pytest.mark.parametrize("level", [0, 7, -1])
def test_a_level_that_headings_cannot_have_is_refused(
    folder: Path, files: Files, level: int
) -> None:
    with pytest.raises(ArgumentError, match="give 1 to 6"):
        get_outline(files, put(folder, GUIDE), level)


def test_a_long_outline_is_cut_and_says_how_to_go_on(
    folder: Path, files: Files
) -> None:
    parts = [f"## Part {n}\n\n" + "### Detail\n" * 9 for n in range(99)]
    path = put(folder, "# Book\n\n" + "\n".join(parts))
    outline = get_outline(files, path)
    assert len(outline.encode()) <= PAGE + 500
    last = outline.rpartition("\n")[2]
    assert last.startswith("… ")
    assert "more from Book.Part " in last
    assert "max_level=2 shows the whole file" in last
    assert len(get_outline(files, path, 2).split("\n")) == 101


def test_an_outline_of_one_long_level_offers_the_other_tools(
    folder: Path, files: Files
) -> None:
    path = put(folder, "".join(f"# Part {n}\n" for n in range(999)))
    last = get_outline(files, path).rpartition("\n")[2]
    assert "max_level" not in last
    assert "search_sections" in last


@pytest.mark.parametrize(
    ("heading", "path", "score"),
    [
        ("db", "Guide.Database Design", " · score 0.60"),
        ("API", "Guide.API Layer", " · score 0.90"),
        ("deploy", "Guide.Deployment", " · score 0.90"),
        ("database", "Guide.Database Design", " · score 0.90"),
        ("road map plan", "Guide.Roadmap", " · score 0.70"),
        ("instalacion", "Guide.Instalaci\u00f3n", ""),
        ("\u6570\u636e\u5e93", "Guide.\u6570\u636e\u5e93\u8bbe\u8ba1", " · score 0.90"),
        ("Guide.Deployment.Steps", "Guide.Deployment.Steps", ""),
    ],
)
def test_a_rough_heading_finds_its_section(
    folder: Path, files: Files, heading: str, path: str, score: str
) -> None:
    file_path = put(folder, GUIDE)
    about, _, text = find_section(files, file_path, heading).partition("\n")
    section = files.read(file_path).document.section(path)
    first, last = files.read(file_path).document.line_range(section.span)
    tokens = estimate_tokens(text)
    assert about == f"{path} · L{first}-{last} · {tokens} tokens{score}"
    assert text == section.span.of(GUIDE)


def test_depth_leaves_deeper_sections_out(folder: Path, files: Files) -> None:
    found = find_section(files, put(folder, GUIDE), "deployment", 0)
    assert found.partition("\n")[2] == "## Deployment\n\nd\n\n"


def test_several_sections_are_listed_without_their_text(
    folder: Path, files: Files
) -> None:
    path = put(folder, "# A\n## Setup\nx\n# B\n## Setup\ny\n# C\n## Setups\nz\n")
    assert find_section(files, path, "setup").split("\n") == [
        '3 sections fit "setup"; repeat with one of these paths:',
        "A.Setup · score 1.00 · 3 tokens",
        "B.Setup · score 1.00 · 3 tokens",
        "C.Setups · score 0.90 · 3 tokens",
    ]
    assert find_section(files, path, "B.Setup").startswith("B.Setup · L5-6")


def test_at_most_eight_sections_are_listed(folder: Path, files: Files) -> None:
    path = put(folder, "".join(f"# Setup {n}\n" for n in range(12)))
    first, *others = find_section(files, path, "setup").split("\n")
    assert first.startswith('12 sections fit "setup", the best 8;')
    assert len(others) == 8


def test_no_section_is_an_error_with_the_closest_headings(
    folder: Path, files: Files
) -> None:
    path = put(folder, GUIDE)
    with pytest.raises(SectionNotFoundError) as caught:
        find_section(files, path, "no")
    assert len(caught.value.nearest) == 3
    put(folder, "# Conocimiento\n")
    with pytest.raises(SectionNotFoundError) as caught:
        find_section(files, path, "no")
    assert caught.value.nearest == ("Conocimiento",)


def test_a_long_section_is_cut_at_a_section_and_says_so(
    folder: Path, files: Files
) -> None:
    parts = [f"## Part {n}\n\n{'word ' * 400}\n\n" for n in range(30)]
    found = find_section(files, put(folder, "# Book\n\n" + "".join(parts)), "book")
    about, _, text = found.partition("\n")
    assert about.endswith("tokens more: get_section shows all of it")
    assert len(text.encode()) <= PAGE
    assert text == "# Book\n\n" + "".join(parts[: text.count("## ")])


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("word " * 9 + "\n", id="many lines"),
        pytest.param("\n", id="many empty lines"),
        pytest.param("\u6570\u636e" * 99 + "\n", id="wide characters"),
    ],
)
def test_one_long_body_is_cut_where_clients_would(
    folder: Path, files: Files, body: str
) -> None:
    found = find_section(files, put(folder, "# Book\n\n" + body * 5000 + "x"), "book")
    assert len(found.encode()) <= CAP
    assert found.count("\n") <= MAX_LINES + 1
    assert found.endswith("\n")


def test_one_endless_line_is_cut_inside(folder: Path, files: Files) -> None:
    found = find_section(files, put(folder, "# A\n" + "x" * 99_999), "A")
    assert "cut" in found.partition("\n")[0]
    assert len(found) <= CAP


def test_front_matter_comes_as_values(folder: Path, files: Files) -> None:
    text = "---\na: no\nd: 2024-01-02\nn: 1e3\nl:\n- x\nm: {k: 1}\n---\n# A\n"
    assert get_frontmatter(files, put(folder, text)) == {
        "frontmatter": {
            "a": "no",
            "d": "2024-01-02",
            "n": "1e3",
            "l": ["x"],
            "m": {"k": 1},
        },
        "lines": [1, 8],
        "tokens": 13,
    }


def test_a_file_without_front_matter_says_so(folder: Path, files: Files) -> None:
    found = get_frontmatter(files, put(folder, "# A\n"))
    assert found == {"frontmatter": None, "lines": None, "tokens": 0}


def test_a_faulty_block_is_named_with_its_fault(folder: Path, files: Files) -> None:
    found = get_frontmatter(files, put(folder, "---\na: [\n---\n"))
    assert found["frontmatter"] is None
    assert "line" in found["fault"]


def test_links_of_a_folder_can_be_asked_about(folder: Path, files: Files) -> None:
    put(folder, "[b](b.md) [c](c.md)\n")
    put(folder, "# B\n", "b.md")
    found = query_links(files, str(folder), "stats")
    assert (found["notes"], found["links"], found["broken"]) == (2, 1, 1)
    put(folder, "# C\n", "c.md")
    assert query_links(files, str(folder), "stats")["broken"] == 0
    assert query_links(files, str(folder), "path", node="a", to="c")["path"] == [
        "a.md",
        "c.md",
    ]


def test_long_lists_are_paged_unless_more_is_asked_for(
    folder: Path, files: Files
) -> None:
    put(folder, "".join(f"[{n}](missing-{n:0100}.md)\n" for n in range(999)))
    default = query_links(files, str(folder), "broken")
    assert (default["total"], len(default["broken"])) == (999, 10)
    more = query_links(files, str(folder), "broken", limit=1000)
    size = len(json.dumps(more, separators=(",", ":")))
    assert PAGE < size <= CAP
    assert more["cut"].endswith("name a smaller folder")
    node = query_links(files, str(folder), "node", node="a")
    assert len(json.dumps(node, separators=(",", ":"))) <= PAGE


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_limit_out_of_range_is_refused(
    folder: Path, files: Files, limit: int
) -> None:
    with pytest.raises(ArgumentError, match="give 1 to 1000"):
        query_links(files, str(folder), "stats", limit=limit)
    with pytest.raises(ArgumentError, match="give 1 to 1000"):
        find_notes(files, str(folder), "x", limit)


def test_found_notes_can_be_handed_to_the_other_tools(
    folder: Path, files: Files
) -> None:
    put(folder, "# A\n\n## Boiler\n\nx\n")
    (region,) = find_notes(files, str(folder), "boiler")["regions"]
    assert region["file_path"] == f"{folder}/a.md"
    found = find_section(files, region["file_path"], region["path"])
    assert found.endswith("## Boiler\n\nx\n")


def test_a_folder_that_is_not_there_is_an_error(folder: Path, files: Files) -> None:
    with pytest.raises(FileMissingError):
        query_links(files, str(folder / "x"), "stats")
