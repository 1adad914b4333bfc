"""Several servers at one file: a racer that swaps it away, each other, and an editor.

How long the swapping goes on is `MD_MCP_RACE_SECONDS`, by default a few seconds.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Start = Callable[..., Any]

PROGRAMS = Path(__file__).parents[1] / "files" / "programs"
SECONDS = float(os.environ.get("MD_MCP_RACE_SECONDS", "4"))
EDITS = 1500

INSIDE = b"# Guide\n\n## Alpha\n\none\n"
SECRET = b"# Guide\n\n## Alpha\n\nSECRET one\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="names are exchanged"),
]

FILE = {"file_path": "d/f.md"}
ALPHA = {**FILE, "path": "Alpha"}
CALLS: list[list[tuple[str, dict[str, str]]]] = [
    [
        ("get_section", ALPHA),
        ("get_index", FILE),
        ("get_outline", FILE),
        ("find_section", {**FILE, "heading": "alpha"}),
        ("get_frontmatter", FILE),
    ],
    [
        ("replace_section", {**ALPHA, "new_content": "one"}),
        ("replace_section", {**ALPHA, "new_content": "two"}),
        ("patch_section", {**ALPHA, "new_content": "three"}),
        ("replace_in_section", {**ALPHA, "old": "o", "new": "0"}),
    ],
    [
        ("add_section", {**FILE, "heading": "## Beta", "content": "two"}),
        ("delete_section", {**FILE, "path": "Guide.Beta"}),
        ("search_sections", {**FILE, "query": "SECRET|one"}),
        ("update_changelog", {**FILE, "action": "add", "entry": "three"}),
    ],
    [
        ("search_files", {"directory": ".", "glob": "**/*.md", "query": "one"}),
        ("search_files", {"directory": "d", "glob": "*.md", "query": "one"}),
        ("find_notes", {"directory": "d", "query": "one"}),
        ("query_links", {"directory": ".", "query": "stats"}),
    ],
]
"""What each of four clients asks of a server of its own, again and again."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a folder `d`, and `e`, a link to a folder outside, to swap it with."""
    root = tmp_path / "root"
    for folder, data in ((root / "d", INSIDE), (tmp_path / "outside", SECRET)):
        folder.mkdir(parents=True)
        (folder / "f.md").write_bytes(data)
    (root / "e").symlink_to("../outside")
    return root


@pytest.fixture
def racer(root: Path) -> Iterator[None]:
    command = [sys.executable, str(PROGRAMS / "racer.py"), "d", "e"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"\n"
        yield
        process.kill()


def ask(
    client: Any, calls: list[tuple[str, dict[str, str]]], seen: Counter[str]
) -> None:
    """Ask for SECONDS, and count the answers by what they begin with."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        for tool, arguments in calls:
            result = client.call(tool, **arguments)
            text = result["content"][0]["text"]
            if "SECRET one" in text:
                seen["SECRET"] += 1
            seen[text.partition(":")[0] if result["isError"] else "done"] += 1


@pytest.mark.usefixtures("racer")
def test_no_tool_of_four_servers_reaches_what_is_swapped_in(
    root: Path, start: Start
) -> None:
    seen: Counter[str] = Counter()
    threads = []
    for calls in CALLS:
        client = start("-m", "md_mcp", "--allow-root", str(root))
        client.handshake()
        tools = {
            tool["name"] for tool in client.request("tools/list")["result"]["tools"]
        }
        assert tools <= {tool for calls in CALLS for tool, _ in calls}
        threads.append(threading.Thread(target=ask, args=(client, calls, seen)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(sorted(seen.items()))
    outside = root.parent / "outside"
    assert [path.name for path in outside.iterdir()] == ["f.md"]
    assert (outside / "f.md").read_bytes() == SECRET
    assert seen["SECRET"] == seen["INTERNAL_ERROR"] == 0
    assert seen["done"] > 0
    assert seen["OUTSIDE_ROOT"] > 0


SHARED = "# T\n\n## A\n\n## B\n"


def add_sections(client: Any, parent: str) -> None:
    """Add numbered sections below a section.

    What is refused since the file never rested is tried again.
    """
    for number in range(EDITS):
        arguments = {"file_path": "a.md", "under": f"T.{parent}", "content": ""}
        arguments["heading"] = f"### {parent} {number}"
        while (result := client.call("add_section", **arguments))["isError"]:
            text = result["content"][0]["text"]
            assert text.startswith(("CONFLICT: ", "FILE_CHANGING: ")), text


def numbers(text: str, before: str) -> list[int]:
    """Return the numbers at the end of the lines that begin with `before`."""
    return [int(number) for number in re.findall(rf"(?m)^{before} (\d+)$", text)]


def test_two_servers_keep_all_edits_of_different_sections(
    tmp_path: Path, start: Start
) -> None:
    (tmp_path / "a.md").write_bytes(SHARED.encode())
    threads = []
    for section in ("A", "B"):
        client = start("-m", "md_mcp", "--allow-root", str(tmp_path))
        client.handshake()
        threads.append(threading.Thread(target=add_sections, args=(client, section)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    text = (tmp_path / "a.md").read_bytes().decode()
    assert numbers(text, "### A") == list(range(EDITS))
    assert numbers(text, "### B") == list(range(EDITS))
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_a_careful_editor_and_a_server_lose_nothing(
    tmp_path: Path, start: Start
) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(SHARED.encode())
    client = start("-m", "md_mcp", "--allow-root", str(tmp_path))
    client.handshake()
    command = [sys.executable, str(PROGRAMS / "editor.py"), str(file), "B"]
    with subprocess.Popen([*command, str(EDITS), "careful"], cwd=tmp_path) as editor:
        add_sections(client, "A")
        assert editor.wait() == 0
    text = file.read_bytes().decode()
    assert numbers(text, "### A") == list(range(EDITS))
    assert numbers(text, "B") == list(range(EDITS))
