from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from md_mcp.files import Files
from md_mcp.files import contents as module
from md_mcp.files.contents import ContentCache
from md_mcp.files.reading import FileIdentity

SETTLED = 10**18


def identity(inode: int, size: int = 1, changed: int = SETTLED + 1) -> FileIdentity:
    return FileIdentity(1, inode, size, changed, changed)


def later(seconds: float = 60) -> int:
    return SETTLED + int(seconds * 1e9)


def test_content_is_found_for_the_state_it_was_read_in() -> None:
    cache = ContentCache()
    cache.store(identity(1), b"one", later())
    assert cache.find(identity(1)) == b"one"
    assert cache.find(identity(2)) is None
    assert cache.find(identity(1, changed=SETTLED + 2)) is None


def test_content_of_a_file_that_just_changed_is_not_kept() -> None:
    cache = ContentCache()
    cache.store(identity(1, changed=later()), b"two", later(0.01))
    assert cache.find(identity(1, changed=later())) is None


def test_what_was_read_first_is_dropped_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 2000)
    cache = ContentCache()
    for inode in (1, 2, 3, 1, 4):
        cache.store(identity(inode), b"x" * 100, later())
    kept = [inode for inode in (1, 2, 3, 4) if cache.find(identity(inode))]
    assert kept == [1, 3, 4]


def make(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    old = time.time() - 60
    os.utime(path, (old, old))


def test_a_walk_gives_text_and_counts_what_is_none(tmp_path: Path) -> None:
    make(tmp_path / "a.md", b"a\n")
    make(tmp_path / "b.md", b"\xff\n")
    make(tmp_path / "c.md", b"\0\n")
    make(tmp_path / "d.md", b"d" * 11)
    make(tmp_path / "e.md", b"\xc3\xa9\n")
    files = Files.open([tmp_path])
    for cache in (None, ContentCache()):
        for _ in range(2):
            walk = files.walk(tmp_path, "*.md")
            found = [(file.path, data) for file, data in walk.contents(10, cache)]
            assert found == [("a.md", b"a\n"), ("e.md", b"\xc3\xa9\n")]
            assert walk.skipped == {"NOT_UTF8": 1, "BINARY_FILE": 1, "TOO_LARGE": 1}


def test_what_the_cache_has_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # ctime cannot be set, so the file counts as changed only long ago for the test.
    monkeypatch.setattr(FileIdentity, "is_settled", lambda *_: True)
    make(tmp_path / "a.md", b"one\n")
    files, cache = Files.open([tmp_path]), ContentCache()

    def read() -> list[bytes]:
        return [data for _, data in files.walk(tmp_path, "*").contents(cache=cache)]

    first = read()
    assert first == [b"one\n"]
    assert read()[0] is first[0]
    make(tmp_path / "a.md", b"other\n")
    assert read() == [b"other\n"]
