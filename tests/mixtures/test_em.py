"""EM of mixtures: the numbers of the book, scikit-learn's, brute force where cells are missing, and restarts."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm
from sklearn.mixture import GaussianMixture as Peer

import induce
from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.core.notes import Note
from induce.data.schema import Column, Schema
from induce.mixtures import Mixture, _loops
from induce.mixtures.components import Components, start_from
from induce.mixtures.estimation import EMSettings, fit, merged
from induce.mixtures.rows import Rows
from induce.textbook.densities import COVARIANCES, MEANS, SHARES

KINDS = ("full", "tied", "diag", "spherical")
SIX = [[1.0], [2.0], [3.0], [9.0], [10.0], [11.0]]
CANDY = [273, 93, 104, 90, 79, 100, 94, 167]


def steps(start, X, n, weights=None, **more):
    learner = induce.GaussianMixture(start=start, prior=0, tol=0, max_iter=n, rules=False, **more)
    return learner.fit(X, sample_weight=weights).hypothesis_


# --- printed numbers -----------------------------------------------------------------------------------------


def test_the_trace_of_six_points():
    start = Mixture.of([0.5, 0.5], [[2.0], [9.0]], [[[4.0]], [[4.0]]])
    logs = start.log_joint(SIX)
    p = np.exp(logs - np.logaddexp(*logs.T)[:, None])
    assert p[:, 0] == pytest.approx([0.999620, 0.997817, 0.987568, 0.002183, 0.000380, 0.000066], abs=5e-7)
    assert p.sum(axis=0) == pytest.approx([2.9876344, 3.0123656], abs=5e-8)
    assert start.score_samples(SIX).sum() == pytest.approx(-14.688691, abs=5e-7)
    one = steps(start, SIX, 1)  # the larger comes first
    assert one.shares == pytest.approx([0.502061, 0.497939], abs=5e-7)
    assert one.centres.ravel() == pytest.approx([9.964883, 2.002297], abs=5e-7)
    assert one.matrices().ravel() == pytest.approx([0.920758, 0.710862], abs=5e-7)
    assert one.log_likelihood == pytest.approx(-11.531637, abs=5e-7)
    two = steps(start, SIX, 2)
    assert np.sort(two.centres.ravel()) == pytest.approx([2, 10], abs=5e-7)
    assert two.matrices().ravel() == pytest.approx([2 / 3, 2 / 3], abs=5e-7)
    assert two.log_likelihood == pytest.approx(-11.456119, abs=5e-7)


def bags(theta, first, second):
    columns = [Column(name, "nominal", ("yes", "no")) for name in ("cherry", "red", "hole")]
    tables = np.array([[p for share in each for p in (share, 1 - share)] for each in (first, second)])
    return Mixture(
        Schema(tuple(columns)),
        "full",
        np.array([theta, 1 - theta]),
        np.zeros((2, 0)),
        np.zeros((2, 0, 0)),
        tables,
        np.zeros(0),
        np.zeros(0),
    )


def candies():
    cells = [(f, w, h) for f in ("yes", "no") for w in ("yes", "no") for h in ("yes", "no")]
    return pl.DataFrame(
        cells, schema=dict.fromkeys(("cherry", "red", "hole"), pl.Enum(["yes", "no"])), orient="row"
    )


@pytest.mark.parametrize(
    ("n", "theta", "first", "second", "log_likelihood"),
    [
        (1, 0.612431, (0.668408, 0.648312, 0.655848), (0.388695, 0.381748, 0.382741), -2021.026239),
        (2, 0.606155, (0.703582, 0.677245, 0.687990), (0.339017, 0.341466, 0.337624), -2003.025050),
        (10, 0.559853, (0.806031, 0.737062, 0.767898), (0.247057, 0.300704, 0.272840), -1982.017785),
        (50, 0.457930, (0.868562, 0.780527, 0.816619), (0.299333, 0.346031, 0.324766), -1979.552347),
    ],
)
def test_the_candies_of_two_bags(n, theta, first, second, log_likelihood):
    start = bags(0.6, [0.6] * 3, [0.4] * 3)
    assert start.score_samples(candies()) @ np.array(CANDY) == pytest.approx(-2044.260365, abs=5e-7)
    assert start.predict_proba(candies())[[0, 7], 0] == pytest.approx([0.8350515, 0.3076923], abs=5e-8)
    found = steps(start, candies(), n, CANDY)
    assert found.log_likelihood == pytest.approx(log_likelihood, abs=1e-6)
    bag = int(np.argmax(found.tables[:, 0]))
    assert found.shares[bag] == pytest.approx(theta, abs=1e-6)
    assert found.tables[bag, ::2] == pytest.approx(first, abs=1e-6)
    assert found.tables[1 - bag, ::2] == pytest.approx(second, abs=1e-6)


def test_two_bags_fit_all_counts():
    """Three Boolean columns and a hidden bag have as many parameters as the joint table."""
    found = (
        induce.MixtureModel(2, prior=0, tol=1e-12, max_iter=2000)
        .fit(candies(), sample_weight=CANDY)
        .hypothesis_
    )
    assert found.n_parameters == 7
    assert found.log_likelihood == pytest.approx(-1979.360127, abs=1e-5)
    assert found.information() == pytest.approx(2 * 2003.5373, abs=1e-4)
    with pytest.warns(Note, match="lower is better"):
        assert found.bic == found.information()


@pytest.mark.parametrize(
    ("seed", "before", "after", "shares"),
    [
        (0, 521.82, 532.14, (0.193, 0.252, 0.555)),
        (1, 435.21, 443.94, (0.204, 0.315, 0.481)),
        (2, 478.18, 487.25, (0.208, 0.305, 0.487)),
    ],
)
def test_three_gaussians(seed, before, after, shares):
    """The result is slightly likelier than what made the points, and almost the same."""
    random = np.random.default_rng(seed)
    which = random.choice(3, 500, p=SHARES)
    points = np.array([random.multivariate_normal(MEANS[k], COVARIANCES[k]) for k in which])
    true = Mixture.of(SHARES, MEANS, COVARIANCES)
    found = induce.GaussianMixture(3, prior=0, tol=1e-8, rules=False).fit(points).hypothesis_
    assert true.score_samples(points).sum() == pytest.approx(before, abs=0.01)
    assert found.log_likelihood == pytest.approx(after, abs=0.01)
    order = [int(np.argmin(np.square(found.centres - mean).sum(axis=1))) for mean in MEANS]
    assert sorted(order) == [0, 1, 2]
    assert found.shares[order] == pytest.approx(shares, abs=1e-3)
    assert found.centres[order] == pytest.approx(MEANS, abs=0.05)
    assert found.matrices()[order] == pytest.approx(COVARIANCES, abs=0.006)


# --- scikit-learn --------------------------------------------------------------------------------------------


def precisions(kind, covariances):
    if kind == "full":
        return np.linalg.inv(covariances)
    if kind == "tied":
        return np.linalg.inv(covariances.mean(axis=0))
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    return 1 / variances if kind == "diag" else 1 / variances.mean(axis=1)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_steps_as_scikit_learn(kind):
    random = np.random.default_rng(3)
    X = np.concatenate(
        [random.normal(size=(40, 3)) @ random.normal(size=(3, 3)) + shift for shift in (0, 2, 5)]
    )
    shares, means = np.array([0.5, 0.3, 0.2]), X[[0, 50, 100]]
    covariances = np.array([np.diag([1.0, 2.0, 3.0])] * 3)
    peer = Peer(
        3, covariance_type=kind, weights_init=shares, means_init=means, tol=0, reg_covar=0, max_iter=7
    )
    peer.set_params(precisions_init=precisions(kind, covariances), init_params="random", random_state=0)
    with pytest.warns(match="did not converge"):
        peer.fit(X)
    full = {"full": covariances, "tied": covariances[0], "diag": np.diagonal(covariances, axis1=1, axis2=2)}
    start = Mixture(
        Schema(tuple(Column(f"x{j}") for j in range(3))),
        kind,
        shares,
        means,
        full.get(kind, np.full(3, 2.0)),
        np.zeros((3, 0)),
        np.zeros(3),
        np.ones(3),
    )
    ours = steps(start, X, 7, covariance_type=kind, scale=None)
    order = np.argsort(-peer.weights_, kind="stable")
    assert ours.shares == pytest.approx(peer.weights_[order], rel=1e-6)
    assert ours.centres == pytest.approx(peer.means_[order], rel=1e-6)
    assert ours.score_samples(X) == pytest.approx(peer.score_samples(X), rel=1e-6)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X)[:, order], abs=1e-6)
    # scikit-learn's criterion is -2 times ours, at one E step earlier
    assert ours.n_parameters == peer._n_parameters()


# --- holes ---------------------------------------------------------------------------------------------------


def holed(kind="full"):
    random = np.random.default_rng(1)
    X = np.concatenate(
        [random.normal(size=(12, 3)), random.normal(size=(12, 3)) @ random.normal(size=(3, 3)) + 3]
    )
    X[random.random(X.shape) < 0.25] = np.nan
    X[0] = np.nan
    return X


def test_a_missing_number_is_integrated_out():
    mixture = induce.GaussianMixture(2, rules=False).fit(holed()).hypothesis_
    grid = np.linspace(-25, 25, 20_001)
    row = np.array([0.3, np.nan, 1.2])
    rows = np.repeat(row[None], len(grid), axis=0)
    rows[:, 1] = grid
    whole = np.trapezoid(np.exp(mixture.log_joint(rows)), grid, axis=0)
    assert np.exp(mixture.log_joint(row[None]))[0] == pytest.approx(whole, rel=1e-6)
    nothing = np.full((1, 3), np.nan)
    assert mixture.score_samples(nothing) == pytest.approx([0.0])
    assert mixture.predict_proba(nothing)[0] == pytest.approx(mixture.shares)


def naive_step(X, shares, means, covariances):
    """One step of EM, row by row, each hole by its mean and covariance given the rest of the row."""
    k, d = means.shape
    p, filled, left = np.zeros((len(X), k)), np.zeros((len(X), k, d)), np.zeros((len(X), k, d, d))
    for n, row in enumerate(X):
        o = np.flatnonzero(~np.isnan(row))
        m = np.flatnonzero(np.isnan(row))
        for i in range(k):
            S = covariances[i]
            p[n, i] = shares[i]
            filled[n, i] = np.where(np.isnan(row), means[i], row)
            left[n, i][np.ix_(m, m)] = S[np.ix_(m, m)]
            if len(o):
                p[n, i] *= multivariate_normal.pdf(row[o], means[i, o], S[np.ix_(o, o)])
                gain = S[np.ix_(m, o)] @ np.linalg.inv(S[np.ix_(o, o)])
                filled[n, i, m] = means[i, m] + gain @ (row[o] - means[i, o])
                left[n, i][np.ix_(m, m)] -= gain @ S[np.ix_(o, m)]
    p /= p.sum(axis=1, keepdims=True)
    total = p.sum(axis=0)
    mean = np.einsum("ni,nid->id", p, filled) / total[:, None]
    gap = filled - mean
    scatter = np.einsum("ni,nia,nib->iab", p, gap, gap) + np.einsum("ni,niab->iab", p, left)
    return total / len(X), mean, scatter / total[:, None, None]


@pytest.mark.parametrize("kind", ["full", "tied"])
def test_a_step_with_holes_is_that_of_brute_force(kind):
    X = holed()
    shares, means = np.array([0.6, 0.4]), np.array([[0.0, 0.0, 0.5], [2.0, 3.0, 2.5]])
    matrix = np.array([[1.5, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 2.0]])
    start = Mixture.of(shares, means, [matrix, matrix])
    if kind == "tied":
        start = Mixture(start.schema, "tied", shares, means, matrix, start.tables, start.offset, start.scale)
    found = steps(start, X, 1, covariance_type=kind)
    weight, mean, covariance = naive_step(X, shares, means, np.array([matrix, matrix]))
    if kind == "tied":
        covariance[:] = np.einsum("i,iab->ab", weight, covariance)
    order = np.argsort(-weight)
    assert found.shares == pytest.approx(weight[order])
    assert found.centres == pytest.approx(mean[order])
    assert found.matrices() == pytest.approx(covariance[order])


def test_a_hole_in_a_diagonal_mixture_tells_nothing():
    """The column is learned from the rows where it is known, each by the probability of its class."""
    X = np.array([[0.0, 1.0], [1.0, np.nan], [0.5, 0.5], [5.0, 7.0], [6.0, 9.0]])
    start = Mixture(
        Schema((Column("a"), Column("b"))), "diag", np.array([0.5, 0.5]), np.array([[0.0, 1.0], [5.0, 8.0]]),
        np.ones((2, 2)), np.zeros((2, 0)), np.zeros(2), np.ones(2),
    )  # fmt: skip
    found = steps(start, X, 1, covariance_type="diag")
    p = np.exp(start.log_joint(X))
    p /= p.sum(axis=1, keepdims=True)
    rest = [0, 2, 3, 4]
    known = p[rest]
    assert np.sort(found.centres[:, 1]) == pytest.approx(np.sort(known.T @ X[rest, 1] / known.sum(axis=0)))
    expected = norm.logpdf(X[1, 0], found.centres[:, 0], np.sqrt(found.matrices()[:, 0, 0])) + np.log(
        found.shares
    )
    assert found.log_joint(X[[1]])[0] == pytest.approx(expected)


# --- restarts, priors, properties ----------------------------------------------------------------------------


def test_equal_components_are_restarted():
    """They would never part by themselves (exercise 20.10)."""
    start = Mixture.of([0.5, 0.5], [[6.0], [6.0]], [[[9.0]], [[9.0]]])
    with induce.trace(only="restart") as events:
        found = induce.GaussianMixture(start=start, prior=0, rules=False).fit(SIX).hypothesis_
    assert events[0]["why"] == "it coincided with component 0"
    assert found.restarts >= 1
    assert found.log_likelihood == pytest.approx(-11.456119, abs=1e-4)


@pytest.mark.parametrize("kind", ["full", "diag", "spherical"])
def test_a_collapsing_component_is_restarted(kind):
    random = np.random.default_rng(0)
    X = np.concatenate([random.normal(size=(60, 2)), [[9.0, 9.0]]])
    with induce.trace(only="restart") as events:
        model = induce.GaussianMixture(2, covariance_type=kind, prior=0, rules=False).fit(X)
    assert events[0]["why"] == "it collapsed"
    assert np.isfinite(model.score_samples(X)).all()
    kept = induce.GaussianMixture(2, covariance_type=kind, prior=1, rules=False).fit(X).hypothesis_
    assert kept.restarts == 0  # the prior keeps a cluster of one row
    assert kept.shares.min() == pytest.approx(1 / 61, abs=0.02)


def test_merged():
    apart = Components(
        "diag", np.array([0.3, 0.7]), np.array([[0.0], [1.0]]), np.ones((2, 1)), np.zeros((2, 0))
    )
    assert merged(apart) is None
    tables = np.array([[0.5, 0.5], [0.5, 0.5]])
    by_table = Components("diag", np.array([0.5, 0.5]), np.zeros((2, 0)), np.zeros((2, 0)), tables)
    assert merged(by_table) == (0, 1)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(KINDS),
    st.sampled_from([0.0, 0.5, 2.0]),
    st.integers(1, 3),
)
def test_the_objective_never_falls(seed, kind, prior, k):
    random = np.random.default_rng(seed)
    numeric = random.normal(size=(15, 2)) * [1, 3] + random.integers(0, 3, (15, 1))
    numeric[random.random(numeric.shape) < 0.1] = np.nan
    nominal = random.integers(-1, 3, (15, 1)).astype(np.int32)
    rows = Rows.of(numeric, nominal, random.integers(1, 3, 15).astype(float), (3,))
    start = start_from(rows, random.integers(0, k, len(rows)), k, kind)
    found = fit(rows, [start], EMSettings(prior, 0.0, 15), random)  # the driver raises where it falls
    assert (np.diff(found.objective) >= -1e-8).all()
    assert np.isfinite(found.log_likelihood)
    assert found.components.shares.sum() == pytest.approx(1)


@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["full", "diag"])
def test_plain_loops_and_compiled_ones_agree(kind, monkeypatch):
    random = np.random.default_rng(0)
    numeric, nominal = random.normal(size=(20, 2)), random.integers(-1, 2, (20, 1)).astype(np.int32)
    rows = Rows.of(numeric, nominal, np.ones(20), (2,))
    start = start_from(rows, random.integers(0, 2, 20), 2, kind)
    plain = start.expect(rows)
    monkeypatch.setattr("induce.mixtures.components.sized", lambda loop, *_: compiled(loop))
    for mine, other in zip(plain, start.expect(rows), strict=True):
        assert np.array_equal(mine, other)
    assert math.log(np.finfo(float).eps) > _loops.NEGLIGIBLE


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"n_components": 7}, "n_components is 7, but there are only 6 distinct rows; give at most 6"),
        ({"n_components": 0}, "n_components is 0; it must be a whole number of at least 1, or None"),
        (
            {"covariance_type": "round"},
            "covariance_type is 'round'; it can be 'full', 'tied', 'diag', 'spherical'",
        ),
        ({"prior": math.inf}, "prior is inf; it must be a finite number of at least 0"),
        ({"start": "here"}, "start is 'here'; give a Mixture, such as the hypothesis_ of another fit"),
        (
            {"start": Mixture.of([1.0], [[0.0, 0.0]], [np.eye(2)])},
            "start has other columns: x0, x1; give a mixture of the same columns",
        ),
        (
            {"start": Mixture.of([1.0], [[0.0]], [[[1.0]]]), "covariance_type": "tied"},
            "covariance_type is 'tied', but start has 'full' covariances; give both the same type",
        ),
        (
            {"start": Mixture.of([1.0], [[0.0]], [[[1.0]]]), "n_components": 2},
            "n_components is 2, but start has 1; omit one of the two",
        ),
    ],
)
def test_bad_parameters(settings, sentence):
    with pytest.raises(InputError, match=f"^{sentence.replace('(', '.').replace(')', '.')}$"):
        induce.GaussianMixture(**settings).fit(SIX)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([0.5, 0.6], [[0], [1]], [[[1]], [[1]]]), "give 2 positive numbers that sum to 1"),
        (([1.0], [[0, 1]], [[[1]]]), "give 1 symmetric 2 x 2 matrices"),
        (([1.0], [[0]], [[[0]]]), "positive definite covariances"),
    ],
)
def test_mixtures_that_are_none(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        Mixture.of(*arguments)
