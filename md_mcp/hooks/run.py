"""What all hooks do: read each file, repair it if asked, and report what is left."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from md_mcp.document.finding import Finding
from md_mcp.document.model import Document
from md_mcp.document.steering import escape
from md_mcp.errors import ArgumentError, MdMcpError
from md_mcp.files.store import Files

if TYPE_CHECKING:  # who only checks needs no verbs
    from md_mcp.document.edit.base import Edit

FOUND, NOTHING, MISUSED = 1, 0, 2

Check = Callable[[Document, str], Iterable[Finding]]
"""Returns what is wrong with the document of a file, whose path comes second."""

Repair: TypeAlias = "Callable[[Document, str], Edit]"
"""Returns the edit that mends what it can; asked only where something was found."""


class Hook(NamedTuple):
    """What one run of a hook does with each file; without `repair` it only reports."""

    check: Check
    repair: Repair | None = None


def make_parser(
    prog: str, description: str, *, repairs: bool
) -> argparse.ArgumentParser:
    """Return the parser with what all hooks take: files, `--check` and `--fix`."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description=description,
        allow_abbrev=False,
        formatter_class=_Formatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="Markdown files")
    parser.add_argument(
        "--check",
        dest="fix",
        action="store_false",
        help="report only, change nothing" + ("" if repairs else " (always so)"),
    )
    if repairs:
        parser.add_argument(
            "--fix",
            action="store_true",
            default=True,
            help="repair what can be (default); the last of --check and --fix counts",
        )
    return parser


class _Formatter(argparse.HelpFormatter):
    """Help of a fixed width: asking the terminal for its own slows every start."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=24, width=80)


def open_files() -> Files:
    """Return the files below the current folder."""
    return Files.open(["."])


def run(hook: Hook, files: Files, names: Sequence[str]) -> int:
    """Run a hook on files; print what is found and return the exit code."""
    found = [_run_on(hook, files, name) for name in names]
    return FOUND if any(found) else NOTHING


def misused(prog: str, error: ArgumentError) -> int:
    """Tell that a hook's options or its configuration make no sense."""
    print(f"{prog}: {escape(str(error))}", file=sys.stderr)
    return MISUSED


def _run_on(hook: Hook, files: Files, name: str) -> bool:
    """Return whether anything was found in a file, or changed."""
    try:
        document = files.read(name).document
        findings = [*hook.check(document, name)]
        changed = bool(findings) and _repaired(hook, files, name)
        if changed:
            _say(f"{name}: repaired")
            findings = [*hook.check(files.read(name).document, name)]
    except MdMcpError as error:
        _say(f"{name}: {error.code}: {error}")
        return True
    for finding in findings:
        _say(f"{name}:{finding.line}: {finding.message} ({finding.rule})")
    return changed or bool(findings)


def _repaired(hook: Hook, files: Files, name: str) -> bool:
    """Mend a file as far as possible; return whether it was changed."""
    repair = hook.repair
    if repair is None:
        return False
    return files.update(name, lambda document: repair(document, name)).changed


def _say(line: str) -> None:
    """Print a line; what the output cannot show, or could be steered by, as escapes."""
    encoding = sys.stdout.encoding or "utf-8"
    shown = escape(line).replace("\n", " ")
    print(shown.encode(encoding, "backslashreplace").decode(encoding))
