"""What goes to standard output and standard error, as bytes.

Into a pipe text goes exactly as it is, without translation of line endings. On a
terminal, characters that could steer it or hide text are shown as escapes, since
documents are data; colour is there unless NO_COLOR or TERM=dumb says otherwise.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO, TextIO

from md_mcp.document.steering import escape

_COLOURS = {
    "path": "35",
    "line": "32",
    "faint": "2",
    "header": "1",
    "hunk": "36",
    "added": "32",
    "removed": "31",
}


def to_bytes(text: str) -> bytes:
    """Return UTF-8; bytes that came as surrogates from a file name become bytes again.

    Any other surrogate, which only JSON or Windows can bring, is shown escaped.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def wants_colour(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether to colour: a terminal, and nobody said no (no-color.org)."""
    return (
        stream.isatty()
        and not environ.get("NO_COLOR")
        and environ.get("TERM", "") != "dumb"
    )


@dataclass(frozen=True, slots=True)
class Console:
    """The two output streams of one run, and what each of them may be shown."""

    out: BinaryIO
    err: BinaryIO
    out_is_terminal: bool = False
    err_is_terminal: bool = False
    colour: bool = False

    @classmethod
    def of_process(cls) -> Console:
        """Return the console over this process's standard streams."""
        _stand_in_for_closed_streams()
        return cls(
            sys.stdout.buffer,
            sys.stderr.buffer,
            sys.stdout.isatty(),
            sys.stderr.isatty(),
            wants_colour(sys.stdout, os.environ),
        )

    def show(self, text: str, colour: str = "") -> str:
        """Return `text` as it may be printed: escaped and coloured on a terminal."""
        shown = escape(text) if self.out_is_terminal else text
        if not (self.colour and colour and shown):
            return shown
        return f"\x1b[{_COLOURS[colour]}m{shown}\x1b[0m"

    def put(self, shown: str) -> None:
        """Write what `show` returned."""
        self.out.write(to_bytes(shown))

    def put_text(self, text: str) -> None:
        """Write a text as it is; on a terminal the prompt gets a line of its own."""
        self.put(self.show(text))
        if self.out_is_terminal and text and not text.endswith("\n"):
            self.put("\n")

    def put_json(self, value: object) -> None:
        """Write a value as one line of JSON."""
        from json import dumps

        text = dumps(value, ensure_ascii=False, separators=(",", ":"))
        self.out.write(text.encode("utf-8", "backslashreplace") + b"\n")

    def note(self, message: str) -> None:
        """Write one line to standard error, after all that went to the output."""
        self.out.flush()
        line = f"md-mcp: {message}"
        self.err.write(to_bytes(escape(line) if self.err_is_terminal else line) + b"\n")
        self.err.flush()


def _stand_in_for_closed_streams() -> None:
    """Give the process the standard streams that it was started without (`>&-`).

    No file that is edited may get the number of one, where a stray message would end
    in it. The input cannot be read nor the output written, so that using them is the
    same `OSError` as in any program; what goes to standard error vanishes.
    """
    for name, flags, mode in (
        ("stdin", os.O_WRONLY, "r"),
        ("stdout", os.O_RDONLY, "w"),
        ("stderr", os.O_WRONLY, "w"),
    ):
        if getattr(sys, name) is None:
            fd = os.open(os.devnull, flags)  # the lowest number that is free
            os.set_inheritable(fd, True)
            setattr(sys, name, os.fdopen(fd, mode, encoding="utf-8"))
