"""The categories of a release: how they are spelled and in which order they stand."""

from __future__ import annotations

from collections.abc import Sequence

from md_mcp.document.changelog.read import Changelog
from md_mcp.document.path import comparison_key

CATEGORIES = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
"""The types of changes of https://keepachangelog.com/en/1.1.0/#how, in its order."""

_MIN_SHARED = 3
"""Characters that a misspelling shares with the name, counted from both ends."""

_MAX_DIFFERENT = 2


def find_category(text: str, categories: Sequence[str] = CATEGORIES) -> str | None:
    """Return the category that a heading spells, rightly or nearly so."""
    key = comparison_key(text).strip("*_: ")
    for name in categories:
        if key == comparison_key(name):
            return name
    return next((name for name in categories if _is_close(key, name.casefold())), None)


def has_vocabulary(
    changelog: Changelog, categories: Sequence[str] = CATEGORIES
) -> bool:
    """Return whether a changelog uses these categories at all.

    One that uses none of them has words of its own, which are not misspellings.
    """
    names = frozenset(categories)
    titles = (c.title for r in changelog.releases for c in r.categories)
    return any(title in names for title in titles)


def rank(text: str, categories: Sequence[str] = CATEGORIES) -> int | None:
    """Return the place of a category in the order, None for an unknown one."""
    name = find_category(text, categories)
    return None if name is None else list(categories).index(name)


def _is_close(one: str, other: str) -> bool:
    """Return whether two words differ in one place, by two characters at most."""
    shortest = min(len(one), len(other))
    front = next((i for i in range(shortest) if one[i] != other[i]), shortest)
    rest = shortest - front
    back = next((i for i in range(rest) if one[-1 - i] != other[-1 - i]), rest)
    different = max(len(one), len(other)) - front - back
    return front + back >= _MIN_SHARED and different <= _MAX_DIFFERENT
