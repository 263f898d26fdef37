"""Support vector machines as classifiers: mixed tables, several classes, probabilities, texts, and bad input."""

import warnings

import numpy as np
import polars as pl
import pytest
from sklearn.svm import SVC

import induce
from induce.kernels import (
    SVM,
    Constant,
    Function,
    Gaussian,
    Linear,
    Mixed,
    Polynomial,
    Spectrum,
    Subsequence,
    Subtrees,
)

TENNIS = induce.dataset("play-tennis")


def blobs(n=120, classes=3, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, n)
    y[:classes] = range(classes)
    return random.normal(size=(n, 2)) + 1.3 * np.column_stack([np.cos(2.1 * y), np.sin(2.1 * y)]), y


# --- defaults


def test_defaults_on_a_mixed_table_with_holes():
    random = np.random.default_rng(0)
    n = 200
    x, colour = random.normal(size=n) * 1000, random.choice(["red", "blue", "green"], n)
    y = np.where((x > 0) ^ (colour == "red"), "yes", "no")
    X = pl.DataFrame({"x": x, "colour": colour}).with_columns(
        pl.when(pl.Series(random.random(n) < 0.05)).then(None).otherwise(pl.col("x")).alias("x")
    )
    assert SVM().fit(X, y).score(X, y) > 0.9
    assert SVM(kernel="mixed").fit(X, y).score(X, y) > 0.9


def test_the_width_is_scikit_learns():
    X, y = blobs()
    machine = SVM().fit(X, y).hypothesis_
    Z = machine.view.matrix(X)
    assert machine.kernel.gamma == pytest.approx(1 / (2 * Z.var()))
    theirs = SVC(gamma="scale", tol=1e-5).fit(Z, y)
    assert (SVM(tol=1e-5).fit(X, y).predict(X) == theirs.predict(Z)).mean() > 0.98


@pytest.mark.parametrize("name", ["gaussian", "linear", "polynomial", "mixed"])
def test_kernels_by_name(name):
    X, y = blobs(classes=2)
    assert SVM(kernel=name).fit(X, y).score(X, y) > 0.75


# --- several classes


@pytest.mark.parametrize(("how", "n"), [("one-against-one", 6), ("one-against-rest", 4)])
def test_several_classes(how, n):
    X, y = blobs(classes=4)
    learner = SVM(multi_class=how).fit(X, y)
    assert len(learner.hypothesis_.separators) == n
    assert learner.decision_function(X).shape == (len(X), 4)
    assert (learner.decision_function(X).argmax(axis=1) == learner.predict(X)).all()
    assert (learner.predict_proba(X).argmax(axis=1) == learner.predict(X)).all()
    assert learner.score(X, y) > 0.6


def test_the_matrix_may_be_shared_or_not():
    """Kernel rows of several separators come from one matrix where it fits, else each makes its own."""
    X, y = blobs()
    shared, alone = (SVM(cache_size=size, tol=1e-7).fit(X, y) for size in (100, 0.01))
    np.testing.assert_allclose(shared.decision_function(X), alone.decision_function(X), atol=1e-5)


def test_declared_order_of_classes():
    X, y = blobs(classes=2)
    names = pl.Series("side", np.where(y == 1, "left", "right"), dtype=pl.Enum(["right", "left"]))
    learner = SVM().fit(X, names)
    assert learner.classes_.tolist() == ["left", "right"]
    assert learner.hypothesis_.classes == ("right", "left")
    said = np.where(learner.decision_function(X) > 0, "right", "left")
    assert said.tolist() == learner.predict(X).tolist()


def test_a_single_class():
    learner = SVM().fit([[1.0], [2.0]], ["only", "only"])
    assert learner.predict([[5.0]]).tolist() == ["only"]
    assert "always only" in str(learner.hypothesis_)
    assert learner.explain([[5.0]])[0].prediction == "only"


# --- weights


