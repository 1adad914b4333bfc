"""The progress of a first reading."""

from __future__ import annotations

import io

from md_mcp.cli.console import Console
from md_mcp.cli.progress import show_progress


def test_progress_is_shown_on_a_terminal_only() -> None:
    err = io.BytesIO()
    assert show_progress(Console(io.BytesIO(), err)) is None
    show = show_progress(Console(io.BytesIO(), err, err_is_terminal=True))
    assert show is not None
    show(0, 250)
    show(250, 250)
    assert err.getvalue() == b"\rreading notes: 0 of 250\r\x1b[K"
