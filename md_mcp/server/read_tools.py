"""The toolset `read`: what a file or folder holds, and what reading it would cost."""

from __future__ import annotations

from md_mcp import operations
from md_mcp.server.tool import INTEGER, STRING, Tool

_QUERIES = (
    *("stats", "node", "neighbors", "search_type"),
    *("most_connected", "isolated", "path", "broken"),
)

READ = (
    Tool(
        name="get_outline",
        description=(
            "Cheapest map of a Markdown file: per heading its lines and tokens "
            "(own/subtree), and the file's revision. Joined by dots the texts are "
            "paths; where that fails, the path stands in backquotes. max_level: "
            "leave deeper headings out."
        ),
        parameters={"file_path": STRING, "max_level": INTEGER},
        required=("file_path",),
        function=operations.get_outline,
    ),
    Tool(
        name="find_section",
        description=(
            "Text of the section whose heading is roughly this: case, accents, "
            "typing errors, abbreviations and word order do not matter. Several that "
            "fit are listed with path and tokens. depth 0: without children."
        ),
        parameters={"file_path": STRING, "heading": STRING, "depth": INTEGER},
        required=("file_path", "heading"),
        function=operations.find_section,
    ),
    Tool(
        name="get_frontmatter",
        description="Front matter (YAML or TOML) of a Markdown file as JSON values.",
        parameters={"file_path": STRING},
        required=("file_path",),
        function=operations.get_frontmatter,
    ),
    Tool(
        name="query_links",
        description=(
            "Links between the notes of a folder (wikilinks and Markdown). stats; "
            "broken; isolated; most_connected; node: one note with its headings and "
            "links both ways; neighbors of node up to depth; path from node to to; "
            "search_type: notes of the front matter type in node."
        ),
        parameters={
            "directory": STRING,
            "query": {"type": "string", "enum": list(_QUERIES)},
            "node": STRING,
            "to": STRING,
            "depth": INTEGER,
            "limit": INTEGER,
        },
        required=("directory", "query"),
        function=operations.query_links,
    ),
    Tool(
        name="find_notes",
        description=(
            "Start here in a large folder: the sections whose headings, tags or file "
            "names have the words of query, with path, lines and tokens; the best "
            "notes if many match, the best connected ones if none does."
        ),
        parameters={"directory": STRING, "query": STRING, "limit": INTEGER},
        required=("directory", "query"),
        function=operations.find_notes,
    ),
)
"""Reading before editing."""
