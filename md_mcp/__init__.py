r"""Edit sections of Markdown files and leave every other byte alone.

`Document` holds a text and its sections; the verbs of `edit` plan edits of them:

    from md_mcp import Document, edit

    document = Document("# Guide\n\n## Install\n\nold\n")
    print(edit.replace(document, "Guide.Install", "new").text)

Names are loaded on first use, so that `import md_mcp` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from md_mcp.document import edit
    from md_mcp.document.edit import Edit
    from md_mcp.document.model import Document
    from md_mcp.document.text import Span
    from md_mcp.errors import MdMcpError

__all__ = ["Document", "Edit", "MdMcpError", "Span", "__version__", "edit"]

__version__ = "0.1.0"

_HOMES = {
    "Document": "md_mcp.document.model",
    "Edit": "md_mcp.document.edit",
    "MdMcpError": "md_mcp.errors",
    "Span": "md_mcp.document.text",
}
"""The module that each lazily loaded name comes from."""


def __getattr__(name: str) -> object:
    """Return the public name `name`, and keep it for the next time."""
    from importlib import import_module

    if name == "edit":
        value: object = import_module("md_mcp.document.edit")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*globals(), *__all__})
