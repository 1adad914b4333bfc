"""The changelog verbs on whole files, byte for byte: fixtures/changelogs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from md_mcp.document.changelog.add import add_entry
from md_mcp.document.changelog.release import release_changes
from md_mcp.document.edit import Edit
from md_mcp.document.model import Document

CASES = sorted(
    (Path(__file__).resolve().parents[3] / "fixtures" / "changelogs").iterdir()
)


def run(case: Path, document: Document) -> Edit:
    call = json.loads((case / "call.json").read_bytes())
    if call.pop("action") == "add":
        return add_entry(document, **call)
    return release_changes(document, **call)


def document_of(case: Path) -> Document:
    return Document.from_bytes((case / "before.md").read_bytes())


def test_the_cases_are_found() -> None:
    assert len(CASES) >= 17


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_call_gives_the_bytes_of_its_case(case: Path) -> None:
    edit = run(case, document_of(case))
    assert edit.text.encode() == (case / "after.md").read_bytes()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_crlf_twin_gives_the_crlf_twin(case: Path) -> None:
    document = document_of(case)
    if "\r" in document.text:
        pytest.skip("is one already")
    twin = Document(document.text.replace("\n", "\r\n"))
    assert run(case, twin).text == run(case, document).text.replace("\n", "\r\n")


def test_some_cases_end_lines_with_crlf_or_lack_the_last_ending() -> None:
    files = {case.name: (case / "before.md").read_bytes() for case in CASES}
    assert {name for name, data in files.items() if b"\r\n" in data} == {
        "add_crlf",
        "release_crlf",
    }
    assert {name for name, data in files.items() if not data.endswith(b"\n")} == {
        "add_no_final_ending",
        "release_no_final_ending",
    }
