"""Unified diffs of texts, byte exact, in the form that `git apply` accepts.

Lines are cut at line feeds only, as git does, so carriage returns are shown as data and
an old-Mac file is one line. The "no newline" mark, which difflib leaves out, is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

CONTEXT = 3
"""Unchanged lines shown on each side of a change."""

_MAX_MATCHES = 200_000
"""Pairs of equal lines up to which difflib, quadratic in them, is asked."""

_NO_FINAL_NEWLINE = "\\ No newline at end of file\n"

_Opcode = tuple[str, int, int, int, int]


def unified_diff(before: str, after: str, name: str) -> str:
    """Return the unified diff that turns `before` into `after`, "" when they are equal.

    The headers are `--- a/NAME` and `+++ b/NAME`.
    """
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    hunks = _hunks(_opcodes(old, new))
    body = "".join(_hunk_text(hunk, old, new) for hunk in hunks)
    return f"--- a/{name}\n+++ b/{name}\n{body}"


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def _opcodes(old: Sequence[str], new: Sequence[str]) -> list[_Opcode]:
    """Return difflib-style opcodes; difflib itself sees only what differs."""
    shorter = min(len(old), len(new))
    prefix = _common_prefix(old, new, shorter)
    suffix = _common_prefix(old[::-1], new[::-1], shorter - prefix)
    old_middle = old[prefix : len(old) - suffix]
    new_middle = new[prefix : len(new) - suffix]
    codes = [
        (tag, i1 + prefix, i2 + prefix, j1 + prefix, j2 + prefix)
        for tag, i1, i2, j1, j2 in _middle_opcodes(old_middle, new_middle)
    ]
    if prefix:
        codes.insert(0, ("equal", 0, prefix, 0, prefix))
    if suffix:
        codes.append(
            ("equal", len(old) - suffix, len(old), len(new) - suffix, len(new))
        )
    return codes


def _common_prefix(old: Sequence[str], new: Sequence[str], limit: int) -> int:
    length = 0
    while length < limit and old[length] == new[length]:
        length += 1
    return length


def _middle_opcodes(old: Sequence[str], new: Sequence[str]) -> list[_Opcode]:
    old_counts, new_counts = Counter(old), Counter(new)
    matches = sum(count * new_counts[line] for line, count in old_counts.items())
    if not matches or matches > _MAX_MATCHES:
        return [("replace", 0, len(old), 0, len(new))]
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return list(matcher.get_opcodes())


def _hunks(codes: Sequence[_Opcode]) -> Iterator[list[_Opcode]]:
    """Yield groups of opcodes, long equal runs cut to `CONTEXT` lines at the rims."""
    hunk: list[_Opcode] = []
    for index, (tag, i1, i2, j1, j2) in enumerate(codes):
        if tag != "equal":
            hunk.append((tag, i1, i2, j1, j2))
            continue
        first, last = index == 0, index == len(codes) - 1
        if not first and not last and i2 - i1 <= 2 * CONTEXT:
            hunk.append((tag, i1, i2, j1, j2))
            continue
        if not first:
            hunk.append((tag, i1, min(i2, i1 + CONTEXT), j1, min(j2, j1 + CONTEXT)))
            yield hunk
        hunk = [(tag, max(i1, i2 - CONTEXT), i2, max(j1, j2 - CONTEXT), j2)]
        if last:
            return
    yield hunk


def _hunk_text(hunk: Sequence[_Opcode], old: Sequence[str], new: Sequence[str]) -> str:
    _, i1, _, j1, _ = hunk[0]
    _, _, i2, _, j2 = hunk[-1]
    rows = [f"@@ -{_range(i1, i2)} +{_range(j1, j2)} @@\n"]
    for tag, a1, a2, b1, b2 in hunk:
        if tag == "equal":
            rows += (_row(" ", line) for line in old[a1:a2])
        else:
            rows += (_row("-", line) for line in old[a1:a2])
            rows += (_row("+", line) for line in new[b1:b2])
    return "".join(rows)


def _row(sign: str, line: str) -> str:
    if line.endswith("\n"):
        return sign + line
    return f"{sign}{line}\n{_NO_FINAL_NEWLINE}"


def _range(start: int, end: int) -> str:
    """Return a hunk's line range: 1-based start and length, as diff(1) writes it."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"
