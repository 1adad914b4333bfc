"""Front matter: the metadata block at the very start of a file.

YAML stands between two lines that are exactly `---`, TOML between two that are exactly
`+++`; the first such line closes. What is between must form one mapping, else the whole
is ordinary Markdown. YAML is composed to nodes and never constructed or dumped.

A block with template actions is judged with the actions masked; where even that is no
YAML, but every line looks like an entry, it is front matter that cannot be checked.
Nothing here writes: edits are splices at the spans that `front_matter_entries` gives.
"""

from __future__ import annotations

from md_mcp.document.front_matter.block import (
    FrontMatter,
    FrontMatterKind,
    check_front_matter,
    explain_front_matter,
    find_front_matter,
)
from md_mcp.document.front_matter.reading import (
    front_matter_entries,
    read_front_matter,
)
from md_mcp.document.front_matter.yaml_nodes import Entry

__all__ = [
    "Entry",
    "FrontMatter",
    "FrontMatterKind",
    "check_front_matter",
    "explain_front_matter",
    "find_front_matter",
    "front_matter_entries",
    "read_front_matter",
]
