"""A directed graph of named nodes that can be changed one node at a time.

It holds edges and nothing else: what a node is and where its edges come from is the
business of the caller. Edges count how often they were given; an edge from a node to
itself is not kept, because it connects nothing. All answers are in a fixed order, so
that the same graph always gives the same text.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

_NONE: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Route:
    """A shortest way: its nodes in order, and whether it goes along the edges."""

    nodes: tuple[str, ...]
    directed: bool


class Graph:
    """Nodes and the counted edges between them, indexed both ways."""

    __slots__ = ("_into", "_out")

    def __init__(self) -> None:
        self._out: dict[str, Counter[str]] = {}
        self._into: dict[str, Counter[str]] = {}

    def __contains__(self, node: object) -> bool:
        return node in self._out

    def __len__(self) -> int:
        return len(self._out)

    def set_node(self, node: str, targets: Iterable[str] = ()) -> None:
        """Add `node`, or replace its outgoing edges. Targets need not exist yet."""
        self._detach(node)
        out = Counter(target for target in targets if target != node)
        self._out[node] = out
        for target, count in out.items():
            self._into.setdefault(target, Counter())[node] = count

    def remove_node(self, node: str) -> None:
        """Remove `node` and its outgoing edges; edges to it stay with their sources."""
        self._detach(node)
        del self._out[node]

    def _detach(self, node: str) -> None:
        for target in self._out.get(node, ()):
            sources = self._into[target]
            del sources[node]
            if not sources:
                del self._into[target]

    def out(self, node: str) -> Mapping[str, int]:
        """Return the targets of `node` with the number of edges to each."""
        return self._out.get(node, _NONE)

    def into(self, node: str) -> Mapping[str, int]:
        """Return the sources of edges to `node` with the number of edges from each."""
        return self._into.get(node, _NONE)

    def degree(self, node: str) -> tuple[int, int]:
        """Return how many edges leave `node` and how many lead to it."""
        return sum(self.out(node).values()), sum(self.into(node).values())

    def _beside(self, node: str) -> list[str]:
        return sorted({*self.out(node), *self.into(node)})

    def neighbors(self, node: str, depth: int = 1) -> list[tuple[str, int]]:
        """Return the nodes at most `depth` edges away, either way, nearest first.

        Each comes with its distance; `node` itself is left out.
        """
        distance = {node: 0}
        queue = deque([node])
        while queue:
            here = queue.popleft()
            if distance[here] == depth:
                break
            for other in self._beside(here):
                if other not in distance:
                    distance[other] = distance[here] + 1
                    queue.append(other)
        found = ((far, other) for other, far in distance.items() if far)
        return [(other, far) for far, other in sorted(found)]

    def route(self, start: str, end: str) -> Route | None:
        """Return a shortest way from `start` to `end`, None if there is none.

        Ways along the edges come first; only without one their direction is ignored.
        """
        nodes = _search(start, end, lambda node: sorted(self.out(node)))
        if nodes:
            return Route(nodes, directed=True)
        nodes = _search(start, end, self._beside)
        return Route(nodes, directed=False) if nodes else None

    def most_connected(self) -> list[str]:
        """Return the nodes by the edges at them, most first, then by name."""
        return sorted(self._out, key=lambda node: (-sum(self.degree(node)), node))

    def isolated(self) -> list[str]:
        """Return the nodes without an edge in or out, by name."""
        return sorted(node for node, out in self._out.items() if self._alone(node, out))

    def _alone(self, node: str, out: Mapping[str, int]) -> bool:
        return not out and not self.into(node)


def _search(
    start: str, end: str, following: Callable[[str], list[str]]
) -> tuple[str, ...]:
    """Return the nodes of a shortest way, breadth first; empty without one."""
    came_from = {start: start}
    queue = deque([start])
    while queue and end not in came_from:
        here = queue.popleft()
        for other in following(here):
            if other not in came_from:
                came_from[other] = here
                queue.append(other)
    return _way_back(end, start, came_from) if end in came_from else ()


def _way_back(end: str, start: str, came_from: Mapping[str, str]) -> tuple[str, ...]:
    nodes = [end]
    while nodes[-1] != start:
        nodes.append(came_from[nodes[-1]])
    return tuple(reversed(nodes))
