"""Every verb that takes a path, on paths that must not work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from md_mcp.cli import main
from md_mcp.cli.entry import VERBS
from md_mcp.files import Files

CHANGELOG = b"# Outside\n\ntext\n\n## [Unreleased]\n\n### Added\n\n- one\n"
SECRET = CHANGELOG.replace(b"text", b"SECRET text")

READING = {
    "index": [],
    "get": ["Outside"],
    "search": ["SECRET"],
    "patch": ["Outside", "new"],
    "outline": [],
    "find": ["Outside"],
    "front-matter get": [],
}
WRITING = {
    "add": ["## N", "new"],
    "replace": ["Outside", "new"],
    "sub": ["Outside", "text", "new"],
    "delete": ["Outside"],
}
ON_FOLDERS = {"grep": ["SECRET"], "links": ["isolated"], "notes": ["SECRET"]}
ELSEWHERE = {"serve", "panel"}
"""Verbs that name their folders with --allow-root, or serve one over HTTP."""

HOSTILE = [
    pytest.param("../root-evil/s.md", "OUTSIDE_ROOT", id="beside, with a like name"),
    pytest.param("{root}-evil/s.md", "OUTSIDE_ROOT", id="the same, absolute"),
    pytest.param("link.md", "OUTSIDE_ROOT", id="a relative link"),
    pytest.param("link-missing.md", "OUTSIDE_ROOT", id="a link to nothing"),
    pytest.param("folder/s.md", "OUTSIDE_ROOT", id="below a link"),
    pytest.param("..", "OUTSIDE_ROOT", id="dots"),
    pytest.param("a/../../", "OUTSIDE_ROOT", id="down and up twice"),
    pytest.param("./..", "OUTSIDE_ROOT", id="a dot, then dots"),
    pytest.param("pr/etc/passwd", "OUTSIDE_ROOT", id="the root of a process"),
    pytest.param("fd.md", "OUTSIDE_ROOT", id="a descriptor"),
    pytest.param("in.md\0.png", "BAD_PATH", id="NUL"),
    pytest.param("", "BAD_PATH", id="no path"),
    pytest.param("x.md", "NOT_A_FILE", id="a folder"),
    pytest.param("pipe.md", "NOT_A_FILE", id="a FIFO"),
]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a root with hostile entries, which is the current directory too."""
    root = tmp_path / "root"
    for folder in (root / "a", root / ".git", root / "x.md"):
        folder.mkdir(parents=True)
    for name in ("outside", "root-evil"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "s.md").write_bytes(SECRET)
    for name in ("in.md", ".git/config.md"):
        (root / name).write_bytes(CHANGELOG)
    for name, target in {
        "link.md": "../outside/s.md",
        "link-missing.md": "../outside/none.md",
        "folder": "../outside",
        "pr": "/proc/self/root",
        "fd.md": "/proc/self/fd/0",
    }.items():
        (root / name).symlink_to(target)
    if hasattr(os, "mkfifo"):
        os.mkfifo(root / "pipe.md")
    monkeypatch.chdir(root)
    return root


def everything(root: Path) -> dict[str, bytes]:
    paths = [path for path in root.parent.rglob("*") if not path.is_symlink()]
    return {str(path): path.read_bytes() for path in paths if path.is_file()}


def refusal(
    capsysbinary: pytest.CaptureFixture[bytes], root: Path, verb: str, *rest: str
) -> str:
    """Return the error of a run that must fail, print nothing and write nothing."""
    before = everything(root)
    code = main([*verb.split(" "), *rest, "--allow-root", str(root)])
    out, err = capsysbinary.readouterr()
    assert (code, out) == (2, b"")
    assert b"SECRET text" not in err
    assert everything(root) == before
    return err.decode()


def test_no_verb_is_forgotten() -> None:
    known = {*READING, *WRITING, *ON_FOLDERS, *ELSEWHERE}
    assert {verb for verb in VERBS if not verb.startswith("changelog")} <= known


@pytest.mark.parametrize(("path", "code"), HOSTILE)
@pytest.mark.parametrize("verb", [*READING, *WRITING])
def test_a_hostile_path_is_refused(
    root: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    verb: str,
    path: str,
    code: str,
) -> None:
    arguments = (READING | WRITING)[verb]
    error = refusal(capsysbinary, root, verb, path.format(root=root), *arguments)
    assert error.startswith(f"md-mcp: {code}: ")
    assert error.endswith(" Nothing was written.\n") == (verb in WRITING)


@pytest.mark.parametrize("path", ["..", "../outside", "folder", "pr", "a/../.."])
@pytest.mark.parametrize("verb", ON_FOLDERS)
def test_a_hostile_folder_is_refused(
    root: Path, capsysbinary: pytest.CaptureFixture[bytes], verb: str, path: str
) -> None:
    error = refusal(capsysbinary, root, verb, path, *ON_FOLDERS[verb])
    assert error.startswith("md-mcp: OUTSIDE_ROOT: ")


@pytest.mark.parametrize("verb", ON_FOLDERS)
def test_nothing_outside_is_found(
    root: Path, capsysbinary: pytest.CaptureFixture[bytes], verb: str
) -> None:
    main([verb, ".", *ON_FOLDERS[verb], "--allow-root", str(root)])
    assert b"SECRET text" not in b"".join(capsysbinary.readouterr())


@pytest.mark.parametrize("path", [".git/config.md", ".GIT/x.md", ".g\u200cit/x.md"])
@pytest.mark.parametrize("verb", WRITING)
def test_no_verb_writes_version_control_data(
    root: Path, capsysbinary: pytest.CaptureFixture[bytes], verb: str, path: str
) -> None:
    error = refusal(capsysbinary, root, verb, path, *WRITING[verb])
    assert error.startswith("md-mcp: PROTECTED: ")


@pytest.mark.parametrize("verb", WRITING)
def test_a_hard_link_is_cut_on_demand_only(
    root: Path, capsysbinary: pytest.CaptureFixture[bytes], verb: str
) -> None:
    other = root.parent / "outside" / "s.md"
    (root / "h.md").hardlink_to(other)
    error = refusal(capsysbinary, root, verb, "h.md", *WRITING[verb])
    assert error.startswith("md-mcp: HARDLINKED: ")
    assert main([verb, "h.md", *WRITING[verb], "--break-hardlinks"]) == 0
    assert other.read_bytes() == SECRET
    assert (root / "h.md").read_bytes() != SECRET
    assert (root / "h.md").stat().st_nlink == 1


@pytest.mark.parametrize("verb", WRITING)
def test_a_write_protected_file_is_refused(
    root: Path, capsysbinary: pytest.CaptureFixture[bytes], verb: str
) -> None:
    (root / "in.md").chmod(0o444)
    error = refusal(capsysbinary, root, verb, "in.md", *WRITING[verb])
    assert error.startswith("md-mcp: READ_ONLY: ")


@pytest.mark.parametrize("verb", WRITING)
def test_a_stale_revision_is_a_conflict(
    root: Path, capsysbinary: pytest.CaptureFixture[bytes], verb: str
) -> None:
    revision = Files.open([root]).read("in.md").revision
    (root / "in.md").write_bytes(CHANGELOG + b"- two\n")
    options = ("--expected-revision", revision)
    error = refusal(capsysbinary, root, verb, "in.md", *WRITING[verb], *options)
    assert error.startswith("md-mcp: CONFLICT: ")
