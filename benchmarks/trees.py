"""Full growth, memory, growth with n, and prediction, against scikit-learn."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import induce
from benchmarks.measure import TIMES, Row, Section, in_child, interleaved, seconds, speed

PEER = "scikit-learn"
BINNED, BINS = "binned", 255
DEPTH = 10
FEATURES = 20


def learner(name: str) -> Any:
    """Full growth by entropy: ours, ours with the columns in bins, or the peer's."""
    if name in ("induce", BINNED):
        bins = BINS if name == BINNED else None
        return induce.DecisionTreeClassifier(criterion="gain", bins=bins)
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(criterion="entropy", random_state=0)


def grown(name: str, X: Any, y: Any, weights: Any = None) -> Any:
    """A full tree, ours or the peer's."""
    return learner(name).fit(X, y, sample_weight=weights)


def draw(n: int) -> tuple[Any, Any]:
    """Rows of the synthetic problem and their classes."""
    from sklearn.datasets import make_classification

    X, y = make_classification(
        n_samples=n, n_features=FEATURES, n_informative=10, flip_y=0.05, random_state=0
    )
    return X, y


def warm() -> None:
    """Load or compile the loops, weighted and unweighted, so that no timing pays for it."""
    X, y = draw(200)
    tree = grown("induce", X, y)
    tree.predict_proba(X)
    tree.predict(X)
    grown("induce", X, y, np.linspace(0.5, 1.5, len(y)))


