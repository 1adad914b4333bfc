"""Time the heading scan against parsers of Markdown, and its growth on hostile input.

    python -m bench.headings [CORPUS] [--repeat N] [--changelog-mb N]

Each contender gets the same texts as `str`, one document at a time; what stands after
the front matter counts. Without a folder the texts are made, from a fixed seed. The
rows of one table come from one run, contenders in turn; a cell is the median in MB/s of
UTF-8 and how many times as long as md-mcp the contender takes. It is processor time
that counts, so that a busy machine distorts little; all of them use one thread.

What each contender does differs, and none does less than find the headings: md-mcp
scans, markdown-it-py runs its block rules (inline rules off), cmark and cmark-gfm parse
to a tree (the latter also renders, which its binding cannot leave out), pyromark gives
all events with their ranges.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import importlib.util
import platform
import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

from md_mcp.document.model import Document
from md_mcp.document.scanner import scan_headings
from md_mcp.errors import MdMcpError

Parse = Callable[[str], object]

EXTENSIONS = {".md", ".markdown", ".mdx"}
MEGABYTE = 1_000_000


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="time the heading scan")
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--repeat", type=int, default=3, metavar="N")
    parser.add_argument("--changelog-mb", type=int, default=20, metavar="N")
    options = parser.parse_args(argv)
    corpus = read_corpus(options.corpus) if options.corpus else make_corpus()
    inputs = {
        "corpus": corpus,
        "changelog": [make_changelog(options.changelog_mb * MEGABYTE)],
        "always exact": make_doubtful(),
        "CJK, emoji": [translate(text) for text in make_corpus()],
        "its ASCII twin": make_corpus(),
    }
    print(f"Python {platform.python_version()}, {platform.machine()}")
    for name, texts in inputs.items():
        size = sum(len(text.encode()) for text in texts) / MEGABYTE
        print(f"{name}: {len(texts)} documents, {size:.1f} MB")
    print_speed(inputs, contenders(), options.repeat)
    print_growth(options.repeat)
    return 0


# --- contenders -----------------------------------------------------------------------


def contenders() -> dict[str, Parse]:
    """Return what can be measured here by name, md-mcp first."""
    found: dict[str, Parse] = {"md-mcp": scan_headings}
    makers = {
        "markdown-it-py": markdown_it,
        "cmark": cmark,
        "cmarkgfm": cmarkgfm,
        "pyromark": pyromark,
    }
    for name, make in makers.items():
        parse = make()
        if parse:
            found[name] = parse
        else:
            print(f"{name} is not installed")
    return found


def markdown_it() -> Parse | None:
    if not importlib.util.find_spec("markdown_it"):
        return None
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    return parser.disable(["inline", "text_join"], ignoreInvalid=True).parse


def cmark() -> Parse | None:
    """Return the parser of the C library, as Debian's libcmark packages install it."""
    name = ctypes.util.find_library("cmark")
    if not name:
        return None
    library = ctypes.CDLL(name)
    library.cmark_parse_document.restype = ctypes.c_void_p
    library.cmark_parse_document.argtypes = [
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_int,
    ]
    library.cmark_node_free.argtypes = [ctypes.c_void_p]

    def parse(text: str) -> None:
        data = text.encode()
        library.cmark_node_free(library.cmark_parse_document(data, len(data), 0))

    return parse


def cmarkgfm() -> Parse | None:
    if not importlib.util.find_spec("cmarkgfm"):
        return None
    binding = importlib.import_module("cmarkgfm.cmark")  # it has no type hints
    render: Parse = partial(
        binding.markdown_to_html_with_extensions, extensions=["table"]
    )
    return render


def pyromark() -> Parse | None:
    if not importlib.util.find_spec("pyromark"):
        return None
    from pyromark import Markdown, Options

    parser = Markdown(options=Options.ENABLE_TABLES)
    return lambda text: list(parser.events_with_range(text))


# --- documents ------------------------------------------------------------------------


def read_corpus(folder: Path) -> list[str]:
    """Return the bodies of the Markdown files below `folder`."""
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in EXTENSIONS and path.is_file():
            try:
                document = Document.from_bytes(path.read_bytes(), str(path))
            except MdMcpError:
                continue
            texts.append(document.text[document.body_start :])
    return texts


WORDS = [
    *("the", "a", "section", "of", "heading", "file", "list", "keeps", "text", "when"),
    *("path", "write", "server", "only", "first", "between", "change", "every"),
    *("which", "reader", "option", "value", "default", "returns", "error", "because"),
]


def sentence(chance: random.Random) -> str:
    words = chance.choices(WORDS, k=chance.randint(5, 16))
    return " ".join(words).capitalize() + "."


def block(chance: random.Random) -> str:
    """Return a block as documents hold it, about as often as they do."""
    lines = [sentence(chance) for _ in range(chance.randint(1, 5))]
    kind = chance.choices(
        ["text", "list", "code", "table", "html", "quote", "setext"],
        [50, 20, 12, 6, 6, 4, 2],
    )[0]
    if kind == "list":
        return "".join(f"- {line}\n  {line}\n" for line in lines)
    if kind == "code":
        return "```python\n" + "".join(f"# {line}\n" for line in lines * 2) + "```\n"
    if kind == "table":
        rows = "".join(f"| {line[:20]} | {line[-20:]} |\n" for line in lines)
        return "| one | two |\n| --- | --- |\n" + rows
    if kind == "html":
        return "<div>\n" + "\n".join(lines) + "\n</div>\n"
    if kind == "quote":
        return "".join(f"> {line}\n" for line in lines)
    text = "\n".join(lines) + "\n"
    return text if kind == "text" else f"{lines[0]}\n-----\n\n{text}"


