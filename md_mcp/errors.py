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


NOTHING_WRITTEN = "Nothing was written."


def report_text(error: MdMcpError, ending: str = "") -> str:
    """Return what adapters show of an error: its code, its message and `ending`.

    A message of several lines ends with a quotation, which nothing may join.
    """
    text = f"{error.code}: {error}"
    separator = "\n" if "\n" in text else " "
    return f"{text}{separator}{ending}" if ending else text


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
        shortened: whether the path would do where shortened paths are taken.
    """

    code = "SECTION_NOT_FOUND"

    def __init__(
        self,
        path: str,
        *,
        resolved: str = "",
        nearest: tuple[str, ...] = (),
        shortened: bool = False,
    ) -> None:
        """Build the message from the data."""
        self.path, self.resolved, self.nearest = path, resolved, nearest
        self.shortened = shortened
        found = f' "{resolved}" exists, the rest does not.' if resolved else ""
        offer = ", ".join(f'"{candidate}"' for candidate in nearest)
        step = f"Nearest: {offer}." if nearest else "List the paths with get_index."
        if shortened:
            step = f"Only a full path is taken here: {offer}."
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


class NoteNotFoundError(MdMcpError):
    """No note of a folder answers to a name.

    Attributes:
        name: the name or path as it was given.
    """

    code = "NOTE_NOT_FOUND"

    def __init__(self, name: str) -> None:
        """Build the message from the data."""
        self.name = name
        super().__init__(
            f'no note "{name}", and none whose path contains that. '
            "Look for it with find_notes, or ask for the most_connected."
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


class FrontMatterLimitError(FrontMatterError):
    """A block that is larger, deeper or more entangled than front matter may be."""


class ChangelogError(EditError):
    """A changelog that is none, or lacks what was asked for, or would not be one.

    Attributes:
        line: 1-based line in the file, 0 when no line can be named.
    """

    code = "CHANGELOG"

    def __init__(self, message: str, *, line: int = 0) -> None:
        """Keep the line; the reader or planner words the message."""
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


class PatternTimeoutError(PatternError):
    """A search that took too long and was given up.

    Attributes:
        seconds: the limit.
        waiting: whether the time went by while another search was running.
    """

    code = "TIMEOUT"

    def __init__(self, pattern: str, seconds: float, *, waiting: bool = False) -> None:
        """Build the message from the data."""
        self.seconds, self.waiting = seconds, waiting
        limit = f"{seconds:.3g} s"
        super().__init__(
            pattern,
            f"other searches kept this one waiting for {limit}. Repeat the call."
            if waiting
            else f"the pattern did not finish within {limit}. Search for plain text, "
            "or avoid repeats inside repeats such as (a+)+ and (.*,)*.",
        )


class PatternMemoryError(PatternError):
    """A search that needed more memory than it may have.

    Attributes:
        megabytes: the limit.
    """

    code = "OUT_OF_MEMORY"

    def __init__(self, pattern: str, megabytes: int) -> None:
        """Build the message from the data."""
        self.megabytes = megabytes
        super().__init__(
            pattern,
            f"the pattern needs more than {megabytes} MB of memory on this text. "
            "Search for plain text, or avoid repeats inside repeats.",
        )


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


class RootError(FileError):
    """A folder that was to be allowed and cannot be: missing, or not a folder."""

    code = "BAD_ROOT"

    def __init__(self, path: str, reason: str) -> None:
        """Build the message from the data."""
        super().__init__(
            path,
            f'the root "{path}" {reason}. '
            "Create the folder, or correct the path, and start again.",
        )


class BadPathError(FileError):
    """A path that can name no file: empty, too long, with a NUL, too many links."""

    code = "BAD_PATH"

    def __init__(self, path: str, reason: str) -> None:
        """Build the message from the data."""
        super().__init__(
            path,
            f"{path[:300]!a} is not a usable path: {reason}. "
            "Name a file or folder that exists.",
        )


class OutsideRootError(FileError):
    """A path that leads out of the roots; whether anything is there is not looked at.

    Attributes:
        roots: the folders that are allowed.
    """

    code = "OUTSIDE_ROOT"

    def __init__(self, path: str, roots: tuple[str, ...]) -> None:
        """Build the message from the data."""
        self.roots = roots
        allowed = ", ".join(f'"{root}"' for root in roots)
        super().__init__(
            path,
            f'"{path}" leads outside the allowed folders. '
            f"Use a file below {allowed}, without links that lead out.",
        )


class FileMissingError(FileError):
    """No file or folder of that name."""

    code = "FILE_NOT_FOUND"

    def __init__(self, path: str) -> None:
        """Build the message from the data."""
        super().__init__(
            path,
            f'there is no "{path}". '
            "Check the spelling, or look for the file with search_files.",
        )


class NotAFileError(FileError):
    """A folder, FIFO, socket or device where a file is needed.

    Attributes:
        kind: what it is, such as "a folder".
    """

    code = "NOT_A_FILE"

    def __init__(self, path: str, kind: str) -> None:
        """Build the message from the data."""
        self.kind = kind
        super().__init__(path, f'"{path}" is {kind}. Give a regular file.')


class NotAFolderError(FileError):
    """Something else where a folder is needed."""

    code = "NOT_A_FOLDER"

    def __init__(self, path: str) -> None:
        """Build the message from the data."""
        super().__init__(path, f'"{path}" is not a folder. Give the folder to search.')


class UnreadableError(FileError):
    """A file or folder that the operating system does not let us read."""

    code = "UNREADABLE"

    def __init__(self, path: str, reason: str) -> None:
        """Build the message from the data; `reason` is the system's."""
        super().__init__(
            path, f'"{path}" cannot be read: {reason}. Mend that and repeat the call.'
        )


