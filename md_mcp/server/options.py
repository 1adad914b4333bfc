"""What a server is started with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The settings of one server process."""

    roots: tuple[str, ...] = ()
    """The folders that may be read and written; none: all that the user may."""

    toolsets: tuple[str, ...] = ("edit", "read", "refactor")
    """Names of the toolsets to offer; `all` stands for every one."""

    read_only: bool = False
    """Offer no tool that writes."""

    break_hardlinks: bool = False
    """Let an edit give a hard-linked name a file of its own."""
