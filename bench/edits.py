"""Measure edits of a large changelog, a long index, and the start of the command line.

    python -m bench.edits [--repeat N] [--megabytes N]

Each row is set against something else in the same run: a replace against reading,
writing and fsyncing the same bytes, the command line against `python -c pass`. Replaces
are told in wall time, since the disk is part of them, the rest in processor time.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from md_mcp import operations
from md_mcp.document.model import Document
from md_mcp.files import Files

RELEASE = """\
## [{number}.0.0] - 2024-01-02

### Added

- A thing that does something useful ([#12](https://example.org/12))

### Fixed

- A bug

"""
FILLER = (
    "- lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod\n" * 13
)


def changelog(megabytes: int) -> str:
    """Return a changelog of so many megabytes with three headings a release."""
    release = RELEASE + FILLER + "\n"
    count = megabytes * 1_000_000 // len(release)
    releases = (release.format(number=number) for number in range(count))
    return "# Changelog\n\n" + "".join(releases)


def wall_s(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def processor_s(act: Callable[[], object]) -> float:
    started = time.process_time()
    act()
    return time.process_time() - started


def rewrite(path: Path) -> None:
    """Read, write and fsync a file and put it in place of the old one."""
    data = path.read_bytes()
    beside = path.with_suffix(".new")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def measure_large_edits(folder: Path, megabytes: int, repeat: int) -> None:
    path = folder / "CHANGELOG.md"
    text = changelog(megabytes)
    path.write_text(text, encoding="utf-8")
    headings = len(Document(text).headings)
    address = rf"Changelog.{headings // 6}\.0\.0 - 2024-01-02.Fixed"
    plain, first, again = [], [], []
    for number in range(repeat):
        plain.append(wall_s(lambda: rewrite(path)))
        files = Files.open([folder])

        def replace(content: str, files: Files = files) -> object:
            return operations.replace_section(files, str(path), address, content)

        first.append(wall_s(partial(replace, f"- first {number}")))
        again.append(wall_s(partial(replace, f"- again {number}")))
    base = median(plain)
    print(f"changelog of {len(text) / 1e6:.0f} MB, {headings} headings, wall time")
    print(f"  read, write, fsync        {base * 1000:7.0f} ms")
    for name, times in (("replace, file not yet read", first), ("right after", again)):
        value = median(times)
        print(f"  {name:26}{value * 1000:7.0f} ms  {value / base:5.1f} x")


def measure_index(repeat: int) -> None:
    sections = "".join(f"## Section {n}\n\nText.\n\n" for n in range(12_000))
    best = min(
        processor_s(lambda: Document("# Manual\n\n" + sections).index())
        for _ in range(repeat)
    )
    print(f"index of 12,000 sections, nothing known: {best * 1000:.0f} ms of processor")


def start_s(arguments: Sequence[str], folder: Path, repeat: int) -> float:
    """Return the least processor time of a process, in seconds."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1].resolve())}
    times = []
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        user = after.ru_utime - before.ru_utime
        times.append(user + after.ru_stime - before.ru_stime)
    return min(times)


def measure_start(folder: Path, repeat: int) -> None:
    (folder / "README.md").write_text("# Guide\n\n## Use\n\nText.\n", encoding="utf-8")
    base = start_s(["-c", "pass"], folder, repeat)
    print(f"start, processor time; python -c pass {base * 1000:.0f} ms")
    for name, arguments in {
        "import md_mcp": ["-c", "import md_mcp"],
        "md-mcp get README.md Guide": ["-m", "md_mcp", "get", "README.md", "Guide"],
    }.items():
        value = start_s(arguments, folder, repeat)
        print(f"  {name:28}{value * 1000:5.0f} ms  {value / base:4.1f} x")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="measure edits, the index, the start")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--megabytes", type=int, default=20)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        measure_large_edits(folder, options.megabytes, options.repeat)
        measure_index(options.repeat)
        measure_start(folder, 2 * options.repeat)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