class UnsettledFileError(FileError):
    """A file or folder that others kept replacing while we opened or changed it."""

    code = "FILE_CHANGING"

    def __init__(self, path: str) -> None:
        """Build the message from the data."""
        super().__init__(
            path, f'"{path}" keeps changing at this moment. Repeat the call.'
        )


class TooLargeError(FileError):
    """A file above the size limit.

    Attributes:
        size: its size in bytes, at least.
        limit: the largest size allowed, in bytes.
    """

    code = "TOO_LARGE"

    def __init__(self, path: str, size: int, limit: int) -> None:
        """Build the message from the data."""
        self.size, self.limit = size, limit
        super().__init__(
            path,
            f'"{path}" has {size:,} bytes or more; the limit is {limit:,}. '
            "Split the file, or edit it with another program.",
        )


class BinaryFileError(FileError):
    """A file with a NUL among its first bytes, as no text has.

    Attributes:
        offset: 0-based byte offset of the first NUL.
    """

    code = "BINARY_FILE"

    def __init__(self, path: str, offset: int) -> None:
        """Build the message from the data."""
        self.offset = offset
        super().__init__(
            path,
            f'"{path}" is not text: there is a NUL at offset {offset}. '
            "Give a Markdown file; convert UTF-16 to UTF-8 first.",
        )


class ProtectedError(FileError):
    """A path into the data of a version control system, which is never written."""

    code = "PROTECTED"

    def __init__(self, path: str, component: str) -> None:
        """Build the message from the data."""
        self.component = component
        super().__init__(
            path,
            f'"{path}" goes through {component!a}, which belongs to version '
            "control and is never written. Choose a file elsewhere.",
        )


class HardLinkedError(FileError):
    """A file with several names; replacing it would cut the others off.

    Attributes:
        links: how many names it has.
    """

    code = "HARDLINKED"

    def __init__(self, path: str, links: int) -> None:
        """Build the message from the data."""
        self.links = links
        super().__init__(
            path,
            f'"{path}" is a hard link, one of {links} names of the same file. '
            "Start md-mcp with --break-hardlinks to give this name a copy of its own.",
        )


