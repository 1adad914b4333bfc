"""md-links: links and anchors lead to something in the repository; offline.

There is no repair: which of two places a broken link means takes judgement.
"""

from __future__ import annotations

from collections.abc import Sequence

from md_mcp.hooks.run import Hook, make_parser, open_files, run


def main(argv: Sequence[str] | None = None) -> int:
    """Run the hook and return its exit code."""
    parser = make_parser("md-links", "Check links and anchors.", repairs=False)
    options = parser.parse_args(argv)
    from md_mcp.library.broken import LinkChecker

    files = open_files()
    return run(Hook(LinkChecker.of(files).check), files, options.files)
