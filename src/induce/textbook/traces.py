"""Algorithms printed in the books as tables or figures, each traced on an example of its chapter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import induce
from induce.core.errors import InputError
from induce.core.trace import Trace, emit, trace
from induce.data.names import unknown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NUMBERS = np.array([[1.0], [1.4], [2.0], [2.9], [3.3], [4.1], [5.0], [5.2], [6.4], [7.0]])
LIMIT = 200
"""Maximum number of events in a trace by id."""


@dataclass(frozen=True)
class Traced:
    """Algorithm of a book with its steps on an example.

    Parameters
    ----------
    algorithm : Algorithm
        Algorithm that was run.
    events : Trace
        Recorded steps.
    learned : object
        Hypothesis or other output of the algorithm.
    """

    algorithm: Algorithm
    events: Trace
    learned: Any

    def __str__(self) -> str:
        return f"{self.algorithm}\n\n{self.events}\n\nlearned\n{self.learned}"

    def _repr_html_(self) -> str:
        from html import escape

        learned = f"<pre>{escape(str(self.learned))}</pre>"
        return f"<h3>{escape(str(self.algorithm))}</h3>{self.events._repr_html_()}{learned}"

    def draw(self) -> Figure:
        """Return the figure of the book if there is one, otherwise a picture of what was learned."""
        if self.algorithm.picture is not None:
            return self.algorithm.picture(self)
        if not hasattr(self.learned, "draw"):
            raise InputError(f"the trace {self.algorithm.id!r} has no picture; print it instead")
        figure: Figure = self.learned.draw()
        return figure


@dataclass(frozen=True)
class Algorithm:
    """Algorithm printed in a book.

    Parameters
    ----------
    id : str
        Id such as ``"mitchell-2.5"``: book, and number of the table or figure.
    source : str
        Table, figure or section of the book.
    name : str
        Name of the algorithm.
    example : str
        Examples that the algorithm runs on.
    run : callable
        Function that runs the algorithm and returns what was learned.
    only : tuple of str
        Kinds of events that record its steps.
    picture : callable, optional
    """

    id: str
    source: str
    name: str
    example: str
    run: Callable[[], Any]
    only: tuple[str, ...]
    picture: Callable[[Traced], Figure] | None = None

    def __str__(self) -> str:
        return f"{self.source}: {self.name}, on {self.example}"


def algorithms() -> tuple[Algorithm, ...]:
    """List the algorithms that have a trace, Mitchell's first.

    Examples
    --------
    >>> [algorithm.id for algorithm in algorithms()][:3]
    ['mitchell-2.3', 'mitchell-2.4', 'mitchell-2.5']
    """
    return ALGORITHMS


def traced(id: str, limit: int | None = LIMIT) -> Traced:
    """Run an algorithm of a book and return its steps.

    Parameters
    ----------
    id : str
        Id such as ``"mitchell-2.5"``; a number alone is a table of Mitchell.
    limit : int or None
        Maximum number of events to keep; None keeps all.

    Examples
    --------
    >>> run = traced("2.3")
    >>> print(run.events[-1]["h"])
    ⟨Sunny, Warm, ?, Strong, ?, ?⟩
    """
    known = {algorithm.id: algorithm for algorithm in ALGORITHMS}
    found = known.get(id) or known.get(f"mitchell-{id}")
    if found is None:
        raise unknown("named trace", id, list(known))
    with trace(found.only, limit, inner=False) as events:
        learned = found.run()
    return Traced(found, events, learned)


def _fitted(learner: Any, dataset: str) -> Any:
    return learner.fit(*induce.dataset(dataset)).hypothesis_


def _gradient_descent() -> Any:
    X = np.array([(a, b) for a in range(-2, 3) for b in range(-2, 3)], float)
    t = np.where(-2 + X[:, 0] + 2 * X[:, 1] > 0, 1.0, -1.0)
    learner = induce.LMS(
        learning_rate=0.01, decay=None, batch_size=None, scale=None, max_epochs=20, patience=None
    )
    return learner.fit(X, t).hypothesis_


def _back_propagation() -> Any:
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    learner = induce.NeuralNetworkRegressor(
        hidden=2,
        output="sigmoid",
        scale=None,
        solver="gradient",
        batch_size=1,
        learning_rate=0.5,
        weight_decay=0,
        max_epochs=20,
        tol=0,
    )
    return learner.fit(X, np.array([0.0, 1.0, 1.0, 0.0])).hypothesis_


def _paired_t() -> Any:
    from induce.core.folds import folds

    X, y = induce.dataset("iris")
    parts = list(folds(y, 10, 0).split(y, y))
    labels = y.to_numpy()
    differences = []
    for number, (train, test) in enumerate(parts, 1):
        errors = [
            float((learner.fit(X[train], y[train]).predict(X[test]) != labels[test]).mean())
            for learner in (induce.C45(), induce.NaiveBayes())
        ]
        differences.append(errors[0] - errors[1])
        emit("difference", fold=number, tree=errors[0], bayes=errors[1], difference=differences[-1])
    from induce.statistics import t_mean

    return t_mean(differences)


def _naive_bayes_text() -> Any:
    texts = ["our approach is simple", "simple machine learning", "machine is noisy noisy"]
    return induce.TextNaiveBayes().fit(texts, ["like", "like", "dislike"]).hypothesis_


def _weighted_majority() -> Any:
    import polars as pl

    from induce.textbook.online import EXPERTS

    X = pl.DataFrame({name: [int(bit) for bit in said] for name, said in EXPERTS.items()})
    return induce.WeightedMajority().fit(X, [1, 0, 0, 1, 0, 1]).hypothesis_


def _nearest_neighbours() -> Any:
    X = np.array([[1.0, 1.0], [2.0, 1.5], [1.5, 2.5], [4.0, 4.0], [5.0, 3.5], [3.0, 3.2]])
    y = ["-", "-", "-", "+", "+", "+"]
    learner = induce.KNeighborsClassifier(3).fit(X, y)
    for query in ([2.0, 2.0], [3.0, 2.5], [4.5, 3.0]):
        distances = np.hypot(
            *((X - query) / np.ptp(X, axis=0)).T
        )  # columns are scaled by their range, as by default
        for rank, row in enumerate(np.argsort(distances, kind="stable")[:3].tolist(), 1):
            emit(
                "neighbour", query=tuple(query), rank=rank, row=row, distance=float(distances[row]), of=y[row]
            )
        emit("vote", query=tuple(query), prediction=str(learner.predict([query])[0]))
    return learner.hypothesis_


def _genetic() -> Any:
    from induce.evolution import GeneticAlgorithm, OneMax

    search = GeneticAlgorithm.prototypical(population_size=20, r=0.6, m=0.2, fitness_threshold=16)
    return search.set_params(generations=20, random_state=0).learn(OneMax(16)).hypothesis_


def _rules() -> Any:
    return _fitted(induce.CN2(ordered=True, measure="entropy", pruning=None), "play-tennis")


def _foil() -> Any:
    from induce.textbook.relational import _foil, _granddaughters

    return _foil().fit(*_granddaughters()).hypothesis_


def _prolog_ebg() -> Any:
    from induce.analytical.examples import SAFE_TO_STACK, TWO_OBJECTS

    learner = induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS, negation=False)
    return learner.fit([["obj1", "obj2"]], [True]).hypothesis_


def _q_learning() -> Any:
    return induce.QLearning(30, 0.9, alpha=1, explore="random").learn("mitchell-13.2").hypothesis_


def _em() -> Any:
    return induce.GaussianMixture(2, n_init=1, rules=False).fit(NUMBERS).hypothesis_


def _k_means() -> Any:
    return induce.KMeans(2, n_init=1, rules=False).fit(NUMBERS).hypothesis_


def _tree(run: Traced) -> Figure:
    figure: Figure = run.learned.draw(gains=True)
    return figure


def _beam(run: Traced) -> Figure:
    from induce.covering.pictures import draw_beam

    return draw_beam(run.events, rule=3)


M = "Mitchell, table"
A = "Russell and Norvig, figure"
SPORT, TENNIS = "EnjoySport (table 2.1)", "PlayTennis (table 3.2)"

ALGORITHMS = (
    Algorithm(
        "mitchell-2.3", f"{M} 2.3", "FIND-S", SPORT,
        lambda: _fitted(induce.FindS(), "enjoy-sport"), ("start", "generalised"),
    ),
    Algorithm(
        "mitchell-2.4", f"{M} 2.4", "LIST-THEN-ELIMINATE", SPORT,
        lambda: _fitted(induce.ListThenEliminate(), "enjoy-sport"), ("start", "eliminated"),
    ),
    Algorithm(
        "mitchell-2.5", f"{M} 2.5", "CANDIDATE-ELIMINATION", SPORT,
        lambda: _fitted(induce.CandidateElimination(), "enjoy-sport"), ("start", "boundaries"),
    ),
    Algorithm(
        "mitchell-3.1", f"{M} 3.1", "ID3", TENNIS,
        lambda: _fitted(induce.ID3(), "play-tennis"), ("split", "thresholds"), _tree,
    ),
    Algorithm(
        "mitchell-4.1", f"{M} 4.1", "GRADIENT-DESCENT", "25 points of a grid",
        _gradient_descent, ("epoch", "stop"),
    ),
    Algorithm(
        "mitchell-4.2", f"{M} 4.2", "BACKPROPAGATION", "exclusive or",
        _back_propagation, ("update", "epoch", "stop"),
    ),
    Algorithm(
        "mitchell-5.5", f"{M} 5.5", "the paired t test", "C4.5 and naive Bayes on iris",
        _paired_t, ("difference",),
    ),
    Algorithm(
        "mitchell-6.2", f"{M} 6.2", "LEARN_NAIVE_BAYES_TEXT", "three short texts",
        _naive_bayes_text, ("class",),
    ),
    Algorithm("mitchell-6.12", "Mitchell, section 6.12", "EM", "ten numbers", _em, ("em",)),
    Algorithm("mitchell-6.12.1", "Mitchell, section 6.12.1", "k-means", "ten numbers", _k_means, ("k-means",)),
    Algorithm("mitchell-7.1", f"{M} 7.1", "WEIGHTED-MAJORITY", "five experts", _weighted_majority, ("round",)),
    Algorithm(
        "mitchell-8.1", f"{M} 8.1", "k-NEAREST NEIGHBOR", "six points and three queries",
        _nearest_neighbours, ("neighbour", "vote"),
    ),
    Algorithm("mitchell-9.1", f"{M} 9.1", "GA", "16 bits, all of which should be 1", _genetic, ("generation",)),
    Algorithm("mitchell-10.1", f"{M} 10.1", "SEQUENTIAL-COVERING", TENNIS, _rules, ("rule",)),
    Algorithm("mitchell-10.2", f"{M} 10.2", "LEARN-ONE-RULE", TENNIS, _rules, ("beam", "rule"), _beam),
    Algorithm(
        "mitchell-10.4", f"{M} 10.4", "FOIL", "GrandDaughter (section 10.5.2)",
        _foil, ("candidates", "literal", "clause"),
    ),
    Algorithm(
        "mitchell-11.2", f"{M} 11.2", "PROLOG-EBG", "SafeToStack (table 11.1)",
        _prolog_ebg, ("explain", "regress"),
    ),
    Algorithm("mitchell-11.3", f"{M} 11.3", "REGRESS", "SafeToStack (table 11.1)", _prolog_ebg, ("regress",)),
    Algorithm(
        "mitchell-13.1", f"{M} 13.1", "Q learning", "the grid of figure 13.2",
        _q_learning, ("update", "episode"),
    ),
    Algorithm(
        "aima-17.4", f"{A} 17.4", "VALUE-ITERATION", "Mitchell's grid (figure 13.2)",
        lambda: induce.DynamicProgramming(0.9, method="value-iteration").learn("mitchell-13.2").hypothesis_,
        ("sweep",),
    ),
    Algorithm(
        "aima-17.7", f"{A} 17.7", "POLICY-ITERATION", "the repair of a machine",
        lambda: induce.DynamicProgramming(0.9, method="policy-iteration").learn("repair").hypothesis_, ("policy",),
    ),
    Algorithm(
        "aima-18.5", f"{A} 18.5", "DECISION-TREE-LEARNING", "the restaurant (figure 18.3)",
        lambda: _fitted(induce.ID3(), "restaurant"), ("split",), _tree,
    ),
    Algorithm(
        "aima-18.11", f"{A} 18.11", "DECISION-LIST-LEARNING", "the restaurant (figure 18.3)",
        lambda: _fitted(induce.DecisionListClassifier(2), "restaurant"), ("test",),
    ),
    Algorithm(
        "aima-18.34", f"{A} 18.34", "ADABOOST", "the restaurant (figure 18.3)",
        lambda: _fitted(induce.AdaBoost(n_estimators=5), "restaurant"), ("round",),
    ),
)  # fmt: skip
