"""How far the first reading of a folder has got, shown on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from md_mcp.cli.console import Console

if TYPE_CHECKING:
    from md_mcp.operations.read import Progress


def show_progress(console: Console) -> Progress | None:
    """Return what shows the progress of a first reading, on a terminal only."""
    if not console.err_is_terminal:
        return None

    def show(done: int, total: int) -> None:
        # A line that overwrites itself, and is gone at the end.
        text = f"\rreading notes: {done:,} of {total:,}" if done < total else "\r\x1b[K"
        console.err.write(text.encode())
        console.err.flush()

    return show
