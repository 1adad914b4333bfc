"""What the YAML library gets to see of a block, and the way back from it.

Two things are hidden from the library. Characters at which it breaks lines, though YAML
1.2 and this project do not (U+0085, U+2028, U+2029), and template actions, which become
plain scalars while lines of nothing else are left out. Each is replaced by as many
copies of a stand-in: a private-use character that the block does not hold. So the
library's offsets and values lead back to the block's own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from md_mcp.document.template import TemplateActions
from md_mcp.document.text import BLANK, Span, line_separator, split_lines

_PRIVATE_USE = range(0x100000, 0x10FFFE)
_STAND_IN_RUN = re.compile("([\U00100000-\U0010fffd])\\1*")
_FOREIGN_BREAKS = re.compile("[\x85\u2028\u2029]")
_ESCAPED = re.compile(r"\\U0010([0-9A-Fa-f]{4})")


@dataclass(frozen=True, slots=True)
class YamlSource:
    """The lines of a block as the YAML library gets them.

    Attributes:
        block: the lines as they stand in the file.
        first_line: 1-based number of the first of them in the file.
        text: what the library gets.
        stand_ins: by each stand-in what one or, for an action, a run of it stands for.
        dropped: spans of the block that `text` leaves out, in order.
    """

    block: str
    first_line: int
    text: str
    stand_ins: Mapping[str, str]
    dropped: tuple[Span, ...] = ()

    def restore(self, value: str) -> str:
        """Return a value of the library with what its stand-ins stand for."""
        return _STAND_IN_RUN.sub(self._original, value) if self.stand_ins else value

    def _original(self, run: re.Match[str]) -> str:
        original = self.stand_ins.get(run[1])
        return original * (len(run[0]) // len(original)) if original else run[0]

    def offset(self, position: int) -> int:
        """Return the offset in the block of a position in `text`."""
        for span in self.dropped:
            if position < span.start:
                break
            position += len(span)
        return position

    def line(self, position: int) -> int:
        """Return the 1-based line in the file of a position in `text`."""
        end = min(self.offset(position), len(self.block.rstrip("\r\n")))
        return line_in_file(self.block, end, self.first_line)

    def is_divided(self, start: int, end: int) -> bool:
        """Return whether lines were left out between two positions in `text`."""
        first, last = self.offset(start), self.offset(end)
        index = bisect_right(self.dropped, Span(first, first))
        return index < len(self.dropped) and self.dropped[index].start < last


def line_in_file(block: str, offset: int, first_line: int) -> int:
    """Return the 1-based line in the file of an offset into the lines of a block."""
    return first_line + block.count(line_separator(block), 0, offset)


def plain_source(block: str, first_line: int) -> YamlSource:
    """Return the source in which actions are what YAML makes of them."""
    if block.isascii():
        return YamlSource(block, first_line, block, {})
    text, stand_ins = _without_foreign_breaks(block, _unused_characters(block))
    return YamlSource(block, first_line, text, _inverted(stand_ins))


def masked_source(block: str, first_line: int) -> YamlSource | None:
    """Return the source with every action replaced, None if there is no action."""
    if "{{" not in block:
        return None
    unused = _unused_characters(block)
    stand_ins: dict[str, str] = {}
    pieces: list[str] = []
    position = 0
    for action in _find_actions(block):
        original = action.of(block)
        stand_in = stand_ins.setdefault(original, next(unused))
        pieces += (block[position : action.start], stand_in * len(action))
        position = action.end
    if not stand_ins:
        return None
    pieces.append(block[position:])
    masked, dropped = _without_lines_of("".join(pieces), "".join(stand_ins.values()))
    text, foreign = _without_foreign_breaks(masked, unused)
    return YamlSource(
        block, first_line, text, _inverted({**stand_ins, **foreign}), tuple(dropped)
    )


def _without_foreign_breaks(
    text: str, unused: Iterator[str]
) -> tuple[str, dict[str, str]]:
    """Return `text` with stand-ins for such breaks, and what they are."""
    foreign = sorted(set(_FOREIGN_BREAKS.findall(text)))
    stand_ins = dict(zip(foreign, unused, strict=False))
    for original, stand_in in stand_ins.items():
        text = text.replace(original, stand_in)
    return text, stand_ins


def _find_actions(block: str) -> Iterator[Span]:
    actions = TemplateActions(block, line_separator(block))
    start = block.find("{{")
    while start >= 0:
        end = actions.end(start)
        if end is not None:
            yield Span(start, end)
        start = block.find("{{", start + 2 if end is None else end)


def _without_lines_of(masked: str, stand_ins: str) -> tuple[str, list[Span]]:
    """Return `masked` without its lines of blanks and stand-ins only, and their spans.

    A stand-in is never a line ending, so the lines of an action over several lines are
    one here, as they should be.
    """
    kept: list[str] = []
    dropped: list[Span] = []
    start = 0
    for line in split_lines(masked, line_separator(masked)):
        end = start + len(line)
        is_blank = not line.strip(BLANK + "\r\n")
        if is_blank or line.strip(BLANK + "\r\n" + stand_ins):
            kept.append(line)
        else:
            dropped.append(Span(start, end))
        start = end
    return "".join(kept), dropped


def _unused_characters(block: str) -> Iterator[str]:
    """Yield private-use characters that occur neither in the block nor as escapes."""
    used = {*block, *(chr(0x100000 + int(low, 16)) for low in _ESCAPED.findall(block))}
    return (chr(code) for code in _PRIVATE_USE if chr(code) not in used)


def _inverted(stand_ins: Mapping[str, str]) -> dict[str, str]:
    return {stand_in: original for original, stand_in in stand_ins.items()}
