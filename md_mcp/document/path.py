r"""Dot-paths: the grammar of what names a section, and how names are compared.

    path    = segment *( "." segment )
    segment = text [ "[" k "]" ]
    text    = *( character / "\." / "\\" / "\[" )

A backslash before anything else is itself. `[k]` means the k-th of siblings that
compare equal if there are so many; otherwise it is literal text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

FRONT_MATTER = "frontmatter"
"""The address of the front matter block, in any case."""

PREAMBLE = "(preamble)"
"""The address of what stands before the first heading."""

_TOKEN = re.compile(r"\\([.\\\[])|(\.)")
_ORDINAL = re.compile(r"\[([1-9][0-9]{0,8})\]\Z")


def comparison_key(text: str) -> str:
    """Return `text` as headings are compared: NFC, case folded, single blanks."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).casefold()
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.casefold().split())


@dataclass(frozen=True, slots=True)
class Segment:
    """One step of a path.

    Attributes:
        text: the whole segment unescaped, a trailing `[k]` included.
        name: the text without a trailing unescaped `[k]`; equal to `text` without one.
        ordinal: k, None when there is no `[k]`.
    """

    text: str
    name: str
    ordinal: int | None


def parse_path(path: str) -> tuple[Segment, ...]:
    """Return the segments of `path`; every string is one, "" has one empty segment."""
    return tuple(_segment(source) for source in _split_segments(path))


def _split_segments(path: str) -> Iterator[str]:
    start = 0
    for token in _TOKEN.finditer(path):
        if token[2]:
            yield path[start : token.start()]
            start = token.end()
    yield path[start:]


def _segment(source: str) -> Segment:
    text = unescape(source)
    ordinal = _ORDINAL.search(source)
    if ordinal is None or _is_escaped(source, ordinal.start()):
        return Segment(text, text, None)
    return Segment(text, unescape(source[: ordinal.start()]), int(ordinal[1]))


def unescape(source: str) -> str:
    """Return a segment, or a whole path, with its escapes resolved."""
    return _TOKEN.sub(lambda token: token[1] or token[0], source)


def _is_escaped(source: str, offset: int) -> bool:
    return any(
        token.start() < offset < token.end() for token in _TOKEN.finditer(source)
    )


def format_segment(text: str, ordinal: int = 1) -> str:
    """Return the segment for a heading text, the `ordinal`-th of equal siblings."""
    escaped = text.replace("\\", "\\\\").replace(".", "\\.")
    if ordinal > 1:
        return f"{escaped}[{ordinal}]"
    if _ORDINAL.search(text):
        opening = escaped.rindex("[")
        return f"{escaped[:opening]}\\{escaped[opening:]}"
    return escaped


def is_reserved(path: str, name: str) -> bool:
    """Return whether `path` is the reserved address `name`, such as "frontmatter"."""
    return comparison_key(path) == name
