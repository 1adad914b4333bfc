"""The MCP server: the operations as tools, over standard input and output.

    serve(ServerOptions(roots=("/docs",)))

serves until the client leaves. The SDK is loaded only by `serve`.
"""

from __future__ import annotations

from md_mcp.server.options import ServerOptions

__all__ = ["ServerOptions", "serve"]


def serve(options: ServerOptions) -> int:
    """Serve over standard input and output; return the exit code when it has ended.

    Raises:
        ArgumentError: `options` names a toolset that does not exist.
        FileError: a root cannot be opened.
    """
    from md_mcp.server.app import serve as serve_stdio

    return serve_stdio(options)
