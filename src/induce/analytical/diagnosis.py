"""Quality of a domain theory, measured on labelled examples (Mitchell §11.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.analytical.explainer import proof_limits
from induce.analytical.table_cases import are_cases, cases
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import positive_rows
from induce.logic.background.relations import Relations
from induce.logic.clauses import Literal, Predicate
from induce.logic.coverage.examples import UNKNOWN, coded_rows
from induce.logic.domain_theory import DomainTheory
from induce.logic.failed_proofs import FailedProof, why_not
from induce.logic.library import is_built_in
from induce.logic.prover import Prover
from induce.logic.stratification import written

MOST_SHOWN = 10


@dataclass(frozen=True)
class Failure:
    """Failure to prove an example, with the points where its proofs failed.

    Parameters
    ----------
    example : str
    stopped_at : tuple of str
        Literals that could not be proved, one per clause that got furthest.
    tree : FailedProof
        Tree of all clauses tried, with the literal at which each failed.
    """

    example: str
    stopped_at: tuple[str, ...]
    tree: FailedProof


@dataclass(frozen=True)
class Diagnosis:
    """Conclusions of a domain theory about labelled examples.

    Parameters
    ----------
    right, wrong, missed, rejected : int
        Numbers of true positives, false positives, false negatives and true negatives; positive means proved.
    wrongly_proved : tuple of str
        Negative examples that the theory proves.
    failures : tuple of Failure
        Positive examples that the theory does not prove, with the points where their proofs failed.
    fired : tuple of int
        Number of first proofs that use each clause of the theory.
    clauses : tuple of str
    """

    right: int
    wrong: int
    missed: int
    rejected: int
    wrongly_proved: tuple[str, ...]
    failures: tuple[Failure, ...]
    fired: tuple[int, ...]
    clauses: tuple[str, ...]

    @property
    def completeness(self) -> float:
        """Fraction of positive examples that are proved (recall); NaN without positive examples."""
        return _share(self.right, self.right + self.missed)

    @property
    def correctness(self) -> float:
        """Fraction of proved examples that are positive (precision); NaN if none is proved."""
        return _share(self.right, self.right + self.wrong)

    @property
    def idle(self) -> tuple[str, ...]:
        """Clauses that no proof uses."""
        return tuple(clause for clause, times in zip(self.clauses, self.fired, strict=True) if not times)

    def __str__(self) -> str:
        lines = [
            f"proved: {self.right} of {self.right + self.missed} positive examples, "
            f"{self.wrong} of {self.wrong + self.rejected} negative ones"
        ]
        if not self.wrong and not self.missed:
            lines.append("the theory agrees with all examples")
        if self.wrongly_proved:
            lines.append("wrongly proved: " + _some(self.wrongly_proved))
        for failure in self.failures[:MOST_SHOWN]:
            lines.append(f"no proof of {failure.example}: stopped at {' or '.join(failure.stopped_at)}")
        if len(self.failures) > MOST_SHOWN:
            lines.append(f"… and {len(self.failures) - MOST_SHOWN:,} more without a proof")
        reasons = Counter(one for failure in self.failures for one in set(map(_kind, failure.stopped_at)))
        if len(self.failures) > 1:
            lines.append(
                "most frequent points of failure: "
                + ", ".join(f"{kind} ({n})" for kind, n in reasons.most_common(5))
            )
        if self.idle:
            lines.append("used by no proof:")
            lines.extend(f"   {clause}" for clause in self.idle)
        return "\n".join(lines)


def diagnose(theory: DomainTheory, X: Any, y: Any, background: Relations | None = None) -> Diagnosis:
    """Count the examples that a domain theory proves correctly, proves wrongly and fails to prove.

    Parameters
    ----------
    theory : DomainTheory
        Domain theory to diagnose.
    X : table
        Rows of the target's arguments; without a background, also rows whose columns the theory refers to.
    y : array
        Whether each row is in the relation, in any coding of two classes.
    background : Relations, optional
        Facts about the examples.

    Examples
    --------
    >>> theory = DomainTheory("safe(X) :- light(X), \\\\+ fragile(X). fragile(X) :- glass(X).", "safe")
    >>> facts = Relations(program="light(a). light(b). light(c). glass(b).")
    >>> print(diagnose(theory, [["a"], ["b"], ["c"]], [True, True, False], facts))
    proved: 1 of 2 positive examples, 1 of 1 negative ones
    wrongly proved: safe(c)
    no proof of safe(b): stopped at \\+ fragile(b)
    used by no proof:
       fragile(X) :- glass(X).
    """
    goals, prover = _goals(theory, X, background)
    positive = _inside(y, len(goals))
    numbers = {clause: number for number, clause in enumerate(theory.program)}
    fired = np.zeros(len(theory), np.int64)
    proved = np.zeros(len(goals), np.bool_)
    for place, goal in enumerate(goals):
        answer = prover.first(goal)
        if answer is None:
            continue
        proved[place] = True
        for number in {numbers[node.clause] for _, node in answer.proofs[0].walk() if node.clause in numbers}:
            fired[number] += 1
    failures = [
        _failure(why_not(prover, goals[place], theory.is_operational))
        for place in np.flatnonzero(positive & ~proved)
    ]
    return Diagnosis(
        int((proved & positive).sum()),
        int((proved & ~positive).sum()),
        int((~proved & positive).sum()),
        int((~proved & ~positive).sum()),
        tuple(str(goals[place]) for place in np.flatnonzero(proved & ~positive)),
        tuple(failures),
        tuple(fired.tolist()),
        tuple(map(str, theory.program)),
    )


@dataclass(frozen=True)
class Consistency:
    """Consistency of a hypothesis with examples and with a domain theory (Mitchell §11.1.1).

    Parameters
    ----------
    with_examples : bool
        Whether the hypothesis agrees with the label of every example.
    with_theory : bool
        Whether the hypothesis concludes nothing about the examples that the theory denies (closed-world
        assumption).
    wrong : tuple of int
        Rows of misclassified examples.
    denied : tuple of int
        Rows on which the hypothesis contradicts the theory.
    """

    with_examples: bool
    with_theory: bool
    wrong: tuple[int, ...]
    denied: tuple[int, ...]


def check_consistent(
    hypothesis: Any, X: Any, y: Any, theory: DomainTheory, background: Relations | None = None
) -> Consistency:
    """Check whether a hypothesis is consistent with examples and with a domain theory.

    Parameters
    ----------
    hypothesis : classifier
        Predictor of whether rows are in the relation.
    X : table
        Rows of the target's arguments.
    y : array
        Whether each row is in the relation, in any coding of two classes.
    theory : DomainTheory
        Domain theory to compare with.
    background : Relations, optional
        Facts about the examples.

    Examples
    --------
    >>> import induce
    >>> theory = DomainTheory("safe(X) :- light(X).", "safe")
    >>> facts = Relations(program="light(a). light(b). red(a). red(c).")
    >>> rows = [["a"], ["b"], ["c"]]
    >>> learned = induce.PrologEBG(theory, facts).fit(rows, [True, True, False])
    >>> check_consistent(learned, rows, [True, True, False], theory, facts)
    Consistency(with_examples=True, with_theory=True, wrong=(), denied=())
    >>> seen = induce.Theory("safe", ("x",), (False, True), "safe(X) :- red(X).", ((0.0, 1.0),), (0.0, 0.0), facts)
    >>> check_consistent(seen, rows, [True, True, False], theory, facts)
    Consistency(with_examples=False, with_theory=False, wrong=(1, 2), denied=(2,))
    """
    said = _inside(hypothesis.predict(X), len(X))
    wrong = np.flatnonzero(said != _inside(y, len(X)))
    goals, prover = _goals(theory, X, background)
    denied = np.flatnonzero(said & ~prover.holds_each(goals))
    return Consistency(not len(wrong), not len(denied), tuple(wrong.tolist()), tuple(denied.tolist()))


def _goals(theory: DomainTheory, X: Any, background: Relations | None) -> tuple[list[Literal], Prover]:
    """Return the goal of each row, and the prover."""
    if background is None and are_cases(X, theory):
        background, X = cases(X)
    relations = background if background is not None else Relations()
    rows, _ = coded_rows(X, relations.symbols)
    name, arity = theory.predicate
    if rows.shape[1] != arity:
        raise InputError(
            f"X has {rows.shape[1]} columns, but the theory is about {written(theory.predicate)}; give "
            "one column per argument"
        )
    terms = relations.symbols.terms
    goals = [Literal(name, tuple(terms[code] if code >= 0 else UNKNOWN for code in row)) for row in rows]
    return goals, relations.prover(theory.program.clauses, unknown="fail", limits=proof_limits(theory))


def _failure(tree: FailedProof) -> Failure:
    return Failure(str(tree.literal), tuple(map(str, tree.farthest())), tree)


def tell_gaps(theory: DomainTheory, known: Iterable[Predicate]) -> None:
    """Emit a note about defects that prevent a theory from explaining any example.

    Parameters
    ----------
    theory : DomainTheory
    known : iterable of predicates
        Predicates of the facts about examples.
    """
    graph = theory.program.by_predicate
    called: dict[Predicate, None] = {theory.predicate: None}
    waiting = [theory.predicate]
    while waiting:
        for clause in graph.get(waiting.pop(), ()):
            new = [one.predicate for one in clause.body if one.predicate not in called]
            called |= dict.fromkeys(new)
            waiting += [one for one in new if not theory.is_operational(one)]
    if not any(map(theory.is_operational, called)):
        note(
            f"no proof of {written(theory.predicate)} ends at an operational predicate, so a learned "
            "clause can only repeat its example"
        )
    facts = set(known)
    unknown = [one for one in called if not (one in graph or one in facts or is_built_in(one))]
    if unknown:
        names = _some(tuple(map(written, unknown)))
        note(f"neither the theory nor a fact defines {names}; clauses that call it cannot be proved")
    if theory.contradiction:
        note(f"the theory may contradict itself: {theory.contradiction}")


def _inside(y: Any, n_rows: int) -> NDArray[np.bool_]:
    labels = np.asarray(y)
    if labels.shape != (n_rows,):
        raise InputError(f"X has {n_rows} rows, but y has the shape {labels.shape}; give one label per row")
    return positive_rows(labels)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _some(texts: tuple[str, ...]) -> str:
    more = f" and {len(texts) - MOST_SHOWN:,} more" if len(texts) > MOST_SHOWN else ""
    return ", ".join(texts[:MOST_SHOWN]) + more


def _kind(literal: str) -> str:
    """Return the predicate name of a written literal."""
    return literal.split("(")[0]
