from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from md_mcp.document.model import Document
from md_mcp.errors import FileMissingError
from md_mcp.files import FileIdentity, Files, cache, reading
from md_mcp.files.cache import DocumentCache

LATER_NS = 10_000_000_000
"""By so much the clock is ahead in tests, so that files count as settled."""


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda now=time.time_ns: now() + LATER_NS)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the files whose bytes were read."""
    sizes: list[int] = []
    original = reading.read_bytes

    def count(fd: int, size: int, limit: int) -> bytes:
        sizes.append(size)
        return original(fd, size, limit)

    monkeypatch.setattr(reading, "read_bytes", count)
    return sizes


def identity(inode: int, size: int = 1) -> FileIdentity:
    return FileIdentity(1, inode, size, 1, 1)


@pytest.mark.usefixtures("later")
def test_an_unchanged_file_is_read_once(files: Files, reads: list[int]) -> None:
    first, second = files.read("a.md"), files.read("a.md")
    assert first.document is second.document
    assert first.revision == second.revision
    assert len(reads) == 1


@pytest.mark.usefixtures("later")
def test_all_names_of_a_file_share_its_document(
    files: Files, root: Path, reads: list[int]
) -> None:
    (root / "link.md").symlink_to("a.md")
    assert files.read("a.md").document is files.read("link.md").document
    assert len(reads) == 1


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize("how", ["rewritten", "replaced", "same size", "old time"])
def test_a_changed_file_is_read_again(files: Files, root: Path, how: str) -> None:
    path = root / "a.md"
    old = files.read("a.md")
    status = path.stat()
    data = path.read_bytes()
    if how == "rewritten":
        path.write_bytes(b"# New\n")
    elif how == "replaced":
        (root / "b.md").write_bytes(b"# New\n")
        (root / "b.md").replace(path)
    else:
        path.write_bytes(data.replace(b"one", b"uno"))
    if how == "old time":
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    new = files.read("a.md")
    assert new.document.text.encode() == path.read_bytes()
    assert new.revision != old.revision


def test_a_file_changed_a_moment_ago_is_compared_and_its_document_kept(
    files: Files, reads: list[int]
) -> None:
    """A second change within one tick of the clock would not show in the times."""
    first, second = files.read("a.md"), files.read("a.md")
    assert first.document is second.document
    assert len(reads) == 2


def test_a_change_within_one_tick_is_seen(
    files: Files, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The times are frozen, as on a file system whose clock did not tick."""
    files.read("a.md")
    frozen = (root / "a.md").stat()
    (root / "a.md").write_bytes(b"X" * frozen.st_size)

    def of(status: os.stat_result) -> FileIdentity:
        return FileIdentity(
            status.st_dev,
            status.st_ino,
            status.st_size,
            frozen.st_mtime_ns,
            frozen.st_ctime_ns,
        )

    monkeypatch.setattr(FileIdentity, "of", of)
    assert files.read("a.md").document.text == "X" * frozen.st_size


@pytest.mark.usefixtures("later")
def test_a_removed_file_does_not_live_on_in_the_cache(files: Files, root: Path) -> None:
    files.read("a.md")
    (root / "a.md").unlink()
    with pytest.raises(FileMissingError):
        files.read("a.md")


@pytest.mark.parametrize(
    ("changed_ns", "now_ns", "settled"),
    [
        (1_000_000_001, 1_000_000_001, False),
        (1_000_000_001, 1_050_000_001, False),
        (1_000_000_001, 1_050_000_002, True),
        (1_000_000_000, 1_050_000_002, False),  # perhaps whole seconds only
        (1_000_000_000, 3_000_000_001, True),
        (9_000_000_001, 1_000_000_000, False),  # a time to come
    ],
)
def test_times_are_trusted_after_a_tick(
    changed_ns: int, now_ns: int, settled: bool
) -> None:
    assert FileIdentity(1, 1, 1, 0, changed_ns).is_settled(now_ns) is settled
    assert FileIdentity(1, 1, 1, changed_ns, 0).is_settled(now_ns) is settled


def test_the_least_recently_used_goes_first() -> None:
    documents = DocumentCache()
    for inode in range(cache.MAX_ENTRIES):
        documents.store(identity(inode), Document(f"{inode}"), b"", 0)
    assert documents.find(identity(0)) is not None
    documents.store(identity(1000), Document("new"), b"", 0)
    assert documents.find(identity(0)) is not None
    assert documents.find(identity(1)) is None
    assert documents.find(identity(2)) is not None


def test_the_text_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "é" * 10_000
    monkeypatch.setattr(cache, "MAX_TEXT_BYTES", 3 * sys.getsizeof(text))
    documents = DocumentCache()
    for inode in range(5):
        documents.store(identity(inode), Document(text), b"", 0)
    kept = [inode for inode in range(5) if documents.find(identity(inode))]
    assert kept == [2, 3, 4]


def test_a_text_larger_than_the_cache_drives_nothing_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "MAX_TEXT_BYTES", 1000)
    documents = DocumentCache()
    documents.store(identity(1), Document("small"), b"", 0)
    documents.store(identity(2), Document("x" * 2000), b"", 0)
    assert documents.find(identity(1)) is not None
    assert documents.find(identity(2)) is None


def test_a_file_counts_once_however_often_it_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "MAX_TEXT_BYTES", 5000)
    documents = DocumentCache()
    documents.store(identity(1), Document("first"), b"", 0)
    for size in range(100):
        documents.store(identity(2, size), Document("x" * 2000), b"", 0)
    assert documents.find(identity(1)) is not None
    assert documents.find(identity(2, 98)) is None
    assert documents.find(identity(2, 99)) is not None
