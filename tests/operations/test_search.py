from __future__ import annotations

import os
from pathlib import Path

import pytest

from md_mcp.errors import (
    ArgumentError,
    OutsideRootError,
    PatternError,
    PatternTimeoutError,
)
from md_mcp.files import Files
from md_mcp.matching import bounded
from md_mcp.operations.search import search_files, search_sections

GUIDE = b"# Guide\r\n\r\none needle\r\ntwo needle\r\n\r\n## Needle\r\n\r\nthree\r\n"

HOSTILE = "(a|aa)+$"
VICTIM = "a" * 60 + "b"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "guide.md").write_bytes(GUIDE)
    return folder


@pytest.fixture
def files(root: Path) -> Files:
    return Files.open([root])


def test_a_file_is_searched_by_section(files: Files, root: Path) -> None:
    path = str(root / "guide.md")
    assert search_sections(files, path, "needle$") == [
        {
            "path": "Guide",
            "matches": [
                {"line": 3, "text": "one needle"},
                {"line": 4, "text": "two needle"},
            ],
        }
    ]
    assert search_sections(files, path, "needle", scope="headings") == [
        {"path": "Guide.Needle", "matches": [{"line": 6, "text": "Needle"}]}
    ]
    assert search_sections(files, path, "NEEDLE", case_sensitive=True) == []


def test_no_match_in_a_file_is_cut(files: Files, root: Path) -> None:
    (root / "long.md").write_bytes(b"x" * 5000 + b"\n" + b"x\n" * 3000)
    matches = search_sections(files, str(root / "long.md"), "x+")[0]["matches"]
    assert len(matches) == 3001
    assert matches[0]["text"] == "x" * 5000


def test_a_folder_is_searched(files: Files, root: Path) -> None:
    (root / "notes.md").write_bytes(b"needle " + b"x" * 400)
    assert search_files(files, str(root), "*.md", "needle") == {
        "matches": [
            {
                "file_path": f"{root}/guide.md",
                "path": "Guide",
                "line": 3,
                "text": "one needle",
            },
            {
                "file_path": f"{root}/guide.md",
                "path": "Guide",
                "line": 4,
                "text": "two needle",
            },
            {
                "file_path": f"{root}/notes.md",
                "path": "(preamble)",
                "line": 1,
                "text": "needle " + "x" * 293,
            },
        ],
        "skipped": 0,
        "truncated": False,
        "limit": 100,
    }


def test_the_file_path_of_a_match_leads_back_to_the_file(
    files: Files, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "é b.md").write_bytes(b"needle\n")
    monkeypatch.chdir(root)
    for directory in (str(root), f"{root}/", ".", "./", "sub/.."):
        hits = search_files(files, directory, "**/*.md", "needle")["matches"]
        assert len(hits) == 3
        for hit in hits:
            found = search_sections(files, hit["file_path"], "needle")
            assert hit["line"] in [m["line"] for m in found[0]["matches"]]


@pytest.mark.parametrize(
    ("limit", "used", "count", "truncated"),
    [
        pytest.param(1, 1, 1, True, id="one"),
        pytest.param(1000, 1000, 1000, True, id="the most"),
        pytest.param(5000, 1000, 1000, True, id="more than the most"),
    ],
)
def test_the_limit_is_clamped_and_reported(
    files: Files, root: Path, limit: int, used: int, count: int, truncated: bool
) -> None:
    (root / "many.md").write_bytes(b"needle\n" * 1001)
    answer = search_files(files, str(root), "many.md", "needle", limit=limit)
    assert (answer["limit"], len(answer["matches"])) == (used, count)
    assert answer["truncated"] is truncated


def test_files_that_cannot_be_searched_are_counted(files: Files, root: Path) -> None:
    outside = root.parent / "secret.md"
    outside.write_bytes(b"needle SECRET\n")
    (root / "link.md").symlink_to("../secret.md")
    (root / "latin.md").write_bytes(b"needle \xe9\n")
    (root / "large.md").write_bytes(b"needle\n" * 100)
    (root / "binary.md").write_bytes(b"needle\0\n")
    os.mkfifo(root / "pipe.md")
    (root / "latin.txt").write_bytes(b"\xe9\n")
    answer = search_files(files, str(root), "*.md", "needle", max_file_bytes=500)
    assert answer["skipped"] == 5
    assert "SECRET" not in str(answer)
    assert {hit["file_path"] for hit in answer["matches"]} == {f"{root}/guide.md"}


def test_a_link_inside_the_roots_is_searched(files: Files, root: Path) -> None:
    (root / "link.md").symlink_to("guide.md")
    answer = search_files(files, str(root), "link.md", "one needle")
    assert [hit["file_path"] for hit in answer["matches"]] == [f"{root}/link.md"]
    assert answer["skipped"] == 0


@pytest.mark.parametrize(
    "glob",
    [
        pytest.param("../**", id="up"),
        pytest.param("/**", id="from the top"),
        pytest.param("**/..", id="up at the end"),
        pytest.param("a/../../*", id="up in the middle"),
        pytest.param("", id="empty"),
    ],
)
def test_a_glob_that_is_no_relative_pattern_is_refused(
    files: Files, root: Path, glob: str
) -> None:
    (root.parent / "secret.md").write_bytes(b"needle\n")
    with pytest.raises(ArgumentError) as caught:
        search_files(files, str(root), glob, "needle")
    assert caught.value.argument == "glob"


def test_a_folder_outside_the_roots_is_refused(files: Files, root: Path) -> None:
    with pytest.raises(OutsideRootError):
        search_files(files, str(root.parent), "**/*", "needle")


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        pytest.param("limit", 0, id="no match"),
        pytest.param("limit", -1, id="fewer than no match"),
        pytest.param("max_file_bytes", 0, id="no byte"),
        pytest.param("scope", "all", id="no scope"),
    ],
)
def test_arguments_out_of_range_are_refused(
    files: Files, root: Path, argument: str, value: object
) -> None:
    with pytest.raises(ArgumentError) as caught:
        search_files(files, str(root), "*", "needle", **{argument: value})  # type: ignore[arg-type]
    assert caught.value.argument == argument


def test_a_bad_pattern_is_refused_before_anything_is_read(files: Files) -> None:
    with pytest.raises(PatternError):
        search_sections(files, "missing.md", "[")
    with pytest.raises(PatternError):
        search_files(files, "missing", "*", "(?b)(?:hello world){e<=8}")


def test_patterns_that_take_too_long_are_given_up(
    files: Files, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "PIECE_SECONDS", 0.3)
    (root / "victim.md").write_bytes(VICTIM.encode())
    with pytest.raises(PatternTimeoutError):
        search_sections(files, str(root / "victim.md"), HOSTILE)
    with pytest.raises(PatternTimeoutError):
        search_files(files, str(root), "*.md", HOSTILE)
    found = search_sections(files, str(root / "victim.md"), "^a+b$")
    assert found[0]["matches"] == [{"line": 1, "text": VICTIM}]


def test_a_change_of_a_file_is_seen_by_the_next_search(
    files: Files, root: Path
) -> None:
    for word in (b"first", b"other", b"third"):
        (root / "guide.md").write_bytes(b"needle " + word)
        hits = search_files(files, str(root), "*.md", "needle")["matches"]
        assert [hit["text"] for hit in hits] == [f"needle {word.decode()}"]
