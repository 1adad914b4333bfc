"""The short cuts around composing: they must answer as composing does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from md_mcp.document.front_matter import yaml_nodes
from md_mcp.document.front_matter.limits import MAX_DEPTH
from md_mcp.document.front_matter.plain import is_plain_mapping, read_plain_mapping
from md_mcp.document.front_matter.yaml_nodes import compose_mapping
from md_mcp.document.front_matter.yaml_values import read_mapping


def read_composed(block: str) -> dict[str, object]:
    return read_mapping(compose_mapping(block, 2))


@pytest.mark.parametrize(
    "block",
    [
        pytest.param("a: 1\n", id="an entry"),
        pytest.param("# c: d\n\na: b  \n  # e\n\n", id="comments and blank lines"),
        pytest.param("a: b\r\nc:\r\n- d\r\n", id="CRLF"),
        pytest.param('title: C# 8:it\'s (new)? a-b, "c"!\n', id="signs in a value"),
        pytest.param("url: https://e.x/a?b=c&d#e\n", id="a URL"),
        pytest.param("ms.date: 04/20/2017\na-b_c: -1.5\n", id="odd keys"),
        pytest.param("'@a/b': minor\n\"c d\": e\n", id="quoted keys"),
        pytest.param("a: 'b: #c'\nd: \"e: 'f'\"\ng: ''\n", id="quoted values"),
        pytest.param("a:\nb: ~\nc: null\n", id="nulls"),
        pytest.param("a:\n  - b c\n\n  - 'd'\n  # e\n  - 1\nf:\n- g\n", id="lists"),
        pytest.param("a: [b, c d,'e, f' ,1.5]\ng: []\n", id="lists in brackets"),
        pytest.param("a: é 中文 😀\nb: \u3000x\n", id="beyond ASCII"),
        pytest.param("date: 2024-01-02 10:00:00 +0100\n", id="a date and time"),
    ],
)
def test_common_blocks_are_read_without_composing(block: str) -> None:
    values = read_plain_mapping(block)
    assert values is not None
    assert values == read_composed(block)


@pytest.mark.parametrize(
    "block",
    [
        pytest.param("", id="nothing"),
        pytest.param("# c\n", id="a comment only"),
        pytest.param("a: b: c\n", id="a colon and a blank"),
        pytest.param("a: b:\n", id="a colon at the end"),
        pytest.param("a: b #c\n", id="a comment after a value"),
        pytest.param("a: b\n  c\n", id="a value of two lines"),
        pytest.param("a: b\n  - c\n", id="a list below a value"),
        pytest.param("a:\n  - b\n - c\n", id="items that do not align"),
        pytest.param("a:\n  b: c\n", id="a mapping inside"),
        pytest.param("a: |\n  b\n", id="a block scalar"),
        pytest.param("a: {b: c}\n", id="a mapping in braces"),
        pytest.param("a: [b: c]\n", id="a pair in brackets"),
        pytest.param("a: [b,\n  c]\n", id="brackets over two lines"),
        pytest.param("a: &b c\n", id="an anchor"),
        pytest.param("a: !b c\n", id="a tag"),
        pytest.param("<<: a\n", id="a merge key"),
        pytest.param('a: "\\n"\n', id="an escape"),
        pytest.param("a: 'b''c'\n", id="a doubled quote"),
        pytest.param("a: b\tc\n", id="a tab"),
        pytest.param("a: b\u2028c\n", id="U+2028"),
        pytest.param("a: b\rc\n", id="a lone CR"),
        pytest.param("a: \x07\n", id="a control character"),
        pytest.param("a: {{ b }}\n", id="an action"),
        pytest.param("a: x {{ b\nc: d }}\n", id="an action over two lines"),
        pytest.param("a: 1\n...\n", id="a document end"),
        pytest.param("a: 1", id="a last line without ending"),
        pytest.param("a:b\n", id="no blank after the colon"),
        pytest.param(f"{'a' * 101}: b\n", id="a long key"),
    ],
)
def test_what_might_mean_more_is_left_to_composing(block: str) -> None:
    assert not is_plain_mapping(block)


def test_a_repeated_key_is_left_to_composing_when_it_is_read() -> None:
    assert is_plain_mapping("a: 1\na: 2\n")
    assert read_plain_mapping("a: 1\na: 2\n") is None


KEYS = [
    *("a", "b-c", "ms.date", "T_1", "'q r'", '"@x/y"', "é", "9", "true", "<<", "x y"),
    *("?", "-", "- a", "  - b", "#", "...", "%", "''", "'a' ", "{{ k }}"),
]
SEPARATORS = [*[": "] * 6, ":", ":  ", " : ", ": - ", ":\t"]
SCALARS = [
    *("x", "a b", "a: b", "a:b", "a #b", "a#b", "'q'", '"q"', "''", '"a\\"', '"a" x'),
    *("[a, b]", "[]", "[a,b ]", "[a: b]", "[a,,b]", "[ 'x y' , 1.5]", "- x", "-5", "~"),
    *("null", "true", "007", "0x1F", "1e3", "1.5", ".inf", "...", "---", "http://x/?a"),
    *("C:\\x", "{a}", "*a", "&a", "!t", "|", ">", "%x", "@x", "`x", "=", "a,b", "a]"),
    *(
        "é中",
        "\u3000x",
        "x\u2028y",
        "x\ufeff",
        "x\x85",
        "😀",
        "\tx",
        "x\t",
        "x  ",
        ":x",
    ),
    *("a :b", "a : b", "?x", "(x)", "a\rb", "\x07", "it's", 'x"y', "+1", "{{ x }}"),
]
ENDS = [
    *["\n"] * 8,
    *("\r\n", "\n\n", "\n  \n", "\n# c\n", "\n  # c: d\n", " \n", "  # c\n", "\n- x\n"),
    *("\n  - x\n  - y\n", "\n- x\n\n- y: z\n", "\n  - x\n - y\n", "\n  cont\n", ""),
    *("\r", "\n\t\n", "\n  - 'q'\n  # c\n  - \"r s\"  \n", "\n  k: v\n"),
]
BLOCKS = st.lists(
    st.builds(
        "".join,
        st.tuples(
            st.sampled_from(KEYS),
            st.sampled_from(SEPARATORS),
            st.sampled_from(["", *SCALARS]),
            st.sampled_from(ENDS),
        ),
    ),
    min_size=1,
    max_size=4,
).map("".join)


@settings(max_examples=1000)
@given(BLOCKS)
def test_what_is_read_without_composing_composes_to_the_same(block: str) -> None:
    values = read_plain_mapping(block)
    if values is not None:
        assert [*values.items()] == [*read_composed(block).items()]
    elif is_plain_mapping(block):
        compose_mapping(block, 2)


def outline(node: Any) -> Any:
    """Return kind, places and content of a node and of all below it."""
    place = node.id, node.start_mark.index, node.end_mark.index, str(node.tag)
    if node.id == "scalar":
        return *place, node.value, node.style
    below = node.value
    if node.id == "mapping":
        below = [child for pair in below for child in pair]
    return *place, [outline(child) for child in below]


def composed(library: Any, source: str) -> Any:
    try:
        root = library.compose(source)
    except YAMLError as error:
        return str(error)
    return root and outline(root)


FLOW_PIECES = [
    *("[", "]", "{", "}", ", ", ": ", "a", "b", "? ", "'q'", '"r"', "\n", "\n ", "!t "),
    *("- ", "a: ", "x" * 300),
]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(FLOW_PIECES), max_size=25).map("".join))
def test_the_linear_scanner_finds_what_the_librarys_own_finds(source: str) -> None:
    own = YAML(typ="safe", pure=True)
    own.max_depth = MAX_DEPTH + 1
    assert composed(yaml_nodes._new_library(), source) == composed(own, source)