def test_weights_multiply_the_bound():
    X, y = blobs(classes=2)
    weights = np.where(y == 1, 5.0, 1.0)
    by_row = SVM(tol=1e-6).fit(X, y, sample_weight=weights)
    by_class = SVM(class_weight={1: 5.0, 0: 1.0}, tol=1e-6).fit(X, y)
    assert by_row.hypothesis_.separators == by_class.hypothesis_.separators
    theirs = SVC(gamma=by_row.hypothesis_.kernel.gamma, tol=1e-6)
    theirs.fit(by_row.hypothesis_.view.matrix(X), y, sample_weight=weights)
    ours = by_row.decision_function(X)
    np.testing.assert_allclose(ours, theirs.decision_function(by_row.hypothesis_.view.matrix(X)), atol=1e-4)
    assert (by_row.predict(X) == 1).sum() > (SVM().fit(X, y).predict(X) == 1).sum()


def test_balanced_classes():
    X, y = blobs(200, classes=2)
    kept = (y == 0) | (np.arange(200) < 40)
    balanced = SVM(class_weight="balanced").fit(X[kept], y[kept])
    assert (balanced.predict(X) == 1).sum() > (SVM().fit(X[kept], y[kept]).predict(X) == 1).sum()


# --- probabilities


@pytest.mark.parametrize("how", ["one-against-one", "one-against-rest"])
@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_never_contradict(how, classes):
    X, y = blobs(150, classes)
    y[y == 1] = np.where(np.arange((y == 1).sum()) % 3, 0, 1)  # unequal classes, and much noise
    learner = SVM(probability=True, multi_class=how, C=0.3).fit(X, y)
    rows = np.random.default_rng(1).uniform(-4, 4, (500, 2))
    shares = learner.predict_proba(rows)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (learner.classes_[shares.argmax(axis=1)] == learner.predict(rows)).all()
    assert learner.hypothesis_.calibrated


@pytest.mark.compiled
def test_probabilities_are_near_frequencies():
    random = np.random.default_rng(0)
    X = random.normal(size=(1_000, 1))
    truth = 1 / (1 + np.exp(-2 * X[:, 0]))
    y = random.random(1_000) < truth
    shares = SVM(kernel="linear", probability=True).fit(X, y).predict_proba(X)[:, 1]
    assert np.abs(shares - truth).mean() < 0.05


def test_scores_that_tell_nothing_give_the_shares_of_classes():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(100, 1)), np.arange(100) % 4 == 0
    shares = SVM(probability=True).fit(X, y).predict_proba(X)
    assert (shares[:, 0] >= 0.5).all()


def test_a_class_with_one_row_has_no_row_to_hold_out():
    with pytest.warns(induce.Note, match="a class has only one row"):
        SVM(probability=True).fit([[0.0], [1.0], [2.0]], [0, 0, 1])


# --- C


@pytest.mark.compiled
def test_c_by_cross_validation():
    X, y = blobs(150, classes=2)
    learner = SVM(C="auto").fit(X, y)
    assert learner.C_ in (0.25, 1.0, 4.0, 16.0, 64.0)
    assert learner.hypothesis_.C == learner.C_
    with pytest.warns(induce.Note, match="too few rows to choose C"):
        assert SVM(C="auto").fit([[0.0], [1.0]], [0, 1]).C_ == 1.0


@pytest.mark.compiled
def test_a_path_of_c_from_start_to_start_is_what_each_c_gives_alone():
    from sklearn.model_selection import StratifiedKFold

    X, y = blobs(50, classes=2)
    learner = SVM(C="auto", tol=1e-6, scale=None, kernel=Gaussian(0.5)).fit(X, y)
    errors = {}
    for C in (0.25, 1.0, 4.0, 16.0, 64.0):
        wrong = 0
        for train, held in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
            alone = SVM(C=C, tol=1e-6, scale=None, kernel=Gaussian(0.5)).fit(X[train], y[train])
            wrong += (alone.predict(X[held]) != y[held]).sum()
        errors[C] = wrong
    assert errors[learner.C_] <= min(errors.values()) + 5  # the folds are others


