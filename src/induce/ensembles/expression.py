"""Ensembles as expressions: a sum over what their members vote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.values import plain
from induce.ensembles.steps import Steps as StepFunction
from induce.ensembles.steps import steps_of
from induce.ensembles.stumps import is_stump
from induce.hypotheses.exporting import Expressed
from induce.hypotheses.expressions.nodes import (
    Cell,
    Constant,
    Descent,
    Expression,
    Largest,
    LookUp,
    Product,
    Steps,
    Sum,
)
from induce.hypotheses.expressions.shapes import one_hot, with_outcomes

if TYPE_CHECKING:
    from induce.ensembles.hypothesis import Ensemble


def votes_of(ensemble: Ensemble) -> Expression:
    """Return the class with the largest sum of votes, or of probabilities."""
    says = tuple(map(Constant, ensemble.classes))
    if len(says) == 1:
        return says[0]
    give = _votes if ensemble.combine == "vote" else _shares
    terms = [
        give(ensemble, member, weight)
        for member, weight in zip(ensemble.members, ensemble.weights.tolist(), strict=True)
    ]
    return Largest(Sum(tuple(terms)), says)


def step_function(steps: StepFunction) -> Expression:
    """Return a step function of one column, whose steps are constants already."""
    cell = Cell(steps.column)
    if steps.column.kind == "nominal":
        return LookUp(cell, steps.says, steps.unseen, steps.missing)
    return Steps(cell, steps.ends, steps.says, steps.missing)


def _votes(ensemble: Ensemble, member: Any, weight: float) -> Expression:
    """Return a vector with the weight of a member at the class that it predicts."""

    def vote(said: Any) -> Constant:
        return one_hot(said.value, ensemble.classes, weight)

    return with_outcomes(_said(member), vote)


def _said(member: Any) -> Expression:
    """Return what a member predicts; a stump is a step function."""
    if not (is_stump(member) and member.n_nodes > 1):
        if isinstance(member, Expressed):
            return member.expression()
        raise InputError(f"a {type(member).__name__} votes in the ensemble, and it cannot be exported")
    steps = steps_of(member)
    says = [Constant(member.classes[code]) for code in (*steps.says, steps.missing, steps.unseen)]
    return step_function(StepFunction(steps.column, steps.ends, tuple(says[:-2]), says[-2], says[-1]))


def _shares(ensemble: Ensemble, member: Any, weight: float) -> Expression:
    """Return the probabilities of a tree, times its weight."""
    said = member.expression() if isinstance(member, Expressed) else None
    if not (isinstance(said, Largest) and isinstance(said.scores, Descent)):
        raise InputError(
            "cannot export an ensemble that adds probabilities, unless its members are trees; use combine='vote'"
        )
    leaves: tuple[Any, ...] = said.scores.says
    own = [plain(each.value) for each in said.says]
    places = [own.index(plain(value)) if plain(value) in own else -1 for value in ensemble.classes]
    says = tuple(Constant(tuple(each.value[k] if k >= 0 else 0.0 for k in places)) for each in leaves)
    return Product((Constant(weight), Descent(said.scores.splits, says)))
