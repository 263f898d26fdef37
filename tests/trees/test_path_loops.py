"""C4.5's error estimate, against a plain transcription of its cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from induce.trees import _path_loops


def estimate(n, e, factor):
    counts = np.array([[n - e, e]])
    return _path_loops.leaf_estimate(counts, 0, float(stats.norm.ppf(1 - factor)), factor)


def added_case_by_case(n, e, factor):
    if e < 1:
        base = n * (1 - factor ** (1 / n))
        return base if e == 0 else base + e * (added_case_by_case(n, 1, factor) - base)
    if e + 0.5 >= n:
        return max(n - e, 0)
    z = stats.norm.ppf(1 - factor)
    f = (e + 0.5) / n
    root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - e


@given(st.floats(0.01, 1e4), st.floats(0, 0.5), st.floats(0.001, 0.5))
def test_estimated_errors_of_a_leaf(n, share, factor):
    e = n - max(n - n * share, n * share)
    assert estimate(n, n * share, factor) == pytest.approx(
        e + added_case_by_case(n, e, factor), rel=1e-9, abs=1e-9
    )


def test_a_leaf_without_errors_has_the_binomial_limit():
    assert estimate(6.0, 0.0, 0.25) == pytest.approx(6 * 0.2062994740)
    assert estimate(0.0, 0.0, 0.25) == 0.0