# --- hard margins


def test_equal_rows_of_two_classes_have_no_hard_margin():
    X = [[0.0, 1.0], [2.0, 2.0], [5.0, 5.0], [2.0, 2.0]]
    with pytest.raises(
        induce.InputError, match=r"no hard margin exists: row 1 \(a\) and row 3 \(b\) are equal"
    ):
        SVM(C=np.inf).fit(X, ["a", "a", "b", "b"])


def test_a_kernel_that_cannot_separate_has_no_hard_margin():
    X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
    with pytest.raises(induce.InputError, match="no separator with K = x·z classifies every row correctly"):
        SVM(kernel="linear", C=np.inf).fit(X, y)
    with pytest.raises(induce.InputError, match="no hard margin exists"):  # x and -x have the same features
        SVM(kernel=Polynomial(2, offset=0), C=np.inf, scale=None).fit([[1.0], [-1.0]], [0, 1])
    assert SVM(kernel="gaussian", C=np.inf).fit(X, y).score(X, y) == 1


@pytest.mark.compiled
def test_of_many_rows_learning_itself_finds_out(monkeypatch):
    monkeypatch.setattr("induce.kernels.learners.hard_margin.MOST", 0)
    X, y = blobs(60, classes=2)
    with pytest.raises(induce.InputError, match="no hard margin was found"):
        SVM(kernel="linear", C=np.inf).fit(X, y)


# --- texts and terms


def test_texts():
    spam = ["win money now", "cheap money win", "now win cheap pills", "win win money"]
    ham = ["meeting at noon", "see the report", "noon report meeting", "the meeting notes"]
    X = pl.DataFrame({"message": spam + ham})
    y = ["spam"] * 4 + ["ham"] * 4
    for kernel in (
        "spectrum",
        "subsequence",
        Spectrum(1, words=True).normalised(),
        Subsequence(2, words=True),
    ):
        learner = SVM(kernel=kernel).fit(X, y)
        assert learner.score(X, y) == 1
        assert learner.predict(pl.DataFrame({"message": ["win money now", None]})).tolist()[0] == "spam"
    assert "message" in learner.hypothesis_.support_vectors().columns


def test_texts_beside_numbers():
    X = pl.DataFrame(
        {"size": [1.0, 2.0, 1.5, 9.0, 8.0, 7.0], "code": ["aab", "aac", "aad", "xyz", "xyy", "xyx"]}
    )
    y = [0, 0, 0, 1, 1, 1]
    kernel = Gaussian() + 0.5 * Spectrum(2).normalised()
    learner = SVM(kernel=kernel, schema={"code": "text"}).fit(X, y)
    assert learner.score(X, y) == 1
    with pytest.warns(induce.Note, match="column 'size' is not used by the kernel"):
        SVM(kernel="spectrum").fit(X, y)
    with pytest.raises(induce.InputError, match="compares texts, but no column is text"):
        SVM(kernel=Gaussian() + Spectrum(2)).fit(X[["size"]], y)
    with pytest.raises(induce.InputError, match="the kernel compares texts, and none is text"):
        SVM(kernel="spectrum").fit(X[["size"]], y)


def test_terms():
    trees = [f"f(g({a}), {b})" for a in "ab" for b in ("h(c)", "c", "k(c)")]
    y = ["h(" in tree for tree in trees]
    learner = SVM(kernel=Subtrees(), C=100).fit(pl.DataFrame({"tree": trees}), y)
    assert learner.predict(pl.DataFrame({"tree": ["f(g(d), h(c))", "f(g(d), c)"]})).tolist() == [True, False]


