"""All access to the file system: nothing outside this package touches the disk.

`Files.open(roots)` gives the files below some roots; its `read`, `update` and `walk`
are all that the other packages need.
"""

from md_mcp.files.change import Change
from md_mcp.files.ignore import IgnoreRules
from md_mcp.files.listing import Listing
from md_mcp.files.reading import FileIdentity
from md_mcp.files.snapshot import Snapshot
from md_mcp.files.store import Files
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
