"""What reaches a terminal and what reaches a pipe."""

from __future__ import annotations

import io

import pytest

from md_mcp.cli.console import Console, wants_colour
from md_mcp.document.steering import escape


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def console(*, terminal: bool, colour: bool = False) -> Console:
    return Console(io.BytesIO(), io.BytesIO(), terminal, terminal, colour)


def output(made: Console) -> bytes:
    assert isinstance(made.out, io.BytesIO)
    return made.out.getvalue()


def errors(made: Console) -> bytes:
    assert isinstance(made.err, io.BytesIO)
    return made.err.getvalue()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b]0;pwn\x07", "\\x1b]0;pwn\\x07", id="an escape sequence"),
        pytest.param("a\rb", "a\\rb", id="a lone carriage return"),
        pytest.param("\u202eevil", "\\u202eevil", id="a bidirectional override"),
        pytest.param("\U000e0041", "\\U000e0041", id="a tag character"),
        pytest.param("\x9b31m", "\\x9b31m", id="a C1 control sequence introducer"),
        pytest.param("\udcff.md", "\\udcff.md", id="a byte of a file name"),
        pytest.param("a\u2028b", "a\\u2028b", id="a line separator"),
    ],
)
def test_steering_characters_are_escaped(text: str, shown: str) -> None:
    assert escape(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a\tb\n", id="tab and line feed"),
        pytest.param("a\r\nb\r\n", id="CRLF"),
        pytest.param("é 漢字 👩\u200d🌾 \u00a0", id="letters, emoji, no-break space"),
        pytest.param("\\x1b", id="a backslash"),
    ],
)
def test_other_characters_are_shown_as_they_are(text: str) -> None:
    assert escape(text) == text


def test_a_pipe_gets_every_byte() -> None:
    made = console(terminal=False)
    made.put_text("\x1b[2J\r\n\u202ex")
    assert output(made) == "\x1b[2J\r\n\u202ex".encode()


def test_a_terminal_gets_escapes_and_a_last_line_feed() -> None:
    made = console(terminal=True)
    made.put_text("\x1b[2J\r\nx")
    assert output(made) == b"\\x1b[2J\r\nx\n"


def test_a_terminal_gets_no_empty_line_for_an_empty_text() -> None:
    made = console(terminal=True)
    made.put_text("")
    assert output(made) == b""


def test_a_file_name_that_is_not_utf8_gets_its_bytes_back_in_a_pipe() -> None:
    made = console(terminal=False)
    made.put("caf\udce9.md")
    assert output(made) == b"caf\xe9.md"


def test_json_is_one_line_and_escapes_what_is_no_character() -> None:
    made = console(terminal=False)
    made.put_json({"file_path": "caf\udce9.md", "text": "é\u2028"})
    assert output(made) == '{"file_path":"caf\\udce9.md","text":"é\u2028"}\n'.encode()


def test_colour_surrounds_what_was_escaped() -> None:
    made = console(terminal=True, colour=True)
    assert made.show("\x1b[0m", "path") == "\x1b[35m\\x1b[0m\x1b[0m"


def test_without_colour_the_text_stays_bare() -> None:
    assert console(terminal=True).show("Guide", "path") == "Guide"


def test_notes_go_to_standard_error_escaped_on_a_terminal() -> None:
    made = console(terminal=True)
    made.note("CODE: \x1b[31m")
    assert (output(made), errors(made)) == (b"", b"md-mcp: CODE: \\x1b[31m\n")


@pytest.mark.parametrize(
    ("stream", "environ", "wanted"),
    [
        pytest.param(Terminal(), {}, True, id="a terminal"),
        pytest.param(io.StringIO(), {}, False, id="a pipe"),
        pytest.param(Terminal(), {"NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param(Terminal(), {"NO_COLOR": ""}, True, id="NO_COLOR but empty"),
        pytest.param(Terminal(), {"TERM": "dumb"}, False, id="a dumb terminal"),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    stream: io.StringIO, environ: dict[str, str], wanted: bool
) -> None:
    assert wants_colour(stream, environ) is wanted
