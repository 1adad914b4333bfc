"""A local page that draws the link graph of a folder. It only reads."""

from md_mcp.panel.server import PanelServer

__all__ = ["PanelServer"]
