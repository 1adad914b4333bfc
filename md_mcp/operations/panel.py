"""What the panel shows: the link graph of a folder, and one of its notes."""

from __future__ import annotations

from typing import Any

from md_mcp.files import Files
from md_mcp.library import drawing
from md_mcp.library.folders import note_folder
from md_mcp.library.links import Progress


def draw_links(
    files: Files, directory: str, progress: Progress | None = None
) -> dict[str, Any]:
    """Return the nodes and edges of a folder; see `md_mcp.library.drawing`.

    `progress` is told how the first reading gets on.

    Raises:
        FileError: `directory` is no folder below the roots, or unreadable.
    """
    with note_folder(files, directory, progress) as folder:
        return drawing.draw_graph(files, folder.links)


def describe_note(files: Files, directory: str, path: str) -> dict[str, Any]:
    """Return lines, tokens, sections and links of one note of a folder.

    Raises:
        NoteNotFoundError: the folder has no such note.
        FileError: the folder or the note cannot be read.
    """
    with note_folder(files, directory) as folder:
        return drawing.describe_note(files, folder.links, path)
