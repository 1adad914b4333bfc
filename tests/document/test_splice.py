import pytest

from md_mcp.document.splice import Splice, apply_splices
from md_mcp.document.text import Span


def test_splices_refer_to_the_original_text():
    splices = [Splice(Span(4, 5), "E"), Splice(Span(0, 2), ""), Splice(Span(2, 2), "+")]
    assert apply_splices("abcdef", splices) == "+cdEf"


def test_insertions_at_one_place_keep_their_order():
    splices = [Splice(Span(1, 1), "1"), Splice(Span(1, 1), "2")]
    assert apply_splices("ab", splices) == "a12b"


@pytest.mark.parametrize(
    ("spans", "message"), [([(0, 2), (1, 3)], "overlap"), ([(0, 9)], "after the text")]
)
def test_bad_splices_are_refused(spans, message):
    with pytest.raises(ValueError, match=message):
        apply_splices("abc", [Splice(Span(*span), "") for span in spans])
