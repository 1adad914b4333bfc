"""`Change`: what an update does; planning it, and planning it again on a newer file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from md_mcp.document.model import Document
from md_mcp.errors import (
    ArgumentError,
    ConflictError,
    EditError,
    MdMcpError,
    TooLargeError,
)
from md_mcp.files.reading import MAX_FILE_BYTES, TEXT_CHECKED_BYTES
from md_mcp.files.snapshot import REVISION_DIGITS, Snapshot

if TYPE_CHECKING:  # who only reads needs no verbs
    from md_mcp.document.edit import Edit

Plan: TypeAlias = "Callable[[Document], Edit]"
"""Plans an edit of a document; called again when another part of the file changed."""

_REVISION = re.compile(f"[0-9a-f]{{{REVISION_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class Change:
    """What an update did, or with `dry_run` would do.

    Attributes:
        edit: the edit, planned on what the file held.
        name: the file relative to its root, links resolved.
        revision: the revision of the file with the edit.
        warnings: what of the old file could not be kept, such as its owner.
    """

    edit: Edit
    name: str
    revision: str
    warnings: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the edit changes anything; if not, nothing was written."""
        return self.edit.changed

    @property
    def diff(self) -> str:
        """The unified diff of the edit, "" if it changes nothing."""
        return self.edit.diff(self.name)


class Planned(NamedTuple):
    """A plan that met a change of the file: the text that it depends on."""

    scope_text: str

    @classmethod
    def of(cls, edit: Edit, snapshot: Snapshot) -> Planned:
        """Return what `edit`, planned on `snapshot`, depends on."""
        return cls(edit.scope.of(snapshot.document.text))


def check_revision(snapshot: Snapshot, plan: Plan, expected: str | None) -> None:
    """Refuse a file that is not in the revision that the caller has seen.

    Raises:
        ArgumentError: `expected` is not a revision at all.
        ConflictError: the file has another one; carries what stands in the place of
            the edit now, where it still has one.
    """
    if expected is None:
        return
    if not _REVISION.fullmatch(expected):
        raise ArgumentError(
            "expected_revision",
            f"{expected!a} is not a revision: give the first {REVISION_DIGITS} hex "
            "digits of the SHA-256 of the file's bytes, or leave it out.",
        )
    if expected == snapshot.revision:
        return
    try:
        current = Planned.of(plan(snapshot.document), snapshot).scope_text
    except MdMcpError:  # the place of the edit is gone, or it is no longer possible
        current = None
    raise ConflictError(
        snapshot.file_path,
        revision=snapshot.revision,
        expected=expected,
        current=current,
    )


def plan_on(snapshot: Snapshot, plan: Plan, earlier: Planned | None) -> Edit:
    """Plan an edit; `earlier` says how it was planned on an older state, if it was.

    Raises:
        ConflictError: what the edit depends on has changed since.
        MdMcpError: whatever `plan` raises the first time.
    """
    if earlier is None:
        return plan(snapshot.document)
    try:
        edit = plan(snapshot.document)
    except MdMcpError:
        raise ConflictError(snapshot.file_path, revision=snapshot.revision) from None
    current = Planned.of(edit, snapshot).scope_text
    if current != earlier.scope_text:
        raise ConflictError(
            snapshot.file_path, revision=snapshot.revision, current=current
        )
    return edit


def encode(file_path: str, edit: Edit) -> bytes:
    """Return the bytes of the edited file, which must be readable again.

    Raises:
        EditError: the text holds a lone surrogate, or a NUL where files may not.
        TooLargeError: it is larger than files may be.
    """
    try:
        data = edit.text.encode()
    except UnicodeEncodeError as error:
        raise EditError(
            f"the new text holds a lone surrogate, U+{ord(error.object[error.start]):X}"
            ", which no file can hold. Give text without it."
        ) from None
    if len(data) > MAX_FILE_BYTES:
        raise TooLargeError(file_path, len(data), MAX_FILE_BYTES)
    if b"\0" in data[:TEXT_CHECKED_BYTES]:
        raise EditError(
            f"the edit would put a NUL into the first {TEXT_CHECKED_BYTES} bytes, and "
            "the file would no longer count as text. Leave it out."
        )
    return data
