"""The order of the layers: who may import whom, and what the core must not call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "md_mcp"

ORDER = (
    "md_mcp.errors",
    "md_mcp.document.text",
    "md_mcp.document.splice",
    "md_mcp.document.path",
    "md_mcp.document.diff",
    "md_mcp.document.finding",
    "md_mcp.document.steering",
    "md_mcp.document.tokens",
    "md_mcp.document.find",
    "md_mcp.document.literal",
    "md_mcp.document.dialect",
    "md_mcp.document.template",
    "md_mcp.document.front_matter",
    "md_mcp.document.blocks",
    "md_mcp.document.delimiter_runs",
    "md_mcp.document.inline_syntax",
    "md_mcp.document.inline",
    "md_mcp.document.heading",
    "md_mcp.document.scanner",
    "md_mcp.document.slug",
    "md_mcp.document.link_scan",
    "md_mcp.document.link_runs",
    "md_mcp.document.links",
    "md_mcp.document.section",
    "md_mcp.document.address",
    "md_mcp.document.pattern",
    "md_mcp.document.search",
    "md_mcp.document.model",
    "md_mcp.document.outline",
    "md_mcp.document.edit.tail",
    "md_mcp.document.edit.layout",
    "md_mcp.document.edit.insert",
    "md_mcp.document.edit.guard",
    "md_mcp.document.edit.base",
    "md_mcp.document.edit",
    "md_mcp.document.changelog",
    "md_mcp.document.toc",
    "md_mcp.document.include",
    "md_mcp.document.heading_rules",
    "md_mcp.document.front_matter_schema",
    "md_mcp.document",
    "md_mcp.files",
    "md_mcp.matching",
    "md_mcp.library",
    "md_mcp.operations",
    "md_mcp.server",
    "md_mcp.panel",
    "md_mcp.cli",
    "md_mcp.hooks",
    "md_mcp.__main__",
    "md_mcp",
)
"""Each entry may import from itself and from the entries before it.

An entry stands for the module and everything below it that has no entry of its own; the
rooms and modules of the core have one each.
`md_mcp` itself, the front door, comes last: nobody inside imports through it, the
version excepted.
"""

ADAPTERS = ("md_mcp.server", "md_mcp.panel", "md_mcp.cli", "md_mcp.hooks")

CROSSING = {
    ("md_mcp.cli.serve", "md_mcp.server"),
    ("md_mcp.cli.panel", "md_mcp.panel"),
}
"""The ways from an adapter into another: the verbs that start a server."""

CORE = "md_mcp.document"

BANNED_IMPORTS = {
    *("asyncio", "datetime", "io", "os", "pathlib", "random", "shutil", "socket"),
    *("sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib"),
}

BANNED_CALLS = {
    *("open", "print", "input", "exec", "eval"),
    *("read_text", "write_text", "read_bytes", "write_bytes", "splitlines"),
}

HEAVY = {"difflib", "json", "mcp", "regex", "ruamel", "tomllib"}
"""Modules that the core imports inside the functions that need them."""


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), str(path))


def is_under(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def entry_of(module: str) -> str:
    """Return the entry of ORDER that `module` belongs to: the longest that fits."""
    fitting = [entry for entry in ORDER if is_under(module, entry)]
    if fitting == ["md_mcp"] and module != "md_mcp":
        return ""
    return max(fitting, key=len, default="")


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and full name of every import, those inside functions included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                known = name in MODULES or name in ORDER
                yield node.lineno, name if known else node.module


def at_import_time(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements that an import runs, type checking blocks left out."""
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def wrong_imports(module: str, tree: ast.Module) -> list[str]:
    place = ORDER.index(entry_of(module))
    return [
        f"{module}:{line} imports {name}"
        for line, name in imported(tree)
        if is_under(name, "md_mcp") and ORDER.index(entry_of(name)) > place
        if not (name == "md_mcp" and only_version(tree, line))
    ]


