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
    # file, its text before, its text after, exit codes of the first and second run
    "md-changelog": (
        "CHANGELOG.md",
        "# Changelog\n\n## 1.0\n",
        "# Changelog\n\n## Unreleased\n\n## 1.0\n",
        1,
        0,
    ),
    "md-toc": (
        "toc.md",
        "# T\n\n<!-- toc -->\n<!-- tocstop -->\n\n## A\n",
        "# T\n\n<!-- toc -->\n\n- [A](#a)\n\n<!-- tocstop -->\n\n## A\n",
        1,
        0,
    ),
    "md-include": (
        "include.md",
        "# I\n\n<!-- md-mcp: from=part.md#P -->\n\nold\n",
        "# I\n\n<!-- md-mcp: from=part.md#P -->\n\nnew\n",
        1,
        0,
    ),
    "md-headings": ("a.md", "# A\n\n### B\n", "# A\n\n## B\n", 1, 0),
    "md-front-matter": ("b.md", "---\na: [\n---\n", "---\na: [\n---\n", 1, 1),
    "md-links": ("c.md", "[x](gone.md)\n", "[x](gone.md)\n", 1, 1),
}


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
def test_a_hook_finds_repairs_and_passes_as_documented(
    name: str, repository: Path, cache: dict[str, str], tmp_path: Path
) -> None:
    file, before, after, first, second = HOOKS[name]
    (tmp_path / "part.md").write_bytes(b"# P\n\nnew\n")
    commit_all(tmp_path)
    passing = try_hook(name, repository, tmp_path, cache)
    assert passing.returncode == 0, passing.stdout

    (tmp_path / file).write_bytes(before.encode())
    git(tmp_path, "add", "-A")
    failing = try_hook(name, repository, tmp_path, cache)
    assert failing.returncode == first, failing.stdout
    assert file in failing.stdout
    assert (tmp_path / file).read_bytes() == after.encode()

    git(tmp_path, "add", "-A")
    again = try_hook(name, repository, tmp_path, cache)
    assert again.returncode == second, again.stdout
    assert (tmp_path / file).read_bytes() == after.encode()
