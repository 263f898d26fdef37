"""Ensembles as expressions: sums over the votes of their members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.values import plain
from induce.ensembles.steps import Steps as StepFunction
from induce.ensembles.steps import votes_of_stump
from induce.ensembles.stumps import is_stump
from induce.hypotheses.exporting import Expressed
from induce.hypotheses.expressions.nodes import (
    Case,
    Cell,
    Comparison,
    Constant,
    Descent,
    Expression,
    Largest,
    Let,
    LookUp,
    Maximum,
    Product,
    Steps,
    Sum,
    Variable,
    Vector,
    WeightedSum,
)
from induce.hypotheses.expressions.shapes import one_hot, with_outcomes

if TYPE_CHECKING:
    from induce.ensembles.averaged import NumberEnsemble
    from induce.ensembles.hypothesis import Ensemble

LARGEST = 1e300


def votes_of(ensemble: Ensemble) -> Expression:
    """Return the class with the largest sum of votes or of probabilities as an expression."""
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
    """Return a step function of one column with constant steps."""
    cell = Cell(steps.column)
    if steps.column.kind == "nominal":
        return LookUp(cell, steps.says, steps.unseen, steps.missing)
    return Steps(cell, steps.ends, steps.says, steps.missing)


def _votes(ensemble: Ensemble, member: Any, weight: float) -> Expression:
    """Return a vector with the weight of a member in the position of the class that it predicts."""

    if is_stump(member) and member.n_nodes > 1:
        return _of_stump(ensemble, member, weight)
    if not isinstance(member, Expressed):
        raise InputError(f"cannot export the ensemble: its member {type(member).__name__} cannot be exported")

    def vote(said: Any) -> Constant:
        return one_hot(said.value, ensemble.classes, weight)

    return with_outcomes(member.expression(), vote)


def _of_stump(ensemble: Ensemble, stump: Any, weight: float) -> Expression:
    """Return the votes of a stump as a step function."""
    steps = votes_of_stump(stump, divides=ensemble.divides)
    own = list(map(plain, stump.classes))
    places = [own.index(plain(value)) if plain(value) in own else -1 for value in ensemble.classes]

    def vote(given: Any) -> Constant:
        return Constant(tuple(weight * given[k] if k >= 0 else 0.0 for k in places))

    says = tuple(map(vote, steps.says))
    return step_function(
        StepFunction(steps.column, steps.ends, says, vote(steps.missing), vote(steps.unseen))
    )


def _shares(ensemble: Ensemble, member: Any, weight: float) -> Expression:
    """Return the probabilities of a tree times its weight."""
    said = member.expression() if isinstance(member, Expressed) else None
    if not (isinstance(said, Largest) and isinstance(said.scores, Descent)):
        raise InputError(
            "cannot export an ensemble that adds probabilities, unless its members are trees; use combine='vote'"
        )
    leaves: tuple[Any, ...] = said.scores.says
    own = [plain(each.value) for each in said.says]
    places = [own.index(plain(value)) if plain(value) in own else -1 for value in ensemble.classes]
    says = tuple(
        Constant(tuple(weight * each.value[k] if k >= 0 else 0.0 for k in places)) for each in leaves
    )
    return Descent(said.scores.splits, says)


def mean_of(ensemble: NumberEnsemble) -> Expression:
    """Return the weighted mean of members as an expression."""
    weights = ensemble.weights.tolist()
    each_of = Constant(1.0 / float(ensemble.weights.sum()))
    said = [_told(member) for member in ensemble.members]
    if not all(isinstance(each, Descent) and _are_numbers(each.says) for each in said):
        return Product((each_of, WeightedSum(0.0, tuple(weights), tuple(said))))
    terms = []
    for weight, each in zip(weights, said, strict=True):
        assert isinstance(each, Descent)
        leaves: Any = each.says
        terms.append(Descent(each.splits, tuple(Constant(weight * leaf.value) for leaf in leaves)))
    return Product((each_of, Sum(tuple(terms))))


def median_of(ensemble: NumberEnsemble) -> Expression:
    """Return the weighted median as an expression: the smallest prediction that reaches half of the weight."""
    weights = ensemble.weights.tolist()
    names = [f"member_{k + 1}" for k in range(len(weights))]
    said = [Variable(name) for name in names]
    half = Constant(0.5 * float(ensemble.weights.sum()))
    candidates = []
    for number in said:
        up_to = Sum(
            tuple(
                Case(((Comparison(other, "<=", number), Constant(weight)),), Constant(0.0))
                for other, weight in zip(said, weights, strict=True)
            )
        )
        less = Product((Constant(-1.0), number))
        candidates.append(Case(((Comparison(up_to, ">=", half), less),), Constant(-LARGEST)))
    found: Expression = Product((Constant(-1.0), Maximum(Vector(tuple(candidates)))))
    for name, member in reversed(list(zip(names, ensemble.members, strict=True))):
        found = Let(name, _told(member), found)
    return found


def _told(member: Any) -> Expression:
    if not isinstance(member, Expressed):
        raise InputError(f"cannot export the ensemble: its member {type(member).__name__} cannot be exported")
    return member.expression()


def _are_numbers(says: tuple[Expression, ...]) -> bool:
    return all(isinstance(said, Constant) and isinstance(said.value, float) for said in says)
