"""The server in memory, driven by the SDK's own client in both protocol eras."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp_types import TextContent

from md_mcp import __version__
from md_mcp.errors import EditError
from md_mcp.server.calls import Call, Calls
from md_mcp.server.session import build_server, describe_tool
from md_mcp.server.tool import BOOLEAN, STRING, Tool

ERAS = pytest.mark.parametrize(
    ("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")]
)


def join(files: Any, path: str, loud: bool = False) -> dict[str, Any]:
    return {"path": path.upper() if loud else path, "files": files}


def refuse(files: Any) -> str:
    raise EditError("not today.")


TOOLS = {
    "join": Tool("join", "Joins.", {"path": STRING, "loud": BOOLEAN}, ("path",), join),
    "refuse": Tool("refuse", "Refuses.", {}, (), refuse, writes=True),
}


def new_server(calls: Calls | None = None) -> Server[Any]:
    return build_server(TOOLS, "Be brief.", calls or Calls(), lambda call: "the files")


def with_client(mode: str, main: Callable[[Client], Awaitable[None]]) -> None:
    async def connect() -> None:
        with anyio.fail_after(30):
            async with Client(new_server(), mode=mode) as client:
                await main(client)

    anyio.run(connect)


@ERAS
def test_the_server_tells_who_it_is(mode: str, version: str) -> None:
    async def main(client: Client) -> None:
        assert client.protocol_version == version
        assert client.server_info is not None
        assert client.server_info.name == "md-mcp"
        assert client.server_info.version == __version__
        assert client.instructions == "Be brief."

    with_client(mode, main)


@ERAS
def test_tools_are_listed_as_the_table_has_them(mode: str, version: str) -> None:
    async def main(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert listed == [describe_tool(tool) for tool in TOOLS.values()]
        assert listed[0].output_schema is None
        assert listed[0].input_schema == {
            "type": "object",
            "properties": {"path": STRING, "loud": BOOLEAN},
            "required": ["path"],
            "additionalProperties": False,
        }

    with_client(mode, main)


@ERAS
def test_a_result_is_one_text_block(mode: str, version: str) -> None:
    async def main(client: Client) -> None:
        result = await client.call_tool("join", {"path": "é", "loud": "true"})
        assert result.content == [
            TextContent(type="text", text='{"path":"É","files":"the files"}')
        ]
        assert result.structured_content is None
        assert not result.is_error

    with_client(mode, main)


@ERAS
@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("refuse", {}, "EDIT_REFUSED: not today. Nothing was written."),
        (
            "join",
            {"path": "a", "laud": True},
            (
                'INVALID_ARGUMENT: unknown argument "laud". Did you mean "loud"? '
                "join takes path, loud (optional)."
            ),
        ),
        ("joyn", {}, 'UNKNOWN_TOOL: no tool "joyn". Did you mean "join"?'),
    ],
)
def test_a_failure_is_a_result_that_says_what_to_do(
    mode: str, version: str, tool: str, arguments: dict[str, Any], text: str
) -> None:
    async def main(client: Client) -> None:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert result.content == [TextContent(type="text", text=text)]

    with_client(mode, main)


def test_each_call_gets_files_of_its_own() -> None:
    seen: list[Call] = []

    def files_for(call: Call) -> str:
        seen.append(call)
        return "files"

    server = build_server(TOOLS, "", Calls(), files_for)

    async def main() -> None:
        async with Client(server, mode="legacy") as client:
            await client.call_tool("join", {"path": "a"})
            await client.call_tool("join", {"path": "b"})

    anyio.run(main)
    assert len(set(seen)) == 2


@pytest.mark.parametrize(
    ("writes", "ending"),
    [
        (False, "Ask for less at a time."),
        (True, "read the section again before repeating the edit."),
    ],
)
def test_a_late_call_is_an_error_result(writes: bool, ending: str) -> None:
    release = threading.Event()

    def wait(files: Any) -> str:
        release.wait(30)
        return ""

    tools = {"wait": Tool("wait", "", {}, (), wait, writes=writes)}
    server = build_server(tools, "", Calls(deadline_s=0.02), lambda call: None)

    async def main() -> None:
        async with Client(server, mode="legacy") as client:
            result = await client.call_tool("wait", {})
            assert result.is_error
            assert isinstance(result.content[0], TextContent)
            text = result.content[0].text
            assert text.startswith("DEADLINE_EXCEEDED: not done after 0.02 s, so the")
            assert text.endswith(ending)

    anyio.run(main)
    release.set()


def test_a_late_edit_that_has_not_written_says_so() -> None:
    def wait_for_lock(files: Call) -> str:
        while True:
            files.check()
            time.sleep(0.001)

    tools = {"wait": Tool("wait", "", {}, (), wait_for_lock, writes=True)}
    server = build_server(tools, "", Calls(deadline_s=0.02), lambda call: call)

    async def main() -> None:
        async with Client(server, mode="legacy") as client:
            result = await client.call_tool("wait", {})
            assert isinstance(result.content[0], TextContent)
            assert result.content[0].text == (
                "DEADLINE_EXCEEDED: not done after 0.02 s, so the call was stopped. "
                "Ask for less at a time. Nothing was written."
            )

    anyio.run(main)


@pytest.mark.parametrize(
    ("tool", "hints"),
    [
        (TOOLS["join"], {"readOnlyHint": True, "openWorldHint": False}),
        (
            TOOLS["refuse"],
            {"destructiveHint": False, "openWorldHint": False},
        ),
    ],
)
def test_hints_follow_the_table(tool: Tool, hints: dict[str, bool]) -> None:
    annotations = describe_tool(tool).annotations
    assert annotations is not None
    assert annotations.model_dump(by_alias=True, exclude_none=True) == hints
