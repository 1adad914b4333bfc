"""Edit FILE on a system that has none of the calls that only some systems have."""

from __future__ import annotations

import os
import sys
from pathlib import Path

for name in (
    *("O_NOFOLLOW", "O_PATH", "O_DIRECTORY", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"),
    *("fchown", "fchmod", "listxattr", "getxattr", "setxattr", "removexattr"),
):
    if hasattr(os, name):
        delattr(os, name)
os.supports_dir_fd = set()
os.supports_fd = set()
os.supports_effective_ids = set()
sys.modules["fcntl"] = None  # type: ignore[assignment]

from md_mcp.document.edit import Edit  # noqa: E402
from md_mcp.document.model import Document  # noqa: E402
from md_mcp.document.splice import Splice  # noqa: E402
from md_mcp.document.text import Span  # noqa: E402
from md_mcp.errors import OutsideRootError  # noqa: E402
from md_mcp.files import Files  # noqa: E402


def plan(document: Document) -> Edit:
    at = document.text.index("one")
    splices = (Splice(Span(at, at + 3), "three"),)
    return Edit(document, splices, "edit", "Alpha", Span(0, len(document.text)))


file = Path(sys.argv[1])
files = Files.open([file.parent])
print([found.path for found in files.walk(file.parent, "**/*.md")])
print(files.update(file, plan).warnings, files.read(file).name)
try:
    files.read(file.parent / "out.md")
except OutsideRootError:
    print("refused")
