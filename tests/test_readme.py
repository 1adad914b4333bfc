"""The README and the pages of docs/ are true: their examples run, nothing is missing.

Blocks of a page are run in order in one empty folder. "LANGUAGE NAME" writes a file.
"console" runs the lines that start with "$ " and compares what they print, standard
error included; where nothing is shown, a "diff" block that follows is the output.
"python" is executed; "json" and "toml" must parse. Other blocks are for reading.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from md_mcp.cli.entry import VERBS
from md_mcp.document.model import Document
from md_mcp.server.tools import TOOLSETS

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted(ROOT.glob("docs/*.md"))]


@dataclass(frozen=True)
class Block:
    language: str
    name: str
    text: str


@dataclass(frozen=True)
class Command:
    line: str
    output: str


def read_blocks(page: Path) -> list[Block]:
    blocks = []
    for token in MarkdownIt("commonmark").parse(page.read_bytes().decode()):
        if token.type == "fence":
            language, _, name = token.info.partition(" ")
            blocks.append(Block(language, name, token.content))
    return blocks


def commands(block: Block, following: Block) -> Iterator[Command]:
    """Yield the commands of a console block, each with what it should print."""
    shown = f"\n{block.text}".split("\n$ ")[1:]
    parts = [part.partition("\n") for part in shown]
    for number, (line, _, output) in enumerate(parts, 1):
        last = number == len(parts)
        text = output if output.endswith("\n") or not output else f"{output}\n"
        if last and not text and following.language == "diff":
            text = following.text
        yield Command(line, text)


def shell_functions() -> str:
    """Return the installed commands as functions of a shell."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_bytes().decode())
    lines = []
    for name, entry in project["project"]["scripts"].items():
        module, _, function = entry.partition(":")
        code = f"import sys; from {module} import {function}; sys.exit({function}())"
        lines.append(f"{name}() {{ '{sys.executable}' -c '{code}' \"$@\"; }}\n")
    return "".join(lines)


def run(command: str, folder: Path) -> str:
    """Return what a shell prints for `command`, as on a terminal but uncoloured."""
    python = shell_functions()
    done = subprocess.run(
        ["bash", "-c", f"{python}{command}"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout.decode()


def check_block(block: Block, following: Block, folder: Path) -> None:
    if block.name:
        (folder / block.name).write_bytes(block.text.encode())
    if block.language == "console":
        for command in commands(block, following):
            assert run(command.line, folder) == command.output, command.line
    elif block.language == "python":
        exec(compile(block.text, "example", "exec"), {})
    elif block.language == "json":
        json.loads(block.text)
    elif block.language == "toml":
        tomllib.loads(block.text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_hold(page: Path, tmp_path: Path) -> None:
    blocks = [*read_blocks(page), Block("", "", "")]
    for block, following in pairwise(blocks):
        check_block(block, following, tmp_path)


def test_the_readme_has_examples_of_each_kind() -> None:
    languages = {block.language for block in read_blocks(README)}
    assert languages >= {"markdown", "console", "diff", "python", "json", "toml"}


def test_every_tool_stands_in_the_readme() -> None:
    text = README.read_bytes().decode()
    names = [tool.name for tools in TOOLSETS.values() for tool in tools]
    assert [name for name in names if f"\n| `{name}` |" not in text] == []


def test_every_verb_stands_in_the_readme() -> None:
    text = README.read_bytes().decode()
    missing = [
        name
        for name in VERBS
        if f"| `{name}` |" not in text and f" {name}`" not in text
    ]
    assert missing == []


def configured(settings: object) -> Iterator[list[str]]:
    """Yield the commands that a client's settings start, at any depth."""
    if not isinstance(settings, dict):
        return
    command = settings.get("command")
    if command is not None:
        yield command if isinstance(command, list) else [command, *settings["args"]]
    for value in settings.values():
        yield from configured(value)


def test_every_client_is_told_to_start_the_server_in_the_same_way() -> None:
    blocks = read_blocks(README)
    settings = [
        *(json.loads(block.text) for block in blocks if block.language == "json"),
        *(tomllib.loads(block.text) for block in blocks if block.language == "toml"),
    ]
    found = [command for setting in settings for command in configured(setting)]
    assert found == [["md-mcp", "--allow-root", "/docs"]] * 5


@pytest.mark.parametrize(
    "client",
    [
        *("opencode", "Claude Desktop", "Claude Code", "Cursor"),
        *("VS Code", "Codex", "Gemini CLI", "Zed"),
    ],
)
def test_every_client_has_its_configuration_in_the_readme(client: str) -> None:
    assert f"**{client}**" in README.read_bytes().decode()


def test_the_links_of_the_pages_lead_to_files() -> None:
    broken = [
        (page.name, link.path)
        for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
        for link in Document(page.read_bytes().decode()).links.links
        if not (page.parent / link.path).exists()
    ]
    assert broken == []
