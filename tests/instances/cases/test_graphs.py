"""Function graphs: read, written, refused, elaborated."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce import InputError
from induce.instances.cases import Edge, elaborations, function_graph


@pytest.mark.parametrize(
    "text",
    [
        "C_f -> + Q_c, Q_c -> - T2",
        "C_f -> + Q_c -> - T2",
        "C_f ->(+) Q_c; Q_c →(\N{MINUS SIGN}) T2",
        "C_f->+Q_c\nQ_c -> -T2\n",
        ["C_f -> + Q_c", "Q_c -> - T2"],
    ],
)
def test_notations(text):
    graph = function_graph(text)
    assert graph.edges == (Edge("C_f", "Q_c", 1), Edge("Q_c", "T2", -1))
    assert graph.types == (("C_f", "C"), ("Q_c", "Q"), ("T2", "T"))


def test_types_that_names_do_not_say():
    assert function_graph("handle -> + Q1", {"handle": "C"}).type_of == {"handle": "C", "Q1": "Q"}


@pytest.mark.parametrize(
    ("text", "variables", "sentence"),
    [
        ("Q1 -> * Q2", {}, "the edge 'Q1 -> \\* Q2' has the unknown sign '\\*'; write \\+ if"),
        ("Q1 -> Q2", {}, "has no sign; write \\+ if"),
        ("Q1 -> +", {}, "no variable follows the arrow"),
        ("Q1 + Q2", {}, "'Q1 \\+ Q2' is not an edge; give one such as"),
        (" -> + Q2", {}, "is not an edge"),
        (" ,; ", {}, "the function graph has no edge"),
        ([], {}, "the function graph has no edge"),
        ("Q1 -> + Q1", {}, "a variable influences itself"),
        ("Q1 -> + Q2, Q1 -> - Q2", {}, "there are two edges from 'Q1' to 'Q2'"),
        ("Q1 -> + Q2", {"Q3": "Q"}, "variable 'Q3' is in no edge"),
    ],
)
def test_refused(text, variables, sentence):
    with pytest.raises(InputError, match=sentence):
        function_graph(text, variables)


@pytest.mark.parametrize(("sign", "signs"), [("+", [(1, 1), (-1, -1)]), ("-", [(1, -1), (-1, 1)])])
def test_rewriting_follows_the_algebra_of_signs(sign, signs):
    found = list(elaborations(function_graph(f"C_f -> {sign} Q_m")))
    assert [tuple(edge.sign for edge in graph.edges) for graph in found] == signs
    assert all(graph.type_of["x1"] == "?" for graph in found)


@settings(max_examples=20)
@given(st.lists(st.sampled_from([1, -1]), min_size=1, max_size=4), st.integers(1, 3))
def test_rewriting_keeps_the_sign_of_the_path(signs, depth):
    text = "Q0" + "".join(f" -> {'+' if sign > 0 else '-'} Q{n}" for n, sign in enumerate(signs, 1))
    level = [function_graph(text)]
    for _ in range(depth):
        level = [each for graph in level[:5] for each in elaborations(graph)]
    before = 1
    for sign in signs:
        before *= sign
    for graph in level:
        after = 1
        for edge in graph.edges:
            after *= edge.sign
        assert after == before
        assert len(graph.edges) == len(signs) + depth
        assert len(graph.rewritten) == depth
        assert all(one.head == other.tail for one, other in zip(graph.edges, graph.edges[1:], strict=False))
