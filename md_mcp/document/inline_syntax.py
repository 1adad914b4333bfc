"""Recognisers of inline constructs: link tails, labels, autolinks, HTML, entities.

Each looks at one place of a source and returns where what it found ends, -1 or None for
nothing. None of them looks further than its construct can reach, or, for a construct
without an end, more than once.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_MAX_PARENTHESES = 32
"""Nested parentheses in a link destination, as in cmark; the bound keeps it linear."""

MAX_LABEL = 999

# Groups are never repeated possessively: CPython before 3.11.5 matches such repeats
# wrongly (https://github.com/python/cpython/issues/106052). Alternatives exclude each
# other instead, so that there is nothing to go back to.
_ESCAPE = r"\\[!-/:-@\[-`{-~]|\\(?![!-/:-@\[-`{-~])"
"""A backslash, with the character that it escapes, if it does."""

_GAP = r"[ \t]*+(?:\n[ \t]*+)?"

_BRACKETED_DESTINATION = re.compile(rf"<(?:{_ESCAPE}|[^<>\n\\])*>")

_DESTINATION_PIECE = re.compile(rf"(?:{_ESCAPE}|[^\x00-\x20\x7f()\\])+")

_LINK_END = re.compile(
    rf"""
    (?: (?: [ \t]++{_GAP} | \n[ \t]*+ )            # a blank before the title
        (?: " (?: {_ESCAPE} | [^"\\] )* "
          | ' (?: {_ESCAPE} | [^'\\] )* '
          | \( (?: {_ESCAPE} | [^()\\] )* \) ) )?
    {_GAP} \)
    """,
    re.VERBOSE,
)

_GAP_AFTER_PARENTHESIS = re.compile(rf"\({_GAP}")

_LABEL = re.compile(r"(?:\\.|[^\\\[\]])*", re.DOTALL)

_FOOTNOTE_LABEL = re.compile(r"\^[^\[\] \t\n]++")

_AUTOLINK = re.compile(
    r"""<
    (?: [A-Za-z][A-Za-z0-9+.\-]{1,31} : [^\x00-\x20\x7f<>]*+
      | [A-Za-z0-9.!\#$%&'*+/=?^_`{|}~\-]++ @
        [A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?
        (?:\.[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?)* )
    >""",
    re.VERBOSE,
)

_TAG = re.compile(
    r"""
    <[A-Za-z][A-Za-z0-9\-]*+
    (?: [ \t\n]++ [A-Za-z_:][A-Za-z0-9_.:\-]*+
        (?: [ \t\n]*+ = [ \t\n]*+
            (?: [^ \t\n"'=<>`]++ | '[^']*+' | "[^"]*+" ) )? )*
    [ \t\n]*+ /? >
    | </[A-Za-z][A-Za-z0-9\-]*+ [ \t\n]*+ >
    | <!--> | <!--->
    """,
    re.VERBOSE,
)

_OTHER_HTML = re.compile(r"<!--|<\?|<!\[CDATA\[|<![A-Za-z]")

_HTML_ENDS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}
"""How comments, processing instructions and CDATA end; declarations end at `>`."""

ENTITY = re.compile(
    r"&(?:#[xX][0-9A-Fa-f]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{0,31});"
)
"""What looks like an entity or a numeric character reference; no name is longer."""


class LinkTail(NamedTuple):
    """Where the destination in a `(destination "title")` stands, and its end.

    The destination is taken without angle brackets; it may be empty.
    """

    start: int
    stop: int
    end: int


def scan_link_tail(source: str, start: int) -> LinkTail | None:
    """Return the `(destination "title")` that starts at `start`, if there is one.

    https://spec.commonmark.org/0.31.2/#inline-link
    """
    opening = _GAP_AFTER_PARENTHESIS.match(source, start)
    if opening is None:
        return None
    position = _scan_link_destination(source, opening.end())
    if position < 0:
        return None
    closing = _LINK_END.match(source, position)
    if closing is None:
        return None
    pointed = source.startswith("<", opening.end())
    return LinkTail(opening.end() + pointed, position - pointed, closing.end())


def _scan_link_destination(source: str, start: int) -> int:
    """Return the end of a link destination, which may be empty, or -1."""
    if source.startswith("<", start):
        bracketed = _BRACKETED_DESTINATION.match(source, start)
        return bracketed.end() if bracketed else -1
    depth = 0
    position = start
    while True:
        piece = _DESTINATION_PIECE.match(source, position)
        position = piece.end() if piece else position
        character = source[position : position + 1]
        if character == "(" and depth < _MAX_PARENTHESES:
            depth += 1
        elif character == ")" and depth:
            depth -= 1
        else:
            return -1 if depth else position
        position += 1


def is_link_label(content: str) -> bool:
    """Return whether what stands between brackets can be a link label.

    https://spec.commonmark.org/0.31.2/#link-label
    """
    return (
        len(content) <= MAX_LABEL
        and bool(content.strip(" \t\n"))
        and bool(_LABEL.fullmatch(content))
        and not is_footnote_label(content)
    )


def scan_link_label(source: str, start: int) -> int:
    """Return the end of the link label in brackets that starts at `start`, or -1."""
    if not source.startswith("[", start):
        return -1
    label = _LABEL.match(source, start + 1, start + 1 + MAX_LABEL)
    if label is None or not source.startswith("]", label.end()):
        return -1
    return label.end() + 1 if is_link_label(label[0]) else -1


def is_footnote_label(content: str) -> bool:
    """Return whether brackets around `content` are a footnote marker, as in GFM."""
    return len(content) <= MAX_LABEL and bool(_FOOTNOTE_LABEL.fullmatch(content))


def scan_angle(source: str, start: int, missing: set[str]) -> tuple[int, bool] | None:
    """Return the end of the construct that the `<` at `start` opens.

    Beside it stands whether it is an autolink; otherwise it is raw HTML. `missing`
    collects ends that do not occur any more, and is kept from call to call.
    https://spec.commonmark.org/0.31.2/#autolinks
    https://spec.commonmark.org/0.31.2/#raw-html
    """
    if autolink := _AUTOLINK.match(source, start):
        return autolink.end(), True
    if tag := _TAG.match(source, start):
        return tag.end(), False
    opening = _OTHER_HTML.match(source, start)
    if opening is None:
        return None
    ending = _HTML_ENDS.get(opening[0], ">")
    end = -1 if ending in missing else source.find(ending, opening.end())
    if end < 0:
        missing.add(ending)
        return None
    return end + len(ending), False


def decode_entity(reference: str) -> str:
    """Return what `reference`, an `ENTITY`, stands for; an unknown name for itself.

    https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
    """
    if not reference.startswith("&#"):
        from html.entities import html5

        return html5.get(reference[1:], reference)
    digits = reference[2:-1]
    code = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    is_valid = 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_valid else "\ufffd"
