"""The block structure: which top-level blocks a region consists of, and how far."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.blocks import Block, parse_blocks
from md_mcp.document.blocks.definitions import parse_definitions
from md_mcp.document.blocks.tables import count_cells, is_delimiter_row
from md_mcp.document.text import Span


def parse(text: str) -> tuple[Block, ...]:
    return parse_blocks(text, Span(0, len(text)))


def shape(text: str) -> list[tuple[str, str]]:
    """Return kind and text of each block, `|` for a line ending."""
    return [
        (block.kind, block.span.of(text).replace("\n", "|")) for block in parse(text)
    ]


P, H, S, C = "paragraph", "atx_heading", "setext_heading", "fenced_code"
L, Q, T, F = "list", "block_quote", "table", "footnote_definition"
D, R, I, M = (  # noqa: E741
    "link_reference_definition",
    "thematic_break",
    "indented_code",
    "html_block",
)


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param(" \n\t\n", [], id="blank lines belong to no block"),
        pytest.param("a\nb\n\nc", [(P, "a|b|"), (P, "c")], id="paragraphs"),
        pytest.param("# a\n## b\n", [(H, "# a|"), (H, "## b|")], id="atx headings"),
        pytest.param("#a\n", [(P, "#a|")], id="no atx heading without a blank"),
        pytest.param("a\nb\n---\n", [(S, "a|b|---|")], id="a setext heading"),
        pytest.param("a\n\n---\n", [(P, "a|"), (R, "---|")], id="a thematic break"),
        pytest.param("--\n", [(P, "--|")], id="two dashes are text"),
        pytest.param("a\n    b\n", [(P, "a|    b|")], id="indented text goes on"),
        pytest.param(
            "    a\n\n    b\n\nc\n",
            [(I, "    a||    b|"), (P, "c|")],
            id="indented code, without blank lines around",
        ),
        pytest.param("\ta\n", [(I, "\ta|")], id="a tab indents code"),
        pytest.param(
            "a\n```\nb\n\nc\n```\nd\n",
            [(P, "a|"), (C, "```|b||c|```|"), (P, "d|")],
            id="fenced code",
        ),
        pytest.param(
            "``` a`b\n", [(P, "``` a`b|")], id="no backtick in an info string"
        ),
        pytest.param(
            "~~~ a`b\n~~~\n", [(C, "~~~ a`b|~~~|")], id="behind tildes it may"
        ),
        pytest.param("````\n```\n````\n", [(C, "````|```|````|")], id="a longer fence"),
        pytest.param(
            "```\n    ```\n```\n", [(C, "```|    ```|```|")], id="no deep closer"
        ),
        pytest.param("```\na\n\n", [(C, "```|a||")], id="an open fence takes all"),
        pytest.param(
            "<div>\n*a*\n\nb\n", [(M, "<div>|*a*|"), (P, "b|")], id="an HTML block"
        ),
        pytest.param(
            "<!-- a\n\nb --> c\nd\n",
            [(M, "<!-- a||b --> c|"), (P, "d|")],
            id="a comment ends with the line of its mark",
        ),
        pytest.param(
            "<!-->\na\n", [(M, "<!-->|"), (P, "a|")], id="the shortest comment"
        ),
        pytest.param(
            "a\n<b>\n", [(P, "a|<b>|")], id="an inline tag interrupts nothing"
        ),
        pytest.param("a\n<div>\n", [(P, "a|"), (M, "<div>|")], id="a block tag does"),
        pytest.param("<b> c\n", [(P, "<b> c|")], id="an inline tag with text behind"),
        pytest.param(
            "- a\n\n  b\n- c\n\nd\n", [(L, "- a||  b|- c|"), (P, "d|")], id="a list"
        ),
        pytest.param("- a\nb\n", [(L, "- a|b|")], id="a lazy line"),
        pytest.param("- a\n+ b\n", [(L, "- a|"), (L, "+ b|")], id="markers differ"),
        pytest.param(
            "1. a\n2. b\n3) c\n", [(L, "1. a|2. b|"), (L, "3) c|")], id="numbers"
        ),
        pytest.param("a\n2. b\n", [(P, "a|2. b|")], id="only 1 interrupts a paragraph"),
        pytest.param("a\n01. b\n", [(P, "a|"), (L, "01. b|")], id="with zeros, too"),
        pytest.param("a\n*\n", [(P, "a|*|")], id="an empty item interrupts nothing"),
        pytest.param("1234567890. a\n", [(P, "1234567890. a|")], id="ten digits"),
        pytest.param("-\n\n  a\n", [(L, "-|"), (P, "  a|")], id="an empty item ends"),
        pytest.param("-\n  \n  a\n", [(L, "-|"), (P, "  a|")], id="at blanks, too"),
        pytest.param(
            "-\n  a\n", [(L, "-|  a|")], id="an item that starts with a blank"
        ),
        pytest.param("- - -\n", [(R, "- - -|")], id="a break before a list"),
        pytest.param("> a\nb\n\nc\n", [(Q, "> a|b|"), (P, "c|")], id="a block quote"),
        pytest.param("> a\n\n> b\n", [(Q, "> a|"), (Q, "> b|")], id="two block quotes"),
        pytest.param("> ```\na\n", [(Q, "> ```|"), (P, "a|")], id="code is not lazy"),
        pytest.param(
            "a\n[^1]: b\n\n    c\nd\n",
            [(P, "a|"), (F, "[^1]: b||    c|d|")],
            id="a footnote definition",
        ),
        pytest.param(
            "[^ 1]: b\n", [(D, "[^ 1]: b|")], id="no footnote label with blanks"
        ),
        pytest.param(
            "[a]: b\n[c]:\nd\n'e\nf'\ng\n",
            [(D, "[a]: b|"), (D, "[c]:|d|'e|f'|"), (P, "g|")],
            id="link reference definitions",
        ),
        pytest.param("a\n[b]: c\n", [(P, "a|[b]: c|")], id="they interrupt nothing"),
        pytest.param(
            "[a]: b\nc\n===\n", [(D, "[a]: b|"), (S, "c|===|")], id="above a heading"
        ),
        pytest.param(
            "[a]: b\n---\n", [(D, "[a]: b|"), (R, "---|")], id="above a thematic break"
        ),
        pytest.param(
            "[a]: b\n===\nc\n", [(D, "[a]: b|"), (P, "===|c|")], id="above no heading"
        ),
        pytest.param("[a]:\n===\n", [(S, "[a]:|===|")], id="no destination"),
        pytest.param(
            "a\nb|c\n-|-\nd\n---\n",
            [(P, "a|"), (T, "b|c|-|-|d|"), (R, "---|")],
            id="a table",
        ),
        pytest.param("a|b\n-|-|-\n", [(P, "a|b|-|-|-|")], id="cells must be as many"),
        pytest.param("a\n:--\nb\n\n", [(T, "a|:--|b|")], id="a table of one column"),
        pytest.param(
            "a|b\n-|-\n|\n", [(T, "a|b|-|-|"), (P, "||")], id="a row has cells"
        ),
        pytest.param(
            "a|b\n    -|-\n", [(P, "a|b|    -|-|")], id="no deep delimiter row"
        ),
        pytest.param(
            "{{ a\n# b\n```\n}}\n# c\n",
            [(P, "{{ a|# b|```|}}|"), (H, "# c|")],
            id="action",
        ),
        pytest.param(
            "```\n{{ a\n```\n# b\n}}\n",
            [(C, "```|{{ a|```|"), (H, "# b|"), (P, "}}|")],
            id="in a fence there are no actions",
        ),
        pytest.param(
            "{{ a\n- b }}\n===\n", [(S, "{{ a|- b }}|===|")], id="an action is text"
        ),
        pytest.param(
            "<!-- {{\n--> }}\n# a\n",
            [(M, "<!-- {{|--> }}|"), (H, "# a|")],
            id="a comment ends within an action",
        ),
        pytest.param("a\rb\x0c\n\x0c\n", [(P, "a\rb\x0c|\x0c|")], id="other controls"),
    ],
)
def test_a_region_consists_of_blocks(text: str, blocks: list[tuple[str, str]]) -> None:
    assert shape(text) == blocks
    # Endings are no part of the structure: a CRLF twin has the same.
    twin = text.replace("\n", "\r\n")
    assert [
        (block.kind, block.span.of(twin).replace("\r\n", "|")) for block in parse(twin)
    ] == blocks


@pytest.mark.parametrize(
    ("text", "block"),
    [
        pytest.param("## a", Block("atx_heading", Span(0, 4), level=2), id="ATX level"),
        pytest.param("a\n-", Block("setext_heading", Span(0, 3), level=2), id="level 2"),
        pytest.param("a\n=", Block("setext_heading", Span(0, 3), level=1), id="level 1"),
        pytest.param("[a]: b", Block("link_reference_definition", Span(0, 6), label="a"), id="label"),
        pytest.param("[^a]: b", Block("footnote_definition", Span(0, 7), label="a"), id="footnote label"),
        pytest.param("1. a", Block("list", Span(0, 4)), id="a list has none"),
        pytest.param("```\na", Block("fenced_code", Span(0, 5), closed=False), id="open fence"),
        pytest.param("```\n```", Block("fenced_code", Span(0, 7)), id="closed fence"),
        pytest.param("- ```\n  a", Block("list", Span(0, 9)), id="an inner fence does not count"),
        pytest.param("<pre>\n", Block("html_block", Span(0, 6), html_kind=1, closed=False), id="1"),
        pytest.param("<!-- -->", Block("html_block", Span(0, 8), html_kind=2), id="2"),
        pytest.param("<?a?>", Block("html_block", Span(0, 5), html_kind=3), id="3"),
        pytest.param("<!x>", Block("html_block", Span(0, 4), html_kind=4), id="4"),
        pytest.param("<![CDATA[\n", Block("html_block", Span(0, 10), html_kind=5, closed=False), id="5"),
        pytest.param("</Div\n\n", Block("html_block", Span(0, 6), html_kind=6), id="6"),
        pytest.param("<a b='c' d>", Block("html_block", Span(0, 11), html_kind=7, closed=False), id="7"),
    ],
)  # fmt: skip
def test_a_block_tells_what_it_is(text: str, block: Block) -> None:
    assert parse(text) == (block,)


def test_a_region_is_read_by_itself() -> None:
    text = "# a\n\n```\nb\n```\n"
    assert parse_blocks(text, Span(5, 11)) == (
        Block("fenced_code", Span(5, 11), closed=False),
    )


def test_a_block_may_start_right_after_a_byte_order_mark() -> None:
    assert parse_blocks("\ufeffa\n=\n", Span(1, 5)) == (
        Block("setext_heading", Span(1, 5), level=1),
    )


def test_lines_of_an_old_mac_text_end_at_carriage_returns() -> None:
    text = "a\r=\r\r- b\rc\r"
    assert parse_blocks(text, Span(0, len(text)), "\r") == (
        Block("setext_heading", Span(0, 4), level=1),
        Block("list", Span(5, 11)),
    )


def test_a_lone_carriage_return_elsewhere_is_text() -> None:
    assert shape("a\r# b\n---\r\n") == [("setext_heading", "a\r# b|---\r|")]
    assert shape("a\n---\r") == [("paragraph", "a|---\r")]


FRAGMENTS = ["a", "# h", "- ", "> ", "```", "---", "===", "<div>", "<!--", "[a]: b"]


@given(
    st.lists(st.tuples(st.sampled_from(["", " ", "  ", "    ", "> "]), st.sampled_from([*FRAGMENTS, "a|b", "-|-", "[^1]: c", "{{", "}}", ""])))
)  # fmt: skip
def test_blocks_are_whole_lines_in_order_and_leave_only_blank_lines(lines) -> None:
    text = "".join(f"{prefix}{fragment}\n" for prefix, fragment in lines)
    position = 0
    for block in parse(text):
        assert not text[position : block.span.start].strip(" \n")
        assert block.span.start == 0 or text[block.span.start - 1] == "\n"
        assert block.span.of(text).endswith("\n")
        position = block.span.end
    assert not text[position:].strip(" \n")


@given(st.lists(st.sampled_from(FRAGMENTS)), st.lists(st.sampled_from(FRAGMENTS)))
def test_what_follows_a_heading_is_read_as_if_it_stood_alone(before, after) -> None:
    """A heading is a settled place; an open fence or comment would hide it."""
    hiding = {"```", "<!--", "<div>"}
    head = "".join(f"{line}\n" for line in before if line not in hiding) + "# h\n"
    tail = "".join(f"{line}\n" for line in after)
    assert shape(head + tail) == shape(head) + shape(tail)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        pytest.param("[a]: b", ["a"], id="plain"),
        pytest.param("[a]: <b c>", ["a"], id="destination in brackets"),
        pytest.param("[a]: <>", ["a"], id="an empty one"),
        pytest.param("[a]:\n  b\n  'c'", ["a"], id="over lines"),
        pytest.param("[a\\]]: b", ["a\\]"], id="an escaped bracket"),
        pytest.param("[a]: b(c)", ["a"], id="balanced parentheses"),
        pytest.param("[a]: b\\(c", ["a"], id="an escaped parenthesis"),
        pytest.param("[a]: b 'c\nd'", ["a"], id="a title over lines"),
        pytest.param("[a]: b\n'c' d", ["a"], id="a title with text behind is none"),
        pytest.param("[a]: b\n[c]: d\ne", ["a", "c"], id="several"),
        pytest.param(f"[{'a' * 999}]: b", ["a" * 999], id="the longest label"),
        pytest.param("[a] : b", [], id="a blank before the colon"),
        pytest.param("[ ]: b", [], id="a label of blanks"),
        pytest.param("[a[]: b", [], id="a bracket in the label"),
        pytest.param("[a]:", [], id="no destination"),
        pytest.param("[a]: b(c", [], id="an open parenthesis"),
        pytest.param("[a]: b)c", [], id="a closing parenthesis of nothing"),
        pytest.param("[a]: <b", [], id="an open bracket"),
        pytest.param("[a]: b c", [], id="text behind"),
        pytest.param("[a]: b'c'", ["a"], id="a quote in the destination"),
        pytest.param("[a]: <b>'c'", [], id="no blank before the title"),
        pytest.param("[a]: b 'c", [], id="an open title on the line"),
        pytest.param(f"[{'a' * 1000}]: b", [], id="a label too long"),
    ],
)
def test_definitions_are_told_from_text(text: str, labels: list[str]) -> None:
    found = parse_definitions(text.split("\n"))
    assert [definition.label for definition in found] == labels


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("a", 1),
        ("a|b", 2),
        ("| a | b |", 2),
        ("|a", 1),
        ("a|", 1),
        ("||", 1),
        ("| |", 1),
        ("|", 0),
        ("a\\|b", 1),
        ("a\\\\|b", 1),
        ("a|b\\|", 2),
    ],
)
def test_the_cells_of_a_row_are_counted(row: str, cells: int) -> None:
    assert count_cells(row) == cells


@pytest.mark.parametrize(
    ("row", "is_one"),
    [
        ("-|-", True),
        ("|-|", True),
        (":-:", True),
        ("--- | :--", True),
        ("-", True),
        ("|-| |", False),
        ("-||-", False),
        (": -", False),
        ("-|a", False),
        ("|", False),
    ],
)
def test_a_delimiter_row_is_told_from_text(row: str, is_one: bool) -> None:
    assert is_delimiter_row(row) is is_one


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(">" * 50_000 + "a\n" + "a\n" * 50_000, id="block quotes"),
        pytest.param("- " * 50_000 + "a\n" + "\n" * 50_000, id="list items"),
        pytest.param("> " + "- " * 50_000 + "a\n" + ">\n" * 50_000, id="both"),
        pytest.param(
            "".join(f"{' ' * n}- a\n" for n in range(0, 1000, 2)), id="by lines"
        ),
        pytest.param("[^a]: " * 20_000, id="footnote definitions"),
        pytest.param("[" * 100_000 + "\n===\n", id="brackets"),
    ],
)
def test_no_nesting_exhausts_the_stack(text: str) -> None:
    """Each of these also takes minutes where containers are visited one by one."""
    assert len(parse(text)) == 1
