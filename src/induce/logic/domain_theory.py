"""Domain theories: clauses that define a target concept in terms of the features of an example (Mitchell §11.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.parsing import goals_of, parse_program
from induce.logic.stratification import dependencies, recursive_predicates, strata, written
from induce.logic.substitution import variables_of
from induce.logic.terms import Function, Term

BOOK_BUILT_INS = {"lessThan": "less_than", "greaterThan": "greater_than"}
"""Predicates that the book writes as one word, with their names in the prover."""


@dataclass(frozen=True)
class DomainTheory:
    """Clauses, the concept they define, and the predicates that a learned rule may mention.

    Disjunctions, if-then-else and negated conjunctions in bodies are rewritten as separate clauses, so that
    every step of a proof uses one clause. Cuts are rejected, because a rule taken out of context would lose
    them.

    Parameters
    ----------
    prolog : str
        Prolog text of the clauses.
    target : str
        Predicate to be learned, such as ``"safe_to_stack/2"``; the name alone suffices if it is defined only once.
    operational : tuple of str, default=()
        Predicates at which an explanation ends, in the form of `target`. Built-in predicates are always
        operational, and so are predicates that the theory does not define.

    Examples
    --------
    >>> theory = DomainTheory('''
    ...     safe_to_stack(X, Y) :- lighter(X, Y).
    ...     lighter(X, Y) :- weight(X, A), weight(Y, B), less_than(A, B).
    ...     weight(X, 5) :- type(X, endtable).
    ... ''', "safe_to_stack")
    >>> theory.predicate, theory.is_operational(("type", 2)), theory.is_operational(("weight", 2))
    (('safe_to_stack', 2), True, False)
    """

    prolog: str
    target: str
    operational: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "operational", tuple(self.operational))
        self.check()

    @classmethod
    def from_book(cls, text: str, target: str, operational: Iterable[str] = ()) -> DomainTheory:
        """Read clauses in the book's notation, one per line; predicates may be in either notation.

        Examples
        --------
        >>> print(DomainTheory.from_book("Lighter(x,y) <- Weight(x,a), Weight(y,b), LessThan(a,b)", "Lighter"))
        lighter(X, Y) :- weight(X, A), weight(Y, B), less_than(A, B).
        """
        from induce.logic.notations import parse_book

        clauses = [_with_prolog_names(parse_book(line)) for line in text.splitlines() if line.strip()]
        names = [one[:1].lower() + one[1:] for one in (target, *operational)]
        return cls("\n".join(map(str, clauses)), names[0], tuple(names[1:]))

    @classmethod
    def from_rules(cls, text: str, target: str, operational: Iterable[str] = ()) -> DomainTheory:
        """Read IF-THEN rules over the columns of a table, one per line (see `induce.logic.parse_if_then`).

        Parameters
        ----------
        text : str
        target : str
            Concept, or column with a value, such as ``risk = high``.
        operational : iterable of str, default=()

        Examples
        --------
        >>> theory = DomainTheory.from_rules('''
        ...     IF age >= 18 AND solvent THEN approve
        ...     IF income > 1000 THEN solvent
        ...     IF 2 OF (owner; guarantor; member) THEN solvent
        ... ''', "approve")
        >>> print(theory)
        approve(X) :- age(X, A), A >= 18, solvent(X).
        solvent(X) :- income(X, A), A > 1000.
        solvent(X) :- owner(X), guarantor(X).
        solvent(X) :- owner(X), member(X).
        solvent(X) :- guarantor(X), member(X).
        """
        from induce.logic.if_then import parse_if_then

        return cls._of_rows(parse_if_then(text), target, operational)

    @classmethod
    def from_decision_table(
        cls, path: str | Path, target: str, operational: Iterable[str] = ()
    ) -> DomainTheory:
        """Read a decision table from a CSV or Excel file, one rule per row (see `induce.logic.read_decision_table`).

        Parameters
        ----------
        path : str or Path
        target : str
            Conclusion column and one of its values, such as ``risk = high``.
        operational : iterable of str, default=()
        """
        from induce.logic.if_then import read_decision_table

        return cls._of_rows(read_decision_table(path, target.partition("=")[0].strip()), target, operational)

    @classmethod
    def from_hypothesis(cls, hypothesis: Any, value: Any = True) -> DomainTheory:
        """Return the clauses by which a learned tree, rule list or theory predicts one class.

        Parameters
        ----------
        hypothesis : tree, rule list or theory
            Hypothesis whose Prolog form is a list of rules.
        value : value, default=True
            Class to predict; a theory has its own target.
        """
        from induce.logic.coverage.examples import term_of_cell
        from induce.logic.decision_lists import without_cuts

        try:
            program = parse_program(hypothesis.to_prolog())
        except AttributeError:
            raise InputError(f"cannot export a {type(hypothesis).__name__} to Prolog") from None
        if ("class", 2) not in program.by_predicate:
            return cls(str(program), f"{hypothesis.target}/{len(hypothesis.columns)}")
        clauses = without_cuts(program, term_of_cell(value))
        head = clauses[0].head
        assert head is not None
        return cls("\n".join(map(str, clauses)), f"{head.name}/1")

    @classmethod
    def _of_rows(cls, clauses: Iterable[Clause], target: str, operational: Iterable[str]) -> DomainTheory:
        lines = list(map(str, clauses))
        name, equals, value = map(str.strip, target.partition("="))
        if equals:
            from induce.logic.if_then import parse_if_then

            (asked,) = parse_if_then(f"IF {name} = {value} THEN asked")
            goal = f"{name} = {value}"
            lines.append(str(Clause(Literal(goal, asked.head.arguments), asked.body)))  # type: ignore[union-attr]
            return cls("\n".join(lines), f"{goal}/1", tuple(operational))
        return cls("\n".join(lines), name, tuple(operational))

    def check(self) -> None:
        """Raise an `InputError` unless the target is defined and every clause can be regressed."""
        for predicate in (self.predicate, *self._operational):
            if predicate == self.predicate and predicate in self._operational:
                raise InputError(
                    f"the target {written(predicate)} is operational itself, so there is nothing to "
                    "explain; remove it from operational"
                )
        if self.predicate not in self.program.by_predicate:
            raise self._unknown(self.predicate)

    @cached_property
    def program(self) -> Program:
        """Clauses, with control constructs rewritten."""
        return Program(tuple(flattened(parse_program(self.prolog))))

    @cached_property
    def predicate(self) -> Predicate:
        """Name and arity of the target."""
        return self._found(self.target)

    @cached_property
    def _operational(self) -> frozenset[Predicate]:
        return frozenset(map(self._found, self.operational))

    def is_operational(self, predicate: Predicate) -> bool:
        """Return whether explanations end at a predicate."""
        return predicate in self._operational or predicate not in self.program.by_predicate

    def without_negation(self) -> DomainTheory:
        """Return the theory without the clauses that contain negation."""
        kept = [clause for clause in self.program if not any(literal.negated for literal in clause.body)]
        if not any(clause.head and clause.head.predicate == self.predicate for clause in kept):
            raise InputError(
                f"every clause of {written(self.predicate)} contains a negated literal; give a clause "
                "without negation"
            )
        return DomainTheory("\n".join(map(str, kept)), written(self.predicate), self.operational)

    @cached_property
    def recursive(self) -> frozenset[Predicate]:
        """Recursive predicates."""
        return recursive_predicates(self.program)

    @cached_property
    def contradiction(self) -> str:
        """Description of a predicate that depends on its own negation; empty if there is none."""
        try:
            strata(self.program)
        except InputError as circle:
            return str(circle)
        return ""

    def depth(self) -> int | None:
        """Return the number of layers of clauses below the target; None if the theory is recursive."""
        graph = dependencies(self.program)
        layers: dict[Predicate, int] = {}
        if self.recursive:
            return None

        def layer(predicate: Predicate) -> int:
            if self.is_operational(predicate):
                return 0
            if predicate not in layers:
                layers[predicate] = 1 + max(map(layer, graph.get(predicate, ())), default=0)
            return layers[predicate]

        return layer(self.predicate)

    def __len__(self) -> int:
        return len(self.program)

    def __str__(self) -> str:
        return str(self.program)

    def _found(self, name: str) -> Predicate:
        stem, slash, arity = name.rpartition("/")
        if slash and arity.isdigit():
            return stem, int(arity)
        heads = [one for one in self.program.by_predicate if one[0] == name]
        used = heads or sorted(
            {literal.predicate for clause in self.program for literal in clause.body if literal.name == name}
        )
        if not used:
            raise self._unknown((name, None))
        if len(used) > 1:
            both = " and ".join(map(written, used))
            raise InputError(f"{name!r} may be {both}; write it with its arity")
        return used[0]

    def _unknown(self, predicate: tuple[str, Any]) -> InputError:
        name, arity = predicate
        shown = name if arity is None else written(predicate)
        known = list(map(written, self.program.by_predicate))
        near = get_close_matches(shown, known, 1) or get_close_matches(shown, [one[:-2] for one in known], 1)
        hint = f"; did you mean {near[0]}?" if near else f"; it defines {', '.join(known[:8]) or 'nothing'}"
        return InputError(f"the theory has no clause of {shown}{hint}")


def _with_prolog_names(clause: Clause) -> Clause:
    body = [
        Literal(BOOK_BUILT_INS.get(one.name, one.name), one.arguments, one.negated) for one in clause.body
    ]
    return Clause(clause.head, tuple(body))


def flattened(program: Program) -> Iterator[Clause]:
    """Yield the clauses of a program, with disjunctions and conditionals in bodies rewritten."""
    helpers: list[Clause] = []
    taken = {name for name, _ in program.by_predicate}
    for number, clause in enumerate(program, 1):
        if clause.head is None:
            raise InputError(f"clause {number} of the theory has no head: {clause}; give it one")
        for body in _bodies(clause.body, clause, helpers, taken):
            yield Clause(clause.head, body)
    # a helper may contain control constructs itself; it follows the clauses that use it
    while helpers:
        helper = helpers.pop(0)
        for body in _bodies(helper.body, helper, helpers, taken):
            yield Clause(helper.head, body)


def _bodies(
    body: tuple[Literal, ...], clause: Clause, helpers: list[Clause], taken: set[str]
) -> Iterator[tuple[Literal, ...]]:
    """Yield the alternatives of a body, each a conjunction of plain literals."""
    for place, literal in enumerate(body):
        before, after = body[:place], body[place + 1 :]
        if literal.name == "!" and not literal.arguments:
            raise InputError(f"a cut cannot be explained: {clause}; replace it by conditions")
        if literal.predicate == (";", 2) and not literal.negated:
            for way in _ways(literal):
                yield from _bodies((*before, *way, *after), clause, helpers, taken)
            return
        if literal.predicate == ("->", 2) and not literal.negated:
            condition, then = map(goals_of, literal.arguments)
            yield from _bodies((*before, *condition, *then, *after), clause, helpers, taken)
            return
        if literal.predicate == ("\\+", 1) and not literal.negated:
            yield from _bodies(
                (*before, _denied(goals_of(literal.arguments[0]), helpers, taken), *after),
                clause,
                helpers,
                taken,
            )
            return
    yield body


def _ways(disjunction: Literal) -> Iterator[tuple[Literal, ...]]:
    first, second = disjunction.arguments
    if isinstance(first, Function) and first.name == "->" and len(first.arguments) == 2:
        condition, then = map(goals_of, first.arguments)
        yield (*condition, *then)
        yield (Literal("\\+", (first.arguments[0],)), *goals_of(second))
    else:
        yield goals_of(first)
        yield goals_of(second)


def _denied(goals: tuple[Literal, ...], helpers: list[Clause], taken: set[str]) -> Literal:
    """Return a literal for the negation of a conjunction of goals."""
    if len(goals) == 1 and goals[0].name not in (";", "->", "\\+"):
        return goals[0].negation()
    arguments: tuple[Term, ...] = variables_of(goals)
    stem = "_and_".join(dict.fromkeys(goal.name for goal in goals if goal.name.isidentifier())) or "both"
    name = next(
        one for n in range(1, len(taken) + 2) if (one := stem if n == 1 else f"{stem}_{n}") not in taken
    )
    taken.add(name)
    helpers.append(Clause(Literal(name, arguments), goals))
    return Literal(name, arguments, negated=True)
