"""The most specific clause of an example: all its background facts, within modes and depth (§10.7.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from induce.core.errors import InputError
from induce.core.notes import note
from induce.logic.background.modes import Mode
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.bindings import Coverage
from induce.logic.coverage.examples import variable
from induce.logic.facts import Facts
from induce.logic.terms import Term, Variable
from induce.relational.clauses.literals import is_comparison
from induce.relational.progol.saturation import Cuts, Draft


@dataclass(frozen=True)
class BottomClause:
    """Most specific clause of an example, with the variables that each literal requires.

    Parameters
    ----------
    seed : Literal
        The example.
    head : Literal
        Head of the clause.
    literals : tuple of Literal
        Body literals; each comes after those it depends on.
    needs : tuple of set of Variable
        Variables of each literal that the head or other literals must bind.
    known : set of Variable
        Head variables that are known from the start.
    fixed : tuple of int
        Literals that every clause must contain: the constants of the head.
    cut : bool
        Whether the maximum number of literals was exceeded.

    Examples
    --------
    The bottom clause of the book's grandchild example (Mitchell, Figure 10.3) is the definition itself:

    >>> from induce.logic.background.relations import Relations
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
        """Return the clause of the given literals, all by default, with its variables named in order."""
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

    A literal is included if it holds for the example and its inputs are already variables of the clause. Its
    outputs are the variables of their values, or new ones. The construction ends after `depth` rounds. Equal
    arguments of the head keep separate variables, and a literal states their equality. At least one of two
    objects that must differ is an argument of the head.

    Parameters
    ----------
    example : Literal
        Ground example of the target.
    coverage : Coverage
        The background.
    head : Mode
        Mode of the head. An output argument must also be an output of a literal; a ``#`` argument is a
        constant.
    modes : sequence of Mode
        Modes of the body. They may include comparisons (``=<``, ``>``, ``\\=``, …); a comparison with a ``#``
        takes its number from `cuts`.
    depth : int, default=2
        Maximum depth: number of literals from the head to a literal, itself included. Comparisons do not
        count.
    max_literals : int, default=1000
        Maximum number of literals; a note reports when the limit is exceeded.
    cuts : callable, optional
        Function that returns the thresholds for a variable.
    denied : Facts, optional
        Known negative examples of the target: a recursive literal whose arguments are all inputs may call any
        other tuple.
    """
    found = Saturation(coverage, head, modes, depth, max_literals, cuts, denied).of(example)
    if found.cut:
        note(
            f"the most specific clause of {example} has more than {max_literals} literals; the others "
            "are left out; restrict the modes, lower depth or raise max_literals"
        )
    return found


@dataclass(frozen=True)
class Saturation:
    """Builder of the most specific clauses of examples; see `bottom_clause`."""

    coverage: Coverage
    head: Mode
    modes: Sequence[Mode]
    depth: int = 2
    max_literals: int = 1000
    cuts: Cuts | None = None
    denied: Facts | None = None
    equality: bool = True
    """Whether literals may state the equality of head arguments."""

    def __post_init__(self) -> None:
        for mode in self.modes:
            signs = [argument[0] for argument in mode.arguments]
            if is_comparison(mode) and signs not in (["+", "+"], ["+", "#"]):
                raise InputError(
                    f"the mode {mode} compares unknown values; declare {mode.name}(+type, +type) or "
                    f"{mode.name}(+type, #type)"
                )

    def of(self, example: Literal) -> BottomClause:
        """Return the most specific clause of an example."""
        draft = Draft(
            self.coverage, self.head, self.depth, self.max_literals, self.cuts, self.denied, example
        )
        draft.start(self.equality)
        for layer in range(1, self.depth + 1):
            for mode in self.modes:
                if not is_comparison(mode):
                    draft.call(mode, layer)
        for mode in self.modes:
            if is_comparison(mode):
                draft.compare(mode)
        literals = [*draft.literals]
        return BottomClause(
            example,
            draft.head,
            tuple(literals),
            tuple(draft.literals.values()),
            draft.known(),
            tuple(literals.index(literal) for literal in draft.fixed),
            draft.cut,
        )
