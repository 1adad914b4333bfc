from __future__ import annotations

import os
from pathlib import Path

import pytest

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.errors import BadPathError, OutsideRootError, ProtectedError, RootError
from md_mcp.files import Files


def make(folder: Path, text: bytes = b"# T\n") -> Path:
    folder.mkdir(parents=True)
    (folder / "a.md").write_bytes(text)
    return folder


def test_a_missing_root_is_named_and_the_others_work(tmp_path: Path) -> None:
    good = make(tmp_path / "good")
    files = Files.open([tmp_path / "gone", good])
    assert [problem.path for problem in files.roots.problems] == [
        str(tmp_path / "gone")
    ]
    assert files.roots.problems[0].code == "BAD_ROOT"
    assert files.read(good / "a.md").name == "a.md"


def test_a_root_that_is_a_file_is_a_problem(tmp_path: Path) -> None:
    good = make(tmp_path / "good")
    files = Files.open([good / "a.md", good])
    assert str(files.roots.problems[0]) == (
        f'the root "{good / "a.md"}" is not a folder. '
        "Create the folder, or correct the path, and start again."
    )


def test_roots_that_are_all_missing_are_an_error_and_not_no_limits(
    tmp_path: Path,
) -> None:
    with pytest.raises(RootError) as caught:
        Files.open([tmp_path / "gone", tmp_path / "lost"])
    assert caught.value.path == str(tmp_path / "gone")


def test_five_roots_one_inside_another_and_one_missing(tmp_path: Path) -> None:
    one, two, three = (make(tmp_path / name) for name in ("one", "two", "three"))
    inner = make(one / "inner", b"# Inner\n")
    files = Files.open([inner, one, two, tmp_path / "gone", three])
    assert files.roots.paths == (str(one), str(two), str(three))
    assert len(files.roots.problems) == 1
    for folder in (one, two, three):
        assert files.read(folder / "a.md").name == "a.md"


def test_a_file_in_two_roots_has_one_identity_and_one_name(tmp_path: Path) -> None:
    outer = make(tmp_path / "outer")
    inner = make(outer / "inner")
    files = Files.open([inner, outer])
    snapshots = [
        files.read(inner / "a.md"),
        files.read(outer / "inner" / "a.md"),
        files.read("a.md"),  # at the first root
    ]
    assert {snapshot.name for snapshot in snapshots} == {"inner/a.md"}
    assert len({snapshot.identity for snapshot in snapshots}) == 1
    assert len({id(snapshot.document) for snapshot in snapshots}) == 1


def test_one_may_step_from_an_inner_root_to_the_outer_one(tmp_path: Path) -> None:
    outer = make(tmp_path / "outer")
    inner = make(outer / "inner", b"# Inner\n")
    files = Files.open([inner, outer])
    assert files.read(f"{inner}/../a.md").name == "a.md"


def test_a_name_that_a_root_is_the_beginning_of_is_outside(tmp_path: Path) -> None:
    root, evil = make(tmp_path / "root"), make(tmp_path / "root-evil")
    files = Files.open([root])
    for path in (f"{root}-evil/a.md", str(evil / "a.md"), f"{root}/../root-evil/a.md"):
        with pytest.raises(OutsideRootError):
            files.read(path)


