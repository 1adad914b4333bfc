"""Hooks: each a `main(argv) -> int` over the pure functions of the core.

Exit codes: 0 nothing found, 1 something found or changed, 2 misuse. Files are reached
through `md_mcp.files` below the current folder, which for pre-commit is the top of the
repository; links that lead out are not followed. No hook uses the network.
"""
