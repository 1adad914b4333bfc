"""The verbs for changelogs: changelog add, release, show and check."""

from __future__ import annotations

from md_mcp.cli.console import Console
from md_mcp.cli.content import read_content
from md_mcp.cli.parser import Options, Parser, Verb, add_json, add_roots, open_files
from md_mcp.cli.writing import add_write_options, report

FOUND = 1


def _add_log(parser: Parser) -> None:
    parser.add_argument(
        "--changelog",
        dest="file_path",
        metavar="FILE",
        default="CHANGELOG.md",
        help="the changelog (default: CHANGELOG.md)",
    )
    add_roots(parser)


def _add_under(parser: Parser) -> None:
    parser.add_argument(
        "--under",
        metavar="PATH",
        help="the section that holds the releases, in a file of several changelogs",
    )


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "content", metavar="ENTRY", help='the entry; "-" reads standard input'
    )
    parser.add_argument(
        "--category", metavar="NAME", help="where it belongs, such as Fixed"
    )
    _add_log(parser)
    _add_under(parser)
    parser.set_defaults(content_file=None)
    add_write_options(parser)


def _add(options: Options, console: Console) -> int:
    from md_mcp.operations.changelog import add_changelog_entry

    change = add_changelog_entry(
        open_files(options, console),
        options.file_path,
        read_content(options),
        options.category,
        options.under,
        expected_revision=options.expected_revision,
        dry_run=options.dry_run,
    )
    return report(change, options, console)


def _release_arguments(parser: Parser) -> None:
    parser.add_argument("version", metavar="VERSION", help='such as "1.4.0"')
    parser.add_argument(
        "--date", metavar="DATE", help="year-month-day (default: today)"
    )
    _add_log(parser)
    _add_under(parser)
    add_write_options(parser)


def _release(options: Options, console: Console) -> int:
    from md_mcp.operations.changelog import release_changelog

    change = release_changelog(
        open_files(options, console),
        options.file_path,
        options.version,
        options.date,
        options.under,
        expected_revision=options.expected_revision,
        dry_run=options.dry_run,
    )
    return report(change, options, console)


def _show_arguments(parser: Parser) -> None:
    parser.add_argument(
        "version", metavar="VERSION", help='such as "1.4.0", or "unreleased"'
    )
    _add_log(parser)
    _add_under(parser)
    add_json(parser)


def _show(options: Options, console: Console) -> int:
    from md_mcp.operations.changelog import show_changelog

    notes = show_changelog(
        open_files(options, console), options.file_path, options.version, options.under
    )
    if options.json:
        console.put_json(notes)
    else:
        console.put_text(notes)
    return 0


def _check_arguments(parser: Parser) -> None:
    _add_log(parser)
    add_json(parser)


def _check(options: Options, console: Console) -> int:
    from md_mcp.operations.changelog import check_changelog

    found = check_changelog(open_files(options, console), options.file_path)
    if options.json:
        console.put_json(found)
    else:
        for fault in found:
            place = console.show(f"{options.file_path}:{fault['line']}", "path")
            message = console.show(f"{fault['message']} ({fault['rule']})")
            console.put(f"{place}: {message}\n")
    return FOUND if found else 0


VERBS = (
    Verb(
        "changelog add",
        "update_changelog",
        "add an entry to the unreleased changes",
        _add_arguments,
        _add,
        writes=True,
    ),
    Verb(
        "changelog release",
        "",
        "make the unreleased changes a version",
        _release_arguments,
        _release,
        writes=True,
    ),
    Verb(
        "changelog show",
        "",
        "print the notes of a version",
        _show_arguments,
        _show,
    ),
    Verb(
        "changelog check",
        "",
        "tell what is wrong with a changelog",
        _check_arguments,
        _check,
    ),
)
