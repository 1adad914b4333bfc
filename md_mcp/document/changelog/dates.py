"""Dates in the headings of releases: found in several notations, judged by ISO 8601."""

from __future__ import annotations

import re
from typing import NamedTuple

_MONTHS = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)

_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?"
_DAY = r"[0-9]{1,2}(?:st|nd|rd|th)?"

_DATE = re.compile(
    r"(?<![0-9.])(?:"
    r"[0-9]{4}-[0-9X?]{1,2}-[0-9X?]{1,2}"  # also "2024-05-XX", a date to come
    r"|[0-9]{4}[/.][0-9]{1,2}[/.][0-9]{1,2}"
    r"|[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4}"
    rf"|{_DAY},? {_MONTH},? [0-9]{{4}}"
    rf"|{_MONTH} {_DAY},? [0-9]{{4}}"
    r")(?![0-9A-Za-z])",
    re.ASCII | re.IGNORECASE,
)

_YEAR_FIRST = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")
_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_WORDS = re.compile(r"[0-9]+|[a-z]+")


class Date(NamedTuple):
    """A date as it is written.

    Attributes:
        text: the characters in the heading.
        iso: the same day as year-month-day, "" where that is in doubt or no day.
    """

    text: str
    iso: str

    @property
    def is_iso(self) -> bool:
        """Whether it is written in the ISO form."""
        return self.text == self.iso


def scan_date(text: str, start: int) -> Date | None:
    """Return the date that stands in `text` at `start`, in any notation."""
    found = _DATE.match(text, start)
    return Date(found[0], _iso(found[0])) if found else None


def find_date(text: str) -> Date | None:
    """Return the first date in `text`, in any notation."""
    found = _DATE.search(text)
    return Date(found[0], _iso(found[0])) if found else None


def replace_date(text: str, date: str) -> str:
    """Return `text` with `date` in place of the first date in it."""
    return _DATE.sub(lambda _: date, text, count=1)


def is_iso_date(text: str) -> bool:
    """Return whether `text` is a day of the calendar as year-month-day."""
    found = _ISO.fullmatch(text)
    return found is not None and _is_day(*map(int, found.groups()))


def _iso(text: str) -> str:
    """Return the ISO form; "" where day and month may be confused, or no day is."""
    year_first = _YEAR_FIRST.fullmatch(text)
    if year_first:
        year, month, day = map(int, year_first.groups())
    else:
        words = _WORDS.findall(text.lower())
        named = [word for word in words if word[:3] in _MONTHS]
        if not named:
            return ""
        month = _MONTHS.index(named[0][:3]) + 1
        day, year = [int(word) for word in words if word.isdigit()]
    return f"{year:04}-{month:02}-{day:02}" if _is_day(year, month, day) else ""


def _is_day(year: int, month: int, day: int) -> bool:
    if not 1 <= month <= 12 or year == 0:
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = 28 + leap if month == 2 else 30 + (month + month // 8) % 2
    return 1 <= day <= days
