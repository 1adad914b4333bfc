"""The hooks as pre-commit runs them: installed from this repository, offline but for pip.

pre-commit installs the committed state, so a copy of the working tree is committed first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

COPIED = ("md_mcp", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")

HOOKS = {
    # the file, its text before, and that with which the hook passes
    "md-changelog": (
        "CHANGELOG.md",
        "# Changelog\n\n## 1.0\n",
        "# Changelog\n\n## Unreleased\n\n## 1.0\n",
    ),
    "md-toc": (
        "toc.md",
        "# T\n\n<!-- toc -->\n<!-- tocstop -->\n\n## A\n",
        "# T\n\n<!-- toc -->\n\n- [A](#a)\n\n<!-- tocstop -->\n\n## A\n",
    ),
    "md-include": (
        "include.md",
        "# I\n\n<!-- md-mcp: from=part.md#P -->\n\nold\n",
        "# I\n\n<!-- md-mcp: from=part.md#P -->\n\nnew\n",
    ),
    "md-headings": ("a.md", "# A\n\n### B\n", "# A\n\n## B\n"),
    "md-front-matter": ("b.md", "---\na: [\n---\n", "---\na: []\n---\n"),
    "md-links": ("c.md", "[x](gone.md)\n", "[x](part.md)\n"),
}

REPORTING = {"md-front-matter", "md-links"}
"""Hooks that find a fault above which they cannot repair."""


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.com")
    subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True
    )


def commit_all(folder: Path) -> None:
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "files")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with the hooks, as they are in the working tree."""
    folder = tmp_path_factory.mktemp("hooks")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)
    commit_all(folder)
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which pre-commit installs the package once."""
    return {**os.environ, "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("cache"))}


def try_hook(
    name: str, repository: Path, folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *(sys.executable, "-m", "pre_commit", "try-repo", str(repository), name),
            *("--all-files", "--ref", "HEAD"),
        ],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_finds_a_fault_and_passes_once_it_is_mended(
    name: str, repository: Path, cache: dict[str, str], tmp_path: Path
) -> None:
    file, before, after = HOOKS[name]
    (tmp_path / "part.md").write_bytes(b"# P\n\nnew\n")
    (tmp_path / file).write_bytes(before.encode())
    commit_all(tmp_path)
    failing = try_hook(name, repository, tmp_path, cache)
    assert failing.returncode == 1, failing.stdout
    assert f"\n{file}:" in failing.stdout
    left = before if name in REPORTING else after
    assert (tmp_path / file).read_bytes() == left.encode()

    (tmp_path / file).write_bytes(after.encode())
    git(tmp_path, "add", "-A")
    passing = try_hook(name, repository, tmp_path, cache)
    assert passing.returncode == 0, passing.stdout
    assert (tmp_path / file).read_bytes() == after.encode()
