"""The verbs that look before reading: outline, find, front-matter get, links, notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from md_mcp.cli.console import Console
from md_mcp.cli.parser import (
    Options,
    Parser,
    Verb,
    add_file,
    add_json,
    add_roots,
    open_files,
)
from md_mcp.cli.progress import show_progress

_QUERIES = (
    *("stats", "node", "neighbors", "search_type"),
    *("most_connected", "isolated", "path", "broken"),
)


def _outline_arguments(parser: Parser) -> None:
    add_file(parser)
    parser.add_argument(
        "--max-level",
        type=int,
        default=6,
        metavar="N",
        help="leave headings below this level out (default: 6)",
    )
    add_json(parser)


def _outline(options: Options, console: Console) -> int:
    from md_mcp.operations import get_outline

    files = open_files(options, console)
    return _put(
        get_outline(files, options.file_path, options.max_level), options, console
    )


def _find_arguments(parser: Parser) -> None:
    add_file(parser)
    parser.add_argument(
        "heading", metavar="HEADING", help="roughly the heading; case does not matter"
    )
    parser.add_argument(
        "--depth",
        type=int,
        metavar="N",
        help="0: without subsections, N: N generations of them (default: all)",
    )
    add_json(parser)


def _find(options: Options, console: Console) -> int:
    from md_mcp.operations import find_section

    files = open_files(options, console)
    found = find_section(files, options.file_path, options.heading, options.depth)
    return _put(found, options, console)


def _put(text: str, options: Options, console: Console) -> int:
    if options.json:
        console.put_json(text)
    else:
        console.put_text(text if text.endswith("\n") else f"{text}\n")
    return 0


def _front_matter_arguments(parser: Parser) -> None:
    add_file(parser)
    add_json(parser)


def _front_matter(options: Options, console: Console) -> int:
    from md_mcp.operations import get_frontmatter

    found = get_frontmatter(open_files(options, console), options.file_path)
    values = found["frontmatter"]
    if options.json:
        console.put_json(found)
    elif values is not None:
        for line in answer_lines(values, console):
            console.put(f"{line}\n")
    elif "fault" in found:
        console.note(f"{options.file_path} has no front matter: {found['fault']}")
    else:
        console.note(f"{options.file_path} has no front matter")
    return 1 if values is None else 0


def _add_directory(parser: Parser) -> None:
    parser.add_argument("directory", metavar="DIRECTORY", help="the folder of notes")
    add_roots(parser)


def _links_arguments(parser: Parser) -> None:
    _add_directory(parser)
    parser.add_argument(
        "query", metavar="QUERY", choices=_QUERIES, help=f"one of {', '.join(_QUERIES)}"
    )
    parser.add_argument(
        "--node", metavar="NAME", help="a note, by path or name; a type for search_type"
    )
    parser.add_argument("--to", metavar="NAME", help="the note where a path ends")
    parser.add_argument(
        "--depth",
        type=int,
        default=1,
        metavar="N",
        help="how far neighbors may be (default: 1)",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=10,
        metavar="N",
        help="show at most N items, 1 to 1000 (default: 10)",
    )
    add_json(parser)


def _links(options: Options, console: Console) -> int:
    from md_mcp.operations import query_links

    found = query_links(
        open_files(options, console),
        options.directory,
        options.query,
        node=options.node,
        to=options.to,
        depth=options.depth,
        limit=options.limit,
        progress=show_progress(console),
    )
    _put_answer(found, options, console)
    is_empty = found.get("total") == 0 or found.get("path", "") is None
    return 1 if is_empty else 0


def _notes_arguments(parser: Parser) -> None:
    _add_directory(parser)
    parser.add_argument("query", metavar="QUERY", help="words of headings, tags, names")
    parser.add_argument(
        "--limit",
        type=int,
        default=12,
        metavar="N",
        help="show at most N sections, 1 to 1000 (default: 12)",
    )
    add_json(parser)


def _notes(options: Options, console: Console) -> int:
    from md_mcp.operations import find_notes

    found = find_notes(
        open_files(options, console),
        options.directory,
        options.query,
        options.limit,
        progress=show_progress(console),
    )
    _put_answer(found, options, console)
    return 0 if found["matching"] else 1


def _put_answer(found: Mapping[str, Any], options: Options, console: Console) -> None:
    if options.json:
        console.put_json(found)
        return
    for line in answer_lines(found, console):
        console.put(f"{line}\n")


def answer_lines(found: Mapping[str, Any], console: Console) -> Iterator[str]:
    """Yield a line for each value of an answer, and one for each item of its lists."""
    for name, value in found.items():
        shown = console.show(str(name), "path")
        if isinstance(value, list | dict) and value:
            yield f"{shown}:"
            items = value.items() if isinstance(value, dict) else value
            for item in items:
                yield f"  {console.show(_item(item))}"
        else:
            yield f"{shown}: {console.show(_value(value))}"


def _item(item: Any) -> str:
    if isinstance(item, dict):
        return "  ".join(f"{name}={_value(value)}" for name, value in item.items())
    if isinstance(item, tuple):
        return f"{item[0]}: {_value(item[1])}"
    return _value(item)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    from json import dumps

    return dumps(value, ensure_ascii=False)


VERBS = (
    Verb(
        "outline",
        "get_outline",
        "show the headings of a file with lines and tokens",
        _outline_arguments,
        _outline,
    ),
    Verb(
        "find",
        "find_section",
        "print the section with roughly this heading",
        _find_arguments,
        _find,
    ),
    Verb(
        "front-matter get",
        "get_frontmatter",
        "show the front matter's values",
        _front_matter_arguments,
        _front_matter,
    ),
    Verb(
        "links",
        "query_links",
        "ask about the links between the notes of a folder",
        _links_arguments,
        _links,
    ),
    Verb(
        "notes",
        "find_notes",
        "find the sections of a folder that words are about",
        _notes_arguments,
        _notes,
    ),
)
