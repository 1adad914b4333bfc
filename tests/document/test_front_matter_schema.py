"""Front matter against a schema."""

from __future__ import annotations

import pytest

from md_mcp.document.front_matter_schema import (
    KeyRule,
    Schema,
    check_front_matter_schema,
    parse_schema,
    respell_values,
)
from md_mcp.document.model import Document
from md_mcp.errors import ArgumentError

SCHEMA = Schema(
    ("title", "status"),
    {
        "status": KeyRule("string", ("draft", "final")),
        "date": KeyRule("date"),
        "tags": KeyRule("list", ("a", "b")),
        "weight": KeyRule("integer"),
        "share": KeyRule("number"),
        "open": KeyRule("boolean"),
        "by": KeyRule("mapping"),
        "stage": KeyRule("", (1, 2)),
    },
)

GOOD = """\
title: T
status: draft
date: 2024-01-02
tags: [a, b]
weight: 3
share: 0.5
open: true
by: {name: N}
stage: 2
"""


def found(inner: str, schema: Schema = SCHEMA) -> list[tuple[int, str]]:
    document = Document(f"---\n{inner}---\n\n# T\n")
    findings = check_front_matter_schema(document, schema)
    return [(finding.line, finding.rule) for finding in findings]


def test_front_matter_that_fits_has_no_findings() -> None:
    assert found(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("title: T\n", "", (1, "required-key")),
        ("draft", "Draft", (3, "value")),
        ("draft", "done", (3, "value")),
        ("draft", "7", (3, "type")),
        ("2024-01-02", "2024-02-30", (4, "type")),
        ("2024-01-02", "soon", (4, "type")),
        ("[a, b]", "a", (5, "type")),
        ("[a, b]", "[a, c]", (5, "value")),
        ("weight: 3", "weight: 3.5", (6, "type")),
        ("weight: 3", "weight: true", (6, "type")),
        ("share: 0.5", "share: half", (7, "type")),
        ("open: true", "open: maybe", (8, "type")),
        ("{name: N}", "N", (9, "type")),
        ("stage: 2", "stage: 3", (10, "value")),
        ("stage: 2", "stage: '2'", (10, "value")),
    ],
)
def test_a_fault_is_found_in_its_line(
    old: str, new: str, finding: tuple[int, str]
) -> None:
    assert old in GOOD
    assert found(GOOD.replace(old, new, 1)) == [finding]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2024-01-02", "2024-01-02T10:30:00Z"),
        ("2024-01-02", "'2024-01-02'"),
        ("share: 0.5", "share: 2"),
        ("[a, b]", "[]"),
        ("by: {name: N}", "by:\n  name: N"),
        ("stage: 2\n", ""),
    ],
)
def test_what_looks_like_a_fault_may_be_none(old: str, new: str) -> None:
    assert found(GOOD.replace(old, new, 1)) == []


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        pytest.param("# T\n", [(1, "required-key")], id="none at all"),
        pytest.param("---\ntitle: [\n---\n", [(2, "front-matter")], id="no YAML"),
        pytest.param("---\ntitle: T\n", [(1, "front-matter")], id="no end"),
        pytest.param("+++\ntitle = 'T'\nstatus = 'final'\n+++\n", [], id="TOML"),
        pytest.param(
            "+++\ntitle = 'T'\nstatus = 1\n+++\n", [(3, "type")], id="a fault in TOML"
        ),
    ],
)
def test_blocks(text: str, findings: list[tuple[int, str]]) -> None:
    found = check_front_matter_schema(Document(text), SCHEMA)
    assert [(f.line, f.rule) for f in found] == findings


def test_the_empty_schema_wants_no_front_matter_but_one_that_parses() -> None:
    assert check_front_matter_schema(Document("# T\n"), Schema()) == ()
    assert check_front_matter_schema(Document("---\na: [\n---\n"), Schema()) != ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("status: Draft\n", "status: draft\n", id="plain"),
        pytest.param('status: "DRAFT"  # x\n', 'status: "draft"  # x\n', id="quoted"),
        pytest.param("status: drafty\n", "status: drafty\n", id="another word"),
        pytest.param("status: draft\n", "status: draft\n", id="right already"),
        pytest.param(
            "status: >\n  Draft\n", "status: >\n  Draft\n", id="on another line"
        ),
        pytest.param("x:\n  status: Draft\n", "x:\n  status: Draft\n", id="deeper"),
    ],
)
def test_spelling_is_mended(before: str, after: str) -> None:
    document = Document(f"---\r\ntitle: T\r\n{before}---\n\nDraft\n")
    assert respell_values(document, SCHEMA).text == document.text.replace(before, after)


def test_spelling_is_mended_in_toml() -> None:
    document = Document("+++\nstatus = 'Final'\n+++\n")
    assert respell_values(document, SCHEMA).text == "+++\nstatus = 'final'\n+++\n"


def test_a_schema_is_read_from_a_table() -> None:
    table = {
        "required": ["title"],
        "keys": {"status": {"type": "string", "values": ["draft"]}, "x": {}},
    }
    assert parse_schema(table) == Schema(
        ("title",), {"status": KeyRule("string", ("draft",)), "x": KeyRule()}
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"require": []}, "front-matter.require is unknown"),
        ({"required": "title"}, "front-matter.required is no list"),
        ({"required": [1]}, "front-matter.required is no list"),
        ({"keys": []}, "front-matter.keys is no table"),
        ({"keys": {"a": "string"}}, "front-matter.keys.a is to be a table"),
        ({"keys": {"a": {"typ": "list"}}}, "front-matter.keys.a is to be a table"),
        ({"keys": {"a": {"type": "text"}}}, "front-matter.keys.a.type is none"),
        ({"keys": {"a": {"values": "x"}}}, "front-matter.keys.a.values is no list"),
    ],
)
def test_a_wrong_schema_is_refused(table: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        parse_schema(table)
