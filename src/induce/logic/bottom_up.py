"""Bottom-up evaluation of function-free programs: all consequences, in rounds.

Each rule is evaluated for all values of its variables at once, as a join of relations. Each round joins only
the facts of the previous one (semi-naive evaluation). Facts that are not derived are false (Mitchell §10.4,
§10.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from induce.core import trace
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.progress import report
from induce.logic.clauses import Literal, Predicate, Program
from induce.logic.facts import Facts, Symbols
from induce.logic.join_order import ALL, BUILT_IN, NEW, OLD, Rule
from induce.logic.joins import Growing, LimitError, Limits, Part, Stage, run
from induce.logic.stratification import strata, written
from induce.logic.substitution import Substitution
from induce.logic.terms import Variable, is_ground
from induce.logic.unification import match

__all__ = ["FactBase", "LimitError", "consequences"]

MANY_CODES = 1 << 31
"""Upper bound of the codes when arithmetic creates new numbers."""


@dataclass(frozen=True, eq=False)
class FactBase:
    """Facts, grouped by predicate.

    Parameters
    ----------
    symbols : Symbols
        Terms that the codes stand for.
    relations : dict from predicate to Facts
        Facts of each predicate.

    Examples
    --------
    >>> from induce.logic import parse_literal, parse_program
    >>> base = consequences(parse_program("parent(ann, bea). parent(bea, cal). mother(X) :- parent(X, _)."))
    >>> len(base), base.holds(parse_literal("mother(bea)"))
    (4, True)
    >>> [str(answer) for answer in base.answers(parse_literal("parent(X, Y)"))]
    ['{X/ann, Y/bea}', '{X/bea, Y/cal}']
    """

    symbols: Symbols
    relations: dict[Predicate, Facts]

    def __len__(self) -> int:
        return sum(map(len, self.relations.values()))

    def holds(self, literal: Literal) -> bool:
        """Return whether a literal holds for some variable binding (for none if it is negated)."""
        return (next(self._answers(literal), None) is not None) != literal.negated

    def answers(self, literal: Literal) -> list[Substitution]:
        """Return the variable bindings for which a literal is a fact, in order of the facts."""
        if literal.negated:
            raise InputError(f"{literal} is negated; query the positive literal, or ask whether it holds")
        return list(self._answers(literal))

    def facts(self, predicate: Predicate) -> Iterator[Literal]:
        """Yield the facts of a predicate."""
        terms = self.symbols.terms
        if predicate in self.relations:
            for row in self.relations[predicate].rows:
                yield Literal(predicate[0], tuple(terms[code] for code in row.tolist()))

    def _answers(self, literal: Literal) -> Iterator[Substitution]:
        facts = self.relations.get(literal.predicate)
        if facts is None:
            return
        arguments = literal.arguments
        bound = tuple(place for place, term in enumerate(arguments) if is_ground(term))
        keys = np.array([[self.symbols.find(arguments[place]) for place in bound]], np.int64)
        found = facts.matches(bound, keys.reshape(1, len(bound)))
        first, count = int(found.first[0]), int(found.count[0])
        rows = found.rows[found.order[first : first + count]]
        names = {term: place for place, term in enumerate(arguments) if isinstance(term, Variable)}
        terms = self.symbols.terms
        for row in rows:
            codes = row.tolist()
            if len(names) + len(bound) == len(arguments):
                yield Substitution({name: terms[codes[place]] for name, place in names.items()})
            else:
                fact = Literal(literal.name, tuple(terms[code] for code in codes))
                answer = match(Literal(literal.name, arguments), fact)
                if answer is not None:
                    yield answer


def consequences(
    program: Program,
    facts: Mapping[Predicate, Facts] | None = None,
    symbols: Symbols | None = None,
    *,
    max_facts: int = 10_000_000,
    max_rounds: int | None = None,
    max_seconds: float | None = None,
) -> FactBase:
    """Return all facts that follow from a function-free program and additional facts.

    Rules may contain literals, negated literals (if no predicate depends on its own negation), the
    comparisons ``=  \\= ==  \\==  <  >  =<  >=  =:=  =\\=`` and ``is``. Each variable must get its values
    from a positive literal, or from ``=`` or ``is`` with known values on the other side; a variable ``_`` of
    a negated literal matches anything. Terms without variables are constants, whatever their structure. The
    order of clauses and literals is irrelevant, and clauses without a head are ignored.

    Parameters
    ----------
    program : Program
        Function-free program.
    facts : mapping from predicate to Facts, optional
        Facts in addition to those of the program.
    symbols : Symbols, optional
        Terms that the codes of `facts` stand for; those of the program are added.
    max_facts : int
        Maximum number of new facts, and of intermediate rows of a join.
    max_rounds : int, optional
        Maximum number of rounds for mutually recursive predicates.
    max_seconds : float, optional
        Limit on processor time in seconds; no limit by default.

    Returns
    -------
    FactBase

    Raises
    ------
    InputError
        If a clause cannot be evaluated bottom-up; `LimitError` if a limit was reached.

    Notes
    -----
    Numbers are compared by value, so ``1 =:= 1.0`` holds although 1 and 1.0 are different constants. A
    comparison with a non-number does not hold, and ``is`` gives no value to an undefined expression such as a
    division by zero: an error would depend on the join order.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> base = consequences(parse_program('''
    ...     parent(ann, bea). parent(bea, cal). parent(cal, dan).
    ...     ancestor(X, Y) :- parent(X, Y).
    ...     ancestor(X, Y) :- ancestor(X, Z), ancestor(Z, Y).
    ... '''))
    >>> [str(fact) for fact in base.facts(("ancestor", 2))]  # doctest: +NORMALIZE_WHITESPACE
    ['ancestor(ann, bea)', 'ancestor(bea, cal)', 'ancestor(cal, dan)', 'ancestor(ann, cal)', 'ancestor(bea, dan)',
     'ancestor(ann, dan)']
    """
    if not isinstance(program, Program):
        raise TypeError("program is not a Program; read one from text with parse_program")
    for name, value in (("max_facts", max_facts), ("max_rounds", max_rounds)):
        if value is not None:
            at_least(name, value, 1, whole=True)
    if max_seconds is not None:
        at_least("max_seconds", max_seconds, 0)
    layers = strata(program)
    limits = Limits(max_facts, max_rounds, max_seconds)
    evaluation = _Evaluation(program, _given(facts or {}, symbols), symbols or Symbols(), limits)
    for done, layer in enumerate(layers):
        evaluation.work_out(layer)
        report((done + 1) / len(layers))
    return FactBase(evaluation.symbols, evaluation.relations())


def _given(facts: Mapping[Predicate, Facts], symbols: Symbols | None) -> dict[Predicate, Facts]:
    if facts and symbols is None:
        raise InputError("facts are given without symbols; give the Symbols of their codes")
    for predicate, relation in facts.items():
        if relation.arity != predicate[1]:
            raise InputError(
                f"the facts of {written(predicate)} have {relation.arity} arguments; give {predicate[1]}"
            )
        codes = relation.rows
        if codes.size and (codes.min() < 0 or codes.max() >= len(symbols or ())):
            raise InputError(
                f"the facts of {written(predicate)} contain codes that symbols does not define; give "
                "the Symbols of these codes"
            )
    return dict(facts)


class _Evaluation:
    """Relations derived so far, and the rules that add to them."""

    def __init__(
        self, program: Program, given: dict[Predicate, Facts], symbols: Symbols, limits: Limits
    ) -> None:
        self.symbols = symbols
        self._limits = limits
        self._rules: dict[Predicate, list[Rule]] = {}
        told: dict[Predicate, list[tuple[int, ...]]] = {}
        for clause in program:
            if clause.head is None:
                continue
            predicate = clause.head.predicate
            if predicate in BUILT_IN:
                raise InputError(
                    f"{clause} would redefine the built-in {written(predicate)}; use another name"
                )
            if clause.body or not clause.head.ground:
                self._rules.setdefault(predicate, []).append(Rule(clause, clause.head, symbols))
            else:
                told.setdefault(predicate, []).append(tuple(map(symbols.code, clause.head.arguments)))
        self._known = dict(given)
        for predicate, rows in told.items():
            codes = np.array(rows, np.int64).reshape(len(rows), predicate[1])
            if predicate in given:
                codes = np.concatenate([given[predicate].rows, codes])
            self._known[predicate] = Facts.of(codes)
        rules = [rule for rules in self._rules.values() for rule in rules]
        self._check_known(rules)
        counting = any(literal.name == "is" for rule in rules for literal in rule.body)
        self._bound = MANY_CODES if counting else len(symbols)
        self._parts = {predicate: Part(facts) for predicate, facts in self._known.items()}
        self._growing: dict[Predicate, Growing] = {}
        self._different: dict[tuple[Predicate, int, int], int] = {}

    def _check_known(self, rules: Sequence[Rule]) -> None:
        needed = dict.fromkeys(rule.body[p].predicate for rule in rules for p in rule.relations())
        unknown = [each for each in needed if each not in self._known and each not in self._rules]
        if not unknown:
            return
        from induce.logic import builtins

        for each in unknown:
            if each in builtins.CONTROL or each in builtins.LOOPED or each in builtins.PYTHON:
                raise InputError(f"{written(each)} cannot be evaluated bottom-up; use the prover")
        names = ", ".join(map(written, unknown))
        note(f"there are no clauses and no facts for {names}: they are assumed false")

    def relations(self) -> dict[Predicate, Facts]:
        """Return the facts of all predicates."""
        return {predicate: part.facts for predicate, part in self._parts.items()}

    def parts(self, predicate: Predicate, which: str) -> Sequence[Part]:
        """Return a subset of the facts of a relation."""
        growing = self._growing.get(predicate)
        if growing is None:
            return (self._parts[predicate],) if predicate in self._parts else ()
        return {NEW: [growing.new], OLD: growing.old, ALL: [*growing.old, growing.new]}[which]

    def matches(self, predicate: Predicate, which: str, bound: Sequence[int]) -> float:
        """Estimate the number of facts that match given values at some argument positions."""
        parts = self.parts(predicate, which)
        size = float(sum(map(len, parts)))
        largest = max(parts, key=len, default=None)
        if largest is None or not len(largest):
            return size
        for column in bound:
            key = predicate, column, len(largest).bit_length()
            if key not in self._different:
                self._different[key] = int(np.count_nonzero(np.bincount(largest.facts.rows[:, column])))
            size /= self._different[key]
        return size

    def work_out(self, layer: Sequence[Predicate]) -> None:
        """Derive all facts of mutually recursive predicates."""
        rules = [rule for predicate in layer for rule in self._rules.get(predicate, ())]
        if not rules:
            return
        together = set(layer)
        growing = {}
        for predicate in layer:
            nothing = Part(Facts(np.empty((0, predicate[1]), np.int64)))
            growing[predicate] = Growing(self._parts.get(predicate, nothing).facts, self._bound)
        # Semi-naive evaluation: a recursive rule runs once per literal of this layer, with the facts of the
        # previous round at that literal. Rules without such a literal run once.
        recursive = [
            (rule, place)
            for rule in rules
            for place in rule.relations()
            if rule.body[place].predicate in together
        ]
        for rule in rules:
            if all(rule != other for other, _ in recursive):
                self._run(rule.plan(None, lambda place: ALL, self), growing[rule.head.predicate])
        self._growing = growing
        plans: dict[tuple[int, ...], list[Stage]] = {}
        rounds = 0
        while self._advance(rounds) and recursive:
            self._limits.check_rounds(rounds)
            rounds += 1
            for number, (rule, place) in enumerate(recursive):
                predicate = rule.body[place].predicate
                if not len(growing[predicate].new):
                    continue
                # Plans are recomputed only when a relation has doubled, since the join order depends only on
                # approximate sizes.
                sizes = (sum(map(len, self.parts(each, ALL))).bit_length() for each in growing)
                key = number, *sizes
                if key not in plans:
                    plans[key] = rule.plan(place, partial(_which, place), self)
                self._run(plans[key], growing[rule.head.predicate])
        self._growing = {}
        self._parts |= {predicate: Part(each.everything()) for predicate, each in growing.items()}

    def _run(self, stages: Sequence[Stage], growing: Growing) -> None:
        run(stages, growing.rows, self._bound, self._limits)

    def _advance(self, rounds: int) -> bool:
        added = {predicate: growing.advance() for predicate, growing in self._growing.items()}
        if trace.active("round"):
            new = {written(predicate): len(each.new) for predicate, each in self._growing.items()}
            trace.emit("round", round=rounds, new=new)
        return any(added.values())


def _which(start: int, place: int) -> str:
    """Return which facts a literal is joined with, so that no combination of facts is processed twice."""
    # Literals before the new one see all facts, literals after it only old ones. So each combination with a
    # new fact occurs exactly once, at the last of its new facts.
    return NEW if place == start else ALL if place < start else OLD
