"""What installs the hooks names what there is; the docs show all of it."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = (ROOT / ".pre-commit-hooks.yaml").read_bytes().decode()
PAGE = (ROOT / "docs" / "hooks.md").read_bytes().decode()
SCRIPTS: dict[str, str] = tomllib.loads(
    (ROOT / "pyproject.toml").read_bytes().decode()
)["project"]["scripts"]

IDS = re.findall(r"^- id: (.+)$", MANIFEST, re.MULTILINE)


def test_the_manifest_names_the_six_hooks_and_their_commands() -> None:
    assert len(IDS) == 6
    assert re.findall(r"^  entry: (.+)$", MANIFEST, re.MULTILINE) == IDS
    assert sorted(IDS) == sorted(SCRIPTS.keys() - {"md-mcp"})


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_command_leads_to_a_function(name: str) -> None:
    module, _, function = SCRIPTS[name].partition(":")
    assert callable(getattr(import_module(module), function))


@pytest.mark.parametrize("name", IDS)
def test_a_hook_has_its_chapter_and_its_place_in_the_example(name: str) -> None:
    assert f"\n## {name}\n" in PAGE
    assert f"\n      - id: {name}\n" in PAGE


@pytest.mark.parametrize(
    ("name", "is_changelog"),
    [
        ("CHANGELOG.md", True),
        ("packages/core/ChangeLog.md", True),
        ("HISTORY.md", True),
        ("docs/release-notes.mdx", True),
        ("CHANGES.markdown", True),
        ("docs/changelog-format.md", False),
        ("newsletter.md", False),
        ("CHANGELOG.txt", False),
    ],
)
def test_the_changelog_hook_runs_on_files_named_so(
    name: str, is_changelog: bool
) -> None:
    [pattern] = re.findall(r"^  files: (.+)$", MANIFEST, re.MULTILINE)
    assert bool(re.search(pattern, name)) is is_changelog
