"""Aleph modes with a structure or a negation, and modes of comparisons under a different name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from induce.core.notes import note
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.coverage.examples import variable
from induce.logic.terms import Constant, Function, Term
from induce.logic.written_forms import WRITTEN_OUT

SIGNS = ("+", "-", "#")
NEGATIONS = ("not", "\\+")
COMPARED: dict[str, Callable[[float, float], bool]] = {
    "=<": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
}
SAMPLE = (-2, -0.5, 0, 1, 1.5, 3)


@dataclass(frozen=True)
class Form:
    """Mode of a plain literal, and the clause that expands it, such as ``A = [B|C]`` or ``\\+ p(A, B)``.

    Learners use the plain literal; theories contain its expansion.
    """

    mode: Mode
    clause: Clause

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """Predicates whose determinations allow the form."""
        inner = self.clause.body[0]
        return (inner.predicate, ("not", 1), ("\\+", 1)) if inner.negated else (inner.predicate,)


def form_of(literal: Term) -> Form | None:
    """Return the form of a mode with a structure or a negation; None if the mode is not recognised.

    Examples
    --------
    >>> from induce.logic.parsing import parse_term
    >>> form = form_of(parse_term("+list = [-any|-list]"))
    >>> print(form.clause.body[0], form.mode.arguments)
    A = [B|C] ('+list', '-any', '-list')
    """
    if not isinstance(literal, Function):
        return None
    inner: Term = literal
    negated = literal.name in NEGATIONS and len(literal.arguments) == 1
    if negated:
        inner = literal.arguments[0]
    if not isinstance(inner, Function):
        return None
    signs: list[tuple[str, Term]] = []

    def opened(term: Term) -> Term:
        if isinstance(term, Function) and term.name in SIGNS and len(term.arguments) == 1:
            kind = term.arguments[0]
            signs.append(
                (f"{term.name}{kind.value if isinstance(kind, Constant) else kind}", variable(len(signs)))
            )
            return signs[-1][1]
        if isinstance(term, Function):
            return Function(term.name, tuple(map(opened, term.arguments)))
        return term

    body = Literal(inner.name, tuple(map(opened, inner.arguments)), negated)
    if (
        negated
    ):  # an unbound variable may take any value: the negation holds if no value satisfies the literal
        if any(sign[0] == "#" for sign, _ in signs):
            return None
        signs = [(sign, term) for sign, term in signs if sign[0] == "+"]
    if not any(sign[0] == "+" for sign, _ in signs):
        return None
    name = f"{WRITTEN_OUT}{literal}"
    mode = Mode(name, tuple(sign for sign, _ in signs))
    return Form(mode, Clause(Literal(name, tuple(term for _, term in signs)), (body,)))


def comparing(mode: Mode, background: Relations, name: str) -> Mode:
    """Return the comparison mode that a predicate with lazy constants implements, or the mode unchanged.

    Aleph finds the constant of such a predicate during the search; learners here find thresholds themselves.
    """
    if len(mode.arguments) == 2 and not mode.head:
        prover = background.prover()
        pairs = [(a, b) for a in SAMPLE for b in SAMPLE]
        goals = [Literal(mode.name, (Constant(a), Constant(b))) for a, b in pairs]
        holds = prover.holds_each(goals).tolist() if mode.predicate in background.predicates() else []
        for sign, test in COMPARED.items():
            if holds == [test(a, b) for a, b in pairs]:
                note(f"{name}: {mode} is the comparison {sign}, whose constants are found from the examples")
                return Mode(sign, mode.arguments, mode.recall)
    note(
        f"{name}: lazy_evaluate({mode.name}/{len(mode.arguments)}) is not run; constants are taken "
        "from the examples"
    )
    return mode
