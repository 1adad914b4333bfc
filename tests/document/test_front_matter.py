"""What is front matter, what is not and why, and what its values are."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from md_mcp.document import front_matter as module
from md_mcp.document.front_matter import (
    FrontMatter,
    check_front_matter,
    explain_front_matter,
    find_front_matter,
    read_front_matter,
)
from md_mcp.document.model import Document
from md_mcp.errors import FrontMatterError

FOUND = [
    pytest.param("---\na: 1\n---\n", "a: 1\n", id="plain"),
    pytest.param("---\na: 1\n---", "a: 1\n", id="closer without ending"),
    pytest.param("\ufeff---\na: 1\n---\nx", "a: 1\n", id="after a BOM"),
    pytest.param("---\r\na: 1\r\n---\r\n", "a: 1\r\n", id="CRLF"),
    pytest.param("---\ra: 1\r---\r", "a: 1\r", id="old-Mac"),
    pytest.param(
        "---\n# c\n\na: [1, {b: 2}]\n---\n", "# c\n\na: [1, {b: 2}]\n", id="flow"
    ),
    pytest.param(
        "---\na: |\n  ---\n  x\n---\n", "a: |\n  ---\n  x\n", id="indented ---"
    ),
    pytest.param("---\na: 1\na: 2\n---\n", "a: 1\na: 2\n", id="duplicate keys"),
    pytest.param("---\na: 1\n---\nb: 2\n---\n", "a: 1\n", id="the first closer closes"),
    pytest.param("+++\na = 1\n+++\n", "a = 1\n", id="TOML"),
    pytest.param("---\nt: {{ .T }}\n---\n", "t: {{ .T }}\n", id="action that is YAML"),
    pytest.param("---\nt: {{ .T }} x\n---\n", "t: {{ .T }} x\n", id="masked action"),
    pytest.param(
        '---\n{{ if .A }}\na: "{{ .A }}"\n{{ end }}\nb: 1\n---\n',
        '{{ if .A }}\na: "{{ .A }}"\n{{ end }}\nb: 1\n',
        id="action-only lines are dropped",
    ),
]


@pytest.mark.parametrize(("text", "inner"), FOUND)
def test_a_mapping_between_delimiters_is_front_matter(text, inner):
    front = find_front_matter(text)
    assert front is not None
    assert (front.inner.of(text), front.checked) == (inner, True)
    assert explain_front_matter(text) is None


NOT_FOUND = [
    pytest.param("", None, id="empty file"),
    pytest.param("---\n", None, id="a rule"),
    pytest.param("\n---\na: 1\n---\n", None, id="not at the start"),
    pytest.param("---\ntext\n", None, id="a rule and text"),
    pytest.param("---\na: 1\n\n# H\n", "no later line", id="never closed"),
    pytest.param(
        "---  \na: 1\n---\n", "has blanks after", id="blanks after the opener"
    ),
    pytest.param("---\na: 1\n--- \n", "no later line", id="blanks after the closer"),
    pytest.param("---\n---\n", "empty", id="empty block"),
    pytest.param("---\n# c\n---\n", "empty", id="comments only"),
    pytest.param("---\n- a\n---\n", "sequence", id="a list"),
    pytest.param("---\ntext\n---\n", "scalar", id="a scalar"),
    pytest.param("---\na: b: c\n---\n", "line 2", id="invalid YAML"),
    pytest.param("---\na: 1\n...\n# b\n---\n", r"line 3 is \.\.\.", id="document end"),
    pytest.param("+++\na = \n+++\n", r"TOML \(line 2\)", id="invalid TOML"),
    pytest.param("+++\n+++\n", "empty", id="empty TOML"),
]


@pytest.mark.parametrize(("text", "reason"), NOT_FOUND)
def test_anything_else_is_markdown_and_says_why(text, reason):
    assert find_front_matter(text) is None
    error = explain_front_matter(text)
    if reason is None:
        assert error is None
    else:
        assert error is not None
        assert re.search(reason, str(error))


def test_a_template_that_is_no_yaml_but_looks_like_entries_is_unchecked():
    text = "---\nt: {{ x\nu: 1\n  more: y\n- z\n---\n"
    front = find_front_matter(text)
    assert front is not None
    assert (front.checked, front.inner.of(text)) == (False, text[4:-4])
    assert find_front_matter("---\nt: {{ x\nno entry\n---\n") is None


def bomb(levels: int) -> str:
    rows = ["a0: &a0 [x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(rows) + "\n"


HOSTILE = [
    pytest.param("a: " + "[" * 20_000, id="20,000 brackets"),
    pytest.param("a: " + "[" * 60 + "]" * 60, id="60 levels"),
    pytest.param("".join(" " * n + "a:\n" for n in range(300)), id="300 levels"),
    pytest.param(
        "a: &a [1]\n" + "".join(f"b{n}: *a\n" for n in range(101)), id="aliases"
    ),
    pytest.param("k: v\n" * 14_000, id="over 64 KiB"),
    pytest.param("a: 1\n--- \nb: 2", id="two documents"),
    pytest.param("a: \x07", id="a control character"),
    pytest.param("%YAML 9.9\na: 1", id="a directive"),
    pytest.param('a: "\\q"', id="a bad escape"),
    pytest.param("a: *nowhere", id="an unknown alias"),
]


@pytest.mark.parametrize("inner", HOSTILE)
def test_hostile_yaml_is_an_error_about_the_block(inner):
    with pytest.raises(FrontMatterError):
        check_front_matter(inner + "\n", "yaml")
    text = f"---\n{inner}\n---\n# H\n"
    assert find_front_matter(text) is None
    assert [h.text for h in Document(text).headings][-1] == "H"


def test_the_line_of_a_fault_is_that_of_the_file():
    with pytest.raises(FrontMatterError) as caught:
        check_front_matter("a: 1\nb:\n  c: 1\n  c: 2\n", "yaml", first_line=2)
    assert (caught.value.line, "duplicate" in str(caught.value)) == (5, True)


def block(text: str) -> FrontMatter:
    front = find_front_matter(text)
    assert front is not None
    return front


VALUES = [
    pytest.param("a: no", "no", id="no"),
    pytest.param("a: 2024-01-02", "2024-01-02", id="a date"),
    pytest.param("a: 2024-99-99", "2024-99-99", id="an impossible date"),
    pytest.param("a: 1e3", "1e3", id="1e3"),
    pytest.param("a: 12", 12, id="an integer"),
    pytest.param("a: -1.5", -1.5, id="a decimal"),
    pytest.param("a: 007", "007", id="leading zeros"),
    pytest.param("a: " + "9" * 5000, "9" * 5000, id="5,000 digits"),
    pytest.param("a: true", True, id="true"),
    pytest.param("a: 'true'", "true", id="quoted"),
    pytest.param("a: ~", None, id="null"),
    pytest.param("a:", None, id="nothing"),
    pytest.param("a: ''", "", id="an empty string"),
    pytest.param("a: .inf", ".inf", id="infinity"),
    pytest.param("a: !x y", "y", id="an unknown tag"),
    pytest.param("a: !!str 1", "1", id="a string tag"),
    pytest.param("a:\n- 1\n- x", [1, "x"], id="an unindented list"),
    pytest.param("a: {b: [c]}", {"b": ["c"]}, id="nested"),
    pytest.param("a: |\n  x\n  y", "x\ny\n", id="a block scalar"),
    pytest.param("b: &b {c: 1}\na: *b", {"c": 1}, id="an alias"),
    pytest.param("b: &b {c: 1, d: 2}\na: {<<: *b, d: 3}", {"c": 1, "d": 3}, id="merge"),
    pytest.param("a: {{ .T }} x", "{{ .T }} x", id="an action"),
    pytest.param("a: {{ .T }}", "{{ .T }}", id="an action alone"),
]


@pytest.mark.parametrize(("inner", "value"), VALUES)
def test_values_are_those_of_yaml_1_2_that_json_knows(inner, value):
    text = f"---\n{inner}\n---\n"
    values = read_front_matter(text, block(text))
    assert values["a"] == value
    assert type(values["a"]) is type(value)
    json.dumps(values)


def test_toml_values_are_json_too():
    text = "+++\na = 2024-01-02\nb = inf\nc = [1, {d = true}]\n+++\n"
    values = read_front_matter(text, block(text))
    assert values == {"a": "2024-01-02", "b": "inf", "c": [1, {"d": True}]}


@pytest.mark.parametrize("inner", [bomb(9), "a: &a [*a]\n", "a: &a\n  <<: *a\n"])
def test_alias_bombs_are_cut(inner):
    text = f"---\n{inner}---\n"
    front = find_front_matter(text)
    assert front is not None
    with pytest.raises(FrontMatterError, match="expand to over"):
        read_front_matter(text, front)


_ENTRY = st.builds(
    "{}{}{}".format,
    st.sampled_from(
        [
            *("a", "b-c", "title", "A_1", "9", "x y", "<<", "- a", "  - b", "?", "#"),
            *("ms.date", "d.", "'e f'", "''"),
        ]
    ),
    st.sampled_from([": ", ":", ":  ", " : ", "", ": - "]),
    st.text("ab1 :#-'\"[]{}/.,*&!%@|>~?\t\\=é中\u3000\u2028\ufeff😀", max_size=8),
)


@settings(max_examples=500)
@given(st.lists(_ENTRY, min_size=1, max_size=5))
def test_what_is_taken_without_composing_composes_to_a_mapping(lines):
    source = "\n".join(lines) + "\n"
    if module._SURELY_A_MAPPING.fullmatch(source):
        module._check(source, "yaml", 2, unique_keys=False)


@pytest.mark.parametrize(
    "source",
    [
        "a: 1\n",
        "a: b c\nd:\n  - x\n  - y\ne:\n- z\n",
        "a: 'x y'\nb: http://x.y/z\nc:\n",
        "ms.date: 04/20/2017\n'a b': -1\nc: é 中文\nd: \"😀\"\n",
    ],
)
def test_common_blocks_are_taken_without_composing(source):
    assert module._SURELY_A_MAPPING.fullmatch(source)
    module._check(source, "yaml", 2, unique_keys=False)
