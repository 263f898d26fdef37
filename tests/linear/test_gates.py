"""Units by hand, over all inputs."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.linear import ThresholdUnit, corners, dnf_network, gate, m_of_n, majority, truth_table_network


def test_the_books_conjunction_and_its_slip():
    unit = ThresholdUnit(-0.8, np.array([0.5, 0.5]))
    assert unit.nets(corners(2)) == pytest.approx([-1.8, -0.8, -0.8, 0.2])
    assert unit(corners(2)).tolist() == [-1, -1, -1, 1]
    assert ThresholdUnit(-0.8, np.array([0.5, 0.5]), "zero-one")(corners(2, "zero-one")).tolist() == [
        0,
        0,
        0,
        1,
    ]
    slip = ThresholdUnit(-0.3, np.array([0.5, 0.5]))
    assert slip(corners(2)).tolist() == [-1, -1, -1, 1]  # AND, not OR
    assert ThresholdUnit(0.3, slip.weights)(corners(2)).tolist() == [-1, 1, 1, 1]
    assert ThresholdUnit(-0.3, slip.weights, "zero-one")(corners(2, "zero-one")).tolist() == [0, 1, 1, 1]


@pytest.mark.parametrize("coding", ["plus-minus", "zero-one"])
def test_m_of_n_over_all_inputs(coding):
    for n in range(1, 7):
        rows = corners(n, coding)
        true = (rows > 0).sum(axis=1)
        for m in range(1, n + 1):
            assert ((m_of_n(m, n, coding)(rows) > 0) == (true >= m)).all()


@pytest.mark.parametrize("coding", ["plus-minus", "zero-one"])
def test_gates_over_all_inputs(coding):
    for n in (2, 3):
        rows = corners(n, coding)
        true = (rows > 0).sum(axis=1)
        for name, wanted in [("and", true == n), ("or", true > 0), ("nand", true < n), ("nor", true == 0)]:
            assert ((gate(name, n, coding)(rows) > 0) == wanted).all()
    assert ((gate("not", coding=coding)(corners(1, coding)) > 0) == [True, False]).all()


@pytest.mark.parametrize("n", [3, 4, 5, 6, 11])
def test_majority_has_no_ties(n):
    rows = corners(n, "zero-one")
    assert ((majority(n)(rows) > 0) == (rows.sum(axis=1) > n / 2)).all()


def test_exclusive_or_in_two_layers():
    for coding in ("plus-minus", "zero-one"):
        network = dnf_network("a and not b or not a and b", coding)
        assert (network(corners(2, coding)) > 0).tolist() == [False, True, True, False]
    assert (
        str(dnf_network("a & !b | c"))
        == "h1: -0.5 +0.5 x1 -0.5 x2 > 0\nh2: 0 +0.5 x3 > 0\noutput: 0.5 +0.5 h1 +0.5 h2 > 0"
    )
    with pytest.raises(InputError, match="formula has 'a b', which is neither an input nor its negation"):
        dnf_network("a b or c")


def test_every_function_of_three_inputs_from_its_truth_table():
    rows = corners(3)
    for number in range(256):
        values = [bool(number >> k & 1) for k in range(8)]
        network = truth_table_network(values)
        assert ((network(rows) > 0) == values).all()
    assert ((network.layer(rows) > 0).sum(axis=1) == 1).all()
    with pytest.raises(InputError, match="values has 3 entries"):
        truth_table_network([True, False, True])


def test_sums_of_the_books_gates():
    """§4.4.1: what the slip of OR is, by the sums themselves; NAND and NOR of -1 and 1."""
    half = np.array([0.5, 0.5])
    assert ThresholdUnit(-0.8, half, "zero-one").nets(corners(2, "zero-one")) == pytest.approx(
        [-0.8, -0.3, -0.3, 0.2]
    )
    assert ThresholdUnit(-0.3, half).nets(corners(2)) == pytest.approx([-1.3, -0.3, -0.3, 0.7])
    assert ThresholdUnit(0.3, half).nets(corners(2)) == pytest.approx([-0.7, 0.3, 0.3, 1.3])
    assert ThresholdUnit(-0.3, half, "zero-one").nets(corners(2, "zero-one")) == pytest.approx(
        [-0.3, 0.2, 0.2, 0.7]
    )
    assert ThresholdUnit(0.8, -half)(corners(2)).tolist() == [1, 1, 1, -1]
    assert ThresholdUnit(-0.3, -half)(corners(2)).tolist() == [1, -1, -1, -1]


@pytest.mark.parametrize("coding", ["plus-minus", "zero-one"])
def test_all_biases_of_m_of_n(coding):
    """§4.4.1: with weights of 0.5, w0 may be anything above one end and up to the other."""
    for n in range(1, 7):
        rows = corners(n, coding)
        true = (rows > 0).sum(axis=1)
        for m in range(1, n + 1):
            low, high = (n / 2 - m, n / 2 - m + 1) if coding == "plus-minus" else (-m / 2, -(m - 1) / 2)
            assert low < m_of_n(m, n, coding).bias <= high
            for bias, right in ((low + 1e-9, True), (high, True), (low, False), (high + 1e-9, False)):
                unit = ThresholdUnit(bias, np.full(n, 0.5), coding)
                assert ((unit(rows) > 0) == (true >= m)).all() == right


def test_gates_of_aima():
    """§18.7.1, where a sum of 0 fires, and §20.5, where the bias input is -1 and a sum of 0 does not fire."""
    bits, ones = corners(2, "zero-one"), np.array([1.0, 1.0])

    def unit(bias, weights):
        return ThresholdUnit(bias, np.array(weights), "zero-one", "high")

    both, either = unit(-1.5, ones)(bits), unit(-0.5, ones)(bits)
    assert both.tolist() == [0, 0, 0, 1]
    assert either.tolist() == [0, 1, 1, 1]
    assert unit(0.5, [-1.0])(corners(1, "zero-one")).tolist() == [1, 0]
    assert unit(-0.5, [1.0, -2.0])(np.column_stack([either, both])).tolist() == [0, 1, 1, 0]
    assert (unit(0.0, ones)([[0, 0]]), ThresholdUnit(0.0, ones, "zero-one")([[0, 0]])) == (1, 0)
    assert str(unit(-1.5, ones)) == "-1.5 +1 x1 +1 x2 >= 0"
    for threshold, weights, expected in ((1.5, ones, [0, 0, 0, 1]), (0.5, ones, [0, 1, 1, 1])):
        assert ThresholdUnit(-threshold, weights, "zero-one")(bits).tolist() == expected
    assert ThresholdUnit(0.5, np.array([-1.0]), "zero-one")(corners(1, "zero-one")).tolist() == [1, 0]


@pytest.mark.parametrize(("n", "wrong"), [(3, 0), (5, 0), (11, 0), (4, 6), (6, 20)])
def test_majority_where_a_sum_of_zero_fires(n, wrong):
    """AIMA §18.7.2: w0 = -n/2 is right for odd n only; §20.5: where 0 does not fire, it is right for all."""
    rows = corners(n, "zero-one")
    more = rows.sum(axis=1) > n / 2
    fires = ThresholdUnit(-n / 2, np.ones(n), "zero-one", "high")
    assert int(((fires(rows) > 0) != more).sum()) == wrong
    assert ((ThresholdUnit(-n / 2, np.ones(n), "zero-one")(rows) > 0) == more).all()
