"""Time the files layer against the plain calls that it stands in for.

    python -m bench.files [--files N] [--folder DIR]

Each row gives a time, the time of the plain call and their ratio. The plain calls check
nothing: `pathlib` reads follow any link, and the plain write is a temporary file,
flushed and renamed. The rows of refusals compare two of ours. Times are medians, and
depend on the machine; ratios hardly do.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from md_mcp.document.edit import Edit
from md_mcp.document.model import Document
from md_mcp.document.splice import Splice
from md_mcp.document.text import Span
from md_mcp.errors import FileError
from md_mcp.files import Files

TEXT = "# Title\n\n## Alpha\n\n" + "Some words in a line of text.\n" * 100


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="time the files layer")
    parser.add_argument("--files", type=int, default=5000, metavar="N")
    parser.add_argument("--folder", type=Path, metavar="DIR")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        root = Path(name) / "root"
        make_tree(root, options.files)
        time.sleep(0.1)  # a file that changed a moment ago is not yet trusted
        walks(root, options.files)
        reads(root)
        refusals(root)
        writes(root)
    return 0


def make_tree(root: Path, count: int) -> None:
    """Write `count` files, fifty to a folder."""
    for number in range(count):
        folder = root / f"folder-{number // 50:03}"
        if number % 50 == 0:
            folder.mkdir(parents=True)
        (folder / f"note-{number % 50:02}.md").write_bytes(TEXT.encode())


def walks(root: Path, count: int) -> None:
    walk = Files.open([root]).walk(root, "**/*.md")

    def look() -> None:
        for folder, _, names in os.walk(root):
            for name in names:
                (Path(folder) / name).lstat()

    def read() -> None:
        for path in root.rglob("*.md"):
            path.read_bytes().decode()

    ours = timed(lambda: sum(1 for _ in walk), 9)
    row(f"state of {count:,} files", ours, timed(look, 9))
    ours = timed(lambda: sum(1 for _ in walk.documents()), 5)
    row(f"text of {count:,} files", ours, timed(read, 5))


def reads(root: Path) -> None:
    files, path = Files.open([root]), root / "folder-000" / "note-00.md"

    def plain() -> None:
        if path.resolve().is_relative_to(root):
            len(Document(path.read_bytes().decode()).headings)

    def cold() -> None:
        len(Files.open([root]).read(path).document.headings)

    def warm() -> None:
        len(files.read(path).document.headings)

    warm()
    row("read and find headings, first time", timed(cold, 300), timed(plain, 300))
    row("read and find headings, again", timed(warm, 300), timed(cold, 300))


def refusals(root: Path) -> None:
    """Compare a path outside that exists with one that does not."""
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "s.md").write_bytes(b"# S\n")
    (root / "exists.md").symlink_to(outside / "s.md")
    (root / "missing.md").symlink_to(outside / "none.md")
    with (root / "sparse.md").open("wb") as file:
        file.truncate(1024**3)
    files = Files.open([root])

    def refused(path: Path) -> Callable[[], None]:
        def call() -> None:
            with contextlib.suppress(FileError):
                files.read(path)

        return call

    there, not_there = (
        timed(refused(outside / name), 1000) for name in ("s.md", "none.md")
    )
    row("refuse what is outside / is not there", there, not_there)
    there, not_there = (
        timed(refused(root / name), 1000) for name in ("exists.md", "missing.md")
    )
    row("refuse a link to it / to nothing", there, not_there)
    row("refuse 1 GiB / a link out", timed(refused(root / "sparse.md"), 300), there)


def writes(root: Path) -> None:
    files, path = Files.open([root]), root / "folder-000" / "note-00.md"
    words = iter(range(1_000_000))

    def plan(document: Document) -> Edit:
        at = document.text.index("\n\nSome") + 2
        splices = (Splice(Span(at, at + 4), f"Some {next(words)}"),)
        return Edit(document, splices, "edit", "Alpha", Span(0, len(document.text)))

    def plain() -> None:
        data = path.read_bytes().replace(b"Some", b"Same", 1)
        saved = path.with_suffix(".new")
        with saved.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        saved.replace(path)

    row("write", timed(lambda: files.update(path, plan), 50), timed(plain, 50))


def timed(call: Callable[[], object], rounds: int) -> float:
    """Return the median time of a call in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * median(times)


def row(name: str, ours: float, plain: float) -> None:
    ratio = ours / plain if plain else 0.0
    print(f"{name:38} {ours:9.3f} ms {plain:9.3f} ms {ratio:6.2f} x")


if __name__ == "__main__":
    raise SystemExit(main())
