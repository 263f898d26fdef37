"""FOIL: first-order rules, literal by literal (Quinlan 1990; Mitchell, Table 10.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from induce.core.interrupts import interruptible
from induce.core.notes import note
from induce.core.parameters import Declared, choice, number, truth, whole
from induce.core.randomness import RandomState, generator
from induce.estimators.relations import RelationalClassifier
from induce.hypotheses.theory import Theory
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes
from induce.relational.clauses.closed_world import closed_world
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Budget
from induce.relational.clauses.literals import Vocabulary, is_comparison
from induce.relational.clauses.recursion import Guard, Orders
from induce.relational.foil.covering import Cover
from induce.relational.foil.scores import Forms
from induce.relational.foil.space import ClauseSearch
from induce.relational.foil.steps import Steps

FEW = 200
"""Maximum number of positive examples for which a declared language is searched further ahead if some stay
uncovered.
"""
WIDE, FURTHEST = 20, 6
"""Beam width and maximum clause length of that search."""


@dataclass(frozen=True)
class Search:
    """Configuration of a search: recursion, limits, language, exceptions, and look-ahead."""

    recursion: str | None
    budget: Budget
    language: Language
    plain: bool = False
    ahead: bool = False


class FOIL(RelationalClassifier):
    """FOIL (Quinlan 1990): Horn clauses from examples and background, also with negation (Mitchell §10.5).

    Clauses are learned one after the other, each for the uncovered positive examples (Table 10.4). A clause grows
    literal by literal, by Foil_Gain (Eq. 10.1) on the bindings of its variables, until it covers no negative example.
    Literals are background relations over existing or new variables, their negations, equalities and comparisons;
    constants and numeric thresholds are found during the search.

    A row not covered by any clause is classified as negative. No relation and no comparison holds for a missing
    argument. For a constant not seen in training, its background facts apply; without any, no relation holds for it.
    Ctrl-C ends training with the clauses found so far.

    Parameters
    ----------
    background : Relations, optional
        Background knowledge; its types and modes restrict the literals. Without it, clauses use only the arguments,
        like rules about the columns of a table.
    target : str, default="target"
        Name of the relation to be learned.
    negatives : {"given", "closed-world"}, default="given"
        Negative examples: those of `y`, or additionally all other tuples over the constants of the argument types;
        `y` may then contain only positive examples. If there are too many tuples, a sample is drawn.
    new_variables : int, optional
        Maximum number of new variables in a literal; at least one variable must already be in the clause.
    max_variables : int or None, default=30
        Maximum number of variables of a clause.
    max_literals : int or None, default=10
        Maximum number of literals of a clause.
    negation : {"safe", "failure", "binding", None}, default="safe"
        Negated literals. ``"safe"`` allows only those without new variables. ``"failure"`` also allows
        others, which hold if no values of their new variables exist (negation as failure). ``"binding"`` also
        allows literals that hold if some constant makes the negated literal false, as in the book's example;
        it adds a predicate to the theory that lists the constants of a type.
    equality : bool, default=True
        Whether literals may require two variables to be equal or different.
    thresholds : bool, default=True
        Whether to compare numbers with thresholds and with each other. Numbers that identify background objects, or
        that a mode may query, are not compared.
    constants : {"values", "declared"}, default="values"
        Constants in literals. ``"values"`` also allows values, such as colours, that are neither background
        objects nor of the target's argument types; ``"declared"`` allows only constants that a mode declares
        (``#``).
    distinct_arguments : bool, default=True
        Whether the arguments of a literal must be distinct.
    recursion : {"guarded", "unguarded", None}, default="guarded"
        Recursion: whether clauses may call the target. Calls are looked up among the positive training
        examples. The guard admits a call only if earlier literals guarantee that its arguments are smaller
        than the head's in some order. Then the theory terminates as a program. If the facts of all relations
        are cyclic, the guard only requires a relation that leads to the arguments. Without the guard,
        recursive clauses may be circular.
    determinate : bool, default=True
        Whether to add all determinate literals (those whose new variables have only one value) if no literal has at
        least 80 % of the largest possible gain (Quinlan 1991); unneeded ones are dropped.
    encoding_length : bool, default=True
        Whether to limit the length of a clause, in bits, to that of a list of the positive examples it covers
        (§10.5.4). The selected clause is the one on the search path that saves the most bits in separating
        positive from negative examples. A clause without exceptions that covers a third of all positive
        examples may have any length.
    min_accuracy : float, default=0.8
        Minimum fraction of positive examples among those a clause covers.
    prune : bool, default=True
        Whether to drop literals if that does not reduce accuracy, and then redundant clauses.
    measure : {"foil-gain", "m-estimate"}, default="foil-gain"
        Criterion for literals; the m-estimate of the clause's accuracy, combined with a beam, gives mFOIL
        (Džeroski 1991).
    m : float, default=2.0
        Parameter m of the m-estimate: weight of the prior fraction of positive examples, in examples.
    beam_width : int, default=1
        Beam width: number of clauses kept at each step.
    constraints : sequence of str, default=()
        Constraints on every clause, as in Popper's bias files: ``:- clause(C), #count{V : var_type(C, V,
        state)} != 1.``; or ``prune/1``, a background predicate that holds of forbidden clauses.
    time_limit : float, optional
        Limit on processor time in seconds; the best theory found so far is returned.
    max_candidates : int, optional
        Maximum number of candidate literals; the best theory found so far is returned.
    random_state : int, Generator or None, default=0
        Random seed of the sample of a large closed world.

    Attributes
    ----------
    hypothesis_ : Theory
    stopped_ : str or None
        Limit that ended the search, ``"time_limit"`` or ``"max_candidates"``.

    See Also
    --------
    Progol : Inverse entailment from one example.
    RelationalLearner : Several strategies, with a time limit.
    FOCL : Rules from data and a domain theory.

    References
    ----------
    J. R. Quinlan (1990). Learning logical definitions from relations. Machine Learning 5, 239-266.

    Examples
    --------
    >>> from induce.logic.background.relations import Relations
    >>> parents = {"sharon": "bob louise", "tom": "bob", "bob": "victor nora", "victor": "abe"}
    >>> ancestors = parents | {"sharon": "bob louise victor nora abe", "tom": "bob victor nora abe"}
    >>> ancestors["bob"] = "victor nora abe"
    >>> def pairs(relation):
    ...     return [(one, other) for one, others in relation.items() for other in others.split()]
    >>> family = Relations(program=" ".join(f"parent({one}, {other})." for one, other in pairs(parents)))
    >>> foil = FOIL(family, "ancestor", negatives="closed-world").fit(pairs(ancestors), [True] * 13)
    >>> print(foil.hypothesis_)
    ancestor(A, B) :- parent(A, B).  % 6/6
    ancestor(A, B) :- parent(A, C), ancestor(C, B).  % 7/7
    >>> foil.predict([("tom", "abe"), ("abe", "tom")])
    array([ True, False])
    """

    stopped_: str | None

    parameters: ClassVar[Declared] = {
        "negatives": choice(
            "Negative examples: only the given ones, or all other tuples.", "given", "closed-world"
        ),
        "new_variables": whole("Maximum number of new variables of a literal.", at_least=0, none=True),
        "max_variables": whole("Maximum number of variables of a clause.", at_least=1, none=True),
        "max_literals": whole("Maximum number of literals of a clause.", at_least=1, none=True),
        "negation": choice("Kinds of negated literals.", "safe", "binding", "failure", none=True),
        "equality": truth("Whether literals may require two variables to be equal or different."),
        "thresholds": truth("Whether to compare numbers with thresholds and with each other."),
        "constants": choice("Constants in literals.", "values", "declared"),
        "distinct_arguments": truth("Whether the arguments of a literal must be distinct."),
        "recursion": choice(
            "Whether clauses may call the target, and whether a guard ensures termination.",
            "guarded",
            "unguarded",
            none=True,
        ),
        "determinate": truth("Whether to add determinate literals if no literal has enough gain."),
        "encoding_length": truth(
            "Whether to limit the length of a clause to that of a list of its examples."
        ),
        "prune": truth("Whether to drop redundant literals and clauses."),
        "measure": choice("Criterion for literals.", "foil-gain", "m-estimate"),
        "m": number("Parameter m of the m-estimate.", at_least=0),
        "beam_width": whole("Beam width: number of clauses kept at each step.", at_least=1),
        "time_limit": number(
            "Time limit of the search in seconds; None sets no limit.",
            at_least=0,
            none=True,
        ),
        "max_candidates": whole(
            "Maximum number of candidate literals; None sets no limit.",
            at_least=1,
            none=True,
        ),
    }

    def __init__(
        self,
        background: Relations | None = None,
        target: str = "target",
        *,
        negatives: str = "given",
        new_variables: int | None = None,
        max_variables: int | None = 30,
        max_literals: int | None = 10,
        negation: str | None = "safe",
        equality: bool = True,
        thresholds: bool = True,
        constants: str = "values",
        distinct_arguments: bool = True,
        recursion: str | None = "guarded",
        determinate: bool = True,
        encoding_length: bool = True,
        min_accuracy: float = 0.8,
        prune: bool = True,
        measure: str = "foil-gain",
        m: float = 2.0,
        beam_width: int = 1,
        constraints: Sequence[str] = (),
        time_limit: float | None = None,
        max_candidates: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.background = background
        self.target = target
        self.negatives = negatives
        self.new_variables = new_variables
        self.max_variables = max_variables
        self.max_literals = max_literals
        self.negation = negation
        self.equality = equality
        self.thresholds = thresholds
        self.constants = constants
        self.distinct_arguments = distinct_arguments
        self.recursion = recursion
        self.determinate = determinate
        self.encoding_length = encoding_length
        self.min_accuracy = min_accuracy
        self.prune = prune
        self.measure = measure
        self.m = m
        self.beam_width = beam_width
        self.constraints = constraints
        self.time_limit = time_limit
        self.max_candidates = max_candidates
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn clauses for the target relation.

        Parameters
        ----------
        X : dataframe, array or list of rows
            Argument tuples of the target.
        y : sequence of two classes
            Labels: whether each row is in the relation.
        """
        return self.fit_within(X, y, Budget(self.time_limit, self.max_candidates))

    def fit_within(self, X: Any, y: Any, budget: Budget) -> Self:
        """Learn clauses within a budget that other searches may share."""
        examples = self._read(X, y)
        theory: Theory | None = None
        for language in Language(examples, self.constraints).ways():
            one = self._best(examples, budget, language)
            if theory is None or one.errors() < theory.errors():
                theory = one
            if not theory.errors():
                break
        assert theory is not None
        self.stopped_ = budget.stopped
        if self.stopped_:
            note(f"{self.stopped_} ended the search; the theory is the best so far: {theory.size()}")
        self.hypothesis_ = theory
        return self

    def _best(self, examples: Examples, budget: Budget, language: Language) -> Theory:
        """Return the theory of a language, searching again if examples remain uncovered."""
        search = Search(self.recursion, budget, language)
        theory, decided = self._learned(examples, search)
        expected = int(((decided >= 0) != examples.positive).sum())
        if theory.recursive and self.recursion == "guarded" and theory.errors() > expected:
            theory = self._without_recursion(examples, theory, search, expected)
        if self._may_be_plainer(theory):
            theory = self._plainer(examples, theory, search)
        if theory.errors() and not language.free and int(examples.positive.sum()) <= FEW:
            theory = self._ahead(examples, theory, search)
        return theory

    def _ahead(self, examples: Examples, theory: Theory, search: Search) -> Theory:
        """Search with look-ahead for clauses of any length; return the theory if it explains all examples.

        In a declared language without negations and comparisons, a literal that leads to an informative one
        often has no gain itself. With few examples no clause is worth its description length.
        """
        wide, _ = self._learned(examples, replace(search, ahead=True))
        few = len(wide.clauses) < int(examples.positive.sum())
        return wide if not wide.errors() and few else theory

    def _without_recursion(self, examples: Examples, theory: Theory, search: Search, expected: int) -> Theory:
        """Also learn without recursion if recursive clauses fail as a program; return the better theory."""
        flat, _ = self._learned(examples, replace(search, recursion=None))
        better = flat.errors() <= theory.errors()
        note(
            (
                f"as a program the recursive clauses misclassify {theory.errors()} examples, but only "
                f"{expected} when calls are looked up among the examples: intermediate examples are "
                "missing, or calls are cyclic"
            )
            + ("; clauses without recursion are used instead" if better else "")
        )
        return flat if better else theory

    def _may_be_plainer(self, theory: Theory) -> bool:
        """Return whether recursion could replace the negations or inequalities of a theory."""
        if self.recursion != "guarded" or theory.recursive or len(theory.columns) < 2:
            return False
        return any(one.negated or one.name == "\\=" for clause in theory.clauses for one in clause.body)

    def _plainer(self, examples: Examples, theory: Theory, search: Search) -> Theory:
        """Also learn recursive clauses without negation or inequality; return them if shorter and as accurate.

        With few examples, an exception such as not being someone's parent is cheaper, literal by literal,
        than the step that leads to recursion. Determinate literals, which are added for free, bypass
        recursion as well.
        """
        plain, _ = self._learned(examples, replace(search, plain=True))
        n_literals = [sum(len(clause.body) for clause in one.clauses) for one in (theory, plain)]
        better = plain.recursive and plain.errors() <= theory.errors() and n_literals[1] <= n_literals[0]
        return plain if better else theory

    def _read(self, X: Any, y: Any) -> Examples:
        examples = self._examples(X, y)
        if self.negatives == "closed-world":
            examples = closed_world(examples, generator(self.random_state))
            self.classes_ = np.unique(np.asarray(examples.classes))
        return examples

    def _learned(self, examples: Examples, search: Search) -> tuple[Theory, Codes]:
        """Return a theory, and the clause that covers each example when calls are looked up among the examples."""
        cover = self._cover(examples, search)
        found: list[Clause] = []
        with interruptible(found, "clauses"):
            for clause in cover.clauses(self.prune):
                found.append(clause)
        if self.prune:
            found = cover.needed(found)
        found.sort(key=cover.calls)
        told, first = cover.told(found), cover.first(found)
        if search.recursion == "unguarded" and any(map(cover.calls, found)):
            note(
                "calls were looked up among the examples; as a program the recursive clauses may not terminate"
            )
            return self._draft(told, found).counted(first, examples.positive), first
        if cover.guard.circles:
            note(
                "the facts are cyclic: the recursive clauses terminate in the prover, which detects "
                "loops, but perhaps not in another Prolog system"
            )
        return self._theory(told, found), first

    def _cover(self, examples: Examples, search: Search) -> Cover:
        # in a declared language, negations and comparisons need a mode
        free, plain, recursion = not examples.declared, search.plain, search.recursion
        compared = {mode.name for mode in examples.relations.modes if is_comparison(mode)}
        forms = Forms(
            self.equality and not plain and (free or bool(compared & {"=", "\\="})),
            self.thresholds and (free or bool(compared & {"<", "=<", ">", ">="})),
            self.constants == "values" and (free or bool(compared & {"=", "\\="})),
            self.negation if not plain and (free or compared) else None,
            self.distinct_arguments,
            self.new_variables,
            self.max_variables,
            *_bounds(compared),
        )
        clauses = ClauseSearch(
            self.measure,
            self.m,
            max(self.beam_width, WIDE) if search.ahead else self.beam_width,
            min(self.max_literals or FURTHEST, FURTHEST) if search.ahead else self.max_literals,
            self.determinate and not plain and not search.ahead,
            self.encoding_length and not search.ahead,
            1.0 if search.ahead else self.min_accuracy,
            search.ahead,
        )
        vocabulary = Vocabulary(examples, self.constants == "values" and free, recursion is not None)
        orders = Orders(vocabulary) if recursion == "guarded" else None
        steps = Steps(vocabulary, forms, search.budget, search.language)
        return Cover(examples, steps, clauses, Guard(examples.target, orders))


def _bounds(compared: set[str]) -> tuple[str, str]:
    """Return the comparisons for thresholds: the declared ones, if there are any."""
    below = "<" if "<" in compared and "=<" not in compared else "=<"
    above = ">=" if ">=" in compared and ">" not in compared else ">"
    return below, above
