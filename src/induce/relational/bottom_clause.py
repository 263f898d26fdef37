"""The most specific clause for an example: all that the background knows of it, within modes and depth (§10.7.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.notes import note
from induce.logic.clauses import Clause, Literal
from induce.logic.facts import Codes, Facts
from induce.logic.terms import Constant, Term, Variable
from induce.relational.coverage import Coverage
from induce.relational.examples import variable
from induce.relational.kinds import fits
from induce.relational.modes import Mode

Floats = NDArray[np.float64]
Cuts = Callable[[tuple[Literal, ...], Variable], Floats]
"""Gives the numbers that a variable may be compared with, from the literals that lead from the head to it."""

SAME = "="
DIFFERENT = ("\\=", "\\==")
ORDERED = {"=<": np.less_equal, "<": np.less, ">": np.greater, ">=": np.greater_equal}
COMPARISONS = (SAME, "==", *DIFFERENT, *ORDERED)

MOST_CALLS = 20_000
"""How many calls of one mode are made at a time; the facts of larger relations are filtered instead."""


@dataclass(frozen=True)
class BottomClause:
    """The most specific clause of an example, and what its literals need.

    Parameters
    ----------
    seed : Literal
        The example.
    head : Literal
    literals : tuple of Literal
        The body; a literal comes after those that it needs.
    needs : tuple of set of Variable
        For each literal, the variables that the head or other literals must have.
    known : set of Variable
        The variables of the head that are known from the start.
    fixed : tuple of int
        The literals that every clause must have: the constants of the head.
    cut : bool
        Whether there would be more literals than allowed.

    Examples
    --------
    The bound of the book's grandchild (Mitchell, Figure 10.3) is the definition itself:

    >>> from induce.relational.relations import Relations
    >>> from induce.logic import parse_clause
    >>> family = Relations(program="father(shannon, tom). father(tom, bob).")
    >>> example = parse_clause("grandchild(bob, shannon).").head
    >>> modes = [Mode("father", ("+person", "-person"))]
    >>> head = Mode("grandchild", ("+person", "+person"), head=True)
    >>> print(bottom_clause(example, Coverage(family), head, modes).clause())
    grandchild(A, B) :- father(B, C), father(C, A).
    """

    seed: Literal
    head: Literal
    literals: tuple[Literal, ...]
    needs: tuple[frozenset[Variable], ...]
    known: frozenset[Variable]
    fixed: tuple[int, ...] = ()
    cut: bool = False

    def __len__(self) -> int:
        return len(self.literals)

    def clause(self, places: Sequence[int] | None = None) -> Clause:
        """Return the clause of some of the literals, all by default, with its variables named in order."""
        chosen = range(len(self.literals)) if places is None else places
        body = tuple(self.literals[place] for place in chosen)
        constants = {
            self.literals[place].arguments[0]: self.literals[place].arguments[1] for place in self.fixed
        }
        clause = Clause(
            self.head, tuple(body[k] for k, place in enumerate(chosen) if place not in self.fixed)
        )
        clause = _substituted(clause, constants)
        return _substituted(clause, {name: variable(k) for k, name in enumerate(clause.variables())})


def _substituted(clause: Clause, by: dict[Term, Term]) -> Clause:
    def changed(literal: Literal) -> Literal:
        return Literal(literal.name, tuple(by.get(term, term) for term in literal.arguments), literal.negated)

    assert clause.head is not None
    return Clause(changed(clause.head), tuple(map(changed, clause.body)))


def bottom_clause(
    example: Literal,
    coverage: Coverage,
    head: Mode,
    modes: Sequence[Mode],
    depth: int = 2,
    max_literals: int = 1000,
    cuts: Cuts | None = None,
    denied: Facts | None = None,
) -> BottomClause:
    """Return the most specific clause that an example and the background allow (saturation).

    A literal is in it if it holds of the example and its inputs are variables of the clause already; its outputs are
    the variable that stands for their value, or a new one. After `depth` rounds it ends. Every clause within the modes
    that covers the example by these literals is, but for names of variables, some of them.

    Parameters
    ----------
    example : Literal
        A ground example of the target.
    coverage : Coverage
        The background.
    head : Mode
        An output argument of the head must be an output of a literal, too; a ``#`` argument is a constant.
    modes : sequence of Mode
        Comparisons (``=<``, ``>``, ``\\=``, …) may be among them; one with a ``#`` takes its number from `cuts`.
    depth : int, default=2
        How many literals lead from the head to a literal at most, itself included. Comparisons do not count.
    max_literals : int, default=1000
        How many literals it has at most; a note says when there would be more.
    cuts : callable, optional
        Gives the numbers that a variable may be compared with.
    denied : Facts, optional
        Examples that are known not to be in the target relation: a recursive literal whose arguments are all inputs
        may speak of any others.
    """
    return Saturation(coverage, head, modes, depth, max_literals, cuts, denied).of(example)


@dataclass(frozen=True)
class Saturation:
    """Makes the most specific clauses of examples; `bottom_clause` says how."""

    coverage: Coverage
    head: Mode
    modes: Sequence[Mode]
    depth: int = 2
    max_literals: int = 1000
    cuts: Cuts | None = None
    denied: Facts | None = None

    def __post_init__(self) -> None:
        for mode in self.modes:
            if mode.name in COMPARISONS and len(mode.arguments) == 2:
                if mode.arguments[0][0] != "+" or mode.arguments[1][0] not in "+#":
                    raise InputError(
                        f"the mode {mode} of a comparison must be ({mode.name})(+type, +type) or "
                        f"({mode.name})(+type, #type)"
                    )

    def of(self, example: Literal) -> BottomClause:
        """Return the most specific clause of an example."""
        draft = _Draft(self, example)
        draft.start()
        for layer in range(1, self.depth + 1):
            for mode in self.modes:
                if not _is_comparison(mode):
                    draft.call(mode, layer)
        for mode in self.modes:
            if _is_comparison(mode):
                draft.compare(mode)
        if draft.cut:
            note(
                f"the most specific clause of {example} has more than {self.max_literals} literals, the others are "
                "left out; restrict the modes, lower depth or raise max_bottom"
            )
        return draft.done()


def _is_comparison(mode: Mode) -> bool:
    return mode.name in COMPARISONS and len(mode.arguments) == 2


@dataclass(frozen=True)
class _Known:
    """A variable of the clause: the term it stands for, its type, the round it came in, and whether it is an input."""

    name: Variable
    code: int
    kind: str
    layer: int


class _Draft:
    """A most specific clause that is being made."""

    def __init__(self, task: Saturation, example: Literal) -> None:
        self.task, self.example = task, example
        self.symbols = task.coverage.symbols
        self.codes = [self.symbols.code(term) for term in example.arguments]
        self.variables: dict[Variable, _Known] = {}
        self.by_code: dict[int, list[_Known]] = {}
        self.waiting: dict[Variable, _Known] = {}
        self.literals: dict[Literal, frozenset[Variable]] = {}
        self.made_by: dict[Variable, Literal] = {}
        self.fixed: list[Literal] = []
        self.cut = False
        self.names = 0
        self.head = Literal(task.head.name, tuple(self._name() for _ in example.arguments))

    def done(self) -> BottomClause:
        order = [*self.literals]
        known = frozenset(known.name for known in self.variables.values() if known.layer == 0)
        return BottomClause(
            self.example,
            self.head,
            tuple(order),
            tuple(self.literals.values()),
            known,
            tuple(order.index(literal) for literal in self.fixed),
            self.cut,
        )

    def _name(self) -> Variable:
        self.names += 1
        return variable(self.names - 1)

    def _add(self, literal: Literal, needs: frozenset[Variable]) -> bool:
        if literal in self.literals or literal == self.head:
            return False
        if len(self.literals) >= self.task.max_literals:
            self.cut = True
            return False
        self.literals[literal] = needs
        return True

    def _meet(self, known: _Known) -> None:
        self.variables[known.name] = known
        self.by_code.setdefault(known.code, []).append(known)

    def start(self) -> None:
        """Begin with the head: its inputs are known, its constants fixed, and equal arguments are said to be so."""
        met: list[_Known] = []
        for sign, name, code, kind in zip(
            (argument[0] for argument in self.task.head.arguments),
            self.head.arguments,
            self.codes,
            self.task.head.types,
            strict=True,
        ):
            assert isinstance(name, Variable)
            known = _Known(name, code, kind, 0)
            if sign == "-":
                self.waiting[name] = known
                continue
            met.append(known)
            self._meet(known)
            if sign == "#":
                literal = Literal(SAME, (name, self.symbols.terms[code]))
                self._add(literal, frozenset())
                self.fixed.append(literal)
        for one, other in combinations(met, 2):
            if one.code == other.code and fits(one.kind, other.kind):
                self._add(Literal(SAME, (one.name, other.name)), frozenset((one.name, other.name)))

    # -- relations --

    def call(self, mode: Mode, layer: int) -> None:
        """Add the literals of a mode whose inputs were there before this round, one of them since the last."""
        inputs = mode.places("+")
        if not inputs and layer > 1:
            return
        choices = [self._codes(mode.types[place], layer) for place in inputs]
        if not all(map(len, choices)):
            return
        if mode.predicate == (self.head.name, len(self.codes)) and len(inputs) == len(mode.arguments):
            self._assume(mode, layer)
            return
        rows = self._facts(mode, inputs, choices, layer)
        for row in rows.tolist():
            self._write(mode, row, layer)

    def _codes(self, kind: str, layer: int) -> list[int]:
        """Return the values of variables of a type that were there before a round, in the order they came."""
        return [
            *dict.fromkeys(
                known.code
                for known in self.variables.values()
                if known.layer < layer and fits(known.kind, kind)
            )
        ]

    def _fresh(self, layer: int) -> set[int]:
        return {known.code for known in self.variables.values() if known.layer == layer - 1}

    def _facts(self, mode: Mode, inputs: tuple[int, ...], choices: list[list[int]], layer: int) -> Codes:
        """Return the facts that calls of a mode give, at most `recall` for each call."""
        relation = self.task.coverage.relation(mode.predicate)
        n_calls = int(np.prod([len(choice) for choice in choices], dtype=float))
        fresh = np.array(sorted(self._fresh(layer)), np.int64)
        if n_calls > MOST_CALLS and isinstance(relation, Facts):
            known = np.all(
                [
                    np.isin(relation.rows[:, place], choice)
                    for place, choice in zip(inputs, choices, strict=True)
                ],
                0,
            )
            keys = Facts.of(relation.rows[known][:, list(inputs)]).rows
        else:
            if n_calls > MOST_CALLS:
                self.cut = True
            calls = [call for call, _ in zip(product(*choices), range(MOST_CALLS), strict=False)]
            keys = np.array(calls, np.int64).reshape(len(calls), len(inputs))
        if layer > 1:
            keys = keys[np.isin(keys, fresh).any(1)]
        matches = relation.matches(inputs, keys)
        if mode.recall is not None:
            matches = type(matches)(
                matches.rows, matches.order, matches.first, np.minimum(matches.count, mode.recall)
            )
        return matches.rows[matches.pairs()[1]]

    def _assume(self, mode: Mode, layer: int) -> None:
        """Add recursive literals of known variables, whose truth is for the search to find out."""
        for names in product(
            *(
                [known for known in self.variables.values() if known.layer < layer and fits(known.kind, kind)]
                for kind in mode.types
            )
        ):
            if layer > 1 and all(known.layer < layer - 1 for known in names):
                continue
            key = np.array([[known.code for known in names]], np.int64)
            denied = self.task.denied
            if denied is None or not denied.matches(tuple(range(key.shape[1])), key).count[0]:
                arguments = tuple(known.name for known in names)
                self._add(Literal(mode.name, arguments), frozenset(arguments))

    def _write(self, mode: Mode, row: list[int], layer: int) -> None:
        """Add the literals that one fact gives: one for each way to name its inputs and known outputs."""
        options: list[list[Term]] = []
        made: list[Variable] = []
        for argument, kind, code in zip(mode.arguments, mode.types, row, strict=True):
            if argument[0] == "#":
                options.append([self.symbols.terms[code]])
                continue
            named = [known for known in self.by_code.get(code, ()) if fits(known.kind, kind)]
            if argument[0] == "+":
                options.append([known.name for known in named if known.layer < layer])
                continue
            for held in [*self.waiting.values()]:
                if held.code == code and fits(held.kind, kind):
                    named.append(replace(self.waiting.pop(held.name), layer=layer))
                    made.append(held.name)
                    self._meet(named[-1])
            if not named:
                named.append(_Known(self._name(), code, kind, layer))
                made.append(named[0].name)
                self._meet(named[0])
            options.append([known.name for known in named])
        inputs = mode.places("+")
        for arguments in product(*options):
            literal = Literal(mode.name, arguments)
            if self._add(literal, frozenset(_variables(arguments[place] for place in inputs))):
                for name in made:
                    if name in arguments:
                        self.made_by.setdefault(name, literal)

    # -- comparisons --

    def compare(self, mode: Mode) -> None:
        """Add the comparisons of a mode that hold: of two variables, or of one with constants."""
        kinds = mode.types
        mine = [known for known in self.variables.values() if fits(known.kind, kinds[0])]
        if mode.arguments[1][0] == "#":
            for known in mine:
                self._compare_with_constants(mode.name, known)
            return
        other = [known for known in self.variables.values() if fits(known.kind, kinds[1])]
        for one, two in product(mine, other):
            if one is two or max(one.layer, two.layer) >= max(self.task.depth, 1):
                continue
            if mode.name not in ORDERED and one.name != min(one.name, two.name, key=self._place):
                continue
            if self._holds(mode.name, one, two):
                arguments = one.name, two.name
                self._add(Literal(mode.name, arguments), frozenset(arguments))

    def _place(self, name: Variable) -> int:
        return [*self.variables].index(name)

    def _holds(self, name: str, one: _Known, two: _Known) -> bool:
        if name in ORDERED:
            left, right = self.symbols.numbers[[one.code, two.code]]
            return bool(ORDERED[name](left, right))
        return (one.code != two.code) == (name in DIFFERENT)

    def _compare_with_constants(self, name: str, known: _Known) -> None:
        if name not in ORDERED:
            if name not in DIFFERENT:
                self._add(
                    Literal(name, (known.name, self.symbols.terms[known.code])), frozenset((known.name,))
                )
            return
        value = self.symbols.numbers[known.code]
        if self.task.cuts is None or np.isnan(value):
            return
        for cut in self.task.cuts(self._chain(known.name), known.name).tolist():
            if ORDERED[name](value, cut):
                literal = Literal(name, (known.name, Constant(int(cut) if cut == int(cut) else cut)))
                self._add(literal, frozenset((known.name,)))

    def _chain(self, name: Variable) -> tuple[Literal, ...]:
        """Return the literals that lead from the head to a variable, in order."""
        found: dict[Literal, None] = {}
        waiting = [name]
        while waiting:
            literal = self.made_by.get(waiting.pop())
            if literal is not None and literal not in found:
                found[literal] = None
                waiting += self.literals[literal]
        return tuple(literal for literal in self.literals if literal in found)


def _variables(terms: Iterable[Term]) -> Iterator[Variable]:
    return (term for term in terms if isinstance(term, Variable))
