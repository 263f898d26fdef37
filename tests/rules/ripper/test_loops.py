"""What RIPPER computes, by hand: FOIL's gain, the worth of a pruned rule, description lengths, dealt rows."""

from __future__ import annotations

from itertools import product
from math import log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.rules._loops import ABOVE, AT_MOST, EQUAL, N_KINDS
from induce.rules.encoding import Coded
from induce.rules.learners.ripper import RIPPER
from induce.rules.ripper import _loops as loops
from induce.rules.ripper.growth import Aim, Grower, prefix_worth
from induce.rules.ripper.rows import distinct_rows

COLOURS = pl.Enum(["red", "green", "blue"])


def rows_of(frame, y, weights=None, repeated=False):
    return distinct_rows(Coded(RIPPER()._problem(frame, y, weights)), repeated)


def grown(rows, weight=None, min_weight=1.0, may=None, open_values=None):
    """Grow one rule for the second class; return its tests and their gains."""
    aim = Aim(
        "yes",
        rows.labels == 1,
        (),
        np.ones(len(rows), np.bool_),
        np.ones((len(rows.cells), N_KINDS), np.uint8) if may is None else may,
    )
    if open_values is None:
        open_values = np.ones(int(rows.coded.starts[-1]), np.uint8)
    with induce.trace("rule grown") as events:
        steps = Grower(rows, open_values, min_weight, None).grow(
            aim, rows.weights if weight is None else weight
        )
    return steps, events[0]["gains"]


def test_the_gain_of_a_nominal_test_is_foils():
    colours = ["red"] * 4 + ["green"] * 3 + ["blue"] * 3
    y = ["yes", "yes", "yes", "no", "yes", "no", "no", "no", "no", "no"]
    steps, gains = grown(rows_of(pl.DataFrame({"colour": pl.Series(colours, dtype=COLOURS)}), y))
    assert steps == ((0, EQUAL, 0),)
    # 3 of the 4 yes are red, among 4 rows; the base rate is 4/10
    assert gains[0] == pytest.approx(3 * (log2(3 / 4) - log2(4 / 10)))
    assert gains[0] == pytest.approx(2.720672, abs=1e-6)


def test_the_gain_of_a_threshold():
    steps, gains = grown(
        rows_of([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], ["no", "no", "yes", "yes", "yes", "no"])
    )
    # above 2 (rank 1): 3 of 4; at most 5 (rank 4): 3 of 5
    assert steps == ((0, ABOVE, 1), (0, AT_MOST, 4))
    assert gains == pytest.approx((3 * (log2(3 / 4) - log2(3 / 6)), 3 * (log2(3 / 3) - log2(3 / 4))))


def test_equal_gains_go_to_the_attribute_declared_first_and_to_the_value_declared_first():
    frame = pl.DataFrame({"b": pl.Series(["red", "blue"], dtype=COLOURS), "a": [1.0, 2.0]})
    assert grown(rows_of(frame, ["yes", "no"]))[0] == ((0, EQUAL, 0),)
    assert grown(rows_of(frame.select("a", "b"), ["yes", "no"]))[0] == ((0, AT_MOST, 0),)


def test_a_rule_does_not_grow_onto_too_few_examples():
    rows = rows_of([[1.0], [2.0], [3.0]], ["yes", "no", "no"])
    assert len(grown(rows, min_weight=1.0)[0]) == 1
    assert grown(rows, min_weight=2.0)[0] == ()


def test_rows_without_weight_do_not_count():
    rows = rows_of([[1.0], [2.0], [3.0], [4.0]], ["yes", "no", "yes", "no"])
    weight = rows.weights * (rows.cells[0] != 1)
    assert grown(rows, weight)[0] == ((0, AT_MOST, 2),)


