"""md-changelog: check changelogs by Keep a Changelog, repair what is mechanical."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from md_mcp.document.changelog.categories import CATEGORIES
from md_mcp.document.changelog.check import check_changelog
from md_mcp.document.model import Document
from md_mcp.hooks.run import Hook, make_parser, open_files, run

if TYPE_CHECKING:
    from md_mcp.document.edit.base import Edit


def main(argv: Sequence[str] | None = None) -> int:
    """Run the hook and return its exit code."""
    parser = make_parser("md-changelog", "Check and repair changelogs.", repairs=True)
    parser.add_argument(
        "--allow-released",
        action="store_true",
        help="repair released versions too, not only the Unreleased section",
    )
    parser.add_argument(
        "--category",
        action="append",
        default=[],
        metavar="NAME",
        help="a category beside those of Keep a Changelog, after them (repeatable)",
    )
    options = parser.parse_args(argv)
    categories = (*CATEGORIES, *options.category)

    def repair(document: Document, _: str) -> Edit:
        from md_mcp.document.changelog.repair import repair_changelog

        return repair_changelog(
            document, categories, allow_released=options.allow_released
        )

    hook = Hook(
        lambda document, _: check_changelog(document, categories),
        repair if options.fix else None,
    )
    return run(hook, open_files(), options.files)
