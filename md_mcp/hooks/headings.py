"""md-headings: duplicate paths, gaps between levels, empty headings, several titles."""

from __future__ import annotations

from collections.abc import Sequence

from md_mcp.document.heading_rules import RULES, check_headings, close_gaps
from md_mcp.hooks.run import Hook, make_parser, open_files, run


def main(argv: Sequence[str] | None = None) -> int:
    """Run the hook and return its exit code."""
    parser = make_parser("md-headings", "Check the headings.", repairs=True)
    for rule in RULES:
        parser.add_argument(
            f"--no-{rule}",
            dest="off",
            action="append_const",
            const=rule,
            default=[],
            help=f"do not look for: {rule.replace('-', ' ')}",
        )
    options = parser.parse_args(argv)
    rules = [rule for rule in RULES if rule not in options.off]
    repairs = options.fix and "skipped-level" in rules
    hook = Hook(
        lambda document, _: check_headings(document, rules),
        (lambda document, _: close_gaps(document)) if repairs else None,
    )
    return run(hook, open_files(), options.files)
