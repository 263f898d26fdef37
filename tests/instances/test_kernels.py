"""Kernels: their values, their areas, and weights that are never all 0 or infinite."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from induce.core.errors import InputError
from induce.instances.kernels import AREAS, KERNELS, WITHOUT_WIDTH, DistanceKernel


def test_the_quadratic_kernel_of_width_10():
    d = np.array([0, 1, 2, 2.5, 3, 4, 5, 6])
    assert DistanceKernel("quadratic", 10)(d) == pytest.approx([1, 0.96, 0.84, 0.75, 0.64, 0.36, 0, 0])


def test_the_gaussian_kernel():
    assert DistanceKernel("gaussian", 1)(np.arange(4.0)) == pytest.approx(
        [1, 0.60653066, 0.13533528, 0.01110900], abs=5e-9
    )


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_fall_with_the_distance(name):
    d = np.linspace(0.01, 4, 200)
    values = DistanceKernel(name, 1.5)(d)
    assert (np.diff(values) <= 0).all()
    assert (values >= 0).all()
    assert name.startswith("inverse") or DistanceKernel(name, 1.5)(np.zeros(1)) == 1


@pytest.mark.parametrize("name", AREAS)
def test_areas(name):
    area = 2 * quad(lambda d: float(DistanceKernel(name, 1.0)(np.array([d]))[0]), 0, 10, points=[0.5, 1.0])[0]
    assert area == pytest.approx(AREAS[name], rel=1e-9)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(KERNELS),
    st.lists(st.floats(0, 1e6), min_size=1, max_size=6),
    st.floats(1e-8, 1e3),
)
def test_weights_are_proportional_to_the_kernel_where_it_is_neither_0_nor_infinite(name, distances, width):
    kernel, d = DistanceKernel(name, width), np.array([distances])
    found = kernel.among(d, np.ones_like(d))
    assert np.isfinite(found).all()
    assert found.sum() > 0
    plain = kernel(d)
    if np.isfinite(plain).all() and plain.sum() > 1e-290:
        assert found / found.sum() == pytest.approx(plain / plain.sum(), rel=1e-6, abs=1e-12)


def test_a_width_so_small_that_all_weights_underflow_leaves_the_nearest():
    d = np.array([[3.0, 3.0, 4.0]])
    for name in set(KERNELS) - set(WITHOUT_WIDTH):
        assert DistanceKernel(name, 1e-200).among(d, np.ones((1, 3))).tolist() == [[1, 1, 0]]


def test_examples_of_weight_0_are_not_there():
    d, weights = np.array([[0.0, 1.0, 2.0]]), np.array([[0.0, 2.0, 1.0]])
    assert DistanceKernel("inverse-square").among(d, weights).tolist() == [[0, 2, 0.25]]
    assert DistanceKernel("quadratic", 1).among(d, weights).tolist() == [[0, 2, 0]]
    assert DistanceKernel("uniform").among(d, weights).tolist() == [[0, 2, 1]]


@pytest.mark.parametrize("width", [0, -1, float("nan"), float("inf"), "wide", None])
def test_widths_that_make_no_sense(width):
    with pytest.raises(InputError, match=r"width is .*; give a number above 0"):
        DistanceKernel("gaussian", width)


def test_a_kernel_that_there_is_not():
    with pytest.raises(InputError, match="kernel is 'gausian'; it can be 'gaussian'"):
        DistanceKernel("gausian")
