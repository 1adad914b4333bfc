"""An editor that saves by temporary file and rename: FILE SECTION COUNT [careful].

It reads the file, adds a line to its section and replaces the file, again and again. A
`careful` one exchanges the names and merges when it swapped out something else than it
had read, so that it never overwrites what others wrote.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)


def add_line(text: str, section: str, line: str) -> str:
    start = text.index(f"## {section}\n")
    end = text.find("\n## ", start) + 1 or len(text)
    return text[:end] + line + text[end:]


def exchange(one: Path, other: Path) -> None:
    arguments = (-100, os.fsencode(one), -100, os.fsencode(other), 2)
    if LIBC.renameat2(*arguments):
        raise OSError(ctypes.get_errno(), "cannot exchange")


def save_carefully(file: Path, saved: Path, section: str, line: str) -> None:
    while True:
        before = file.read_bytes()
        saved.unlink(missing_ok=True)  # whoever reads what it was must see that whole
        saved.write_bytes(add_line(before.decode(), section, line).encode())
        exchange(saved, file)
        if saved.read_bytes() == before:
            return
        exchange(saved, file)


def save(file: Path, saved: Path, section: str, line: str) -> None:
    text = file.read_bytes().decode()
    saved.write_bytes(add_line(text, section, line).encode())
    saved.replace(file)


def main(path: str, section: str, count: int, *, careful: bool) -> None:
    file = Path(path)
    saved = file.with_name("editor-temporary")
    for number in range(count):
        line = f"{section} {number}\n"
        (save_carefully if careful else save)(file, saved, section, line)
    saved.unlink(missing_ok=True)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), careful=sys.argv[4:] == ["careful"])
