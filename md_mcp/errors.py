"""Every failure that md-mcp reports, as one tree under `MdMcpError`.

A leaf carries its data as attributes, builds its message from them, and has a stable
`code` that the server and the command line print first. The message says what was
wrong and ends with the next step.
"""

from __future__ import annotations

from typing import ClassVar


class MdMcpError(Exception):
    """Base of all errors. `str(error)` is the message, `error.code` its stable name."""

    code: ClassVar[str] = "ERROR"


# --- addresses ------------------------------------------------------------------------


class AddressError(MdMcpError):
    """A dot-path that leads to no section, or to more than one."""

    code = "INVALID_PATH"


class SectionNotFoundError(AddressError):
    """No section answers to the path.

    Attributes:
        path: the path as it was given.
        resolved: the deepest prefix that names a section, "" if there is none.
        nearest: up to three existing paths, spelled so that they can be pasted back.
    """

    code = "SECTION_NOT_FOUND"

    def __init__(
        self, path: str, *, resolved: str = "", nearest: tuple[str, ...] = ()
    ) -> None:
        """Build the message from the data."""
        self.path, self.resolved, self.nearest = path, resolved, nearest
        found = f' "{resolved}" exists, the rest does not.' if resolved else ""
        offer = ", ".join(f'"{candidate}"' for candidate in nearest)
        step = f"Nearest: {offer}." if nearest else "List the paths with get_index."
        super().__init__(f'no section "{path}".{found} {step}')


class AmbiguousPathError(AddressError):
    """A shortened path that fits several sections.

    Attributes:
        path: the path as it was given.
        candidates: full paths of up to five sections that fit.
        total: how many sections fit.
    """

    code = "AMBIGUOUS_PATH"

    def __init__(self, path: str, candidates: tuple[str, ...], total: int) -> None:
        """Build the message from the data."""
        self.path, self.candidates, self.total = path, candidates, total
        offer = ", ".join(f'"{candidate}"' for candidate in candidates)
        super().__init__(
            f'"{path}" fits {total} sections: {offer}. Use one of these full paths.'
        )


# --- edits ----------------------------------------------------------------------------


class EditError(MdMcpError):
    """An edit that cannot be done safely, or that asks for nothing possible."""

    code = "EDIT_REFUSED"


class InvalidHeadingError(EditError):
    """A heading argument that is not one ATX heading of one line.

    Attributes:
        heading: the argument as it was given.
    """

    code = "INVALID_HEADING"

    def __init__(self, heading: str, reason: str) -> None:
        """Build the message from the data."""
        self.heading = heading
        super().__init__(
            f"{heading!r} is not a heading: {reason}. "
            'Give 1 to 6 "#", a space and the text on one line, such as "## Usage".'
        )


class StructureError(EditError):
    """An edit after which headings or front matter outside it would be lost or new.

    Attributes:
        section: path of the first section that would change, "" for the front matter.
        line: 1-based line of its heading.
    """

    code = "STRUCTURE"

    def __init__(self, message: str, *, section: str = "", line: int = 0) -> None:
        """Keep the data; the planner words the message."""
        self.section, self.line = section, line
        super().__init__(message)


class TextNotFoundError(EditError):
    """`old` does not occur in the section.

    Attributes:
        old: the text looked for.
        closest: the most similar line of the section, "" if there is none.
        line: its 1-based number in the file, 0 if there is none.
    """

    code = "TEXT_NOT_FOUND"

    def __init__(
        self, path: str, old: str, *, closest: str = "", line: int = 0
    ) -> None:
        """Build the message from the data."""
        self.path, self.old, self.closest, self.line = path, old, closest, line
        near = f" Closest is line {line}: {closest!r}." if line else ""
        super().__init__(
            f'"old" does not occur in the own text of "{path}".{near} '
            "Copy the text exactly as get_section shows it, or name another section."
        )


class TextNotUniqueError(EditError):
    """`old` occurs several times and not all of them were meant.

    Attributes:
        count: number of occurrences, not overlapping.
        lines: 1-based lines on which the first ten begin.
    """

    code = "TEXT_NOT_UNIQUE"

    def __init__(self, path: str, count: int, lines: tuple[int, ...]) -> None:
        """Build the message from the data."""
        self.path, self.count, self.lines = path, count, lines
        where = ", ".join(map(str, lines))
        super().__init__(
            f'"old" occurs {count} times in "{path}" (lines {where}). '
            "Give more surrounding text, or set replace_all to true."
        )


class FrontMatterError(EditError):
    """A front matter block that is, or would become, invalid.

    Attributes:
        line: 1-based line in the file, 0 when no line can be named.
    """

    code = "INVALID_FRONT_MATTER"

    def __init__(self, message: str, *, line: int = 0) -> None:
        """Keep the line; the checker words the message."""
        self.line = line
        super().__init__(message)


# --- arguments and patterns -----------------------------------------------------------


class ArgumentError(MdMcpError):
    """An argument that is missing, unknown, of a wrong type or out of range.

    Attributes:
        argument: its name.
    """

    code = "INVALID_ARGUMENT"

    def __init__(self, argument: str, message: str) -> None:
        """Keep the name; the caller words the message."""
        self.argument = argument
        super().__init__(message)


class PatternError(MdMcpError):
    """A search pattern that cannot be used.

    Attributes:
        pattern: the pattern as it was given.
        offset: 0-based position of the fault in it, None when there is no single one.
    """

    code = "BAD_PATTERN"

    def __init__(
        self, pattern: str, message: str, *, offset: int | None = None
    ) -> None:
        """Keep the data; the checker words the message."""
        self.pattern, self.offset = pattern, offset
        super().__init__(message)


# --- files ----------------------------------------------------------------------------


class FileError(MdMcpError):
    """Something about a file or its path.

    Attributes:
        path: the path as it was given.
    """

    code = "FILE_ERROR"

    def __init__(self, path: str, message: str) -> None:
        """Keep the path; the leaf or the caller words the message."""
        self.path = path
        super().__init__(message)


class NotUtf8Error(FileError):
    """Bytes that are not strict UTF-8.

    Attributes:
        offset: 0-based byte offset of the first bad byte.
    """

    code = "NOT_UTF8"

    def __init__(self, path: str, offset: int) -> None:
        """Build the message from the data."""
        self.offset = offset
        super().__init__(
            path,
            f'"{path}" is not UTF-8: the first bad byte is at offset {offset}. '
            "Convert the file to UTF-8 first.",
        )
