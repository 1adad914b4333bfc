"""Systems without directory handles: the package loads, works, and still confines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parent / "programs" / "bare_platform.py"
REPOSITORY = Path(__file__).resolve().parents[2]


def test_without_any_special_calls_files_are_read_and_edited(
    root: Path, outside: Path
) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "b.md").write_bytes(b"# B\n")
    (root / "out.md").symlink_to(outside / "s.md")
    path = os.pathsep.join((str(REPOSITORY), os.environ.get("PYTHONPATH", "")))
    done = subprocess.run(
        [sys.executable, "-B", str(PROGRAM), str(root / "a.md")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.split("\n") == [
        "['a.md', 'sub/b.md']",
        "() a.md",
        "refused",
        "",
    ]
    assert b"three" in (root / "a.md").read_bytes()
    assert sorted(path.name for path in root.iterdir()) == ["a.md", "out.md", "sub"]
