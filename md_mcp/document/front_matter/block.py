"""Where a front matter block stands, and whether what stands there is one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from md_mcp.document.front_matter.limits import MAX_BYTES
from md_mcp.document.front_matter.plain import is_plain_mapping
from md_mcp.document.front_matter.toml_values import parse_toml
from md_mcp.document.front_matter.yaml_nodes import check_unique_keys, compose_mapping
from md_mcp.document.front_matter.yaml_source import masked_source
from md_mcp.document.text import (
    BLANK,
    BOM,
    Span,
    is_blank,
    line_separator,
    split_lines,
)
from md_mcp.errors import FrontMatterError, FrontMatterLimitError

FrontMatterKind = Literal["yaml", "toml"]

_KINDS: dict[str, FrontMatterKind] = {"---": "yaml", "+++": "toml"}
_DELIMITERS = {kind: delimiter for delimiter, kind in _KINDS.items()}

_ENTRY = re.compile(
    r"(?:[^\s:#\-?\[\]{},&*!|>'\"%@`][^\s:]*|\"[^\"]*\"|'[^']*')[ \t]*:(?=\s|\Z)"
)
"""How a line starts that looks like `key:`."""

_CONTINUATION = re.compile(r"[ \t#\]}]|-(?=\s|\Z)")
"""How a line starts that continues an entry: indented, a list item, a comment."""

_TOML_ENTRY = re.compile(r"\[|[A-Za-z0-9_\-.\"']+[ \t]*=")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A front matter block.

    Attributes:
        kind: "yaml" or "toml".
        span: from the opening delimiter line to the closing one, its ending included.
        inner: the lines between the two.
        checked: False for a template whose lines look like entries, but which is no
            YAML even with its actions replaced.
    """

    kind: FrontMatterKind
    span: Span
    inner: Span
    checked: bool = True


class _Candidate(NamedTuple):
    """What stands between two delimiter lines at the start of a text."""

    kind: FrontMatterKind
    span: Span
    inner: Span


def find_front_matter(text: str) -> FrontMatter | None:
    """Return the front matter block that `text`, a whole document, starts with."""
    candidate = _find_candidate(text)
    if candidate is None:
        return None
    block = candidate.inner.of(text)
    fault = _find_fault(block, candidate.kind)
    if fault is None:
        return FrontMatter(*candidate)
    if _is_unchecked(block, candidate.kind, fault):
        return FrontMatter(*candidate, checked=False)
    return None


def check_front_matter(inner: str, kind: FrontMatterKind, first_line: int = 2) -> None:
    """Check that lines for between the delimiters form one mapping with unique keys.

    `first_line` is the 1-based number that the first of them has in the file.

    Raises:
        FrontMatterError: they do not; carries the line.
    """
    _check_size(inner, first_line)
    _check_delimiter(inner, kind, first_line)
    if kind == "toml":
        parse_toml(inner, first_line)
    else:
        check_unique_keys(compose_mapping(inner, first_line))


def explain_front_matter(text: str) -> FrontMatterError | None:
    """Return why what looks like front matter at the start of `text` is none.

    None if it is front matter, or if nothing there looks like it.
    """
    candidate = _find_candidate(text)
    if candidate is None:
        return _explain_delimiters(text)
    block = candidate.inner.of(text)
    content = _first_content(block)
    if content and not _looks_like_entry(content, candidate.kind):
        return None
    fault = _find_fault(block, candidate.kind)
    if fault is None or _is_unchecked(block, candidate.kind, fault):
        return None
    return fault


def _find_candidate(text: str) -> _Candidate | None:
    start = len(BOM) if text.startswith(BOM) else 0
    kind = _KINDS.get(text[start : start + 3])
    if kind is None:
        return None
    opener, closer = _delimiter_lines(kind, line_separator(text))
    first = opener.match(text, start)
    last = closer.search(text, first.end() - 1) if first else None
    if first is None or last is None:
        return None
    inner = Span(first.end(), last.start() + 1)
    return _Candidate(kind, Span(start, last.end()), inner)


