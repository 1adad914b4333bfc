"""Measure searching: many files against grep and ripgrep, and patterns that must stop.

    python -m bench.search [FOLDER] [--repeat N]

Without FOLDER a folder of Markdown files is made. Ours runs as in a server that has
searched before; `first` is the first search of a process, from a warm disk cache. All
programs take turns, so that a busy machine slows all alike; medians are shown. Ours
stops at 1,000 matches and names sections, the others print all lines.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from md_mcp.document.pattern import Pattern, parse_pattern
from md_mcp.errors import PatternError
from md_mcp.files import Files
from md_mcp.library import search as library
from md_mcp.matching import bounded, bounded_lines
from md_mcp.operations.search import search_files

WORDS = "alpha beta gamma delta install server section heading needle error fatal"


@dataclass(frozen=True)
class Case:
    """A search, and the same one for grep."""

    name: str
    query: str
    case_sensitive: bool
    extended: str = ""

    @property
    def flags(self) -> list[str]:
        """Options that grep and ripgrep share."""
        return [] if self.case_sensitive else ["-i"]


CASES = (
    Case("a text that is nowhere", "zqxjkv wypq", True),
    Case("a text that is nowhere, any case", "zqxjkv wypq", False),
    Case("a text", "Prerequisites", True),
    Case("a text, any case", "prerequisites", False),
    Case("a frequent text, any case", "install", False),
    Case("a pattern with a text in it", r"fatal\w* +error", False, r"fatal\w* +error"),
    Case("words", r"\bTODO\b", True, r"\bTODO\b"),
    Case("alternatives", "(warning|fatal): [a-z]+", False),
    Case("a pattern without a text", r"\d{9,}[a-f]", True, "[0-9]{9,}[a-f]"),
    Case("an anchored pattern", "^[A-Z]{13,}$", True),
)

HOSTILE = (
    ("(a|aa)+$", "a" * 60 + "b"),
    ("^(.*?,){25}P", "," * 40),
    ("(a|b|ab)*[xy]", "ab" * 500_000),
    (r"(\w+\s?)+$", "word " * 20_000 + "!"),
)


def make_corpus(folder: Path, count: int = 3000) -> None:
    """Write `count` files of some 9 KB below `folder`."""
    pick = random.Random(1)
    words = WORDS.split()
    for number in range(count):
        lines = [f"# File {number}", ""]
        for section in range(12):
            lines += [f"## Section {section}", ""]
            lines += [" ".join(pick.choices(words, k=12)) for _ in range(8)]
            lines.append("")
        path = folder / f"d{number % 50:02}" / f"f{number:04}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines), "utf-8")


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def runs(command: Sequence[str]) -> Callable[[], object]:
    """Return a call that runs a program; nothing found is no error."""
    return lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def measure(case: Case, files: Files, folder: str, repeat: int) -> dict[str, float]:
    """Return the median seconds of each program for one search."""
    grep_query = case.extended or case.query

    def ours() -> None:
        search_files(
            files,
            folder,
            "**/*",
            case.query,
            case_sensitive=case.case_sensitive,
            limit=1000,
        )

    programs: dict[str, Callable[[], object]] = {"ours": ours}
    if shutil.which("grep"):
        programs["grep"] = runs(["grep", "-rnE", *case.flags, grep_query, folder])
    if shutil.which("rg"):
        programs["rg"] = runs(["rg", "-n", *case.flags, grep_query, folder])
    times: dict[str, list[float]] = {name: [] for name in programs}
    library._contents.cache_clear()
    first = seconds(ours)
    for _ in range(repeat):
        for name, program in programs.items():
            times[name].append(seconds(program))
    return {"first": first, **{n: statistics.median(t) for n, t in times.items()}}


def show_files(folder: str, repeat: int) -> None:
    files = Files.open([folder])
    found = [file.identity.size for file in files.walk(folder, "**/*")]
    print(f"{len(found):,} files, {sum(found) / 1e6:.1f} MB; milliseconds, medians")
    head = f"{'search':36}{'first':>7}{'ours':>7}{'grep':>7}{'rg':>7}"
    print(f"{head}{'/grep':>7}{'/rg':>7}")
    for case in CASES:
        times = measure(case, files, folder, repeat)
        cells = [times.get(name) for name in ("first", "ours", "grep", "rg")]
        shown = "".join(f"{1000 * t:7.0f}" if t else f"{'-':>7}" for t in cells)
        ratios = [times["ours"] / t if t else None for t in cells[2:]]
        shown += "".join(f"{r:7.2f}" if r else f"{'-':>7}" for r in ratios)
        print(f"{case.name:36}{shown}")


def show_patterns() -> None:
    """Show how long patterns take that must not hurt."""
    bounded._shared().close()  # it is warm from the searches before
    warm = parse_pattern(r"\d")
    print(f"\nworker: first search {1000 * seconds(lambda: once(warm, '1')):.0f} ms")
    again = statistics.median(seconds(lambda: once(warm, "1")) for _ in range(50))
    print(f"worker: each further one {1000 * again:.2f} ms")
    for query, text in HOSTILE:
        outcome = "answered"

        def search(query: str = query, text: str = text) -> None:
            nonlocal outcome
            try:
                once(parse_pattern(query), text)
            except PatternError as error:
                outcome = error.code

        print(f"{query:20} on {len(text):>9,} characters: ", end="", flush=True)
        print(f"{seconds(search):.2f} s, {outcome}")


def once(pattern: Pattern, text: str) -> None:
    list(bounded_lines(pattern)(text))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("folder", nargs="?", help="Markdown files (default: made ones)")
    parser.add_argument("--repeat", type=int, default=11, help="runs of each search")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as made:
        if options.folder is None:
            make_corpus(Path(made))
        show_files(str(Path(options.folder or made).resolve()), options.repeat)
    show_patterns()
    return 0


if __name__ == "__main__":
    sys.exit(main())
