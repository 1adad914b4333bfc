"""The generic graph: edges both ways, breadth-first answers, changes of one node."""

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from md_mcp.library.graph import Graph, Route


def graph(edges: Mapping[str, Iterable[str]]) -> Graph:
    made = Graph()
    for node, targets in edges.items():
        made.set_node(node, targets)
    return made


CHAIN = {"a": "b", "b": "c", "c": "", "d": "c", "e": "", "f": "f"}


def test_edges_are_counted_both_ways() -> None:
    made = graph({"a": "bbc", "b": "", "c": "b"})
    assert made.out("a") == {"b": 2, "c": 1}
    assert made.into("b") == {"a": 2, "c": 1}
    assert made.degree("b") == (0, 3)


def test_an_edge_to_itself_connects_nothing() -> None:
    made = graph({"a": "a"})
    assert made.degree("a") == (0, 0)
    assert made.isolated() == ["a"]


def test_setting_a_node_again_replaces_its_edges() -> None:
    made = graph({"a": "bc", "b": "", "c": ""})
    made.set_node("a", "c")
    assert made.into("b") == {}
    assert made.into("c") == {"a": 1}


def test_edges_to_a_removed_node_stay_with_their_sources() -> None:
    made = graph({"a": "b", "b": "a"})
    made.remove_node("b")
    assert "b" not in made
    assert made.out("a") == {"b": 1}
    assert made.into("a") == {}


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (0, []),
        (1, [("b", 1), ("d", 1)]),
        (2, [("b", 1), ("d", 1), ("a", 2)]),
        (9, [("b", 1), ("d", 1), ("a", 2)]),
    ],
)
def test_neighbors_are_found_both_ways_with_their_distance(
    depth: int, expected: list[tuple[str, int]]
) -> None:
    assert graph(CHAIN).neighbors("c", depth) == expected


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        pytest.param("a", "c", Route(("a", "b", "c"), True), id="along the edges"),
        pytest.param("a", "a", Route(("a",), True), id="to itself"),
        pytest.param("c", "a", Route(("c", "b", "a"), False), id="against them"),
        pytest.param("a", "d", Route(("a", "b", "c", "d"), False), id="there and back"),
        pytest.param("a", "e", None, id="no way at all"),
    ],
)
def test_a_route_follows_the_edges_if_it_can(
    start: str, end: str, expected: Route | None
) -> None:
    assert graph(CHAIN).route(start, end) == expected


def test_a_directed_way_wins_over_a_shorter_undirected_one() -> None:
    made = graph({"a": "b", "b": "c", "c": "d", "d": "a"})
    assert made.route("a", "d") == Route(("a", "b", "c", "d"), directed=True)


def test_the_most_connected_come_first_and_equals_by_name() -> None:
    assert graph(CHAIN).most_connected() == ["b", "c", "a", "d", "e", "f"]


def test_nodes_without_edges_are_isolated() -> None:
    assert graph(CHAIN).isolated() == ["e", "f"]


NODES = st.sampled_from("abcde")
CHANGES = st.lists(st.tuples(NODES, st.none() | st.lists(NODES, max_size=4)))


@given(CHANGES)
def test_changes_one_by_one_give_the_graph_built_at_once(
    changes: list[tuple[str, list[str] | None]],
) -> None:
    stepwise, final = Graph(), dict[str, list[str]]()
    for node, targets in changes:
        if targets is not None:
            stepwise.set_node(node, targets)
            final[node] = targets
        elif node in stepwise:
            stepwise.remove_node(node)
            del final[node]
    whole = graph(final)
    for node in "abcde":
        assert stepwise.out(node) == whole.out(node)
        assert stepwise.into(node) == whole.into(node)
