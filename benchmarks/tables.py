"""Accuracy and size on many real tables: `C45` against Weka's J48, `CART` against scikit-learn's pruned tree."""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import induce
from benchmarks.adult import shared_domains
from benchmarks.comparison import Outcome, Pair, listing
from benchmarks.measure import Listing
from benchmarks.weka import cross_validated_j48, write_arff

FOLDS = 10
MOST_ROWS = 10_000
UCI = {
    "adult-train": ("income", ()),
    "breast-cancer-wisconsin": ("class", ("id",)),
    "car": ("class", ()),
    "mushroom": ("class", ()),
    "promoters": ("promoter", ("name",)),
    "tic-tac-toe": ("x-wins", ()),
    "zoo": ("type", ("animal",)),
}
"""The target of each CSV file, and the columns that only name a row; votes.csv is left to vote.arff."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A table, how it is called in the report, and the fold in which each row is tested."""

    name: str
    data: Any
    fold: Any

    @property
    def classes(self) -> Any:
        """The class of each row, as text."""
        return np.asarray(self.data.y.cast(str))


def tables(folder: Path, jar: Path) -> tuple[Listing, Listing]:
    """Both comparisons on the same folds of every table of the folder."""
    problems = read_problems(folder)
    kinds = {"C45": induce.C45, "CART": induce.CART}
    ours = {name: _each(name, problems, partial(validated, learner=make)) for name, make in kinds.items()}
    pruned, full = zip(*_each("scikit-learn", problems, validated_sklearn), strict=True)
    described = [describe(problem) for problem in problems]
    j48 = validated_j48(jar, problems)
    return (
        listing(
            "C45 and Weka's J48 on real tables",
            f"{FOLDS}-fold stratified cross-validation, both with their defaults on the same folds; J48 reads the "
            "same values with the same declared domains. Accuracy is over all rows; nodes (leaves) are means over "
            "the folds. p is the two-sided p-value of McNemar's exact test on the held-out predictions, with Holm's "
            "correction for the number of tables. The test treats the trees as fixed and so tends to find too many "
            "differences. Worse and better mean a significant difference at the 5 % level. From a table with more "
            f"than {MOST_ROWS:,} rows, a stratified sample of {MOST_ROWS:,} rows is drawn.",
            ("C45", "J48"),
            [Pair(*parts) for parts in zip(described, ours["C45"], j48, strict=True)],
        ),
        listing(
            "CART and scikit-learn's tree on real tables",
            "Tables, folds and test as above. For scikit-learn nominal columns are one-hot encoded, with missing "
            "as a category of its own, and its tree handles missing numeric values; its `ccp_alpha` is chosen as "
            f"in `CART`: the largest within one standard error of the best, on the same {FOLDS} inner folds. "
            "Unpruned is its fully grown tree, shown for comparison only.",
            ("CART", "scikit-learn"),
            [Pair(*parts) for parts in zip(described, ours["CART"], pruned, full, strict=True)],
        ),
    )


def read_problems(folder: Path) -> list[Problem]:
    """The ARFF tables, whose class is the last column, and the CSV tables known by name."""
    found = []
    for path in sorted((folder / "arff").glob("*.arff")):
        found.append(_problem(path.stem, induce.read(path, target=induce.read(path).frame.columns[-1])))
    for name, (target, aside) in UCI.items():
        found.append(
            _problem(name, induce.read(folder / "tables" / f"{name}.csv", target=target, ignore=aside))
        )
    return found


def _problem(name: str, data: Any) -> Problem:
    from sklearn.model_selection import StratifiedKFold, train_test_split

    y = np.asarray(data.y.cast(str))
    if len(data) > MOST_ROWS:
        some, _ = train_test_split(np.arange(len(data)), train_size=MOST_ROWS, stratify=y, random_state=0)
        name, some = f"{name} ({MOST_ROWS:,} of {len(data):,})", np.sort(some)
        data, y = induce.Dataset(data.frame[some], data.target, data.schema, aside=data.aside), y[some]
    fold = np.empty(len(y), int)
    with warnings.catch_warnings(action="ignore"):  # some classes have fewer rows than there are folds
        splits = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(y, y)
        for k, (_, test) in enumerate(splits):
            fold[test] = k
    return Problem(name, data, fold)


