"""The measures against the books' tables, a second opinion, and what must hold of any table."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chi2, chi2_contingency

import induce
from induce.core.errors import InputError
from induce.trees.measures import (
    MEASURES,
    chi_square,
    chi_square_test,
    entropy,
    g_statistic,
    gain,
    gain_per_cost,
    gain_ratio,
    gini_decrease,
    kearns_mansour_decrease,
    mantaras_distance,
    nunez,
    split_information,
    tan_schlimmer,
    twoing,
)

properties = settings(derandomize=True)


def close(value: float) -> object:
    """As printed in the oracles, with six decimals."""
    return pytest.approx(value, abs=6e-7)


whole_tables = st.tuples(st.integers(1, 5), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 20).map(float))
)
tables = st.tuples(st.integers(1, 5), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(0.01, 20) | st.just(0.0))
)

OUTLOOK = [[2, 3], [4, 0], [3, 2]]
TEMPERATURE = [[2, 2], [4, 2], [3, 1]]
HUMIDITY = [[3, 4], [6, 1]]
WIND = [[6, 2], [3, 3]]
DATE = [[1, 0]] * 9 + [[0, 1]] * 5


def test_entropies_of_play_tennis():  # O3.1
    expected = {
        (9, 5): 0.9402859587,
        (6, 2): 0.8112781245,
        (3, 3): 1.0,
        (3, 4): 0.9852281360,
        (6, 1): 0.5916727786,
        (2, 3): 0.9709505945,
        (3, 2): 0.9709505945,
        (2, 1): 0.9182958341,
        (8, 2): 0.7219280949,
    }
    for counts, bits in expected.items():
        assert entropy(counts) == pytest.approx(bits, abs=1e-10)
    for c in (2, 3, 7):
        assert entropy(np.full(c, 4.0)) == pytest.approx(np.log2(c))


def test_entropies_of_a_coin_and_a_die():  # 06:O4
    assert entropy([1, 1]) == 1.0
    assert entropy([1, 1, 1, 1]) == 2.0
    assert entropy([0.99, 0.01]) == pytest.approx(0.0807931, abs=1e-7)
    assert str(entropy([4, 0])) == "0.0"
    assert entropy([0, 0]) == 0.0


@pytest.mark.parametrize(
    ("table", "numbers"),
    [
        (OUTLOOK, (0.246750, 1.577406, 0.156428, 0.116327, 0.258461, 0.891345, 3.5467, 2, 0.1698)),
        (TEMPERATURE, (0.029223, 1.556657, 0.018773, 0.018707, 0.021104, 0.988158, 0.5704, 2, 0.7519)),
        (HUMIDITY, (0.151836, 1.0, 0.151836, 0.091837, 0.113516, 0.915102, 2.8, 1, 0.0943)),
        (WIND, (0.048127, 0.985228, 0.048849, 0.030612, 0.034872, 0.974365, 0.9333, 1, 0.3340)),
    ],
)
def test_measures_at_the_root_of_play_tennis(table, numbers):  # O3.2
    gained, information, ratio, gini, root, distance, statistic, dof, p = numbers
    assert gain(table) == close(gained)
    assert split_information(table) == close(information)
    assert gain_ratio(table) == close(ratio)
    assert gini_decrease(table) == close(gini)
    assert kearns_mansour_decrease(table) == close(root)
    assert mantaras_distance(table) == close(distance)
    test = chi_square_test(table)
    assert test.statistic == chi_square(table) == pytest.approx(statistic, abs=6e-5)
    assert (test.dof, test.p_value) == (dof, pytest.approx(p, abs=6e-5))


def test_gains_below_sunny_and_rain():  # O3.3, O3.4
    assert gain([[0, 3], [2, 0]]) == close(0.970951)
    assert gain([[0, 2], [1, 1], [1, 0]]) == close(0.570951)
    assert gain([[1, 2], [1, 1]]) == close(0.019973)
    assert gain([[3, 0], [0, 2]]) == close(0.970951)
    assert gain([[2, 1], [1, 1]]) == close(0.019973)
    assert gain([[1, 1], [2, 1]]) == close(0.019973)


def test_chi_square_before_growing():  # O3.6
    p = {name: chi_square_test(t).p_value for name, t in (("O", OUTLOOK), ("T", TEMPERATURE), ("W", WIND))}
    humidity = chi_square_test(HUMIDITY)
    assert min(*p.values(), humidity.p_value) > 0.05
    assert humidity.p_value == pytest.approx(0.094, abs=5e-4)
    assert min(p.values()) > 0.10
    for table in ([[0, 3], [2, 0]], [[3, 0], [0, 2]]):
        test = chi_square_test(table)
        assert (test.statistic, test.p_value) == (5.0, pytest.approx(0.0253, abs=6e-5))


def test_an_attribute_that_copies_the_class():  # O3.10
    assert gain([[9, 0], [0, 5]]) == close(0.940286)


def test_date():  # O3.11
    assert gain(DATE) == close(0.940286)
    assert split_information(DATE) == close(3.807355)
    assert gain_ratio(DATE) == pytest.approx(0.2470, abs=5e-5)
    assert mantaras_distance(DATE) == pytest.approx(0.7530, abs=5e-5)
    others = [gain(table) for table in (OUTLOOK, TEMPERATURE, HUMIDITY, WIND)]
    assert np.mean([*others, gain(DATE)]) == pytest.approx(0.2832, abs=5e-5)
    assert np.mean(others) == pytest.approx(0.1190, abs=5e-5)
    assert gain_ratio(DATE) > gain_ratio(OUTLOOK)


def test_thresholds_of_temperature():  # O3.12: 40 48 | 60 72 80 | 90, No No | Yes Yes Yes | No
    classes = np.array([[0, 1], [0, 1], [1, 0], [1, 0], [1, 0], [0, 1]])

    def cut(*after: int) -> float:
        return gain([part.sum(axis=0) for part in np.split(classes, after)])

    assert [cut(k) for k in (2, 5)] == [close(0.459148), close(0.190875)]
    assert [cut(k) for k in (1, 3, 4)] == [close(0.190875), close(0.081704), 0]
    assert cut(2, 5) == 1.0


def test_missing_humidity():  # O3.13
    assert gain([[3, 3], [6, 2]]) == close(0.048127)
    assert gain([[3, 4], [6, 1]]) == close(0.151836)
    fractional = [[3, 3 + 6 / 13], [6, 1 + 7 / 13]]
    assert gain(fractional) == close(0.087362)
    assert 13 / 14 * gain([[3, 3], [6, 1]]) == close(0.102477)


COSTS = np.array([20, 1, 2, 1])
GAINS = np.array([gain(table) for table in (OUTLOOK, TEMPERATURE, HUMIDITY, WIND)])


def test_measures_of_cost():  # O3.14
    assert gain_per_cost(GAINS, COSTS) == close([0.012337, 0.029223, 0.075918, 0.048127])
    assert tan_schlimmer(GAINS, COSTS) == close([0.003044, 0.000854, 0.011527, 0.002316])
    assert nunez(GAINS, COSTS, 1) == close([0.008882, 0.010231, 0.036994, 0.016961])
    assert nunez(GAINS, COSTS, 0.5) == close([0.040704, 0.014469, 0.064076, 0.023986])
    assert nunez(GAINS, COSTS, 0) == close([0.186531, 0.020462, 0.110982, 0.033922])
    assert tan_schlimmer(GAINS, [1, 2, 4, 8]) == close([0.060885, 0.000427, 0.005764, 0.000290])


def test_shapes():  # O3.15
    assert entropy([2, 2]) == 1
    assert gain([[1, 1], [1, 1]]) == 0  # size
    assert gain([[2, 1], [0, 1]]) == close(0.311278)  # color, and shape too
    # with a medium green circle that is wrongly positive: size, color, shape
    assert gain([[1, 1], [1, 1], [1, 0]]) == close(0.170951)
    assert gain([[2, 1], [0, 1], [1, 0]]) == close(0.419973)
    assert gain([[3, 1], [0, 1]]) == close(0.321928)
    # and with its true label
    assert gain([[1, 1], [1, 1], [0, 1]]) == close(0.170951)
    assert gain([[2, 1], [0, 1], [0, 1]]) == close(0.419973)
    assert gain([[2, 2], [0, 1]]) == close(0.170951)
    assert entropy([2, 3]) == close(0.970951)


def test_exercise_3_2():  # O3.16
    assert entropy([3, 3]) == 1.0
    assert gain([[2, 2], [1, 1]]) == 0
    assert gain([[2, 1], [1, 2]]) == close(0.081704)


@pytest.mark.parametrize(
    ("table", "numbers"),
    [
        ([[3, 3], [3, 3]], (0, 1, 0, 0, 1, 1)),
        ([[2, 3], [4, 3]], (0.020721, 0.979869, 0.021147, 0.342857, 1, 0.5582)),
        ([[5, 2], [1, 4]], (0.195710, 0.979869, 0.199730, 3.085714, 1, 0.0790)),
        ([[0, 2], [4, 0], [2, 4]], (0.540852, 1.459148, 0.370663, 6.666667, 2, 0.0357)),
        ([[3, 4], [2, 0], [1, 2]], (0.195710, 1.384432, 0.141365, 2.476190, 2, 0.2899)),
        ([[3, 2], [3, 4]], (0.020721, 0.979869, 0.021147, 0.342857, 1, 0.5582)),
        ([[1, 1], [1, 1], [2, 2], [2, 2]], (0, 1.918296, 0, 0, 3, 1)),
        ([[4, 2], [1, 1], [1, 1], [0, 2]], (0.207519, 1.792481, 0.115772, 2.666667, 3, 0.4459)),
    ],
)
def test_measures_at_the_root_of_the_restaurant(table, numbers):  # 06:O6
    gained, information, ratio, statistic, dof, p = numbers
    assert gain(table) == close(gained)
    assert split_information(table) == close(information)
    assert gain_ratio(table) == close(ratio)
    test = chi_square_test(table)
    assert test.statistic == close(statistic)
    assert (test.dof, test.p_value) == (dof, pytest.approx(p, abs=6e-5))


def test_one_value_tests_and_exact_time():  # 06:O6, DT13
    for yes, gained in [
        ([4, 0], 0.459148),
        ([0, 2], 0.190875),
        ([2, 0], 0.190875),
        ([2, 4], 0.081704),
        ([4, 2], 0.081704),
        ([1, 2], 0.027119),
        ([3, 4], 0.020721),
        ([2, 2], 0),
    ]:
        assert gain([yes, [6 - yes[0], 6 - yes[1]]]) == close(gained)
    exact_time = [[1, 0]] * 6 + [[0, 1]] * 6
    assert (gain(exact_time), split_information(exact_time)) == (1, close(3.584963))
    assert gain_ratio(exact_time) == close(0.278943)


def test_the_chi_square_table():  # 06:O10: critical values and tests below the root
    for dof, five, one in [
        (3, 7.8147, 11.3449),
        (1, 3.8415, 6.6349),
        (2, 5.9915, 9.2103),
        (4, 9.4877, 13.2767),
    ]:
        assert chi2.isf([0.05, 0.01], dof) == pytest.approx([five, one], abs=6e-5)
    fri = chi_square_test([[1, 0], [0, 1]])
    assert (fri.statistic, fri.dof, fri.p_value) == (2, 1, pytest.approx(0.1573, abs=6e-5))
    below = [[0, 0], [0, 1], [1, 1], [1, 0]]
    declared, present = chi_square_test(below, n_values=4), chi_square_test(below)
    assert (declared.statistic, declared.dof, declared.p_value) == (2, 3, pytest.approx(0.5724, abs=6e-5))
    assert (present.statistic, present.dof, present.p_value) == (2, 2, pytest.approx(0.3679, abs=6e-5))
    hun = chi_square_test([[2, 2], [0, 2]])
    assert (hun.statistic, hun.dof, hun.p_value) == (1.5, 1, pytest.approx(0.2207, abs=6e-5))


def test_split_points_of_weight():  # 06:O12: N N Y N Y Y Y Y
    classes = np.array([[0, 1], [0, 1], [1, 0], [0, 1], [1, 0], [1, 0], [1, 0], [1, 0]])
    gains = {k: gain([classes[:k].sum(axis=0), classes[k:].sum(axis=0)]) for k in range(1, 8)}
    assert [gains[k] for k in (2, 3, 4)] == [close(0.466917), close(0.158868), close(0.548795)]
    assert [gains[k] for k in (1, 5, 6, 7)] == close([0.199204, 0.347590, 0.204434, 0.092359])


def test_twoing():
    assert twoing([[4, 0], [0, 4]]) == 0.25
    assert twoing([[2, 2], [3, 3]]) == 0
    assert twoing([[2, 2], [0, 0]]) == 0
    left, right = np.array([3, 4]) / 7, np.array([6, 1]) / 7
    assert twoing(HUMIDITY) == pytest.approx(0.25 / 4 * np.abs(left - right).sum() ** 2)


@pytest.mark.parametrize("rows", [[[1, 2]], [[1, 2], [0, 1], [3, 3]]])
def test_twoing_needs_two_branches(rows):
    with pytest.raises(InputError, match="twoing compares two branches"):
        twoing(rows)


@properties
@given(table=whole_tables)
def test_chi_square_is_scipys(table):
    rows, columns = table.sum(axis=1) > 0, table.sum(axis=0) > 0
    dense = table[rows][:, columns]
    test = chi_square_test(table)
    if min(dense.shape) < 2:
        assert test == (0, 0, 1)
        return
    pearson = chi2_contingency(dense, correction=False)
    likelihood = chi2_contingency(dense, correction=False, lambda_="log-likelihood")
    assert test == pytest.approx((pearson.statistic, pearson.dof, pearson.pvalue), abs=1e-9)
    assert g_statistic(table) == pytest.approx(likelihood.statistic, abs=1e-9)


@properties
@given(table=tables)
def test_what_holds_of_every_table(table):
    padded = np.vstack([table, np.zeros_like(table[:1])])
    for name, measure in MEASURES.items():
        if name == "twoing":
            continue
        value = measure(table)
        assert isinstance(value, float)
        assert 0 <= value < np.inf
        assert measure(padded) == pytest.approx(value, abs=1e-9)  # an empty branch counts for nothing
        assert measure(table[::-1]) == pytest.approx(value, abs=1e-9)
        scale = 3.0 if name in ("chi_square", "g_statistic") else 1.0
        assert measure(table * 3.0) == pytest.approx(value * scale, abs=1e-9)
    assert gain(table) <= entropy(table.sum(axis=0)) + 1e-12
    assert gain(table) <= split_information(table) + 1e-9
    assert mantaras_distance(table) == pytest.approx(1 - MEASURES["mantaras"](table))


@properties
@given(table=tables)
def test_equal_shares_gain_nothing_and_one_branch_neither(table):
    classes = table.sum(axis=0)
    alike = np.outer([1.0, 2.0, 0.5], classes)
    for name in ("gain", "gain_ratio", "gini", "kearns_mansour", "chi_square", "g_statistic"):
        assert MEASURES[name](alike) == pytest.approx(0, abs=1e-9)
        assert MEASURES[name](classes[None, :]) == pytest.approx(0, abs=1e-12)


@properties
@given(data=st.data())
def test_stacked_tables_are_measured_one_by_one(data):
    stack = data.draw(arrays(np.float64, (3, 2, 3), elements=st.integers(0, 5).map(float)))
    for measure in MEASURES.values():
        assert measure(stack) == pytest.approx([measure(table) for table in stack])
    together, apart = chi_square_test(stack, 2), [chi_square_test(table, 2) for table in stack]
    assert pytest.approx(np.array(apart)) == np.array(together).T


def test_kearns_mansour_with_two_classes_is_twice_the_root():
    table = np.array(HUMIDITY, float)

    def impurity(counts):
        p, q = counts / counts.sum()
        return 2 * np.sqrt(p * q)

    expected = impurity(table.sum(axis=0)) - sum(r.sum() / 14 * impurity(r) for r in table)
    assert kearns_mansour_decrease(table) == pytest.approx(expected)


def test_growth_measures_tests_by_these_formulas(gains, ratios):
    X, y = induce.dataset("restaurant")
    found, merit = gains(X, y), ratios(X, y)
    classes = y.to_physical().to_numpy()
    for column in X.columns:
        codes = X[column].to_physical().to_numpy()
        table = np.zeros((len(X[column].dtype.categories), 2))
        np.add.at(table, (codes, classes), 1)
        assert found[column] == pytest.approx(gain(table), abs=1e-9)
        if merit[column] > 0:  # those with less than average gain are not compared
            assert merit[column] == pytest.approx(gain_ratio(table), abs=1e-9)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: gain([1, 2]), "table has the shape"),
        (lambda: gain(np.empty((0, 2))), "table has the shape"),
        (lambda: gain([[1, -1], [0, 2]]), "negative, infinite or NaN"),
        (lambda: gain([[1, np.nan], [0, 2]]), "negative, infinite or NaN"),
        (lambda: gain([[1, 2], [3]]), "not an array of numbers"),
        (lambda: entropy([]), "class_counts has the shape"),
        (lambda: chi_square_test([[1, 2], [2, 1]], n_values=1), "n_values is 1"),
        (lambda: gain_per_cost(0.1, 0), "cost is 0; give costs above 0"),
        (lambda: tan_schlimmer([0.1, 0.2], [1, -1]), "give costs above 0"),
        (lambda: nunez(0.1, -1, 0.5), "give costs of at least 0"),
        (lambda: nunez(0.1, 1, 1.5), "w is 1.5; give a weight from 0 to 1"),
        (lambda: nunez(0.1, 1, float("nan")), "w is nan"),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(InputError, match=says):
        call()


def test_measures_need_neither_numba_nor_scikit_learn():
    code = (
        "import sys, induce.trees.measures as m; m.gain([[1, 2], [2, 1]]);"
        "print([name for name in ('numba', 'sklearn', 'polars') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert done.stdout.strip() == "[]"
