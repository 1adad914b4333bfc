"""Where new lines go: blank lines, line endings and the end of the file.

Rules that hold for every edit: existing blank lines are kept, at least one stands on
each side of a new block that has text there, lines equal to old ones keep their bytes,
created lines get the dominant ending, and a missing final line ending stays missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from md_mcp.document.model import Document
from md_mcp.document.splice import Splice
from md_mcp.document.text import (
    BLANK,
    BOM,
    Span,
    split_ending,
    split_lines,
    with_ending,
)


def content_lines(document: Document, content: str) -> list[str]:
    """Return the lines of an argument without endings and outer blank lines."""
    normal = with_ending(content, "\n", old_mac=document.separator == "\r")
    return trim_blank(normal.split("\n"))


def trim_blank(lines: Sequence[str]) -> list[str]:
    """Return `lines`, which have no endings, without blank ones at both ends."""
    filled = [index for index, line in enumerate(lines) if line.strip(BLANK)]
    return list(lines[filled[0] : filled[-1] + 1]) if filled else []


def replace_lines(document: Document, span: Span, lines: Sequence[str]) -> list[Splice]:
    """Return the splice that makes the whole lines in `span` read `lines`.

    Lines equal to the first or last old ones keep their bytes, so equal content gives
    no splice at all.
    """
    old = split_lines(span.of(document.text), document.separator)
    bare = [split_ending(line, document.separator)[0] for line in old]
    prefix = _common_prefix(bare, lines)
    rest = min(len(bare), len(lines)) - prefix
    suffix = min(_common_prefix(bare[::-1], lines[::-1]), rest)
    new = [
        *old[:prefix],
        *(line + document.line_ending for line in lines[prefix : len(lines) - suffix]),
        *old[len(old) - suffix :],
    ]
    _fit_final_ending(document, span, new)
    return _trimmed_splice(document, span, old, new)


def _fit_final_ending(document: Document, span: Span, lines: list[str]) -> None:
    """Let the last line end as the document needs it at `span.end`."""
    if not lines:
        return
    content, ending = split_ending(lines[-1], document.separator)
    if lacks_final_ending(document) and span.end == len(document.text):
        lines[-1] = content
    elif not ending:
        lines[-1] = content + document.line_ending


def _trimmed_splice(
    document: Document, span: Span, old: Sequence[str], new: Sequence[str]
) -> list[Splice]:
    """Return one splice that leaves equal lines at both ends out, none if all are."""
    prefix = _common_prefix(old, new)
    rest = min(len(old), len(new)) - prefix
    suffix = min(_common_prefix(old[::-1], new[::-1]), rest)
    start = span.start + sum(map(len, old[:prefix]))
    end = span.end - sum(map(len, old[len(old) - suffix :]))
    text = "".join(new[prefix : len(new) - suffix])
    if start == end and not text:
        return []
    return [_ending_line_before(document, Splice(Span(start, end), text))]


def _ending_line_before(document: Document, splice: Splice) -> Splice:
    """Let text that follows an unended line start on a line of its own."""
    start = splice.span.start
    if not splice.text or at_line_start(document, start):
        return splice
    return Splice(splice.span, document.line_ending + splice.text)


def insert_block(
    document: Document, gap: Span, lines: Sequence[str], *, keeps_end: bool
) -> Splice:
    """Return the splice that puts a block of lines into a run of blank lines.

    `gap` spans the blank lines, none at all when it is empty. One of them stays before
    the block and the rest after it; blank lines at the start of the file all stay in
    front. At the end of the file with `keeps_end` they all stay behind, as the end
    that the file has.
    """
    blanks = split_lines(gap.of(document.text), document.separator)
    ending = document.line_ending
    at_start = gap.start <= len(BOM) and not document.text[: gap.start].strip(BOM)
    at_end = gap.end == len(document.text)
    lead = len(blanks) if at_start else int(bool(blanks) and not (at_end and keeps_end))
    before, after = blanks[:lead], blanks[lead:]
    if not before and not at_start:
        before = [ending]
    if not after and not at_end:
        after = [ending]
    last = lines[-1]
    if after or not lacks_final_ending(document):
        last += ending
    block = [*(line + ending for line in lines[:-1]), last]
    opening = "" if at_line_start(document, gap.start) else ending
    text = "".join([opening, *_ended(before, ending), *block, *after])
    return _trimmed_blanks(document, gap, text, len("".join(blanks[:lead])))


def _ended(lines: Sequence[str], ending: str) -> list[str]:
    """Return blank lines, the last of which may lack its ending, all ended."""
    return [line if line.endswith(("\n", "\r")) else line + ending for line in lines]


def _trimmed_blanks(document: Document, gap: Span, text: str, lead: int) -> Splice:
    """Return the splice without the blank lines that it would write back unchanged."""
    kept = gap.of(document.text)[:lead]
    if text.startswith(kept):
        gap, text = Span(gap.start + lead, gap.end), text[lead:]
    rest = gap.of(document.text)
    if rest and text.endswith(rest):
        gap, text = Span(gap.start, gap.start), text[: len(text) - len(rest)]
    return Splice(gap, text)


def at_line_start(document: Document, offset: int) -> bool:
    """Return whether a line starts at `offset`: also right after a BOM."""
    return offset == 0 or document.text[offset - 1] in (BOM, document.separator)


def lacks_final_ending(document: Document) -> bool:
    """Return whether the file has text and its last line has no ending."""
    text = document.text
    return text not in ("", BOM) and not text.endswith(document.separator)


def before_ending(document: Document, offset: int) -> int:
    """Return the offset before the line ending, if any, that ends at `offset`."""
    text = document.text
    if offset <= document.body_start or text[offset - 1] != document.separator:
        return offset
    return offset - 2 if text[offset - 2 : offset] == "\r\n" else offset - 1


def _common_prefix(one: Sequence[str], other: Sequence[str]) -> int:
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length
