"""Cutting answers that are too long for clients."""

from __future__ import annotations

from typing import Any

import pytest

from md_mcp.operations.limits import MAX_LINES, fit, json_size


def test_an_answer_that_fits_is_not_touched() -> None:
    answer = {"total": 3, "notes": ["a", "b", "c"]}
    assert fit(answer, 1000, "hint") is answer


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"notes": ["note"] * 1000, "n": 1}, id="a list"),
        pytest.param({"types": {f"type{n}": n for n in range(500)}}, id="a map"),
        pytest.param({"a": ["x" * 50] * 90, "b": ["y" * 50] * 80}, id="two lists"),
        pytest.param({"a": ["\u6570\u636e" * 20] * 90}, id="three bytes a character"),
        pytest.param({"a": ["x" * 9000]}, id="an item that is too long alone"),
    ],
)
def test_a_long_answer_is_cut_and_says_so(answer: dict[str, Any]) -> None:
    cut = fit(answer, 2000, "do this")
    assert json_size(cut) <= 2000
    assert cut["cut"].startswith("left out: ")
    assert cut["cut"].endswith("; do this")


def test_what_is_left_out_is_counted() -> None:
    cut = fit({"notes": ["x" * 98] * 30, "total": 30}, 1500, "hint")
    kept = len(cut["notes"])
    assert 0 < kept < 30
    assert cut["cut"] == f"left out: {30 - kept} of notes; hint"
    assert cut["total"] == 30


def test_a_list_of_very_many_short_items_is_cut_at_the_lines_clients_show() -> None:
    cut = fit({"a": [1] * 3000}, 1_000_000, "hint")
    assert MAX_LINES - 10 < len(cut["a"]) <= MAX_LINES
