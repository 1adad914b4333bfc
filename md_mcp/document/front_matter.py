"""Front matter: the metadata block at the very start of a file.

YAML stands between two lines that are exactly `---`, TOML between two that are exactly
`+++`; the first such line closes. What is between must form one mapping, else the
whole is ordinary Markdown. YAML is composed to nodes and never constructed or dumped,
so a block is recognised and checked without a value being changed.

A block with template actions is judged with the actions masked; where even that is no
YAML, but every line looks like an entry, it is front matter that cannot be checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from md_mcp.document.template import TemplateActions
from md_mcp.document.text import BOM, Span, line_separator
from md_mcp.errors import FrontMatterError

FrontMatterKind = Literal["yaml", "toml"]

MAX_BYTES = 64 * 1024
"""Bytes between the delimiters beyond which a block is not front matter."""

_DELIMITERS: dict[str, FrontMatterKind] = {"---": "yaml", "+++": "toml"}

# Entries and list items whose plain or simply quoted values hold nothing that YAML
# could read as structure. Such lines compose to a mapping; a property test compares.
_BEYOND_ASCII = (  # printable in YAML, no blank or line break, no byte order mark
    r"\u00a1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
)
_PLAIN_VALUE = (
    rf"(?:(?:[A-Za-z0-9_/({_BEYOND_ASCII}]|-(?=[0-9A-Za-z]))"
    rf"(?:[A-Za-z0-9_ ./,()+=@%;!?'\"*~&{_BEYOND_ASCII}-]|:(?=[A-Za-z0-9/]))*"
    rf"|\"[ !#-\[\]-~{_BEYOND_ASCII}]*\" *"
    rf"|'[ -&(-~{_BEYOND_ASCII}]*' *)"
)
_KEY = r"(?:[A-Za-z_][A-Za-z0-9_.-]{0,99}|'[A-Za-z0-9_.@/ -]{1,99}')"
_ITEMS = rf"(?:(?:- {_PLAIN_VALUE}\n)+|(?:  - {_PLAIN_VALUE}\n)+)"
_SURELY_A_MAPPING = re.compile(rf"(?:{_KEY}:(?: {_PLAIN_VALUE}\n| *\n{_ITEMS}?))+")

_LOOKS_LIKE_AN_ENTRY = re.compile(
    r"[ \t]*(?:[A-Za-z_][\w.-]*|\"[^\"]*\"|'[^']*')[ \t]*:(?:[ \t]|\Z)"
)
_CONTINUES_AN_ENTRY = re.compile(r"[ \t]|-(?:[ \t]|\Z)|#")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A front matter block.

    Attributes:
        kind: "yaml" or "toml".
        span: both delimiter lines and what is between, last ending included.
        inner: the lines between the delimiters.
        checked: False for a block with template actions that is no YAML even with the
            actions masked.
    """

    kind: FrontMatterKind
    span: Span
    inner: Span
    checked: bool = True


def find_front_matter(text: str) -> FrontMatter | None:
    """Return the front matter block of a document, if it starts with one."""
    block = _find_block(text)
    if block is None:
        return None
    kind, span, inner = block
    source = normal_lines(inner.of(text))
    if kind == "yaml" and _SURELY_A_MAPPING.fullmatch(source):
        in_limits = len(source) <= MAX_BYTES
        return FrontMatter(kind, span, inner) if in_limits else None
    try:
        _check(source, kind, first_line=2, unique_keys=False)
    except FrontMatterError:
        unchecked = kind == "yaml" and _is_unchecked_template(source)
        return FrontMatter(kind, span, inner, checked=False) if unchecked else None
    return FrontMatter(kind, span, inner)


def check_front_matter(inner: str, kind: FrontMatterKind, first_line: int = 2) -> None:
    """Check that lines for between the delimiters form a mapping with unique keys.

    `first_line` is the 1-based number that the first of them has in the file.

    Raises:
        FrontMatterError: they do not; carries the line.
    """
    _check(normal_lines(inner), kind, first_line, unique_keys=True)


def explain_front_matter(text: str) -> FrontMatterError | None:
    """Return why a block that looks like front matter is not one, None if none does."""
    block = _find_block(text)
    if block is None:
        return _explain_delimiters(text)
    if find_front_matter(text) is not None:
        return None
    kind, _, inner = block
    try:
        _check(normal_lines(inner.of(text)), kind, first_line=2, unique_keys=False)
    except FrontMatterError as error:
        return error
    return None


def normal_lines(source: str) -> str:
    """Return `source` with line feeds for line endings, as YAML and TOML want them."""
    return source.replace("\r\n", "\n").replace("\r", "\n")


