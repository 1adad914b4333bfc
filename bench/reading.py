"""Measure the reading tools on a folder of Markdown files.

    python -m bench.reading [DIR …]

For each folder, by default docs/: the share of a file's tokens that its outline and its
index cost, over files above 8 KB; what the link graph costs to build, to ask again and
after a change, against reading the files once; the gain of the document cache.
Times are the best of several runs, in milliseconds. The folder is copied first.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from md_mcp import operations
from md_mcp.document.tokens import estimate_tokens
from md_mcp.errors import MdMcpError
from md_mcp.files import Files
from md_mcp.library.links import LinkGraph
from md_mcp.library.targets import is_note

_LARGE = 8 * 1024
_RUNS = 5


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="measure the reading tools")
    parser.add_argument("directories", type=Path, nargs="*", default=[Path("docs")])
    for directory in parser.parse_args(argv).directories:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place, directory.name)
            shutil.copytree(directory, folder)
            print(f"{directory.name}")
            measure_outlines(folder)
            measure_graph(folder)
            measure_cache(folder)
            sys.stdout.flush()
    return 0


def notes(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if is_note(path.name)]


def measure_outlines(folder: Path) -> None:
    files = Files.open([folder])
    outlines, indexes = [], []
    for path in notes(folder):
        try:
            document = files.read(path).document
        except MdMcpError:
            continue
        if len(document.text.encode()) <= _LARGE:
            continue
        tokens = estimate_tokens(document.text)
        outline = operations.get_outline(files, str(path))
        index = json.dumps(document.index(), ensure_ascii=False, separators=(",", ":"))
        outlines.append(estimate_tokens(outline) / tokens)
        indexes.append(estimate_tokens(index) / tokens)
    if outlines:
        print(f"  share of the tokens of {len(outlines)} files above 8 KB:")
        print(f"    outline {shares(outlines)}, index {shares(indexes)}")


def shares(values: list[float]) -> str:
    ninetieth = sorted(values)[len(values) * 9 // 10]
    return f"median {median(values):.1%} p90 {ninetieth:.1%}"


def measure_graph(folder: Path) -> None:
    paths = notes(folder)
    files = Files.open([folder])
    reading = best(
        lambda: [path.read_bytes().decode(errors="replace") for path in paths]
    )
    build = best(lambda: LinkGraph(str(folder)).update(files), runs=3)
    links = LinkGraph(str(folder))
    links.update(files)
    time.sleep(0.1)  # so that the files' times are settled
    links.update(files)
    found = list(links.broken(files))
    unchanged = best(lambda: links.update(files))
    changed = best(lambda: links.update(files), before=lambda: touch(paths[0]))
    broken = best(lambda: list(links.broken(files)))
    count = sum(map(len, links.edges.values()))
    print(f"  graph of {len(links.notes)} notes, {count} links:")
    for name, value in (
        ("build", build),
        ("unchanged", unchanged),
        ("one file changed", changed),
        ("broken", broken),
    ):
        print(f"    {name} {value:.0f} ms, {value / reading:.2f} of reading the files")
    headings = sum(link.is_heading_missing for link in found)
    print(f"    broken links: {len(found) - headings} files, {headings} headings")


def touch(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n[x](y.md)\n")


def measure_cache(folder: Path) -> None:
    path = str(max(notes(folder), key=lambda note: note.stat().st_size))
    cold = best(lambda: operations.get_outline(Files.open([folder]), path))
    files = Files.open([folder])
    operations.get_outline(files, path)
    time.sleep(0.1)
    operations.get_outline(files, path)
    warm = best(lambda: operations.get_section(files, path, "(preamble)"))
    cold_section = best(
        lambda: operations.get_section(Files.open([folder]), path, "(preamble)")
    )
    warm_outline = best(lambda: operations.get_outline(files, path))
    print(f"  largest file, {Path(path).stat().st_size // 1024} KB, cold and warm:")
    print(f"    get_section {cold_section:.2f} and {warm:.2f} ms,", end=" ")
    print(f"get_outline {cold:.2f} and {warm_outline:.2f} ms")


def best(
    run: Callable[[], object],
    *,
    runs: int = _RUNS,
    before: Callable[[], object] = lambda: None,
) -> float:
    """Return the least time of some runs in milliseconds."""
    times = []
    for _ in range(runs):
        before()
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return 1000 * min(times)


if __name__ == "__main__":
    sys.exit(main())
