"""Inverse entailment compared with generate-and-test: the search effort for the same result (Mitchell §10.7.1).

A learner that inverts entailment generates only hypotheses that entail an example, each from little data. A
generate-and-test learner generates hypotheses from the syntax alone, and evaluates each on all the data.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.trace import Trace, trace
from induce.estimators.relations import RelationalClassifier
from induce.logic.background.relations import Relations


@dataclass(frozen=True)
class Run:
    """Result of one learner in a comparison.

    Parameters
    ----------
    learner : str
    hypotheses : int
        Number of clauses examined.
    tests : int
        Number of tests of a clause on an example or on a binding of an example.
    seconds : float
        Training time in seconds, without a trace.
    training, test : float
        Accuracy on training and test examples; NaN without test examples.
    theory : str
    """

    learner: str
    hypotheses: int
    tests: int
    seconds: float
    training: float
    test: float
    theory: str


@dataclass(frozen=True)
class SearchComparison:
    """Results of several learners on one problem; prints as a table."""

    runs: tuple[Run, ...]

    def __getitem__(self, learner: str) -> Run:
        for run in self.runs:
            if run.learner == learner:
                return run
        raise KeyError(learner)

    def __str__(self) -> str:
        rows: list[tuple[str, ...]] = [
            ("learner", "hypotheses", "tests", "tests each", "seconds", "training", "test")
        ]
        for run in self.runs:
            each = run.tests / max(run.hypotheses, 1)
            shares = [f"{share:.3f}" if share == share else "" for share in (run.training, run.test)]
            rows.append(
                (
                    run.learner,
                    f"{run.hypotheses:,}",
                    f"{run.tests:,}",
                    f"{each:,.0f}",
                    f"{run.seconds:.3f}",
                    *shares,
                )
            )
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = []
        for first, *others in rows:
            cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
            lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
        return "\n".join(lines)


def compare_searches(
    background: Relations,
    target: str,
    X: Any,
    y: Any,
    test: tuple[Any, Any] | None = None,
    learners: Mapping[str, RelationalClassifier] | None = None,
) -> SearchComparison:
    """Compare inverse entailment, relative least general generalisation and generate-and-test on one problem.

    Parameters
    ----------
    background : Relations
        Background knowledge.
    target : str
        Name of the relation to be learned.
    X, y
        Training examples.
    test : tuple of examples and classes, optional
        Test examples, for the test accuracy.
    learners : dict from str to learner, optional
        Learners by name; by default `Progol`, `Golem` and `FOIL` with default parameters.

    Examples
    --------
    >>> family = Relations(program='''
    ...     parent(ann, bea). parent(ann, cal). parent(bea, dan). parent(bea, eve). parent(cal, fay).
    ...     parent(dan, gus). parent(fay, hal).''')
    >>> pairs = [("ann", "dan"), ("ann", "eve"), ("ann", "fay"), ("bea", "gus"), ("cal", "hal"),
    ...          ("ann", "bea"), ("bea", "dan"), ("dan", "ann"), ("ann", "gus"), ("cal", "cal"), ("eve", "hal")]
    >>> found = compare_searches(family, "grandparent", pairs, [True] * 5 + [False] * 6)
    >>> [run.training for run in found.runs]
    [1.0, 1.0, 1.0]
    >>> found["Progol"].hypotheses < found["FOIL"].hypotheses
    True
    """
    if learners is None:
        from induce.relational.learners.foil import FOIL
        from induce.relational.learners.golem import Golem
        from induce.relational.learners.progol import Progol

        learners = {kind.__name__: kind(background, target) for kind in (Progol, Golem, FOIL)}
    if not learners:
        raise InputError("learners is empty; name at least one learner")
    return SearchComparison(tuple(_run(name, learner, X, y, test) for name, learner in learners.items()))


def _run(name: str, learner: RelationalClassifier, X: Any, y: Any, test: tuple[Any, Any] | None) -> Run:
    start = time.perf_counter()
    learner.fit(X, y)
    seconds = time.perf_counter() - start
    with trace(only=("search", "candidates", "generalisation")) as events:
        learner.fit(X, y)
    hypotheses, tests = _looked_at(events, len(np.asarray(y)))
    return Run(
        name,
        hypotheses,
        tests,
        seconds,
        float(learner.score(X, y)),
        float("nan") if test is None else float(learner.score(*test)),
        str(learner.hypothesis_.to_prolog()),
    )


def _looked_at(events: Trace, n_examples: int) -> tuple[int, int]:
    """Return the number of hypotheses examined, and the total number of tests on examples or bindings."""
    hypotheses = tests = 0
    for event in events:
        if event.kind == "search":
            hypotheses += event["nodes"]
            tests += event["tests"]
        elif event.kind == "candidates" and "p0" in event.data:
            hypotheses += len(event["candidates"])
            tests += len(event["candidates"]) * int(event["p0"] + event["n0"])
        else:
            hypotheses += 1
            tests += n_examples
    return hypotheses, tests
