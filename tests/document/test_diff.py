"""Diffs against exact texts, and against `git apply` as the independent judge."""

import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from md_mcp.document.diff import unified_diff


def test_equal_texts_have_no_diff():
    assert unified_diff("a\n", "a\n", "x.md") == ""


def test_a_change_has_three_lines_of_context():
    before = "".join(f"{n}\n" for n in range(1, 10))
    after = before.replace("5\n", "five\n")
    assert unified_diff(before, after, "docs/x.md") == (
        "--- a/docs/x.md\n+++ b/docs/x.md\n@@ -2,7 +2,7 @@\n"
        " 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )


def test_far_changes_are_hunks_of_their_own_and_near_ones_share_one():
    lines = [f"{n}\n" for n in range(20)]
    far = [*lines]
    far[2], far[16] = "x\n", "y\n"
    assert unified_diff("".join(lines), "".join(far), "x").count("@@ -") == 2
    near = [*lines]
    near[2], near[9] = "x\n", "y\n"
    assert unified_diff("".join(lines), "".join(near), "x").count("@@ -") == 1


def test_a_missing_final_line_ending_is_marked():
    assert unified_diff("a", "b\n", "x") == (
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"
    )


def test_carriage_returns_are_data():
    assert unified_diff("1\r2\r\nx\r\n", "1\r2\r\ny\r\n", "x") == (
        "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n 1\r2\r\n-x\r\n+y\r\n"
    )


def test_an_insertion_into_an_empty_text_starts_at_line_0():
    assert unified_diff("", "a\n", "x") == "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n"


def test_very_many_equal_lines_make_one_plain_hunk():
    before, after = "a\n" * 3000 + "b\n", "c\n" + "a\n" * 3000
    diff = unified_diff(before, after, "x")
    assert diff.count("@@ -") == 1
    assert diff.count("\n-a") + diff.count("\n a") == 3000


_LINE = st.sampled_from(["a\n", "b\n", "\n", "c\r\n", "d\re\n", "f\u2028g\n", " \n"])
_TEXT = st.builds(
    lambda lines, last: "".join(lines) + last,
    st.lists(_LINE, max_size=20),
    st.sampled_from(["", "", "z", "z\r"]),
)


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(before=_TEXT, after=_TEXT)
def test_git_apply_turns_the_one_text_into_the_other(tmp_path, before, after):
    diff = unified_diff(before, after, "x.md")
    if not diff or not before or not after:
        return
    file = tmp_path / "x.md"
    file.write_bytes(before.encode())
    run = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        input=diff.encode(),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert file.read_bytes() == after.encode()
