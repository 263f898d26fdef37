"""Compilation of function-free clauses to joins: normal form, and join order of the body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

import numpy as np

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.comparisons import COMPARISONS, Expression, Holds, Mask, Values, compared, worked_out
from induce.logic.facts import Codes, Symbols
from induce.logic.joins import UNIT, Filter, Part, Sources, Stage, taken
from induce.logic.stratification import ARITHMETIC, EQUALITY, is_function_free_literal
from induce.logic.terms import Term, Variable, is_ground

NEW, OLD, ALL = "new", "old", "all"
"""Facts of a relation that a literal is joined with: those of the previous round, those before it, or both."""

CONSTANT = frozenset({("true", 0), ("fail", 0), ("false", 0)})
BUILT_IN = ARITHMETIC | EQUALITY | CONSTANT


class Relations(Protocol):
    """Interface of the relations that a plan refers to."""

    symbols: Symbols

    def parts(self, predicate: Predicate, which: str) -> Sequence[Part]:
        """Return a subset of the facts of a relation."""

    def matches(self, predicate: Predicate, which: str, bound: Sequence[int]) -> float:
        """Estimate the number of facts that match given values at some argument positions."""


class Rule:
    """Clause that can be evaluated bottom-up.

    Raises
    ------
    InputError
        If the clause builds terms, needs the prover, or has a variable without values.
    """

    def __init__(self, clause: Clause, head: Literal, symbols: Symbols) -> None:
        self.clause, self.head, self.body = clause, head, clause.body
        self.expressions: dict[int, tuple[Expression, ...]] = {}
        for place, literal in enumerate((*self.body, head)):
            if not is_function_free_literal(literal):
                raise InputError(
                    f"{literal} has a function of variables, which only the prover can evaluate, in {clause}"
                )
            if literal.predicate in ARITHMETIC:
                terms = literal.arguments[literal.name == "is" :]
                self.expressions[place] = tuple(Expression(term, clause) for term in terms)
            for term in literal.arguments:
                if is_ground(term):
                    symbols.code(term)
        self._variables = [dict.fromkeys(literal.variables()) for literal in self.body]
        self._uses = Counter(variable for names in self._variables for variable in names)
        self._uses.update(set(head.variables()))
        self._check_safety()

    def _check_safety(self) -> None:
        known: set[Variable] = set()
        for place in range(len(self.body)):
            if self.is_relation(place) and not self.body[place].negated:
                known.update(self._variables[place])
        binding = [place for place in range(len(self.body)) if not self.is_relation(place)]
        while ready := [place for place in binding if self.is_ready(place, known)]:
            binding = [place for place in binding if place not in ready]
            known.update(variable for place in ready for variable in self._variables[place])
        for place, literal in enumerate(self.body):
            self._demand(literal, known, place)
        self._demand(self.head, known, None)

    def _demand(self, literal: Literal, known: set[Variable], place: int | None) -> None:
        for variable in literal.variables():
            if variable not in known and (place is None or not self._is_anonymous(place, variable)):
                raise InputError(
                    f"the variable {variable} of {literal} gets no values; it must also occur in a "
                    f"positive literal in the body of {self.clause}"
                )

    def relations(self) -> list[int]:
        """Return the indices of the literals over facts."""
        return [place for place in range(len(self.body)) if self.is_relation(place)]

    def is_relation(self, place: int) -> bool:
        """Return whether a body literal is over facts."""
        return self.body[place].predicate not in BUILT_IN

    def _is_anonymous(self, place: int, variable: Variable) -> bool:
        negated = self.body[place].negated and self.is_relation(place)
        return negated and variable.name.startswith("_") and self._uses[variable] == 1

    def is_ready(self, place: int, known: set[Variable]) -> bool:
        """Return whether a literal only filters or extends single rows, given the known variables."""
        literal = self.body[place]
        unknown = [variable for variable in self._variables[place] if variable not in known]
        if not unknown:
            return True
        if not self.is_relation(place):
            sides = {"=": literal.arguments, "is": literal.arguments[:1]}.get(literal.name, ())
            once = sum(variable in unknown for variable in literal.variables()) == 1
            return once and unknown[0] in sides and not literal.negated
        if literal.negated:
            return all(self._is_anonymous(place, variable) for variable in unknown)
        return all(self._uses[each] == 1 and literal.arguments.count(each) == 1 for each in unknown)

    def order(self, start: int | None, which: Callable[[int], str], relations: Relations) -> list[int]:
        """Return the indices of the body literals in evaluation order.

        Tests come as early as possible; of the literals to be joined, the one with the fewest expected
        matches comes next.
        """
        known: set[Variable] = set()
        waiting = list(range(len(self.body)))
        done: list[int] = []

        def matches(place: int) -> float:
            literal = self.body[place]
            bound = [p for p, term in enumerate(literal.arguments) if _is_known(term, known)]
            return relations.matches(literal.predicate, which(place), bound)

        while waiting:
            if start is not None and not done:
                place = start
            else:
                place = next((place for place in waiting if self.is_ready(place, known)), -1)
            if place < 0:
                joined = [p for p in waiting if self.is_relation(p) and not self.body[p].negated]
                place = min(joined, key=matches)
            waiting.remove(place)
            done.append(place)
            known.update(self._variables[place])
        return done

    def plan(self, start: int | None, which: Callable[[int], str], relations: Relations) -> list[Stage]:
        """Return the joins that evaluate the rule, starting with the literal at `start`."""
        order = self.order(start, which, relations)
        table = _Table(relations)
        needed = set(self.head.variables())
        needs = []
        for place in reversed(order):
            needs.append(frozenset(needed))
            needed |= self._variables[place].keys()
        known: set[Variable] = set()
        for place, later in zip(order, reversed(needs), strict=True):
            literal = self.body[place]
            if not self.is_relation(place):
                table.built_in(literal, self.expressions.get(place, ()))
            elif place != start and self.is_ready(place, known):
                table.test(literal, which(place))
            else:
                table.join(literal, which(place), later)
            known.update(self._variables[place])
        return table.finished(self.head)


def _is_known(term: Term, known: set[Variable]) -> bool:
    return not isinstance(term, Variable) or term in known


class _Table:
    """Stages of a rule built so far, and the columns of the resulting table."""

    def __init__(self, relations: Relations) -> None:
        self._relations = relations
        self._symbols = relations.symbols
        self._stages: list[Stage] = []
        self._filters: list[Filter] = []
        self._columns: dict[Variable, int] = {}
        self._joined: dict[Variable, int] = {}
        """Sources of all variables in the last join."""

    def join(self, literal: Literal, which: str, needed: frozenset[Variable]) -> None:
        """Join the table with the facts of a literal, keeping only variables still needed."""
        bound, keys = self._known(literal)
        self._joined = dict(self._columns)
        others = [argument for argument in range(len(literal.arguments)) if argument not in bound]
        pairs: list[tuple[Variable, Variable]] = []
        for source, argument in enumerate(others, start=len(self._columns)):
            variable = literal.arguments[argument]
            assert isinstance(variable, Variable)
            if variable in self._joined:  # a new variable that occurs again in the same literal
                again = Variable(f"{variable.name} at {argument}")
                pairs.append((variable, again))
                variable = again
            self._joined[variable] = source
        equal = {variable for pair in pairs for variable in pair}
        kept = [variable for variable in self._joined if variable in needed or variable in equal]
        parts = partial(self._relations.parts, literal.predicate, which)
        output = tuple(self._joined[variable] for variable in kept)
        self._add(Stage(parts, bound, keys, output, len(kept) < len(self._joined)))
        self._columns = {variable: column for column, variable in enumerate(kept)}
        for pair in pairs:
            self._filters.append(_rows_where(_same(*map(self._values, pair)), True))

    def test(self, literal: Literal, which: str) -> None:
        """Keep the rows for which a fact exists, or does not exist if the literal is negated."""
        bound, keys = self._known(literal)
        parts = partial(self._relations.parts, literal.predicate, which)

        def there(table: Codes) -> Mask:
            wanted = taken(table, keys)
            found = np.zeros(len(table), np.bool_)
            for part in parts():
                found |= part.facts.matches(bound, wanted).count > 0
            return found

        self._filters.append(_rows_where(there, not literal.negated))

    def built_in(self, literal: Literal, expressions: tuple[Expression, ...]) -> None:
        """Keep the rows for which a comparison holds, or bind a variable to its value."""
        if literal.predicate in CONSTANT:
            always = literal.name == "true"
            self._filters.append(_rows_where(lambda table: np.full(len(table), always), not literal.negated))
        elif literal.name in COMPARISONS:
            left_side, right_side = expressions
            holds = compared(literal.name, left_side, right_side, dict(self._columns), self._symbols)
            self._filters.append(_rows_where(holds, not literal.negated))
        else:
            left, right = literal.arguments
            if isinstance(right, Variable) and right not in self._columns and not expressions:
                left, right = right, left
            if expressions:
                value = worked_out(expressions[0], dict(self._columns), self._symbols)
            else:
                value = self._values(right)
            if isinstance(left, Variable) and left not in self._columns:
                self._filters.append(_with_column(value))
                self._columns[left] = len(self._columns)
            else:
                equal = literal.name in ("=", "==", "is")
                self._filters.append(_rows_where(_same(self._values(left), value), equal != literal.negated))

    def finished(self, head: Literal) -> list[Stage]:
        """Return the stages, the last of which builds the head's arguments."""
        if self._filters or not self._stages:
            self._add(Stage(lambda: UNIT, (), (), (), True))
            self._joined = self._columns
        output = tuple(self._source(term, self._joined) for term in head.arguments)
        self._stages[-1] = replace(self._stages[-1], output=output, distinct=True)
        return self._stages

    def _add(self, stage: Stage) -> None:
        if self._filters and not self._stages:
            self._stages.append(Stage(lambda: UNIT, (), (), (), False))
        if self._stages:
            self._stages[-1] = replace(self._stages[-1], filters=tuple(self._filters))
        self._stages.append(stage)
        self._filters = []

    def _source(self, term: Term, columns: dict[Variable, int]) -> int:
        return columns[term] if isinstance(term, Variable) else -1 - self._symbols.code(term)

    def _known(self, literal: Literal) -> tuple[tuple[int, ...], Sources]:
        """Return the positions of the arguments that have a value, and the sources of these values."""
        known = {
            place: self._source(term, self._columns)
            for place, term in enumerate(literal.arguments)
            if not isinstance(term, Variable) or term in self._columns
        }
        return tuple(known), tuple(known.values())

    def _values(self, term: Term) -> Values:
        source = (self._source(term, self._columns),)
        return lambda table: taken(table, source)[:, 0]


def _same(one: Values, other: Values) -> Holds:
    return lambda table: one(table) == other(table)


def _rows_where(holds: Holds, wanted: bool) -> Filter:
    return lambda table: table[holds(table) == wanted]


def _with_column(values: Values) -> Filter:
    def filtered(table: Codes) -> Codes:
        column = values(table)
        return np.column_stack([table, column])[column >= 0]

    return filtered
