"""One tool call from its name and arguments to its answer, whatever happens in it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from md_mcp.errors import NOTHING_WRITTEN, MdMcpError, UnknownToolError
from md_mcp.server.results import (
    Answer,
    render_error,
    render_value,
    scrub,
)
from md_mcp.server.tool import Tool
from md_mcp.server.validation import check_arguments, offer_nearest


def execute(
    tools: Mapping[str, Tool], name: str, arguments: Mapping[str, Any], files: Any
) -> Answer:
    """Return the answer to a call. Never raises: a failure is an answer too."""
    tool = tools.get(name)
    if tool is None:
        return render_error(_unknown_tool(tools, name))
    try:
        value = tool.function(files, **check_arguments(tool, arguments))
        return Answer(render_value(value))
    except MdMcpError as error:
        return render_error(error, NOTHING_WRITTEN if tool.writes else "")
    except BaseException as error:  # SystemExit or MemoryError must not end the server
        return _report_fault(tool, error)


def _unknown_tool(tools: Mapping[str, Tool], name: str) -> UnknownToolError:
    shown = name[:80]
    reason = offer_nearest(shown, tools).lstrip(" ")
    return UnknownToolError(shown, reason or f"There are {', '.join(tools)}.")


def _report_fault(tool: Tool, error: BaseException) -> Answer:
    """Answer for a fault of md-mcp's own, with a line on standard error for its report.

    It is not said that nothing was written: the fault may have come after that.
    """
    what = f"{type(error).__name__}: {error}"[:300].replace("\n", " ")
    place = _innermost_place(error)
    print(f"md-mcp: {tool.name} failed at {place}: {what}", file=sys.stderr)
    step = "Read the section again before repeating the edit." if tool.writes else ""
    text = f"INTERNAL_ERROR: {tool.name} failed ({what}); this is a fault of md-mcp."
    return Answer(scrub(f"{text} {step}".rstrip(" ")), is_error=True)


def _innermost_place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "an unknown place"
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
