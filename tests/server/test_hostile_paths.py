"""Every tool that takes a path, through the server, on paths that must not work."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from md_mcp.server.tool import Tool
from md_mcp.server.tools import select_tools

Start = Callable[..., Any]

HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}

INSIDE = b"# Outside\n\ntext\n\n## [Unreleased]\n\n### Added\n\n- one\n"
SECRET = INSIDE.replace(b"text", b"SECRET text")
"""A changelog too, so that every tool would have something to do."""

TOOLS = select_tools(["all"], read_only=False)
ON_FILES = [name for name, tool in TOOLS.items() if "file_path" in tool.required]
ON_FOLDERS = [name for name, tool in TOOLS.items() if "directory" in tool.required]
WRITING = [name for name in ON_FILES if TOOLS[name].writes]

VALUES = {
    "path": "Outside",
    "query": "SECRET",
    "heading": "Outside",
    "content": "new",
    "new_content": "new",
    "old": "text",
    "new": "changed",
    "glob": "**",
    "entry": "new",
    "category": "Added",
}

OPTIONAL = {"entry", "category"}
"""Arguments that only some actions of their tool need."""


def arguments_of(tool: Tool, path: str) -> dict[str, Any]:
    """Return arguments that would work if `path` did."""
    schema = tool.input_schema()["properties"]
    wanted = {name for name in schema if name in {*tool.required, *OPTIONAL}}
    arguments = {
        name: schema[name]["enum"][0] if "enum" in schema[name] else VALUES[name]
        for name in wanted - {"file_path", "directory"}
    }
    if tool.name == "add_section":
        arguments["heading"] = "## N"
    return {**arguments, "file_path" if "file_path" in schema else "directory": path}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A root with hostile entries, beside a folder and a file it must not lead to."""
    top = tmp_path_factory.mktemp("paths").resolve()
    root = top / "root"
    for folder in (root / "a", root / ".git", top / "outside", top / "root-evil"):
        folder.mkdir(parents=True)
    for name in ("in.md", "a/in.md", ".git/config.md"):
        (root / name).write_bytes(INSIDE)
    for name in ("outside/s.md", "root-evil/s.md"):
        (top / name).write_bytes(SECRET)
    for name, target in {
        "link.md": "../outside/s.md",
        "link-missing.md": "../outside/none.md",
        "absolute.md": f"{top}/outside/s.md",
        "absolute-missing.md": f"{top}/outside/none.md",
        "folder": "../outside",
        "pr": "/proc/self/root",
        "fd.md": "/proc/self/fd/0",
        "device.md": "/dev/null",
        "circle.md": "circle.md",
    }.items():
        (root / name).symlink_to(target)
    (root / "x.md").mkdir()
    if sys.platform != "win32":
        os.mkfifo(root / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(root / "socket.md"))
    yield root
    shutil.rmtree(top)


@pytest.fixture(scope="module")
def server(root: Path, serve_module: Start) -> Any:
    return serve_module(
        "-m", "md_mcp", "serve", "--toolsets", "all", "--allow-root", str(root)
    )


def everything(root: Path) -> dict[str, bytes]:
    """Return the text of every plain file in the root and beside it."""
    paths = [path for path in root.parent.rglob("*") if not path.is_symlink()]
    return {str(path): path.read_bytes() for path in paths if path.is_file()}


def refusal(server: Any, root: Path, tool: str, path: str) -> str:
    """Return the error of a call that must fail, show nothing and write nothing."""
    before = everything(root)
    text: str = server.refusal(tool, **arguments_of(TOOLS[tool], path))
    assert "SECRET" not in text
    assert everything(root) == before
    return text


HOSTILE = [
    pytest.param("../root-evil/s.md", "OUTSIDE_ROOT", id="beside, with a like name"),
    pytest.param("{root}-evil/s.md", "OUTSIDE_ROOT", id="the same, absolute"),
    pytest.param("{root}/../outside/s.md", "OUTSIDE_ROOT", id="dots in an absolute path"),
    pytest.param("link.md", "OUTSIDE_ROOT", id="a relative link"),
    pytest.param("absolute.md", "OUTSIDE_ROOT", id="an absolute link"),
    pytest.param("folder/s.md", "OUTSIDE_ROOT", id="below a link"),
    pytest.param("folder/../../root/in.md", "OUTSIDE_ROOT", id="out and in again"),
    pytest.param("../", "OUTSIDE_ROOT", id="dots and a slash"),
    pytest.param("..", "OUTSIDE_ROOT", id="dots"),
    pytest.param("a/../../", "OUTSIDE_ROOT", id="down and up twice"),
    pytest.param("./..", "OUTSIDE_ROOT", id="a dot, then dots"),
    pytest.param("pr/etc/passwd", "OUTSIDE_ROOT", id="the root of a process"),
    pytest.param("fd.md", "OUTSIDE_ROOT", id="a descriptor"),
    pytest.param("device.md", "OUTSIDE_ROOT", id="a link to a device"),
    pytest.param("/dev/stdin", "OUTSIDE_ROOT", id="a device"),
    pytest.param("~/s.md", "FILE_NOT_FOUND", id="a tilde is a name"),
    pytest.param("in.md\0.png", "BAD_PATH", id="NUL"),
    pytest.param("", "BAD_PATH", id="no path"),
    pytest.param("circle.md", "BAD_PATH", id="a circle of links"),
    pytest.param("in.md/", "FILE_NOT_FOUND", id="a slash behind a file"),
    pytest.param("x.md", "NOT_A_FILE", id="a folder"),
    pytest.param("pipe.md", "NOT_A_FILE", id="a FIFO"),
    pytest.param("socket.md", "NOT_A_FILE", id="a socket"),
]  # fmt: skip