def test_tests_that_are_not_allowed_are_not_made():
    rows = rows_of([[1.0], [2.0], [3.0]], ["no", "yes", "yes"])
    may = np.ones((1, N_KINDS), np.uint8)
    assert grown(rows, may=may)[0] == ((0, ABOVE, 0),)
    may[0, ABOVE] = 0
    assert grown(rows, may=may)[0] == ()
    frame = pl.DataFrame({"colour": pl.Series(["red", "red", "green", "blue"], dtype=COLOURS)})
    rows = rows_of(frame, ["yes", "yes", "yes", "no"])
    assert grown(rows)[0] == ((0, EQUAL, 0),)
    assert grown(rows, open_values=np.array([0, 1, 1], np.uint8))[0] == ((0, EQUAL, 1),)


def brute_force(rows):
    """Return the best gain over all tests of one step."""
    positive, weights = rows.labels == 1, rows.weights
    base = log2(weights[positive].sum() / weights.sum())
    best = 0.0
    for a, cells in enumerate(rows.cells):
        kinds = (AT_MOST, ABOVE) if rows.coded.slots[a] >= 0 else (EQUAL,)
        for kind, low in product(kinds, range(int(cells.max(initial=-1)) + 1)):
            passing = rows.passes((a, kind, low))
            p, t = weights[passing & positive].sum(), weights[passing].sum()
            if p > 0:
                best = max(best, p * (log2(p / t) - base))
    return best


@given(data=st.data(), n=st.integers(2, 14))
def test_the_first_test_is_the_best_of_all(data, n):
    def column(values):
        return data.draw(st.lists(values | st.none(), min_size=n, max_size=n))

    frame = pl.DataFrame(
        {
            "colour": pl.Series(column(st.sampled_from(COLOURS.categories.to_list())), dtype=COLOURS),
            "x": pl.Series(column(st.integers(0, 4).map(float)), dtype=pl.Float64),
            "z": pl.Series(column(st.floats(-1, 1).map(lambda v: round(v, 1))), dtype=pl.Float64),
        }
    )
    y = ["no", "yes", *data.draw(st.lists(st.sampled_from(["no", "yes"]), min_size=n - 2, max_size=n - 2))]
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 2.25]), min_size=n, max_size=n))
    rows = rows_of(frame, y, weights)
    steps, gains = grown(rows, min_weight=0.0)
    best = brute_force(rows)
    assert bool(steps) == (best > 1e-12)
    if steps:
        assert gains[0] == pytest.approx(best)


def test_what_the_first_tests_of_a_rule_are_worth():
    y = ["no", "no", "yes", "yes", "yes", "no"]
    rows = rows_of([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], y)
    steps = ((0, ABOVE, 1), (0, AT_MOST, 4))
    some = prefix_worth(rows, rows.labels == 1, rows.weights, steps, whole=False)
    assert some.tolist() == pytest.approx([(3 + 1) / (6 + 2), (3 + 1) / (4 + 2), (3 + 1) / (3 + 2)])
    of_all = prefix_worth(rows, rows.labels == 1, rows.weights, steps, whole=True)
    assert of_all.tolist() == pytest.approx([3 / 6, 5 / 6, 6 / 6])


def test_pruning_keeps_the_shortest_of_equally_good_rules_and_everything_where_there_is_nothing_to_prune_by():
    rows = rows_of([[1.0], [2.0], [3.0], [4.0]], ["no", "yes", "yes", "yes"])
    aim = Aim("yes", rows.labels == 1, (), np.ones(4, np.bool_), np.ones((1, N_KINDS), np.uint8))
    grower = Grower(rows, np.empty(0, np.uint8), 1.0, None)
    steps = ((0, ABOVE, 0), (0, AT_MOST, 3))
    rule = grower.prune(aim, rows.weights, steps)
    assert rule.steps == steps[:1]
    assert rule.covers.tolist() == (rows.cells[0] > 0).tolist()
    assert grower.prune(aim, np.zeros(4), steps).steps == steps


def test_bits_that_name_a_subset():
    assert loops.subset_bits(8.0, 2.0, 0.25) == pytest.approx(2 * 2 + 6 * log2(4 / 3))
    assert loops.subset_bits(8.0, 2.0, 0.25) == pytest.approx(6.490225, abs=1e-6)
    assert loops.subset_bits(8.0, 0.0, 0.0) == pytest.approx(0, abs=1e-6)
    assert np.isfinite(loops.subset_bits(8.0, 2.0, 1.5))


