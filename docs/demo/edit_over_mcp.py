"""The main job for real: read and edit a document over MCP, and prove what changed.

Without arguments it copies a sample document into a temporary folder, starts the
server on that folder over stdio as any client does, lists the index, previews an edit,
makes it, and compares the file byte by byte.

    edit_over_mcp.py [FILE [SECTION]]

With FILE it lists that file's index, with SECTION it also previews a line added to that
section; the server is started read-only, so nothing can be written.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from mcp import Client, StdioServerParameters

SAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "documents" / "guide.md"
SECTION = "Field guide.Trees.Oak"
NEW_TEXT = "Lobed leaves; acorns on long stalks.\n\nOld trees stand alone."

ADDED_LINE = "This line is only a preview."


class Stopped(Exception):
    """The demo cannot go on; the message says why."""


def server(root: Path, *options: str) -> StdioServerParameters:
    """Return how to start the server on one folder."""
    command = ["-m", "md_mcp", "--allow-root", str(root), *options]
    return StdioServerParameters(command=sys.executable, args=command)


async def call(client: Client, tool: str, **arguments: object) -> str:
    """Show a call of a tool, make it and return its text; stop if it is refused."""
    shown = [f"{name}={value!r}" for name, value in arguments.items()]
    print(f"\n> {tool}({', '.join(textwrap.shorten(part, 60) for part in shown)})")
    result = await client.call_tool(tool, dict(arguments))
    text = "".join(getattr(block, "text", "") for block in result.content)
    if result.is_error:
        raise Stopped(text)
    return text


def print_index(text: str) -> None:
    """Print the headings of an index, indented by level."""
    nodes = json.loads(text)["sections"][::-1]
    while nodes:
        node = nodes.pop()
        print("  " * node["level"] + node["heading"])
        nodes += node["children"][::-1]


def check_bytes(before: bytes, after: bytes) -> None:
    """Print how many bytes are the same; stop if any outside the edit differs."""
    old, new = b"Lobed leaves, acorns on short stalks.   ", NEW_TEXT.encode()
    start = before.index(old)
    end = before.index(b"\n\n### Birch")
    if after != before[:start] + new + before[end:]:
        raise Stopped("bytes outside the edit differ")
    print(f"\nbytes before the edited text: {start}, all the same")
    print(f"bytes after the edited text:  {len(before) - end}, all the same")


async def converse(
    parameters: StdioServerParameters, job: Callable[[Client], Awaitable[None]]
) -> None:
    """Start a server and do `job` with it; when that stops, end the server first."""
    async with Client(parameters) as client:
        try:
            return await job(client)
        except Stopped as stopped:
            reason = stopped
    raise reason


async def edit_sample() -> None:
    """List, preview, edit and compare on a copy of the sample."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve() / "guide.md"
        shutil.copyfile(SAMPLE, path)
        before = path.read_bytes()
        print(f"Copied {SAMPLE.name} ({len(before)} bytes) to {path}")
        await converse(server(path.parent), partial(edit, path))
        check_bytes(before, path.read_bytes())


async def edit(path: Path, client: Client) -> None:
    """List the tools and the index, preview the edit, then make it."""
    before = path.read_bytes()
    tools = await client.list_tools()
    print("The server offers", ", ".join(tool.name for tool in tools.tools))
    print_index(await call(client, "get_index", file_path=path.name))
    place = {"file_path": path.name, "path": SECTION}
    print(await call(client, "get_section", **place), end="")
    print(await call(client, "patch_section", **place, new_content=NEW_TEXT), end="")
    if path.read_bytes() != before:
        raise Stopped("the preview wrote something")
    print(await call(client, "replace_section", **place, new_content=NEW_TEXT))


async def preview_own(path: Path, section: str) -> None:
    """List the index of the user's file and preview an edit; write nothing."""
    before = path.read_bytes()
    await converse(server(path.parent, "--read-only"), partial(preview, path, section))
    if path.read_bytes() != before:
        raise Stopped(f"{path} changed")
    print(f"\n{path} is as it was: {len(before)} bytes")


async def preview(path: Path, section: str, client: Client) -> None:
    """List the index, and show the diff of one line added to the section."""
    place = {"file_path": path.name}
    print_index(await call(client, "get_index", **place))
    if section:
        place["path"] = section
        text = await call(client, "get_section", **place, depth=0)
        print(text, end="")
        added = f"{text.rstrip()}\n\n{ADDED_LINE}\n"
        print(await call(client, "patch_section", **place, new_content=added), end="")


def main(arguments: list[str]) -> None:
    """Run the demo on the sample, or the preview on the user's own file."""
    name, section = [*arguments, "", ""][:2]
    if name and not Path(name).is_file():
        sys.exit(f"there is no file {name}")
    try:
        asyncio.run(
            preview_own(Path(name).resolve(), section) if name else edit_sample()
        )
    except Stopped as stopped:
        sys.exit(str(stopped))


if __name__ == "__main__":
    main(sys.argv[1:])
