"""The editing verbs: a document and an intent give an `Edit`; nothing is written here.

Every verb plans splices over the original text, applies them in one pass and lets the
guards compare what lies outside. A preview is an `Edit` that nobody saves.
"""

from md_mcp.document.edit.add import add
from md_mcp.document.edit.base import Edit
from md_mcp.document.edit.delete import delete
from md_mcp.document.edit.replace import patch, replace
from md_mcp.document.edit.replace_in import replace_in

__all__ = ["Edit", "add", "delete", "patch", "replace", "replace_in"]
