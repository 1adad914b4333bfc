"""md-toc: keep tables of contents in step with the headings."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from md_mcp.document.toc import MAX_DEPTH, check_toc, update_toc
from md_mcp.hooks.run import Hook, make_parser, open_files, run


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
    hook = Hook(
        lambda document, _: check_toc(document, depth),
        (lambda document, _: update_toc(document, depth)) if options.fix else None,
    )
    return run(hook, open_files(), options.files)


def _level(text: str) -> int:
    if text not in {"1", "2", "3", "4", "5", "6"}:
        raise argparse.ArgumentTypeError(f"{text!r} is not a level from 1 to 6")
    return int(text)
