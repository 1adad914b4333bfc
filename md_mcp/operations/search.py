"""Searching one file or the files of a folder."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from md_mcp.document.pattern import parse_pattern
from md_mcp.document.search import Match, check_scope, search
from md_mcp.errors import ArgumentError
from md_mcp.files import Files
from md_mcp.matching import bounded_lines

MAX_LIMIT = 1000

SHOWN = 300
"""Characters of a line that a search through files shows."""


def search_sections(
    files: Files,
    file_path: str,
    query: str,
    case_sensitive: bool = False,
    scope: str = "body",
) -> list[dict[str, Any]]:
    """Return the matching lines of a file by section, all of them, in file order.

    Raises:
        PatternError: `query` is no pattern, or takes too long.
        ArgumentError: `scope` is unknown.
        FileError: the file cannot be read.
    """
    check_scope(scope)
    pattern = parse_pattern(query, case_sensitive=case_sensitive)
    document = files.read(file_path).document
    matches = search(document, bounded_lines(pattern), scope)
    return [
        {"path": path, "matches": [_line(match) for match in group]}
        for path, group in groupby(matches, key=lambda match: match.path)
    ]


def search_files(
    files: Files,
    directory: str,
    glob: str,
    query: str,
    scope: str = "body",
    case_sensitive: bool = False,
    limit: int = 100,
    max_file_bytes: int = 1048576,
) -> dict[str, Any]:
    """Return matching lines of the files below `directory`, in path order.

    The "limit" of the answer is the one that counted; "skipped" is how many of the
    files that were looked at could not be searched.

    Raises:
        PatternError: `query` is no pattern, or takes too long.
        ArgumentError: another argument is out of range.
        FileError: `directory` is no folder below the roots.
    """
    from md_mcp.library import search as library

    check_scope(scope)
    limit = min(_positive("limit", limit), MAX_LIMIT)
    size = _positive("max_file_bytes", max_file_bytes)
    pattern = parse_pattern(query, case_sensitive=case_sensitive)
    walk = files.walk(directory, glob)
    found = library.search_files(
        walk,
        pattern,
        bounded_lines(pattern),
        scope=scope,
        limit=limit,
        max_file_bytes=size,
    )
    return {
        "matches": [_file_line(hit.file_path, hit.match) for hit in found.matches],
        "skipped": walk.skipped.total(),
        "truncated": found.truncated,
        "limit": limit,
    }


def _positive(argument: str, value: int) -> int:
    if value < 1:
        raise ArgumentError(argument, f"{argument} is {value}: give at least 1.")
    return value


def _line(match: Match) -> dict[str, Any]:
    return {"line": match.line, "text": match.text}


def _file_line(file_path: str, match: Match) -> dict[str, Any]:
    return {
        "file_path": file_path,
        "path": match.path,
        "line": match.line,
        "text": match.text[:SHOWN],
    }
