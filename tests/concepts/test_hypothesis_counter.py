"""Which of many conjunctions bound the others."""

import numpy as np
import pytest

from induce.concepts.hypothesis_counter import outermost


@pytest.mark.parametrize("general", [False, True])
def test_the_outermost_of_many_are_those_of_the_definition(general):
    runs = np.unique(np.sort(np.random.default_rng(3).integers(0, 12, (60, 3, 2)), axis=2), axis=0)

    def holds(a, b):
        return (a[:, 0] <= b[:, 0]).all() and (a[:, 1] >= b[:, 1]).all()

    def bounded(i, j):
        return holds(runs[j], runs[i]) if general else holds(runs[i], runs[j])

    expected = [not any(bounded(i, j) for j in range(len(runs)) if j != i) for i in range(len(runs))]
    assert outermost(runs, general).tolist() == expected
    assert sum(expected) > 1


def test_of_two_intervals_that_share_an_end_one_holds_the_other():
    runs = np.array([[[0, 2]], [[0, 1]], [[1, 2]]])
    assert outermost(runs, general=False).tolist() == [False, True, True]
    assert outermost(runs, general=True).tolist() == [True, False, False]
