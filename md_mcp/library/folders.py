"""The folders of notes that are in memory: one link graph each, for all callers.

They are cached values, not state: each call brings its folder up to date first. The
least recently used are forgotten.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from md_mcp.files import Files
from md_mcp.library.links import LinkGraph, Progress
from md_mcp.library.notes import NoteIndex

MAX_FOLDERS = 8


@dataclass(frozen=True, slots=True)
class NoteFolder:
    """What is known of one folder of notes. Hold `lock` while it is used."""

    links: LinkGraph
    index: NoteIndex = field(default_factory=NoteIndex)
    lock: Lock = field(default_factory=Lock)


_folders: OrderedDict[tuple[str, ...], NoteFolder] = OrderedDict()
_lock = Lock()


@contextmanager
def note_folder(
    files: Files, directory: str, progress: Progress | None = None
) -> Iterator[NoteFolder]:
    """Give the folder, up to date; others who want the same one wait.

    Raises:
        FileError: `directory` is no folder below the roots, or unreadable.
    """
    folder = _find(files, directory)
    with folder.lock:
        folder.links.update(files, progress)
        yield folder


def _find(files: Files, directory: str) -> NoteFolder:
    # Callers with other roots may see other files below the same folder.
    key = (files.real_path(directory), *files.roots.paths)
    with _lock:
        folder = _folders.pop(key, None) or NoteFolder(LinkGraph(key[0]))
        _folders[key] = folder
        while len(_folders) > MAX_FOLDERS:
            _folders.popitem(last=False)
    return folder
