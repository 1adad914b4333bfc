"""Which entries of a folder are left out: the rules of its `.gitignore` files.

The rules are kept from walk to walk: the patterns of a folder for as long as its
`.gitignore` keeps its identity, and what they said of each name, because matching
thousands of names again would take longer than the walk itself.
https://git-scm.com/docs/gitignore
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from md_mcp.files.reading import FileIdentity

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

GITIGNORE = ".gitignore"


class IgnoreRules:
    """The rules that hold in one folder, those of the folders above included."""

    __slots__ = ("_above", "_below", "_decisions", "_identity", "_path", "_spec")

    def __init__(self, path: str = "", above: IgnoreRules | None = None) -> None:
        """Begin without patterns; `path` is that of the folder, "" or ending in "/"."""
        self._path, self._above = path, above
        self._identity: FileIdentity | None = None
        self._spec: GitIgnoreSpec | None = None
        self._below: dict[str, IgnoreRules] = {}
        self._decisions: dict[str, bool] = {}

    def update(
        self, identity: FileIdentity | None, read: Callable[[], str | None]
    ) -> None:
        """Take the patterns that `read` returns if the `.gitignore` is another one.

        `identity` is None when there is none.
        """
        if identity == self._identity:
            return
        self._identity = identity
        self._spec = _parse(read() if identity else None)
        self._decisions = {}
        self._below = {}

    def below(self, name: str) -> IgnoreRules:
        """Return the rules of the subfolder `name`."""
        rules = self._below.get(name)
        if rules is None:
            rules = self._below[name] = IgnoreRules(f"{self._path}{name}/", self)
        return rules

    def ignores(self, name: str) -> bool:
        """Return whether the entry `name` is left out; that of a folder ends in "/"."""
        decision = self._decisions.get(name)
        if decision is None:
            decision = self._decisions[name] = self._decide(self._path + name)
        return decision

    def _decide(self, path: str) -> bool:
        """Return what the innermost rules say that say anything."""
        rules: IgnoreRules | None = self
        while rules is not None:
            if rules._spec is not None:
                found = rules._spec.check_file(path[len(rules._path) :])
                if found.include is not None:
                    return found.include
            rules = rules._above
        return False


def _parse(text: str | None) -> GitIgnoreSpec | None:
    """Return the patterns of a `.gitignore`; lines that are none are passed over."""
    if not text:
        return None
    from pathspec import GitIgnoreSpec  # slow to import, rarely needed

    patterns: list[GitIgnoreSpecPattern] = []
    for line in text.split("\n"):
        try:
            patterns += GitIgnoreSpec.from_lines([line]).patterns
        except ValueError:
            continue
    return GitIgnoreSpec(patterns) if patterns else None
