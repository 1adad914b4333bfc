"""How a file is replaced: in one step, with all that belongs to it, or not at all."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.errors import (
    DiskFullError,
    FileError,
    FileMissingError,
    ReadOnlyError,
    UnsettledFileError,
    WriteFailedError,
)
from md_mcp.files import Files, exchange, replace
from md_mcp.files.attributes import copy_attributes
from md_mcp.files.folder import Folder

Swap = Callable[[str, str], Callable[[Document], Edit]]
Listing = Callable[[], list[str]]

GUIDE = "# Guide\n\n## Alpha\n\none\n\n## Beta\n\ntwo\n"

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def save(path: Path, text: str) -> None:
    """Save as editors do: a temporary file, renamed."""
    saved = path.with_name("editor-temporary")
    saved.write_bytes(text.encode())
    saved.replace(path)


# --- what belongs to a file -----------------------------------------------------------


@pytest.mark.parametrize("mode", [0o640, 0o600, 0o644, 0o755, 0o666, 0o604, 0o2640])
def test_the_mode_is_kept_whatever_the_umask(
    files: Files, root: Path, swap: Swap, mode: int
) -> None:
    (root / "a.md").chmod(mode)
    before = os.umask(0o077)
    try:
        files.update("a.md", swap("one", "1"))
    finally:
        os.umask(before)
    assert (root / "a.md").stat().st_mode & 0o7777 == mode


@as_root
def test_owner_and_group_are_kept_in_a_setgid_folder_too(
    files: Files, root: Path, swap: Swap
) -> None:
    os.chown(root, 0, 4321)
    root.chmod(0o2755)
    os.chown(root / "a.md", 1234, 2345)
    (root / "a.md").chmod(0o640)
    done = files.update("a.md", swap("one", "1"))
    status = (root / "a.md").stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (
        1234,
        2345,
        0o640,
    )
    assert done.warnings == ()


def test_an_owner_that_cannot_be_kept_is_named(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(fd: int, uid: int, gid: int) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    monkeypatch.setattr(os, "fchown", refuse)
    own = (root / "a.md").stat()
    values = list(own)
    values[4], values[5] = own.st_uid + 7, own.st_gid + 8
    with (root / "a.md").open("rb") as source, (root / "b.md").open("wb") as target:
        lost = copy_attributes(source.fileno(), os.stat_result(values), target.fileno())
    assert lost == [
        f"group {own.st_gid + 8} became {own.st_gid}",
        f"owner {own.st_uid + 7} became {own.st_uid}",
    ]


def test_a_mode_that_the_file_system_does_not_know_is_named(
    files: Files, root: Path, swap: Swap, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(fd: int, mode: int) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    (root / "a.md").chmod(0o640)
    monkeypatch.setattr(os, "fchmod", refuse)
    done = files.update("a.md", swap("one", "1"))
    assert done.warnings == ("mode 640 became 600",)


@pytest.fixture
def extended(root: Path) -> Path:
    """The file with an attribute of its own; skips where there are none."""
    if not hasattr(os, "setxattr"):
        pytest.skip("no extended attributes on this system")
    try:
        os.setxattr(root / "a.md", "user.note", b"kept \0 whole")
    except OSError as error:
        pytest.skip(f"no extended attributes here: {error}")
    return root / "a.md"


def test_extended_attributes_are_kept(files: Files, extended: Path, swap: Swap) -> None:
    assert files.update("a.md", swap("one", "1")).warnings == ()
    assert os.getxattr(extended, "user.note") == b"kept \0 whole"


@pytest.mark.usefixtures("extended")
def test_an_attribute_that_cannot_be_kept_is_named(
    files: Files, swap: Swap, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(fd: int, name: str, value: bytes) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    monkeypatch.setattr(os, "setxattr", refuse)
    done = files.update("a.md", swap("one", "1"))
    assert done.warnings == ("the extended attribute user.note was lost",)


def acl(*entries: tuple[int, int, int]) -> bytes:
    """Return an access control list as the kernel stores it: tag, bits, id."""
    from struct import pack

    return pack("<I", 2) + b"".join(pack("<HHI", *entry) for entry in entries)


NOBODY_READS = acl(
    (1, 6, 0xFFFFFFFF),  # owner rw-
    (2, 4, 65534),  # user 65534 r--
    (4, 0, 0xFFFFFFFF),  # group ---
    (16, 4, 0xFFFFFFFF),  # mask r--
    (32, 0, 0xFFFFFFFF),  # other ---
)


@pytest.mark.usefixtures("extended")
def test_an_access_control_list_is_kept(files: Files, root: Path, swap: Swap) -> None:
    name = "system.posix_acl_access"
    try:
        os.setxattr(root / "a.md", name, NOBODY_READS)
    except OSError as error:
        pytest.skip(f"no access control lists here: {error}")
    files.update("a.md", swap("one", "1"))
    assert os.getxattr(root / "a.md", name) == NOBODY_READS
    assert (root / "a.md").stat().st_mode & 0o777 == 0o640


@pytest.mark.usefixtures("extended")
def test_a_list_that_the_folder_would_pass_on_is_not_added(
    files: Files, root: Path, swap: Swap
) -> None:
    try:
        os.setxattr(root, "system.posix_acl_default", NOBODY_READS)
    except OSError as error:
        pytest.skip(f"no access control lists here: {error}")
    (root / "a.md").chmod(0o644)
    files.update("a.md", swap("one", "1"))
    assert os.listxattr(root / "a.md") == ["user.note"]
    assert (root / "a.md").stat().st_mode & 0o777 == 0o644


def test_a_name_of_255_bytes_is_no_problem(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    name = "é" * 126 + ".md"
    assert len(name.encode()) == 255
    (root / name).write_bytes(GUIDE.encode())
    files.update(name, swap("one", "1"))
    assert (root / name).read_bytes() == GUIDE.replace("one", "1").encode()
    assert listing() == ["a.md", name]


# --- what must not be written ---------------------------------------------------------


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o464])
def test_a_write_protected_file_is_refused_to_root_too(
    files: Files, root: Path, swap: Swap, listing: Listing, mode: int
) -> None:
    (root / "a.md").chmod(mode)
    with pytest.raises(ReadOnlyError) as caught:
        files.update("a.md", swap("one", "1"))
    assert (caught.value.code, caught.value.reason) == (
        "READ_ONLY",
        "the file is write-protected",
    )
    assert (root / "a.md").read_bytes() == GUIDE.encode()
    assert listing() == ["a.md"]


def test_a_write_protected_folder_is_refused_to_root_too(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    root.chmod(0o555)
    try:
        with pytest.raises(ReadOnlyError) as caught:
            files.update("a.md", swap("one", "1"))
    finally:
        root.chmod(0o755)
    assert caught.value.reason == "its folder is write-protected"
    assert (root / "a.md").read_bytes() == GUIDE.encode()
    assert listing() == ["a.md"]


@pytest.fixture
def flag() -> Iterator[Callable[[Path, str], None]]:
    """Set file flags such as +i, which even root must obey; clear them at the end."""
    if shutil.which("chattr") is None or os.geteuid() != 0:
        pytest.skip("needs root and chattr")
    flagged: list[tuple[Path, str]] = []

    def change(path: Path, sign: str, name: str) -> bool:
        command = ["chattr", sign + name, str(path)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def set_flag(path: Path, name: str) -> None:
        if not change(path, "+", name):
            pytest.skip("this file system has no such flags")
        flagged.append((path, name))

    yield set_flag
    for path, name in flagged:
        change(path, "-", name)


@pytest.mark.parametrize(("of", "name"), [("a.md", "i"), ("a.md", "a"), (".", "i")])
def test_an_immutable_or_append_only_file_is_read_only(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    flag: Callable[[Path, str], None],
    of: str,
    name: str,
) -> None:
    flag(root / of, name)
    with pytest.raises(ReadOnlyError):
        files.update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes() == GUIDE.encode()
    assert listing() == ["a.md"]


# --- no room --------------------------------------------------------------------------


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Make a system call fail with an error number."""

    def install(name: str, number: int) -> None:
        def call(*_: object, **__: object) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, name, call)

    return install


