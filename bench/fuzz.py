"""Look for faults with random input, for as long as you like.

    python -m bench.fuzz [SECONDS] [--seed N] [--only TARGET]

The targets take turns: every property test of `tests/` that needs no fixture (edits on
nasty documents with all their guards, scanner and links against reference parsers,
front matter, patterns, messages), paths through random links against the kernel, tools
on paths that lead out of the root, and thousands of requests to a server. Each example
has a seed; a finding is printed with the command that repeats it, and the exit status
is 1.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import pkgutil
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from hypothesis import given

from md_mcp.errors import OutsideRootError
from md_mcp.files import Files
from md_mcp.files.roots import Roots
from md_mcp.server.execute import execute
from md_mcp.server.tool import Tool
from md_mcp.server.tools import select_tools
from tests.files import test_kernel
from tests.server import test_fuzz
from tests.server.conftest import Client

PROPERTIES = (
    *("tests.document", "tests.document.edit", "tests.document.front_matter"),
    *("tests.document.changelog", "tests.files", "tests.library", "tests.matching"),
    "tests.server",
)
"""Packages whose property tests are fuzzed."""

TURN_S = 1.0
REQUESTS = 400
MAX_BYTES = 6000
"""Random bytes from which one example of a property test is drawn, at most."""

MAX_SHOWN = 3000
"""Characters of the arguments that a finding is shown with."""

SECRET = b"# Outside\n\nSECRET\n"
LEADING_OUT = ("..", "../out", "../out/s.md", "/", "/proc/self/root", "/proc/self/cwd")
STEPS = ("..", ".", "", "d", "d/e", "a.md", "k", "l", "out", "s.md", "x\0y", ".git")

Target = Callable[[int], None]
"""Runs one example, which the seed decides on; raises at a finding."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="look for faults with random input")
    parser.add_argument("seconds", type=float, nargs="?", default=60)
    parser.add_argument("--seed", type=int, help="of the first example of a target")
    parser.add_argument("--only", default="", metavar="TARGET", help="part of a name")
    options = parser.parse_args(argv)
    seed = random.randrange(10**9) if options.seed is None else options.seed
    with tempfile.TemporaryDirectory() as folder:
        targets = dict(all_targets(Path(folder).resolve()))
        chosen = {name: run for name, run in targets.items() if options.only in name}
        if not chosen:
            parser.error("no such target. There are: " + ", ".join(targets))
        print(f"{len(chosen)} targets for {options.seconds:g} s from seed {seed}")
        sys.stdout.flush()
        return fuzz(chosen, options.seconds, seed)


def fuzz(targets: dict[str, Target], seconds: float, seed: int) -> int:
    """Let the targets take turns until the time is over; one each, however short it is.

    A target that has found something rests from then on.
    """
    end = time.monotonic() + seconds
    examples: Counter[str] = Counter()
    found: set[str] = set()
    while len(found) < len(targets):
        for name in targets.keys() - found:
            turn_end = min(time.monotonic() + TURN_S, end)
            while name not in found:
                if not holds(name, targets[name], seed + examples[name]):
                    found.add(name)
                examples[name] += 1
                if time.monotonic() >= turn_end:
                    break
        if time.monotonic() >= end:
            break
    for name in targets:
        print(f"{examples[name]:8,}  {name}{'  FINDING' * (name in found)}")
    print(f"{examples.total():,} examples, {len(found)} findings")
    return 1 if found else 0


def holds(name: str, run: Target, seed: int) -> bool:
    """Run one example; print what it finds, and how to see that again."""
    try:
        run(seed)
    except Exception as error:
        traceback.print_exc()
        print(f"\nFINDING: {name} with {given_values(error)}")
        print(f"Again: python -m bench.fuzz 0 --seed {seed} --only {name}")
        sys.stdout.flush()
        return False
    return True