def mask_actions(source: str, masks: dict[str, str] | None = None) -> str:
    """Return `source` with template actions replaced by plain scalars.

    Lines that hold nothing but actions become blank, so line numbers stay. With `masks`
    each scalar is another one, and the action that it stands for is put in there.
    """
    actions = TemplateActions(source)
    pieces: list[str] = []
    position = 0
    while (start := source.find("{{", position)) >= 0:
        end = actions.end(start)
        if end is None:
            pieces.append(source[position : start + 2])
            position = start + 2
            continue
        name = f"{_MASK}{len(masks) if masks is not None else 0}{_MASK}"
        if masks is not None:
            masks[name] = source[start:end]
        feeds = "\n" * source.count("\n", start, end)
        pieces += (source[position:start], name, feeds)
        position = end
    masked = "".join((*pieces, source[position:]))
    return _ONLY_MASKS.sub("", masked)


_MASK = "mdmcpaction"
_ONLY_MASKS = re.compile(rf"^[ \t]*(?:{_MASK}\d+{_MASK}[ \t]*)+$", re.MULTILINE)


def _find_block(text: str) -> tuple[FrontMatterKind, Span, Span] | None:
    """Return kind, span and inner span of what stands between two delimiter lines."""
    start = len(BOM) if text.startswith(BOM) else 0
    delimiter = text[start : start + 3]
    kind = _DELIMITERS.get(delimiter)
    if kind is None:
        return None
    ending = "\r" if line_separator(text) == "\r" else "\r?\n"
    mark = re.escape(delimiter)
    opening = re.compile(mark + ending).match(text, start)
    if opening is None:
        return None
    closing = re.compile(rf"(?<=[\r\n]){mark}(?:{ending}|\Z)")
    limit = min(len(text), opening.end() + MAX_BYTES + 8)
    found = closing.search(text, opening.end(), limit)
    if found is None:
        return None
    inner = Span(opening.end(), found.start())
    return kind, Span(start, found.end()), inner


def _explain_delimiters(text: str) -> FrontMatterError | None:
    start = len(BOM) if text.startswith(BOM) else 0
    first, _, rest = text[start : start + MAX_BYTES].partition(line_separator(text))
    delimiter = first.rstrip(" \t\r")
    if delimiter not in _DELIMITERS or not _LOOKS_LIKE_AN_ENTRY.match(rest):
        return None
    if first.rstrip("\r") != delimiter:
        return FrontMatterError(
            f"line 1 looks like the start of front matter, but has blanks after "
            f"{delimiter}. Remove them to make it some.",
            line=1,
        )
    return FrontMatterError(
        f"line 1 looks like the start of front matter, but no later line within "
        f"{MAX_BYTES // 1024} KiB is exactly {delimiter}.",
        line=1,
    )


def _check(
    source: str, kind: FrontMatterKind, first_line: int, *, unique_keys: bool
) -> None:
    if len(source.encode("utf-8", "replace")) > MAX_BYTES:
        raise FrontMatterError(
            f"the front matter is larger than {MAX_BYTES // 1024} KiB, the most that "
            "is read as front matter.",
            line=first_line,
        )
    if kind == "toml":
        _check_toml(source, first_line)
        return
    from md_mcp.document.yaml_nodes import check_mapping

    try:
        check_mapping(source, first_line, unique_keys=unique_keys)
    except FrontMatterError:
        if "{{" not in source:
            raise
        check_mapping(mask_actions(source), first_line, unique_keys=unique_keys)


def _check_toml(source: str, first_line: int) -> None:
    import tomllib

    try:
        document = tomllib.loads(source)
    # The parser also raises RecursionError and ValueErrors of impossible dates.
    except (ValueError, RecursionError) as error:
        place = re.search(r"line (\d+)", str(error))
        line = first_line + int(place[1]) - 1 if place else 0
        where = f" (line {line})" if line else ""
        raise FrontMatterError(
            f"the front matter is not TOML{where}: {error}. Correct it.", line=line
        ) from None
    if not document:
        raise FrontMatterError(
            "empty front matter is not a mapping. Give at least one key.",
            line=first_line,
        )


def _is_unchecked_template(source: str) -> bool:
    """Return whether each line is an action, an entry, or continues an entry."""
    if "{{" not in source:
        return False
    if len(source.encode("utf-8", "replace")) > MAX_BYTES:
        return False
    has_entry = False
    for line in mask_actions(source).split("\n"):
        if not line.strip(" \t"):
            continue
        if _LOOKS_LIKE_AN_ENTRY.match(line):
            has_entry = True
        elif not (has_entry and _CONTINUES_AN_ENTRY.match(line)):
            return False
    return has_entry


def read_front_matter(text: str, front_matter: FrontMatter) -> dict[str, object]:
    """Return the entries as values that JSON knows.

    YAML scalars are what YAML 1.2 says of null, booleans, plain integers and decimals;
    dates, `no`, `1e3`, unknown tags and template actions stay strings.

    Raises:
        FrontMatterError: the block cannot be read, or expands beyond all measure.
    """
    source = normal_lines(front_matter.inner.of(text))
    if front_matter.kind == "toml":
        import tomllib

        from md_mcp.document.yaml_nodes import json_value

        return {key: json_value(value) for key, value in tomllib.loads(source).items()}
    from md_mcp.document.yaml_nodes import read_mapping

    masks: dict[str, str] = {}
    masked = mask_actions(source, masks) if "{{" in source else source
    return read_mapping(masked, 2, masks)
