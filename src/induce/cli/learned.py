"""Result of `induce learn`, from a whole table or in chunks, with its reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class Learned:
    """A fitted learner and the reports on its hypothesis.

    Parameters
    ----------
    model : estimator
    data : dict
        Summary of the table.
    seconds : float
        Training time.
    estimate : Estimate or None
    promised : Promise or None
        Guarantee of learning theory.
    table : Dataset or None
        Training data, if they were read as a whole.
    suspicions : list of str
        Suspicions about its columns.
    test : Assessment or None
        Results on the rows of a test file.
    tested : str
        Description of the rows.
    conformal : Conformal or None
        Scores for prediction sets and intervals.
    cost : list of str
        Cost of decisions, or their precision, on held-out rows.
    """

    model: Any
    data: dict[str, Any]
    seconds: float
    estimate: Any
    promised: Any = None
    table: Any = None
    suspicions: list[str] = field(default_factory=list)
    test: Any = None
    tested: str = "the rows of the test file"
    conformal: Any = None
    cost: list[str] = field(default_factory=list)


def estimated(model: Any, X: Any, y: Any, cv: int, seed: int, how: dict[str, Any] | None = None) -> Any:
    """Return the cross-validated estimate; None, with a note, if Ctrl-C ends it or it is undefined for a density."""
    from induce.cli.progress import bar
    from induce.core.errors import InputError
    from induce.core.interrupts import is_ctrl_c
    from induce.core.notes import note
    from induce.evaluation.estimating.estimate import evaluate

    try:
        with bar("cross-validating"):
            return evaluate(model, X, y, min(cv, len(X)), random_state=seed, **(how or {}))
    except InputError as problem:
        if y is not None:
            raise
        note(
            f"the log-likelihood was not estimated: {problem}"
        )  # the density at a held-out row may well be zero
        return None
    except (KeyboardInterrupt, SystemError) as problem:
        if not is_ctrl_c(problem):
            raise
        # a failed estimate must not discard the hypothesis
        note("interrupted: the error was not estimated")
        return None
