"""Kernels as values: the book's numbers, their features, sums and products, printed and saved."""

import math
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import induce
from induce.core.codec import Decoder, Encoder
from induce.kernels import (
    Constant,
    Function,
    Gaussian,
    Linear,
    LocalPolynomial,
    Mixed,
    Polynomial,
    Spectrum,
    Subsequence,
    Subtrees,
    mercer,
)
from induce.logic import parse_term

POINTS = np.random.default_rng(0).normal(size=(12, 3))
WORDS = ["cat", "car", "cart", "", "tact", "bar"]
TREES = [("s", ("np", "john"), ("vp", ("v", "saw"), ("np", "mary"))), ("s", ("np", "mary"), ("vp", "ran"))]
PIXELS = LocalPolynomial((2, 2), patch=2)
OF_VECTORS = [
    Linear(),
    Polynomial(2, offset=0),
    Polynomial(3, offset=0.5, gamma=2.0),
    Gaussian(0.3),
    1 + Linear(),
    2 * Gaussian(0.1) + Linear() * Linear(),
    Polynomial(3).normalised(),
]


# --- numbers of the book


def test_the_square_is_a_product_of_features():
    """AIMA 20.6: F(x) = (x1², x2², √2 x1 x2), and F(x)·F(z) = (x·z)²."""
    x, z, square = [[1.0, 2.0]], [[3.0, -1.0]], Polynomial(2, offset=0)
    assert square.features(x)[0] == pytest.approx([1, 4, 2 * math.sqrt(2)])
    assert square.features(z)[0] == pytest.approx([9, 1, -3 * math.sqrt(2)])
    assert square(x, z).item() == pytest.approx(1.0)
    assert square.feature_names(("x1", "x2")) == ("x1²", "x2²", "x1 x2")


@pytest.mark.parametrize(
    ("n", "degree", "features"), [(2, 2, 6), (10, 3, 286), (400, 2, 80_601), (400, 3, 10_827_401)]
)
def test_dimensions_of_polynomials(n, degree, features):
    assert Polynomial(degree).dimension(n) == features


def test_other_dimensions():
    assert Gaussian(1).dimension(3) == math.inf
    assert (1 + Linear()).dimension(3) == 4
    assert (Linear() * Linear()).dimension(3) == 9
    assert Polynomial(2, offset=0).dimension(2) == 3


@given(st.sampled_from([0.0, 0.5, 1.0]), st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**6))
def test_products_of_features_are_the_kernel(offset, degree, n, seed):
    x = np.random.default_rng(seed).normal(size=(4, n))
    kernel = Polynomial(degree, offset=offset, gamma=0.7)
    f = kernel.features(x)
    assert f.shape[1] == kernel.dimension(n)
    np.testing.assert_allclose(f @ f.T, kernel(x), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "kernel", [1 + 2 * Linear(), Linear() * Polynomial(2), Linear().normalised(), Spectrum(2)]
)
def test_features_of_combinations(kernel):
    x = WORDS if isinstance(kernel, Spectrum) else POINTS
    f = kernel.features(x)
    np.testing.assert_allclose(f @ f.T, kernel(x), atol=1e-12)


def test_infinitely_many_features_are_not_listed():
    with pytest.raises(induce.InputError, match="has no explicit features"):
        Gaussian(1.0).features(POINTS)
    with pytest.raises(induce.InputError, match="10,827,401 features"):
        Polynomial(3).features(np.zeros((1, 400)))


# --- strings


@pytest.mark.parametrize("decay", [0.25, 0.5, 0.9])
def test_cat_and_car(decay):
    """Length 2: they share "ca" alone; each of "ca", "at" and "ct" costs in itself."""
    kernel = Subsequence(2, decay)
    assert kernel(["cat"], ["car"]).item() == pytest.approx(decay**4)
    assert kernel.normalised()(["cat"], ["car"]).item() == pytest.approx(1 / (2 + decay**2))


def by_definition(s, t, length, decay):
    total = 0.0
    for a in combinations(range(len(s)), length):
        for b in combinations(range(len(t)), length):
            if [s[i] for i in a] == [t[j] for j in b]:
                total += decay ** (a[-1] - a[0] + 1 + b[-1] - b[0] + 1)
    return total


@given(st.lists(st.text("abc", max_size=7), min_size=1, max_size=4), st.integers(1, 4))
def test_subsequences_by_definition(texts, length):
    kernel = Subsequence(length, 0.7)
    expected = [[by_definition(s, t, length, 0.7) for t in texts] for s in texts]
    np.testing.assert_allclose(kernel(texts), expected, atol=1e-12)
    np.testing.assert_allclose(kernel(texts, texts[:1]), [row[:1] for row in expected], atol=1e-12)


def test_subsequences_of_words():
    assert Subsequence(2, 0.5, words=True)(["the old man"], ["the man"]).item() == pytest.approx(0.5**5)


def test_common_substrings():
    assert Spectrum(2)(["statistics"], ["computation"]).item() == 4  # ta, at, and ti twice
    assert Spectrum(1, words=True)(["a b a"], ["a c"]).item() == 2


# --- terms


def test_common_subtrees():
    """Collins and Duffy: np(d, n), np(d(the), n) and d(the) are in both."""
    apple, pear = (("np", ("d", "the"), ("n", fruit)) for fruit in ("apple", "pear"))
    assert Subtrees()([apple], [pear]).item() == 3
    assert Subtrees()([apple]).item() == 6
    half = 0.5
    assert Subtrees(half)([apple], [pear]).item() == pytest.approx(half + half * (1 + half))


