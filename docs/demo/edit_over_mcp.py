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
from pathlib import Path

from mcp import Client, StdioServerParameters

SAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "documents" / "guide.md"
SECTION = "Field guide.Trees.Oak"
NEW_TEXT = "Lobed leaves; acorns on long stalks.\n\nOld trees stand alone."

ADDED_LINE = "This line is only a preview."


def server(root: Path, *options: str) -> StdioServerParameters:
    """Return how to start the server on one folder."""
    command = ["-m", "md_mcp", "--allow-root", str(root), *options]
    return StdioServerParameters(command=sys.executable, args=command)


async def call(client: Client, tool: str, **arguments: object) -> str:
    """Call a tool and return its text; exit with the server's words if it refuses."""
    shown = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    print(f"\n> {tool}({shown})")
    result = await client.call_tool(tool, dict(arguments))
    text = "".join(getattr(block, "text", "") for block in result.content)
    if result.is_error:
        sys.exit(text)
    return text


def print_index(text: str) -> None:
    """Print the headings of an index, indented by level."""
    nodes = json.loads(text)["sections"][::-1]
    while nodes:
        node = nodes.pop()
        print("  " * node["level"] + node["heading"])
        nodes += node["children"][::-1]


def check_bytes(before: bytes, after: bytes) -> None:
    """Print how many bytes are the same; exit if any outside the edit differs."""
    old, new = b"Lobed leaves, acorns on short stalks.   ", NEW_TEXT.encode()
    start = before.index(old)
    end = before.index(b"\n\n### Birch")
    if after != before[:start] + new + before[end:]:
        sys.exit("bytes outside the edit differ")
    print(f"\nbytes before the edited text: {start}, all the same")
    print(f"bytes after the edited text:  {len(before) - end}, all the same")


async def edit_sample() -> None:
    """List, preview, edit and compare on a copy of the sample."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        path = root / "guide.md"
        shutil.copyfile(SAMPLE, path)
        before = path.read_bytes()
        print(f"Copied {SAMPLE.name} ({len(before)} bytes) to {root}")
        async with Client(server(root)) as client:
            tools = await client.list_tools()
            print("The server offers", ", ".join(tool.name for tool in tools.tools))
            print_index(await call(client, "get_index", file_path="guide.md"))
            place = {"file_path": "guide.md", "path": SECTION}
            print(await call(client, "get_section", **place), end="")
            preview = await call(client, "patch_section", **place, new_content=NEW_TEXT)
            print(preview, end="")
            if path.read_bytes() != before:
                sys.exit("the preview wrote something")
            answer = await call(
                client, "replace_section", **place, new_content=NEW_TEXT
            )
            print(answer)
        check_bytes(before, path.read_bytes())


async def preview_own(path: Path, section: str) -> None:
    """List the index of the user's file and preview an edit; write nothing."""
    before = path.read_bytes()
    async with Client(server(path.parent, "--read-only")) as client:
        place = {"file_path": str(path)}
        print_index(await call(client, "get_index", **place))
        if section:
            place["path"] = section
            text = await call(client, "get_section", **place, depth=0)
            print(text, end="")
            added = f"{text.rstrip()}\n\n{ADDED_LINE}\n"
            print(
                await call(client, "patch_section", **place, new_content=added), end=""
            )
    if path.read_bytes() != before:
        sys.exit(f"{path} changed")
    print(f"\n{path} is as it was: {len(before)} bytes")


def main(arguments: list[str]) -> None:
    """Run the demo on the sample, or the preview on the user's own file."""
    if arguments:
        section = arguments[1] if len(arguments) > 1 else ""
        asyncio.run(preview_own(Path(arguments[0]).resolve(), section))
    else:
        asyncio.run(edit_sample())


if __name__ == "__main__":
    main(sys.argv[1:])
