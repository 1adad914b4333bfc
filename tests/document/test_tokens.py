"""The token estimate."""

import pytest

from md_mcp.document.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing costs nothing"),
        pytest.param("a", 1, id="a part of four is rounded up"),
        pytest.param("abcdefgh", 2, id="four characters are a token"),
        pytest.param("ñandúes!", 2, id="accents do not count more"),
        pytest.param("数据库", 3, id="each Han character is a token"),
        pytest.param("データ", 3, id="so is each kana"),
        pytest.param("한글", 2, id="and each Hangul syllable"),
        pytest.param("、。\uff08\uff09", 4, id="and CJK punctuation"),
        pytest.param("数据库 API v2", 5, id="mixed text adds both counts"),
        pytest.param("𠀋𠂢", 2, id="Han beyond the basic plane counts once"),
        pytest.param("🎉🎉🎉🎉", 1, id="emoji are not CJK"),
    ],
)
def test_cjk_characters_cost_one_token_and_others_a_quarter(
    text: str, tokens: int
) -> None:
    assert estimate_tokens(text) == tokens