def test_terms_of_logic_and_text_are_trees():
    text = "s(np(john), vp(v(saw), np(mary)))"
    kernel = Subtrees()
    assert kernel([parse_term(text)], TREES).tolist() == kernel([text], TREES).tolist()
    assert kernel([text], TREES)[0, 0] == kernel([text]).item()


def test_deep_trees_do_not_recurse():
    tree = "leaf"
    for _ in range(5_000):
        tree = ("f", tree)
    assert Subtrees()([tree], [("f", "leaf")]).item() == 1.0


# --- tables


def test_a_missing_value_is_neutral():
    X = pl.DataFrame({"a": ["u", "v", None, "u"], "b": [0.0, 0.0, 0.0, None]})
    found = Mixed()(X)
    np.testing.assert_allclose(np.diag(found), 1.0)
    # with the column unknown, what is known of the others decides, whatever they have in it
    assert found[2, 0] == pytest.approx(found[2, 1])
    assert found[0, 3] > found[1, 3]
    assert found[0, 1] == pytest.approx(1 / 1.5)


def test_nearby_pixels_only():
    corners = np.array([[1.0, 0, 0, 0, 0, 0, 0, 0, 1.0]])
    kernel = LocalPolynomial((3, 3), patch=2, inner=2)
    assert kernel(corners).item() == 2.0  # each corner is in one patch; never both in one
    assert Polynomial(2, offset=0)(corners).item() == 4.0
    assert LocalPolynomial((3, 3), patch=3, inner=2, outer=2)(corners).item() == 16.0
    for wrong in (((3, 3), 4), ((3,), 2)):
        with pytest.raises(induce.InputError, match="shape is"):
            LocalPolynomial(*wrong)
    with pytest.raises(induce.InputError, match="which is 4 pixels, but rows have 9"):
        LocalPolynomial((2, 2), patch=2)(corners)


# --- what holds of all of them


@pytest.mark.parametrize("kernel", OF_VECTORS, ids=str)
def test_kernels_are_positive_semidefinite(kernel):
    assert mercer(kernel, POINTS).holds


@pytest.mark.parametrize(
    ("kernel", "rows"),
    [
        (Spectrum(2), WORDS),
        (Subsequence(2), WORDS),
        (Subtrees(0.5), TREES),
        (Mixed(), pl.DataFrame({"a": [*"uvvwu", None], "b": [0.1, None, 3.0, 0.2, None, 1.0]})),
        (PIXELS, POINTS.reshape(-1, 4)),
    ],
    ids=str,
)
def test_structured_kernels_are_positive_semidefinite(kernel, rows):
    assert mercer(kernel, rows).holds
    assert mercer(kernel.normalised(), rows).holds


@pytest.mark.parametrize("kernel", OF_VECTORS, ids=str)
def test_own_values_are_the_diagonal(kernel):
    from induce.kernels.inputs import plain_inputs

    prepared = kernel.prepare(plain_inputs(POINTS)[0])
    np.testing.assert_allclose(kernel.own(prepared), np.diag(kernel(POINTS)), rtol=1e-12)


@pytest.mark.parametrize("kernel", [*OF_VECTORS, Mixed(), Spectrum(2), Subtrees(), PIXELS], ids=str)
def test_kernels_are_values(kernel):
    arrays = []
    again = Decoder(arrays.__getitem__).decode(Encoder("field", "", arrays).encode(kernel, "kernel"))
    assert again == kernel
    assert str(again) == str(kernel)
    assert hash(again) == hash(kernel)


def test_a_function_is_a_kernel_but_no_data():
    kernel = Function(lambda x, z: float(x @ z))
    np.testing.assert_allclose(kernel(POINTS), Linear()(POINTS))
    np.testing.assert_allclose(Function(lambda A, B: A @ B.T, whole=True)(POINTS), Linear()(POINTS))
    with pytest.raises(induce.InputError, match="is a function, which a model file cannot hold"):
        Encoder("field", "", []).encode(kernel, "kernel")


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda x, z: "much", "returned a non-number"),
        (lambda x, z: math.nan, "NaN or infinity"),
        (lambda x, z: x, "returned a non-number"),
    ],
)
def test_functions_that_are_no_kernels(function, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        Function(function)(POINTS)


def test_printed():
    assert str(1 + 2 * Linear()) == "1 + 2 x·z"
    assert str((Linear() + 1) * Gaussian(0.5)) == "(x·z + 1) exp(-0.5 |x - z|²)"
    assert str(Polynomial(3, gamma=0.25)) == "(1 + 0.25 x·z)³"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Gaussian(0), "gamma is 0"),
        (lambda: Gaussian("wide"), "gamma is 'wide'"),
        (lambda: Polynomial(0), "degree is 0"),
        (lambda: Polynomial(2, offset=-1), "offset is -1"),
        (lambda: Constant(-1), "value is -1"),
        (lambda: Subsequence(2, 1.5), "decay is 1.5"),
        (lambda: Subtrees(0), "decay is 0"),
        (lambda: Spectrum(0), "length is 0"),
        (lambda: Mixed(strength=0), "strength is 0"),
        (lambda: Function(3), "function is 3"),
        (lambda: Spectrum(2)(POINTS), "compares strings"),
        (lambda: Subtrees()(POINTS), "compares terms"),
    ],
)
def test_bad_parameters(make, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        make()


def test_a_gaussian_takes_its_width_from_the_rows():
    from sklearn.metrics.pairwise import rbf_kernel

    np.testing.assert_allclose(Gaussian()(POINTS), rbf_kernel(POINTS, gamma=1 / (3 * POINTS.var())))
