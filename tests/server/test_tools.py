from __future__ import annotations

import inspect
import json
from dataclasses import dataclass
from typing import Any

import pytest

from md_mcp import operations
from md_mcp.errors import ArgumentError
from md_mcp.library.queries import QUERIES
from md_mcp.server.app import write_instructions
from md_mcp.server.confirm import confirm
from md_mcp.server.read_tools import READ
from md_mcp.server.refactor_tools import REFACTOR
from md_mcp.server.session import describe_tool
from md_mcp.server.tool import Tool
from md_mcp.server.tools import EDIT, TOOLSETS, select_tools

ALL_TOOLS = [tool for tools in TOOLSETS.values() for tool in tools]

READING = (
    *("get_index", "get_section", "search_sections", "search_files"),
    "patch_section",
)
WRITING = ("add_section", "replace_section", "replace_in_section", "delete_section")


def listed(tool: Tool) -> dict[str, Any]:
    return describe_tool(tool).model_dump(by_alias=True, exclude_none=True)


def test_the_edit_toolset_is_the_nine_tools() -> None:
    assert [tool.name for tool in EDIT] == [
        *("get_index", "get_section", "search_sections", "search_files"),
        *("add_section", "replace_section", "replace_in_section"),
        *("patch_section", "delete_section"),
    ]


def test_the_nine_tools_cost_a_client_few_tokens() -> None:
    text = json.dumps([listed(tool) for tool in EDIT], separators=(",", ":"))
    assert len(text) <= 4500


def test_the_read_toolset_is_five_tools_that_do_not_write() -> None:
    assert [tool.name for tool in READ] == [
        *("get_outline", "find_section", "get_frontmatter"),
        *("query_links", "find_notes"),
    ]
    assert all(listed(tool)["annotations"]["readOnlyHint"] for tool in READ)
    assert tuple(select_tools(["read"], read_only=True).values()) == READ


def test_the_refactor_toolset_keeps_changelogs() -> None:
    assert [tool.name for tool in REFACTOR] == ["update_changelog"]


def test_the_changelog_tool_costs_a_client_few_tokens() -> None:
    [tool] = [tool for tool in REFACTOR if tool.name == "update_changelog"]
    assert len(json.dumps(listed(tool), separators=(",", ":"))) <= 700


def test_the_queries_offered_are_those_that_exist() -> None:
    [tool] = [tool for tool in READ if tool.name == "query_links"]
    assert tool.parameters["query"]["enum"] == list(QUERIES)


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_a_description_is_short(tool: Tool) -> None:
    assert 0 < len(tool.description.split()) <= 60


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_a_tool_takes_what_its_operation_takes(tool: Tool) -> None:
    signature = inspect.signature(getattr(operations, tool.name))
    parameters = dict(signature.parameters)
    del parameters["files"]
    parameters.pop("dry_run", None)
    parameters.pop("progress", None)
    assert list(tool.parameters) == list(parameters)
    assert list(tool.required) == [
        name for name, p in parameters.items() if p.default is inspect.Parameter.empty
    ]


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_a_tool_has_no_output_schema_and_allows_no_other_arguments(tool: Tool) -> None:
    shown = listed(tool)
    assert set(shown) == {"name", "description", "inputSchema", "annotations"}
    assert shown["inputSchema"]["additionalProperties"] is False
    assert shown["annotations"]["openWorldHint"] is False


def test_reading_tools_say_so_and_writing_tools_what_they_may_destroy() -> None:
    hints = {tool.name: listed(tool)["annotations"] for tool in EDIT}
    assert [name for name in hints if hints[name].get("readOnlyHint")] == list(READING)
    assert {name: hints[name]["destructiveHint"] for name in WRITING} == {
        "add_section": False,
        "replace_section": True,
        "replace_in_section": True,
        "delete_section": True,
    }
    assert [name for name in hints if hints[name].get("idempotentHint")] == [
        "replace_section"
    ]


def test_exactly_the_writing_tools_take_an_expected_revision() -> None:
    takers = [tool.name for tool in EDIT if "expected_revision" in tool.parameters]
    assert takers == list(WRITING)
    assert [tool.name for tool in EDIT if tool.writes] == list(WRITING)


def test_a_read_only_server_offers_no_tool_that_writes() -> None:
    assert tuple(select_tools(["edit"], read_only=True)) == READING


@pytest.mark.parametrize(
    ("names", "tools"),
    [
        (["edit"], EDIT),
        (["edit", "edit"], EDIT),
        (["edit", "read"], (*EDIT, *READ)),
        (["all"], tuple(ALL_TOOLS)),
        (["all", "edit"], tuple(ALL_TOOLS)),
    ],
)
def test_toolsets_are_chosen_by_name(names: list[str], tools: tuple[Tool, ...]) -> None:
    assert tuple(select_tools(names, read_only=False).values()) == tools


def test_an_unknown_toolset_is_refused_with_the_nearest() -> None:
    with pytest.raises(ArgumentError) as caught:
        select_tools(["edit", "edits"], read_only=False)
    assert str(caught.value) == (
        'no toolset "edits". Did you mean "edit"? There are edit, read, refactor, all.'
    )


@dataclass
class FakeChange:
    revision: str = "0123456789ab"
    diff: str = "--- a/x\n"
    warnings: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("change", "arguments", "answer"),
    [
        (FakeChange(), {}, "ok"),
        (FakeChange(), {"expected_revision": "x"}, "ok 0123456789ab"),
        (FakeChange(warnings=("The owner was not kept.",)), {}, "ok\nThe owner was"),
    ],
)
def test_a_writing_tool_answers_ok(
    change: FakeChange, arguments: dict[str, str], answer: str
) -> None:
    def operation(files: object, expected_revision: str | None = None) -> FakeChange:
        assert expected_revision == arguments.get("expected_revision")
        return change

    assert confirm(operation)("files", **arguments).startswith(answer)


def test_instructions_begin_with_the_roots_and_the_read_only_state() -> None:
    text = write_instructions(["/docs", "/notes"], read_only=True)
    assert text.startswith(
        "Allowed folders: /docs, /notes. Read-only: no tool writes.\nmd-mcp edits "
    )
    assert write_instructions([], read_only=False).startswith("No folder limits.\n")


@pytest.mark.parametrize(
    "roots",
    [
        [f"/a/folder/with/a/rather/long/name/{number}" for number in range(100)],
        ["/" + "x" * 3000],
        ["/" + "x" * 3000] * 3,
    ],
)
def test_instructions_stay_short_whatever_the_roots(roots: list[str]) -> None:
    text = write_instructions(roots, read_only=True)
    assert len(text) <= 1500
    assert text.startswith(f"Allowed folders: {roots[0][:100]}")


def test_instructions_can_be_sent_whatever_the_name_of_a_root() -> None:
    text = write_instructions(["/caf\udce9"], read_only=False)
    assert text.startswith("Allowed folders: /caf\\xe9.\n")


def test_instructions_tell_how_many_roots_are_not_shown() -> None:
    roots = [f"/{'x' * 200}/{number}" for number in range(10)]
    first_line = write_instructions(roots, read_only=False).split("\n")[0]
    assert first_line.endswith("/1 and 8 more.")
