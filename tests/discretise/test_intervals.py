"""Intervals without classes: about equally full, equally wide, and the interval each value is in."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.discretise import codes, equal_width_cuts, midpoints, quantile_cuts, quantile_edges, thresholds

properties = settings(max_examples=25, derandomize=True)
numbers = st.integers(-5, 5).map(float) | st.floats(allow_nan=False, allow_subnormal=True)
columns = st.lists(numbers | st.just(math.nan), max_size=60)
bins = st.integers(1, 12)


def fill(values: list[float], cuts: np.ndarray) -> list[int]:
    """How many known values each interval has."""
    found = codes(values, cuts)
    return np.bincount(found[found >= 0], minlength=len(cuts) + 1).tolist()


@properties
@given(numbers, numbers)
def test_a_midpoint_is_between(a, b):
    low, high = min(a, b), max(a, b)
    if low < high:
        (middle,) = midpoints([low], [high])
        assert low <= middle < high
        between = np.nextafter(low, high) < high if math.isinf(low) else True
        assert math.isfinite(middle) or not between


def test_midpoints_are_exact_where_they_can_be():
    assert midpoints([1.0, 1.0, -1e308], [2.0, np.nextafter(1.0, 2.0), 1e308]).tolist() == [1.5, 1.0, 0.0]


@properties
@given(columns, st.lists(numbers, max_size=20).map(sorted))
def test_the_code_is_the_number_of_cuts_below(values, cuts):
    expected = [-1 if math.isnan(v) else sum(cut < v for cut in cuts) for v in values]
    found = codes(values, cuts)
    assert found.dtype == np.int32
    assert found.tolist() == expected


def test_codes_of_many_values():
    rng = np.random.default_rng(0)
    values, cuts = rng.normal(size=5000), np.sort(rng.normal(size=254))
    assert (codes(values, cuts) == np.searchsorted(cuts, values)).all()
    assert (codes(values.reshape(-1, 2)[:, 1], cuts) == np.searchsorted(cuts, values[1::2])).all()


@properties
@given(columns, bins)
def test_no_interval_of_quantiles_is_empty(values, n_bins):
    cuts = quantile_cuts(values, n_bins)
    distinct = len({v for v in values if not math.isnan(v)})
    assert (np.diff(cuts) > 0).all()
    assert len(cuts) + 1 <= max(1, min(n_bins, distinct))
    if distinct <= n_bins:
        assert len(cuts) == max(0, distinct - 1)
    if distinct:
        assert min(fill(values, cuts)) > 0


@properties
@given(columns, bins)
def test_the_edges_are_the_values_beside_the_cuts(values, n_bins):
    highest, lowest = quantile_edges(values, n_bins)
    known = np.array([v for v in values if not math.isnan(v)])
    for cut, high, low in zip(quantile_cuts(values, n_bins), highest, lowest, strict=True):
        assert high == known[known <= cut].max()
        assert low == known[known > cut].min()


@pytest.mark.parametrize(("n", "n_bins"), [(1000, 10), (1001, 7), (100, 99), (300, 255)])
def test_different_values_are_shared_evenly(n, n_bins):
    values = np.random.default_rng(1).permutation(np.arange(float(n)))
    full = fill(values, quantile_cuts(values, n_bins))
    assert len(full) == n_bins
    assert max(full) - min(full) <= 1


def test_a_frequent_value_leaves_the_other_intervals_to_the_others():
    values = [0.0] * 900 + list(range(1, 101))
    assert fill(values, quantile_cuts(values, 11)) == [900] + [10] * 10
    values = list(range(1, 101)) + [1000.0] * 900
    assert fill(values, quantile_cuts(values, 11))[-1] == 900


def test_few_values_have_an_interval_each():
    assert quantile_cuts([3, 1, 2, 2, 3], 3).tolist() == [1.5, 2.5]
    assert quantile_cuts([3, 1, 2, 2, 3], 255).tolist() == [1.5, 2.5]
    assert quantile_cuts([3, 1, 2, 2, 3], 1).tolist() == []


@properties
@given(columns, bins)
def test_equal_widths(values, n_bins):
    cuts = equal_width_cuts(values, n_bins)
    finite = [v for v in values if math.isfinite(v)]
    assert np.isfinite(cuts).all()
    assert len(cuts) < n_bins
    assert (np.diff(cuts) > 0).all()
    if finite:
        assert all(min(finite) <= cut < max(finite) for cut in cuts)
    else:
        assert len(cuts) == 0


def test_equal_widths_of_a_range():
    assert equal_width_cuts([10, 0, math.nan, 3], 5).tolist() == [2, 4, 6, 8]
    assert equal_width_cuts([0, 10, math.inf, -math.inf], 2).tolist() == [5]
    assert equal_width_cuts([-1.7e308, 1.7e308], 4).tolist() == pytest.approx([-8.5e307, 0, 8.5e307])
    assert equal_width_cuts([4, 4, 4], 5).tolist() == []


@pytest.mark.parametrize("cuts", [quantile_cuts, equal_width_cuts])
@pytest.mark.parametrize("values", [[], [math.nan, math.nan]])
def test_nothing_to_cut(cuts, values):
    assert cuts(values, 4).tolist() == []
    assert codes(values, []).tolist() == [-1] * len(values)


@pytest.mark.parametrize("cuts", [quantile_cuts, equal_width_cuts])
@pytest.mark.parametrize("n_bins", [0, -1, 2.5, "4", None])
def test_a_bad_number_of_intervals(cuts, n_bins):
    with pytest.raises(InputError, match=r"n_bins is .*; give a whole number of at least 1"):
        cuts([1.0, 2.0], n_bins)


def test_bad_arrays():
    with pytest.raises(InputError, match="2 dimensions; give one column"):
        quantile_cuts(np.zeros((2, 2)), 3)
    with pytest.raises(InputError, match="ascending order"):
        codes([1.0], [2.0, 1.0])
    with pytest.raises(InputError, match="ascending order"):
        codes([1.0], [math.nan])


def test_the_package_is_cheap_to_import():
    code = "import sys, induce.discretise; print('numba' in sys.modules, 'sklearn' in sys.modules)"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    assert printed.split() == ["False", "False"]


def test_thresholds_have_the_digits_that_separate_the_data():
    assert thresholds([14.3, 48, 80, 1.9], [14.5, 60, 90, 3.0]).tolist() == [14.4, 54, 85, 2.45]
    rng = np.random.default_rng(0)
    for exponent in (-30, -5, 0, 4, 12, 30):
        values = np.unique(rng.normal(size=300) * 10.0**exponent)
        found = thresholds(values[:-1], values[1:])
        assert (values[:-1] <= found).all()
        assert (found < values[1:]).all()
    assert thresholds([0.1234567891], [0.1239876543]).tolist() == [0.1237]
    assert np.isnan(thresholds([np.nan], [np.nan])).all()
    assert thresholds([-np.inf, 1e308], [np.inf, 1.5e308]).tolist() == [0.0, 1.25e308]
