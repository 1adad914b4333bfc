"""URLs of versions made from those of others."""

from __future__ import annotations

import pytest

from md_mcp.document.changelog.compare import release_url, unreleased_url

VERSIONS = ("1.2.0", "1.1.0", "1.0.0", "1.0")

GITHUB = "https://github.com/o/n/compare"
GITLAB = "https://gitlab.com/o/n/-/compare"
BITBUCKET = "https://bitbucket.org/o/n/branches/compare"


@pytest.mark.parametrize(
    ("url", "made"),
    [
        (f"{GITHUB}/v1.1.0...v1.2.0", f"{GITHUB}/v1.2.0...v1.3.0"),
        (f"{GITHUB}/v1.2.0...HEAD", f"{GITHUB}/v1.2.0...v1.3.0"),
        (f"{GITHUB}/1.0.0..main", f"{GITHUB}/1.2.0..1.3.0"),
        (f"{GITLAB}/n-1.1.0...n-1.2.0", f"{GITLAB}/n-1.2.0...n-1.3.0"),
        (f"{GITHUB}/@o/n@1.2.0...HEAD", f"{GITHUB}/@o/n@1.2.0...@o/n@1.3.0"),
        (f"{BITBUCKET}/v1.2.0%0Dv1.1.0", f"{BITBUCKET}/v1.3.0%0Dv1.2.0"),
        (f"{BITBUCKET}/HEAD%0Dv1.2.0", f"{BITBUCKET}/v1.3.0%0Dv1.2.0"),
        ("https://x.org/releases/tag/v1.2.0", "https://x.org/releases/tag/v1.3.0"),
        ("https://x.org/n/1.0/notes", "https://x.org/n/1.3.0/notes"),
        ("https://x.org/n/11.2.0/notes", None),
        (f"{GITHUB}/stable...main", None),
        ("https://x.org/blog/the-big-one", None),
    ],
)
def test_the_url_of_a_release_follows_that_of_another(
    url: str, made: str | None
) -> None:
    assert release_url(url, VERSIONS, "1.2.0", "1.3.0") == made


def test_a_comparison_needs_an_older_release() -> None:
    assert release_url(f"{GITHUB}/v1.1.0...v1.2.0", VERSIONS, "", "1.3.0") is None


@pytest.mark.parametrize(
    ("url", "made"),
    [
        (f"{GITHUB}/v1.1.0...HEAD", f"{GITHUB}/v1.3.0...HEAD"),
        (f"{BITBUCKET}/HEAD%0Dv1.2.0", f"{BITBUCKET}/HEAD%0Dv1.3.0"),
        (f"{GITHUB}/v1.1.0...v1.2.0", None),
        (f"{GITHUB}/stable...main", None),
        ("https://x.org/tree/main", None),
    ],
)
def test_the_url_of_what_is_unreleased_starts_from_the_latest(
    url: str, made: str | None
) -> None:
    assert unreleased_url(url, VERSIONS, "1.3.0") == made
