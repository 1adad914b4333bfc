"""Remove the temporary files that killed processes left behind."""

from __future__ import annotations

import contextlib
import stat
import time
from dataclasses import dataclass, field

from md_mcp.files.folder import Folder
from md_mcp.files.names import is_litter

MAX_AGE = 3600.0
"""Seconds after which a temporary file is litter whoever made it."""


PAUSE = 60.0
"""Seconds for which a directory counts as clean; listing a large one takes time."""


@dataclass(slots=True)
class Sweeper:
    """Sweeps the directories that are written to, each at most once a minute."""

    _swept: dict[tuple[int, int], float] = field(default_factory=dict)

    def sweep(self, folder: Folder, *, exclusive: bool) -> None:
        """Remove litter from `folder` unless that was done shortly before."""
        with contextlib.suppress(OSError):  # a disk with faults must not stop an edit
            status = folder.stat(".")
            key, now = (status.st_dev, status.st_ino), time.monotonic()
            if now - self._swept.get(key, -PAUSE) >= PAUSE:
                self._swept[key] = now
                sweep(folder, exclusive=exclusive)


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
