"""The verb that starts the MCP server; it is also what happens without a verb."""

from __future__ import annotations

import sys

from md_mcp import __version__
from md_mcp.cli.console import Console
from md_mcp.cli.parser import (
    Options,
    Parser,
    Verb,
    add_break_hardlinks,
    add_roots,
    expand_roots,
)


def _arguments(parser: Parser) -> None:
    parser.stray_hint = "If it is a verb, put it first"
    add_roots(parser)
    parser.add_argument(
        "--toolsets",
        default="edit,read,refactor",
        metavar="NAME,...",
        help='the toolsets to offer, or "all" (default: edit,read,refactor)',
    )
    parser.add_argument(
        "--read-only", action="store_true", help="offer no tool that writes"
    )
    add_break_hardlinks(parser)
    parser.add_argument(
        "--version",
        action="version",
        version=f"md-mcp {__version__}",
        help="show the version and exit",
    )


def _serve(options: Options, console: Console) -> int:
    from md_mcp.server import ServerOptions, serve

    if sys.stdin.isatty():
        console.note(
            "serving MCP over standard input and output, which a client does for you. "
            'Ctrl-D ends it; "md-mcp --help" lists the verbs for the shell.'
        )
    return serve(
        ServerOptions(
            roots=expand_roots(options),
            toolsets=tuple(options.toolsets.split(",")),
            read_only=options.read_only,
            break_hardlinks=options.break_hardlinks,
        )
    )


VERB = Verb("serve", "", "serve the tools over MCP", _arguments, _serve)