def only_version(tree: ast.Module, line: int) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and [alias.name for alias in node.names] == ["__version__"]
        for node in ast.walk(tree)
        if getattr(node, "lineno", 0) == line
    )


def wrong_calls(tree: ast.Module) -> list[str]:
    """Return the calls that do I/O, split lines their own way or strip too much."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = (
            function.attr
            if isinstance(function, ast.Attribute)
            else getattr(function, "id", "")
        )
        bare = name in {"strip", "lstrip", "rstrip"} and not node.args
        if name in BANNED_CALLS or bare:
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


def core_modules() -> list[str]:
    return [module for module in MODULES if is_under(module, CORE)]


def test_every_module_has_its_place_in_the_order() -> None:
    assert MODULES
    assert [module for module in MODULES if not entry_of(module)] == []


def test_every_module_of_the_core_has_its_own_entry() -> None:
    assert [module for module in core_modules() if entry_of(module) == CORE] == [CORE]


def test_the_order_names_no_entry_twice() -> None:
    assert len(set(ORDER)) == len(ORDER)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_layers_above(module: str) -> None:
    assert wrong_imports(module, parse(MODULES[module])) == []


def test_no_modules_import_each_other() -> None:
    graph = {
        module: {name for _, name in imported(parse(path)) if name in MODULES}
        for module, path in MODULES.items()
    }
    assert list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("module", MODULES)
def test_imports_are_absolute(module: str) -> None:
    relative = [
        node.lineno
        for node in ast.walk(parse(MODULES[module]))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


def test_adapters_never_import_each_other() -> None:
    crossings = {
        (module, other)
        for module, path in MODULES.items()
        for own in ADAPTERS
        if is_under(module, own)
        for _, name in imported(parse(path))
        for other in ADAPTERS
        if other != own and is_under(name, other)
    }
    assert crossings <= CROSSING


@pytest.mark.parametrize("module", core_modules())
def test_the_core_imports_nothing_that_reaches_outside(module: str) -> None:
    reached = [
        f"{module}:{line} imports {name}"
        for line, name in imported(parse(MODULES[module]))
        if name.partition(".")[0] in BANNED_IMPORTS
    ]
    assert reached == []


@pytest.mark.parametrize("module", core_modules())
def test_the_core_does_no_io_and_has_one_idea_of_lines_and_blanks(module: str) -> None:
    assert wrong_calls(parse(MODULES[module])) == []


@pytest.mark.parametrize("module", [m for m in MODULES if not is_under(m, ADAPTERS[0])])
def test_heavy_modules_are_imported_where_they_are_needed(module: str) -> None:
    heavy = [
        name
        for node in at_import_time(parse(MODULES[module]))
        for _, name in imported(node)
        if name.partition(".")[0] in HEAVY
    ]
    assert heavy == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("text.splitlines()", True),
        ("text.strip()", True),
        ('text.strip(" \\t")', False),
        ('text.split("\\n")', False),
        ("open(name)", True),
        ("Path(name).read_bytes()", True),
        ("print(text)", True),
        ("spans.append(span)", False),
    ],
)
def test_the_check_of_calls_finds_what_it_should(source: str, found: bool) -> None:
    assert bool(wrong_calls(ast.parse(source))) is found


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("md_mcp.document.text", "from md_mcp.document import edit", True),
        ("md_mcp.document.edit", "from md_mcp.document.text import Span", False),
        ("md_mcp.files", "import md_mcp.operations", True),
        ("md_mcp.cli", "def f():\n    from md_mcp import operations", False),
        ("md_mcp.document.text", "def f():\n    from md_mcp.cli import main", True),
        ("md_mcp.files", "from md_mcp import Document", True),
        ("md_mcp.cli", "from md_mcp import __version__", False),
    ],
)
def test_the_check_of_imports_finds_what_it_should(
    module: str, source: str, found: bool
) -> None:
    assert bool(wrong_imports(module, ast.parse(source))) is found