def growth(sizes: Sequence[int]) -> Section:
    """Time, accuracy and size of the tree at each number of rows, unweighted and weighted."""
    warm()
    rows: list[Row] = []
    for n in sizes:
        X, y = draw(n + n // 5)
        weights = np.random.default_rng(0).uniform(0.5, 1.5, n)
        for kind, given, least in (("unweighted", None, 6), ("weighted", weights, 2)):
            found = interleaved(
                3 if n <= 100_000 else 1,
                {name: partial(grown, name, X[:n], y[:n], given) for name in ("induce", PEER)},
            )
            (ours, tree), (theirs, other) = found["induce"], found[PEER]
            what = f"{n:,} rows, {kind}"
            rows.append(speed(f"{what}: fit", ours, PEER, theirs, least))
            rows.append(_accuracy(what, tree.score(X[n:], y[n:]), other.score(X[n:], y[n:])))
            hypothesis = tree.hypothesis_
            rows.append(
                Row(
                    f"{what}: nodes, depth",
                    f"{hypothesis.n_nodes:,}, {hypothesis.depth}",
                    f"{other.tree_.node_count:,}, {other.get_depth()}",
                )
            )
    remark = (
        f"`make_classification(n_features={FEATURES}, n_informative=10, flip_y=0.05)`, entropy, grown until "
        "the leaves are pure; accuracy on additional test rows, one fifth as many. Best of 3 up to 100,000 rows, "
        "else one run; weights are uniform between 0.5 and 1.5."
    )
    return Section("Growing a full tree", remark, tuple(rows))


def _accuracy(what: str, ours: float, theirs: float) -> Row:
    difference = 100 * (ours - theirs)
    return Row(
        f"{what}: test accuracy",
        f"{ours:.2%}",
        f"{PEER} {theirs:.2%}",
        f"{difference:+.2f} points",
        "within 0.5 points",
        abs(difference) <= 0.5,
    )


def memory(sizes: Sequence[int]) -> Section:
    """Peak memory of the same growth, each in a process of its own."""
    rows = []
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            X, y = draw(n)
            np.save(Path(folder, "X.npy"), X)
            np.save(Path(folder, "y.npy"), y)
            np.save(Path(folder, "w.npy"), np.random.default_rng(0).uniform(0.5, 1.5, n))
            del X, y
            for kind in ("", "weighted"):
                found = {name: in_child("memory", name, folder, kind) for name in ("induce", PEER)}
                added = {name: of["peak"] - of["before"] for name, of in found.items()}
                whole = {name: of["peak"] for name, of in found.items()}
                what = f"{n:,} rows, {kind or 'unweighted'}"
                rows += [_megabytes(f"{what}: peak of the process", whole)]
                rows += [_megabytes(f"{what}: added by `fit`", added)]
    remark = (
        "Resident memory (`VmHWM`) of a process that loads the rows as float64 (not counted in what "
        "`fit` adds) and fits once, with the compiled loops already loaded. The ratio is our memory "
        "divided by the peer's; lower is better."
    )
    return Section("Peak memory of growing a full tree", remark, tuple(rows))


def _megabytes(what: str, of: dict[str, float]) -> Row:
    ratio = of["induce"] / of[PEER] if of[PEER] > 0 else np.inf
    return Row(
        what,
        f"{of['induce']:,.0f} MB",
        f"{PEER} {of[PEER]:,.0f} MB",
        f"{ratio:.2f}{TIMES}",
        f"≤ 2{TIMES}",
        ratio <= 2,
    )


def binned(n: int) -> Section:
    """Time, accuracy and memory of growing on binned columns, against exact growth, each in its own process."""
    with tempfile.TemporaryDirectory() as folder:
        X, y = draw(n + n // 5)
        for name, part in (("", slice(n)), ("_test", slice(n, None))):
            np.save(Path(folder, f"X{name}.npy"), X[part])
            np.save(Path(folder, f"y{name}.npy"), y[part])
        del X, y
        found = {name: in_child("memory", name, folder) for name in (BINNED, "induce", PEER)}
    ours, exact, theirs = found.values()
    added = {"induce": ours["peak"] - ours["before"], PEER: theirs["peak"] - theirs["before"]}
    rows = (
        speed(f"{n:,} rows: fit", ours["fit"], PEER, theirs["fit"]),
        speed(f"{n:,} rows: fit, against our own exact tree", ours["fit"], "exact", exact["fit"]),
        _accuracy(f"{n:,} rows", ours["accuracy"], theirs["accuracy"]),
        _megabytes(f"{n:,} rows: peak of the process", {"induce": ours["peak"], PEER: theirs["peak"]}),
        _megabytes(f"{n:,} rows: added by `fit`", added),
    )
    remark = (
        f'`DecisionTreeClassifier(criterion="gain", bins={BINS})` against scikit-learn\'s exact tree on the same '
        "problem as above, grown until the leaves are pure; accuracy on additional test rows, one fifth "
        "as many. One fit each in a separate process, with the compiled loops already loaded."
    )
    return Section("Growing on binned columns", remark, rows)


def _slopes(
    sizes: Sequence[int], times: Sequence[float], visits: Sequence[float], shallow: Sequence[float]
) -> list[Row]:
    """How time and rows looked at grow, as exponents of n."""

    def slope(series: Any) -> float:
        return float(np.polyfit(np.log(sizes), np.log(series), 1)[0])

    allowed = slope(np.multiply(sizes, np.log2(sizes)))
    whose = f"n log n has {allowed:.3f}"
    rows = [Row("slope of log visits on log n, full growth", f"{slope(visits):.3f}", whose)]
    for what, series in (("full growth", times), (f"to depth {DEPTH}", shallow)):
        found = slope(series)
        rows.append(
            Row(
                f"slope of log time on log n, {what}",
                f"{found:.3f}",
                whose,
                target=f"≤ {allowed:.3f}",
                holds=found <= allowed,
            )
        )
    return rows


def scaling(sizes: Sequence[int]) -> Section:
    """Our time at growing numbers of rows of one problem, over n log n."""
    warm()
    X, y = draw(max(sizes))
    rows, times, visits, shallow = [], [], [], []
    for n in sizes:
        fits = {
            "full": partial(grown, "induce", X[:n], y[:n]),
            "shallow": partial(learner("induce").set_params(max_depth=DEPTH).fit, X[:n], y[:n]),
        }
        found = interleaved(3 if n <= 100_000 else 1, fits)
        best, tree = found["full"]
        times.append(best)
        shallow.append(found["shallow"][0])
        steps = n * np.log2(n)
        inner = tree.hypothesis_.attribute >= 0
        visits.append(tree.hypothesis_.counts[inner].sum())
        each = f"{best / steps * 1e9:.0f} ns, {visits[-1] / steps:.2f} visits"
        rows.append(Row(f"{n:,} rows: fit", seconds(best), ratio=each))
        each = f"{shallow[-1] / steps * 1e9:.0f} ns"
        rows.append(Row(f"{n:,} rows: fit to depth {DEPTH}", seconds(shallow[-1]), ratio=each))
    if len(sizes) > 1:
        rows += _slopes(sizes, times, visits, shallow)
    remark = (
        "The first n rows of one sample of the same problem, unweighted. The ratio column gives the "
        "time and the number of rows examined by all tests, both divided by n log₂ n. A full tree "
        "gets deeper with more rows and examines more than n log n rows in any implementation; up to "
        f"depth {DEPTH}, only the growth of each level matters."
    )
    return Section("Growth with the number of rows", remark, tuple(rows))


def prediction(n_train: int, n_rows: int) -> Section:
    """Time of predicting many rows with each one's own full tree."""
    X, y = draw(n_train + n_rows)
    rows = X[n_train:]
    trees = {name: grown(name, X[:n_train], y[:n_train]) for name in ("induce", PEER)}
    found = []
    for method in ("predict", "predict_proba"):
        for tree in trees.values():
            getattr(tree, method)(rows[:10])
        best = interleaved(3, {name: partial(getattr(tree, method), rows) for name, tree in trees.items()})
        found.append(speed(f"{n_rows:,} rows: `{method}`", best["induce"][0], PEER, best[PEER][0], 1))
    agree = float(np.mean([trees["induce"].predict(rows) == trees[PEER].predict(rows)]))
    found.append(Row("same class from both trees", f"{agree:.2%}"))
    remark = f"float64 rows, full trees grown on the same {n_train:,} rows; best of 3."
    return Section("Predicting", remark, tuple(found))
