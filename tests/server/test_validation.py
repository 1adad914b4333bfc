from __future__ import annotations

from typing import Any

import pytest

from md_mcp.errors import ArgumentError
from md_mcp.server.tool import BOOLEAN, INTEGER, STRING, Tool
from md_mcp.server.validation import check_arguments

TOOL = Tool(
    name="cut",
    description="",
    parameters={
        "path": STRING,
        "depth": INTEGER,
        "include_children": BOOLEAN,
        "scope": {"type": "string", "enum": ["body", "headings"]},
        "paths": {"type": "array"},
    },
    required=("path",),
    function=lambda files: "",
)


def check(**arguments: Any) -> dict[str, Any]:
    checked = check_arguments(TOOL, {"path": "A", **arguments})
    assert checked.pop("path") == "A"
    return checked


@pytest.mark.parametrize(
    ("given", "understood"),
    [
        pytest.param({"depth": 3}, {"depth": 3}, id="an integer"),
        pytest.param({"depth": "3"}, {"depth": 3}, id="an integer as text"),
        pytest.param({"depth": "-3"}, {"depth": -3}, id="a negative one"),
        pytest.param({"depth": 3.0}, {"depth": 3}, id="an integer with a point"),
        pytest.param({"include_children": False}, {"include_children": False}, id="no"),
        pytest.param({"include_children": "true"}, {"include_children": True}, id="y"),
        pytest.param(
            {"include_children": "False"}, {"include_children": False}, id="n"
        ),
        pytest.param({"scope": "headings"}, {"scope": "headings"}, id="a choice"),
        pytest.param({"paths": ["a"]}, {"paths": ["a"]}, id="a list"),
        pytest.param(
            {"paths": '["a","b"]'}, {"paths": ["a", "b"]}, id="a list as JSON"
        ),
        pytest.param({"depth": None}, {}, id="null is left out"),
        pytest.param({}, {}, id="nothing"),
    ],
)
def test_arguments_are_understood(
    given: dict[str, Any], understood: dict[str, Any]
) -> None:
    checked = check(**given)
    assert checked == understood
    assert [type(v) for v in checked.values()] == [type(v) for v in understood.values()]


@pytest.mark.parametrize("text", ["null", "true", "5", "[]", "", "A\u2028B"])
def test_text_stays_text(text: str) -> None:
    assert check_arguments(TOOL, {"path": text}) == {"path": text}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"path": 5}, '"path" must be a string, not a number.'),
        ({"path": ["A"]}, '"path" must be a string, not a list.'),
        ({"depth": "three"}, '"depth" must be an integer, not the string "three".'),
        ({"depth": "1_0"}, '"depth" must be an integer, not the string "1_0".'),
        ({"depth": "٣"}, '"depth" must be an integer, not the string "٣".'),
        ({"depth": "9" * 99}, '"depth" must be an integer, not the string'),
        ({"depth": 1.5}, '"depth" must be an integer, not a number.'),
        ({"depth": float("inf")}, '"depth" must be an integer, not a number.'),
        ({"depth": True}, '"depth" must be an integer, not a boolean.'),
        ({"include_children": 1}, '"include_children" must be true or false, not a'),
        ({"include_children": "no"}, '"include_children" must be true or false, not t'),
        ({"include_children": {}}, '"include_children" must be true or false, not an'),
        ({"scope": "Body"}, '"scope" must be one of "body", "headings".'),
        ({"paths": "a"}, '"paths" must be a list, not the string "a".'),
        ({"paths": "[" * 10_000}, '"paths" must be a list, not the string "['),
        ({"paths": '{"a":1}'}, '"paths" must be a list, not the string'),
        ({"path": "a\ud800"}, '"path" holds half a surrogate pair at character 1, '),
    ],
)
def test_a_wrong_value_is_refused_by_name(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        check(**given)
    assert caught.value.argument == next(iter(given))
    assert str(caught.value).startswith(message)


USAGE = (
    "cut takes path, depth (optional), include_children (optional), "
    "scope (optional), paths (optional)."
)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"path": "A", "include_childern": False},
            'unknown argument "include_childern". Did you mean "include_children"? '
            + USAGE,
        ),
        ({"path": "A", "zzz": None}, f'unknown argument "zzz". {USAGE}'),
        ({"file": "A"}, f'unknown argument "file". {USAGE}'),
        ({}, f'"path" is missing. {USAGE}'),
        ({"path": None}, f'"path" is missing. {USAGE}'),
    ],
)
def test_wrong_names_are_refused_with_the_right_ones(
    given: dict[str, Any], message: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        check_arguments(TOOL, given)
    assert str(caught.value) == message


def test_an_endless_name_is_not_repeated_in_full() -> None:
    with pytest.raises(ArgumentError) as caught:
        check_arguments(TOOL, {"path": "A", "x" * 10**6: 1})
    assert len(str(caught.value)) < 300
