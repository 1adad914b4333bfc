"""md-toc: keep tables of contents in step with the headings."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from md_mcp.document.finding import Finding
from md_mcp.document.model import Document
from md_mcp.hooks.run import Hook, make_parser, open_files, run

if TYPE_CHECKING:
    from md_mcp.document.edit.base import Edit

MAX_DEPTH = 6


def main(argv: Sequence[str] | None = None) -> int:
    """Run the hook and return its exit code."""
    parser = make_parser("md-toc", "Keep tables of contents in step.", repairs=True)
    parser.add_argument(
        "--max-depth",
        type=_level,
        default=MAX_DEPTH,
        metavar="N",
        help="list headings up to this level (default: all six)",
    )
    options = parser.parse_args(argv)
    depth: int = options.max_depth

    def check(document: Document, _: str) -> Sequence[Finding]:
        if "toc" not in document.text:  # which saves the import below
            return ()
        from md_mcp.document.toc import check_toc

        return check_toc(document, depth)

    def repair(document: Document, _: str) -> Edit:
        from md_mcp.document.toc import update_toc

        return update_toc(document, depth)

    hook = Hook(check, repair if options.fix else None)
    return run(hook, open_files(), options.files)


def _level(text: str) -> int:
    if text not in {"1", "2", "3", "4", "5", "6"}:
        raise argparse.ArgumentTypeError(f"{text!r} is not a level from 1 to 6")
    return int(text)
