"""The link reference definitions of a changelog: where `[1.2.0]` in a heading leads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from md_mcp.document.blocks import Block, parse_blocks
from md_mcp.document.blocks.definitions import normalize_label
from md_mcp.document.changelog.read import Changelog, Release
from md_mcp.document.changelog.version import find_version
from md_mcp.document.model import Document
from md_mcp.document.text import Span, split_ending

_DEFINITION = re.compile(r"(?:\A|[\r\n]) {0,3}\[[^\]\r\n]+\]:")

_DESTINATION = re.compile(r"\]:[ \t\r\n]*<?(?P<url>[^ \t\r\n>]+)")

_REFERENCE = re.compile(r"\[(?P<label>[^\[\]\r\n]+)\](?:\[\])?(?![(\[:])")


class Definition(NamedTuple):
    """A definition whose label is a version or "unreleased".

    Attributes:
        label: as written between the brackets.
        span: its whole lines.
        url_span: the destination.
    """

    label: str
    span: Span
    url_span: Span

    @property
    def is_unreleased(self) -> bool:
        """Whether it belongs to the unreleased changes."""
        return normalize_label(self.label) == "unreleased"


def find_definitions(document: Document) -> dict[str, Definition]:
    """Return the definitions of versions by comparable label; the first one wins."""
    found: dict[str, Definition] = {}
    for section in (document.preamble, *document.sections):
        body = section.body_span
        if _DEFINITION.search(document.text, body.start, body.end):
            for block in parse_blocks(document.text, body, document.separator):
                for definition in _read(document, block):
                    found.setdefault(normalize_label(block.label), definition)
    return found


def _read(document: Document, block: Block) -> Iterator[Definition]:
    if block.kind != "link_reference_definition":
        return
    if normalize_label(block.label) != "unreleased" and not find_version(block.label):
        return
    start = document.text.index(block.label, block.span.start) + len(block.label)
    match = _DESTINATION.match(document.text, start, block.span.end)
    if match:
        yield Definition(block.label, block.span, Span(*match.span("url")))


def reference_label(release: Release) -> str:
    """Return the label of `[label]` in a release's heading, "" without such a link."""
    found = _REFERENCE.search(release.heading.raw)
    if found is None or not _names(release, found["label"]):
        return ""
    return found["label"]


def _names(release: Release, label: str) -> bool:
    if normalize_label(label) == "unreleased":
        return release.title.is_unreleased
    version = find_version(label)
    return bool(version and release.version and version.text == release.version)


def known_versions(changelog: Changelog) -> tuple[str, ...]:
    """Return the versions of all releases, each once, in file order."""
    return tuple(dict.fromkeys(r.version for r in changelog.releases if r.version))


def write_definition(document: Document, like: Definition, label: str, url: str) -> str:
    """Return the line of a definition written as `like` is, its ending included."""
    text = like.span.of(document.text)
    content, _ = split_ending(text, document.separator)
    offset = like.span.start
    url_start, url_end = like.url_span.start - offset, like.url_span.end - offset
    before = content[:url_start].replace(like.label, label, 1)
    return before + url + content[url_end:].rstrip(" \t") + document.line_ending
