"""md-front-matter: front matter parses, and is as the schema of the project wants it.

The schema is the table `front-matter` of `.md-mcp.toml`, or without that file the table
`tool.md-mcp.front-matter` of `pyproject.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from md_mcp.document.front_matter_schema import (
    Schema,
    check_front_matter_schema,
    parse_schema,
    respell_values,
)
from md_mcp.errors import ArgumentError, FileError, FileMissingError
from md_mcp.files.store import Files
from md_mcp.hooks.run import Hook, make_parser, misused, open_files, run

_NAME = "md-front-matter"

_PLACES = {
    ".md-mcp.toml": ("front-matter",),
    "pyproject.toml": ("tool", "md-mcp", "front-matter"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the hook and return its exit code."""
    parser = make_parser(_NAME, "Check front matter against a schema.", repairs=True)
    parser.add_argument(
        "--config",
        metavar="TOMLFILE",
        help="where the schema is (default: .md-mcp.toml, then pyproject.toml)",
    )
    options = parser.parse_args(argv)
    files = open_files()
    try:
        schema = _read_schema(files, options.config)
    except ArgumentError as error:
        return misused(_NAME, error)
    hook = Hook(
        lambda document, _: check_front_matter_schema(document, schema),
        (lambda document, _: respell_values(document, schema)) if options.fix else None,
    )
    return run(hook, files, options.files)


def _read_schema(files: Files, given: str | None) -> Schema:
    """Return the schema of the project, the empty one where it has none.

    Raises:
        ArgumentError: a file that was named cannot be read, or what it says is wrong.
    """
    for name in [given] if given else _PLACES:
        try:
            text = files.read(name).document.text
        except FileMissingError as error:
            if given:
                raise ArgumentError("config", str(error)) from None
            continue
        except FileError as error:
            raise ArgumentError("config", str(error)) from None
        table = _find_table(name, text)
        if table is not None:
            return parse_schema(table)
    return Schema()


def _find_table(name: str, text: str) -> Mapping[str, object] | None:
    if "front-matter" not in text:
        return None
    import tomllib

    try:
        table: object = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArgumentError("config", f'"{name}" is not TOML: {error}.') from None
    keys = _PLACES.get(name) or _PLACES[".md-mcp.toml"]
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table if isinstance(table, Mapping) else None
