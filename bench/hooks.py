"""Measure the hooks: cold start on one small file, and a call with many files.

    python -m bench.hooks [--repeat N] [--files N]

Prints a line a hook: the start as a multiple of `python -c pass` and in milliseconds
above it, and what a call with many files takes. Times are those of the processor, which
are the same on a busy machine: hooks wait for nothing.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HOOKS = ("changelog", "toc", "include", "front_matter", "headings", "links")

MAX_START_MS = 60.0
MAX_CALL_S = 2.0

FRONT_MATTER = """\
---
title: A page
---

"""

SMALL = """\
# Changelog

<!-- toc -->

- [Unreleased](#unreleased)
  - [Added](#added)
- [1.0.0 - 2024-01-02](#100---2024-01-02)
  - [Fixed](#fixed)

<!-- tocstop -->

## [Unreleased]

### Added

- An entry with a [link](#unreleased).

## [1.0.0] - 2024-01-02

### Fixed

- Another.
"""


def code_of(hook: str) -> str:
    return f"import sys\nfrom md_mcp.hooks.{hook} import main\nmain(sys.argv[1:])"


def best_s(arguments: Sequence[str], folder: Path, repeat: int) -> float:
    """Return the least seconds of processor time that a process takes."""
    root = str(Path(__file__).resolve().parent.parent)
    environment = {**os.environ, "PYTHONPATH": root}
    times = []
    for _ in range(repeat):
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="measure the hooks")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--files", type=int, default=1000)
    options = parser.parse_args(argv)
    slow = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = [f"{number:04}.md" for number in range(options.files)]
        bare = best_s(["-c", "pass"], folder, options.repeat)
        print(f"{'python -c pass':15} {bare * 1000:6.1f} ms")
        for hook in HOOKS:
            text = FRONT_MATTER + SMALL if hook == "front_matter" else SMALL
            for file in names:
                (folder / file).write_bytes(text.encode())
            check = ["-c", code_of(hook), "--check"]
            start = best_s([*check, names[0]], folder, options.repeat)
            call = best_s([*check, *names], folder, max(2, options.repeat // 8))
            above = (start - bare) * 1000
            print(
                f"{hook:15} {start / bare:5.1f} x, {above:5.1f} ms above"
                f" / {len(names)} files {call:5.2f} s, {call / start:5.1f} x a start"
            )
            slow += above > MAX_START_MS or call > MAX_CALL_S
    print(
        f"promised: {MAX_START_MS:.0f} ms above, {MAX_CALL_S:.0f} s; missed by {slow}"
    )
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
