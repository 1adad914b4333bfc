"""Append lines to one section of a file, one update each: FILE SECTION COUNT."""

from __future__ import annotations

import sys
from pathlib import Path

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span
from md_mcp.files import Files


def main(path: str, section: str, count: int) -> None:
    file = Path(path)
    files = Files.open([file.parent])
    for number in range(count):
        line = f"{section} {number}\n"

        def plan(document: Document, line: str = line) -> Edit:
            start = document.text.index(f"## {section}\n")
            end = document.text.find("\n## ", start) + 1 or len(document.text)
            splices = (Splice(Span(end, end), line),)
            return Edit(document, splices, "append", section, Span(start, end))

        files.update(file.name, plan)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
