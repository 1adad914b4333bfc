"""What is front matter, what is not and why, and what an edit may make of it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.front_matter import (
    FrontMatter,
    FrontMatterKind,
    check_front_matter,
    explain_front_matter,
    find_front_matter,
)
from md_mcp.document.text import Span
from md_mcp.errors import FrontMatterError, FrontMatterLimitError


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        pytest.param("---\na: 1\n---\n", "a: 1\n", id="a mapping"),
        pytest.param("---\na: 1\n---", "a: 1\n", id="closer without an ending"),
        pytest.param("\ufeff---\na: 1\n---\nx", "a: 1\n", id="after a BOM"),
        pytest.param("---\r\na: 1\r\n---\r\n", "a: 1\r\n", id="CRLF"),
        pytest.param("---\r\na: 1\n---\n", "a: 1\n", id="mixed endings"),
        pytest.param("---\ra: 1\r---\rx", "a: 1\r", id="CR in an old-Mac file"),
        pytest.param("---\na: 1\n---\nb: 2\n---\n", "a: 1\n", id="first closer closes"),
        pytest.param("---\na:\n  ---\n---\n", "a:\n  ---\n", id="an indented one not"),
        pytest.param("---\na: |\n --- \n---\n", "a: |\n --- \n", id="nor in a scalar"),
        pytest.param("---\n# c\n\na: b\n\n---\n", "# c\n\na: b\n\n", id="comments too"),
        pytest.param("---\na: 1\na: 2\n---\n", "a: 1\na: 2\n", id="duplicate keys"),
        pytest.param("---\n{a: [1]}\n---\n", "{a: [1]}\n", id="flow style"),
        pytest.param("---\n{}\n---\n", "{}\n", id="a mapping without entries"),
        pytest.param("---\na: x\u2028y\n---\n", "a: x\u2028y\n", id="U+2028 in a line"),
        pytest.param("---\n# \x85--- x\na: b\n---\n", "# \x85--- x\na: b\n", id="NEL"),
        pytest.param('---\na: "\\ud800"\n---\n', 'a: "\\ud800"\n', id="odd escapes"),
        pytest.param("---\na: 2024-99-99\n---\n", "a: 2024-99-99\n", id="odd dates"),
        pytest.param("---\na: &x [*x]\n---\n", "a: &x [*x]\n", id="endless aliases"),
        pytest.param("+++\na = 1\n+++\n", "a = 1\n", id="TOML"),
        pytest.param("+++\ra = 1\rb = 2\r+++", "a = 1\rb = 2\r", id="old-Mac TOML"),
        pytest.param("+++\r\n[a]\r\n+++\r\n", "[a]\r\n", id="TOML with a table only"),
    ],
)
def test_a_mapping_between_delimiters_is_front_matter(text: str, inner: str) -> None:
    front = find_front_matter(text)
    assert front is not None
    assert front.inner.of(text) == inner
    assert front.checked
    assert explain_front_matter(text) is None


def test_the_spans_are_of_the_whole_text() -> None:
    text = "\ufeff---\r\na: 1\r\n---\r\n# H\r\n"
    assert find_front_matter(text) == FrontMatter("yaml", Span(1, 17), Span(6, 12))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("# H\n\n---\na: 1\n---\n", id="later in the file"),
        pytest.param("\n---\na: 1\n---\n", id="after a blank line"),
        pytest.param("---", id="a thematic break alone"),
        pytest.param("---\ntext\n", id="a thematic break and text"),
        pytest.param("---\ntext\n\n---\n", id="text between thematic breaks"),
        pytest.param("---\n- a\n---\n", id="a list"),
        pytest.param("---\n'a'\n---\n", id="a scalar"),
        pytest.param("----\na: 1\n----\n", id="more hyphens"),
        pytest.param("+++\ntext\n+++\n", id="text between plus signs"),
    ],
)
def test_what_does_not_look_like_front_matter_needs_no_reason(text: str) -> None:
    assert find_front_matter(text) is None
    assert explain_front_matter(text) is None


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        pytest.param(
            "---\na: 1\n\n# H\n", 1, "no later line is exactly ---", id="open"
        ),
        pytest.param("---\na: 1\n--- \n", 1, "no later line", id="blanks at the end"),
        pytest.param("--- \na: 1\n---\n", 1, "blanks beside ---", id="at the start"),
        pytest.param(
            "+++\na = 1\n", 1, "no later line is exactly [+]{3}", id="open +++"
        ),
        pytest.param("---\n---\n", 2, "mapping.*empty", id="no lines"),
        pytest.param("---\n\n  \n---\n", 2, "mapping.*empty", id="blank lines only"),
        pytest.param("---\n# a: b\n---\n", 2, "mapping.*empty", id="comments only"),
        pytest.param("---\na: 1\nb: c: d\n---\n", 3, "line 3.*YAML", id="a bad line"),
        pytest.param("---\na: 1\nb\n---\n", 3, "line 3.*YAML", id="no entry"),
        pytest.param("---\na: 'b\n---\n", 2, "line 2.*YAML", id="an open quote"),
        pytest.param("---\na: 1\n...\n# H\n---\n", 3, "line 3.*[.]{3}", id="..."),
        pytest.param("---\na: 1\n... # x\n---\n", 3, "line 3.*[.]{3}", id="... #"),
        pytest.param("---\na: 1\n--- b\n---\n", 3, "line 3.*---", id="--- and more"),
        pytest.param("---\na: *b\n---\n", 2, "undefined alias", id="an unknown alias"),
        pytest.param('---\na: "\\q"\n---\n', 2, "escape", id="an unknown escape"),
        pytest.param("---\na: \x07\n---\n", 2, "not allowed", id="a control character"),
        pytest.param("+++\na = 1\nb =\n+++\n", 3, "line 3.*TOML", id="bad TOML"),
        pytest.param(
            "+++\na = 1\na = 2\n+++\n", 3, 'duplicate key "a"', id="TOML twice"
        ),
        pytest.param("+++\na = 2024-99-99\n+++\n", 2, "line 2.*TOML", id="no date"),
        pytest.param(f"+++\na = {'9' * 5000}\n+++\n", 2, "number", id="a huge integer"),
        pytest.param("+++\n# a = 1\n+++\n", 2, "must hold entries", id="TOML comments"),
    ],
)
def test_what_looks_like_front_matter_and_is_none_says_why(
    text: str, line: int, reason: str
) -> None:
    assert find_front_matter(text) is None
    error = explain_front_matter(text)
    assert error is not None
    assert error.line == line
    assert re.search(reason, str(error))


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param("t: {{ .T }}\n", id="an action that is YAML"),
        pytest.param("t: {{ .A }} and {{ .B }} x\n", id="actions within a value"),
        pytest.param("{{ .K }}: 1\n", id="as a key"),
        pytest.param('t: {{ printf "}}: %s" .T }}\n', id="with }} in a string"),
        pytest.param("t: {{ .T\n  | quote }}\nu: 1\n", id="over two lines"),
        pytest.param(
            "{{- if .A }}\na: 1\n  {{ else }} {{/* x */}}\na: 2\n{{ end }}\n",
            id="lines of actions",
        ),
        pytest.param("a:\n{{- range .L }}\n  - {{ . }}\n{{- end }}\n", id="in a list"),
        pytest.param("a: '{{' # }}\n", id="no action in the raw lines"),
    ],
)
def test_a_template_is_judged_with_its_actions_replaced(inner: str) -> None:
    text = f"---\n{inner}---\n"
    front = find_front_matter(text)
    assert front is not None
    assert (front.inner.of(text), front.checked) == (inner, True)


@pytest.mark.parametrize(
    ("inner", "is_front_matter"),
    [
        pytest.param("a: {{ .X }}: y\nb:\n  c\n- d\n", True, id="entries, continued"),
        pytest.param("a: {{ x\nb: 1\n", True, id="an action that never ends"),
        pytest.param("{{ .A }}\na: b: c\n# d\n", True, id="lines of actions, comments"),
        pytest.param("{{ .A }}\n\n{{ .B }}\n", True, id="nothing but actions"),
        pytest.param('"a b": {{ x\n', True, id="a quoted key"),
        pytest.param("a: {{ x\nno entry\n", False, id="a line of text"),
        pytest.param("# a\nb: {{ x\n", False, id="a comment before any entry"),
        pytest.param("- a: {{ x\n", False, id="a list item before any"),
        pytest.param("a:b {{ x\n", False, id="no blank after the colon"),
        pytest.param("a: b: c\n", False, id="no action at all"),
        pytest.param("a: {{ x\n...\n", False, id="a document end"),
    ],
)
def test_a_template_that_is_no_yaml_must_look_like_entries(
    inner: str, is_front_matter: bool
) -> None:
    text = f"---\n{inner}---\n"
    front = find_front_matter(text)
    assert (front is not None and not front.checked) is is_front_matter
    # A list, or prose, between two rules does not even look like front matter.
    is_silent = is_front_matter or inner in ("- a: {{ x\n", "a:b {{ x\n")
    assert (explain_front_matter(text) is None) is is_silent


def test_a_template_beyond_the_limits_is_no_front_matter() -> None:
    text = "---\na: {{ x }}\nb: " + "[" * 60 + "]" * 60 + "\n---\n"
    assert find_front_matter(text) is None
    assert isinstance(explain_front_matter(text), FrontMatterLimitError)


@pytest.mark.parametrize(
    ("inner", "kind"),
    [
        pytest.param("a: 1\n", "yaml", id="YAML"),
        pytest.param("a: 1", "yaml", id="without the last ending"),
        pytest.param("+++: 1\n", "yaml", id="the other delimiter"),
        pytest.param("title: {{ .T }}\n", "yaml", id="actions"),
        pytest.param(
            "{{ if .A }}\na: 1\n{{ else }}\na: 2\n{{ end }}\n", "yaml", id="if"
        ),
        pytest.param("a: {b: 1}\nc: {b: 1}\n", "yaml", id="a key in two mappings"),
        pytest.param("a = 1\n", "toml", id="TOML"),
    ],
)
def test_an_edit_may_make_a_mapping_with_unique_keys(
    inner: str, kind: FrontMatterKind
) -> None:
    check_front_matter(inner, kind)


@pytest.mark.parametrize(
    ("inner", "kind", "line", "reason"),
    [
        pytest.param("a: 1\na: 2\n", "yaml", 3, 'duplicate key "a"', id="twice"),
        pytest.param("a: 1\n'a': 2\n", "yaml", 3, 'duplicate key "a"', id="quoted"),
        pytest.param("a:\n- b: 1\n  b: 2\n", "yaml", 4, "duplicate", id="nested"),
        pytest.param("a: {b: 1, b: 2}\n", "yaml", 2, "duplicate", id="in flow style"),
        pytest.param(
            "[x]: 1\n[x]: 2\n", "yaml", 3, r"duplicate key \"\[x\]", id="list"
        ),
        pytest.param(
            "{{ a }}: 1\n{{ a }}: 2\n", "yaml", 3, "{{ a }}", id="action keys"
        ),
        pytest.param("a: 1\n---\nb: 2\n", "yaml", 3, "line 3 is ---", id="a delimiter"),
        pytest.param("---\na: 1\n", "yaml", 2, "line 2 is ---", id="as first line"),
        pytest.param("a: 1\r\n---\r\n", "yaml", 3, "line 3 is ---", id="with CRLF"),
        pytest.param("- a\n", "yaml", 2, "must be a mapping.*list", id="a list"),
        pytest.param("text\n", "yaml", 2, "must be a mapping.*text", id="a scalar"),
        pytest.param("", "yaml", 2, "must be a mapping.*empty", id="nothing"),
        pytest.param("a: 1\nb: c: d\n", "yaml", 3, "line 3.*YAML", id="bad YAML"),
        pytest.param("a: {{ x }}: y\n", "yaml", 2, "YAML", id="a bad template"),
        pytest.param(
            "{{ x }}\ny: '\n", "yaml", 3, "YAML", id="below a line of actions"
        ),
        pytest.param("a: \ud800\n", "yaml", 2, "surrogate", id="half a character"),
        pytest.param('a = """\n+++\n"""\n', "toml", 3, "line 3 is ", id="+++ in TOML"),
        pytest.param("a = 1\na = 2\n", "toml", 3, "duplicate", id="TOML twice"),
    ],
)
def test_an_edit_may_make_nothing_else(
    inner: str, kind: FrontMatterKind, line: int, reason: str
) -> None:
    with pytest.raises(FrontMatterError, match=reason) as caught:
        check_front_matter(inner, kind)
    assert caught.value.line == line


def test_lines_are_counted_from_the_first_one_given() -> None:
    with pytest.raises(FrontMatterError, match="line 11") as caught:
        check_front_matter("a: 1\nb: c: d\n", "yaml", first_line=10)
    assert caught.value.line == 11


def test_the_message_of_a_bad_line_names_it_and_the_next_step() -> None:
    with pytest.raises(FrontMatterError) as caught:
        check_front_matter("title: Ontology 101: a guide\n", "yaml")
    assert str(caught.value) == (
        "line 2 is not valid YAML: mapping values are not allowed here. Correct the "
        'line; a value with ": " or " #" in it, or with a sign of YAML at its start, '
        "needs quotes."
    )


@pytest.mark.parametrize(
    ("inner", "kind"),
    [
        pytest.param("k: v\n" * 13_108, "yaml", id="65,540 bytes"),
        pytest.param("k: " + "é" * 32_767 + "\n", "yaml", id="bytes, not characters"),
        pytest.param("a: " + "[" * 50 + "]" * 50 + "\n", "yaml", id="51 levels"),
        pytest.param("a: " + "[" * 20_000 + "\n", "yaml", id="20,000 open brackets"),
        pytest.param("- " * 20_000 + "\n", "yaml", id="20,000 list items in a line"),
        pytest.param("? " * 20_000 + "\n", "yaml", id="20,000 keys in a line"),
        pytest.param("x: &a 1\ny: [" + "*a, " * 101 + "]\n", "yaml", id="101 aliases"),
        pytest.param("k = 1 #" + "x" * 65_536 + "\n", "toml", id="long TOML"),
        pytest.param(
            "a = " + "[" * 50 + "]" * 50 + "\n", "toml", id="51 levels of TOML"
        ),
        pytest.param("a = " + "[" * 20_000 + "\n", "toml", id="20,000 of TOML"),
        pytest.param("a" + ".a" * 20_000 + " = 1\n", "toml", id="20,000 dots"),
    ],
)
def test_beyond_the_limits_it_is_no_front_matter(
    inner: str, kind: FrontMatterKind
) -> None:
    with pytest.raises(FrontMatterLimitError):
        check_front_matter(inner, kind)
    mark = "---" if kind == "yaml" else "+++"
    assert find_front_matter(f"{mark}\n{inner}{mark}\n") is None


@pytest.mark.parametrize(
    ("inner", "kind"),
    [
        pytest.param("k: " + "v" * 65_532 + "\n", "yaml", id="65,536 bytes"),
        pytest.param("a: " + "[" * 49 + "]" * 49 + "\n", "yaml", id="50 levels"),
        pytest.param(
            "a: " + "[" * 48 + "x" + "]" * 48 + "\n", "yaml", id="a scalar in"
        ),
        pytest.param("x: &a 1\ny: [" + "*a, " * 100 + "]\n", "yaml", id="100 aliases"),
        pytest.param("x: &a 1\ny: &a 2\nz: *a\n", "yaml", id="an anchor twice"),
        pytest.param(
            "a = " + "[" * 49 + "]" * 49 + "\n", "toml", id="50 levels of TOML"
        ),
    ],
)
def test_at_the_limits_it_is(inner: str, kind: FrontMatterKind) -> None:
    mark = "---" if kind == "yaml" else "+++"
    check_front_matter(inner, kind)
    assert find_front_matter(f"{mark}\n{inner}{mark}\n") is not None


YAML_PIECES = [
    *("a", "b", ": ", ":", "- ", "? ", "\n", "\n  ", " ", "[", "]", "{", "}", ", "),
    *("#", " # ", "'", '"', "\\", "&x ", "*x", "!t ", "|", ">", "%", "@", "~", "\t"),
    *("{{", "}}", "{{ x }}", "---", "...", "\r", "\x85", "\u2028", "\ufeff", "\x00"),
]


@given(st.lists(st.sampled_from(YAML_PIECES), max_size=30).map("".join))
def test_any_block_is_front_matter_or_not_and_never_a_crash(inner: str) -> None:
    text = f"---\n{inner}\n---\n"
    front = find_front_matter(text)
    if front is not None:
        assert front.span.start == 0
        assert text[: front.inner.start] == "---\n"
        assert front.inner.end <= front.span.end
    explain_front_matter(text)
    assert 0 <= fault_line(inner) <= inner.count("\n") + inner.count("\r") + 2


def fault_line(inner: str) -> int:
    try:
        check_front_matter(inner, "yaml")
    except FrontMatterError as error:
        return error.line
    return 0


@given(st.lists(st.sampled_from(YAML_PIECES), max_size=20).map("".join))
def test_crlf_makes_no_difference(inner: str) -> None:
    inner = inner.replace("\r", "")
    front = find_front_matter(f"---\n{inner}\n---\n")
    twin = find_front_matter(f"---\n{inner}\n---\n".replace("\n", "\r\n"))
    assert (front is None) is (twin is None)
    if front is not None and twin is not None:
        assert front.checked is twin.checked
