"""The tools as an MCP server of the SDK, and one session of it over stdio.

Everything that speaks the protocol is here; importing it loads the SDK.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ProtocolTool

from md_mcp import __version__
from md_mcp.errors import CallError
from md_mcp.server.calls import Call, Calls
from md_mcp.server.execute import execute
from md_mcp.server.results import UNSETTLED, Answer, render_error
from md_mcp.server.stdio import Wire
from md_mcp.server.tool import Tool
from md_mcp.server.transport import Transport

FilesFor = Callable[[Call], Any]
"""The files as one call may use them: what it writes passes `Call.check`."""

_CLOSE_S = 0.05
"""Time for last answers, to be made and to be read."""

_SWITCH_INTERVAL_S = 0.0001
"""Python's own is 5 ms, and a ping needs a dozen turns at the lock that calls hold."""


def build_server(
    tools: Mapping[str, Tool], instructions: str, calls: Calls, files_for: FilesFor
) -> Server[Any]:
    """Return the SDK's server with `tools`, whose work `calls` runs."""
    listed = ListToolsResult(tools=[describe_tool(tool) for tool in tools.values()])

    async def list_tools(
        context: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return listed

    async def call_tool(
        context: ServerRequestContext[Any, Any], params: CallToolRequestParams
    ) -> CallToolResult:
        arguments = params.arguments or {}

        def work(call: Call) -> Answer:
            return execute(tools, params.name, arguments, files_for(call))

        try:
            answer = await calls.run(work)
        except CallError as error:  # and the call has not come to its end
            tool = tools.get(params.name)
            answer = render_error(error, UNSETTLED if tool and tool.writes else "")
        return CallToolResult(
            content=[TextContent(type="text", text=answer.text)],
            is_error=answer.is_error,
        )

    return Server(
        "md-mcp",
        version=__version__,
        instructions=instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def describe_tool(tool: Tool) -> ProtocolTool:
    """Return `tool` as it is listed, for as few tokens as say all that matters."""
    annotations = ToolAnnotations(open_world_hint=False)
    if not tool.writes:
        annotations.read_only_hint = True
    else:
        annotations.destructive_hint = tool.destructive
        annotations.idempotent_hint = tool.idempotent or None
    return ProtocolTool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema(),
        annotations=annotations,
    )


async def serve_wire(
    wire: Wire,
    tools: Mapping[str, Tool],
    instructions: str,
    files: Any,
) -> None:
    """Serve one client until its input ends, a signal comes or it reads no more.

    A commit that is running then is waited for.
    """
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    transport = Transport(wire)
    calls = Calls(
        ready=transport.output.room, commits_idle=partial(files.commits_idle, 0)
    )

    def files_for(call: Call) -> Any:
        return files.with_check(call.check)

    server = build_server(tools, instructions, calls, files_for)
    _stop_on_signals(transport)
    async with anyio.create_task_group() as group:
        group.start_soon(_end_in_order, transport, calls)
        transport.start()
        await server.run(
            transport.read_stream,
            transport.write_stream,
            server.create_initialization_options(),
        )
        group.cancel_scope.cancel()
    await transport.output.flush(_CLOSE_S)


async def _end_in_order(transport: Transport, calls: Calls) -> None:
    await transport.wait_for_end()
    await calls.end()
    await transport.close(_CLOSE_S)


def _stop_on_signals(transport: Transport) -> None:
    """End the session at SIGINT, with which clients stop servers, and at SIGTERM."""
    loop = asyncio.get_running_loop()

    def stop(number: int, frame: object) -> None:
        with contextlib.suppress(RuntimeError):  # a second signal, after the end
            loop.call_soon_threadsafe(transport.stop)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
