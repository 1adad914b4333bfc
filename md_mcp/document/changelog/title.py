"""What the heading of a release says: version, date, whether it was yanked.

    [1.2.0] - 2024-01-02      v1.2.0      1.2.0 (2024-01-02)      1.2.0 / 2024-01-02
    Version 1.2.0             name@1.2.0  2024-01-02 / 1.2.0      2024-01-02
    Unreleased                [Unreleased] - the next big thing   1.2.0 (unreleased)

A heading that merely holds a version, such as "Drop Python 3.8" or "2.1 Overview", is
none. A single name before the version, "Rust 1.98", is weaker evidence: `is_named`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from md_mcp.document.changelog.dates import Date, find_date, is_iso_date, scan_date
from md_mcp.document.changelog.version import Version, scan_version

# ASCII, because the tables of case folding beyond it are slow to compile.
_FLAGS = re.ASCII | re.IGNORECASE

_UNRELEASED = re.compile(r"\bunreleased\b", _FLAGS)

_YANKED = re.compile(r"\byanked\b", _FLAGS)

_WORD = re.compile(r"(?:(?:version|release|ver\.?|build) )?v?(?=[0-9])", _FLAGS)

_NAME_MARK = re.compile(r"(?: +v?|@v?|[-_/]v)(?=[0-9])", _FLAGS)
"""What stands between the name of a package and a version."""

_REST = re.compile(r"[.:,]?(?: *\Z| *[-–—/|:,~(]| +(?:yanked|unreleased)\b)", _FLAGS)  # noqa: RUF001
"""How that begins which may follow a version, if it is no date: nothing, or words that
are set apart."""

_AFTER_DATE = re.compile(r" *[-–—/|:,~] *v?(?=[0-9])", _FLAGS)  # noqa: RUF001

_BRACKETS = str.maketrans("", "", "[]")


class Title(NamedTuple):
    """What the heading of a release says.

    Attributes:
        version: None for a plain "Unreleased".
        date: None when there is none.
        name: the package that a heading such as "name@1.2.0" speaks of, else "".
        is_named: whether a name stands before the version, set apart by a blank only.
        is_unreleased: whether it says that the release is still to come.
        is_yanked: whether it says that the release was withdrawn.
    """

    version: Version | None
    date: Date | None = None
    name: str = ""
    is_named: bool = False
    is_unreleased: bool = False
    is_yanked: bool = False


def find_title(text: str) -> Title | None:
    """Return what a heading with this visible text says, None if of no release."""
    text = text.translate(_BRACKETS).strip(" ")
    if _UNRELEASED.match(text):
        return Title(None, find_date(text), is_unreleased=True)
    if not any("0" <= character <= "9" for character in text):
        return None
    if is_iso_date(text):
        return Title(Version(text), Date(text, text))
    return _date_first(text) or _numbered(text) or _named(text)


def _date_first(text: str) -> Title | None:
    """Return the title of "2024-01-02 / 1.2.0"."""
    date = scan_date(text, 0)
    mark = _AFTER_DATE.match(text, len(date.text)) if date else None
    version = scan_version(text, mark.end()) if mark else None
    if date is None or mark is None or version is None:
        return None
    is_whole = mark.end() + len(version.text) == len(text)
    return Title(version, date) if is_whole else None


def _numbered(text: str) -> Title | None:
    """Return the title of "1.2.0 - …", "v3" and "3 (2024-01-02)", but not of "3"."""
    word = _WORD.match(text)
    version = scan_version(text, word.end()) if word else None
    if word is None or version is None:
        return None
    title = _with_rest(version, text[word.end() + len(version.text) :])
    is_enough = "." in version.text or word[0] or (title and title.date)
    return title if is_enough else None


def _named(text: str) -> Title | None:
    """Return the title of "name@1.2.0", "name-v1.2.0" and "Name 1.2.0"."""
    mark = _NAME_MARK.search(text)
    if mark is None:
        return None
    name = text[: mark.start()]
    version = scan_version(text, mark.end())
    if not name.strip("0123456789@-_/.") or " " in name:
        return None
    if version is None or "." not in version.text:
        return None
    rest = text[mark.end() + len(version.text) :]
    return _with_rest(version, rest, name.casefold(), is_named=mark[0][0] == " ")


def _with_rest(
    version: Version, rest: str, name: str = "", *, is_named: bool = False
) -> Title | None:
    """Return the title when what follows the version may follow one."""
    blanks = len(rest) - len(rest.lstrip(" "))
    if not _REST.match(rest) and not (blanks and scan_date(rest, blanks)):
        return None
    return Title(
        version,
        find_date(rest),
        name,
        is_named,
        _UNRELEASED.search(rest) is not None,
        _YANKED.search(rest) is not None,
    )
