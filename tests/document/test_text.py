import pytest

from md_mcp.document.text import (
    LineNumbers,
    Span,
    dominant_ending,
    is_blank,
    iter_lines,
    split_ending,
    split_lines,
    with_ending,
)

LINES = [
    pytest.param("", [], id="empty"),
    pytest.param("a", ["a"], id="no ending"),
    pytest.param("a\nb", ["a\n", "b"], id="LF, unended last line"),
    pytest.param("a\r\nb\r\n", ["a\r\n", "b\r\n"], id="CRLF"),
    pytest.param("a\rb\n", ["a\rb\n"], id="a lone CR beside a LF is text"),
    pytest.param("a\nb\r", ["a\n", "b\r"], id="a lone CR at the end is text"),
    pytest.param("a\rb\r", ["a\r", "b\r"], id="old-Mac"),
    pytest.param("a\x0b\x0c\x1c\x85\u2028\u2029b\n", ["a\x0b\x0c\x1c\x85\u2028\u2029b\n"],
                 id="nothing else ends a line"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), LINES)
def test_lines_with_their_endings_are_the_text(text, lines):
    assert split_lines(text) == lines
    assert [line.span.of(text) for line in iter_lines(text)] == lines


@pytest.mark.parametrize(
    ("text", "endings"),
    [("a\r\nb\nc", ["\r\n", "\n", ""]), ("a\rb", ["\r", ""]), ("a\nb\r", ["\n", ""])],
)
def test_a_line_knows_its_ending_and_number(text, endings):
    lines = list(iter_lines(text))
    assert [line.ending for line in lines] == endings
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        pytest.param("", "\n", id="none"),
        pytest.param("a\rb\r", "\r", id="old-Mac"),
        pytest.param("a\nb\r\nc\r\n", "\r\n", id="most are CRLF"),
        pytest.param("a\nb\nc\r\n", "\n", id="most are LF"),
        pytest.param("a\r\nb\n", "\r\n", id="tie, CRLF first"),
        pytest.param("a\nb\r\n", "\n", id="tie, LF first"),
        pytest.param("\nb\r\n", "\n", id="tie, LF at once"),
    ],
)
def test_the_dominant_ending_ends_most_lines(text, ending):
    assert dominant_ending(text) == ending


def test_blank_lines_hold_only_spaces_and_tabs():
    assert [is_blank(line) for line in ["\n", " \t\r\n", "", "\x0c\n", "\u2028", "\r"]] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


def test_split_ending_takes_only_what_ends_a_line():
    assert split_ending("a\r\n") == ("a", "\r\n")
    assert split_ending("a\r") == ("a\r", "")
    assert split_ending("a\r", "\r") == ("a", "\r")


def test_with_ending_leaves_a_lone_carriage_return_alone_except_in_old_mac_files():
    assert with_ending("a\r\nb\nc\rd", "\r\n") == "a\r\nb\r\nc\rd"
    assert with_ending("a\r\nb\nc\rd", "\r", old_mac=True) == "a\rb\rc\rd"


def test_line_numbers_are_1_based_and_found_by_offset():
    numbers = LineNumbers("ab\n\ncd")
    assert [numbers.line(offset) for offset in range(6)] == [1, 1, 1, 2, 3, 3]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_numbers_hold_in_any_order_of_questions_in_a_long_text(ending):
    lines = [f"{'x' * (number % 90)}{ending}" for number in range(1000)]
    text = "".join(lines)
    wanted = [n for n, line in enumerate(lines, 1) for _ in line]
    ascending, descending = LineNumbers(text), LineNumbers(text)
    assert [ascending.line(offset) for offset in range(len(text))] == wanted
    assert [descending.line(o) for o in range(len(text) - 1, -1, -1)] == wanted[::-1]


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (2, 1)])
def test_a_span_checks_itself(start, end):
    with pytest.raises(ValueError, match="not a span"):
        Span(start, end)
