"""A production system with preferences, impasses and chunking (Laird, Rosenbloom & Newell 1986; Mitchell §11.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from induce.analytical.chunking.chunks import Chunk, Refused
from induce.analytical.chunking.productions import Production, check, productions_of
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.logic.clauses import Literal
from induce.logic.parsing import parse_program

if TYPE_CHECKING:
    from induce.analytical.chunking.runs import Subgoals


@dataclass(frozen=True)
class Impasse:
    """Impasse, and its resolution by the subgoal.

    Parameters
    ----------
    kind : {"tie", "conflict", "no change"}
    items : tuple of str
        Candidate operators.
    chosen : str
        Selected operator, or the operator implemented in the subgoal; empty if the impasse was not resolved.
    how : str
        Source of the resolution within the subgoal.
    chunks : tuple of Chunk
        Chunks learned.
    refused : tuple of Refused
        Results without a chunk, with the reasons.
    """

    kind: str
    items: tuple[str, ...]
    chosen: str
    how: str
    chunks: tuple[Chunk, ...] = ()
    refused: tuple[Refused, ...] = ()

    def __str__(self) -> str:
        among = f" among {', '.join(self.items)}" if self.items else ""
        return f"{self.kind}{among}: {self.chosen or 'not resolved'}, {self.how}"


@dataclass(frozen=True)
class Run:
    """Result of running a production system.

    Parameters
    ----------
    operators : tuple of str
        Operators applied.
    impasses : tuple of Impasse
    reached : bool
        Whether ``success`` holds at the end.
    facts : tuple of str
        Facts at the end.
    n_situations : int
        Number of situations visited, including those in look-ahead.
    work : dict of str to float
        Matching cost of each production.
    system : ProductionSystem
        System including the chunks learned in this run.
    """

    operators: tuple[str, ...]
    impasses: tuple[Impasse, ...]
    reached: bool
    facts: tuple[str, ...]
    n_situations: int
    work: dict[str, float]
    system: ProductionSystem

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """Chunks learned in this run."""
        return tuple(chunk for impasse in self.impasses for chunk in impasse.chunks)

    @property
    def refused(self) -> tuple[Refused, ...]:
        """Results without a chunk."""
        return tuple(one for impasse in self.impasses for one in impasse.refused)

    def __str__(self) -> str:
        end = "success" if self.reached else "no success"
        lines = [
            f"{end} after {', '.join(self.operators)}" if self.operators else f"{end} without an operator",
            f"impasses: {len(self.impasses)}, situations visited: {self.n_situations}",
        ]
        for impasse in self.impasses:
            lines.append(f"   {impasse}")
            lines.extend(f"      chunk: {one}" for one in impasse.chunks)
            lines.extend(f"      {one}" for one in impasse.refused)
        return "\n".join(lines)


@dataclass(frozen=True)
class ProductionSystem(Hypothesis):
    """Production system with preferences, whose impasses are learned from.

    Productions are clauses. ``propose(O)`` proposes an operator; ``best(O)``, ``worst(O)``, ``reject(O)``,
    ``indifferent(O)`` and ``better(O, P)`` state preferences. ``add(F)`` and ``remove(F)`` state the changes
    made by an operator that is ``selected(O)``. Any other head is derived while its conditions hold. The run
    ends when ``success`` holds.

    A subgoal opens if preferences leave several operators (tie), contradict each other (conflict), or nothing
    happens (no change). It contains all facts and ``impasse(Kind)``, ``item(O)`` for each operator in
    question, or ``task(O)`` for an operator that no production applies. Conclusions that productions draw
    from these resolve the impasse. Otherwise the operators are tried in look-ahead: one that leads to
    ``success`` is best, one that leads to ``failure`` is rejected, and one with a higher ``value(V)`` is
    better. A task is carried out by further operators until ``done`` holds.

    The result becomes a chunk: its dependence on the facts before the impasse is found by regression through
    the productions that fired. No chunk is learned if the result depends on something that a chunk cannot
    test.

    Parameters
    ----------
    prolog : str
        Productions as Prolog text.
    chunks : tuple of Chunk, default=()
        Chunks learned so far.

    References
    ----------
    J. E. Laird, P. S. Rosenbloom and A. Newell (1986). Chunking in Soar: the anatomy of a general learning mechanism.
    Machine Learning 1, 11-46.

    Examples
    --------
    >>> system = ProductionSystem('''
    ...     propose(go(Y)) :- at(X), door(X, Y).
    ...     add(at(Y)) :- selected(go(Y)).
    ...     remove(at(X)) :- selected(go(Y)), at(X).
    ...     success :- at(X), treasure(X).
    ... ''')
    >>> first = system.run("at(hall). door(hall, attic). door(hall, cellar). treasure(cellar). dark(attic).")
    >>> print(*first.chunks)
    best(go(A)) :- propose(go(A)), treasure(A).
    >>> second = first.system.run("at(hut). door(hut, yard). door(hut, barn). treasure(barn).")
    >>> print(second)
    success after go(barn)
    impasses: 0, situations visited: 2
    """

    prolog: str
    chunks: tuple[Chunk, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "chunks", tuple(self.chunks))
        self.check()

    def check(self) -> None:
        """Raise an `InputError` unless the productions and chunks form a valid system."""
        check(self.productions)

    @cached_property
    def productions(self) -> tuple[Production, ...]:
        """Productions followed by chunks."""
        return (*productions_of(self.prolog), *(Production.of(one.clause) for one in self.chunks))

    def with_chunks(self, chunks: Iterable[Chunk]) -> ProductionSystem:
        """Return the system with the given chunks."""
        return replace(self, chunks=tuple(dict.fromkeys((*self.chunks, *chunks))))

    def without_chunks(self) -> ProductionSystem:
        """Return the system without its chunks."""
        return replace(self, chunks=())

    def run(
        self,
        facts: str | Iterable[Literal],
        *,
        learn: bool = True,
        max_decisions: int = 100,
        max_depth: int = 6,
        max_situations: int = 10_000,
        max_cost: float | None = None,
    ) -> Run:
        """Select and apply operators until ``success`` holds.

        Parameters
        ----------
        facts : str or iterable of Literal
            Initial working memory, as Prolog facts.
        learn : bool, default=True
            Whether results of subgoals become chunks, which are used immediately.
        max_decisions : int, default=100
            Maximum number of operators applied.
        max_depth : int, default=6
            Maximum number of operators in a look-ahead path.
        max_situations : int, default=10_000
            Maximum number of situations in the look-ahead of one subgoal.
        max_cost : float, optional
            Maximum cost of matching a chunk against the facts it was learned from; a more expensive chunk is
            rejected.
        """
        from induce.analytical.chunking.runs import Subgoals

        runner: Subgoals = Subgoals(
            self,
            learn=learn,
            max_decisions=max_decisions,
            max_depth=max_depth,
            max_situations=max_situations,
            max_cost=max_cost,
        )
        return runner.run(facts_of(facts))

    def size(self) -> str:
        """Return the number of productions and the number of chunks."""
        n = len(self.productions) - len(self.chunks)
        return f"{n} productions, {len(self.chunks)} chunk{'' if len(self.chunks) == 1 else 's'}"

    def parts(self) -> Parts:
        """Return the number of conditions and conclusions."""
        return Parts(sum(1 + len(one.clause.body) for one in self.productions), "conditions and conclusions")

    def justify(self) -> str:
        """Return a text that describes the origin of each chunk."""
        return "\n".join(chunk.justify() for chunk in self.chunks)

    def __str__(self) -> str:
        lines = [str(one.clause) for one in self.productions[: len(self.productions) - len(self.chunks)]]
        if self.chunks:
            lines += ["% chunks", *map(str, self.chunks)]
        return "\n".join(lines)


def facts_of(facts: str | Iterable[Literal]) -> tuple[Literal, ...]:
    """Return facts given as text or as literals."""
    if isinstance(facts, str):
        clauses = parse_program(facts).clauses
        for clause in clauses:
            if clause.head is None or clause.body:
                raise InputError(f"the working memory holds only facts, not {clause}; give facts")
        facts = [clause.head for clause in clauses if clause.head is not None]
    found = tuple(facts)
    for fact in found:
        if not isinstance(fact, Literal):
            raise InputError(f"a fact is a Literal or Prolog text, not {fact!r}; give one of these")
        if not fact.ground or fact.negated:
            raise InputError(
                f"{fact} is negated or has variables, so it is not a fact; give a ground positive literal"
            )
    return found
