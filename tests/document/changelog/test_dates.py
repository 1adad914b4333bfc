"""Dates in headings, in several notations."""

from __future__ import annotations

import pytest

from md_mcp.document.changelog.dates import Date, find_date, is_iso_date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        pytest.param("(2024-01-02)", Date("2024-01-02", "2024-01-02"), id="ISO"),
        pytest.param("2024-1-2", Date("2024-1-2", "2024-01-02"), id="without zeros"),
        pytest.param("2024/01/02", Date("2024/01/02", "2024-01-02"), id="slashes"),
        pytest.param(
            "on May 3rd, 2020", Date("May 3rd, 2020", "2020-05-03"), id="month first"
        ),
        pytest.param(
            "3 September 2020", Date("3 September 2020", "2020-09-03"), id="day first"
        ),
        pytest.param(
            "01/02/2024", Date("01/02/2024", ""), id="day and month may be confused"
        ),
        pytest.param("2024-05-XX", Date("2024-05-XX", ""), id="a day to come"),
        pytest.param("2024-02-30", Date("2024-02-30", ""), id="no day of the calendar"),
        pytest.param("1.2024-01-02", None, id="part of a version"),
        pytest.param("2024-01-021", None, id="part of a number"),
        pytest.param("May 2020", None, id="no day"),
    ],
)
def test_find_date(text: str, date: Date | None) -> None:
    assert find_date(text) == date


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("2024-02-29", True),
        ("2023-02-29", False),
        ("2000-02-29", True),
        ("1900-02-29", False),
        ("2024-04-30", True),
        ("2024-04-31", False),
        ("2024-07-31", True),
        ("2024-08-31", True),
        ("2024-13-01", False),
        ("2024-12-00", False),
        ("0000-01-01", False),
        ("2024-1-1", False),
    ],
)
def test_is_iso_date(text: str, result: bool) -> None:
    assert is_iso_date(text) is result
