"""Text from the shell: an argument, a file or standard input, always strict UTF-8."""

from __future__ import annotations

import sys
from pathlib import Path

from md_mcp.cli.parser import Options, Parser
from md_mcp.document.text import BOM
from md_mcp.errors import ArgumentError, FileError, NotUtf8Error

_NOT_TEXT = {"file_path", "directory", "allow_root", "content_file"}
"""Arguments that name files, whose names may be any bytes."""


def add_content(parser: Parser, metavar: str = "CONTENT") -> None:
    """Add the new text: an argument, or `--file`."""
    parser.add_argument(
        "content",
        metavar=metavar,
        nargs="?",
        help='the new text; "-" reads standard input',
    )
    parser.add_argument(
        "--file",
        dest="content_file",
        metavar="TEXTFILE",
        help=f'read {metavar} from this file; "-" is standard input',
    )


def read_content(options: Options) -> str:
    """Return the new text, every byte of it but for a leading byte order mark.

    Raises:
        ArgumentError: no text was given, or two.
        FileError: the file cannot be read, or is not UTF-8.
    """
    given, file = options.content, options.content_file
    if given is not None and file is not None:
        raise ArgumentError(
            "file", "the text came twice: as an argument and with --file. Give one."
        )
    if given is None and file is None:
        raise ArgumentError(
            "content",
            "the new text is missing. Give it as an argument, with --file TEXTFILE, "
            'or "-" to read standard input.',
        )
    if given is not None and given != "-":
        return str(given)
    if file is None or file == "-":
        return _decode(sys.stdin.buffer.read(), "standard input")
    return _decode(_read_file(file), file)


def check_text(options: Options) -> None:
    """Refuse arguments whose bytes are not UTF-8; Python passes them on as surrogates.

    Raises:
        ArgumentError: names the argument and the offset of its first bad byte.
    """
    for name, value in vars(options).items():
        if not isinstance(value, str) or name in _NOT_TEXT:
            continue
        try:
            value.encode()
        except UnicodeEncodeError as error:
            offset = len(value[: error.start].encode())
            raise ArgumentError(
                name,
                f"{name} is not UTF-8: the first bad byte is at offset {offset}. "
                "Give it in UTF-8.",
            ) from None


def _read_file(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(
            file, f'cannot read "{file}": {reason}. Give a text file that exists.'
        ) from error


def _decode(data: bytes, name: str) -> str:
    """Return the text; a byte order mark marks the encoding and is not part of it."""
    try:
        return data.decode().removeprefix(BOM)
    except UnicodeDecodeError as error:
        raise NotUtf8Error(name, error.start) from None