def given_values(error: Exception) -> str:
    """Return what the failing function of the tests, or of this file, worked on."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    own = [frame for frame in frames if "site-packages" not in frame.f_code.co_filename]
    tests = [frame for frame in own if "/tests/" in frame.f_code.co_filename]
    return repr((tests or own)[0].f_locals)[:MAX_SHOWN]


# --- targets --------------------------------------------------------------------------


def all_targets(folder: Path) -> Iterator[tuple[str, Target]]:
    yield "server.requests", lambda seed: ask_server(folder, seed)
    yield "files.tools", hostile_paths(folder / "tools")
    yield "files.kernel", against_the_kernel(folder / "kernel")
    for package in PROPERTIES:
        yield from property_tests(package)


def property_tests(package: str) -> Iterator[tuple[str, Target]]:
    """Yield the tests of a package that Hypothesis can give all arguments."""
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        if not module.name.startswith("test_"):
            continue
        tests = vars(importlib.import_module(f"{package}.{module.name}"))
        for name, test in tests.items():
            if hasattr(test, "hypothesis") and not signature(test).parameters:
                yield f"{module.name}.{name}", drawn_from_bytes(test)


def drawn_from_bytes(test: Any) -> Target:
    """Return the target that gives a property test what random bytes stand for."""
    draw = test.hypothesis.fuzz_one_input

    def run(seed: int) -> None:
        rng = random.Random(seed)
        draw(rng.randbytes(rng.choice((50, 500, MAX_BYTES))))

    return run


def ask_server(folder: Path, seed: int) -> None:
    """Send a new server good and hostile requests about hostile documents."""
    client = Client(*test_fuzz.server_arguments(folder / str(seed)))
    try:
        test_fuzz.fuzz(client, folder / str(seed), REQUESTS, seed)
    finally:
        client.clean_up()
    shutil.rmtree(folder / str(seed))


def against_the_kernel(folder: Path) -> Target:
    """Return the target that compares resolved paths with the kernel's answers."""
    root = test_kernel.make_folders(folder / "root")

    @given(test_kernel.links, test_kernel.steps)
    def compare(targets: dict[tuple[str, str], tuple[bool, str]], path: str) -> None:
        with test_kernel.linked(root, targets):
            test_kernel.check(Roots.open(()), f"{root}/{path}")
            with contextlib.suppress(OutsideRootError):
                test_kernel.check(Roots.open([root]), f"{root}/{path}")

    return drawn_from_bytes(compare)


def hostile_paths(folder: Path) -> Target:
    """Return the target that hands tools paths and links that may lead out of a root.

    No answer may hold what is outside, and nothing outside may change.
    """
    root, outside = folder / "root", folder / "out"
    tools = select_tools(["all"], read_only=False)

    def run(seed: int) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        (root / "d" / "e").mkdir(parents=True)
        outside.mkdir()
        (outside / "s.md").write_bytes(SECRET)
        for inside in (root, root / "d", root / "d" / "e"):
            (inside / "a.md").write_bytes(b"# Outside\n\ntext\n")
        rng = random.Random(seed)
        for _ in range(4):
            make_link(rng, root)
        files = Files.open([root])
        for _ in range(20):
            name = rng.choice(list(tools))
            answer = execute(tools, name, path_arguments(rng, tools[name], root), files)
            assert "SECRET" not in answer.text, (name, answer.text)
            assert "INTERNAL_ERROR" not in answer.text, (name, answer.text)
        assert [path.name for path in outside.iterdir()] == ["s.md"]
        assert (outside / "s.md").read_bytes() == SECRET

    return run


def make_link(rng: random.Random, root: Path) -> None:
    """Make a symbolic link in a random folder, or none where the name is taken."""
    link = root / rng.choice(("", "d", "d/e")) / rng.choice("kl")
    target = rng.choice((*LEADING_OUT, random_path(rng, root)))
    with contextlib.suppress(OSError, ValueError):
        link.symlink_to(target)


def random_path(rng: random.Random, root: Path) -> str:
    path = "/".join(rng.choices(STEPS, k=rng.randint(1, 6)))
    return rng.choice(("", f"{root}/", f"{root}/../")) + path


def path_arguments(rng: random.Random, tool: Tool, root: Path) -> dict[str, Any]:
    """Return arguments that would succeed, if it were not for the paths."""
    fixed = {
        **dict.fromkeys(("path", "under", "heading_text"), "Outside"),
        "query": "e",
        "content": "new",
        "new_content": "new",
        "new": "x",
        "old": "t",
        "heading": "## N",
        "glob": rng.choice(("*.md", "**", "k/*", "l/**/*.md")),
        "file_path": random_path(rng, root),
        "directory": random_path(rng, root),
    }
    properties = tool.input_schema()["properties"]
    return {name: value for name, value in fixed.items() if name in properties}


if __name__ == "__main__":
    sys.exit(main())
