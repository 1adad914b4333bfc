"""md-include: keep marked regions equal to the sections and files that they name."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from md_mcp.document.finding import Finding
from md_mcp.document.model import Document
from md_mcp.files.store import Files
from md_mcp.hooks.run import Hook, make_parser, open_files, run

if TYPE_CHECKING:
    from md_mcp.document.edit.base import Edit


def main(argv: Sequence[str] | None = None) -> int:
    """Run the hook and return its exit code."""
    parser = make_parser("md-include", "Keep included texts equal.", repairs=True)
    options = parser.parse_args(argv)
    files = open_files()

    def check(document: Document, name: str) -> Sequence[Finding]:
        if "md-mcp:" not in document.text:  # which saves the import below
            return ()
        from md_mcp.document.include import check_includes

        return check_includes(document, _loader(files, name))

    def repair(document: Document, name: str) -> Edit:
        from md_mcp.document.include import update_includes

        return update_includes(document, _loader(files, name))

    return run(Hook(check, repair if options.fix else None), files, options.files)


def _loader(files: Files, name: str) -> Callable[[str], Document]:
    """Return what reads a path as a marker in the file `name` writes it.

    Paths are relative to that file; those with a leading "/" to the current folder.
    """
    folder = posixpath.dirname(Path(name).as_posix())

    def load(path: str) -> Document:
        if path.startswith("/"):
            return files.read(path.lstrip("/") or ".").document
        return files.read(posixpath.join(folder, path)).document

    return load