def test_text_machines_are_saved(tmp_path):
    X = pl.DataFrame({"word": ["aaa", "aab", "zzz", "zzy"]})
    learner = SVM(kernel="subsequence").fit(X, [0, 0, 1, 1])
    induce.save(learner, tmp_path / "words.induce")
    assert induce.load(tmp_path / "words.induce").hypothesis_ == learner.hypothesis_
    with pytest.raises(induce.InputError, match="compares texts, which have no axes"):
        learner.hypothesis_.draw()


# --- functions, and kernels that are none


def test_any_function_keeps_its_support_vectors():
    X, y = blobs(60, classes=2)
    learner = SVM(kernel=lambda x, z: float(x @ z)).fit(X, y)
    expected = SVM(kernel=Linear()).fit(X, y)
    np.testing.assert_allclose(learner.decision_function(X), expected.decision_function(X), atol=1e-9)
    assert learner.hypothesis_.rows.tolist() == expected.hypothesis_.rows.tolist()


def test_a_function_cannot_be_saved(tmp_path):
    learner = SVM(kernel=lambda x, z: float(x @ z)).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(induce.InputError, match="kernel"):
        induce.save(learner, tmp_path / "function.induce")


def test_an_indefinite_kernel_is_said():
    X, y = blobs(40, classes=2)
    with pytest.warns(induce.Note, match=r"not positive semidefinite on 40 rows.*margins are not distances"):
        learner = SVM(kernel=Function(lambda x, z: -float(((x - z) ** 2).sum()))).fit(X, y)
    assert set(learner.predict(X)) <= {0, 1}


def test_a_constant_kernel_is_said():
    X, y = [[0.0], [1.0], [2.0]], ["a", "a", "b"]
    with pytest.warns(induce.Note, match="the same for all rows"):
        learner = SVM(kernel=Constant(1.0)).fit(X, y)
    assert learner.predict(X).tolist() == ["a"] * 3


def test_good_kernels_are_not_doubted():
    X, y = blobs(40, classes=2)
    with warnings.catch_warnings(action="error"):
        for kernel in (Gaussian(), Linear() + 1, Mixed(), Function(lambda x, z: float(x @ z))):
            SVM(kernel=kernel).fit(X, y)


# --- bad input


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"C": 0}, "C is 0; give a number above 0"),
        ({"C": -1}, "C is -1"),
        ({"C": "much"}, "C is 'much'"),
        ({"kernel": "square"}, "kernel is 'square'; it can be 'gaussian', 'linear'"),
        ({"kernel": 3}, "kernel is 3"),
        ({"solver": "libsvm"}, "solver is 'libsvm'"),
        ({"multi_class": "all"}, "multi_class is 'all'"),
        ({"tol": 0}, "tol is 0"),
        ({"cache_size": -1}, "cache_size is -1"),
        ({"time_limit": 0}, "time_limit is 0"),
        ({"max_iter": 0}, "max_iter is 0"),
        ({"scale": "minmax"}, "scale is 'minmax'"),
        ({"class_weight": "equal"}, "class_weight is 'equal'"),
        ({"solver": "gradient", "C": float("inf")}, "give a finite C"),
    ],
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(induce.InputError, match=sentence):
        SVM(**parameters).fit(*TENNIS)


def test_ten_thousand_categories():
    """The indicators of rare values are kept sparse."""
    values = [f"v{i}" for i in range(10_000)]
    X = pl.DataFrame({"v": values, "x": np.arange(10_000) % 7}, schema_overrides={"x": pl.Float64})
    X = X.with_columns(pl.col("v").cast(pl.Enum(values)))[::5]
    y = (X["x"] > 3).to_numpy()
    learner = SVM(max_iter=2_000).fit(X, y)
    assert learner.score(X, y) > 0.9
    rows = pl.DataFrame({"v": ["never", None], "x": [0.0, 6.0]})
    assert learner.predict(rows).tolist() == [False, True]


def test_numbers_that_a_polynomial_cannot_hold():
    with pytest.raises(induce.InputError, match="scale the columns"):
        SVM(kernel=Polynomial(9), scale=None).fit([[1e40], [1.0], [-1e40]], [0, 1, 1])
