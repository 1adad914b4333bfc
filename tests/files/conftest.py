"""An allowed folder, a forbidden one beside it, and plans that need no parser."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span
from md_mcp.errors import TextNotFoundError
from md_mcp.files import Files
from md_mcp.files import exchange as exchange_module

Plan = Callable[[Document], Edit]

GUIDE = b"# Guide\n\n## Alpha\n\none\n\n## Beta\n\ntwo\n"
SECRET = b"# Outside\n\nSECRET\n"


def section_around(text: str, offset: int) -> Span:
    """Return the span from the heading line before `offset` to the next one."""
    start = text.rfind("\n## ", 0, offset) + 1
    end = text.find("\n## ", offset) + 1
    return Span(start, end or len(text))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The allowed folder, with `a.md` in it."""
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "a.md").write_bytes(GUIDE)
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """The folder beside it, with `s.md` in it."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "s.md").write_bytes(SECRET)
    return folder


@pytest.fixture
def files(root: Path) -> Files:
    return Files.open([root])


@pytest.fixture
def swap() -> Callable[[str, str], Plan]:
    """Make plans that replace one text by another and depend on its section."""

    def make(old: str, new: str) -> Plan:
        def plan(document: Document) -> Edit:
            at = document.text.find(old)
            if at < 0:
                raise TextNotFoundError("Guide", old)
            splices = (Splice(Span(at, at + len(old)), new),)
            scope = section_around(document.text, at)
            return Edit(document, splices if old != new else (), "swap", "Guide", scope)

        return plan

    return make


@pytest.fixture
def no_exchange(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Make the call that exchanges names fail with an error number."""

    def refuse(number: int = errno.EINVAL) -> None:
        def call(fd: int, one: bytes, other: bytes) -> int:
            return number

        monkeypatch.setattr(exchange_module, "_renameat2", lambda: call)

    return refuse


@pytest.fixture
def listing(root: Path) -> Callable[[], list[str]]:
    """Return the names in the root, sorted."""
    return lambda: sorted(path.name for path in root.iterdir())
