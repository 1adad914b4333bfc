from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from md_mcp.errors import (
    BinaryFileError,
    FileMissingError,
    NotAFileError,
    NotUtf8Error,
    TooLargeError,
    UnreadableError,
    UnsettledFileError,
)
from md_mcp.files import Files, reading
from md_mcp.files.folder import Folder
from md_mcp.files.reading import read_place
from md_mcp.files.resolve import resolve

LIMIT = 64 * 1024 * 1024


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    os.chdir(path.parent)  # the address of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


def make_folder(path: Path) -> None:
    path.mkdir()


def make_device_link(path: Path) -> None:
    path.symlink_to("/dev/null")


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (make_fifo, "a FIFO"),
        (make_socket, "a socket"),
        (make_folder, "a folder"),
        (make_device_link, "a character device"),
    ],
)
def test_special_files_are_refused_at_once(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], None],
    kind: str,
) -> None:
    monkeypatch.chdir(root)
    make(root / "x.md")
    opened: list[str] = []
    monkeypatch.setattr(Folder, "open_file", lambda self, name: opened.append(name))
    with pytest.raises(NotAFileError) as caught:
        Files.open().read(root / "x.md")
    assert (caught.value.code, caught.value.kind) == ("NOT_A_FILE", kind)
    assert opened == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs on this system")
def test_a_fifo_that_takes_a_files_place_does_not_hang(
    files: Files, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Folder.open_file

    def swap_then_open(self: Folder, name: str) -> int:
        (root / "a.md").unlink()
        os.mkfifo(root / "a.md")
        return original(self, name)

    monkeypatch.setattr(Folder, "open_file", swap_then_open)
    with pytest.raises(NotAFileError):
        files.read("a.md")


def test_a_link_that_takes_a_files_place_is_not_followed(
    files: Files, root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Folder.open_file

    def swap_then_open(self: Folder, name: str) -> int:
        (root / "a.md").unlink()
        (root / "a.md").symlink_to(outside / "s.md")
        return original(self, name)

    monkeypatch.setattr(Folder, "open_file", swap_then_open)
    with pytest.raises(UnsettledFileError):
        files.read("a.md")


def test_a_file_that_vanishes_meanwhile_is_missing(
    files: Files, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Folder.open_file

    def remove_then_open(self: Folder, name: str) -> int:
        (root / "a.md").unlink()
        return original(self, name)

    monkeypatch.setattr(Folder, "open_file", remove_then_open)
    with pytest.raises(FileMissingError):
        files.read("a.md")


def test_a_sparse_gigabyte_is_refused_unread(
    files: Files, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (root / "big.md").open("wb") as file:
        file.truncate(1024**3)
    monkeypatch.setattr(reading, "read_bytes", None)
    with pytest.raises(TooLargeError) as caught:
        files.read("big.md")
    assert (caught.value.code, caught.value.size, caught.value.limit) == (
        "TOO_LARGE",
        1024**3,
        LIMIT,
    )


def test_the_limit_itself_is_allowed(files: Files, root: Path) -> None:
    (root / "x.md").write_bytes(b"0123456789")
    with resolve(files.roots, "x.md") as place:
        assert read_place(place, 10).data == b"0123456789"
    (root / "x.md").write_bytes(b"0123456789-")
    with resolve(files.roots, "x.md") as place, pytest.raises(TooLargeError):
        read_place(place, 10)


def test_a_file_that_grows_while_it_is_read_stays_bounded(
    files: Files, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each read finds a chunk more, as with a log that is written very fast."""
    original, taken = os.read, 0

    def read_and_grow(fd: int, size: int) -> bytes:
        nonlocal taken
        with (root / "log.md").open("ab") as file:
            file.write(b"x" * 300_000)
        data = original(fd, size)
        taken += len(data)
        return data

    (root / "log.md").write_bytes(b"# Log\n")
    with resolve(files.roots, "log.md") as place:
        monkeypatch.setattr(os, "read", read_and_grow)
        with pytest.raises(TooLargeError) as caught:
            read_place(place, 2_000_000)
    assert caught.value.limit < caught.value.size < 2_000_000 + 1_048_576
    assert taken < 2_000_000 + 1_048_576


def test_a_file_that_changes_while_it_is_read_is_read_again(
    files: Files, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, rewritten = os.read, False

    def read_and_rewrite(fd: int, size: int) -> bytes:
        nonlocal rewritten
        data = original(fd, size)
        if not rewritten:
            rewritten = True
            (root / "a.md").write_bytes(b"# Rewritten in place\n")
        return data

    monkeypatch.setattr(os, "read", read_and_rewrite)
    assert files.read("a.md").document.text == "# Rewritten in place\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_file_that_claims_to_be_empty_is_read_to_its_end() -> None:
    snapshot = Files.open().read("/proc/self/status")
    assert snapshot.identity.size == 0
    assert snapshot.document.text.startswith("Name:\t")


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"\0", 0),
        (b"# T\n\0", 4),
        (b"x" * 8191 + b"\0", 8191),
        ("# Titel\n".encode("utf-16"), 3),
        (b"\xff\0", 1),
    ],
)
def test_a_nul_near_the_start_makes_a_file_binary(
    files: Files, root: Path, data: bytes, offset: int
) -> None:
    (root / "x.md").write_bytes(data)
    with pytest.raises(BinaryFileError) as caught:
        files.read("x.md")
    assert (caught.value.code, caught.value.offset) == ("BINARY_FILE", offset)


def test_a_nul_later_on_is_text(files: Files, root: Path) -> None:
    data = b"x" * 8192 + b"\0\n"
    (root / "x.md").write_bytes(data)
    assert files.read("x.md").document.text.encode() == data


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"# T\n\xff", 4),
        (b"\xc3", 0),
        (b"ok \xed\xa0\x80", 3),
        (b"\xc0\x80", 0),
        (b"x" * 100_000 + b"\x80", 100_000),
    ],
)
def test_other_bytes_than_utf8_are_refused_with_the_offset(
    files: Files, root: Path, data: bytes, offset: int
) -> None:
    (root / "x.md").write_bytes(data)
    with pytest.raises(NotUtf8Error) as caught:
        files.read("x.md")
    assert (caught.value.path, caught.value.offset) == ("x.md", offset)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\xef\xbb\xbf# BOM\r\n",
        b"lone\rreturns\r",
        b"no final newline",
        "VT\x0b FF\x0c NEL\x85 LS\u2028 astral 😀\n".encode(),
    ],
)
def test_a_snapshot_holds_every_byte(files: Files, root: Path, data: bytes) -> None:
    (root / "x.md").write_bytes(data)
    assert files.read("x.md").document.text.encode() == data


def test_the_revision_can_be_computed_by_anyone(files: Files, root: Path) -> None:
    """As `printf 'abc' | sha256sum | cut -c1-12` does."""
    (root / "x.md").write_bytes(b"abc")
    assert files.read("x.md").revision == "ba7816bf8f01"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_named(files: Files, root: Path) -> None:
    (root / "a.md").chmod(0o000)
    with pytest.raises(UnreadableError, match="Permission denied"):
        files.read("a.md")