def describe(problem: Problem) -> tuple[str, ...]:
    """Name, rows, columns, classes and missing cells of a table."""
    X = problem.data.X
    missing = sum(X.null_count().row(0)) / (X.width * X.height)
    return (
        problem.name,
        f"{X.height:,}",
        str(X.width),
        str(len(np.unique(problem.classes))),
        f"{missing:.1%}" if missing else "none",
    )


def _each(what: str, problems: Sequence[Problem], measure: Callable[[Problem], Any]) -> list[Any]:
    found = []
    for problem in problems:
        print(f"  {what}: {problem.name}", file=sys.stderr, flush=True)
        found.append(measure(problem))
    return found


def validated(problem: Problem, learner: Callable[[], Any]) -> Outcome:
    """Fit on all folds but one and predict that one, for each."""
    X, y = problem.data
    right = np.zeros(len(y), bool)
    trees = []
    for k in range(FOLDS):
        train, test = problem.fold != k, problem.fold == k
        fitted = learner().fit(X.filter(train), y.filter(train))
        right[test] = np.asarray(fitted.predict(X.filter(test))).astype(str) == problem.classes[test]
        trees.append(fitted.hypothesis_)
    return Outcome.of(right, [tree.n_nodes for tree in trees], [tree.n_leaves for tree in trees])


def validated_j48(jar: Path, problems: Sequence[Problem]) -> list[Outcome]:
    """The same by Weka, all tables and folds in one process."""
    with tempfile.TemporaryDirectory() as work:
        files, domains = [], []
        for i, problem in enumerate(problems):
            data = problem.data
            domain = shared_domains(data)
            domain.setdefault(data.target, tuple(np.unique(problem.classes)))
            files.append(Path(work, f"{i}.arff"))
            domains.append(np.array(domain[data.target]))
            write_arff(files[-1], data.frame.select(*data.X.columns, data.target), domain)
        found = cross_validated_j48(jar, files, [problem.fold for problem in problems])
    return [
        Outcome.of(domain[run.codes] == problem.classes, run.nodes, run.leaves)
        for problem, domain, run in zip(problems, domains, found, strict=True)
    ]


def validated_sklearn(problem: Problem) -> tuple[Outcome, Outcome]:
    """The same by scikit-learn's tree: pruned, and as it grew."""
    nominal = [column.name for column in problem.data.input_schema if column.kind == "nominal"]
    X = problem.data.X.to_dummies(nominal).to_numpy().astype(np.float32)
    y = problem.classes
    right, size, leaves = np.zeros((2, len(y)), bool), np.zeros((2, FOLDS)), np.zeros((2, FOLDS))
    for k in range(FOLDS):
        train, test = problem.fold != k, problem.fold == k
        tree = _grown(X[train], y[train])
        alpha = chosen_alpha(X[train], y[train])
        for i, each in enumerate((_pruned(tree, alpha), tree)):
            right[i, test] = each.predict(X[test]) == y[test]
            size[i, k], leaves[i, k] = each.tree_.node_count, each.get_n_leaves()
    pruned, full = (Outcome.of(*parts) for parts in zip(right, size, leaves, strict=True))
    return pruned, full


def chosen_alpha(X: Any, y: Any) -> float:
    """The price of a leaf for scikit-learn's tree by `CART`'s rule: one standard error, between two alphas."""
    from induce.core.folds import folds

    path = np.maximum(_grown(X, y).cost_complexity_pruning_path(X, y).ccp_alphas, 0.0)
    alphas = np.append(np.sqrt(path[:-1] * path[1:]), path[-1])
    wrong = np.zeros(len(alphas))
    for train, test in folds(y, FOLDS, 0).split(X, y):
        tree = _grown(X[train], y[train])
        for i, alpha in enumerate(alphas):
            tree = _pruned(tree, alpha)  # the trees are nested: prune the last one further
            wrong[i] += (tree.predict(X[test]) != y[test]).sum()
    error = wrong / len(y)
    limit = error.min() + np.sqrt(error.min() * (1 - error.min()) / len(y))
    return float(alphas[np.flatnonzero(error <= limit)[-1]])


def _grown(X: Any, y: Any) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=0).fit(X, y)


def _pruned(tree: Any, alpha: float) -> Any:
    """What `fit` with this `ccp_alpha` ends with, without growing the tree once more."""
    from copy import copy

    pruned = copy(tree).set_params(ccp_alpha=alpha)
    pruned._prune_tree()
    return pruned
