"""Every verb, end to end: arguments in, output, files and exit code out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from md_mcp.cli import main
from md_mcp.cli.entry import VERBS
from md_mcp.files import Files
from md_mcp.server.tools import TOOLSETS

GUIDE = (
    b"# Guide\n\nintro\n\n## Install\n\npip\n\n### From source\n\nmake\n\n"
    b"## Use\n\nrun pip\n"
)


@pytest.fixture
def guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small document in the current directory."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "guide.md"
    path.write_bytes(GUIDE)
    return path


@pytest.fixture
def output(capsysbinary: pytest.CaptureFixture[bytes]) -> Output:
    return Output(capsysbinary)


class Output:
    """Runs the command line and returns exit code, output and errors."""

    def __init__(self, captured: pytest.CaptureFixture[bytes]) -> None:
        self._captured = captured

    def of(self, *arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = self._captured.readouterr()
        return code, out.decode(), err.decode()


# --- reading --------------------------------------------------------------------------


def test_index_draws_the_tree(guide: Path, output: Output) -> None:
    assert output.of("index", "guide.md") == (
        0,
        "Guide\n├── Install\n│   └── From source\n└── Use\n",
        "",
    )


def test_index_takes_a_section_and_a_depth(guide: Path, output: Output) -> None:
    assert output.of("index", "guide.md", "Guide", "--depth", "1") == (
        0,
        "Guide\n├── Install\n└── Use\n",
        "",
    )


def test_index_of_a_document_without_headings_says_so(
    guide: Path, output: Output
) -> None:
    guide.write_bytes(b"text\n")
    assert output.of("index", "guide.md") == (
        0,
        "",
        "md-mcp: guide.md has no headings\n",
    )


def test_index_as_json_is_the_tools_result(guide: Path, output: Output) -> None:
    code, out, _ = output.of("index", "guide.md", "Guide.Use", "--json")
    assert (code, json.loads(out)) == (
        0,
        {
            "sections": [
                {"heading": "Use", "level": 2, "path": "Guide.Use", "children": []}
            ]
        },
    )


def test_get_prints_the_exact_slice(guide: Path, output: Output) -> None:
    assert output.of("get", "guide.md", "Guide.Install") == (
        0,
        "## Install\n\npip\n\n### From source\n\nmake\n\n",
        "",
    )


def test_get_of_depth_0_leaves_the_subsections_out(guide: Path, output: Output) -> None:
    assert output.of("get", "guide.md", "Guide.Install", "--depth", "0") == (
        0,
        "## Install\n\npip\n\n",
        "",
    )


def test_get_translates_no_line_ending(guide: Path, output: Output) -> None:
    guide.write_bytes(b"# A\r\n\r\none\rtwo\r\n")
    assert output.of("get", "guide.md", "A") == (0, "# A\r\n\r\none\rtwo\r\n", "")


def test_get_as_json_is_one_string(guide: Path, output: Output) -> None:
    code, out, _ = output.of("get", "guide.md", "Guide.Use", "--json")
    assert (code, out) == (0, '"## Use\\n\\nrun pip\\n"\n')


def test_search_groups_lines_by_section(guide: Path, output: Output) -> None:
    assert output.of("search", "guide.md", "PIP") == (
        0,
        "Guide.Install\n  7: pip\nGuide.Use\n  15: run pip\n",
        "",
    )


def test_search_can_tell_case_and_look_at_headings(guide: Path, output: Output) -> None:
    assert output.of("search", "guide.md", "use", "--case-sensitive") == (1, "", "")
    assert output.of("search", "guide.md", "use", "--scope", "headings") == (
        0,
        "Guide.Use\n  13: Use\n",
        "",
    )


def test_search_as_json_prints_an_empty_list_for_nothing(
    guide: Path, output: Output
) -> None:
    assert output.of("search", "guide.md", "nowhere", "--json") == (1, "[]\n", "")


def test_grep_finds_lines_in_the_files_of_a_folder(guide: Path, output: Output) -> None:
    (guide.parent / "docs").mkdir()
    (guide.parent / "docs" / "b.md").write_bytes(b"# B\n\npip again\n")
    (guide.parent / "docs" / "c.txt").write_bytes(b"pip\n")
    code, out, err = output.of("grep", ".", "^(run )?pip")
    assert (code, err) == (0, "")
    assert out == (
        "docs/b.md:3: B: pip again\n"
        "guide.md:7: Guide.Install: pip\n"
        "guide.md:15: Guide.Use: run pip\n"
    )


def test_grep_takes_a_glob(guide: Path, output: Output) -> None:
    assert output.of("grep", ".", "pip", "--glob", "docs/*.md") == (1, "", "")


def test_grep_says_when_there_is_more(guide: Path, output: Output) -> None:
    assert output.of("grep", ".", "pip", "--limit", "1") == (
        0,
        "guide.md:7: Guide.Install: pip\n",
        "md-mcp: there are more than 1 matches; see --limit\n",
    )


def test_grep_says_what_it_skipped(guide: Path, output: Output) -> None:
    (guide.parent / "bad.md").write_bytes(b"\xff")
    code, _, err = output.of("grep", ".", "nowhere")
    assert (code, err) == (
        1,
        "md-mcp: files skipped as unreadable, too large or not UTF-8: 1\n",
    )


def test_patch_prints_the_diff_and_writes_nothing(guide: Path, output: Output) -> None:
    code, out, err = output.of("patch", "guide.md", "Guide.Use", "walk")
    assert (code, err) == (0, "")
    assert out == (
        "--- a/guide.md\n+++ b/guide.md\n@@ -12,4 +12,4 @@\n"
        " \n ## Use\n \n-run pip\n+walk\n"
    )
    assert guide.read_bytes() == GUIDE


@pytest.mark.parametrize(
    ("arguments", "call"),
    [
        pytest.param(["index"], {}, id="get_index"),
        pytest.param(["index", "Guide"], {"path": "Guide"}, id="of a section"),
        pytest.param(["get", "Guide.Use"], {"path": "Guide.Use"}, id="get_section"),
        pytest.param(["search", "pip"], {"query": "pip"}, id="search_sections"),
        pytest.param(
            ["patch", "Guide.Use", "x"],
            {"path": "Guide.Use", "new_content": "x"},
            id="patch_section",
        ),
    ],
)
def test_json_is_exactly_the_result_of_the_tool(
    guide: Path, output: Output, arguments: list[str], call: dict[str, str]
) -> None:
    verb, *rest = arguments
    [tool] = [tool for tool in TOOLSETS["edit"] if tool.name == VERBS[verb].tool]
    _, out, _ = output.of(verb, "guide.md", *rest, "--json")
    assert json.loads(out) == tool.function(Files.open(), file_path="guide.md", **call)


# --- writing --------------------------------------------------------------------------

WALK = GUIDE.replace(b"run pip", b"walk")

WRITES = [
    pytest.param(
        ["replace", "guide.md", "Guide.Use", "walk"], WALK, id="replace a section"
    ),
    pytest.param(
        ["sub", "guide.md", "Guide.Use", "run pip", "walk"], WALK, id="replace a text"
    ),
    pytest.param(
        ["delete", "guide.md", "Guide.Install"],
        b"# Guide\n\nintro\n\n## Use\n\nrun pip\n",
        id="delete with children",
    ),
    pytest.param(
        ["delete", "guide.md", "Guide.Install", "--keep-children"],
        GUIDE.replace(b"## Install\n\npip\n\n", b""),
        id="delete without children",
    ),
    pytest.param(
        ["add", "guide.md", "## New", "n", "--before", "Guide.Use"],
        GUIDE.replace(b"## Use", b"## New\n\nn\n\n## Use"),
        id="add before",
    ),
    pytest.param(
        ["add", "guide.md", "### New", "n", "--under", "Guide.Install"],
        GUIDE.replace(b"## Use", b"### New\n\nn\n\n## Use"),
        id="add under",
    ),
    pytest.param(
        ["add", "guide.md", "## New", "n", "--after", "Guide.Install"],
        GUIDE.replace(b"## Use", b"## New\n\nn\n\n## Use"),
        id="add after",
    ),
    pytest.param(
        ["add", "guide.md", "## New", "n"], GUIDE + b"\n## New\n\nn\n", id="add last"
    ),
]


@pytest.mark.parametrize(("arguments", "after"), WRITES)
def test_a_writing_verb_writes_exactly_its_edit(
    guide: Path, output: Output, arguments: list[str], after: bytes
) -> None:
    code, _, err = output.of(*arguments)
    assert (code, err) == (0, "")
    assert guide.read_bytes() == after


@pytest.mark.parametrize(("arguments", "after"), WRITES)
def test_a_dry_run_prints_the_diff_of_the_write_and_writes_nothing(
    guide: Path, output: Output, arguments: list[str], after: bytes
) -> None:
    code, preview, err = output.of(*arguments, "--dry-run")
    assert (code, err, guide.read_bytes()) == (0, "", GUIDE)
    _, written, _ = output.of(*arguments, "--diff")
    assert preview.startswith("--- a/guide.md\n+++ b/guide.md\n@@ ")
    assert (preview, guide.read_bytes()) == (written, after)


def test_a_write_answers_as_the_tool_does(guide: Path, output: Output) -> None:
    assert output.of("replace", "guide.md", "Guide.Use", "walk") == (0, "ok\n", "")
    assert output.of("replace", "guide.md", "Guide.Use", "run", "--json") == (
        0,
        '"ok"\n',
        "",
    )


def test_sub_answers_with_the_diff(guide: Path, output: Output) -> None:
    _, out, _ = output.of("sub", "guide.md", "Guide.Use", "run", "walk")
    assert out.endswith("\n-run pip\n+walk pip\n")


def test_sub_replaces_every_occurrence_only_when_told(
    guide: Path, output: Output
) -> None:
    arguments = ["sub", "guide.md", "Guide.Use", "p", "q"]
    code, out, err = output.of(*arguments)
    assert (code, out, guide.read_bytes()) == (2, "", GUIDE)
    assert err.startswith("md-mcp: TEXT_NOT_UNIQUE: ")
    assert output.of(*arguments, "--replace-all")[0] == 0
    assert guide.read_bytes() == GUIDE.replace(b"run pip", b"run qiq")


def test_the_expected_revision_is_checked_and_the_new_one_told(
    guide: Path, output: Output
) -> None:
    arguments = ["replace", "guide.md", "Guide.Use", "walk", "--expected-revision"]
    code, out, err = output.of(*arguments, "000000000000")
    assert (code, out, guide.read_bytes()) == (2, "", GUIDE)
    assert err.startswith("md-mcp: CONFLICT: ")
    assert output.of(*arguments, "7af52755dcc3") == (0, "ok 7113ae82e201\n", "")


def test_an_edit_that_changes_nothing_says_so(guide: Path, output: Output) -> None:
    before = guide.stat()
    assert output.of("replace", "guide.md", "Guide.Use", "run pip") == (
        0,
        "ok\n",
        "md-mcp: nothing to change, the file reads so already\n",
    )
    after = guide.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_the_new_text_may_come_from_a_file(guide: Path, output: Output) -> None:
    (guide.parent / "new.txt").write_bytes(b"walk\r\n")
    output.of("replace", "guide.md", "Guide.Use", "--file", "new.txt")
    assert guide.read_bytes() == WALK


# --- refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["get", "guide.md", "Guide.Nope"], "SECTION_NOT_FOUND", id="path"),
        pytest.param(["get", "nope.md", "A"], "FILE_NOT_FOUND", id="missing file"),
        pytest.param(["get", ".", "A"], "NOT_A_FILE", id="a folder"),
        pytest.param(
            ["get", "guide.md", "Guide", "--depth", "-1"],
            "INVALID_ARGUMENT",
            id="negative depth",
        ),
        pytest.param(["search", "guide.md", "["], "BAD_PATTERN", id="pattern"),
        pytest.param(
            ["search", "guide.md", "a", "--scope", "all"],
            "INVALID_ARGUMENT",
            id="scope",
        ),
        pytest.param(
            ["get", "../guide.md", "Guide", "--allow-root", "other"],
            "OUTSIDE_ROOT",
            id="outside the root",
        ),
        pytest.param(
            ["get", "guide.md", "Guide", "--allow-root", "nowhere"],
            "BAD_ROOT",
            id="a root that is not there",
        ),
        pytest.param(["gte", "guide.md"], "INVALID_ARGUMENT", id="no such verb"),
    ],
)
def test_a_refused_read_has_a_code(
    guide: Path, output: Output, arguments: list[str], code: str
) -> None:
    (guide.parent / "other").mkdir()
    exit_code, out, err = output.of(*arguments)
    assert (exit_code, out) == (2, "")
    assert err.startswith(f"md-mcp: {code}: ")
    assert not err.endswith(" Nothing was written.\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["delete", "guide.md", "Use"], "SECTION_NOT_FOUND", id="path"),
        pytest.param(["delete", "guide.md"], "INVALID_ARGUMENT", id="no path"),
        pytest.param(
            ["add", "guide.md", "New", "n"], "INVALID_HEADING", id="no heading"
        ),
        pytest.param(
            ["add", "guide.md", "## New"], "INVALID_ARGUMENT", id="no content"
        ),
        pytest.param(
            ["replace", "guide.md", "Guide.Install", "```"], "STRUCTURE", id="fence"
        ),
        pytest.param(
            ["sub", "guide.md", "Guide.Use", "absent", "x"], "TEXT_NOT_FOUND", id="text"
        ),
        pytest.param(
            ["replace", "guide.md", "Guide.Use", "caf\udce9"],
            "INVALID_ARGUMENT",
            id="bytes that are not UTF-8",
        ),
        pytest.param(
            ["replace", "guide.md", "Guide.Use", "x", "--file", "y"],
            "INVALID_ARGUMENT",
            id="two texts",
        ),
        pytest.param(
            ["replace", "guide.md", "Guide.Use", "--file", "nope.txt"],
            "FILE_ERROR",
            id="a missing text file",
        ),
    ],
)
def test_a_refused_write_says_that_nothing_was_written(
    guide: Path, output: Output, arguments: list[str], code: str
) -> None:
    exit_code, out, err = output.of(*arguments)
    assert (exit_code, out, guide.read_bytes()) == (2, "", GUIDE)
    assert err.startswith(f"md-mcp: {code}: ")
    assert err.endswith(" Nothing was written.\n")


def test_a_misspelt_verb_offers_the_nearest(guide: Path, output: Output) -> None:
    assert output.of("repalce", "guide.md")[2] == (
        'md-mcp: INVALID_ARGUMENT: no verb "repalce". Nearest: "replace". '
        'See "md-mcp --help".\n'
    )


def test_a_verb_after_options_is_told_to_come_first(output: Output) -> None:
    assert output.of("--allow-root", ".", "get", "guide.md")[2] == (
        'md-mcp: INVALID_ARGUMENT: one argument too many: "get". '
        'If it is a verb, put it first. See "md-mcp serve --help".\n'
    )


def test_a_verb_is_understood_by_its_tools_name(guide: Path, output: Output) -> None:
    assert output.of("get_section", "guide.md", "Guide.Use") == (
        0,
        "## Use\n\nrun pip\n",
        "",
    )


def test_every_tool_has_its_verb() -> None:
    tools = {tool.name for tools in TOOLSETS.values() for tool in tools}
    assert {verb.tool for verb in VERBS.values()} == {*tools, ""}


def test_a_root_that_is_missing_among_others_is_told(
    guide: Path, output: Output
) -> None:
    code, out, err = output.of(
        *("get", "guide.md", "Guide.Use", "--allow-root", "."),
        *("--allow-root", "nowhere"),
    )
    assert (code, out) == (0, "## Use\n\nrun pip\n")
    assert err.startswith('md-mcp: warning: the root "nowhere" ')


def test_a_home_directory_may_be_written_as_a_tilde(
    guide: Path, output: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(guide.parent))
    assert output.of("get", "guide.md", "Guide.Use", "--allow-root", "~")[0] == 0


# --- help -----------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["-h", "--help", "help"])
def test_the_overview_names_every_verb(output: Output, word: str) -> None:
    code, out, _ = output.of(word)
    listed = [line.split()[0] for line in out.split("\n") if line.startswith("  ")]
    verbs = ["index", "get", "search", "grep", "patch"]
    verbs += ["add", "replace", "sub", "delete", "serve"]
    assert (code, [word for word in listed if word in verbs]) == (0, verbs)


def test_the_version_is_told(output: Output) -> None:
    assert output.of("--version") == (0, "md-mcp 0.1.0\n", "")
