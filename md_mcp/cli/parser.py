"""How arguments are read: a strict argparse, and the options that verbs share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from md_mcp.errors import ArgumentError

if TYPE_CHECKING:
    from md_mcp.cli.console import Console
    from md_mcp.files import Files

Options = argparse.Namespace

_TEXT_MARK = "\0"
"""Put before what follows "--", since argparse forgets that when arguments are mixed.

No argument of a process can hold it.
"""


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: its name, its line in the help, its arguments and what it does.

    `tool` is the tool that it mirrors, "" for none; error messages speak of tools, so
    the shell understands both names.
    """

    name: str
    tool: str
    summary: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[Options, Console], int]
    writes: bool = False


class Parser(argparse.ArgumentParser):
    """An argument parser that raises, knows no abbreviations and offers what is near.

    `-h` counts only as a word of its own, so that text such as "-hidden" is not taken
    for a request for help.
    """

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            add_help=False,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.add_argument("--help", action="help", help="show this help and exit")
        self.stray_hint = ""
        """What to say about an argument too many, one sentence without its stop."""

    def parse(self, arguments: Sequence[str]) -> Options:
        """Return the options; positional arguments may stand between options.

        Raises:
            ArgumentError: an argument is unknown, missing or of a wrong form.
        """
        words = list(takewhile(lambda word: word != "--", arguments))
        texts = arguments[len(words) + 1 :]
        if "-h" in words:
            words = ["--help"]
        marked = [*words, *(_TEXT_MARK + text for text in texts)]
        options, unknown = self.parse_known_intermixed_args(marked)
        if unknown:
            self.error(self._explain(unknown[0]))
        for name, value in vars(options).items():
            if isinstance(value, str):
                setattr(options, name, value.removeprefix(_TEXT_MARK))
        return options

    def error(self, message: str) -> NoReturn:
        """Raise the message, with the way to the help as the next step."""
        raise ArgumentError("", f'{message}. See "{self.prog} --help".')

    def _explain(self, unknown: str) -> str:
        if not unknown.startswith("-"):
            stray = unknown.removeprefix(_TEXT_MARK)
            hint = self.stray_hint and f". {self.stray_hint}"
            return f'one argument too many: "{stray}"{hint}'
        near = nearest(unknown.partition("=")[0], list(self._option_string_actions))
        hint = f'Nearest: "{near}". ' if near else ""
        return f'no option "{unknown}". {hint}Put "--" before text that starts so'


def nearest(word: str, known: Sequence[str]) -> str:
    """Return the known word most like `word`, "" when none is like it."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, n=1)), "")


def add_file(parser: Parser) -> None:
    """Add the Markdown file, and the roots that it must lie under."""
    parser.add_argument("file_path", metavar="FILE", help="the Markdown file")
    add_roots(parser)


def add_roots(parser: Parser) -> None:
    """Add `--allow-root`."""
    parser.add_argument(
        "--allow-root",
        action="append",
        default=[],
        metavar="PATH",
        help="touch nothing outside this folder (may be repeated; default: no limit)",
    )


def add_path(parser: Parser) -> None:
    """Add the dot-path of a section."""
    parser.add_argument("path", metavar="PATH", help='a dot-path such as "Guide.Usage"')


def add_json(parser: Parser) -> None:
    """Add `--json`."""
    parser.add_argument(
        "--json", action="store_true", help="print exactly the tool's result, as JSON"
    )


def add_pattern(parser: Parser) -> None:
    """Add a search pattern and its options."""
    parser.add_argument("query", metavar="QUERY", help="a Python regular expression")
    parser.add_argument(
        "--scope",
        choices=("body", "headings", "both"),
        default="body",
        help="where to look (default: body)",
    )
    parser.add_argument(
        "--case-sensitive", action="store_true", help="tell A from a (default: no)"
    )
    add_json(parser)


def add_break_hardlinks(parser: Parser) -> None:
    """Add `--break-hardlinks`."""
    parser.add_argument(
        "--break-hardlinks",
        action="store_true",
        help="write files that have other hard links, which keep the old text",
    )


def expand_roots(options: Options) -> tuple[str, ...]:
    """Return the allowed roots; "~" is a home directory here and nowhere else."""
    return tuple(str(Path(root).expanduser()) for root in options.allow_root)


def open_files(options: Options, console: Console) -> Files:
    """Return the access to the file system that the options allow.

    Raises:
        RootError: none of the allowed roots can be used; of several, the others count.
    """
    from md_mcp.files import Files

    breaks = getattr(options, "break_hardlinks", False)
    files = Files.open(expand_roots(options), break_hardlinks=breaks)
    for problem in files.roots.problems:
        console.note(f"warning: {problem}")
    return files
