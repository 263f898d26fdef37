"""Knowledge: contradictions are told, and the rest is kept to."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.core.notes import Note
from induce.hypotheses.knowledge import Knowledge

ROWS = pl.DataFrame(
    np.random.default_rng(0).integers(0, 2, (40, 4)), schema=["a", "b", "c", "d"], orient="row"
).cast(pl.String)
MIXED = ROWS.with_columns(size=pl.Series(np.random.default_rng(1).normal(size=40)))
LEARNERS = [induce.K2, induce.StructureSearch, induce.PC, induce.ChowLiu, induce.StructureSampler]


def made(learner, **parameters):
    more = {"n_moves": 100} if learner is induce.StructureSampler else {}
    return learner(**parameters, **more, random_state=0)


CONTRADICTIONS = [
    ({"required": [("a", "b")], "forbidden": [("a", "b")]}, "a → b is both required and forbidden"),
    ({"required": [("a", "b")], "order": ["b", "a"]}, "a → b is required, but order, tiers"),
    ({"required": [("b", "a")], "tiers": [["a"], ["b", "c"]]}, "b → a is required, but order, tiers"),
    ({"required": [("a", "b"), ("b", "c"), ("c", "a")]}, "the arcs form a cycle: a → b → c → a"),
    ({"required": [("a", "b"), ("b", "a")]}, "b → a is required, but order, tiers or another required"),
    ({"required": [("a", "a")]}, "a node cannot be its own parent"),
    (
        {"required": [("a", "b"), ("c", "b")], "max_parents": 1},
        "2 parents of 'b' are required, but max_parents",
    ),
    ({"order": ["a", "x"]}, "x"),
    ({"order": ["a", "a"]}, "order names 'a' twice"),
    ({"order": "ab"}, "order is 'ab'; give a list"),
    ({"forbidden": ["ab"]}, "forbidden contains 'ab'; give arcs as"),
    ({"max_parents": -1}, "max_parents is -1; it must be"),
    ({"conditionals": {"a": "forest"}}, "the conditional of 'a' is 'forest'; it can be"),
    ({"conditionals": ["a"]}, "give a dict from nodes"),
    ({"orders": []}, "orders"),
    (7, "knowledge is 7; give a Knowledge"),
]


@pytest.mark.parametrize(("known", "said"), CONTRADICTIONS)
def test_contradictions(known, said):
    with pytest.raises(InputError) as problem:
        induce.StructureSearch(knowledge=known).fit(ROWS)
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)


def test_numeric_nodes_are_no_parents_of_nominal_ones():
    with pytest.raises(InputError, match="size → a is required, but a numeric node cannot be a parent"):
        induce.StructureSearch(knowledge={"required": [("size", "a")]}).fit(MIXED)
    with pytest.raises(InputError, match="'size' is numeric and cannot be noisy-or"):
        induce.StructureSearch(knowledge={"conditionals": {"size": "noisy-or"}}).fit(MIXED)
    known = {"required": [("size", "a")], "conditionals": {"a": "logistic"}}
    found = induce.StructureSearch(knowledge=known).fit(MIXED).hypothesis_
    assert found.graph.parents_of("a") == ("size",)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.__name__)
def test_all_learners_keep_to_it(learner):
    known = Knowledge(
        tiers=[["c", "d"], ["a", "b"]], required=[("c", "a")], forbidden=[("d", "b")], max_parents=1
    )
    network = made(learner, knowledge=known).fit(ROWS).hypothesis_
    arcs = set(network.graph.arcs)
    assert ("c", "a") in arcs
    assert ("d", "b") not in arcs
    assert not {(x, y) for x in "ab" for y in "cd"} & arcs
    assert max(map(len, network.parents)) == 1
    assert (network.graph.position("c"), network.graph.position("a")) not in network.undirected


def test_k2_takes_the_order(candy_frame):
    orders = [["Flavor", "Wrapper", "Hole"], ["Hole", "Wrapper", "Flavor"]]
    for order in orders:
        network = induce.K2(knowledge=Knowledge(order=order)).fit(candy_frame).hypothesis_
        assert all(order.index(parent) < order.index(child) for parent, child in network.graph.arcs)
        assert not network.undirected
    with pytest.raises(InputError, match="no order of a, b, c satisfies the knowledge"):
        induce.K2(knowledge={"forbidden": [("b", "a"), ("c", "b"), ("a", "c")]}).fit(ROWS.drop("d"))


@pytest.mark.compiled
def test_a_required_family_with_too_many_states():
    rng = np.random.default_rng(0)
    X = pl.DataFrame({f"x{k}": [f"v{v}" for v in rng.integers(0, 120, 300)] for k in range(5)})
    known = {"required": [(f"x{k}", "x0") for k in range(1, 5)]}
    for learner in (induce.StructureSearch, induce.K2, induce.PC):
        with pytest.raises(InputError, match="'x0'"):
            learner(knowledge=known).fit(X)
    free = induce.StructureSearch(criterion="k2").fit(X[:80]).hypothesis_
    assert len(free.nodes) == 5


def test_a_constant_column_has_no_arcs():
    X = ROWS.with_columns(same=pl.lit("x"))
    for learner in (induce.K2, induce.StructureSearch, induce.PC):
        network = made(learner).fit(X).hypothesis_
        assert "same" not in {name for arc in network.graph.arcs for name in arc}
    for learner in (induce.ChowLiu, induce.StructureSampler):
        assert made(learner).fit(X).sample(2, 0)["same"].to_list() == ["x", "x"]


def test_two_whole_numbers_are_a_nominal_node():
    """They were normal distributions: mean 0.8, 95 % within -0.05 and 1.66."""
    X = pl.DataFrame({"a": [0, 1] * 20, "b": [0, 1] * 20, "c": np.arange(40.0)})
    with pytest.warns(Note, match="2 columns with two whole numbers as values, taken as nominal: 'a', 'b'"):
        network = induce.StructureSearch().fit(X).hypothesis_
    assert [column.kind for column in network.schema] == ["nominal", "nominal", "numeric"]
    assert network.column("a").domain == (0, 1)
    told = induce.StructureSearch(schema={"a": {"kind": "numeric"}}).fit(X).hypothesis_
    assert told.column("a").kind == "numeric"
