"""Run user patterns so that they cannot hurt: in a process of their own, under limits.

`bounded_lines` is the search for a pattern. Plain text is looked for in this process,
in time linear in the text; everything else goes to one worker process, which has a time
limit and a memory limit and is killed when it does not keep to them.
"""

from md_mcp.matching.bounded import bounded_lines

__all__ = ["bounded_lines"]