@cache
def _delimiter_lines(
    kind: FrontMatterKind, separator: str
) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what matches an opener, and a closer with the line separator before it."""
    ending = r"\r?\n" if separator == "\n" else separator
    delimiter = re.escape(_DELIMITERS[kind])
    return (
        re.compile(rf"{delimiter}{ending}"),
        re.compile(rf"{separator}{delimiter}(?:{ending}|\Z)"),
    )


def _find_fault(block: str, kind: FrontMatterKind) -> FrontMatterError | None:
    """Return why the block at the start of a file forms no mapping, None if it does."""
    try:
        _check_size(block, 2)
        if kind == "toml":
            parse_toml(block, 2)
        elif not is_plain_mapping(block):
            compose_mapping(block, 2)
    except FrontMatterError as error:
        return error
    return None


def _is_unchecked(block: str, kind: FrontMatterKind, fault: FrontMatterError) -> bool:
    """Return whether a block with this fault is front matter all the same."""
    if kind == "toml" or isinstance(fault, FrontMatterLimitError):
        return False
    return _looks_like_template(block)


def _check_size(block: str, first_line: int) -> None:
    try:
        size = len(block.encode())
    except UnicodeEncodeError as error:
        line = first_line + block.count(line_separator(block), 0, error.start)
        raise FrontMatterError(
            f"line {line} holds half of a surrogate pair, which is no character. "
            "Write the character itself.",
            line=line,
        ) from None
    if size > MAX_BYTES:
        raise FrontMatterLimitError(
            f"the lines between the delimiters are {size} bytes; front matter has at "
            f"most {MAX_BYTES}. Move some of it into the text.",
            line=first_line,
        )


def _check_delimiter(inner: str, kind: FrontMatterKind, first_line: int) -> None:
    separator = line_separator(inner)
    _, closer = _delimiter_lines(kind, separator)
    found = closer.search(separator + inner)
    if found is not None:
        line = first_line + inner.count(separator, 0, found.start())
        raise FrontMatterError(
            f"line {line} is {_DELIMITERS[kind]}, which would end the front matter. "
            "Remove the line, or indent it if it is text.",
            line=line,
        )


def _looks_like_template(block: str) -> bool:
    """Return whether each line is an action, or looks like an entry or continues one.

    Lines of nothing but actions are left out of the masked source; so only those that
    are left have to look like something.
    """
    if "{{" not in block:
        return False
    source = masked_source(block, 2)
    follows_entry = False
    for line in split_lines(source.text if source else block, line_separator(block)):
        if _ENTRY.match(line):
            follows_entry = True
        elif not is_blank(line) and not (follows_entry and _CONTINUATION.match(line)):
            return False
    return follows_entry or source is not None


def _first_content(block: str) -> str:
    """Return the first line that is neither blank nor a comment, or ""."""
    for line in split_lines(block, line_separator(block)):
        content = line.strip(BLANK + "\r\n")
        if content and not content.startswith("#"):
            return line
    return ""


def _looks_like_entry(line: str, kind: FrontMatterKind) -> bool:
    entry = _ENTRY if kind == "yaml" else _TOML_ENTRY
    return line.lstrip(BLANK).startswith("{{") or entry.match(line) is not None


def _explain_delimiters(text: str) -> FrontMatterError | None:
    """Return why a text that starts like front matter has no block of it."""
    start = len(BOM) if text.startswith(BOM) else 0
    separator = line_separator(text)
    opener, _, rest = text[start : start + MAX_BYTES].partition(separator)
    delimiter = opener.strip(BLANK + "\r")
    kind = _KINDS.get(delimiter)
    if kind is None or not _looks_like_entry(_first_content(rest), kind):
        return None
    if opener.removesuffix("\r") != delimiter:
        return FrontMatterError(
            f"line 1 looks like the start of front matter, but has blanks beside "
            f"{delimiter}. Remove them.",
            line=1,
        )
    return FrontMatterError(
        f"line 1 looks like the start of front matter, but no later line is exactly "
        f"{delimiter}. Add that line after the last entry.",
        line=1,
    )
