"""The verbs that look before reading, from arguments to output and exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from md_mcp import operations
from md_mcp.cli import main
from md_mcp.cli.exploring import VERBS
from md_mcp.files import Files

NOTES = {
    "home.md": "---\ntype: index\ntags: [a]\n---\n# Home\n\n[[Setup]] [x](gone.md)\n",
    "setup.md": "# Setup\n\n## First steps\n\nx\n",
}


class Run:
    """Runs the command line in the folder of notes."""

    def __init__(self, captured: pytest.CaptureFixture[bytes]) -> None:
        self._captured = captured

    def of(self, *arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = self._captured.readouterr()
        return code, out.decode(), err.decode()

    def json(self, *arguments: str) -> Any:
        return json.loads(self.of(*arguments, "--json")[1])


@pytest.fixture
def run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> Run:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    for name, text in NOTES.items():
        (tmp_path / "notes" / name).write_bytes(text.encode())
    return Run(capsysbinary)


def test_outline_prints_the_outline(run: Run) -> None:
    code, out, err = run.of("outline", "notes/setup.md")
    assert (code, err) == (0, "")
    assert out.split("\n")[1:] == ["Setup L1-5 3/8", " First steps L3-5 5", ""]
    code, out, _ = run.of("outline", "notes/setup.md", "--max-level", "1")
    assert out.split("\n")[1:] == ["Setup L1-5 3/8", ""]


def test_find_prints_the_section(run: Run) -> None:
    code, out, err = run.of("find", "notes/setup.md", "steps")
    assert (code, err) == (0, "")
    assert out == (
        "Setup.First steps · L3-5 · 5 tokens · score 0.90\n## First steps\n\nx\n"
    )


def test_find_refuses_what_fits_nothing(run: Run) -> None:
    code, out, err = run.of("find", "notes/setup.md", "qqq")
    assert (code, out) == (2, "")
    assert err.startswith('md-mcp: SECTION_NOT_FOUND: no section "qqq". Nearest: ')


def test_front_matter_get_prints_the_values(run: Run) -> None:
    assert run.of("front-matter", "get", "notes/home.md") == (
        0,
        "type: index\ntags:\n  a\n",
        "",
    )


def test_front_matter_get_finds_nothing(run: Run) -> None:
    code, out, err = run.of("front-matter", "get", "notes/setup.md")
    assert (code, out) == (1, "")
    assert err == "md-mcp: notes/setup.md has no front matter\n"


def test_links_prints_an_item_a_line(run: Run) -> None:
    assert run.of("links", "notes", "broken") == (
        0,
        (
            "total: 1\nno_file: 1\nno_heading: 0\nbroken:\n"
            "  path=home.md  line=7  section=Home  link=gone.md  problem=no file\n"
        ),
        "",
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("links", "notes", "isolated"),
        ("links", "notes", "search_type", "--node", "none"),
        ("links", "notes", "path", "--node", "setup", "--to", "lonely"),
        ("notes", "notes", "nothing like it"),
    ],
)
def test_finding_nothing_is_exit_code_1(
    run: Run, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    if "lonely" in arguments:
        (tmp_path / "notes/lonely.md").write_bytes(b"x\n")
    assert run.of(*arguments)[0] == 1


def test_an_unknown_query_is_refused_with_those_that_exist(run: Run) -> None:
    code, out, err = run.of("links", "notes", "brokn")
    assert (code, out) == (2, "")
    assert "invalid choice: 'brokn'" in err
    assert "'broken'" in err


def test_notes_prints_the_sections(run: Run) -> None:
    code, out, _ = run.of("notes", "notes", "first steps")
    assert code == 0
    assert out == (
        "mode: regions\nwords:\n  first\n  steps\nmatching: 1\nregions:\n"
        "  file_path=notes/setup.md  path=Setup.First steps  lines=[3, 5]  tokens=5\n"
    )


def test_json_is_exactly_the_result_of_the_tool(run: Run, tmp_path: Path) -> None:
    files = Files.open()
    assert run.json("outline", "notes/home.md") == operations.get_outline(
        files, "notes/home.md"
    )
    assert run.json("find", "notes/home.md", "home", "--depth", "0") == (
        operations.find_section(files, "notes/home.md", "home", 0)
    )
    assert run.json("front-matter", "get", "notes/home.md") == (
        operations.get_frontmatter(files, "notes/home.md")
    )
    assert run.json("links", "notes", "node", "--node", "home") == (
        operations.query_links(files, "notes", "node", "home")
    )
    assert run.json("notes", "notes", "setup", "--limit", "3") == (
        operations.find_notes(files, "notes", "setup", 3)
    )


def test_each_verb_mirrors_a_tool() -> None:
    assert [(verb.name, verb.tool) for verb in VERBS] == [
        ("outline", "get_outline"),
        ("find", "find_section"),
        ("front-matter get", "get_frontmatter"),
        ("links", "query_links"),
        ("notes", "find_notes"),
    ]
