"""Language of clauses declared by modes, types and constraints (Mitchell §10.7.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from induce.logic.background.kinds import ANY, fits
from induce.logic.background.modes import Mode
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.coverage.examples import Examples
from induce.logic.terms import Term, Variable
from induce.logic.written_forms import standing_for
from induce.relational.clauses.constraints import EVERY_HEAD_VARIABLE, NO_SINGLETON, Constraints

Types = dict[Variable, str]
MOST_SPOKEN_OF = 3
"""Maximum arity of a target for which clauses that use all its arguments are sought first."""


@dataclass(frozen=True, eq=False)
class Language:
    """Declared language of clauses: decides which clauses may be learned for the given examples.

    Without modes for the target, every clause may be learned. With them, each body literal must follow a
    mode: ``+`` is a variable of the head or of an earlier literal, of a compatible type, ``-`` any variable,
    ``#`` a constant. Negations, comparisons and constants without a mode are excluded, and outputs of the
    head must be bound in the body.

    Parameters
    ----------
    examples : Examples
    texts : sequence of str
        Constraints, as `Constraints` reads them.
    recursion : bool
        Whether the learner allows recursive calls without a mode for them.

    Examples
    --------
    >>> import numpy as np
    >>> from induce.logic.background.relations import Relations
    >>> from induce.logic.parsing import parse_clause
    >>> modes = [Mode("grand", ("+person", "+person"), head=True), Mode("mother", ("+person", "-person"))]
    >>> family = Relations(program="mother(ann, bea). mother(bea, cal).", modes=modes)
    >>> rows = np.array([[0, 2]])
    >>> examples = Examples(("grand", 2), ("x", "y"), ("person", "person"), rows, rows[:, 0] >= 0, family)
    >>> bodies = "mother(A, C), mother(C, B)", "mother(C, B)", "mother(A, bea)", "A \\\\= B"
    >>> [Language(examples).allows(parse_clause(f"grand(A, B) :- {body}.")) for body in bodies]
    [True, False, False, False]
    """

    examples: Examples
    texts: Sequence[str] = ()
    recursion: bool = False
    constraints: Constraints = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "constraints", Constraints(self.texts, self.examples.relations))

    @property
    def free(self) -> bool:
        """Whether nothing is declared, so that there is nothing to check."""
        return not self.examples.declared and not self.constraints

    def allows(self, clause: Clause) -> bool:
        """Return whether a clause may be learned."""
        if self.examples.declared and not self.follows_modes(clause):
            return False
        return not self.constraints.forbids(clause, self.kinds)

    def excludes_longer(self, clause: Clause) -> bool:
        """Return whether no clause with these literals, and possibly more, may be learned."""
        return bool(self.constraints) and self.constraints.forbids_longer(clause, self.kinds)

    def ways(self) -> list[Language]:
        """Return the languages to try, in order, while examples remain uncovered.

        A clause that does not use an argument holds for all its values. If the target has two or three
        arguments, clauses that use all of them and have no singleton variable are tried first. With more
        arguments, such as the squares of a board, a clause typically uses only some.
        """
        several = 1 < self.examples.target[1] <= MOST_SPOKEN_OF
        if not self.examples.declared or not several or EVERY_HEAD_VARIABLE in self.texts:
            return [self]
        return [
            Language(self.examples, (*self.texts, EVERY_HEAD_VARIABLE, NO_SINGLETON), self.recursion),
            self,
        ]

    def follows_modes(self, clause: Clause, whole: bool = True) -> bool:
        """Return whether the head and the literals of a clause, in their order, follow modes.

        The outputs of the head must be bound if the clause is complete.
        """
        assert clause.head is not None
        heads = [one for one in self.examples.relations.modes if one.head]
        return any(
            (types := _matched(mode, clause.head, {}, head=True)) is not None
            and self._body(clause.body, types, self._outputs(mode, clause.head), whole)
            for mode in heads
            if mode.predicate == self.examples.target
        )

    def lawful(self, clause: Clause) -> Clause:
        """Return a clause without the literals that do not follow a mode given the preceding ones."""
        assert clause.head is not None
        if not self.examples.declared:
            return clause
        known: Types = dict(zip(_variables(clause.head), self.examples.types, strict=False))
        kept = []
        for literal in clause.body:
            ways = (_matched(mode, literal, known) for mode in self._modes.get(literal.predicate, ()))
            types = next((one for one in ways if one is not None), None)
            if types is not None and not literal.negated:
                known = types
                kept.append(literal)
        return Clause(clause.head, tuple(kept))

    def _outputs(self, mode: Mode, head: Literal) -> set[Variable]:
        return {one for place in mode.places("-") if isinstance(one := head.arguments[place], Variable)}

    def _body(self, body: Sequence[Literal], known: Types, wanted: set[Variable], whole: bool) -> bool:
        """Return whether literals follow modes, given the types of known variables and outputs still unbound."""
        if not body:
            return not (wanted and whole)
        first, *rest = body
        if first.negated or first.predicate not in self._modes:
            folded = standing_for(first, self.examples.relations.rules.by_predicate)
            if folded is None:
                return False
            first = folded
        free = {name: kind for name, kind in known.items() if name not in wanted}
        for mode in self._modes.get(first.predicate, ()):
            types = _matched(mode, first, free)
            if types is None:
                continue
            told = {name: kind for name, kind in known.items() if name in wanted}
            if all(fits(types.get(name, kind), kind) for name, kind in told.items()) and self._body(
                rest, {**told, **types}, wanted - {*first.variables()}, whole
            ):
                return True
        return False

    @cached_property
    def _modes(self) -> dict[Predicate, list[Mode]]:
        found: dict[Predicate, list[Mode]] = {}
        for mode in self.examples.relations.modes:
            if not mode.head:
                found.setdefault(mode.predicate, []).append(mode)
        target = self.examples.target
        if self.recursion and target not in found:
            found[target] = [Mode(target[0], tuple(f"-{kind}" for kind in self.examples.types))]
        return found

    @cached_property
    def kinds(self) -> dict[Predicate, tuple[str, ...]]:
        """Types of the arguments of predicates."""
        told = {mode.predicate: mode.types for mode in self.examples.relations.modes}
        return {**self.examples.relations.kinds.types, **told, self.examples.target: self.examples.types}


def _matched(mode: Mode, literal: Literal, known: Types, head: bool = False) -> Types | None:
    """Return the types of all variables known after a literal that follows a mode; None if it does not."""
    types = dict(known)
    for argument, kind, term in zip(mode.arguments, mode.types, literal.arguments, strict=True):
        if (argument[0] == "#") != _constant(term):
            return None
        if argument[0] == "#":
            continue
        if not isinstance(term, Variable):
            return None
        if argument[0] == "+" and not head and term not in known:
            return None
        if term in types:
            if head or not fits(types[term], kind):
                return None
            types[term] = kind if types[term] == ANY else types[term]
        else:
            types[term] = kind
    return types


def _variables(head: Literal) -> list[Variable]:
    return [term for term in head.arguments if isinstance(term, Variable)]


def _constant(term: Term) -> bool:
    return not isinstance(term, Variable)
