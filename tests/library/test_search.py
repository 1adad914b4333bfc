from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.document.model import Document
from md_mcp.document.pattern import LineFinder, parse_pattern, unbounded_lines
from md_mcp.document.section import SectionTree
from md_mcp.files import Files, FoundFile, Walk
from md_mcp.library import search as module
from md_mcp.library.search import Found, find_in_all, search_files


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def searched(
    folder: Path,
    query: str,
    *,
    glob: str = "**/*.md",
    scope: str = "body",
    limit: int = 100,
    find_lines: LineFinder | None = None,
) -> Found:
    pattern = parse_pattern(query)
    walk = Files.open([folder]).walk(folder, glob)
    finder = find_lines or unbounded_lines(pattern)
    return search_files(
        walk, pattern, finder, scope=scope, limit=limit, max_file_bytes=10_000
    )


def places(folder: Path, found: Found) -> list[tuple[str, str, int]]:
    return [
        (hit.file_path.removeprefix(f"{folder}/"), hit.match.path, hit.match.line)
        for hit in found.matches
    ]


DOCS = {
    "a.md": "# A\n\nneedle\n",
    "a/b.md": "needle\n\n# The needle\n\nx\nneedle",
    "b.md": "# B\n\nnothing\n",
    "c.txt": "needle\n",
    "z.md": "---\ntitle: needle\n---\n# **need**le\r\n\r\nneedle\r\n",
}


@pytest.mark.parametrize(
    "query",
    [pytest.param("needle", id="plain text"), pytest.param("need+le$", id="a pattern")],
)
def test_matches_come_by_path_then_by_line(tmp_path: Path, query: str) -> None:
    write(tmp_path, DOCS)
    found = searched(tmp_path, query)
    assert places(tmp_path, found) == [
        ("a.md", "A", 3),
        ("a/b.md", "(preamble)", 1),
        ("a/b.md", "The needle", 6),
        ("z.md", "frontmatter", 2),
        ("z.md", "needle", 6),
    ]
    assert not found.truncated


def test_headings_are_found_by_what_a_reader_sees(tmp_path: Path) -> None:
    write(tmp_path, DOCS)
    found = searched(tmp_path, "needle", scope="headings")
    assert places(tmp_path, found) == [
        ("a/b.md", "The needle", 3),
        ("z.md", "needle", 4),
    ]
    both = searched(tmp_path, "needle", scope="both")
    assert [line for *_, line in places(tmp_path, both)] == [3, 1, 3, 6, 2, 4, 6]


@pytest.mark.parametrize(
    ("limit", "count", "truncated"),
    [
        pytest.param(4, 4, True, id="one more"),
        pytest.param(5, 5, False, id="exactly all"),
        pytest.param(6, 5, False, id="fewer"),
        pytest.param(1, 1, True, id="the first only"),
    ],
)
def test_truncated_tells_that_there_is_one_more_match(
    tmp_path: Path, limit: int, count: int, truncated: bool
) -> None:
    write(tmp_path, DOCS)
    found = searched(tmp_path, "needle", limit=limit)
    assert (len(found.matches), found.truncated) == (count, truncated)


def test_files_that_cannot_match_are_neither_searched_nor_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = []

    class Recorded(Document):
        @property
        def tree(self) -> SectionTree:
            parsed.append(self.text)
            return Document(self.text).tree

    texts = []

    def find_lines(text: str) -> Iterable[tuple[int, int]]:
        texts.append(text)
        return unbounded_lines(parse_pattern(r"needle\d"))(text)

    monkeypatch.setattr(module, "Document", Recorded)
    write(
        tmp_path, {"a.md": "# none\n", "b.md": "# B\n\nneedle1", "c.md": "needle\n# C"}
    )
    found = searched(tmp_path, r"needle\d", find_lines=find_lines)
    assert places(tmp_path, found) == [("b.md", "B", 3)]
    assert texts == ["# B\n\nneedle1\nneedle\n# C\n"]
    assert set(parsed) == {"# B\n\nneedle1"}


def test_nothing_is_read_after_the_last_match_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BATCH", 1)
    write(tmp_path, {f"{number}.md": "needle\n" for number in range(5)})
    read = []
    contents = Walk.contents

    def recorded(walk: Walk, *arguments: Any) -> Iterator[tuple[FoundFile, bytes]]:
        for found, data in contents(walk, *arguments):
            read.append(found.path)
            yield found, data

    monkeypatch.setattr(Walk, "contents", recorded)
    assert searched(tmp_path, "needle", limit=2).truncated
    assert read == ["0.md", "1.md", "2.md"]


LINES = ["# A", "needle", "NEEDLE 1", "", "x needle", "[n]: /needle", "---", "a: b"]
TEXTS = st.lists(st.sampled_from(LINES), max_size=5).map("\n".join)


@given(
    st.lists(TEXTS, max_size=4),
    st.sampled_from(["needle", r"^needle", r"\d$", "", "^$", "a|x"]),
    st.sampled_from(["body", "headings", "both"]),
    st.integers(1, 200),
)
def test_searching_many_files_gives_what_searching_each_gives(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    query: str,
    scope: str,
    batch: int,
) -> None:
    folder = tmp_path_factory.mktemp("docs")
    write(folder, {f"{number}.md": text for number, text in enumerate(texts)})
    expected = [
        match for text in texts for match in Document(text).search(query, scope=scope)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BATCH", batch)
        found = searched(folder, query, scope=scope, limit=1000)
    assert [hit.match for hit in found.matches] == expected


@given(st.lists(st.text(st.sampled_from("ab\n"), max_size=6), max_size=5))
def test_lines_are_found_in_each_text_as_if_it_stood_alone(texts: list[str]) -> None:
    find_lines = unbounded_lines(parse_pattern("a"))
    alone = [list(find_lines(text)) for text in texts]
    assert list(find_in_all(texts, find_lines)) == alone
