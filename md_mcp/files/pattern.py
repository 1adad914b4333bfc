"""Glob patterns over relative paths, matched one directory at a time.

`*`, `?` and `[…]` match within a component, case-sensitively; `**` as a component
matches any number of directories, and at the end everything below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate

from md_mcp.errors import ArgumentError

States = frozenset[int]
"""Indices of the components that the next name may have to match."""

_MAX_LENGTH = 1000


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern: one compiled component each, None for `**`."""

    components: tuple[re.Pattern[str] | None, ...]

    @classmethod
    def parse(cls, pattern: str) -> Glob:
        """Return the pattern.

        Raises:
            ArgumentError: it is empty, absolute, too long or goes up with "..".
        """
        parts = [part for part in pattern.split("/") if part != "."]
        if not parts or not {"", ".."}.isdisjoint(parts):
            raise ArgumentError(
                "glob",
                f"{pattern!a} is not a pattern for relative paths. "
                'Give one such as "**/*.md", without a leading "/" and without "..".',
            )
        if len(pattern) > _MAX_LENGTH:
            raise ArgumentError(
                "glob", f"the pattern is longer than {_MAX_LENGTH} characters."
            )
        if parts[-1:] == ["**"]:
            parts.append("*")
        return cls(
            tuple(None if p == "**" else re.compile(translate(p)) for p in parts)
        )

    def start(self) -> States:
        """Return the states at the top."""
        return self._expand({0})

    def matches_file(self, states: States, name: str) -> bool:
        """Return whether a file `name` in a directory with `states` matches."""
        last = len(self.components) - 1
        return last in states and self._fits(last, name)

    def enter(self, states: States, name: str, *, through_link: bool) -> States:
        """Return the states in the directory `name`; none when nothing can match.

        `**` does not go through links, which could lead in circles.
        """
        last = len(self.components) - 1
        found = set()
        for index in states:
            if self.components[index] is None:
                if not through_link:
                    found.add(index)
            elif index < last and self._fits(index, name):
                found.add(index + 1)
        return self._expand(found)

    def _fits(self, index: int, name: str) -> bool:
        component = self.components[index]
        return component is not None and component.match(name) is not None

    def _expand(self, states: set[int]) -> States:
        """Add what follows a `**`, which may match no directory at all."""
        found = set(states)
        for index in states:
            while self.components[index] is None:
                index += 1
                found.add(index)
        return frozenset(found)
