from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from md_mcp.errors import (
    ArgumentError,
    FileMissingError,
    NotAFolderError,
    OutsideRootError,
)
from md_mcp.files import FileIdentity, Files, FoundFile

LITTER = ".md-mcp-0123456789abcdef.tmp"


@pytest.fixture
def tree(root: Path, outside: Path) -> Path:
    """A tree with a bit of everything below the root."""
    for name in ("b.md", "sub/c.md", "sub/deep/d.md", "sub-2/e.md", ".hidden/f.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(f"# {name}\n".encode())
    (root / "note.txt").write_bytes(b"text\n")
    for data in (".git", "sub/.HG", ".svn"):
        (root / data).mkdir()
        (root / data / "x.md").write_bytes(b"# data\n")
    (root / LITTER).write_bytes(b"half\n")
    return root


def paths(files: Files, directory: str | Path, glob: str) -> list[str]:
    return [found.path for found in files.walk(directory, glob)]


def test_files_come_in_path_order(tree: Path, files: Files) -> None:
    found = paths(files, tree, "**/*.md")
    assert found == [
        ".hidden/f.md",
        "a.md",
        "b.md",
        "sub-2/e.md",
        "sub/c.md",
        "sub/deep/d.md",
    ]
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("*.md", ["a.md", "b.md"]),
        ("sub/**", ["sub/c.md", "sub/deep/d.md"]),
        ("*/*.md", [".hidden/f.md", "sub-2/e.md", "sub/c.md"]),
        ("*", ["a.md", "b.md", "note.txt"]),
        ("sub*/?.md", ["sub-2/e.md", "sub/c.md"]),
        ("none/*.md", []),
        ("**/.git/*.md", []),
    ],
)
def test_the_pattern_chooses(
    tree: Path, files: Files, glob: str, found: list[str]
) -> None:
    assert paths(files, tree, glob) == found


@pytest.mark.parametrize(
    ("directory", "first"),
    [
        (".", "c.md"),
        ("./", "c.md"),
        ("deep", "deep/d.md"),
        ("deep/", "deep/d.md"),
        ("./deep", "./deep/d.md"),
        ("../sub/deep", "../sub/deep/d.md"),
    ],
)
def test_the_path_of_a_file_can_be_handed_back(
    tree: Path,
    files: Files,
    monkeypatch: pytest.MonkeyPatch,
    directory: str,
    first: str,
) -> None:
    monkeypatch.chdir(tree / "sub")
    found = next(iter(files.walk(directory, "**/*.md")))
    assert found.file_path == first
    assert files.read(found.file_path).identity == found.identity


def test_an_absolute_directory_gives_absolute_paths(tree: Path, files: Files) -> None:
    found = list(files.walk(tree / "sub", "*.md"))
    assert [item.file_path for item in found] == [str(tree / "sub" / "c.md")]
    status = (tree / "sub" / "c.md").stat()
    assert found[0].identity == FileIdentity.of(status)


@pytest.mark.parametrize("glob", ["../**", "/**", "**/..", "sub/../../**"])
def test_a_pattern_cannot_leave(
    tree: Path, files: Files, outside: Path, glob: str
) -> None:
    with pytest.raises(ArgumentError):
        files.walk(tree, glob)


