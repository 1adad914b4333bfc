"""Remove the temporary files that killed processes left behind."""

from __future__ import annotations

import contextlib
import stat
import time

from md_mcp.files.folder import Folder
from md_mcp.files.names import is_litter

MAX_AGE = 3600.0
"""Seconds after which a temporary file is litter whoever made it."""


def sweep(folder: Folder, *, exclusive: bool) -> None:
    """Remove litter from `folder`, a readable one; what cannot be removed stays.

    `exclusive` says that no other writer can be at work there, since each would hold
    the lock: then all temporary files are litter, else only the old ones.
    """
    with folder.scan() as entries:
        names = [entry.name for entry in entries if is_litter(entry.name)]
    for name in names:
        with contextlib.suppress(OSError):
            status = folder.stat(name)
            aged = time.time() - status.st_ctime > MAX_AGE
            if stat.S_ISREG(status.st_mode) and (exclusive or aged):
                folder.unlink(name)
