"""The values of front matter as JSON knows them, and where its entries stand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.front_matter import (
    FrontMatter,
    find_front_matter,
    front_matter_entries,
    read_front_matter,
)
from md_mcp.errors import FrontMatterError, FrontMatterLimitError


def front_matter(text: str) -> FrontMatter:
    front = find_front_matter(text)
    assert front is not None
    return front


def read(inner: str, mark: str = "---") -> dict[str, object]:
    text = f"{mark}\n{inner}\n{mark}\n"
    values = read_front_matter(text, front_matter(text))
    json.dumps(values, allow_nan=False).encode()
    return values


SCALARS = [
    pytest.param("word", "word", id="a word"),
    pytest.param("no", "no", id="no"),
    pytest.param("2024-01-02", "2024-01-02", id="a date"),
    pytest.param("2024-99-99", "2024-99-99", id="an impossible date"),
    pytest.param("12:30:45", "12:30:45", id="a time"),
    pytest.param("1e3", "1e3", id="an exponent without a point"),
    pytest.param("12", 12, id="an integer"),
    pytest.param("-12", -12, id="a negative integer"),
    pytest.param("+12", 12, id="a sign"),
    pytest.param("0x1F", 31, id="hexadecimal"),
    pytest.param("0o17", 15, id="octal"),
    pytest.param("007", "007", id="leading zeros"),
    pytest.param("1_000", "1_000", id="an underscore"),
    pytest.param("9007199254740991", 9007199254740991, id="what a double holds"),
    pytest.param("9007199254740993", "9007199254740993", id="what it does not"),
    pytest.param("9" * 5000, "9" * 5000, id="5,000 digits"),
    pytest.param("-1.50", -1.5, id="a float"),
    pytest.param(".5", 0.5, id="a point first"),
    pytest.param("1.5e3", 1500.0, id="an exponent with a point"),
    pytest.param("1.0e999", "1.0e999", id="beyond all floats"),
    pytest.param("1.2.3", "1.2.3", id="a version"),
    pytest.param(".inf", ".inf", id="infinity"),
    pytest.param(".nan", ".nan", id="not a number"),
    pytest.param("true", True, id="true"),
    pytest.param("FALSE", False, id="false"),
    pytest.param("tRUE", "tRUE", id="neither"),
    pytest.param("~", None, id="null"),
    pytest.param("", None, id="nothing"),
    pytest.param("'true'", "true", id="single quotes"),
    pytest.param('"12"', "12", id="double quotes"),
    pytest.param("''", "", id="an empty string"),
    pytest.param("x\u2028y", "x\u2028y", id="U+2028"),
    pytest.param("'x\x85\x85y'", "x\x85\x85y", id="NEL in quotes"),
]


@pytest.mark.parametrize("inner", ["a: {}", "a: {}\nb: {{c: 1}}"])
@pytest.mark.parametrize(("source", "value"), SCALARS)
def test_scalars_are_what_yaml_1_2_says_unless_that_loses_something(
    inner: str, source: str, value: object
) -> None:
    read_value = read(inner.format(source))["a"]
    assert (read_value, type(read_value)) == (value, type(value))


@pytest.mark.parametrize(
    ("inner", "value"),
    [
        pytest.param("a:\n- 1\n- x", [1, "x"], id="an unindented list"),
        pytest.param("a:\n  - - b\n    - c", [["b", "c"]], id="nested lists"),
        pytest.param("a: {b: [c, {d: e}]}", {"b": ["c", {"d": "e"}]}, id="nested"),
        pytest.param("a: |\n  x\n  # y\n\n  z", "x\n# y\n\nz\n", id="a literal scalar"),
        pytest.param("a: >-\n  x\n  y\n\n  z", "x y\nz", id="a folded scalar"),
        pytest.param("a: x\n  y", "x y", id="a scalar over two lines"),
        pytest.param('a: "x\\n\\u00e9\\x41"', "x\néA", id="escapes"),
        pytest.param('a: "\\ud83d\\ude00"', "😀", id="a surrogate pair"),
        pytest.param("a: !x y", "y", id="an unknown tag"),
        pytest.param("a: !x [y]", ["y"], id="a tagged list"),
        pytest.param("a: !!str 1", "1", id="a string by its tag"),
        pytest.param("a: ! 1", "1", id="the tag for no tag"),
        pytest.param('a: !!int "3"', 3, id="an integer by its tag"),
        pytest.param("a: !!int x", "x", id="a tag that does not fit"),
        pytest.param("a: !!timestamp 2024-99-99", "2024-99-99", id="a tagged date"),
        pytest.param("a: &b 1", 1, id="an anchor"),
        pytest.param("b: &b {c: 1}\na: *b", {"c": 1}, id="an alias"),
        pytest.param(
            "b: &b {c: 1, d: 2}\na: {<<: *b, d: 3}", {"c": 1, "d": 3}, id="a merge key"
        ),
        pytest.param(
            "b: &b {c: 1}\nd: &d {c: 2, e: 3}\na:\n  <<: [*b, *d]",
            {"c": 1, "e": 3},
            id="the first of several merged wins",
        ),
        pytest.param(
            "a: {'<<': {b: c}}", {"<<": {"b": "c"}}, id="a quoted << is a key"
        ),
        pytest.param("a: {<<: x}", {"<<": "x"}, id="so is one of a scalar"),
        pytest.param(
            "a: {1: x, ~: y, [b]: z}", {"1": "x", "~": "y", "[b]": "z"}, id="k"
        ),
        pytest.param("a: {{ .T }}", "{{ .T }}", id="an action"),
        pytest.param("a: {{ .T }} x {{ .U }}", "{{ .T }} x {{ .U }}", id="two actions"),
        pytest.param(
            "a: '{{ .T }}{{ .T }}'", "{{ .T }}{{ .T }}", id="one after another"
        ),
        pytest.param("a: [{{ .T }}, b]", ["{{ .T }}", "b"], id="an action in a list"),
        pytest.param('a: {{ "\n" }}\u2028', '{{ "\n" }}\u2028', id="over two lines"),
        pytest.param(
            'a: "{{ x }}\\U00100000\U00100001"',
            "{{ x }}\U00100000\U00100001",
            id="beside private-use characters",
        ),
    ],
)
def test_collections_and_strings_are_read_whole(inner: str, value: object) -> None:
    assert read(inner)["a"] == value


def test_keys_are_text_and_keep_their_order() -> None:
    assert list(read("b: 1\n{{ .K }}: 2\n'a c': 3\n2024-01-02: 4\n")) == [
        *("b", "{{ .K }}", "a c", "2024-01-02")
    ]


def test_toml_values_are_those_of_json() -> None:
    inner = (
        "a = 2024-01-02\nb = 07:32:00\nc = 1979-05-27T07:32:00Z\nd = inf\ne = -nan\n"
        f"f = {2**60}\ng = [1, {{h = true}}]\ni = 1e3\n[j]\nk = 'x'\n"
    )
    assert read(inner, "+++") == {
        "a": "2024-01-02",
        "b": "07:32:00",
        "c": "1979-05-27T07:32:00+00:00",
        "d": "inf",
        "e": "nan",
        "f": str(2**60),
        "g": [1, {"h": True}],
        "i": 1000.0,
        "j": {"k": "x"},
    }


def bomb(entry: str, levels: int) -> str:
    rows = [
        entry.format(n, ", ".join([f"*a{n - 1}"] * 9)) if n else "a0: &a0 {x: y}"
        for n in range(levels)
    ]
    return "\n".join(rows)


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param(bomb("a{0}: &a{0} [{1}]", 10), id="lists of lists"),
        pytest.param(bomb("a{0}: &a{0} {{<<: [{1}]}}", 10), id="merged merges"),
        pytest.param(
            f"s: &s {'x' * 50_000}\nt: [{', '.join(['*s'] * 50)}]", id="a long string"
        ),
        pytest.param("a: &a [*a]", id="a list in itself"),
        pytest.param("a: &a {b: *a}", id="a mapping in itself"),
        pytest.param("a: &a\n  <<: *a", id="a mapping merged with itself"),
    ],
)
def test_aliases_that_expand_too_far_are_an_error(inner: str) -> None:
    with pytest.raises(FrontMatterLimitError, match="Write the values out"):
        read(inner)


def test_an_alias_used_twice_is_no_loop() -> None:
    assert read("a: &a [1]\nb: [*a, *a]") == {"a": [1], "b": [[1], [1]]}


@pytest.mark.parametrize(
    ("inner", "line", "reason"),
    [
        pytest.param("a: 1\nb: 2\na: 3", 4, 'duplicate key "a"', id="a key twice"),
        pytest.param(
            "x: [1]\na: 1\na: 3", 4, 'duplicate key "a"', id="twice, composed"
        ),
        pytest.param('a: 1\nb: "\\ud800"', 3, "surrogate", id="half a character"),
        pytest.param("a: {{ x", 2, "template", id="a template that is no YAML"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_line(
    inner: str, line: int, reason: str
) -> None:
    with pytest.raises(FrontMatterError, match=reason) as caught:
        read(inner)
    assert caught.value.line == line


# --- entries --------------------------------------------------------------------------


def entries(inner: str) -> list[tuple[str, str, str]]:
    """Return key, source of the key and source of the value of each entry."""
    text = f"\ufeff---\r\n{inner}---\r\n"
    return [
        (entry.key, entry.key_span.of(text), entry.value_span.of(text))
        for entry in front_matter_entries(text, front_matter(text))
    ]


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        pytest.param(
            "a: b # c\n", [("a", "a", "b")], id="a comment is not the value's"
        ),
        pytest.param("'a' : \"b\"\r\n", [("a", "'a'", '"b"')], id="quotes are"),
        pytest.param("a:\nb:  c \n", [("a", "a", ""), ("b", "b", "c")], id="no value"),
        pytest.param("a: !t &x b\n", [("a", "a", "!t &x b")], id="tag and anchor"),
        pytest.param(
            "a: |\n  x\n\n  # y\n\n\n# z\nb: 1\n",
            [("a", "a", "|\n  x\n\n  # y"), ("b", "b", "1")],
            id="a block scalar ends with its last line",
        ),
        pytest.param(
            "a:\n  - x # y\n\n  # z\nb: [1,\n 2] \n",
            [("a", "a", "- x"), ("b", "b", "[1,\n 2]")],
            id="so does a list",
        ),
        pytest.param(
            "a:\r\n  b:\r\n    c: d\r\n\r\n# e\r\nf: 1\r\n",
            [("a", "a", "b:\r\n    c: d"), ("f", "f", "1")],
            id="so does a mapping",
        ),
        pytest.param(
            "a: &x [1]\nb: *x # y\n*x : c\nd:\n- e\n- *x\n# f\n",
            [
                ("a", "a", "&x [1]"),
                ("b", "b", "*x"),
                ("&x [1]", "*x", "c"),
                ("d", "d", "- e\n- *x"),
            ],
            id="an alias is where it is written",
        ),
        pytest.param(
            "a: &x\n- *x\n", [("a", "a", "&x\n- *x")], id="an endless one too"
        ),
        pytest.param(
            "{{ if .A }}\na: {{ .B }}\n{{ end }}\nc: x\u2028y\n",
            [("a", "a", "{{ .B }}"), ("c", "c", "x\u2028y")],
            id="lines of actions are stepped over",
        ),
        pytest.param(
            "{a: 1, b: [2]}\n", [("a", "a", "1"), ("b", "b", "[2]")], id="flow"
        ),
    ],
)
def test_entries_stand_where_they_are_written(
    inner: str, expected: list[tuple[str, str, str]]
) -> None:
    assert entries(inner) == expected


KEYS = st.sampled_from(["a", "'b c'", "é", "{{ k }}"])
VALUES = st.sampled_from(
    [
        "x",
        "'y z'",
        "[1, 2]",
        "{b: 1}",
        "|\n  x\n\n",
        ">-\n  x\n  y",
        "\n- a\n- b",
        "{{ v }}",
    ]
)


@given(st.lists(st.tuples(KEYS, VALUES), min_size=1, unique_by=lambda pair: pair[0]))
def test_the_spans_of_entries_are_in_order_and_hold_their_source(
    pairs: list[tuple[str, str]],
) -> None:
    inner = "".join(f"{key}: {value}\n# c\n\n" for key, value in pairs)
    assert [(source, value) for _, source, value in entries(inner)] == [
        (key, value.strip("\n")) for key, value in pairs
    ]


def test_toml_has_no_entries_to_point_at() -> None:
    text = "+++\na = 1\n+++\n"
    with pytest.raises(FrontMatterError, match="TOML"):
        front_matter_entries(text, front_matter(text))
