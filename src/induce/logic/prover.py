"""Prover: backward chaining as in Prolog, with proofs (Mitchell §10.1, §11.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.limits import Limits
from induce.logic.proofs import Proof
from induce.logic.stratification import written
from induce.logic.substitution import Substitution, variables_of
from induce.logic.tabling import checked, tabled_predicates
from induce.logic.terms import Constant, Function, Term, Variable, unlisted

if TYPE_CHECKING:
    from induce.logic.compiler import Compiled, Definition
    from induce.logic.machine import Machine

LARGE = 200_000_000
"""Memory size in bytes above which the memory of a finished search is released."""
Goal = Literal | Sequence[Literal] | str
FactArrays = Mapping[Predicate, tuple[NDArray[np.integer], Sequence[Term]]]
"""Large relations: for each predicate an array of codes (one row per fact), and the ground term of each code."""


@dataclass(frozen=True)
class Answer:
    """Answer to a query: the values of its variables, and the proof of each of its literals.

    `inferences` is the number of calls made by the search so far, including those for other answers and
    failed branches.

    Parameters
    ----------
    substitution : Substitution
        Values of the query's variables.
    proofs : tuple of Proof
        Proof of each literal of the query; empty if the query asked for none.
    inferences : int
        Number of calls made by the search so far.
    """

    substitution: Substitution
    proofs: tuple[Proof, ...] = ()
    inferences: int = field(default=0, compare=False)

    @property
    def proof(self) -> Proof:
        """Proof of the literal; of the first one if there are several."""
        if not self.proofs:
            raise InputError("this answer was found without proofs; query with proofs=True")
        return self.proofs[0]

    def __str__(self) -> str:
        return str(self.substitution)


class Answers:
    """Answers to a query, computed lazily; iterating again does not repeat the search.

    Parameters
    ----------
    search : iterator
        Search that yields answers, then None or the name of the limit that ended it.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> answers = Prover(parse_program("p(a). p(b).")).prove("p(X)")
    >>> print(*answers)
    {X/a} {X/b}
    >>> answers.complete
    True
    """

    def __init__(self, search: Iterator[Answer | str | None]) -> None:
        self._search = search
        self._found: list[Answer] = []
        self._ended = False
        self._stopped: str | None = None

    @property
    def complete(self) -> bool:
        """Whether the search is exhausted, so that there are no more answers."""
        return self._ended and self._stopped is None

    @property
    def stopped_by(self) -> str | None:
        """Limit that ended the search: "depth", "inferences", "seconds", "solutions", "error", or None."""
        return self._stopped

    def first(self) -> Answer | None:
        """Return the first answer, or None."""
        return next(iter(self), None)

    def all(self) -> tuple[Answer, ...]:
        """Return all answers."""
        return tuple(self)

    def __iter__(self) -> Iterator[Answer]:
        place = 0
        while True:
            while place < len(self._found):
                yield self._found[place]
                place += 1
            if self._ended:
                return
            self._ended, self._stopped = True, "error"  # overwritten if the search ends normally
            found = next(self._search, "error")
            if isinstance(found, Answer):
                self._found.append(found)
                self._ended, self._stopped = False, None
            else:
                self._stopped = found


@dataclass(frozen=True)
class Solutions:
    """Solutions of many calls of one predicate.

    Parameters
    ----------
    found : tuple
        Solutions of each call: the ground terms of the unbound arguments.
    complete : ndarray of bool
        Whether the solutions of each call are complete.
    dropped : int
        Number of solutions omitted because they contain variables.
    inferences : int
        Number of inferences of all calls.
    cells : int
        Number of memory cells of all solutions.
    """

    found: tuple[tuple[tuple[Term, ...], ...], ...]
    complete: NDArray[np.bool_]
    dropped: int
    inferences: int = 0
    cells: int = 0


class Prover:
    """Prover of literals from a program, by backward chaining as in Prolog (Mitchell §10.1, §11.2).

    Clauses are tried in order, and the literals of a body from left to right. A negated literal holds if the
    literal cannot be proved; as in Prolog this is sound only if it is ground by then. The usual control
    constructs, comparisons, arithmetic and list predicates are built in, and so are `less_than`,
    `greater_than` and `equal` with the functions `plus`, `minus` and `times`. A program may redefine any of
    these except control constructs. No predicate reads, writes or runs anything outside the prover.

    Parameters
    ----------
    program : Program
        Facts and rules to prove from.
    facts : mapping, optional
        Large relations by predicate: an array of codes with one row per fact, and the ground term of each
        code. They are tried before the clauses of the same predicate.
    occurs_check : bool, default=False
        Whether to reject binding a variable to a term that contains it.
    tabled : {"auto", None} or collection of predicates, default="auto"
        Tabled predicates: the answers to each call are stored, so that recursion through the same call
        terminates. "auto" selects recursive predicates that could loop. Each answer of a tabled predicate is
        returned once.
    limits : Limits
        Limits of each query; none by default.
    unknown : {"error", "fail"}, default="error"
        Treatment of a goal whose predicate has no clauses and is not declared dynamic.

    Examples
    --------
    >>> from induce.logic import parse_program
    >>> prover = Prover(parse_program('''
    ...     path(X, Y) :- edge(X, Y).
    ...     path(X, Y) :- path(X, Z), edge(Z, Y).
    ...     edge(a, b). edge(b, c). edge(c, a).
    ... '''))
    >>> print(*prover.prove("path(a, X)"))
    {X/b} {X/c} {X/a}
    >>> prover.holds("path(c, c), \\\\+ path(c, d)")
    True
    >>> prover.holds("pth(a, b)")
    Traceback (most recent call last):
    induce.core.errors.InputError: unknown predicate pth/2; did you mean path/2?
    """

    def __init__(
        self,
        program: Program,
        *,
        facts: FactArrays | None = None,
        occurs_check: bool = False,
        tabled: OneOf["auto"] | Collection[Predicate] | None = "auto",
        limits: Limits | None = None,
        unknown: OneOf["error", "fail"] = "error",
    ) -> None:
        if not isinstance(program, Program):
            raise TypeError(
                f"program must be a Program, not a {type(program).__name__}; use parse_program for text"
            )
        if unknown not in ("error", "fail"):
            raise InputError(f"unknown is {unknown!r}; give 'error' or 'fail'")
        self.program, self.facts, self.occurs_check = program, dict(facts or {}), occurs_check
        self.limits, self.unknown, self.tabled = limits or Limits(), unknown, tabled
        if isinstance(tabled, str) and tabled != "auto":
            raise InputError(f"tabled is {tabled!r}; give 'auto', None or predicates such as ('path', 2)")
        self._tabled = (
            tabled_predicates(program)
            if isinstance(tabled, str)
            else checked(program, tabled)
            if tabled is not None
            else frozenset()
        )
        self._compiled: Compiled | None = None
        self._idle: list[Machine] = []

    def __getstate__(self) -> dict[str, Any]:
        # the arrays of a machine share memory; copies would not
        return vars(self) | {"_idle": []}

    # questions

    def prove(self, goal: Goal, proofs: bool = True) -> Answers:
        """Yield answers to a query lazily.

        Parameters
        ----------
        goal : Literal, sequence of Literal, or str
            Goal; several literals are proved as a conjunction.
        proofs : bool, default=True
            Whether to keep the proof of each answer.
        """
        return Answers(self._search(_literals(goal), proofs))

    def first(self, goal: Goal) -> Answer | None:
        """Return the first answer with its proof; None if there is none within the limits."""
        return self.prove(goal).first()

    def holds(self, goal: Goal) -> bool:
        """Return whether there is a proof within the limits."""
        from induce.logic.compiler import goal_of

        with self._machine() as machine:
            machine.begin([goal_of(literal) for literal in _literals(goal)], logged=False)
            return machine.advance()

    def holds_each(self, goals: Sequence[Literal | Sequence[Literal]]) -> NDArray[np.bool_]:
        """Return, for each of many goals, whether there is a proof.

        The limits apply to each goal, except for the time limit, which applies to all goals together. Goals
        not proved within the limits count as false.

        Examples
        --------
        >>> from induce.logic import parse_literal, parse_program
        >>> prover = Prover(parse_program("even(0). even(s(s(X))) :- even(X)."))
        >>> prover.holds_each([parse_literal("even(s(s(0)))"), parse_literal("even(s(0))")])
        array([ True, False])
        """
        if not len(goals):
            return np.zeros(0, bool)
        with self._machine() as machine:
            batch = machine.begin_many([(goal, ()) for goal in goals], keep=False)
            machine.advance()
            held: NDArray[np.bool_] = batch.results == 1
            return held

    def inferences_each(self, goals: Sequence[Literal | Sequence[Literal]]) -> NDArray[np.int64]:
        """Return, for each of many goals, the number of inferences until it is proved or abandoned.

        An inference is a call of a predicate that is defined by clauses or facts.

        Examples
        --------
        >>> from induce.logic import parse_literal, parse_program
        >>> prover = Prover(parse_program("even(0). even(s(s(X))) :- even(X)."))
        >>> prover.inferences_each([parse_literal("even(0)"), parse_literal("even(s(s(0)))")])
        array([1, 2])
        """
        from induce.logic.compiler import goal_of

        counted = np.zeros(len(goals), np.int64)
        with self._machine() as machine:
            for place, goal in enumerate(goals):
                machine.begin([goal_of(literal) for literal in _literals(goal)], logged=False)
                machine.advance()
                counted[place] = machine.inferences
        return counted

    def solutions_each(
        self,
        predicate: Predicate,
        bound: Sequence[int],
        rows: Sequence[Sequence[Term]],
        limits: Limits | None = None,
    ) -> Solutions:
        """Return the solutions of many calls of one predicate.

        Parameters
        ----------
        predicate : (str, int)
        bound : sequence of int
            Positions of the given arguments, counted from 0.
        rows : sequence of sequence of Term
            Given arguments of each call.
        limits : Limits, optional
            Limits of each call; those of the prover by default.

        Examples
        --------
        >>> from induce.logic import parse_program, parse_term
        >>> prover = Prover(parse_program(""))
        >>> solutions = prover.solutions_each(("append", 3), [2], [[parse_term("[a]")], [parse_term("[]")]])
        >>> [[tuple(map(str, each)) for each in found] for found in solutions.found]
        [[('[]', '[a]'), ('[a]', '[]')], [('[]', '[]')]]
        """
        name, arity = predicate
        if any(not 0 <= place < arity for place in bound) or len(set(bound)) < len(bound):
            raise InputError(f"bound is {list(bound)}; give different positions between 0 and {arity - 1}")
        free = [place for place in range(arity) if place not in bound]
        outputs = [Variable(f"_{place}") for place in free]
        goals: list[tuple[Literal, Sequence[Variable]]] = []
        for number, row in enumerate(rows):
            if len(row) != len(bound):
                raise InputError(f"row {number} has {len(row)} terms; it needs {len(bound)}")
            given = dict(zip((*bound, *free), (*row, *outputs), strict=True))
            goals.append((Literal(name, tuple(given[place] for place in range(arity))), outputs))
        if not goals:
            return Solutions((), np.zeros(0, bool), 0)
        found: list[list[tuple[Term, ...]]] = [[] for _ in goals]
        dropped = 0
        with self._machine(limits) as machine:
            batch = machine.begin_many(goals, keep=True)
            machine.advance()
            for number, terms in machine.solutions():
                if terms is None:
                    dropped += 1
                else:
                    found[number].append(terms)
            work = machine.inferences, machine.answer_cells
            return Solutions(tuple(map(tuple, found)), batch.results == 0, dropped, *work)

    def extended(self, program: Program) -> Prover:
        """Return a prover with additional clauses after the existing ones; compiled parts are shared.

        Examples
        --------
        >>> from induce.logic import parse_program
        >>> prover = Prover(parse_program("p(a)."))
        >>> prover.extended(parse_program("p(b).")).holds("p(b)"), prover.holds("p(b)")
        (True, False)
        """
        base = self._compile()
        new = Prover(self.program + program, **self._options())
        new._compiled = base.extended(new._definitions(frozenset(program.by_predicate)))
        new._describe_tabled(self._tabled)
        return new

    def with_options(self, **options: Any) -> Prover:
        """Return a prover of the same program with some other options; compiled parts are shared.

        Examples
        --------
        >>> from induce.logic import parse_program
        >>> Prover(parse_program("p(a).")).with_options(unknown="fail").holds("q(a)")
        False
        """
        base = self._compile()
        new = Prover(self.program, **(self._options() | options))
        # the treatment of unknown predicates and tabling both affect the compiled properties of predicates
        new._compiled = base.extended(())
        new._describe_tabled(self._tabled)
        return new

    # machinery

    def _options(self) -> dict[str, Any]:
        return {
            "facts": self.facts,
            "occurs_check": self.occurs_check,
            "tabled": self.tabled,
            "limits": self.limits,
            "unknown": self.unknown,
        }

    def _describe_tabled(self, before: frozenset[Predicate]) -> None:
        """Update the compiled properties of predicates whose tabling has changed."""
        from induce.logic import _machine_loops as loops

        for predicate in before ^ self._tabled:
            self._compile().describe(predicate, loops.Y_KIND, self._kind(predicate))

    def _search(self, goals: tuple[Literal, ...], proofs: bool) -> Iterator[Answer | str | None]:
        from induce.logic.compiler import goal_of
        from induce.logic.proof_builder import Explaining

        found = 0
        with self._machine() as machine:
            addresses = machine.begin([goal_of(goal) for goal in goals], proofs)
            explaining = Explaining(self.program, machine)
            while machine.advance():
                reading = machine.reading()
                values = {each: reading.term(addresses[each] << 3) for each in variables_of(goals)}
                substitution = Substitution({each: value for each, value in values.items() if value != each})
                taken = machine.inferences
                yield Answer(substitution, explaining.proofs(reading) if proofs else (), taken)
                found += 1
                if found == self.limits.solutions:
                    yield "solutions"
                    return
                machine.retry()
            stopped = machine.stopped
        yield stopped

    @contextmanager
    def _machine(self, limits: Limits | None = None) -> Iterator[Machine]:
        """Borrow a machine for a query."""
        from induce.logic.machine import Machine

        program = self._compile()
        limits = limits or self.limits
        machine = (
            self._idle.pop() if self._idle else Machine(program, self.occurs_check, self.unknown == "fail")
        )
        machine.limit(limits)
        try:
            yield machine
        except GeneratorExit:  # no more answers are requested
            self._idle.append(machine)
            raise
        else:
            self._idle.append(machine)
        finally:
            # the tables are worth keeping, the memory of a large search is not
            if self._idle and self._idle[-1].size > LARGE:
                self._idle.pop()

    def _compile(self) -> Compiled:
        if self._compiled is None:
            self._compiled = _library().extended(self._definitions(None))
        return self._compiled

    def _kind(self, predicate: Predicate) -> int:
        from induce.logic import _machine_loops as loops

        return loops.K_TABLED if predicate in self._tabled else loops.K_USER

    def _definitions(self, only: frozenset[Predicate] | None) -> Iterator[Definition]:
        """Yield the definitions of all or some predicates of the program."""
        from induce.logic.builtins import CONTROL
        from induce.logic.compiler import Definition

        numbered: dict[Predicate, list[tuple[int, Clause]]] = {}
        for number, clause in enumerate(self.program.clauses):
            if clause.head is not None:
                numbered.setdefault(clause.head.predicate, []).append((number, clause))
        for predicate in dict.fromkeys((*self.facts, *numbered, *_dynamic(self.program))):
            if only is not None and predicate not in only:
                continue
            if predicate in CONTROL:
                raise InputError(
                    f"{written(predicate)} is a control construct, which a program cannot redefine"
                )
            yield Definition(
                predicate, numbered.get(predicate, ()), self.facts.get(predicate), self._kind(predicate)
            )


@lru_cache(maxsize=1)
def _library() -> Compiled:
    """Return the predicates available to every program."""
    from induce.logic import _machine_loops as loops
    from induce.logic.builtins import CONTROL, LOOPED, LOOPED_FUNCTIONS, PYTHON
    from induce.logic.compiler import Compiled, Definition
    from induce.logic.library import HELPER, PRIVATE, library

    kinds = CONTROL | LOOPED | {(name, n): loops.K_PYTHON for name, n in PYTHON if not name.endswith(HELPER)}
    kinds |= {(PRIVATE + name, n): loops.K_PYTHON for name, n in PYTHON}
    definitions = []
    for (name, n), clauses in library().items():
        private = PRIVATE + name, n
        aliases = [] if name.endswith(HELPER) else [(name, n)]
        numbered = [(-1, clause) for clause in clauses]
        definitions.append(Definition(private, numbered, library=True, aliases=aliases))
    return Compiled(kinds, LOOPED_FUNCTIONS).extended(definitions)


def _literals(goal: Goal) -> tuple[Literal, ...]:
    if isinstance(goal, str):
        from induce.logic.parsing import goals_of, parse_term

        return goals_of(parse_term(goal))
    if isinstance(goal, Literal):
        return (goal,)
    found = tuple(goal)
    for each in found:
        if not isinstance(each, Literal):
            raise TypeError(
                "a goal is a Literal, several of them or text, not a "
                f"{type(each).__name__}; give one of these"
            )
    if not found:
        raise InputError("the goal is empty; give a literal to prove")
    return found


def _dynamic(program: Program) -> Iterator[Predicate]:
    """Yield the predicates that directives declare as dynamic or similar, so that they may have no clauses."""
    for directive in program.directives:
        if not isinstance(directive, Function) or directive.name not in ("dynamic", "discontiguous", "table"):
            continue
        waiting = list(directive.arguments)
        while waiting:
            term = waiting.pop()
            if not isinstance(term, Function):
                continue
            elements, _ = unlisted(term)
            if elements:
                waiting.extend(elements)
            elif term.name == ",":
                waiting.extend(term.arguments)
            elif term.name == "/" and len(term.arguments) == 2:
                name, arity = (each.value if isinstance(each, Constant) else None for each in term.arguments)
                if isinstance(name, str) and isinstance(arity, int):
                    yield name, arity
