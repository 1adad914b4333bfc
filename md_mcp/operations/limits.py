"""How long an answer may be, and cutting one that is longer.

Clients cut what is long, or show nothing of it, and say so to nobody. So long answers
are cut here, at the boundary of an item, and tell how to get what is missing.
"""

from __future__ import annotations

from typing import Any

PAGE = 10 * 1024
"""Bytes of a result that nobody asked to be longer."""

CAP = 48 * 1024
"""Bytes that no result exceeds, one that was asked for in full included."""

MAX_LINES = 1900

_NOTE = 200
"""Bytes set aside for the words about what is missing."""


def size_of(text: str) -> int:
    """Return the bytes of `text` as it is sent."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def json_size(value: object) -> int:
    """Return the bytes of `value` as compact JSON, with a line break an item."""
    import json

    return size_of(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) + 1


def fit(answer: dict[str, Any], budget: int, hint: str) -> dict[str, Any]:
    """Return `answer` with its longest lists and maps cut until it fits in `budget`.

    What was cut is counted under "cut", followed by `hint`, which tells what to do.
    """
    if json_size(answer) <= budget and _items(answer) <= MAX_LINES:
        return answer
    answer, cut = dict(answer), list[str]()
    budget -= _NOTE + size_of(hint)
    lines = MAX_LINES - len(answer)
    for key in sorted(answer, key=lambda key: -json_size(answer[key])):
        others = {name: value for name, value in answer.items() if name != key}
        kept = _first(answer[key], budget - json_size(others), lines - _items(others))
        if kept is not None:
            cut.append(f"{len(answer[key]) - len(kept)} of {key}")
            answer[key] = kept
        if json_size(answer) <= budget and _items(answer) <= lines:
            break
    return {**answer, "cut": f"left out: {', '.join(cut)}; {hint}"}


def _items(answer: dict[str, Any]) -> int:
    return sum(len(v) for v in answer.values() if isinstance(v, list))


def _first(value: Any, budget: int, count: int) -> Any:
    """Return the first items of a list or map that fit, None for another value."""
    if not isinstance(value, list | dict):
        return None
    items = list(value.items()) if isinstance(value, dict) else value
    kept = []
    for item in items[: max(0, count)]:
        budget -= json_size(item)
        if budget < 0:
            break
        kept.append(item)
    return dict(kept) if isinstance(value, dict) else kept
