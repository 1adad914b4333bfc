from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.server.framing import KEPT_BYTES, LineSplitter, LongLine


def split(splitter: LineSplitter, *chunks: bytes) -> list[bytes | LongLine]:
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    return [*lines, *splitter.finish()]


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        pytest.param([b"a\nb\n"], [b"a", b"b"], id="two lines in one chunk"),
        pytest.param([b"a", b"b\nc", b"\n"], [b"ab", b"c"], id="lines across chunks"),
        pytest.param([b"a\nb"], [b"a", b"b"], id="a last line without its end"),
        pytest.param([b"\n\n"], [b"", b""], id="empty lines"),
        pytest.param([], [], id="nothing"),
        pytest.param([b"a\r\nb\r"], [b"a\r", b"b\r"], id="carriage returns stay"),
    ],
)
def test_lines_end_at_line_feeds(chunks: list[bytes], lines: list[bytes]) -> None:
    assert split(LineSplitter(), *chunks) == lines


def test_a_line_at_the_limit_is_kept_and_one_above_it_is_not() -> None:
    assert split(LineSplitter(limit=4), b"abcd\nabcde\nabc\n") == [
        b"abcd",
        LongLine(b"abcde", b"abcde"),
        b"abc",
    ]


def test_a_long_line_is_skipped_without_being_stored() -> None:
    splitter = LineSplitter(limit=10_000)
    for _ in range(500):
        assert list(splitter.feed(b"x" * 1000)) == []
        assert len(splitter._pending) <= 11_000
    (line,) = splitter.feed(b"end\nnext")
    assert line == LongLine(b"x" * KEPT_BYTES, b"x" * (KEPT_BYTES - 3) + b"end")
    assert list(splitter.finish()) == [b"next"]


def test_an_unended_long_line_is_reported_at_the_end() -> None:
    assert split(LineSplitter(limit=3), b"abcd") == [LongLine(b"abcd", b"abcd")]


@given(st.lists(st.binary(max_size=9)), st.integers(1, 7))
def test_how_the_stream_is_cut_does_not_matter(pieces: list[bytes], size: int) -> None:
    stream = b"\n".join(pieces)
    chunks = [stream[i : i + size] for i in range(0, len(stream), size)]
    assert split(LineSplitter(), *chunks) == split(LineSplitter(), stream)
