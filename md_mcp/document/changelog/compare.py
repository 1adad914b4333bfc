"""The URLs behind versions: comparisons of two tags, and pages of one.

    https://github.com/owner/name/compare/v1.1.0...v1.2.0
    https://gitlab.com/owner/name/-/compare/v1.1.0...HEAD
    https://bitbucket.org/owner/name/branches/compare/v1.2.0%0Dv1.1.0    newer first
    https://github.com/owner/name/releases/tag/name-v1.2.0

Nothing is known about the sites: new URLs are old ones with other versions in them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from md_mcp.document.changelog.version import Version, find_version

_COMPARISON = re.compile(
    r"(?P<head>.*/compare/)(?P<left>.+?)(?P<mark>\.{2,3}|%0[Dd])(?P<right>[^?#]+)"
    r"(?P<tail>.*)",
    re.DOTALL,
)


class Comparison(NamedTuple):
    """A URL that compares two tags or branches; `left` comes first in it."""

    head: str
    left: str
    mark: str
    right: str
    tail: str

    @property
    def url(self) -> str:
        """The URL itself."""
        return self.head + self.left + self.mark + self.right + self.tail


def find_comparison(url: str) -> Comparison | None:
    """Return the parts of a URL that compares, None for any other."""
    match = _COMPARISON.fullmatch(url)
    return Comparison(**match.groupdict()) if match else None


def version_in(tag: str, versions: Sequence[str]) -> str:
    """Return the longest of `versions` that stands in a tag or URL, "" if none does."""
    found = [version for version in versions if _whole(version).search(tag)]
    return max(found, key=len, default="")


def retag(tag: str, old: str, new: str) -> str:
    """Return a tag or URL with the version `new` in place of `old`."""
    return _whole(old).sub(lambda _: new, tag)


def release_url(url: str, versions: Sequence[str], older: str, new: str) -> str | None:
    """Return the URL of the release `new`, which follows `older`, made from another's.

    `url` is that of any release among `versions`, or of the unreleased changes. None
    means that it names none of them, or compares and there is no `older`.
    """
    comparison = find_comparison(url)
    if comparison is None:
        known = version_in(url, versions)
        return retag(url, known, new) if known else None
    tag = comparison.left if _version(comparison.left, versions) else comparison.right
    known = _version(tag, versions)
    if not known or not older:
        return None
    return _with_sides(
        comparison,
        retag(tag, known, older),
        retag(tag, known, new),
        newer_first=_is_newer_first(comparison, versions),
    ).url


def unreleased_url(url: str, versions: Sequence[str], latest: str) -> str | None:
    """Return the URL of the changes after `latest`, made from that after another.

    None means that `url` does not compare a known version with a branch.
    """
    comparison = find_comparison(url)
    if comparison is None:
        return None
    left = _version(comparison.left, versions)
    right = _version(comparison.right, versions)
    if bool(left) == bool(right):
        return None
    if left:
        return comparison._replace(left=retag(comparison.left, left, latest)).url
    return comparison._replace(right=retag(comparison.right, right, latest)).url


def _version(tag: str, versions: Sequence[str]) -> str:
    return version_in(tag, versions)


def _is_newer_first(comparison: Comparison, versions: Sequence[str]) -> bool:
    left = _version(comparison.left, versions)
    right = _version(comparison.right, versions)
    if left and right:
        return _key(left) > _key(right)
    return bool(right)


def _key(version: str) -> tuple[object, ...]:
    found = find_version(version) or Version("0")
    return found.key


def _with_sides(
    comparison: Comparison, older: str, newer: str, *, newer_first: bool
) -> Comparison:
    left, right = (newer, older) if newer_first else (older, newer)
    return comparison._replace(left=left, right=right)


def _whole(version: str) -> re.Pattern[str]:
    """Return the expression for a version that is no part of a longer one."""
    return re.compile(rf"(?<![0-9.]){re.escape(version)}(?![0-9]|\.[0-9])")
