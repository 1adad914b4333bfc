"""All access to the file system: nothing outside this package touches the disk.

`Files.open(roots)` gives the files below some roots; its `read`, `update` and `walk`
are all that the other packages need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from md_mcp.files.change import Change
from md_mcp.files.reading import FileIdentity
from md_mcp.files.snapshot import Snapshot
from md_mcp.files.store import Files

if TYPE_CHECKING:
    from md_mcp.files.ignore import IgnoreRules
    from md_mcp.files.listing import Listing
    from md_mcp.files.walk import FoundFile, Walk

__all__ = [
    "Change",
    "FileIdentity",
    "Files",
    "FoundFile",
    "IgnoreRules",
    "Listing",
    "Snapshot",
    "Walk",
]

_HOMES = {
    "FoundFile": "md_mcp.files.walk",
    "IgnoreRules": "md_mcp.files.ignore",
    "Listing": "md_mcp.files.listing",
    "Walk": "md_mcp.files.walk",
}
"""The module of each name that only some programs need."""


def __getattr__(name: str) -> object:
    """Return a name that is loaded on its first use."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
