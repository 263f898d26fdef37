"""The dual problem: the book's examples, libsvm's optimum, and the same result however it is reached."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

import induce
from induce.core.loops import compiled
from induce.kernels import SVM, Gaussian, Linear, Polynomial, _loops
from induce.kernels.gram import Gram, KernelRows
from induce.kernels.inputs import plain_inputs
from induce.kernels.smo import Limits, Problem, Solution, solve
from induce.kernels.solvers import primal_gradient, quadratic_programme

SIX = np.array([[2.0, 2.0], [2, 3], [3, 3], [0, 0], [1, 0], [0, 1]])
SIDES = np.array([1.0, 1, 1, -1, -1, -1])
CORNERS = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])
XOR = np.array([-1.0, 1, 1, -1])
ROUND = np.array([[0.0, 0], [0.5, 0], [0, -0.5], [-0.5, 0.5], [2, 0], [0, 2], [-1.5, -1.5], [1.5, -1.5]])
INSIDE = np.array([1.0, 1, 1, 1, -1, -1, -1, -1])
SOLVERS = {"smo": solve, "qp": quadratic_programme, "gradient": primal_gradient}
ALL = tuple(SOLVERS)
EXACT = ("smo", "qp")


def solved(kernel, X, y, C=np.inf, solver="smo", tolerance=1e-9, megabytes=10.0, **more):
    gram = Gram(kernel, plain_inputs(X)[0], megabytes, False)
    problem = Problem(np.arange(len(y)), np.asarray(y, float), np.full(len(y), float(C)))
    return SOLVERS[solver](gram, problem, Limits(tolerance), **more)


def two_blobs(n, seed=0, columns=3):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, columns))
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2 % columns] + 0.5 * random.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return X, y


# --- the book's examples


@pytest.mark.parametrize("solver", EXACT)
def test_six_points(solver):
    found = solved(Linear(), SIX, SIDES, solver=solver)
    assert np.abs(found.beta) == pytest.approx([4 / 9, 0, 0, 0, 2 / 9, 2 / 9], abs=1e-7)
    assert found.beta @ SIX == pytest.approx([2 / 3, 2 / 3], abs=1e-7)
    assert found.intercept == pytest.approx(-5 / 3, abs=1e-7)
    assert 2 / found.norm == pytest.approx(2.121320, abs=1e-6)
    assert found.objective == pytest.approx(4 / 9, abs=1e-8)


@pytest.mark.parametrize("solver", EXACT)
@pytest.mark.parametrize("offset", [0, 1])
def test_exclusive_or(solver, offset):
    """With (1 + x·z)² every alpha is 1/8; with (x·z)² only the objective is settled."""
    found = solved(Polynomial(2, offset=offset), CORNERS, XOR, solver=solver)
    assert found.objective == pytest.approx(1 / 4, abs=1e-8)
    assert 2 / found.norm == pytest.approx(2 * np.sqrt(2), abs=1e-6)
    assert found.intercept == pytest.approx(0, abs=1e-7)
    assert XOR - found.value + found.intercept == pytest.approx(XOR, abs=1e-6)
    if offset:
        assert np.abs(found.beta) == pytest.approx([1 / 8] * 4, abs=1e-7)


def test_exclusive_or_by_the_features_of_the_exercise():
    """AIMA exercise 20.12: with x1 and x1 x2 the separator is x1 x2 = 0, at distance 1."""
    features = np.column_stack([CORNERS[:, 0], CORNERS[:, 0] * CORNERS[:, 1]])
    found = solved(Linear(), features, XOR)
    assert found.beta @ features == pytest.approx([0, -1], abs=1e-7)
    assert (found.intercept, found.objective, 2 / found.norm) == pytest.approx((0, 0.5, 2), abs=1e-7)


@pytest.mark.parametrize("solver", EXACT)
def test_a_circle(solver):
    found = solved(Polynomial(2, offset=0), ROUND, INSIDE, solver=solver)
    expected = [0, 0, 0, 0.3203125, 0.15625, 0.15625, 0, 0.0078125]
    assert np.abs(found.beta) == pytest.approx(expected, abs=1e-6)
    weights = found.beta @ Polynomial(2, offset=0).features(ROUND)
    assert weights == pytest.approx([-0.5625, -0.5625, -np.sqrt(2) / 16], abs=1e-6)
    assert found.intercept == pytest.approx(1.25, abs=1e-6)
    assert 2 / found.norm == pytest.approx(2.498780, abs=1e-6)
    scores = INSIDE - found.value + found.intercept
    assert scores == pytest.approx([1.25, 1.109375, 1.109375, 1, -1, -1, -1.5625, -1], abs=1e-6)


def test_random_points_in_and_around_a_circle():
    x = np.random.default_rng(0).uniform(-1.5, 1.5, (52, 2))
    found = solved(Polynomial(2, offset=0), x, np.where((x**2).sum(axis=1) < 1, 1.0, -1.0), tolerance=1e-10)
    weights = found.beta @ Polynomial(2, offset=0).features(x)
    assert weights == pytest.approx([-4.954046, -4.340368, 0.050296], abs=2e-6)
    assert found.intercept == pytest.approx(4.938412, abs=2e-6)
    assert (found.beta != 0).sum() == 4
    assert 2 / found.norm == pytest.approx(0.303645, abs=1e-6)


@pytest.mark.parametrize("solver", ALL)
@pytest.mark.parametrize(("C", "pair", "objective"), [(1, 0.722222, 2.444444), (10, 5.222222, 20.444444)])
def test_a_point_on_the_wrong_side(solver, C, pair, objective):
    X, y = np.vstack([SIX, [0.5, 0.5]]), np.append(SIDES, 1.0)
    found = solved(Linear(), X, y, C, solver)
    near = 1e-6 if solver in EXACT else 2e-3
    assert np.abs(found.beta) == pytest.approx([4 / 9, 0, 0, 0, pair, pair, C], abs=near)
    assert found.beta @ X == pytest.approx([2 / 3, 2 / 3], abs=near)
    assert found.objective == pytest.approx(objective, abs=1e-4)
    assert 1 - (y - found.value + found.intercept)[-1] == pytest.approx(2, abs=near)  # its slack
    assert found.at_bound.tolist() == [False] * 6 + [True]


def test_an_intercept_is_needed():
    """The printed decision function of the second edition lacks it: (0.1, 0.1) would be on the wrong side."""
    learner = SVM(kernel="linear", C=np.inf, scale=None, tol=1e-9).fit([[1.0, 1.0], [0.0, 0.0]], [1, 0])
    weights = learner.hypothesis_.weights()[0]
    assert weights.weights == pytest.approx([1, 1])
    assert weights.intercept == pytest.approx(-1)
    assert learner.decision_function([[0.1, 0.1]]) == pytest.approx([-0.8])


# --- libsvm


@pytest.mark.compiled
@pytest.mark.parametrize("kernel", ["linear", "polynomial", "gaussian"])
@pytest.mark.parametrize("name", ["breast-cancer", "iris", "wine"])
@pytest.mark.parametrize("C", [0.3, 20.0])
def test_libsvm_finds_the_same(kernel, name, C):
    X, y = induce.dataset(name)
    two = np.isin(y.to_numpy(), y.unique(maintain_order=True)[-2:].to_numpy())
    X, y = X.filter(two), y.filter(two)
    mine = SVM(kernel=kernel, C=C, tol=1e-7).fit(X, y).hypothesis_
    separator = mine.separators[0]
    Z = mine.view.matrix(X)
    K = mine.kernel(Z)
    theirs = SVC(kernel="precomputed", C=C, tol=1e-7).fit(K, y.to_numpy() == mine.classes[separator.positive])
    a, used = theirs.dual_coef_[0], theirs.support_
    objective = np.abs(a).sum() - 0.5 * a @ K[np.ix_(used, used)] @ a
    assert separator.objective == pytest.approx(objective, rel=1e-6)
    assert separator.gap <= 1e-7
    scores = mine.decision_function(X) * (1 if separator.positive == 1 else -1)
    np.testing.assert_allclose(scores, theirs.decision_function(K), atol=2e-5 * max(1, np.abs(scores).max()))
    if len(set(map(tuple, Z.tolist()))) == len(Z):  # of equal rows it is not settled which has the alpha
        clear = {row for row, alpha in zip(used.tolist(), np.abs(a), strict=True) if alpha > 1e-4 * C}
        assert clear <= set(mine.rows.tolist()) <= set(used.tolist()) | clear
        at_bound = {
            row for row, alpha in zip(used.tolist(), np.abs(a), strict=True) if alpha >= C * (1 - 1e-9)
        }
        assert {
            int(mine.rows[i]) for i, full in zip(separator.support, separator.at_bound, strict=True) if full
        } == at_bound


# --- the same result however it is reached


@given(st.integers(0, 10**6), st.sampled_from([0.1, 1.0, 100.0]))
def test_optimality_conditions_hold(seed, C):
    """Property 12: y f(x) is at least 1 for alpha 0, at most 1 at the bound, and 1 between."""
    X, y = two_blobs(25, seed)
    found = solved(Gaussian(0.5), X, y, C, tolerance=1e-8)
    ahead = y * (y - found.value + found.intercept)
    alpha = np.abs(found.beta)
    assert found.beta.sum() == pytest.approx(0, abs=1e-9 * C)
    assert (ahead[alpha == 0] >= 1 - 1e-7).all()
    assert (ahead[found.at_bound] <= 1 + 1e-7).all()
    np.testing.assert_allclose(ahead[(alpha > 0) & ~found.at_bound], 1, atol=1e-7)


@given(st.integers(0, 10**6))
def test_other_rows_may_be_left_out(seed):
    """Property 12: without a row that is no support vector the separator is the same."""
    X, y = two_blobs(25, seed, columns=2)
    whole = solved(Polynomial(2), X, y, 2.0, tolerance=1e-10)
    kept = whole.beta != 0
    part = solved(Polynomial(2), X[kept], y[kept], 2.0, tolerance=1e-10)
    assert part.objective == pytest.approx(whole.objective, rel=1e-8)
    assert part.intercept == pytest.approx(whole.intercept, abs=1e-5)


@pytest.mark.parametrize("solver", ALL)
def test_three_ways_to_the_same_optimum(solver):
    X, y = two_blobs(40)
    expected = solved(Gaussian(0.5), X, y, 3.0)
    found = solved(Gaussian(0.5), X, y, 3.0, solver)
    assert found.objective == pytest.approx(expected.objective, rel=1e-5)
    np.testing.assert_allclose(found.value - found.intercept, expected.value - expected.intercept, atol=2e-3)


@pytest.mark.parametrize("megabytes", [0.02, 0.2, 100.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_memory_changes_nothing_but_rounding(megabytes, dtype, monkeypatch):
    """Rows that are thrown away and made again lead to the same optimum."""
    monkeypatch.setattr("induce.kernels.gram.FEW", 0)
    X, y = two_blobs(150)
    inputs = plain_inputs(X)[0]
    inputs = type(inputs)(inputs.vectors.astype(dtype), inputs.numeric, inputs.nominal)
    gram = Gram(Gaussian(0.4), inputs, megabytes, False)
    assert gram.whole is None
    assert KernelRows(gram, np.arange(150)).rows.nbytes <= max(megabytes * 1e6, 2 * 150 * 8)
    found = solve(gram, Problem(np.arange(150), y, np.ones(150)), Limits(1e-5))
    assert found.objective == pytest.approx(solved(Gaussian(0.4), X, y, 1.0).objective, rel=1e-6)


@pytest.mark.compiled
def test_plain_and_compiled_loops_do_the_same():
    X, y = two_blobs(40)
    gram = Gram(Gaussian(0.5), plain_inputs(X)[0], 10.0, False)
    problem = Problem(np.arange(40), y, np.ones(40))
    results = []
    for step in (_loops.smo, compiled(_loops.smo)):
        rows = KernelRows(gram, problem.index)
        value, beta, low, high = problem.sign.copy(), np.zeros(40), problem.low, problem.high
        up, down = np.where(high > 0, 0, -np.inf), np.where(low < 0, 0, np.inf)
        state = value, beta, low, high, up, down, rows.own, rows.slot, rows.rows, rows.used
        counts, numbers = np.zeros(5, np.int64), np.zeros(3)
        assert step(*state, counts, numbers, 1e-6, 0.0, 10_000) == _loops.DONE
        results.append((state[0].tolist(), state[1].tolist(), counts.tolist(), numbers.tolist()))
    assert results[0] == results[1]


def test_a_trace_tells_every_step_and_changes_nothing():
    X, y = two_blobs(40)
    expected = SVM().fit(X, y)
    with induce.trace(only="pair") as events:
        traced = SVM().fit(X, y)
    assert traced.hypothesis_ == expected.hypothesis_
    assert len(events) == expected.n_iter_
    objectives = [event["objective"] for event in events]
    assert all(np.diff(objectives) >= -1e-12)
    assert objectives[-1] == pytest.approx(expected.hypothesis_.separators[0].objective)
    assert events[-1]["gap"] <= 1e-3
    assert all(0 <= row < 40 for event in events for row in event["rows"])


@given(st.integers(0, 10**6))
def test_a_start_changes_only_the_way(seed):
    X, y = two_blobs(30, seed)
    gram = Gram(Gaussian(0.5), plain_inputs(X)[0], 10.0, False)
    problem = Problem(np.arange(30), y, np.full(30, 4.0))
    cold = solve(gram, problem, Limits(1e-8))
    weak = solve(gram, Problem(problem.index, y, np.full(30, 0.5)), Limits(1e-8))
    random = Solution(problem, np.random.default_rng(seed).normal(size=30), np.zeros(30), 0)
    for start in (weak, random):
        warm = solve(gram, problem, Limits(1e-8), start)
        assert warm.objective == pytest.approx(cold.objective, rel=1e-7)
        assert warm.beta.sum() == pytest.approx(0, abs=1e-8)
    part = problem.part(np.arange(25))
    assert solve(gram, part, Limits(1e-8), cold).objective == pytest.approx(
        solve(gram, part, Limits(1e-8)).objective, rel=1e-7
    )
    assert solve(gram, problem, Limits(1e-8), cold).steps <= 1


def test_progress_ends_at_one():
    seen = []
    with induce.progress(seen.append):
        SVM().fit(*two_blobs(300))
    assert seen[-1] == 1.0
    assert all(0 <= share <= 1 for share in seen)


# --- stopping early


def test_a_limit_of_steps_keeps_what_was_reached():
    X, y = two_blobs(100)
    with pytest.warns(
        induce.Note, match=r"stopped after 10 steps before the optimum: the gap is \d.*raise max_iter"
    ):
        learner = SVM(max_iter=10).fit(X, y)
    assert learner.n_iter_ == 10
    assert learner.hypothesis_.separators[0].gap > 1e-3
    assert learner.score(X, y) > 0.6


def test_a_limit_of_time_keeps_what_was_reached():
    with pytest.warns(induce.Note, match="before the optimum"):
        learner = SVM(time_limit=1e-9).fit(*two_blobs(100))
    assert set(learner.predict(np.zeros((1, 3)))) <= {1.0, -1.0}


def test_ctrl_c_keeps_what_was_reached():
    X, y = two_blobs(200)
    told = []

    def interrupt(share):
        told.append(share)
        if len(told) == 3:
            raise KeyboardInterrupt

    with induce.progress(interrupt), induce.trace(limit=1), pytest.warns(induce.Note) as notes:
        learner = SVM(tol=1e-6).fit(X, y)
    assert any("interrupted: the 3 steps found so far are kept" in str(each.message) for each in notes)
    assert any("before the optimum: the gap is" in str(each.message) for each in notes)
    assert learner.n_iter_ == 3


@pytest.mark.parametrize(("solver", "n"), [("qp", 301), ("gradient", 3001)])
def test_general_solvers_are_for_small_sets(solver, n):
    with pytest.raises(induce.InputError, match="use solver='smo', which finds the same"):
        SVM(solver=solver).fit(np.arange(n, dtype=float)[:, np.newaxis], np.arange(n) % 2)


def test_rounding_of_the_kernel_does_not_choose_the_pairs():
    """Rows of a few values are equally far from many others: of equals the first is taken."""
    random = np.random.default_rng(2)
    X, y = random.integers(0, 3, (40, 4)) / 7.0, random.choice([-1.0, 1.0], 40)
    problem = Problem(np.arange(40), y, np.ones(40))
    found = []
    for noise in (0, 1, 2):
        gram = Gram(Gaussian(0.4), plain_inputs(X)[0], 10.0, False)
        exact = np.asarray(gram.whole, np.float64)
        bits = np.random.default_rng(noise).integers(-4, 5, exact.shape)
        gram.whole = exact + np.spacing(exact) * bits if noise else exact
        found.append(solve(gram, problem, Limits(1e-3)))
    assert found[0].steps == found[1].steps == found[2].steps
    for other in found[1:]:
        assert other.beta == pytest.approx(found[0].beta, abs=1e-9)
