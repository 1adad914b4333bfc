"""A bounded cache of the bytes of files, for searches that look into all of them."""

from __future__ import annotations

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
    """Contents by the state of the file; those read first are dropped first.

    What a file held earlier stays until then, and is never found again. Uses are not
    counted: a search uses everything, and finding must cost next to nothing.
    """

    _entries: dict[FileIdentity, Content] = field(default_factory=dict)
    _bytes: int = 0
    _lock: Lock = field(default_factory=Lock)

    def find(self, identity: FileIdentity) -> Content | None:
        """Return what was read when the file had this identity."""
        return self._entries.get(identity)

    def store(self, identity: FileIdentity, content: Content, read_ns: int) -> None:
        """Keep `content`, whose reading began at `read_ns` of the system's clock.

        Not if the file changed so shortly before that another change may not show.
        """
        if not identity.is_settled(read_ns):
            return
        with self._lock:
            self._remove(identity)
            self._entries[identity] = content
            self._bytes += len(content) + _OVERHEAD
            while self._bytes > MAX_BYTES:
                self._remove(next(iter(self._entries)))

    def _remove(self, identity: FileIdentity) -> None:
        content = self._entries.pop(identity, None)
        if content is not None:
            self._bytes -= len(content) + _OVERHEAD
