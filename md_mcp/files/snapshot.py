"""`Snapshot`: a document with the state of its file, read through the cache."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from hashlib import sha256

from md_mcp.document.model import Document
from md_mcp.files.cache import DocumentCache
from md_mcp.files.reading import (
    FileIdentity,
    FileState,
    check_regular,
    check_text,
    read_place,
)
from md_mcp.files.resolve import Place
from md_mcp.files.roots import Roots

REVISION_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A file as it was read: its document and what to call it.

    Attributes:
        document: shared by all who read this state of the file.
        name: the file relative to its root, links resolved, for diffs and display.
        file_path: the path as it was given.
        revision: the first 12 hex digits of the SHA-256 of the file's bytes.
        identity: tells this state of the file from others without reading it.
    """

    document: Document
    name: str
    file_path: str
    revision: str
    identity: FileIdentity


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads places into snapshots and remembers the documents."""

    roots: Roots
    cache: DocumentCache = field(default_factory=DocumentCache)

    def read(self, place: Place) -> Snapshot:
        """Return the document at `place`; unread when its identity is known."""
        check_regular(place.given, place.status.st_mode)
        identity = FileIdentity.of(place.status)
        cached = self.cache.find(identity)
        if cached is None or not cached.trusted:
            return self.load(place)[1]
        return self._snapshot(place, cached.document, cached.digest, identity)

    def load(self, place: Place) -> tuple[FileState, Snapshot]:
        """Read the file; take its document from the cache if the bytes are known."""
        read_ns = time.time_ns()
        state = read_place(place)
        identity = FileIdentity.of(state.status)
        digest = sha256(state.data).digest()
        document = self.cache.find_equal(identity, digest)
        if document is None:
            check_text(place.given, state.data)
            document = Document.from_bytes(state.data, place.given)
        self.cache.store(identity, document, digest, read_ns)
        return state, self._snapshot(place, document, digest, identity)

    def _snapshot(
        self, place: Place, document: Document, digest: bytes, identity: FileIdentity
    ) -> Snapshot:
        name = self.roots.display_name(place.root, place.parts)
        return Snapshot(document, name, place.given, revision_of(digest), identity)


def revision_of(digest: bytes) -> str:
    """Return the revision that the SHA-256 digest of a file's bytes gives."""
    return digest.hex()[:REVISION_DIGITS]
