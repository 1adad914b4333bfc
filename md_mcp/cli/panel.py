"""The verb that serves the panel."""

from __future__ import annotations

from md_mcp.cli.console import Console
from md_mcp.cli.parser import Options, Parser, Verb, add_roots, open_files
from md_mcp.cli.progress import show_progress
from md_mcp.errors import ArgumentError

PORT = 8420


def _arguments(parser: Parser) -> None:
    parser.add_argument(
        "directory", metavar="DIR", nargs="?", default=".", help="the folder of notes"
    )
    parser.add_argument(
        "--port",
        type=int,
        default=PORT,
        metavar="N",
        help=f"port of the loopback interface, 0 for a free one (default: {PORT})",
    )
    add_roots(parser)


def _panel(options: Options, console: Console) -> int:
    from md_mcp.operations.panel import draw_links
    from md_mcp.panel import PanelServer

    if not 0 <= options.port <= 65535:
        raise ArgumentError("port", f"port is {options.port}: give 0 to 65535.")
    files = open_files(options, console)
    try:
        server = PanelServer(files, options.directory, options.port)
    except OSError as error:
        raise ArgumentError(
            "port",
            f"port {options.port} cannot be used: {error.strerror}. Give another one "
            "with --port, or 0 for a free one.",
        ) from None
    with server:
        # Read the folder now: its faults are told here, and the page comes at once.
        draw_links(files, options.directory, show_progress(console))
        console.put(f"{server.url}\n")
        console.note("open this address in a browser; Ctrl-C ends the panel")
        server.serve_forever()
    return 0


VERB = Verb("panel", "", "draw a folder's links in a browser", _arguments, _panel)
