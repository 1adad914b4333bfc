"""Reading and writing one section of one file."""

from __future__ import annotations

from md_mcp.document import edit
from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.files import Change, Files


def get_section(
    files: Files, file_path: str, path: str, depth: int | None = None
) -> str:
    """Return the exact text of a section, the preamble or the front matter."""
    return files.read(file_path).document.get(path, depth)


def add_section(
    files: Files,
    file_path: str,
    heading: str,
    content: str,
    under: str | None = None,
    before: str | None = None,
    after: str | None = None,
    *,
    expected_revision: str | None = None,
    dry_run: bool = False,
) -> Change:
    """Add a section; see `md_mcp.document.edit.add`."""

    def plan(document: Document) -> Edit:
        return edit.add(document, heading, content, under, before, after)

    return files.update(
        file_path, plan, expected_revision=expected_revision, dry_run=dry_run
    )


def replace_section(
    files: Files,
    file_path: str,
    path: str,
    new_content: str,
    *,
    expected_revision: str | None = None,
    dry_run: bool = False,
) -> Change:
    """Replace the text of a section; see `md_mcp.document.edit.replace`."""

    def plan(document: Document) -> Edit:
        return edit.replace(document, path, new_content)

    return files.update(
        file_path, plan, expected_revision=expected_revision, dry_run=dry_run
    )


def patch_section(files: Files, file_path: str, path: str, new_content: str) -> str:
    """Return the diff of what `replace_section` would write; nothing is written."""
    snapshot = files.read(file_path)
    return edit.patch(snapshot.document, path, new_content, snapshot.name)


def replace_in_section(
    files: Files,
    file_path: str,
    path: str,
    old: str,
    new: str,
    replace_all: bool = False,
    *,
    expected_revision: str | None = None,
    dry_run: bool = False,
) -> Change:
    """Replace a literal text in a section; see `md_mcp.document.edit.replace_in`."""

    def plan(document: Document) -> Edit:
        return edit.replace_in(document, path, old, new, replace_all)

    return files.update(
        file_path, plan, expected_revision=expected_revision, dry_run=dry_run
    )


def delete_section(
    files: Files,
    file_path: str,
    path: str,
    include_children: bool = True,
    *,
    expected_revision: str | None = None,
    dry_run: bool = False,
) -> Change:
    """Delete a section; see `md_mcp.document.edit.delete`."""

    def plan(document: Document) -> Edit:
        return edit.delete(document, path, include_children)

    return files.update(
        file_path, plan, expected_revision=expected_revision, dry_run=dry_run
    )
