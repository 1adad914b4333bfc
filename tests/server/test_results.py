from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.errors import NOTHING_WRITTEN, SectionNotFoundError, TextNotFoundError
from md_mcp.server.results import render_error, render_value, scrub


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param("a\r\nb \n", "a\r\nb \n", id="text as it is"),
        pytest.param("", "", id="empty text"),
        pytest.param([], "[]", id="no hits"),
        pytest.param({"a": 1, "é": None}, '{"a":1,"é":null}', id="no spaces"),
        pytest.param(
            [{"path": "A", "matches": [{"line": 1}, {"line": 2}]}, {"path": "B"}],
            '[{"path":"A","matches":[{"line":1},\n{"line":2}]},\n{"path":"B"}]',
            id="a line break between hits",
        ),
        pytest.param(["a", "b"], '["a","b"]', id="none between texts"),
        pytest.param(True, "true", id="a boolean"),
    ],
)
def test_a_value_becomes_one_compact_text(value: Any, text: str) -> None:
    assert render_value(value) == text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ).filter(lambda value: not isinstance(value, str))
)
def test_what_is_shown_as_json_is_the_value(value: Any) -> None:
    assert json.loads(render_value(value)) == value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("caf\udce9.md", r"caf\xe9.md"),
        ("\ud83d \udc00", r"\ud83d \udc00"),
        ("\U0001f600 \ufffd \x00", "\U0001f600 \ufffd \x00"),
    ],
)
def test_lone_surrogates_are_shown_as_escapes(text: str, shown: str) -> None:
    assert scrub(text) == shown
    assert render_value(text) == shown
    assert json.loads(render_value([text])) == [shown]


@given(st.text(st.characters(categories=["Cs", "Lu", "Zs"])))
def test_what_is_scrubbed_can_be_sent(text: str) -> None:
    scrub(text).encode()
    render_value({text: [text]}).encode()


def test_an_error_is_code_message_and_ending_in_one_line() -> None:
    error = SectionNotFoundError("Guide.Instal", nearest=("Guide.Install",))
    answer = render_error(error, NOTHING_WRITTEN)
    assert answer.is_error
    assert answer.text == (
        'SECTION_NOT_FOUND: no section "Guide.Instal". Nearest: "Guide.Install". '
        "Nothing was written."
    )


def test_an_error_of_a_reading_tool_ends_with_its_message() -> None:
    answer = render_error(TextNotFoundError("A\ud800", "x"))
    assert answer.text.startswith('TEXT_NOT_FOUND: "old" does not occur')
    assert r"A\ud800" in answer.text
    assert not answer.text.endswith(NOTHING_WRITTEN)


def test_the_ending_does_not_join_a_quotation() -> None:
    class QuotingError(SectionNotFoundError):
        def __str__(self) -> str:
            return "it now is:\n## A\n\ntext"

    answer = render_error(QuotingError("A"), NOTHING_WRITTEN)
    assert answer.text.endswith("text\nNothing was written.")
