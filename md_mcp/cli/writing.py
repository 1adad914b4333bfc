"""The verbs that write: add, replace, sub and delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from md_mcp.cli.console import Console
from md_mcp.cli.content import add_content, read_content
from md_mcp.cli.parser import (
    Options,
    Parser,
    Verb,
    add_break_hardlinks,
    add_file,
    add_json,
    add_path,
    open_files,
)
from md_mcp.cli.render import diff_text

if TYPE_CHECKING:
    from md_mcp.files import Change


def add_write_options(parser: Parser) -> None:
    """Add what all writing verbs take."""
    parser.add_argument(
        "--dry-run", action="store_true", help="print the diff and write nothing"
    )
    parser.add_argument(
        "--diff", action="store_true", help="print the diff of what was written"
    )
    parser.add_argument(
        "--expected-revision",
        metavar="REV",
        help="refuse when the file is no longer this one: "
        "the first 12 hex digits of the SHA-256 of its bytes",
    )
    add_break_hardlinks(parser)
    add_json(parser)


def _add_arguments(parser: Parser) -> None:
    add_file(parser)
    parser.add_argument(
        "heading", metavar="HEADING", help='the new heading, such as "## Usage"'
    )
    add_content(parser)
    for place in ("under", "before", "after"):
        parser.add_argument(
            f"--{place}", metavar="PATH", help=f"put it {place} this section"
        )
    add_write_options(parser)


def _add(options: Options, console: Console) -> int:
    from md_mcp.operations import add_section

    change = add_section(
        open_files(options, console),
        options.file_path,
        options.heading,
        read_content(options),
        under=options.under,
        before=options.before,
        after=options.after,
        expected_revision=options.expected_revision,
        dry_run=options.dry_run,
    )
    return report(change, options, console)


def _replace_arguments(parser: Parser) -> None:
    add_file(parser)
    add_path(parser)
    add_content(parser)
    add_write_options(parser)


def _replace(options: Options, console: Console) -> int:
    from md_mcp.operations import replace_section

    change = replace_section(
        open_files(options, console),
        options.file_path,
        options.path,
        read_content(options),
        expected_revision=options.expected_revision,
        dry_run=options.dry_run,
    )
    return report(change, options, console)


def _sub_arguments(parser: Parser) -> None:
    add_file(parser)
    add_path(parser)
    parser.add_argument("old", metavar="OLD", help="the text to replace, literally")
    add_content(parser, "NEW")
    parser.add_argument(
        "--replace-all",
        action="store_true",
        help="replace every occurrence (default: there must be one)",
    )
    add_write_options(parser)


def _sub(options: Options, console: Console) -> int:
    from md_mcp.operations import replace_in_section

    change = replace_in_section(
        open_files(options, console),
        options.file_path,
        options.path,
        options.old,
        read_content(options),
        replace_all=options.replace_all,
        expected_revision=options.expected_revision,
        dry_run=options.dry_run,
    )
    return report(change, options, console, result=change.diff)


def _delete_arguments(parser: Parser) -> None:
    add_file(parser)
    add_path(parser)
    parser.add_argument(
        "--keep-children",
        action="store_true",
        help="delete the heading and its own text only",
    )
    add_write_options(parser)


def _delete(options: Options, console: Console) -> int:
    from md_mcp.operations import delete_section

    change = delete_section(
        open_files(options, console),
        options.file_path,
        options.path,
        include_children=not options.keep_children,
        expected_revision=options.expected_revision,
        dry_run=options.dry_run,
    )
    return report(change, options, console)


def report(
    change: Change, options: Options, console: Console, result: str | None = None
) -> int:
    """Print the tool's result, or the diff where one was asked for."""
    for warning in change.warnings:
        console.note(f"warning: {warning}")
    if options.dry_run or options.diff:
        result = change.diff
    if result is None:
        result = f"ok {change.revision}" if options.expected_revision else "ok"
        result += "" if options.json else "\n"
    if options.json:
        console.put_json(result)
    else:
        console.put(diff_text(result, console))
    if not change.changed:
        console.note("nothing to change, the file reads so already")
    return 0


VERBS = (
    Verb("add", "add_section", "add a section", _add_arguments, _add, writes=True),
    Verb(
        "replace",
        "replace_section",
        "replace the text below a heading",
        _replace_arguments,
        _replace,
        writes=True,
    ),
    Verb(
        "sub",
        "replace_in_section",
        "replace a text inside a section",
        _sub_arguments,
        _sub,
        writes=True,
    ),
    Verb(
        "delete",
        "delete_section",
        "delete a section",
        _delete_arguments,
        _delete,
        writes=True,
    ),
)
