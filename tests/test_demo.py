"""The demo does the main job over MCP; `make demo` runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).resolve().parent.parent / "docs" / "demo" / "edit_over_mcp.py"


def run_demo(*arguments: str | Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, DEMO, *arguments], capture_output=True, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_demo_edits_a_copy_and_compares_every_byte() -> None:
    code, out, _ = run_demo()
    assert code == 0
    assert "\n-Lobed leaves, acorns on short stalks.   \n" in out
    assert "\n+Lobed leaves; acorns on long stalks.\n" in out
    assert out.endswith(
        "\nok\n\n"
        "bytes before the edited text: 221, all the same\n"
        "bytes after the edited text:  497, all the same\n"
    )


def test_on_an_own_file_the_demo_only_previews(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"# A\r\n\r\n## B\r\n\r\nb")
    code, out, _ = run_demo(path, "A.B")
    assert (code, path.read_bytes()) == (0, b"# A\r\n\r\n## B\r\n\r\nb")
    assert "\n+This line is only a preview.\n" in out


def test_what_the_server_refuses_ends_the_demo_with_its_words(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"# A\n")
    code, _, err = run_demo(path, "Z")
    assert code == 1
    assert err.startswith('SECTION_NOT_FOUND: no section "Z". ')
