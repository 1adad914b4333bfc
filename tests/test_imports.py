"""What an import loads: hooks and one-shot commands pay for it on every start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import md_mcp

HEAVY = {"mcp", "pydantic", "anyio", "asyncio", "ruamel", "regex", "tomllib", "difflib"}


def loaded_by(code: str, *arguments: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter holds after `code`."""
    report = "import sys, json; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}", *arguments],
        check=True,
        capture_output=True,
    )
    return {name.partition(".")[0] for name in json.loads(run.stdout.splitlines()[-1])}


def test_the_package_exports_exactly_these_names() -> None:
    assert md_mcp.__all__ == [
        "Document",
        "Edit",
        "MdMcpError",
        "Span",
        "__version__",
        "edit",
    ]


def test_every_exported_name_is_there() -> None:
    missing = [name for name in md_mcp.__all__ if not hasattr(md_mcp, name)]
    assert missing == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(md_mcp, "document_of_no_kind")


def test_exported_names_are_listed_before_they_are_loaded() -> None:
    assert set(md_mcp.__all__) <= set(dir(md_mcp))


def test_importing_the_package_loads_nothing_heavy() -> None:
    bare = loaded_by("pass")
    assert (loaded_by("import md_mcp") - bare) & HEAVY == set()


def test_importing_the_package_does_not_load_the_core() -> None:
    code = "import md_mcp, sys\nassert 'md_mcp.document.model' not in sys.modules"
    assert "md_mcp" in loaded_by(code)


def test_planning_an_edit_loads_no_server_and_no_yaml_library() -> None:
    code = (
        "from md_mcp import Document, edit\n"
        "edit.replace(Document('# A\\n\\nold\\n'), 'A', 'new').text"
    )
    assert loaded_by(code) & {"mcp", "ruamel", "regex"} == set()


def test_reading_a_section_from_the_shell_loads_nothing_heavy(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"# A\n\n## B\n\nb\n")
    code = "import sys\nfrom md_mcp.cli import main\nassert main(sys.argv[1:]) == 0"
    assert loaded_by(code, "get", str(path), "A.B") & HEAVY == set()


@pytest.mark.parametrize(
    "name", ["changelog", "toc", "include", "headings", "front_matter"]
)
def test_a_hook_on_a_plain_file_loads_nothing_heavy(name: str, tmp_path: Path) -> None:
    text = b"---\ntitle: A\n---\n# Changelog\n\n## Unreleased\n\n<!-- toc -->\n"
    (tmp_path / "a.md").write_bytes(text)
    code = (
        "import os, sys\nos.chdir(sys.argv[1])\n"
        f"from md_mcp.hooks.{name} import main\nassert main(['a.md']) in (0, 1)"
    )
    assert loaded_by(code, str(tmp_path)) & HEAVY == set()
