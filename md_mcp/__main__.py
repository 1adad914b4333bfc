"""`python -m md_mcp` is the command `md-mcp`."""

from __future__ import annotations

import sys

from md_mcp.cli import main

if __name__ == "__main__":
    sys.exit(main())