class ReadOnlyError(FileError):
    """A file or folder that must not be written.

    Attributes:
        reason: what forbids it, such as "the file is write-protected".
    """

    code = "READ_ONLY"

    def __init__(self, path: str, reason: str) -> None:
        """Build the message from the data."""
        self.reason = reason
        super().__init__(
            path,
            f'"{path}" cannot be written: {reason}. Change that, or ask its owner.',
        )


class DiskFullError(FileError):
    """No room for the new content: disk, quota or file size limit; the file is whole.

    Attributes:
        reason: the system's words.
    """

    code = "DISK_FULL"

    def __init__(self, path: str, reason: str) -> None:
        """Build the message from the data."""
        self.reason = reason
        super().__init__(
            path,
            f'there is no room to write "{path}": {reason}. '
            "The file is as it was. Free some space and repeat the call.",
        )


class WriteFailedError(FileError):
    """The operating system refused a write for another reason; the file is whole."""

    code = "WRITE_FAILED"

    def __init__(self, path: str, reason: str) -> None:
        """Build the message from the data; `reason` is the system's."""
        super().__init__(
            path, f'"{path}" could not be written: {reason}. The file is as it was.'
        )


class BusyError(FileError):
    """Another writer held the folder's lock for too long.

    Attributes:
        waited: seconds.
    """

    code = "BUSY"

    def __init__(self, path: str, waited: float) -> None:
        """Build the message from the data."""
        self.waited = waited
        super().__init__(
            path,
            f'another program has held the lock on the folder of "{path}" for '
            f"{waited:.0f} s. Repeat the call later.",
        )


class ConflictError(FileError):
    """The file changed where the edit wanted to change it.

    Attributes:
        revision: the revision that the file has now.
        expected: the revision that the caller named, "" if none.
        current: the text that now stands in the edit's place, None if it has no place.
    """

    code = "CONFLICT"

    SHOWN = 4000
    """Characters of `current` that the message shows."""

    def __init__(
        self,
        path: str,
        *,
        revision: str,
        expected: str = "",
        current: str | None = None,
    ) -> None:
        """Build the message from the data."""
        self.revision, self.expected, self.current = revision, expected, current
        since = f" since revision {expected}" if expected else " during the edit"
        super().__init__(
            path,
            f'"{path}" changed{since}; its revision is now {revision}. {self._step()}',
        )

    def _step(self) -> str:
        if self.current is None:
            return "Read it again and plan the edit anew."
        shown = self.current[: self.SHOWN]
        cut = "" if shown == self.current else "\n(cut here; get_section shows it all)"
        return (
            "Plan the edit anew on what stands there now, and name that revision:\n"
            f"{shown}{cut}"
        )


# --- calls ----------------------------------------------------------------------------


class CallError(MdMcpError):
    """A tool call that the server ended before it was done."""

    code = "CALL_ENDED"


class CallCancelledError(CallError):
    """The caller no longer waits for the answer."""

    code = "CANCELLED"

    def __init__(self) -> None:
        """Build the message."""
        super().__init__("the call was cancelled.")


class DeadlineError(CallError):
    """A call that took too long.

    Attributes:
        seconds: how long it was waited for.
    """

    code = "DEADLINE_EXCEEDED"

    def __init__(self, seconds: float) -> None:
        """Build the message from the data."""
        self.seconds = seconds
        super().__init__(
            f"not done after {seconds:g} s, so the call was stopped. "
            "Ask for less at a time."
        )


class ServerEndingError(CallError):
    """A call that came or still ran when the server was told to end."""

    code = "SERVER_ENDING"

    def __init__(self) -> None:
        """Build the message."""
        super().__init__(
            "the server is ending, so the call was stopped. Start the server again."
        )


class UnknownToolError(MdMcpError):
    """A call of a tool that the server does not offer.

    Attributes:
        tool: the name as it was given.
    """

    code = "UNKNOWN_TOOL"

    def __init__(self, tool: str, reason: str) -> None:
        """Keep the name; `reason` is a whole sentence with the next step."""
        self.tool = tool
        super().__init__(f'no tool "{tool}". {reason}')
