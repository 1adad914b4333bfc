"""The entry point: choose the verb, run it, turn what happens into an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from md_mcp.cli import changelog, exploring, panel, reading, serve, writing
from md_mcp.cli.console import Console
from md_mcp.cli.content import check_text
from md_mcp.cli.parser import Parser, Verb, nearest
from md_mcp.errors import NOTHING_WRITTEN, ArgumentError, MdMcpError, report_text

DONE, REFUSED, INTERRUPTED = 0, 2, 130

VERBS = {
    verb.name: verb
    for verb in (
        *reading.VERBS,
        *exploring.VERBS,
        *writing.VERBS,
        *changelog.VERBS,
        panel.VERB,
        serve.VERB,
    )
}

_FIRST_WORDS = {name.partition(" ")[0] for name in VERBS if " " in name}
"""What begins the verbs of two words."""

_BY_TOOL = {verb.tool: verb for verb in VERBS.values() if verb.tool}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    `argv` are the arguments without the program's name, by default the process's own.
    """
    console = Console.of_process()
    try:
        code = _run(sys.argv[1:] if argv is None else argv, console)
        console.out.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough, as `head` does
        _drop_output()
        return DONE
    except OSError as error:
        _drop_output()
        console.note(f"IO_ERROR: {error}")
        return REFUSED
    return code


def _run(arguments: Sequence[str], console: Console) -> int:
    verb: Verb | None = None
    try:
        verb, rest = _choose(arguments)
        options = _parser(verb).parse(rest)
        check_text(options)
        return verb.run(options, console)
    except MdMcpError as error:
        kept = NOTHING_WRITTEN if verb and verb.writes else ""
        console.note(report_text(error, kept))
        return REFUSED
    except SystemExit as end:  # argparse has printed the help
        sys.stdout.flush()
        return end.code if isinstance(end.code, int) else REFUSED


def _choose(arguments: Sequence[str]) -> tuple[Verb, Sequence[str]]:
    """Return the verb and its arguments; options without a verb are the server's.

    Raises:
        ArgumentError: the first word is no verb.
    """
    if not arguments:
        return serve.VERB, arguments
    first = arguments[0]
    if first in {"-h", "--help", "help"}:
        sys.stdout.write(_overview())
        raise SystemExit(DONE)
    if first.startswith("-"):
        return serve.VERB, arguments
    verb = VERBS.get(first) or _BY_TOOL.get(first)
    if verb is not None:
        return verb, arguments[1:]
    both = " ".join(arguments[:2])
    if both in VERBS:
        return VERBS[both], arguments[2:]
    words = both if first in _FIRST_WORDS else first
    near = nearest(words, [*VERBS, *_BY_TOOL])
    hint = f' Nearest: "{near}".' if near else ""
    raise ArgumentError("verb", f'no verb "{words}".{hint} See "md-mcp --help".')


def _parser(verb: Verb) -> Parser:
    summary = f"{verb.summary[0].upper()}{verb.summary[1:]}."
    parser = Parser(f"md-mcp {verb.name}", summary)
    verb.add_arguments(parser)
    return parser


def _overview() -> str:
    verbs = "".join(f"  {verb.name:19}{verb.summary}\n" for verb in VERBS.values())
    return (
        "usage: md-mcp VERB ...\n"
        "       md-mcp [--allow-root PATH] ...      the same as md-mcp serve\n\n"
        "Edit sections of Markdown files and leave every other byte alone.\n\n"
        f"verbs:\n{verbs}\n"
        '"md-mcp VERB --help" tells the arguments of a verb. The names of the tools,\n'
        'such as get_index, are understood too. "md-mcp --version" tells the version.\n'
        "Exit codes: 0 done or found, 1 found nothing or a check found a fault,\n"
        "2 refused, 130 interrupted.\n"
    )


def _drop_output() -> None:
    """Let what is still buffered go nowhere, so that the exit is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
