"""Start a server from its options, and see that it ends with an exit code."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Iterator, Sequence

from md_mcp.files import Files
from md_mcp.server.options import ServerOptions
from md_mcp.server.results import scrub
from md_mcp.server.stdio import claim_stdio
from md_mcp.server.tools import select_tools

_MAX_ROOTS_LENGTH = 500
"""Characters of `instructions` for the roots."""

_ADVICE = (
    "md-mcp edits sections of Markdown files; every byte outside the edit stays as it "
    "is.\n"
    "- Do not read or write whole files. Find the place first: search_sections, or "
    "get_outline, else get_index (depth=1 in large files); then get_section with the "
    "path found. In a folder: find_notes, search_files.\n"
    "- Small change: replace_in_section with the exact old text. Rewriting a section: "
    "replace_section, previewed by patch_section. New section: add_section.\n"
    '- A path is heading texts joined by dots, "Guide.Install"; a dot inside a heading '
    'is "\\."; "frontmatter" is the front matter. Copy paths from results.\n'
    "- expected_revision (first 12 hex digits of the SHA-256 of the file) refuses the "
    'edit if the file has changed since; the answer is then "ok <new revision>".\n'
    "- An error begins with a code and names the next step."
)


def serve(options: ServerOptions) -> int:
    """Serve over standard input and output; return the exit code when it has ended."""
    _leave_on_signals()
    tools = select_tools(options.toolsets, read_only=options.read_only)
    files = Files.open(
        options.roots,
        read_only=options.read_only,
        break_hardlinks=options.break_hardlinks,
    )
    roots = files.roots.paths if files.roots.restricted else ()
    instructions = write_instructions(roots, read_only=options.read_only)
    with claim_stdio() as wire:
        for warning in _warnings(files):
            print(f"md-mcp: {warning}", file=sys.stderr)
        _import_sdk()
        import anyio

        from md_mcp.server.session import serve_wire

        anyio.run(serve_wire, wire, tools, instructions, files)
    return 0


def _warnings(files: Files) -> Iterator[str]:
    """Yield what the person who starts the server should know of its roots."""
    for problem in files.roots.problems:
        yield f"{problem.code}: {problem}"
    if not files.roots.restricted:
        yield "no --allow-root is given, so every file may be read and written"


def write_instructions(roots: Sequence[str], *, read_only: bool) -> str:
    """Return what a model is told once: where it may work, and the cheap way to."""
    limits = f"Allowed folders: {_list_roots(roots)}." if roots else "No folder limits."
    state = " Read-only: no tool writes." if read_only else ""
    return scrub(f"{limits}{state}\n{_ADVICE}")


def _list_roots(roots: Sequence[str]) -> str:
    shown = list(roots)
    while len(shown) > 1 and sum(map(len, shown)) > _MAX_ROOTS_LENGTH:
        shown.pop()
    more = f" and {len(roots) - len(shown)} more" if len(shown) < len(roots) else ""
    return ", ".join(root[:_MAX_ROOTS_LENGTH] for root in shown) + more


def _leave_on_signals() -> None:
    """End at once while nothing has begun; the session has a better way later."""

    def leave(number: int, frame: object) -> None:
        raise SystemExit(0)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, leave)


def _import_sdk() -> None:
    """Load the SDK without collecting garbage between its thousands of classes.

    That is a sixth faster, and freezing them spares later collections the same work.
    """
    gc.disable()
    import md_mcp.server.session  # noqa: F401 - loaded here for its cost

    gc.freeze()
    gc.enable()
