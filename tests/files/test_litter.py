from __future__ import annotations

import errno
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.files import Files
from md_mcp.files.folder import Folder
from md_mcp.files.litter import sweep

Swap = Callable[[str, str], Callable[[Document], Edit]]
Listing = Callable[[], list[str]]

LITTER = ".md-mcp-0123456789abcdef.tmp"
LOOK_ALIKE = ".md-mcp-notes.tmp"


@pytest.fixture
def messy(root: Path) -> Path:
    """The root with litter, and with names that only look like litter."""
    (root / LITTER).write_bytes(b"half")
    (root / LOOK_ALIKE).write_bytes(b"kept")
    return root


def run(path: Path, *, exclusive: bool) -> None:
    with Folder.at(str(path)) as directory, directory.readable() as readable:
        sweep(readable, exclusive=exclusive)


def test_an_update_removes_what_a_killed_process_left(
    messy: Path, swap: Swap, listing: Listing
) -> None:
    Files.open([messy]).update("a.md", swap("one", "1"))
    assert listing() == [LOOK_ALIKE, "a.md"]


def test_reading_and_dry_runs_remove_nothing(
    messy: Path, swap: Swap, listing: Listing
) -> None:
    files = Files.open([messy])
    files.read("a.md")
    files.update("a.md", swap("one", "1"), dry_run=True)
    assert listing() == [LITTER, LOOK_ALIKE, "a.md"]


def test_under_a_lock_that_all_processes_see_young_litter_is_litter(
    messy: Path, listing: Listing
) -> None:
    run(messy, exclusive=True)
    assert listing() == [LOOK_ALIKE, "a.md"]


@pytest.mark.parametrize(("age", "left"), [(3500, True), (3700, False)])
def test_without_such_a_lock_litter_goes_after_an_hour(
    messy: Path,
    listing: Listing,
    monkeypatch: pytest.MonkeyPatch,
    age: float,
    left: bool,
) -> None:
    now = time.time() + age
    monkeypatch.setattr(time, "time", lambda: now)
    run(messy, exclusive=False)
    assert (LITTER in listing()) is left


def test_a_folder_that_cannot_be_listed_does_not_stop_an_edit(
    messy: Path, swap: Swap, monkeypatch: pytest.MonkeyPatch, listing: Listing
) -> None:
    def refuse(self: Folder) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Folder, "scan", refuse)
    assert Files.open([messy]).update("a.md", swap("one", "1")).changed
    assert listing() == [LITTER, LOOK_ALIKE, "a.md"]


def test_folders_and_links_of_such_a_name_stay(
    root: Path, outside: Path, listing: Listing
) -> None:
    (root / LITTER).mkdir()
    other = LITTER.replace("0", "f")
    (root / other).symlink_to(outside / "s.md")
    run(root, exclusive=True)
    assert listing() == [LITTER, other, "a.md"]
    assert (outside / "s.md").exists()


def test_a_folder_is_swept_once_a_minute(
    messy: Path, swap: Swap, monkeypatch: pytest.MonkeyPatch, listing: Listing
) -> None:
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    files = Files.open([messy])
    files.update("a.md", swap("one", "1"))
    (messy / LITTER).write_bytes(b"half")
    files.update("a.md", swap("1", "one"))
    assert LITTER in listing()
    now += 61
    files.update("a.md", swap("one", "1"))
    assert LITTER not in listing()
