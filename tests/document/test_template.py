"""Template actions: where they end, and which of them run over their line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.template import (
    MAX_ACTION_LINES,
    TemplateActions,
    find_action_end,
)


def lines(count: int) -> str:
    return "{{ a" + "\na" * (count - 2) + "\n}}"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        pytest.param("{{ a }} b", "{{ a }}", id="one line"),
        pytest.param("{{a\nb}} c", "{{a\nb}}", id="two lines"),
        pytest.param("{{}}", "{{}}", id="nothing inside"),
        pytest.param("{{}}}", "{{}}", id="the first of overlapping closers"),
        pytest.param('{{ "}}" }} x', '{{ "}}" }}', id="a string may hold a closer"),
        pytest.param("{{ `}}` }} x", "{{ `}}` }}", id="so may a back-quoted one"),
        pytest.param(
            "{{ `}}\n}}` }} x", "{{ `}}\n}}` }}", id="which may span lines, too"
        ),
        pytest.param('{{ "\\"}}" }} x', '{{ "\\"}}" }}', id="a string has escapes"),
        pytest.param("{{ `\\`}} x", "{{ `\\`}}", id="a back-quoted string has none"),
        pytest.param('{{ \\"}}" }} x', '{{ \\"}}" }}', id="no escapes outside strings"),
        pytest.param(
            "{{/* }} */}} x", "{{/* }} */}}", id="a comment may hold a closer"
        ),
        pytest.param(
            '{{- /* }} " */ -}} x', '{{- /* }} " */ -}}', id="a trimmed comment"
        ),
        pytest.param(
            "{{ a /* }} */ }}", "{{ a /* }}", id="a comment stands at the start only"
        ),
        pytest.param('{{ "}} x', '{{ "}}', id="an open string: the first closer"),
        pytest.param('{{ "\n}}', '{{ "\n}}', id="a string ends with its line"),
        pytest.param('{{ "}}\n" }}', '{{ "}}', id="so this is an open one"),
        pytest.param("{{ `}} x", "{{ `}}", id="an open back-quoted string"),
        pytest.param("{{/* }} x", "{{/* }}", id="an open comment"),
        pytest.param('{{ "}}" x', '{{ "}}', id="no closer outside quotes"),
        pytest.param("{{ '}}' }}", "{{ '}}", id="single quotes do not quote"),
        pytest.param("{{ {{ a }} }}", "{{ {{ a }}", id="actions do not nest"),
        pytest.param(lines(MAX_ACTION_LINES), lines(MAX_ACTION_LINES), id="20 lines"),
    ],
)
def test_an_action_ends_at_its_closer(text: str, action: str) -> None:
    assert find_action_end(text, 0) == len(action)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{{ a", id="no closer"),
        pytest.param("{{ a }", id="half a closer"),
        pytest.param("{{ a\n\n}}", id="a blank line between"),
        pytest.param("{{ a\n \t\n}}", id="a line of blanks between"),
        pytest.param("{{ a\r\n\r\n}}", id="a blank line of a CRLF file"),
        pytest.param("{{ `\n\n` }}", id="a blank line in a string"),
        pytest.param(lines(MAX_ACTION_LINES + 1), id="21 lines"),
    ],
)
def test_a_brace_pair_without_an_end_is_plain_text(text: str) -> None:
    assert find_action_end(text, 0) is None


def test_lines_of_an_old_mac_text_end_at_carriage_returns() -> None:
    assert find_action_end("{{ a\r\r}}", 0, "\r") is None
    assert find_action_end("{{ a\rb\r}}", 0, "\r") == 9
    assert find_action_end(lines(21).replace("\n", "\r"), 0, "\r") is None
    assert find_action_end("{{ a\r\r}}", 0) == 8


@pytest.mark.parametrize(
    ("text", "position", "found"),
    [
        pytest.param("a {{ b }} {{\nc }}", 0, (10, 17), id="behind one of one line"),
        pytest.param("{{ {{\n}}", 0, (0, 8), id="the outermost"),
        pytest.param("{{\n}} {{\n}}", 5, (6, 11), id="from a position on"),
        pytest.param("{{ a\n\n{{\n}}", 0, (6, 11), id="behind a plain brace pair"),
        pytest.param("{{ `a` }}\n{{ `\n` }}", 0, (10, 19), id="with quotes"),
        pytest.param("{{ a }} }}\n{{ b", 0, None, id="none"),
        pytest.param("{ {\n} }", 0, None, id="single braces"),
    ],
)
def test_the_next_action_that_runs_over_its_line_is_found(
    text: str, position: int, found: tuple[int, int] | None
) -> None:
    assert TemplateActions(text).find_open(position) == found


def read_forwards(text: str, start: int) -> int | None:
    """Say the rule of the specification as plainly as it goes, one action at a time."""
    window = text[start:].split("\n\n")[0].rstrip("\n")
    window = "\n".join(window.split("\n")[:MAX_ACTION_LINES])
    inner = 2
    if window.startswith("/*", inner):
        close = window.find("*/", inner)
        inner = close + 2 if close >= 0 else len(window)
    while inner < len(window) and not window.startswith("}}", inner):
        if window[inner] == "`":
            inner = window.find("`", inner + 1) + 1 or len(window)
        elif window[inner] == '"':
            inner += 1
            while inner < len(window) and window[inner] not in '"\n':
                inner += 2 if window[inner] == "\\" else 1
            inner = inner + 1 if window[inner : inner + 1] == '"' else len(window)
        else:
            inner += 1
    end = inner if window.startswith("}}", inner) else window.find("}}", 2)
    return start + end + 2 if end >= 0 else None


@given(
    st.lists(
        st.sampled_from(
            ["{{", "}}", '"', "`", "\\", "/*", "*/", "\n", "\n\n", "a", "{"]
        )
    ).map("".join)
)
def test_reading_backwards_finds_what_reading_forwards_finds(text: str) -> None:
    actions = TemplateActions(text)
    starts = [at for at in range(len(text)) if text.startswith("{{", at)]
    assert [actions.end(at) for at in starts] == [
        read_forwards(text, at) for at in starts
    ]


@pytest.mark.parametrize(
    "piece", ["{{", "{{\n", '{{ "', "{{ `}} ", '{{\\"}}', "{{/* }} ", "{{ a\n# b\n}}\n"]
)
def test_a_flood_of_actions_is_read_to_its_end(piece: str) -> None:
    """Each of these is quadratic for a reader that starts anew at every `{{`."""
    text = piece * 20_000
    actions, position, found = TemplateActions(text), 0, 0
    while action := actions.find_open(position):
        position = action[1]
        found += 1
    assert found == (20_000 if piece == "{{ a\n# b\n}}\n" else 0)