@pytest.mark.parametrize(
    ("directory", "error"),
    [
        ("none", FileMissingError),
        ("a.md", NotAFolderError),
        ("..", OutsideRootError),
        ("../outside", OutsideRootError),
        ("../nowhere", OutsideRootError),
    ],
)
def test_a_directory_that_cannot_be_walked_is_an_error_at_once(
    files: Files, directory: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        files.walk(directory, "**")


def test_links_to_files_inside_count_as_files(tree: Path, files: Files) -> None:
    (tree / "sub" / "link.md").symlink_to("../a.md")
    (tree / "sub" / "absolute.md").symlink_to(tree / "b.md")
    walk = files.walk(tree / "sub", "*.md")
    found = {item.path: item.identity for item in walk}
    assert sorted(found) == ["absolute.md", "c.md", "link.md"]
    assert found["link.md"] == files.read(tree / "a.md").identity
    assert not walk.skipped


def test_links_that_lead_out_or_nowhere_are_counted(
    tree: Path, files: Files, outside: Path
) -> None:
    (tree / "out.md").symlink_to("../outside/s.md")
    (tree / "out-missing.md").symlink_to("../outside/none.md")
    (tree / "out.txt").symlink_to("../outside/s.md")
    (tree / "out-dir").symlink_to("../outside")
    (tree / "dangling.md").symlink_to("none.md")
    walk = files.walk(tree, "*.md")
    assert [found.path for found in walk] == ["a.md", "b.md"]
    assert walk.skipped == {"OUTSIDE_ROOT": 2, "FILE_NOT_FOUND": 1}


@pytest.mark.parametrize("glob", ["**/*.md", "out-dir/*.md", "*/*.md", "**"])
def test_nothing_outside_is_found_through_links(
    tree: Path, files: Files, outside: Path, glob: str
) -> None:
    (tree / "out-dir").symlink_to("../outside")
    (tree / "out-absolute").symlink_to(outside)
    walk = files.walk(tree, glob)
    texts = [document.text for _, document in walk.documents()]
    assert not [text for text in texts if "SECRET" in text]
    assert "out-dir/s.md" not in [found.path for found in walk]


def test_stars_do_not_go_through_links_and_names_do(tree: Path, files: Files) -> None:
    (tree / "sub" / "again").symlink_to("..")  # a circle
    (tree / "current").symlink_to("sub")
    assert "current/c.md" not in paths(files, tree, "**/*.md")
    assert paths(files, tree, "current/*.md") == ["current/c.md"]
    assert paths(files, tree, "current/again/*.md") == [
        "current/again/a.md",
        "current/again/b.md",
    ]


def test_special_files_are_counted_and_folders_are_not(
    tree: Path, files: Files
) -> None:
    os.mkfifo(tree / "p.md")
    (tree / "folder.md").mkdir()
    walk = files.walk(tree, "*.md")
    assert [found.path for found in walk] == ["a.md", "b.md"]
    assert walk.skipped == {"NOT_A_FILE": 1}


def test_documents_leave_out_what_cannot_be_read(tree: Path, files: Files) -> None:
    (tree / "sub" / "bad.md").write_bytes(b"\xff")
    (tree / "sub" / "binary.md").write_bytes(b"\0")
    (tree / "sub" / "large.md").write_bytes(b"x" * 101)
    (tree / "sub" / "limit.md").write_bytes(b"x" * 100)
    walk = files.walk(tree / "sub", "*.md")
    read = {found.path: document.text for found, document in walk.documents(100)}
    assert read == {"c.md": "# sub/c.md\n", "limit.md": "x" * 100}
    assert walk.skipped == {"NOT_UTF8": 1, "BINARY_FILE": 1, "TOO_LARGE": 1}
    assert walk.skipped.total() == 3


def test_documents_follow_links_inside(tree: Path, files: Files) -> None:
    (tree / "sub" / "link.md").symlink_to("../a.md")
    walk = files.walk(tree / "sub", "link.md")
    assert [document.text for _, document in walk.documents()] == [
        (tree / "a.md").read_bytes().decode()
    ]


def test_a_link_that_is_turned_outward_between_finding_and_reading_leaks_nothing(
    tree: Path, files: Files, outside: Path
) -> None:
    (tree / "sub" / "link.md").symlink_to("../a.md")
    walk = files.walk(tree / "sub", "*.md")
    texts = []
    for _, document in walk.documents():
        texts.append(document.text)
        (tree / "sub" / "link.md").unlink(missing_ok=True)
        (tree / "sub" / "link.md").symlink_to(outside / "s.md")
    assert texts == ["# sub/c.md\n"]
    assert walk.skipped == {"OUTSIDE_ROOT": 1}


def test_a_name_that_is_not_text_is_counted(tree: Path, files: Files) -> None:
    try:
        (tree / "sub" / os.fsdecode(b"caf\xe9.md")).write_bytes(b"# x\n")
    except OSError:
        pytest.skip("this file system keeps UTF-8 names only")
    walk = files.walk(tree / "sub", "*.md")
    assert [found.path for found in walk] == ["c.md"]
    assert walk.skipped == {"BAD_PATH": 1}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_folders_that_must_not_be_read_are_counted(tree: Path, files: Files) -> None:
    (tree / "sub" / "deep").chmod(0o000)
    walk = files.walk(tree, "**/*.md")
    assert "sub/deep/d.md" not in [found.path for found in walk]
    (tree / "sub" / "deep").chmod(0o755)
    assert walk.skipped == {"UNREADABLE": 1}


def test_a_walk_can_be_repeated_and_sees_changes(tree: Path, files: Files) -> None:
    walk = files.walk(tree / "sub-2", "*.md")
    first = list(walk)
    (tree / "sub-2" / "e.md").write_bytes(b"# changed\n")
    second = list(walk)
    assert [found.path for found in first] == [found.path for found in second]
    assert first[0].identity != second[0].identity


def test_an_abandoned_walk_leaves_no_descriptor(tree: Path, files: Files) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc/self/fd on this system")

    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = descriptors()
    steps = iter(files.walk(tree, "**/*.md"))
    next(steps)
    del steps
    assert descriptors() == before


def test_what_is_found_says_no_more_than_needed() -> None:
    assert FoundFile._fields == ("file_path", "path", "identity")


names = st.sampled_from(["a", "b", "a-x", "a.md", "ab", "A", "é", ".h"])


@settings(max_examples=50, deadline=None)
@given(st.sets(st.lists(names, min_size=1, max_size=3).map(tuple), max_size=12))
def test_the_order_is_that_of_the_paths(
    tmp_path_factory: pytest.TempPathFactory, chains: set[tuple[str, ...]]
) -> None:
    root = tmp_path_factory.mktemp("tree")
    made = []
    for chain in sorted(chains, key=len, reverse=True):
        path = root.joinpath(*chain[:-1], chain[-1] + "!.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
        made.append(path.relative_to(root).as_posix())
    assert paths(Files.open([root]), root, "**/*.md") == sorted(made)
