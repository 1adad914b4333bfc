"""Only `md_mcp.files` touches the disk: a scan of all other modules for the ways to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "md_mcp"

MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if "files" not in path.relative_to(PACKAGE).parts
}

IMPORTS = {"fcntl", "fileinput", "glob", "mmap", "shutil", "tempfile"}

OS_CALLS = {
    *("access", "chdir", "chmod", "chown", "chroot", "creat", "fwalk", "link"),
    *("listdir", "listxattr", "getxattr", "setxattr", "removexattr", "lchown"),
    *("lstat", "makedirs", "mkdir", "mkfifo", "mknod", "open", "readlink", "remove"),
    *("removedirs", "rename", "renames", "replace", "rmdir", "scandir", "stat"),
    *("statvfs", "symlink", "truncate", "unlink", "utime", "walk"),
}

OS_PATH_CALLS = {
    *("exists", "lexists", "getatime", "getctime", "getmtime", "getsize", "isdir"),
    *("isfile", "islink", "ismount", "realpath", "samefile"),
}

PATH_METHODS = {
    *("exists", "hardlink_to", "is_dir", "is_fifo", "is_file", "is_symlink"),
    *("iterdir", "lchmod", "lstat", "mkdir", "read_bytes", "read_text", "readlink"),
    *("rglob", "rmdir", "samefile", "symlink_to", "touch", "unlink", "write_bytes"),
    "write_text",
}
"""Names that only paths have; `open`, `glob`, `stat` and `resolve` are seen below."""

PATH_CALLS = {"glob", "open", "stat", "resolve", "rename", "replace", "chmod", "walk"}
"""Methods that others have too: they count when called on `Path(…)` itself."""

ALLOWED = {
    ("md_mcp.cli.entry", "os.open"): "the null device in place of a closed output",
    ("md_mcp.cli.console", "os.open"): "the null device in place of closed streams",
    ("md_mcp.server.stdio", "os.open"): "the null device in place of missing streams",
    ("md_mcp.cli.content", ".read_bytes"): "the text that the user names with --file",
}


def ways_to_the_disk(tree: ast.AST) -> Iterator[str]:
    """Yield what in `tree` reaches the disk: imported modules and called names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name in IMPORTS)
        elif isinstance(node, ast.ImportFrom):
            yield from imported_from(node)
        elif isinstance(node, ast.Name) and node.id == "open":
            yield "open"
        elif isinstance(node, ast.Attribute):
            yield from attribute(node)


def imported_from(node: ast.ImportFrom) -> Iterator[str]:
    module = node.module or ""
    if module in IMPORTS:
        yield module
    banned = {"os": OS_CALLS, "os.path": OS_PATH_CALLS, "io": {"open"}}.get(module, ())
    yield from (f"{module}.{a.name}" for a in node.names if a.name in banned)


def attribute(node: ast.Attribute) -> Iterator[str]:
    owner = ast.unparse(node.value)
    if (
        (owner == "os" and node.attr in OS_CALLS)
        or (owner == "os.path" and node.attr in OS_PATH_CALLS)
        or (owner == "io" and node.attr == "open")
    ):
        yield f"{owner}.{node.attr}"
    elif owner.endswith("files"):  # a `Files`, which is the right way
        return
    elif node.attr in PATH_METHODS or (
        node.attr in PATH_CALLS and owner.startswith("Path(")
    ):
        yield f".{node.attr}"


def test_there_are_modules_to_scan() -> None:
    assert "md_mcp.errors" in MODULES
    assert not [module for module in MODULES if module.startswith("md_mcp.files")]


@pytest.mark.parametrize("module", MODULES)
def test_only_the_files_package_touches_the_disk(module: str) -> None:
    tree = ast.parse(MODULES[module].read_bytes())
    found = {way for way in ways_to_the_disk(tree) if (module, way) not in ALLOWED}
    assert found == set()


@pytest.mark.parametrize(("module", "way"), ALLOWED)
def test_each_exception_is_still_needed(module: str, way: str) -> None:
    assert way in set(ways_to_the_disk(ast.parse(MODULES[module].read_bytes())))


@pytest.mark.parametrize(
    ("source", "way"),
    [
        ("open('x')", "open"),
        ("call(open)", "open"),
        ("import shutil", "shutil"),
        ("from glob import iglob", "glob"),
        ("from os import scandir", "os.scandir"),
        ("from os.path import exists", "os.path.exists"),
        ("os.rename(a, b)", "os.rename"),
        ("f = os.open", "os.open"),
        ("os.path.isfile(a)", "os.path.isfile"),
        ("io.open(a)", "io.open"),
        ("Path(name).read_bytes()", ".read_bytes"),
        ("path.write_text('x')", ".write_text"),
        ("Path(name).open()", ".open"),
        ("path.iterdir()", ".iterdir"),
    ],
)
def test_the_scan_finds(source: str, way: str) -> None:
    assert list(ways_to_the_disk(ast.parse(source))) == [way]


@pytest.mark.parametrize(
    "source",
    [
        "Files.open(roots)",
        "files.read(path)",
        "files.walk(directory, glob)",
        "self._files.exists(path)",
        "text.replace(a, b)",
        "os.fspath(path)",
        "os.write(1, data)",
        "os.path.join(a, b)",
        "Path(name).expanduser()",
    ],
)
def test_the_scan_passes(source: str) -> None:
    assert list(ways_to_the_disk(ast.parse(source))) == []
