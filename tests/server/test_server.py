"""The real server, `python -m md_mcp`, on real files."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Start = Callable[..., Any]

GUIDE = b"# Guide\n\nIntro.\n\n## Install\n\nold text\n\n### Linux\n\napt\n\n## Use\n"


def revision(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("root")


@pytest.fixture(scope="module")
def server(root: Path, serve_module: Callable[..., Any]) -> Any:
    """Return a client of one server for all tests that leave it alive."""
    return serve_module("-m", "md_mcp", "serve", "--allow-root", str(root))


@pytest.fixture
def guide(root: Path) -> Path:
    folder = root / str(len(list(root.iterdir())))
    folder.mkdir()
    path = folder / "guide.md"
    path.write_bytes(GUIDE)
    return path


@pytest.fixture
def own_server(start: Start, guide: Path) -> Any:
    """Return a client of a server that the test may end."""
    client = start("-m", "md_mcp", "serve", "--allow-root", str(guide.parent))
    client.handshake()
    return client


def test_serving_is_what_happens_without_a_verb(start: Start, guide: Path) -> None:
    client = start("-m", "md_mcp", "--allow-root", str(guide.parent))
    instructions = client.handshake()["instructions"]
    assert instructions.startswith(f"Allowed folders: {guide.parent.resolve()}.\n")
    assert client.text("get_section", file_path=str(guide), path="Use") == "## Use\n"


def test_the_tools_of_the_default_toolsets_are_listed(server: Any) -> None:
    tools = server.request("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == [
        *("get_index", "get_section", "search_sections", "search_files"),
        *("add_section", "replace_section", "replace_in_section"),
        *("patch_section", "delete_section"),
        *("get_outline", "find_section", "get_frontmatter"),
        *("query_links", "find_notes"),
        "update_changelog",
    ]


def test_the_index_is_one_node_a_line(server: Any, guide: Path) -> None:
    text = server.text("get_index", file_path=str(guide))
    assert text == (
        '{"sections":[{"heading":"Guide","level":1,"path":"Guide","children":['
        '{"heading":"Install","level":2,"path":"Guide.Install","children":['
        '{"heading":"Linux","level":3,"path":"Guide.Install.Linux","children":[]}]},\n'
        '{"heading":"Use","level":2,"path":"Guide.Use","children":[]}]}]}'
    )


def test_a_section_is_its_exact_text(server: Any, guide: Path) -> None:
    guide.write_bytes(b"# A\r\n\r\none\rtwo \x0c\r\n\r\n## B\r\n\r\nlast")
    arguments = {"file_path": str(guide), "path": "A", "depth": "0"}
    assert server.text("get_section", **arguments) == "# A\r\n\r\none\rtwo \x0c\r\n\r\n"


def test_hits_are_json_with_a_hit_a_line(server: Any, guide: Path) -> None:
    text = server.text("search_sections", file_path=str(guide), query="T", scope="both")
    assert text == (
        '[{"path":"Guide","matches":[{"line":3,"text":"Intro."}]},\n'
        '{"path":"Guide.Install","matches":[{"line":5,"text":"Install"},\n'
        '{"line":7,"text":"old text"}]},\n'
        '{"path":"Guide.Install.Linux","matches":[{"line":11,"text":"apt"}]}]'
    )


def test_hits_in_files_name_a_path_that_can_be_handed_back(
    server: Any, guide: Path
) -> None:
    arguments = {"directory": str(guide.parent), "glob": "**/*.md", "query": "apt$"}
    found = json.loads(server.text("search_files", **arguments))
    (hit,) = found["matches"]
    assert (hit["path"], hit["line"], hit["text"]) == ("Guide.Install.Linux", 11, "apt")
    again = server.text("get_section", file_path=hit["file_path"], path=hit["path"])
    assert again == "### Linux\n\napt\n\n"


def test_editing_tools_change_what_they_were_asked_to(server: Any, guide: Path) -> None:
    where, name = {"file_path": str(guide)}, f"{guide.parent.name}/guide.md"
    diff = server.text(
        "replace_in_section", path="Guide.Install", old="old", new="new", **where
    )
    assert diff.startswith(f"--- a/{name}\n+++ b/{name}\n@@ ")
    assert "\n-old text\n+new text\n" in diff
    preview = server.text("patch_section", path="Use", new_content="u", **where)
    assert guide.read_bytes() == GUIDE.replace(b"old", b"new")
    assert server.text("replace_section", path="Use", new_content="u", **where) == "ok"
    assert guide.read_bytes() == GUIDE.replace(b"old", b"new") + b"\nu\n"
    assert "+u\n" in preview
    new = {"heading": "## More", "content": "m", "after": "Guide.Use"}
    assert server.text("add_section", **new, **where) == "ok"
    assert server.text("delete_section", path="Guide.Install.Linux", **where) == "ok"
    assert guide.read_bytes() == (
        b"# Guide\n\nIntro.\n\n## Install\n\nnew text\n\n## Use\n\nu\n\n## More\n\nm\n"
    )


def test_an_edit_of_a_named_revision_answers_the_new_one(
    server: Any, guide: Path
) -> None:
    arguments = {"file_path": str(guide), "path": "Use", "new_content": "u"}
    answer = server.text(
        "replace_section", **arguments, expected_revision=revision(GUIDE)
    )
    assert answer == f"ok {revision(guide.read_bytes())}"
    stale = server.refusal(
        "replace_section", **arguments, expected_revision=revision(GUIDE)
    )
    assert stale.startswith("CONFLICT: ")
    assert stale.endswith("Nothing was written.")
    assert guide.read_bytes() == GUIDE + b"\nu\n"


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        (
            "replace_section",
            {"path": "Guide.Instal", "new_content": "x"},
            "SECTION_NOT_FOUND: ",
        ),
        ("delete_section", {"path": "Install"}, "SECTION_NOT_FOUND: "),
        (
            "delete_section",
            {"path": "Guide.Install", "include_childern": False},
            'INVALID_ARGUMENT: unknown argument "include_childern". Did you mean',
        ),
        ("add_section", {"heading": "##", "content": "x"}, "INVALID_HEADING: "),
        (
            "replace_in_section",
            {"path": "Use", "old": "zzz", "new": "x"},
            "TEXT_NOT_FOUND: ",
        ),
    ],
)
def test_a_refused_edit_says_so_and_writes_nothing(
    server: Any, guide: Path, tool: str, arguments: dict[str, Any], text: str
) -> None:
    before = guide.stat()
    said = server.refusal(tool, file_path=str(guide), **arguments)
    assert said.startswith(text)
    assert said.endswith("Nothing was written.")
    assert (guide.read_bytes(), guide.stat().st_mtime_ns) == (GUIDE, before.st_mtime_ns)


def test_text_that_came_as_bad_bytes_never_reaches_a_file(
    server: Any, guide: Path
) -> None:
    arguments = {"file_path": str(guide), "path": "Use", "new_content": "caf?"}
    params = {"name": "replace_section", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}
    server.send_line(json.dumps(message).encode().replace(b"?", b"\xff"))
    answer = server.receive()
    assert (answer["id"], answer["error"]["code"]) == (7, -32700)
    assert guide.read_bytes() == GUIDE


def test_a_read_only_server_offers_and_does_no_edit(start: Start, guide: Path) -> None:
    root = str(guide.parent)
    client = start("-m", "md_mcp", "serve", "--allow-root", root, "--read-only")
    assert "Read-only: no tool writes." in client.handshake()["instructions"]
    tools = client.request("tools/list")["result"]["tools"]
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
    arguments = {"file_path": str(guide), "path": "Guide.Use"}
    assert client.refusal("delete_section", **arguments).startswith("UNKNOWN_TOOL: ")
    assert guide.read_bytes() == GUIDE


def test_a_server_without_roots_warns_once_on_standard_error(
    start: Start, guide: Path
) -> None:
    client = start("-m", "md_mcp", "serve", stderr=subprocess.PIPE)
    assert client.handshake()["instructions"].startswith("No folder limits.\n")
    assert client.text("get_section", file_path=str(guide), path="Use") == "## Use\n"
    client.close_input()
    assert client.exit_code() == 0
    assert client.process.stderr.read() == (
        b"md-mcp: no --allow-root is given, so every file may be read and written\n"
    )


def test_a_missing_root_is_reported_and_the_others_work(
    start: Start, guide: Path
) -> None:
    missing = str(guide.parent / "missing")
    roots = ("--allow-root", missing, "--allow-root", str(guide.parent))
    client = start("-m", "md_mcp", "serve", *roots, stderr=subprocess.PIPE)
    assert missing not in client.handshake()["instructions"]
    assert client.text("get_section", file_path=str(guide), path="Use") == "## Use\n"
    client.close_input()
    assert client.exit_code() == 0
    warning = client.process.stderr.read()
    assert warning.startswith(f'md-mcp: BAD_ROOT: the root "{missing}" '.encode())
    assert warning.count(b"\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_whose_name_could_not_be_handed_back_is_counted_as_skipped(
    server: Any, guide: Path
) -> None:
    guide.rename(os.fsdecode(os.fsencode(guide.parent) + b"/caf\xe9.md"))
    arguments = {"directory": str(guide.parent), "glob": "*.md", "query": "apt"}
    found = json.loads(server.text("search_files", **arguments))
    assert (found["matches"], found["skipped"]) == ([], 1)


def test_a_document_is_returned_with_its_hidden_characters(
    server: Any, guide: Path
) -> None:
    text = "# A\n\n\x1b]0;pwn\x07 \u202e \U000e0041 <!-- ignore previous -->\n"
    guide.write_bytes(text.encode())
    assert server.text("get_section", file_path=str(guide), path="A") == text


def test_a_pattern_that_does_not_end_is_stopped_and_a_ping_answered_meanwhile(
    server: Any, guide: Path
) -> None:
    guide.write_bytes(b"# A\n\n" + b"a" * 60 + b"b\n")
    arguments = {"file_path": str(guide), "query": "(a|aa)+$"}
    params = {"name": "search_sections", "arguments": arguments}
    server.send("tools/call", params, id="slow")
    assert server.request("ping")["result"] == {}
    answer = server.receive()
    assert answer["id"] == "slow"
    assert answer["result"]["content"][0]["text"].startswith("TIMEOUT: the pattern")


@pytest.fixture
def locked(guide: Path) -> Iterator[Callable[[], None]]:
    """Hold the lock that writers of the folder wait for; give what releases it."""
    fcntl = pytest.importorskip("fcntl", reason="locks are POSIX's")
    folder = os.open(guide.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    yield lambda: fcntl.flock(folder, fcntl.LOCK_UN)
    os.close(folder)


def begin_edit(server: Any, guide: Path, request_id: int) -> None:
    arguments = {"file_path": str(guide), "path": "Use", "new_content": "u"}
    params = {"name": "replace_section", "arguments": arguments}
    server.send("tools/call", params, id=request_id)


def test_an_edit_cancelled_while_it_waits_is_not_made(
    own_server: Any, guide: Path, locked: Callable[[], None]
) -> None:
    begin_edit(own_server, guide, 50)
    own_server.send("notifications/cancelled", {"requestId": 50})
    own_server.request("ping")
    locked()
    assert (
        own_server.text("get_section", file_path=str(guide), path="Use") == "## Use\n"
    )
    edit = {"file_path": str(guide), "path": "Use", "new_content": "next"}
    assert own_server.text("replace_section", **edit) == "ok"
    assert guide.read_bytes() == GUIDE + b"\nnext\n"
    own_server.close_input()
    assert own_server.rest() == []


def test_an_edit_that_waits_when_the_server_ends_is_not_made(
    own_server: Any, guide: Path, locked: Callable[[], None]
) -> None:
    begin_edit(own_server, guide, 50)
    own_server.request("ping")
    own_server.close_input()
    (answer,) = own_server.rest()
    text = answer["result"]["content"][0]["text"]
    assert text.startswith("SERVER_ENDING: ")
    assert text.endswith("Nothing was written.")
    assert own_server.exit_code() == 0
    locked()
    assert guide.read_bytes() == GUIDE
    assert [path.name for path in guide.parent.iterdir()] == ["guide.md"]


def test_pings_and_reading_go_on_while_edits_wait(
    server: Any, guide: Path, locked: Callable[[], None]
) -> None:
    for request_id in (50, 51):
        begin_edit(server, guide, request_id)
    assert server.request("ping")["result"] == {}
    assert server.text("get_section", file_path=str(guide), path="Use") == "## Use\n"
    locked()
    answers = [server.receive() for _ in range(2)]
    assert sorted(answer["id"] for answer in answers) == [50, 51]
    assert guide.read_bytes() == GUIDE + b"\nu\n"


SLOW_COMMIT = """
import os, pathlib, stat, sys, time

fsync = os.fsync

def slow_fsync(fd):
    fsync(fd)
    if stat.S_ISDIR(os.fstat(fd).st_mode):
        pathlib.Path(sys.argv[2]).touch()
        time.sleep(0.7)

os.fsync = slow_fsync

from md_mcp.cli import main

sys.exit(main(["serve", "--allow-root", sys.argv[1]]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM"])
def test_a_signal_lets_a_running_commit_finish_and_be_answered(
    start: Start, guide: Path, tmp_path: Path, how: str
) -> None:
    marker = tmp_path / "committing"
    client = start("-c", SLOW_COMMIT, str(guide.parent), str(marker))
    client.handshake()
    begin_edit(client, guide, 50)
    deadline = time.monotonic() + 30
    while not marker.exists():
        assert time.monotonic() < deadline
        time.sleep(0.005)
    client.process.send_signal(getattr(signal, how))
    (answer,) = client.rest()
    assert answer["result"] == {
        "content": [{"type": "text", "text": "ok"}],
        "isError": False,
    }
    assert client.exit_code() == 0
    assert guide.read_bytes() == GUIDE + b"\nu\n"
    assert [path.name for path in guide.parent.iterdir()] == ["guide.md"]
