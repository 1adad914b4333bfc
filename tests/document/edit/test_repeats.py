"""The tail that content repeats, against its definition tried run by run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.edit import replace
from md_mcp.document.edit.layout import trim_blank
from md_mcp.document.edit.repeats import without_repeated_tail
from md_mcp.document.edit.tail import Tail
from md_mcp.document.model import Document
from md_mcp.document.text import Span

LINES = st.lists(st.sampled_from(["a", "b", "", "c"]), max_size=8)


def tail_of(lines: list[str]) -> tuple[Document, Tail]:
    """Return a document whose lines that are no blanks are the items of a tail."""
    text = "".join(line + "\n" for line in lines)
    items, position = [], 0
    for line in lines:
        end = position + len(line) + 1
        items += [Span(position, end)] if line else []
        position = end
    return Document(text), Tail(tuple(items), 0, len(text), len(text))


def longest_repeated_run(lines: list[str], content: list[str]) -> int:
    """Return how many items the longest run has that `content` ends in."""
    places = [index for index, line in enumerate(lines) if line]
    runs = (
        (last - first + 1, lines[places[first] : places[last] + 1])
        for first in range(len(places))
        for last in range(first, len(places))
    )
    return max((n for n, run in runs if content[-len(run) :] == run), default=0)


@given(LINES, LINES)
def test_the_longest_run_of_items_that_content_ends_in_is_dropped(lines, content):
    content = trim_blank(content)
    kept = list(without_repeated_tail(*tail_of(lines), content))
    dropped = sum(map(bool, content)) - sum(map(bool, kept))
    assert dropped == longest_repeated_run(lines, content)
    assert kept == content[: len(kept)]


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        pytest.param(["x", "a"], ["x"], id="the first item"),
        pytest.param(["x", "", "a", "", "b"], ["x"], id="all with the blank between"),
        pytest.param(["x", "a", "b"], ["x", "a"], id="another gap: the last item"),
        pytest.param(["x", "", "b", "y"], ["x", "", "b", "y"], id="not at the end"),
        pytest.param(["a", "", "b"], [], id="nothing else"),
    ],
)
def test_content_without_what_it_repeats(content, kept):
    assert list(without_repeated_tail(*tail_of(["a", "", "b"]), content)) == kept


def test_thousands_of_equal_comments_are_told_apart_in_linear_time():
    comments = "<!-- c -->\n\n" * 5_000
    before = "# A\n\nold\n\n" + comments + "# B\n"
    edit = replace(Document(before), "A", "new\n\n" + comments)
    assert edit.text == "# A\n\nnew\n\n" + comments + "# B\n"
