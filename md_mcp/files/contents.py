"""A bounded cache of the bytes of files, for searches that look into all of them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

from md_mcp.files.reading import FileIdentity

MAX_BYTES = 64 * 1024 * 1024

_OVERHEAD = 500
"""Bytes that an entry takes besides the content, so that empty files count too."""

Content = bytes | str
"""What a file holds in valid UTF-8, or the error code that says why it does not."""


@dataclass(slots=True)
class ContentCache:
    """Contents by device and inode, the least recently used out first."""

    _entries: OrderedDict[tuple[int, int], tuple[FileIdentity, Content]] = field(
        default_factory=OrderedDict
    )
    _bytes: int = 0
    _lock: Lock = field(default_factory=Lock)

    def find(self, identity: FileIdentity) -> Content | None:
        """Return what was read when the file had this identity."""
        key = identity[:2]
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry[0] != identity:
                return None
            self._entries.move_to_end(key)
            return entry[1]

    def store(self, identity: FileIdentity, content: Content, read_ns: int) -> None:
        """Keep `content`, whose reading began at `read_ns` of the system's clock.

        Not if the file changed so shortly before that another change may not show.
        """
        key = identity[:2]
        with self._lock:
            self._remove(key)
            if not identity.is_settled(read_ns):
                return
            self._entries[key] = identity, content
            self._bytes += len(content) + _OVERHEAD
            while self._bytes > MAX_BYTES:
                self._remove(next(iter(self._entries)))

    def _remove(self, key: tuple[int, int]) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= len(entry[1]) + _OVERHEAD
