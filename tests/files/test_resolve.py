"""Cases of paths: each is tried for reading, and none may tell what is outside."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.errors import (
    BadPathError,
    FileError,
    FileMissingError,
    NotAFileError,
    OutsideRootError,
    ProtectedError,
    UnreadableError,
)
from md_mcp.files import Files, folder

Swap = Callable[[str, str], Callable[[Document], Edit]]


def answer(files: Files, path: str) -> tuple[str, str]:
    """Return code and message of the refusal to read `path`, the path left out."""
    with pytest.raises(FileError) as caught:
        files.read(path)
    return caught.value.code, str(caught.value).replace(path, "PATH")


@pytest.fixture
def links(root: Path, outside: Path) -> Path:
    """The root with links of all kinds in it."""
    (root / "sub").mkdir()
    (root / "sub" / "b.md").write_bytes(b"# B\n")
    for name, target in {
        "inside.md": "a.md",
        "down.md": "sub/b.md",
        "dir": "sub",
        "sub/up.md": "../a.md",
        "absolute.md": str(root / "a.md"),
        "absolute-dir": str(root / "sub"),
        "twice.md": "absolute.md",
        "out.md": "../outside/s.md",
        "out-missing.md": "../outside/none.md",
        "out-absolute.md": str(outside / "s.md"),
        "out-absolute-missing.md": str(outside / "none.md"),
        "out-dir": "../outside",
        "out-nowhere-dir": "../nowhere",
        "dangling.md": "none.md",
        "circle.md": "circle.md",
        "dotdot.md": "sub/../a.md",
        "proc": "/proc/self/root",
        "fd.md": "/proc/self/fd/0",
    }.items():
        (root / name).symlink_to(target)
    return root


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.md", "a.md"),
        ("inside.md", "a.md"),
        ("down.md", "sub/b.md"),
        ("dir/b.md", "sub/b.md"),
        ("sub/up.md", "a.md"),
        ("dir/up.md", "a.md"),
        ("absolute.md", "a.md"),
        ("absolute-dir/b.md", "sub/b.md"),
        ("twice.md", "a.md"),
        ("dotdot.md", "a.md"),
        ("sub/../a.md", "a.md"),
        ("./sub/./../a.md", "a.md"),
        ("dir/../a.md", "a.md"),
        ("sub//b.md", "sub/b.md"),
    ],
)
def test_links_inside_are_followed_as_the_kernel_does(
    links: Path, path: str, name: str
) -> None:
    snapshot = Files.open([links]).read(links / path)
    assert snapshot.name == name
    assert snapshot.document.text.encode() == (links / path).read_bytes()


def test_dots_after_a_link_step_up_from_where_it_led(root: Path) -> None:
    (root / "deep" / "er").mkdir(parents=True)
    (root / "deep" / "a.md").write_bytes(b"# Deep\n")
    (root / "short").symlink_to("deep/er")
    read = Files.open([root]).read("short/../a.md")
    assert (read.name, read.document.text) == ("deep/a.md", "# Deep\n")


@pytest.mark.parametrize(
    "path",
    [
        "../outside/s.md",
        "../",
        "..",
        "sub/../../",
        "./..",
        "sub/../../outside/s.md",
        "../root/a.md",
        "out.md",
        "out-absolute.md",
        "out-dir/s.md",
        "out-dir/",
        "out-dir/../root/a.md",
        "out.md/",
        "proc/etc/passwd",
        "fd.md",
        "dir/../../outside/s.md",
    ],
)
def test_what_leads_outside_is_refused(links: Path, path: str) -> None:
    with pytest.raises(OutsideRootError) as caught:
        Files.open([links]).read(f"{links}/{path}")
    assert caught.value.code == "OUTSIDE_ROOT"
    assert caught.value.roots == (str(links),)


@pytest.mark.parametrize(
    ("existing", "missing"),
    [
        ("../outside/s.md", "../outside/none.md"),
        ("../outside/s.md", "../nowhere/none.md"),
        ("out.md", "out-missing.md"),
        ("out-absolute.md", "out-absolute-missing.md"),
        ("out-dir/s.md", "out-dir/none.md"),
        ("out-dir/s.md", "out-nowhere-dir/s.md"),
        ("../outside", "../nowhere"),
        ("/etc/passwd", "/etc/none"),
        ("../outside/s.md", "../outside/" + "x" * 300),
    ],
)
def test_outside_nobody_learns_what_exists(
    links: Path, monkeypatch: pytest.MonkeyPatch, existing: str, missing: str
) -> None:
    monkeypatch.chdir(links)
    files = Files.open([links])
    assert answer(files, existing) == answer(files, missing)
    assert answer(files, existing)[0] == "OUTSIDE_ROOT"


def test_a_path_that_is_refused_is_not_even_looked_at(
    links: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touched: list[str] = []
    for name in ("stat", "child", "link_target", "open_file"):
        original = getattr(folder.Folder, name)

        def record(
            self: folder.Folder, entry: str, original: Callable[..., object] = original
        ) -> object:
            touched.append(entry)
            return original(self, entry)

        monkeypatch.setattr(folder.Folder, name, record)
    with pytest.raises(OutsideRootError):
        Files.open([links]).read(links / "out-dir" / "s.md")
    assert "outside" not in touched
    assert "s.md" not in touched


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("none.md", FileMissingError),
        ("none/a.md", FileMissingError),
        ("none/../a.md", FileMissingError),
        ("a.md/b.md", FileMissingError),
        ("a.md/", FileMissingError),
        ("a.md/../a.md", FileMissingError),
        ("dangling.md", FileMissingError),
        ("sub", NotAFileError),
        ("sub/", NotAFileError),
        (".", NotAFileError),
        ("dir", NotAFileError),
        ("circle.md", BadPathError),
        ("x" * 256 + ".md", BadPathError),
        ("a\0b.md", BadPathError),
        ("a\udcff.md", BadPathError),
    ],
)
def test_inside_the_answer_says_what_is_wrong(
    links: Path, path: str, error: type[FileError]
) -> None:
    with pytest.raises(error) as caught:
        Files.open([links]).read(f"{links}/{path}")
    assert type(caught.value) is error


@pytest.mark.parametrize(("count", "allowed"), [(40, True), (41, False)])
def test_forty_links_are_followed_and_no_more(
    root: Path, count: int, allowed: bool
) -> None:
    (root / "link-0").symlink_to("a.md")
    for number in range(1, count):
        (root / f"link-{number}").symlink_to(f"link-{number - 1}")
    last = f"link-{count - 1}"
    files = Files.open([root])
    if allowed:
        assert files.read(last).name == "a.md"
        return
    with pytest.raises(BadPathError, match="goes through 41 links"):
        files.read(last)


def test_links_that_fan_out_are_counted_too(root: Path) -> None:
    (root / "d0").mkdir()
    for number in range(1, 12):
        (root / f"d{number}").symlink_to(f"d{number - 1}/../d{number - 1}")
    with pytest.raises(BadPathError, match="links"):
        Files.open([root]).read("d11/a.md")


@pytest.mark.parametrize(("depth", "allowed"), [(128, True), (129, False)])
def test_folders_nest_up_to_a_limit(root: Path, depth: int, allowed: bool) -> None:
    deep = root.joinpath(*["d"] * depth)
    deep.mkdir(parents=True)
    (deep / "a.md").write_bytes(b"# Deep\n")
    files = Files.open([root])
    path = "d/" * depth + "a.md"
    if allowed:
        assert files.read(path).document.text == "# Deep\n"
        return
    with pytest.raises(BadPathError, match="more than 128 folders deep"):
        files.read(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter every folder")
def test_a_folder_that_must_not_be_entered_is_named(root: Path) -> None:
    (root / "closed").mkdir(mode=0o000)
    with pytest.raises(UnreadableError, match="Permission denied"):
        Files.open([root]).read("closed/a.md")
    (root / "closed").chmod(0o700)


@pytest.mark.parametrize(
    "path",
    [
        ".git/config.md",
        ".git",
        ".GIT/x.md",
        ".g\u200cit/x.md",
        "sub/.hg/x.md",
        ".svn/none.md",
        "git-link/config.md",
        "inward.md",
    ],
)
def test_version_control_data_is_never_written(
    root: Path, swap: Swap, path: str
) -> None:
    for data in (".git", "sub/.hg"):
        (root / data).mkdir(parents=True)
    (root / ".git" / "config.md").write_bytes(b"one\n")
    (root / "git-link").symlink_to(".git")
    (root / "inward.md").symlink_to(".git/config.md")
    with pytest.raises(ProtectedError) as caught:
        Files.open([root]).update(path, swap("one", "two"))
    assert caught.value.code == "PROTECTED"
    assert (root / ".git" / "config.md").read_bytes() == b"one\n"


def test_version_control_data_can_be_read(root: Path) -> None:
    (root / ".git").mkdir()
    (root / ".git" / "notes.md").write_bytes(b"# Notes\n")
    assert Files.open([root]).read(".git/notes.md").document.text == "# Notes\n"


def test_a_root_inside_version_control_data_is_not_written(
    root: Path, swap: Swap
) -> None:
    (root / ".git").mkdir()
    (root / ".git" / "a.md").write_bytes(b"one\n")
    with pytest.raises(ProtectedError):
        Files.open([root / ".git"]).update("a.md", swap("one", "two"))


def test_no_descriptor_is_left_open(links: Path) -> None:
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc/self/fd on this system")
    files = Files.open([links])
    before = descriptors()
    for path in ("a.md", "dir/up.md", "absolute.md", "out.md", "none.md", "circle.md"):
        for _ in range(3):
            try:
                files.read(path)
            except FileError:
                continue
    assert descriptors() == before


@pytest.mark.parametrize("path", ["out.md", "out-dir/s.md", "../outside/s.md", "fd.md"])
def test_without_directory_handles_links_are_still_walked_by_hand(
    links: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(folder, "HANDLES", False)
    files = Files.open([links])
    assert files.read(links / "dir" / "up.md").name == "a.md"
    with pytest.raises(OutsideRootError):
        files.read(links / path)


def test_without_directory_handles_files_are_replaced_all_the_same(
    links: Path, monkeypatch: pytest.MonkeyPatch, swap: Swap
) -> None:
    monkeypatch.setattr(folder, "HANDLES", False)
    monkeypatch.setattr("md_mcp.files.replace.HANDLES", False)
    change = Files.open([links]).update("absolute.md", swap("one", "three"))
    assert (change.name, change.changed) == ("a.md", True)
    assert (links / "a.md").read_bytes().count(b"three") == 1
    assert (links / "absolute.md").is_symlink()
