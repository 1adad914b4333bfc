"""The verbs that only read: index, get, search, grep and patch."""

from __future__ import annotations

from md_mcp.cli.console import Console
from md_mcp.cli.content import add_content, read_content
from md_mcp.cli.parser import (
    Options,
    Parser,
    Verb,
    add_file,
    add_json,
    add_path,
    add_pattern,
    add_roots,
    open_files,
)
from md_mcp.cli.render import diff_text, match_lines, section_lines, tree_lines


def _index_arguments(parser: Parser) -> None:
    add_file(parser)
    parser.add_argument(
        "path", metavar="PATH", nargs="?", help="show only this section's subtree"
    )
    parser.add_argument(
        "--depth", type=int, metavar="N", help="show so many generations (default: all)"
    )
    add_json(parser)


def _index(options: Options, console: Console) -> int:
    from md_mcp.operations import get_index

    index = get_index(
        open_files(options, console), options.file_path, options.path, options.depth
    )
    if options.json:
        console.put_json(index)
        return 0
    for line in tree_lines(index["sections"], console):
        console.put(line + "\n")
    if not index["sections"]:
        console.note(f"{options.file_path} has no headings")
    if index.get("truncated"):
        console.note("the index is cut; give the PATH of a section to see below it")
    return 0


def _get_arguments(parser: Parser) -> None:
    add_file(parser)
    add_path(parser)
    parser.add_argument(
        "--depth",
        type=int,
        metavar="N",
        help="0: without subsections, N: N generations of them (default: all)",
    )
    add_json(parser)


def _get(options: Options, console: Console) -> int:
    from md_mcp.operations import get_section

    text = get_section(
        open_files(options, console), options.file_path, options.path, options.depth
    )
    if options.json:
        console.put_json(text)
    else:
        console.put_text(text)
    return 0


def _search_arguments(parser: Parser) -> None:
    add_file(parser)
    add_pattern(parser)


def _search(options: Options, console: Console) -> int:
    from md_mcp.operations import search_sections

    sections = search_sections(
        open_files(options, console),
        options.file_path,
        options.query,
        case_sensitive=options.case_sensitive,
        scope=options.scope,
    )
    if options.json:
        console.put_json(sections)
    else:
        for line in section_lines(sections, console):
            console.put(line + "\n")
    return 0 if sections else 1


def _grep_arguments(parser: Parser) -> None:
    parser.add_argument("directory", metavar="DIRECTORY", help="the folder to search")
    add_roots(parser)
    add_pattern(parser)
    parser.add_argument(
        "--glob", default="**/*.md", help="which files, relative (default: **/*.md)"
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=100,
        metavar="N",
        help="stop after N matches, 1 to 1000 (default: 100)",
    )
    parser.add_argument(
        "--max-file-bytes",
        type=int,
        default=1048576,
        metavar="N",
        help="skip larger files (default: 1048576)",
    )


def _grep(options: Options, console: Console) -> int:
    from md_mcp.operations import search_files

    result = search_files(
        open_files(options, console),
        options.directory,
        options.glob,
        options.query,
        scope=options.scope,
        case_sensitive=options.case_sensitive,
        limit=options.limit,
        max_file_bytes=options.max_file_bytes,
    )
    matches = result["matches"]
    if options.json:
        console.put_json(result)
        return 0 if matches else 1
    for line in match_lines(matches, console):
        console.put(line + "\n")
    if result["truncated"]:
        console.note(f"there are more than {result['limit']} matches; see --limit")
    if result["skipped"]:
        reasons = "unreadable, too large or not UTF-8"
        console.note(f"files skipped as {reasons}: {result['skipped']}")
    return 0 if matches else 1


def _patch_arguments(parser: Parser) -> None:
    add_file(parser)
    add_path(parser)
    add_content(parser)
    add_json(parser)


def _patch(options: Options, console: Console) -> int:
    from md_mcp.operations import patch_section

    diff = patch_section(
        open_files(options, console),
        options.file_path,
        options.path,
        read_content(options),
    )
    if options.json:
        console.put_json(diff)
    else:
        console.put(diff_text(diff, console))
    return 0


VERBS = (
    Verb(
        "index",
        "get_index",
        "draw the sections of a file as a tree",
        _index_arguments,
        _index,
    ),
    Verb(
        "get",
        "get_section",
        "print a section exactly as it stands",
        _get_arguments,
        _get,
    ),
    Verb(
        "search",
        "search_sections",
        "find lines of a file, by section",
        _search_arguments,
        _search,
    ),
    Verb(
        "grep",
        "search_files",
        "find lines in the files of a folder",
        _grep_arguments,
        _grep,
    ),
    Verb(
        "patch",
        "patch_section",
        "show the diff that replace would make",
        _patch_arguments,
        _patch,
    ),
)
