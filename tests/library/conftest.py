"""A folder of notes to ask about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from md_mcp.files import Files
from md_mcp.library.links import LinkGraph

Write = Callable[[Mapping[str, str]], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "notes"
    path.mkdir()
    return path


@pytest.fixture
def write(folder: Path) -> Write:
    """Write notes by path; an empty text deletes one."""

    def write_all(notes: Mapping[str, str]) -> None:
        for name, text in notes.items():
            path = folder / name
            if not text:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())

    return write_all


@pytest.fixture
def files(folder: Path) -> Files:
    return Files.open([folder])


@pytest.fixture
def links(folder: Path) -> LinkGraph:
    return LinkGraph(str(folder))
