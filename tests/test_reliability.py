"""Every test that docs/reliability.md names exists."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parent
PAGE = TESTS.parent / "docs" / "reliability.md"

SHORT = {
    "S": "server/test_hostile_paths.py",
    "C": "cli/test_hostile_paths.py",
    "H": "server/test_hostile_documents.py",
}
"""Names that the page gives to files that its tables name often."""


def test_the_tests_that_the_page_names_exist() -> None:
    text = PAGE.read_bytes().decode()
    named = re.findall(r"`([\w/.]+)::(test_\w+)`", text)
    missing = [
        f"{file}::{test}"
        for file, test in named
        if f"def {test}(" not in (TESTS / SHORT.get(file, file)).read_text("utf-8")
    ]
    assert len(named) > 80
    assert missing == []


def test_the_files_of_tests_that_the_page_names_exist() -> None:
    files = {path.name for path in TESTS.rglob("test_*.py")}
    named = re.findall(r"`(?:[\w/]+/)?(test_\w+\.py)[`:]", PAGE.read_bytes().decode())
    assert set(named) - files == set()
