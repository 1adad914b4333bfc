"""HTML blocks: the seven start conditions and what ends each kind.

https://spec.commonmark.org/0.31.2/#html-blocks
"""

from __future__ import annotations

import re

_TAG_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|"
    "dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|"
    "frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|"
    "noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|"
    "th|thead|title|tr|track|ul"
)

_ATTRIBUTE = r"""
    [ \t]++ [a-zA-Z_:][a-zA-Z0-9_.:-]*+
    (?> (?: [ \t]*+ = [ \t]*+ (?: [^ \t\n"'=<>`]++ | '[^'\n]*+' | "[^"\n]*+" ) )? )
"""

_COMPLETE_TAG = rf"""
      (?i:[a-z][a-z0-9-]*+) (?> (?:{_ATTRIBUTE})* ) [ \t]*+ /?>
    | / (?i:[a-z][a-z0-9-]*+) [ \t]*+ >
"""

HTML_BLOCK_START = rf"""
    <(?: (?P<html1> (?i:pre|script|style|textarea) (?:[ \t>]|(?=\r?\n|\Z)) )
       | (?P<html2> !-- )
       | (?P<html3> \? )
       | (?P<html4> ![a-zA-Z] )
       | (?P<html5> !\[CDATA\[ )
       | (?P<html6> /? (?i:{_TAG_NAMES}) (?:[ \t]|/?>|(?=\r?\n|\Z)) )
       | (?P<html7> (?:{_COMPLETE_TAG}) [ \t]*+ (?=\r?\n|\Z) )
     )
"""
"""A verbose expression; the name of the group that matched tells the kind."""

_START = re.compile(HTML_BLOCK_START, re.VERBOSE)

_ENDS = {
    1: re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE),
    2: re.compile(r"-->"),
    3: re.compile(r"\?>"),
    4: re.compile(r">"),
    5: re.compile(r"\]\]>"),
}

ENDED_BY_A_BLANK_LINE = 6
"""This kind and the next one end before a blank line, the smaller ones at a mark."""

CANNOT_INTERRUPT_A_PARAGRAPH = 7


def scan_html_block_start(text: str, start: int, stop: int) -> int:
    """Return the kind (1 to 7) of HTML block that `<` at `start` begins, or 0.

    `stop` is the end of the line without its ending.
    """
    match = _START.match(text, start, stop)
    return html_block_kind(match) if match else 0


def html_block_kind(match: re.Match[str]) -> int:
    """Return the kind that an expression with `HTML_BLOCK_START` in it matched."""
    return int((match.lastgroup or "0")[-1])


def find_html_block_end(kind: int, text: str, start: int, stop: int) -> int | None:
    """Return where a mark that ends a block of kind 1 to 5 ends, if one is there.

    The line that holds it is the last one of the block. It may overlap the start
    condition: `<!-->` is a whole block.
    """
    mark = _ENDS[kind].search(text, start, stop)
    return mark.end() if mark else None
