"""The index above what clients take: the deepest generations are left out, never cut."""

import json

from md_mcp import operations
from md_mcp.files import Files
from md_mcp.operations.index import INDEX_LIMIT


def index(tmp_path, text, **arguments):
    (tmp_path / "m.md").write_text(text, encoding="utf-8")
    return operations.get_index(Files.open([tmp_path]), "m.md", **arguments)


def size(value):
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(compact.encode())


def paths(nodes):
    return [p for node in nodes for p in (node["path"], *paths(node["children"]))]


def manual(chapters, sections):
    return "# Manual\n\n" + "".join(
        f"## Chapter {c}\n\n"
        + "".join(f"### Section {c} {s}\n\nx\n\n" for s in range(sections))
        for c in range(chapters)
    )


def test_a_small_index_has_no_further_keys(tmp_path):
    answer = index(tmp_path, manual(3, 3))
    assert list(answer) == ["sections"]
    assert len(paths(answer["sections"])) == 13


def test_above_the_limit_the_deepest_generation_is_left_out_and_counted(tmp_path):
    answer = index(tmp_path, manual(20, 60))
    assert size(answer) <= INDEX_LIMIT
    assert answer["truncated"] is True
    (root,) = answer["sections"]
    assert [node["path"] for node in root["children"]] == [
        f"Manual.Chapter {c}" for c in range(20)
    ]
    assert {node["omitted"] for node in root["children"]} == {60}
    assert "omitted" not in root
    assert answer["continue"].startswith('get_index(file_path="m.md", path="<path')


def test_the_call_that_continues_gives_what_was_left_out(tmp_path):
    text = manual(20, 60)
    answer = index(tmp_path, text, path="Manual.Chapter 7")
    (chapter,) = answer["sections"]
    assert len(chapter["children"]) == 60
    assert "truncated" not in answer


def test_more_children_than_fit_are_shown_as_far_as_they_fit(tmp_path):
    text = "# Log\n\n" + "".join(f"## Release {n}\n\n" for n in range(3000))
    answer = index(tmp_path, text)
    (root,) = answer["sections"]
    shown = len(root["children"])
    assert 300 < shown < 3000
    assert root["omitted"] == 3000 - shown
    assert size(answer) <= INDEX_LIMIT
    assert 'scope="headings"' in answer["continue"]


def test_more_roots_than_fit_are_counted_at_the_top(tmp_path):
    answer = index(tmp_path, "".join(f"# Page {n}\n\n## K\n\n" for n in range(3000)))
    shown = len(answer["sections"])
    assert answer["omitted"] == 3000 - shown
    assert answer["sections"][0]["omitted"] == 1
    assert size(answer) <= INDEX_LIMIT
    assert answer["truncated"] is True
