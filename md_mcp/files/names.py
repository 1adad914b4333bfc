"""Paths as text: what may be a path at all, its components, and protected names.

Nothing here touches the disk, and nothing here is a permission: a path that passes is
still walked component by component from an open root.
"""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass

from md_mcp.errors import BadPathError

MAX_PATH_BYTES = 4096
"""As Linux has it (PATH_MAX); no system allows much more."""

PROTECTED = frozenset({".git", ".hg", ".svn"})

_SHORT_GIT = re.compile(r"git~\d+")
"""The short names that Windows gives to `.git`."""

_LITTER = re.compile(r"\.md-mcp-[0-9a-f]{16}\.tmp")


@dataclass(frozen=True, slots=True)
class FilePath:
    """A path cut into components, nothing resolved.

    `anchor` is "" for a relative path, else what stands before the first component,
    such as "/". Components may be "." and ".."; a trailing slash counts as a ".".
    """

    given: str
    anchor: str
    parts: tuple[str, ...]


def parse_path(path: str | os.PathLike[str]) -> FilePath:
    """Return the components of `path`.

    Raises:
        BadPathError: it is empty or too long, or holds a NUL or a lone surrogate.
    """
    given = os.fspath(path)
    _check_text(given)
    anchor, rest = _split_anchor(given)
    parts = _split(rest)
    directory = parts and not parts[-1]
    kept = [part for part in parts if part not in {"", "."}]
    if directory or parts[-1:] == ["."] or not kept:
        kept.append(".")
    return FilePath(given, anchor, tuple(kept))


def split_path(path: str) -> tuple[str, tuple[str, ...]]:
    """Return anchor and components of a path that the system gave, as they are.

    Such paths, the texts of symbolic links among them, may hold any bytes.
    """
    anchor, rest = _split_anchor(path)
    return anchor, tuple(_split(rest))


def protected_component(parts: tuple[str, ...]) -> str | None:
    """Return the first of `parts` that belongs to a version control system."""
    return next((part for part in parts if is_protected(part)), None)


def is_protected(name: str) -> bool:
    """Return whether some file system takes `name` for `.git`, `.hg` or `.svn`.

    Case is ignored, and so are the characters that macOS ignores in names, the dots
    and spaces that Windows drops at the end, and a stream name after a colon.
    """
    visible = name
    if not name.isascii():
        visible = "".join(c for c in name if unicodedata.category(c) != "Cf")
    visible = visible.partition(":")[0].rstrip(". ").casefold()
    return visible in PROTECTED or _SHORT_GIT.fullmatch(visible) is not None


def litter_name(token: bytes) -> str:
    """Return the name of a temporary file; `token` is eight random bytes.

    It does not derive from the name of the file, which may be as long as names get.
    """
    return f".md-mcp-{token.hex()}.tmp"


def is_litter(name: str) -> bool:
    """Return whether `name` is one that `litter_name` gives."""
    return _LITTER.fullmatch(name) is not None


def _check_text(path: str) -> None:
    if not path:
        raise BadPathError(path, "it is empty")
    if "\0" in path:
        raise BadPathError(path, "it holds a NUL character")
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        raise BadPathError(path, "it holds bytes or surrogates, not text") from None
    if size > MAX_PATH_BYTES:
        raise BadPathError(path, f"it is longer than {MAX_PATH_BYTES} bytes")


def _split_anchor(path: str) -> tuple[str, str]:
    drive, rest = os.path.splitdrive(path)
    separators = os.sep + (os.altsep or "")
    stripped = rest.lstrip(separators)
    if drive or stripped != rest:
        return drive + os.sep, stripped
    return "", rest


def _split(path: str) -> list[str]:
    if os.altsep:
        path = path.replace(os.altsep, os.sep)
    return path.split(os.sep) if path else []  # noqa: PTH206 - Path drops parts
