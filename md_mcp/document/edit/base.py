"""`Edit`, what every verb returns, and the check that every plan passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from md_mcp.document.diff import unified_diff
from md_mcp.document.edit.guard import Guarded, apply_guarded
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice, apply_splices
from md_mcp.document.text import Span
from md_mcp.errors import StructureError


@dataclass(frozen=True)
class Edit:
    """What a verb would do to a document, checked; saving it is somebody else's work.

    Attributes:
        document: the document as it was.
        splices: replacements over `document.text`, sorted; empty when nothing changes.
        summary: one sentence for people.
        path: full path of the section that the edit is about; of a new section the
            heading.
        scope: span in `document` on which the plan depends. On another document whose
            text there is equal, the same verb means the same edit.
    """

    document: Document
    splices: tuple[Splice, ...]
    summary: str
    path: str
    scope: Span

    @cached_property
    def text(self) -> str:
        """The text after the edit."""
        return apply_splices(self.document.text, self.splices)

    @cached_property
    def result(self) -> Document:
        """The document after the edit."""
        return Document(self.text) if self.changed else self.document

    @property
    def changed(self) -> bool:
        """Whether the edit changes anything."""
        return bool(self.splices)

    def diff(self, name: str) -> str:
        """Return the unified diff, with `name` in its headers; "" without a change."""
        return unified_diff(self.document.text, self.text, name) if self.changed else ""


def guard_with_seam(
    document: Document, splices: Sequence[Splice], edited: Span
) -> tuple[Guarded, tuple[Splice, ...]]:
    """Check a plan; if it breaks the structure, once more with a blank line behind."""
    try:
        return apply_guarded(document, splices, edited), tuple(splices)
    except StructureError:
        if edited.end == len(document.text):
            raise
        seam = Splice(Span(edited.end, edited.end), document.line_ending)
        separated = (*splices, seam)
        try:
            return apply_guarded(document, separated, edited), separated
        except StructureError:
            pass
        raise


def hull(splices: Sequence[Splice]) -> Span:
    """Return the span from the first to the last of sorted splices."""
    return Span(splices[0].span.start, splices[-1].span.end)
