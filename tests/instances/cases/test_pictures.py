"""The picture: layers from causes to effects, the matched subgraph in colour."""

import itertools

import pytest

from induce import InputError
from induce.instances.cases import function_graph, read_cases, read_specification
from induce.instances.cases.layout import layered
from induce.pictures.style import GREY, PALETTE


@pytest.fixture(scope="module")
def devices():
    return read_cases("devices")


def colours(figure):
    from matplotlib.colors import to_hex
    from matplotlib.patches import FancyArrowPatch

    arrows = [patch for patch in figure.axes[0].patches if isinstance(patch, FancyArrowPatch)]
    return [to_hex(arrow.get_edgecolor()) for arrow in arrows]


def test_the_matched_subgraph_stands_out(devices):
    faucet = read_specification("faucet")
    match = devices.retrieve(faucet)[0]
    figure = match.draw()
    wanted = [PALETTE[0] if edge in match.covered else GREY for edge in faucet.edges]
    assert colours(figure) == wanted
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert "Q_c\n= Q1" in texts
    assert "C_f" in texts
    assert texts.count("\N{MINUS SIGN}") == 2
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == [
        "T-junction",
        "not matched",
    ]


def test_each_case_of_a_design_has_its_colour(devices):
    figure = devices.combine(read_specification("faucet")).draw()
    assert set(colours(figure)) == set(PALETTE[:4])


def test_layers_go_from_causes_to_effects():
    faucet = read_specification("faucet")
    routes, spots = layered(faucet)
    layers = {name: spots[(name,)][0] for name in faucet.variables}
    assert all(layers[edge.tail] < layers[edge.head] for edge in routes)
    assert layers["T_c"] == layers["Q_c"] == 1  # a cause stands near its effect
    assert len(set(spots.values())) == len(spots)


def test_circles_and_long_edges(devices):
    graph = function_graph("Q_1 -> + L_1 -> + X_1 -> - Q_1, L_1 -> + Q_1, Q_1 -> + F_1, X_1 -> + F_1")
    routes, spots = layered(graph)
    assert len(set(spots.values())) == len(spots)
    for edge, route in routes.items():
        assert (route[0], route[-1]) == ((edge.tail,), (edge.head,))
        steps = [abs(spots[one][0] - spots[other][0]) for one, other in itertools.pairwise(route)]
        assert set(steps) == {1}
    assert len(colours(devices.combine(graph).draw())) == 6


def test_a_large_graph_is_refused(devices):
    chain = function_graph([f"Q{n} -> - Q{n + 1}" for n in range(80)])
    with pytest.raises(InputError, match="a graph with 81 variables is too large to draw"):
        devices.combine(chain).draw()
