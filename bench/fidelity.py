"""Check over a folder of Markdown files that edits change nothing else.

    python -m bench.fidelity DIR [--every N]

For each file: the lines are the text; every index path resolves to its own section;
writing back each section as read changes no byte; deleting a section and adding it
again leaves every other heading and all text outside as it was; the CRLF twin behaves
as a twin. With --every N only each N-th section of a file is edited. Prints one line a
finding and ends with counts; exit status 1 with findings.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from md_mcp.document.edit import Edit, add, delete, replace
from md_mcp.document.model import Document
from md_mcp.document.section import Section
from md_mcp.errors import EditError, MdMcpError

EXTENSIONS = {".md", ".markdown", ".mdx"}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="check that edits change nothing else")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N")
    options = parser.parse_args(argv)
    files = sections = 0
    findings: list[str] = []
    for path in sorted(options.directory.rglob("*")):
        if path.suffix.lower() not in EXTENSIONS or not path.is_file():
            continue
        try:
            document = Document.from_bytes(path.read_bytes(), str(path))
        except MdMcpError as error:
            print(f"skipped: {error}")
            continue
        files += 1
        chosen = document.sections[:: options.every]
        sections += len(chosen)
        for finding in check_document(document, chosen):
            findings.append(f"{path}: {finding}")
            print(findings[-1])
            sys.stdout.flush()
    print(f"{files} files, {sections} sections edited, {len(findings)} findings")
    return 1 if findings else 0


def check_document(document: Document, sections: Sequence[Section]) -> Iterator[str]:
    """Yield what is wrong with a document and the edits of some of its sections."""
    text = document.text
    if "".join(line.span.of(text) for line in document.lines) != text:
        yield "the lines are not the text"
    twin = crlf_twin(document)
    if twin is not None and outline(twin) != outline(document):
        yield "the CRLF twin has other headings"
    for section in sections:
        if document.section(section.path, lenient=False) != section:
            yield f"{section.path!r} leads elsewhere"
        yield from check_write_back(document, section)
        yield from check_delete_and_add(document, section)
        if twin is not None:
            yield from check_twin(document, twin, section)


def check_write_back(document: Document, section: Section) -> Iterator[str]:
    try:
        edit = replace(document, section.path, section.span.of(document.text))
    except EditError as error:
        yield f"writing back {section.path!r} is refused: {error}"
        return
    if edit.changed or edit.text != document.text:
        yield f"writing back {section.path!r} changes it"


def check_delete_and_add(document: Document, section: Section) -> Iterator[str]:
    before = outline(document)
    assert section.index is not None
    first, count = section.index, 1 + len(section.descendants)
    try:
        deleted = delete(document, section.path)
    except EditError as error:
        yield f"deleting {section.path!r} is refused: {error}"
        return
    yield from check_outside(deleted)
    if outline(deleted.result) != before[:first] + before[first + count :]:
        yield f"deleting {section.path!r} changes other headings"
    if section.heading is None or section.heading.style != "atx":
        return
    if not section.heading.text or deleted.document.headings[first].raw == "":
        return
    heading = f"{'#' * section.level} {section.heading.raw}"
    content = document.text[section.heading.span.end : section.span.end]
    place = {}
    if first < len(deleted.result.sections):
        place = {"before": deleted.result.sections[first].path}
    try:
        added = add(deleted.result, heading, content, **place)
    except EditError as error:
        yield f"adding {section.path!r} again is refused: {error}"
        return
    yield from check_outside(added)
    if outline(added.result) != before:
        yield f"adding {section.path!r} again gives other headings"


def check_outside(edit: Edit) -> Iterator[str]:
    """Yield a finding where text outside the splices of `edit` differs."""
    before, after = edit.document.text, edit.text
    start, end = edit.splices[0].span.start, edit.splices[-1].span.end
    if not (after.startswith(before[:start]) and after.endswith(before[end:])):
        yield f"{edit.summary}: text outside changes"


def check_twin(document: Document, twin: Document, section: Section) -> Iterator[str]:
    path = section.path
    for name, one, other in (
        ("replace", replace(document, path, "new"), replace(twin, path, "new")),
        ("delete", delete(document, path), delete(twin, path)),
    ):
        if other.text != one.text.replace("\n", "\r\n"):
            yield f"{name} of {path!r} differs in the CRLF twin"


def crlf_twin(document: Document) -> Document | None:
    """Return the document with CRLF endings, None where it is not all LF."""
    if "\r" in document.text or "\n" not in document.text:
        return None
    return Document(document.text.replace("\n", "\r\n"))


def outline(document: Document) -> list[tuple[int, str]]:
    return [(heading.level, heading.raw) for heading in document.headings]


if __name__ == "__main__":
    raise SystemExit(main())
