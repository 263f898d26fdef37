"""Numeric nodes where only nominal ones have an answer: one whole sentence, or a note."""

import pytest

from induce.belief_networks import BeliefNetwork, Normal
from induce.belief_networks.inference.elimination import TooLargeError
from induce.core.errors import InputError
from induce.core.notes import Note


def test_a_table_of_a_node_with_a_numeric_parent():
    with pytest.raises(
        InputError, match=r"value True of .a., which is numeric; give its children .*Logistic"
    ):
        BeliefNetwork.of(
            {"c": ["a"]}, {"a": Normal(0, 1), "c": {True: 0.5, False: 0.5}}, values={"a": "numeric"}
        )
    with pytest.raises(InputError, match="one of its parents is numeric; give it a LogisticConditional"):
        BeliefNetwork.of({"c": ["a"]}, values={"a": "numeric", "c": ["x", "y"]})


def test_an_explanation_names_the_numeric_nodes_that_it_leaves_out():
    network = BeliefNetwork.of({"a": ["c"]}, {"c": 0.3, "a": {True: Normal(1, 1), False: Normal(0, 1)}})
    with pytest.warns(Note, match="numeric ones are integrated out: a$"):
        assert dict(network.most_probable()) == {"c": False}
    assert dict(network.most_probable({"a": 3.0})) == {"c": True}  # observed: nothing is left out


def test_elimination_tells_the_largest_table():
    """It told the first table above the limit, which is the same for every grid."""

    def grid(size):
        cells = [(i, j) for i in range(size) for j in range(size)]
        above = {(i, j): [(i - 1, j)] * (i > 0) + [(i, j - 1)] * (j > 0) for i, j in cells}
        return BeliefNetwork.of({str(cell): map(str, parents) for cell, parents in above.items()})

    told = []
    for size in (17, 20, 24):
        with pytest.raises(TooLargeError, match="tables of") as error:
            grid(size).query(str((0, 0)), {str((size - 1, size - 1)): True}, method="elimination")
        told.append(str(error.value))
    assert len(set(told)) == 3