def test_bits_of_a_rule():
    assert loops.theory_bits(0, 4.0) == 0
    # one condition: no bits for its number, half of those that name one of four tests
    assert loops.theory_bits(1, 4.0) == pytest.approx(0.5 * (2 + 3 * log2(4 / 3)))
    assert loops.theory_bits(2, 4.0) == pytest.approx(0.5 * (1 + 0 + 4))
    assert loops.theory_bits(4, 16.0) == pytest.approx(0.5 * (2 + 2 * 1 + 4 * 2 + 12 * log2(4 / 3)))


def test_bits_of_exceptions():
    # fewer covered than not: the errors that are expected to be false negatives set the share among the 30
    assert loops.exception_bits(0.25, 10.0, 30.0, 2.0, 4.0) == pytest.approx(29.620792, abs=1e-5)
    # more covered than not: a quarter of 6 errors is expected among the 30
    assert loops.exception_bits(0.25, 30.0, 10.0, 2.0, 4.0) == pytest.approx(
        log2(41) - 2 * log2(0.05) - 28 * log2(0.95) - 4 * log2(0.4) - 6 * log2(0.6)
    )
    assert loops.exception_bits(0.25, 0.0, 40.0, 0.0, 0.0) == pytest.approx(log2(41), abs=1e-5)


def test_rules_that_cost_more_than_they_save_are_dropped():
    totals, theory = np.array([20.0, 100.0]), np.full(3, 5.0)
    # the first rule is right ten times, the second covers nothing, the third is wrong half of the time
    p, t = np.array([10.0, 0.0, 3.0]), np.array([10.0, 0.0, 6.0])
    bits, stays = loops.drop_rules(0.2, totals, np.array([13.0, 16.0]), p, t, theory, True)
    assert stays.tolist() == [True, False, False]
    assert bits == pytest.approx(loops.exception_bits(0.2, 10.0, 90.0, 0.0, 10.0) + 5.0)


def test_the_next_rule_that_covers_a_row():
    covers = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 0]], np.bool_)
    following = np.full(3, -1)
    for position, expected in ((-1, [0, 1, 3]), (0, [1, 1, 3]), (1, [2, 3, 3]), (2, [3, 3, 3])):
        loops.pass_over(covers, position, following)
        assert following.tolist() == expected


def test_equal_rows_are_one_heavier_row():
    frame = pl.DataFrame({"colour": ["red", None, "red", "red"], "x": [1.0, 2.0, 1.0, 1.0]})
    rows = rows_of(frame, ["a", "a", "a", "b"], [1.0, 1.0, 2.0, 1.0])
    assert len(rows) == 3
    assert sorted(zip(rows.labels.tolist(), rows.weights.tolist(), strict=True)) == [
        (0, 1.0),
        (0, 3.0),
        (1, 1.0),
    ]
    assert sorted(rows.copies.tolist()) == [1, 1, 2]
    assert rows.n_tests() == 1 + 2 * 2


def test_whole_weights_are_dealt_out_as_copies_only_where_they_mean_that():
    frame, y, weights = [[1.0], [2.0]], ["a", "b"], [3.0, 1.0]
    assert rows_of(frame, y, weights, repeated=True).copies.tolist() == [3, 1]
    assert rows_of(frame, y, weights, repeated=False).copies.tolist() == [1, 1]
    assert rows_of(frame, y, [3.5, 1.0], repeated=True).copies.tolist() == [1, 1]
    huge = rows_of(frame, y, [3e15, 1.0], repeated=True)
    assert huge.copies.sum() <= 2**20 + 2
    assert huge.weights.tolist() == [3e15, 1.0]


def test_dealt_rows_keep_the_share_of_every_class():
    X = np.arange(90.0)[:, None]
    rows = rows_of(X, np.repeat(["a", "b", "c"], [60, 21, 9]))
    live = rows.cells[0] != 5
    growing, pruning = rows.deal(live, 3, np.random.default_rng(0))
    assert ((growing > 0) != (pruning > 0))[live].all()
    assert not (growing + pruning)[~live].any()
    assert np.bincount(rows.labels, pruning).tolist() == [19, 7, 3]
