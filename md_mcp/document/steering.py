"""Characters that could steer a terminal or hide text, and how to show them.

Documents are data: what a program prints of them must neither move the cursor nor
reorder the line.
"""

from __future__ import annotations

import re

_STEERING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"  # C0, DEL and C1, but tab, LF and CR
    "|\r(?!\n)"
    "|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"  # bidirectional and lines
    "|[\U000e0000-\U000e007f]"  # tag characters
    "|[\ud800-\udfff]"  # bytes of a file name that are not UTF-8
)


def escape(text: str) -> str:
    r"""Return `text` with steering characters shown, such as "\x1b" and "\u202e"."""
    return _STEERING.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return "\\r" if code == 0x0D else f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
