"""Listing a folder of notes: what is in it, what is left out, and how rules change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from md_mcp.errors import FileMissingError, NotAFolderError, OutsideRootError
from md_mcp.files import FileIdentity, Files, IgnoreRules, Listing

EXTENSIONS = (".md", ".mdx")


@pytest.fixture
def notes(root: Path) -> Path:
    path = root / "notes"
    path.mkdir()
    return path


def write(path: Path, text: str = "x\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def listing(files: Files, folder: Path, rules: IgnoreRules | None = None) -> Listing:
    return files.list_notes(folder, EXTENSIONS, rules or IgnoreRules())


def test_notes_and_other_files_are_told_apart(notes: Path, files: Files) -> None:
    for name in ("a.md", "B.MD", "sub/c.mdx", "sub/d.png", ".e.md", "notes.txt"):
        write(notes / name)
    found = listing(files, notes)
    assert set(found.notes) == {"a.md", "B.MD", "sub/c.mdx", ".e.md"}
    assert found.others == {"sub/d.png", "notes.txt"}
    assert found.unlisted == set()


def test_a_note_comes_with_its_identity(notes: Path, files: Files) -> None:
    write(notes / "a.md")
    expected = FileIdentity.of((notes / "a.md").stat())
    assert listing(files, notes).notes == {"a.md": expected}


def test_some_folders_are_not_entered(notes: Path, files: Files) -> None:
    for name in (".git/a.md", ".x/a.md", "node_modules/a.md", "s/node_modules/a.md"):
        write(notes / name)
    found = listing(files, notes)
    assert (found.notes, found.others) == ({}, set())
    assert found.unlisted == {".git/", ".x/", "node_modules/", "s/node_modules/"}


def test_attachments_are_listed_but_hold_no_notes(notes: Path, files: Files) -> None:
    for name in ("ATTACHMENTS/a.png", "s/ATTACHMENTS/t/b.md", "attachments/c.md"):
        write(notes / name)
    found = listing(files, notes)
    assert set(found.notes) == {"attachments/c.md"}
    assert found.others == {"ATTACHMENTS/a.png", "s/ATTACHMENTS/t/b.md"}


@pytest.mark.parametrize(
    ("patterns", "ignored"),
    [
        pytest.param("b.md", {"b.md", "s/b.md", "s/t/b.md"}, id="a name anywhere"),
        pytest.param("/b.md", {"b.md"}, id="a name at the top"),
        pytest.param("s/", {"s/b.md", "s/t/b.md", "s/a.md"}, id="a folder"),
        pytest.param("s/**/b.md", {"s/b.md", "s/t/b.md"}, id="below a folder"),
        pytest.param("*.md\n!a.md", {"b.md", "s/b.md", "s/t/b.md"}, id="exceptions"),
        pytest.param("# b.md\n\n\\#x\n", set(), id="comments"),
        pytest.param("b.md  \r\n", {"b.md", "s/b.md", "s/t/b.md"}, id="blanks and CR"),
    ],
)
def test_a_gitignore_leaves_notes_out(
    notes: Path, files: Files, patterns: str, ignored: set[str]
) -> None:
    names = {"a.md", "b.md", "s/a.md", "s/b.md", "s/t/b.md"}
    for name in names:
        write(notes / name)
    write(notes / ".gitignore", patterns)
    assert set(listing(files, notes).notes) == names - ignored


def test_an_inner_gitignore_wins_over_an_outer_one(notes: Path, files: Files) -> None:
    for name in ("a.md", "s/a.md", "s/b.md"):
        write(notes / name)
    write(notes / ".gitignore", "a.md\n")
    write(notes / "s/.gitignore", "!a.md\nb.md\n")
    assert set(listing(files, notes).notes) == {"s/a.md"}


def test_an_ignored_note_still_exists(notes: Path, files: Files) -> None:
    write(notes / "a.md")
    write(notes / ".gitignore", "a.md\n")
    assert "a.md" in listing(files, notes).others


def test_rules_that_are_kept_follow_their_gitignore(notes: Path, files: Files) -> None:
    rules = IgnoreRules()
    write(notes / "s/a.md")
    assert set(listing(files, notes, rules).notes) == {"s/a.md"}
    write(notes / "s/.gitignore", "a.md\n")
    assert set(listing(files, notes, rules).notes) == set()
    write(notes / ".gitignore", "# nothing\n")
    assert set(listing(files, notes, rules).notes) == set()
    (notes / "s/.gitignore").unlink()
    assert set(listing(files, notes, rules).notes) == {"s/a.md"}


def test_links_are_not_followed(notes: Path, files: Files, outside: Path) -> None:
    write(outside / "secret.md")
    (notes / "link.md").symlink_to(outside / "secret.md")
    (notes / "folder").symlink_to(outside)
    found = listing(files, notes)
    assert found.notes == {}
    assert found.others == {"link.md", "folder"}
    assert "folder/" in found.unlisted


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_that_are_no_text_are_no_notes(notes: Path, files: Files) -> None:
    (notes / os.fsdecode(b"\xff.md")).write_bytes(b"x\n")
    assert listing(files, notes).notes == {}


def test_the_folder_must_be_one_below_the_roots(
    notes: Path, files: Files, outside: Path
) -> None:
    write(notes / "a.md")
    with pytest.raises(NotAFolderError):
        listing(files, notes / "a.md")
    with pytest.raises(FileMissingError):
        listing(files, notes / "missing")
    with pytest.raises(OutsideRootError):
        listing(files, outside)
