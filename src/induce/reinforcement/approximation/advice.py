"""Advice: rules that recommend actions, compiled into network units (Maclin and Shavlik 1996; Mitchell 13.8)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses.conditions import Condition, NumericCondition
from induce.hypotheses.expert_rules.rules import Antecedent
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.knowledge import Knowledge
from induce.reinforcement.approximation import _loops
from induce.reinforcement.approximation.features import Coding, Floats, Observations
from induce.reinforcement.approximation.models import Network, plan_of

WEIGHT = 4.0
"""Weight W of an antecedent (Mitchell, table 12.2)."""
NOISE = 0.01
"""Range of the initial weights of connections not stated by any rule."""
STATE = "state"
"""Column that holds the name of a listed state."""


@dataclass(frozen=True, eq=False)
class Advice:
    """Conjunctions of conditions on observations, each recommending an action.

    Parameters
    ----------
    conditions : tuple of Condition
        All conditions used by the rules; each becomes a 0/1 input feature.
    rules : tuple
        One entry per conjunction: the action's index, and the index of each condition with whether it is negated.
    schema : Schema
        Columns that the conditions refer to.
    """

    conditions: tuple[Condition, ...]
    rules: tuple[tuple[int, tuple[tuple[int, bool], ...]], ...]
    schema: Schema

    @classmethod
    def of(cls, known: Knowledge, seen: Observations, actions: tuple[str, ...]) -> Advice:
        """Build advice from rules whose conclusions are actions."""
        schema = columns_of(seen)
        theory = ExpertRules(schema, known.rules, known.concept, known.columns)
        letters = {_letters(name): k for k, name in enumerate(actions)}
        heads = [head for head in theory.by_head if _letters(head) in letters]
        strange = [head for head in theory.tops() if head not in heads]
        if strange:
            raise InputError(
                f"advice concludes {strange[0]!r}, which is not an action; the actions are {', '.join(actions)}"
            )
        places: dict[Condition, int] = {}
        rules = []
        for head in heads:
            for way in theory.unfolded(head):
                rules.append((letters[_letters(head)], tuple(_place(one, head, places) for one in way)))
        return cls(tuple(places), tuple(rules), schema)

    def coded(self, coding: Coding, seen: Observations) -> Coding:
        """Return the coding extended by one feature per advice condition."""
        n, m = coding.features, len(self.conditions)
        text = f"{coding.text}, and {m} condition{'s' if m > 1 else ''} of advice"
        wider: dict[str, Any] = {"features": n + m, "width": coding.width + m, "text": text}
        if seen.states:
            rows, amounts = coding.rows, coding.amounts
            if coding.kind == _loops.PLACE:
                rows, amounts = np.arange(n)[:, np.newaxis], np.ones((n, 1))
            truths = np.column_stack(
                [one.covers(encode(_table(seen), self.schema)) for one in self.conditions]
            )
            more = np.broadcast_to(np.arange(n, n + m), truths.shape)
            return replace(
                coding,
                kind=_loops.LISTED,
                rows=np.hstack([rows, more]).astype(np.int64),
                amounts=np.hstack([amounts, truths.astype(np.float64)]),
                **wider,
            )
        if coding.kind != _loops.NUMBERS:
            raise InputError("advice requires numeric features; give features=Numbers()")
        names = list(seen.names)
        intervals = [(names.index(one.attribute), *_bounds(one)) for one in self.conditions]
        return replace(coding, amounts=np.array(intervals, dtype=np.float64), **wider)

    def write(
        self, weights: Floats, model: Network, coding: Coding, actions: int, preference: float, rng: Any
    ) -> None:
        """Initialise the last hidden units to represent the rules and raise the values of the recommended actions."""
        plan = plan_of(model, coding, actions)
        first = coding.features - len(self.conditions)
        for k, (action, body) in enumerate(self.rules):
            unit = model.hidden - len(self.rules) + k
            begins, width, out = _loops.offsets(plan, action)
            into = weights[begins + unit * width : begins + (unit + 1) * width]
            into[:] = rng.uniform(-NOISE, NOISE, width)
            affirmed = 0
            for place, negated in body:
                into[first + place] = -WEIGHT if negated else WEIGHT
                affirmed += not negated
            if model.architecture == "pairs":
                into[coding.features + action] = WEIGHT  # an extra antecedent: the action itself
                affirmed += 1
            into[width - 1] = -(affirmed - 0.5) * WEIGHT
            weights[out + unit] = preference


def columns_of(seen: Observations) -> Schema:
    """Return the columns that advice may refer to: observed numbers, or the name and numbers of listed states."""
    numbers = tuple(Column(name) for name in seen.names)
    if not seen.states:
        return Schema(numbers)
    names = tuple(dict.fromkeys(_state_names(seen)))
    return Schema((Column(STATE, "nominal", names), *numbers))


def _table(seen: Observations) -> Any:
    import polars as pl

    table = seen.table.reshape(len(seen.states), len(seen.names))
    numbers = {name: table[:, k] for k, name in enumerate(seen.names)}
    return pl.DataFrame({STATE: _state_names(seen), **numbers})


def _state_names(seen: Observations) -> list[str]:
    return list(seen.state_names) or [str(state) for state in seen.states]


def _place(one: Antecedent, head: str, places: dict[Condition, int]) -> tuple[int, bool]:
    if isinstance(one.of, str):
        raise InputError(
            f"advice for {head!r} negates the concept {one.of!r}; write out its conditions instead"
        )
    return places.setdefault(one.of, len(places)), one.negated


def _bounds(condition: Condition) -> tuple[float, float]:
    assert isinstance(condition, NumericCondition)
    return condition.bounds


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()
