"""The folders in memory: shared by callers, one lock each, the oldest forgotten."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from md_mcp.errors import OutsideRootError
from md_mcp.files import Files
from md_mcp.library import folders
from md_mcp.library.folders import MAX_FOLDERS, note_folder


@pytest.fixture
def two(tmp_path: Path) -> tuple[str, str]:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "note.md").write_bytes(b"# Note\n")
    return str(tmp_path / "a"), str(tmp_path / "b")


def test_callers_of_one_folder_share_what_is_known_of_it(two: tuple[str, str]) -> None:
    with note_folder(Files.open(), two[0]) as folder:
        first = folder
    with note_folder(Files.open(), f"{two[0]}/.") as folder:
        assert folder is first
        assert list(folder.links.notes) == ["note.md"]


def test_callers_with_other_roots_do_not(two: tuple[str, str]) -> None:
    with note_folder(Files.open(), two[0]) as folder:
        first = folder
    with note_folder(Files.open([two[0]]), two[0]) as folder:
        assert folder is not first
    with pytest.raises(OutsideRootError), note_folder(Files.open([two[1]]), two[0]):
        pass


def test_a_folder_in_use_does_not_hold_up_another(two: tuple[str, str]) -> None:
    answered = threading.Event()

    def ask() -> None:
        with note_folder(Files.open(), two[1]):
            answered.set()

    with note_folder(Files.open(), two[0]):
        thread = threading.Thread(target=ask)
        thread.start()
        assert answered.wait(10)
        thread.join()


def test_callers_of_one_folder_take_turns(two: tuple[str, str]) -> None:
    order: list[str] = []

    def ask() -> None:
        with note_folder(Files.open(), two[0]):
            order.append("second")

    with note_folder(Files.open(), two[0]):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join(0.1)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_the_least_recently_used_folder_is_forgotten(tmp_path: Path) -> None:
    files = Files.open()
    for number in range(MAX_FOLDERS + 1):
        (tmp_path / str(number)).mkdir()
        with note_folder(files, str(tmp_path / str(number))):
            pass
    known = {key[0] for key in folders._folders}
    assert len(known) <= MAX_FOLDERS
    assert str(tmp_path / "0") not in known
    assert str(tmp_path / str(MAX_FOLDERS)) in known
