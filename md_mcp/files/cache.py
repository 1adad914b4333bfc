"""A bounded cache of documents, valid as long as the file's identity stays the same."""

from __future__ import annotations

import sys
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from md_mcp.document.model import Document
from md_mcp.files.reading import FileIdentity

MAX_ENTRIES = 256
MAX_TEXT_BYTES = 64 * 1024 * 1024
"""Memory of the texts, as Python stores them: one to four bytes a character."""


class Cached(NamedTuple):
    """A document, the digest of its bytes, and the state of the file it was read from.

    `trusted` is false when the file had changed so shortly before it was read that
    another change may not show in the identity; then the bytes must be compared.
    """

    identity: FileIdentity
    document: Document
    digest: bytes
    trusted: bool


@dataclass(slots=True)
class DocumentCache:
    """Documents by device and inode, the least recently used out first.

    Documents never change, so that all readers of a file share one.
    """

    _entries: OrderedDict[tuple[int, int], Cached] = field(default_factory=OrderedDict)
    _text_bytes: int = 0
    _lock: Lock = field(default_factory=Lock)

    def find(self, identity: FileIdentity) -> Cached | None:
        """Return what was read when the file had this identity."""
        key = identity.device, identity.inode
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.identity != identity:
                return None
            self._entries.move_to_end(key)
            return entry

    def find_equal(self, identity: FileIdentity, digest: bytes) -> Document | None:
        """Return the document last read from this file if its bytes were the same."""
        with self._lock:
            entry = self._entries.get((identity.device, identity.inode))
        return entry.document if entry and entry.digest == digest else None

    def store(
        self, identity: FileIdentity, document: Document, digest: bytes, read_ns: int
    ) -> None:
        """Keep `document` unless it is too large.

        Its reading began at `read_ns` of the system's clock, in nanoseconds.
        """
        trusted = identity.is_settled(read_ns)
        key = identity.device, identity.inode
        with self._lock:
            self._remove(key)
            if sys.getsizeof(document.text) > MAX_TEXT_BYTES:
                return
            self._entries[key] = Cached(identity, document, digest, trusted)
            self._text_bytes += sys.getsizeof(document.text)
            while self._is_full():
                self._remove(next(iter(self._entries)))

    def _is_full(self) -> bool:
        return len(self._entries) > MAX_ENTRIES or self._text_bytes > MAX_TEXT_BYTES

    def _remove(self, key: tuple[int, int]) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._text_bytes -= sys.getsizeof(entry.document.text)
