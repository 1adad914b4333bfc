"""Each hook on real files: what it changes, prints and returns; fixtures/hooks."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = sorted((ROOT / "fixtures" / "hooks").iterdir())

NAMES = ("changelog", "toc", "include", "front-matter", "headings", "links")
HOOKS: dict[str, Callable[[Sequence[str]], int]] = {
    f"md-{name}": import_module(f"md_mcp.hooks.{name.replace('-', '_')}").main
    for name in NAMES
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_cases_are_found_and_each_hook_has_one() -> None:
    hooks = {json.loads((case / "call.json").read_bytes())["hook"] for case in CASES}
    assert hooks == set(HOOKS)
    assert len(CASES) >= 15


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_hook_gives_the_bytes_and_the_report_of_its_case(
    case: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(case, folder, dirs_exist_ok=True)
    call = json.loads((case / "call.json").read_bytes())
    run = HOOKS[call["hook"]]
    left = "".join(f"before.md:{line}\n" for line in call["output"])
    expected = (case / "after.md").read_bytes()
    repaired = expected != (case / "before.md").read_bytes()

    assert run([*call["arguments"], "before.md"]) == int(repaired or bool(left))
    assert (folder / "before.md").read_bytes() == expected
    first = "before.md: repaired\n" if repaired else ""
    assert capsys.readouterr().out == first + left

    # The second time there is nothing more to do.
    assert run([*call["arguments"], "before.md"]) == int(bool(left))
    assert (folder / "before.md").read_bytes() == expected
    assert capsys.readouterr().out == left


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_with_check_a_hook_changes_nothing_but_finds_the_same(
    case: Path, folder: Path
) -> None:
    shutil.copytree(case, folder, dirs_exist_ok=True)
    call = json.loads((case / "call.json").read_bytes())
    before = (case / "before.md").read_bytes()
    wrong = before != (case / "after.md").read_bytes() or bool(call["output"])
    arguments = [*call["arguments"], "--check", "before.md"]
    assert HOOKS[call["hook"]](arguments) == int(wrong)
    assert (folder / "before.md").read_bytes() == before


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_without_files_finds_nothing(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert HOOKS[name]([]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", HOOKS)
def test_a_file_that_cannot_be_read_is_reported_and_the_others_are_still_done(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.md").write_bytes(b"# caf\xe9\n")
    (folder / "good.md").write_bytes(b"# Changelog\n\n## Unreleased\n")
    assert HOOKS[name](["gone.md", "bad.md", "good.md"]) == 1
    lines = capsys.readouterr().out.split("\n")
    assert lines[0].startswith("gone.md: FILE_NOT_FOUND: ")
    assert lines[1].startswith("bad.md: NOT_UTF8: ")
    assert lines[2:] == [""]


@pytest.mark.parametrize("name", HOOKS)
def test_an_unknown_option_is_misuse(name: str, folder: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        HOOKS[name](["--no-such-option"])
    assert ended.value.code == 2


@pytest.mark.parametrize("name", HOOKS)
def test_nothing_outside_the_current_folder_is_read_or_written(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside, inside = folder / "outside", folder / "inside"
    outside.mkdir()
    inside.mkdir()
    secret = outside / "secret.md"
    secret.write_bytes(
        b"# Secret\n\n### Gap\n\n<!-- toc -->\n<!-- tocstop -->\n\n## 1.0\n"
    )
    (inside / "link.md").symlink_to(secret)
    (inside / "folder").symlink_to(outside)
    os.chdir(inside)
    before = secret.read_bytes()
    names = ["link.md", "folder/secret.md", "../outside/secret.md", str(secret)]
    assert HOOKS[name](names) == 1
    assert secret.read_bytes() == before
    lines = capsys.readouterr().out.split("\n")
    assert [line.split(": ")[1] for line in lines[:-1]] == ["OUTSIDE_ROOT"] * 4


def test_an_include_does_not_follow_a_link_that_leads_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "secret.md").write_bytes(b"secret\n")
    (folder / "inside").mkdir()
    os.chdir(folder / "inside")
    Path("link.md").symlink_to("../secret.md")
    marker = "<!-- md-mcp: from={} -->\n<!-- md-mcp: end -->\n"
    text = "".join(
        marker.format(n) for n in ("link.md", "../secret.md", "/../secret.md")
    )
    Path("a.md").write_bytes(text.encode())
    assert HOOKS["md-include"](["a.md"]) == 1
    assert Path("a.md").read_bytes() == text.encode()
    assert "secret\n" not in capsys.readouterr().out.replace("secret.md", "")


def test_an_include_path_is_relative_to_its_file_or_the_top(folder: Path) -> None:
    (folder / "docs" / "deep").mkdir(parents=True)
    (folder / "top.txt").write_bytes(b"top\n")
    (folder / "docs" / "near.txt").write_bytes(b"near\n")
    page = folder / "docs" / "deep" / "a.md"
    marker = "<!-- md-mcp: from={} -->\n\nx\n\n<!-- md-mcp: end -->\n"
    page.write_bytes(
        (marker.format("../near.txt") + marker.format("/top.txt")).encode()
    )
    assert HOOKS["md-include"](["docs/deep/a.md"]) == 1
    assert page.read_bytes().decode().split("\n")[2::5] == ["near", "top"]


def test_a_report_cannot_steer_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "## Unreleased\n### \x1b]0;x\x07 \u202ered\n### Added\n"
    (folder / "a.md").write_bytes(text.encode())
    HOOKS["md-changelog"](["--check", "a.md"])
    assert capsys.readouterr().out.startswith(
        'a.md:2: "\\x1b]0;x\\x07 \\u202ered" is no category'
    )


def test_a_changelog_may_have_more_categories(folder: Path) -> None:
    (folder / "a.md").write_bytes(b"## Unreleased\n\n### Added\n\n### Docs\n")
    assert HOOKS["md-changelog"](["a.md"]) == 1
    assert HOOKS["md-changelog"](["--category", "Docs", "a.md"]) == 0


def test_the_last_of_check_and_fix_counts(folder: Path) -> None:
    (folder / "a.md").write_bytes(b"# A\n\n### B\n")
    assert HOOKS["md-headings"](["--fix", "--check", "a.md"]) == 1
    assert (folder / "a.md").read_bytes() == b"# A\n\n### B\n"
    assert HOOKS["md-headings"](["--check", "--fix", "a.md"]) == 1
    assert (folder / "a.md").read_bytes() == b"# A\n\n## B\n"


@pytest.mark.parametrize("depth", ["0", "7", "two", "-1"])
def test_a_depth_that_is_no_level_is_misuse(depth: str, folder: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        HOOKS["md-toc"](["--max-depth", depth])
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("files", "arguments", "code", "message"),
    [
        pytest.param({}, ["--config", "no.toml"], 2, 'no "no.toml"', id="no file"),
        pytest.param(
            {".md-mcp.toml": "front-matter = ["}, [], 2, "is not TOML", id="no TOML"
        ),
        pytest.param(
            {".md-mcp.toml": "[front-matter]\nneed = 1"}, [], 2, "is unknown", id="key"
        ),
        pytest.param({"pyproject.toml": "[tool.x]"}, [], 0, "", id="no schema"),
        pytest.param(
            {
                ".md-mcp.toml": '[front-matter]\nrequired = ["a"]',
                "pyproject.toml": '[tool.md-mcp.front-matter]\nrequired = ["b"]',
            },
            [],
            1,
            "",
            id="the own file comes first",
        ),
        pytest.param(
            {"x.toml": '[front-matter]\nrequired = ["b"]'},
            ["--config", "x.toml"],
            0,
            "",
            id="a file that is named",
        ),
    ],
)
def test_where_the_schema_is_looked_for(
    files: dict[str, str],
    arguments: list[str],
    code: int,
    message: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    (folder / "a.md").write_bytes(b"---\nb: 1\n---\n")
    assert HOOKS["md-front-matter"]([*arguments, "a.md"]) == code
    assert message in capsys.readouterr().err