@pytest.mark.parametrize("name", ["write", "fsync", "fchmod"])
@pytest.mark.parametrize(
    ("number", "error"),
    [
        (errno.ENOSPC, DiskFullError),
        (errno.EDQUOT, DiskFullError),
        (errno.EFBIG, DiskFullError),
        (errno.EROFS, ReadOnlyError),
        (errno.EIO, WriteFailedError),
    ],
)
def test_a_failure_before_the_commit_leaves_the_old_file_and_no_litter(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    fail: Callable[[str, int], None],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    number: int,
    error: type[FileError],
) -> None:
    with monkeypatch.context():
        fail(name, number)
        with pytest.raises(error) as caught:
            files.update("a.md", swap("one", "1"))
    monkeypatch.undo()
    assert type(caught.value) is error
    assert (root / "a.md").read_bytes() == GUIDE.encode()
    assert listing() == ["a.md"]
    assert files.update("a.md", swap("one", "1")).changed


def test_a_file_size_limit_is_a_full_disk_and_the_next_edit_works(
    files: Files, root: Path, swap: Swap, listing: Listing
) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(DiskFullError) as caught:
            files.update("a.md", swap("one", "x" * 100_000))
        assert files.update("a.md", swap("one", "1")).changed
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (caught.value.code, caught.value.reason) == ("DISK_FULL", "File too large")
    assert (root / "a.md").read_bytes() == GUIDE.replace("one", "1").encode()
    assert listing() == ["a.md"]


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 512 KB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("needs root to mount a small file system")
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting is not allowed here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_disk_that_is_nearly_full(tiny_disk: Path, swap: Swap) -> None:
    (tiny_disk / "a.md").write_bytes(GUIDE.encode())
    ballast = tiny_disk / "ballast"
    ballast.write_bytes(b"x" * 450_000)
    files = Files.open([tiny_disk])
    with pytest.raises(DiskFullError, match="No space left"):
        files.update("a.md", swap("one", "x" * 200_000))
    assert (tiny_disk / "a.md").read_bytes() == GUIDE.encode()
    assert sorted(path.name for path in tiny_disk.iterdir()) == ["a.md", "ballast"]
    ballast.unlink()
    files.update("a.md", swap("one", "x" * 200_000))
    assert (tiny_disk / "a.md").stat().st_size == len(GUIDE) + 200_000 - 3