def make_corpus(count: int = 400) -> list[str]:
    chance = random.Random(1)
    return ["".join(make_sections(chance)) for _ in range(count)]


def make_sections(chance: random.Random) -> Iterator[str]:
    for _ in range(chance.randint(3, 30)):
        level = "#" * chance.randint(1, 4)
        yield f"{level} {sentence(chance)[:30]}\n\n"
        for _ in range(chance.randint(1, 4)):
            yield block(chance) + "\n"


def make_changelog(size: int) -> str:
    """Return the changelog of a project with a great many releases."""
    chance = random.Random(2)
    parts: list[str] = []
    length = 0
    release = 0
    while length < size:
        release += 1
        changes = "".join(
            f"- {sentence(chance)} ([#{chance.randint(1, 99999)}](https://x.example))\n"
            for _ in range(chance.randint(3, 12))
        )
        parts.append(f"## [1.{release}.0] - 2024-01-01\n\n### Added\n\n{changes}\n")
        length += len(parts[-1])
    return "# Changelog\n\n" + "".join(parts)


def make_doubtful(count: int = 200) -> list[str]:
    """Return documents in which only the exact machine can tell what is a heading."""
    chance = random.Random(3)
    return [
        "".join(
            f"- {sentence(chance)}\n\n  ```\n  {sentence(chance)}\n  ```\n\n"
            f"  # {sentence(chance)}\n  {sentence(chance)}\n   - {sentence(chance)}\n"
            for _ in range(60)
        )
        for _ in range(count)
    ]


def translate(text: str) -> str:
    """Return `text` with letters that need two and more bytes in memory."""
    table = {ord("e"): "語", ord("t"): "の", ord("o"): "é", ord("."): "。😀"}
    return text.translate(table)


# --- tables ---------------------------------------------------------------------------


def seconds(parse: Parse, texts: Sequence[str]) -> float:
    start = time.process_time()
    for text in texts:
        parse(text)
    return time.process_time() - start


def print_speed(
    inputs: dict[str, list[str]], parsers: dict[str, Parse], repeat: int
) -> None:
    print("\n" + "".join(f"{name:>24}" for name in ("MB/s (times md-mcp's)", *parsers)))
    for name, texts in inputs.items():
        size = sum(len(text.encode()) for text in texts) / MEGABYTE
        times = {
            parser: median(seconds(parse, texts) for _ in range(repeat))
            for parser, parse in parsers.items()
        }
        cells = (
            f"{size / taken:.1f} ({taken / times['md-mcp']:.1f})"
            for taken in times.values()
        )
        print(f"{name:>24}" + "".join(f"{cell:>24}" for cell in cells))


HOSTILE: dict[str, Callable[[int], str]] = {
    "nested block quotes": lambda n: ">" * n + "a\n",
    "deep quotes, then lines": lambda n: ">" * (n // 2) + "a\n" + "a\n" * (n // 4),
    "nested list items": lambda n: "- " * (n // 2) + "a\n",
    "deep lists, then blanks": lambda n: "- " * (n // 4) + "a\n" + "\n" * (n // 2),
    "lists nested by lines": lambda n: "".join(
        f"{'  ' * depth}- a\n" for depth in range(int(n**0.5))
    ),
    "comments left open": lambda n: "<!-- a\n" * (n // 7),
    "fences left open": lambda n: "`````\n" + "```\n# a\n" * (n // 8),
    "indented fences": lambda n: " ```\n" * (n // 5),
    "setext headings": lambda n: "a\n---\n" * (n // 6),
    "underlines of nothing": lambda n: "- a\n---\n" * (n // 8),
    "<": lambda n: "<" * n,
    "< on lines": lambda n: "<a x=\n" * (n // 6),
    "[": lambda n: "[" * n,
    "[ before an underline": lambda n: "[a\n===\n" * (n // 7),
    "definitions": lambda n: "[a]: b\n" * (n // 7) + "c\n===\n",
    "headings": lambda n: "# a\n" * (n // 4),
    "indented headings": lambda n: "- a\n\n # a\n" * (n // 10),
    "one line": lambda n: "a" * n,
    "CR only": lambda n: "# a\r" * (n // 4),
    "{{": lambda n: "{{" * (n // 2),
    "{{ with quotes": lambda n: '{{\\"}}' * (n // 6),
    "backquotes": lambda n: "```a`\n" * (n // 6),
    "delimiter rows": lambda n: "a|b\n|-\n" * (n // 7),
}


def print_growth(repeat: int) -> None:
    """Print what doubling hostile input costs; linear is 2."""
    print(f"\n{'seconds for':>24}{'1 MB':>8}{'2 MB':>8}{'4 MB':>8}{'growth':>14}")
    for name, make in HOSTILE.items():
        times = []
        for size in (MEGABYTE, 2 * MEGABYTE, 4 * MEGABYTE):
            text = make(size)
            times.append(min(seconds(scan_headings, [text]) for _ in range(repeat)))
        growth = " ".join(f"{after / before:.2f}" for before, after in pairwise(times))
        cells = "".join(f"{taken:8.4f}" for taken in times)
        print(f"{name:>24}{cells}{growth:>14}")


if __name__ == "__main__":
    raise SystemExit(main())