@pytest.mark.parametrize("tool", ON_FILES)
@pytest.mark.parametrize(("path", "code"), HOSTILE)
def test_a_hostile_path_of_a_file_is_refused(
    server: Any, root: Path, tool: str, path: str, code: str
) -> None:
    text = refusal(server, root, tool, path.format(root=root))
    assert text.partition(":")[0] == code
    assert text.endswith(" Nothing was written.") == TOOLS[tool].writes


@pytest.mark.parametrize("tool", ON_FOLDERS)
@pytest.mark.parametrize(
    "path",
    ["..", "../outside", "{root}-evil", "folder", "folder/..", "pr", "a/../..", "/"],
)
def test_a_hostile_path_of_a_folder_is_refused(
    server: Any, root: Path, tool: str, path: str
) -> None:
    text = refusal(server, root, tool, path.format(root=root))
    assert text.startswith("OUTSIDE_ROOT: ")


@pytest.mark.parametrize("tool", ON_FILES)
@pytest.mark.parametrize(
    ("existing", "missing"),
    [
        ("../outside/s.md", "../outside/none.md"),
        ("link.md", "link-missing.md"),
        ("absolute.md", "absolute-missing.md"),
        ("folder/s.md", "folder/none.md"),
    ],
)
def test_no_tool_tells_what_exists_outside(
    server: Any, root: Path, tool: str, existing: str, missing: str
) -> None:
    answers = {
        refusal(server, root, tool, path).replace(path, "PATH")
        for path in (existing, missing)
    }
    assert len(answers) == 1


@pytest.mark.parametrize("tool", ON_FOLDERS)
def test_a_walk_finds_nothing_outside_and_waits_for_nothing(
    server: Any, root: Path, tool: str
) -> None:
    result = server.call(tool, **arguments_of(TOOLS[tool], "."))
    assert "SECRET text" not in json.dumps(result)


@pytest.mark.parametrize("glob", ["../**", "/**", "**/..", "folder/*", "link.md"])
def test_a_pattern_of_files_finds_nothing_outside(
    server: Any, root: Path, glob: str
) -> None:
    result = server.call("search_files", directory=".", glob=glob, query="text")
    text = result["content"][0]["text"]
    assert text.startswith("INVALID_ARGUMENT: ") or '"matches":[]' in text
    assert "SECRET" not in text


@pytest.mark.parametrize("tool", WRITING)
@pytest.mark.parametrize(
    "path", [".git/config.md", ".GIT/x.md", ".g\u200cit/x.md", "a/../.git/config.md"]
)
def test_no_tool_writes_version_control_data(
    server: Any, root: Path, tool: str, path: str
) -> None:
    assert refusal(server, root, tool, path).startswith("PROTECTED: ")


@pytest.mark.parametrize("tool", WRITING)
def test_no_tool_cuts_a_hard_link(server: Any, root: Path, tool: str) -> None:
    (root / "hard.md").hardlink_to(root.parent / "outside" / "s.md")
    try:
        text = refusal(server, root, tool, "hard.md")
    finally:
        (root / "hard.md").unlink()
    assert text.startswith("HARDLINKED: ")
    assert "--break-hardlinks" in text


def test_a_server_that_may_break_hard_links_leaves_the_other_name_alone(
    tmp_path: Path, start: Start
) -> None:
    (tmp_path / "s.md").write_bytes(b"# Outside\n\nSECRET\n")
    root = tmp_path / "root"
    root.mkdir()
    (root / "h.md").hardlink_to(tmp_path / "s.md")
    client = start("-m", "md_mcp", "--break-hardlinks", "--allow-root", str(root))
    client.handshake()
    client.text("replace_section", file_path="h.md", path="Outside", new_content="new")
    assert (tmp_path / "s.md").read_bytes() == b"# Outside\n\nSECRET\n"
    assert (root / "h.md").read_bytes() == b"# Outside\n\nnew\n"
    assert (root / "h.md").stat().st_nlink == 1


@pytest.mark.parametrize("tool", WRITING)
def test_no_tool_writes_what_is_write_protected(
    server: Any, root: Path, tool: str
) -> None:
    (root / "in.md").chmod(0o444)
    try:
        text = refusal(server, root, tool, "in.md")
    finally:
        (root / "in.md").chmod(0o644)
    assert text.startswith("READ_ONLY: ")


@pytest.mark.parametrize("tool", WRITING)
def test_every_writing_tool_refuses_a_stale_revision(
    server: Any, root: Path, tool: str
) -> None:
    before = everything(root)
    arguments = arguments_of(TOOLS[tool], "in.md")
    text = server.refusal(tool, **arguments, expected_revision="0123456789ab")
    assert text.startswith("CONFLICT: ")
    assert everything(root) == before


def test_folders_that_a_client_names_widen_nothing(root: Path, start: Start) -> None:
    """The server never asks for them, so only `--allow-root` counts."""
    client = start("-m", "md_mcp", "--allow-root", str(root))
    client.read()
    with_roots = {**HANDSHAKE, "capabilities": {"roots": {"listChanged": True}}}
    client.request("initialize", with_roots)
    client.send("notifications/initialized")
    client.send("notifications/roots/list_changed")
    for request_id in (0, 1):  # answers that nobody asked for
        roots = {"roots": [{"uri": "file:///"}]}
        answer = {"jsonrpc": "2.0", "id": request_id, "result": roots}
        client.send_line(json.dumps(answer).encode())
    path = str(root.parent / "outside" / "s.md")
    assert client.refusal("get_index", file_path=path).startswith("OUTSIDE_ROOT: ")
    assert "in.md" in client.text("search_files", directory=".", glob="*", query="text")
    client.close_input()
    assert client.rest() == []