def test_a_root_given_through_a_link_is_known_by_both_paths(tmp_path: Path) -> None:
    real = make(tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    files = Files.open([tmp_path / "link"])
    assert files.roots.paths == (str(real),)
    assert files.read(tmp_path / "link" / "a.md").name == "a.md"
    assert files.read(real / "a.md").name == "a.md"


def test_a_relative_path_starts_at_the_current_directory_below_a_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make(tmp_path / "first")
    second = make(tmp_path / "second")
    make(second / "sub", b"# Sub\n")
    files = Files.open([first, second])
    monkeypatch.chdir(second / "sub")
    assert files.read("a.md").name == "sub/a.md"
    assert files.read("../a.md").document.text == "# T\n"
    with pytest.raises(OutsideRootError):
        files.read("../../first/a.md")


def test_a_relative_path_starts_at_the_first_root_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = make(tmp_path / "first", b"# 1\n"), make(tmp_path / "second")
    monkeypatch.chdir(tmp_path)
    files = Files.open([first, second])
    assert files.read("a.md").document.text == "# 1\n"


def test_a_relative_path_starts_at_the_first_root_when_the_directory_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, gone = make(tmp_path / "root"), make(tmp_path / "gone")
    monkeypatch.chdir(gone)
    (gone / "a.md").unlink()
    gone.rmdir()
    assert Files.open([root]).read("a.md").name == "a.md"
    monkeypatch.chdir(root)


def test_a_tilde_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make(tmp_path / "root")
    make(root / "~", b"# Tilde\n")
    monkeypatch.setenv("HOME", str(root))
    assert Files.open([root]).read("~/a.md").document.text == "# Tilde\n"


def test_without_roots_names_are_relative_to_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = make(tmp_path / "here"), make(tmp_path / "there")
    monkeypatch.chdir(here)
    files = Files.open()
    assert files.read("a.md").name == "a.md"
    assert files.read("../there/a.md").name == str(there / "a.md").lstrip("/")
    assert files.read(f"{'../' * 40}{str(here)[1:]}/a.md").name == "a.md"


def test_a_root_that_was_moved_and_made_again_is_the_one_at_the_path(
    tmp_path: Path,
) -> None:
    root = make(tmp_path / "root", b"# Old\n")
    files = Files.open([root])
    root.rename(tmp_path / "backup")
    make(tmp_path / "root", b"# New\n")
    assert files.read("a.md").document.text == "# New\n"


def test_a_link_that_takes_the_place_of_a_root_is_not_followed(
    tmp_path: Path,
) -> None:
    root, secret = make(tmp_path / "root"), make(tmp_path / "secret", b"# SECRET\n")
    files = Files.open([root])
    root.rename(tmp_path / "backup")
    root.symlink_to(secret)
    with pytest.raises(Exception, match="there is no"):
        files.read("a.md")


def test_the_whole_disk_can_be_a_root(tmp_path: Path) -> None:
    folder = make(tmp_path / "folder")
    files = Files.open(["/"])
    assert files.read(folder / "a.md").name == str(folder / "a.md").lstrip(os.sep)


def test_an_empty_root_is_a_problem_and_not_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(make(tmp_path / "here"))
    with pytest.raises(RootError, match='the root "" is empty'):
        Files.open([""])


@pytest.mark.parametrize("name", ["with\0nul", "x" * 300])
def test_a_root_that_no_folder_can_be_is_a_problem(tmp_path: Path, name: str) -> None:
    with pytest.raises(RootError, match="cannot be opened"):
        Files.open([f"{tmp_path}/{name}"])


def test_a_root_whose_name_is_not_text_works_for_relative_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        root = make(tmp_path / os.fsdecode(b"caf\xe9"))
    except OSError:
        pytest.skip("this file system keeps UTF-8 names only")
    assert Files.open([root]).read("a.md").name == "a.md"
    monkeypatch.chdir(root)
    assert Files.open().read("a.md").name == "a.md"


def test_without_roots_and_current_directory_a_relative_path_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must not start at the top of the disk."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(BadPathError, match="the current directory is gone"):
        Files.open().read("etc/hostname")
    monkeypatch.chdir(tmp_path)


def test_without_roots_version_control_data_is_protected_too(tmp_path: Path) -> None:
    data = make(tmp_path / ".git" / "notes", b"# Notes\n")

    def plan(document: Document) -> Edit:
        raise AssertionError("nothing should be planned")

    with pytest.raises(ProtectedError):
        Files.open().update(data / "a.md", plan)
