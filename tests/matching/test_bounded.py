from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.pattern import parse_pattern, unbounded_lines
from md_mcp.errors import PatternTimeoutError
from md_mcp.matching import bounded, bounded_lines
from md_mcp.matching.bounded import pieces
from md_mcp.matching.matcher import Matcher
from md_mcp.matching.messages import Lines

TEXT = "alpha\nBeta\n\ngamma beta\n"


@pytest.fixture(scope="module")
def matcher() -> Iterator[Matcher]:
    with Matcher() as matcher:
        yield matcher


class NoMatcher(Matcher):
    """Fails the test that lets a search leave the process."""

    def find_lines(self, *arguments: object, **named: object) -> Lines:
        raise AssertionError("the search left the process")


def test_plain_text_never_leaves_the_process() -> None:
    find_lines = bounded_lines(parse_pattern(r"be\x74a"), matcher=NoMatcher())
    assert [TEXT[start:end] for start, end in find_lines(TEXT)] == [
        "Beta",
        "gamma beta",
    ]


def test_other_patterns_run_in_the_worker(matcher: Matcher) -> None:
    with pytest.raises(AssertionError, match="left the process"):
        list(bounded_lines(parse_pattern("^b"), matcher=NoMatcher())(TEXT))
    find_lines = bounded_lines(parse_pattern("^b"), matcher=matcher)
    assert list(find_lines(TEXT)) == [(6, 10)]


def test_pieces_of_a_text_are_searched_as_one(
    matcher: Matcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "_PIECE", 7)
    pattern = parse_pattern(r"\w$")
    found = list(bounded_lines(pattern, matcher=matcher)(TEXT))
    assert found == list(unbounded_lines(pattern)(TEXT))


def test_the_time_of_a_call_counts_over_all_its_searches(matcher: Matcher) -> None:
    find_lines = bounded_lines(parse_pattern("^b"), call_seconds=0.0, matcher=matcher)
    with pytest.raises(PatternTimeoutError) as caught:
        list(find_lines(TEXT))
    assert (caught.value.pattern, caught.value.seconds) == ("^b", 0.0)


def test_a_text_that_takes_too_long_is_given_up(matcher: Matcher) -> None:
    find_lines = bounded_lines(
        parse_pattern("(a|aa)+$"), piece_seconds=0.2, matcher=matcher
    )
    with pytest.raises(PatternTimeoutError) as caught:
        list(find_lines("a" * 60 + "b"))
    assert (caught.value.pattern, caught.value.seconds) == ("(a|aa)+$", 0.2)


def test_a_process_has_one_matcher_of_its_own() -> None:
    find_lines = bounded_lines(parse_pattern("^b"))
    assert list(find_lines(TEXT)) == [(6, 10)]
    assert bounded._shared() is bounded._shared()
    bounded._shared().close()


@given(st.text(st.sampled_from("ab\n"), max_size=30), st.integers(1, 8))
def test_pieces_are_whole_lines_and_make_up_the_text(text: str, size: int) -> None:
    found = list(pieces(text, size))
    assert "".join(piece for _, piece in found) == text
    for offset, piece in found:
        assert text[offset:].startswith(piece)
        assert piece.endswith("\n") or offset + len(piece) == len(text)
        assert len(piece) <= size or piece.count("\n", 0, -1) == 0
