"""The command line: verbs that mirror the tools, each one operation and a print.

Exit codes: 0 done or found, 1 found nothing or a check found a fault, 2 refused or
misused, 130 interrupted.
"""

from md_mcp.cli.entry import main

__all__ = ["main"]