def test_a_file_that_is_a_mount_point_is_refused_with_the_way_out(
    files: Files, root: Path, tmp_path: Path, swap: Swap, listing: Listing
) -> None:
    """As containers have it when a single file is mounted."""
    (tmp_path / "other.md").write_bytes(GUIDE.encode())
    mount = ["mount", "--bind", str(tmp_path / "other.md"), str(root / "a.md")]
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("needs root to mount a file")
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting is not allowed here")
    try:
        with pytest.raises(WriteFailedError, match="Mount its folder instead"):
            files.update("a.md", swap("one", "1"))
        assert (root / "a.md").read_bytes() == GUIDE.encode()
        assert listing() == ["a.md"]
    finally:
        subprocess.run(["umount", str(root / "a.md")], check=True)


# --- exchanging names -----------------------------------------------------------------


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let others act right before each exchange, after everything was checked."""

    def install(*acts: Callable[[], object]) -> None:
        left = list(acts)

        def exchange_late(folder: Folder, one: str, other: str) -> bool:
            if left:
                left.pop(0)()
            return exchange.exchange(folder, one, other)

        monkeypatch.setattr(replace, "exchange", exchange_late)

    return install


@pytest.fixture
def exchanges(tmp_path: Path) -> None:
    """Skip where names cannot be exchanged."""
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(name.encode())
    with Folder.at(str(tmp_path)) as folder:
        if not exchange.exchange(folder, "one", "two"):
            pytest.skip("this system cannot exchange names")
    assert (tmp_path / "one").read_bytes() == b"two"


@pytest.mark.usefixtures("exchanges")
def test_a_save_at_the_last_moment_is_put_back_and_the_edit_applied_to_it(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    between: Callable[..., None],
) -> None:
    newer = GUIDE.replace("two", "2")
    between(lambda: save(root / "a.md", newer))
    files.update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes().decode() == newer.replace("one", "1")
    assert listing() == ["a.md"]


@pytest.mark.usefixtures("exchanges")
def test_a_change_in_place_at_the_last_moment_is_put_back_too(
    files: Files, root: Path, swap: Swap, between: Callable[..., None]
) -> None:
    newer = GUIDE.replace("two", "zwo")
    between(lambda: (root / "a.md").write_bytes(newer.encode()))
    files.update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes().decode() == newer.replace("one", "1")


@pytest.mark.usefixtures("exchanges")
def test_saves_that_come_while_one_is_put_back_win(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    between: Callable[..., None],
) -> None:
    texts = [GUIDE.replace("two", str(number)) for number in range(5)]
    between(*(lambda text=text: save(root / "a.md", text) for text in texts))
    files.update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes().decode() == texts[-1].replace("one", "1")
    assert listing() == ["a.md"]


@pytest.mark.usefixtures("exchanges")
def test_a_file_removed_at_the_last_moment_does_not_come_back(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    between: Callable[..., None],
) -> None:
    between((root / "a.md").unlink)
    with pytest.raises(FileMissingError):
        files.update("a.md", swap("one", "1"))
    assert listing() == []


@pytest.mark.usefixtures("exchanges")
def test_a_folder_put_in_the_files_place_at_the_last_moment_stays(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    between: Callable[..., None],
) -> None:
    def replace_by_folder() -> None:
        (root / "a.md").unlink()
        (root / "a.md").mkdir()

    between(replace_by_folder)
    with pytest.raises(FileError) as caught:
        files.update("a.md", swap("one", "1"))
    assert caught.value.code == "NOT_A_FILE"
    assert (root / "a.md").is_dir()
    assert listing() == ["a.md"]


@pytest.mark.usefixtures("exchanges")
def test_a_link_put_in_the_files_place_at_the_last_moment_stays(
    files: Files,
    root: Path,
    outside: Path,
    swap: Swap,
    listing: Listing,
    between: Callable[..., None],
) -> None:
    def replace_by_link() -> None:
        (root / "a.md").unlink()
        (root / "a.md").symlink_to(outside / "s.md")

    between(replace_by_link)
    with pytest.raises(UnsettledFileError):
        files.update("a.md", swap("one", "1"))
    assert (root / "a.md").is_symlink()
    assert (outside / "s.md").read_bytes() == b"# Outside\n\nSECRET\n"
    assert listing() == ["a.md"]


@pytest.mark.parametrize(
    "number", [errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM]
)
def test_without_exchange_a_plain_rename_does_it(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    no_exchange: Callable[[int], None],
    number: int,
) -> None:
    no_exchange(number)
    assert files.update("a.md", swap("one", "1")).changed
    assert (root / "a.md").read_bytes() == GUIDE.replace("one", "1").encode()
    assert listing() == ["a.md"]


def test_without_exchange_a_save_before_the_commit_is_still_seen(
    files: Files, root: Path, swap: Swap, no_exchange: Callable[[int], None]
) -> None:
    no_exchange(errno.EINVAL)
    newer = GUIDE.replace("two", "2")
    left = [newer]
    check = lambda: save(root / "a.md", left.pop()) if left else None  # noqa: E731
    files.with_check(check).update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes().decode() == newer.replace("one", "1")


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_an_exchange_that_fails_otherwise_is_an_error_and_leaves_nothing(
    files: Files,
    root: Path,
    swap: Swap,
    listing: Listing,
    no_exchange: Callable[[int], None],
    number: int,
) -> None:
    no_exchange(number)
    with pytest.raises((WriteFailedError, DiskFullError)):
        files.update("a.md", swap("one", "1"))
    assert (root / "a.md").read_bytes() == GUIDE.encode()
    assert listing() == ["a.md"]


def test_without_the_call_the_fallback_works(
    files: Files, root: Path, swap: Swap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "_renameat2", lambda: None)
    assert files.update("a.md", swap("one", "1")).changed
    assert (root / "a.md").read_bytes() == GUIDE.replace("one", "1").encode()


def test_a_failure_after_the_commit_is_a_warning(
    files: Files, root: Path, swap: Swap, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, calls = os.fsync, []

    def second_fails(fd: int) -> None:
        calls.append(fd)
        if len(calls) == 2:
            raise OSError(errno.EIO, "Input/output error")
        original(fd)

    monkeypatch.setattr(os, "fsync", second_fails)
    done = files.update("a.md", swap("one", "1"))
    assert done.warnings == (
        "the folder could not be flushed to the disk: Input/output error",
    )
    assert (root / "a.md").read_bytes() == GUIDE.replace("one", "1").encode()


def test_the_bytes_and_the_attributes_reach_the_disk_before_the_name_changes(
    files: Files, root: Path, swap: Swap, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a.md").chmod(0o640)
    events: list[str] = []
    for name in ("write", "fchmod", "fsync", "unlink"):
        original = getattr(os, name)

        def record(
            *args: Any, name: str = name, call: Any = original, **keywords: Any
        ) -> Any:
            events.append(name)
            return call(*args, **keywords)

        monkeypatch.setattr(os, name, record)

    def record_exchange(folder: Folder, one: str, other: str) -> bool:
        events.append("exchange")
        return exchange.exchange(folder, one, other)

    monkeypatch.setattr(replace, "exchange", record_exchange)
    files.update("a.md", swap("one", "1"))
    assert events == ["write", "fchmod", "fsync", "exchange", "unlink", "fsync"]
