"""Units as rules: at least m of n conditions (Towell and Shavlik 1993), or all clauses that make a unit fire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.ties import largest_first
from induce.data.numeric_view import Floats
from induce.hypotheses.naming import number_text

if TYPE_CHECKING:
    from induce.neural.hypothesis import TrainedNetwork

MOST_CONDITIONS = 30
"""Maximum number of conditions of a rule."""
MOST_CLAUSES = 16
"""Maximum number of inputs of a unit written as clauses; the clauses may number thousands."""


@dataclass(frozen=True)
class UnitRule:
    """A unit that fires if at least `m` of its conditions hold.

    Parameters
    ----------
    unit : str
        Name of the unit.
    m : int
        Minimum number of conditions that must hold.
    conditions : tuple of str
        Conditions on the inputs, as text.
    fidelity : float
        Fraction of rows on which the rule and the unit agree.

    Examples
    --------
    >>> print(UnitRule("cup", 2, ("light", "not big", "open"), 1.0))
    cup if at least 2 of light, not big, open (fidelity 1.00)
    >>> print(UnitRule("cup", 2, ("light", "open"), 0.9))
    cup if light and open (fidelity 0.90)
    """

    unit: str
    m: int
    conditions: tuple[str, ...]
    fidelity: float

    def __str__(self) -> str:
        n = len(self.conditions)
        if self.m <= 0:
            said = "always"
        elif self.m > n:
            said = "never"
        elif self.m == n or self.m == 1:
            said = "if " + (" and " if self.m == n else " or ").join(self.conditions)
        else:
            said = f"if at least {self.m} of {', '.join(self.conditions)}"
        return f"{self.unit} {said} (fidelity {self.fidelity:.2f})"


def m_of_n(
    weights: Any, bias: float, names: Sequence[str], rows: Any = None, fires: Any = None, unit: str = "unit"
) -> UnitRule:
    """Return the rule "at least m of n" that agrees best with a threshold unit on Boolean inputs.

    The strongest inputs are added one at a time, all with the same weight; an input of negative weight is
    negated. Ties go to the rule with the fewest conditions.

    Parameters
    ----------
    weights, bias : array, float
        The unit fires if ``bias + weights · x > 0``.
    names : sequence of str
        Names of the inputs.
    rows : array of bool, optional
        Inputs on which both are compared; by default all possible inputs, or 4,096 random ones.
    fires : array of bool, optional
        Whether the unit fires on each row, if its own inputs are not Boolean.
    unit : str
        Name of the unit.

    Examples
    --------
    >>> print(m_of_n([4.0, 4.0, 4.0], -6.0, ["a", "b", "c"]))
    unit if at least 2 of a, b, c (fidelity 1.00)
    >>> print(m_of_n([3.0, -3.1, 0.1], -1.5, ["a", "b", "c"]))
    unit if not b and a (fidelity 1.00)
    """
    w = np.asarray(weights, np.float64).ravel()
    if len(w) != len(names):
        raise InputError(f"there are {len(w)} weights and {len(names)} names; give one name per input")
    known = _all_rows(len(w)) if rows is None else np.asarray(rows, bool)
    said = bias + known @ w > 0 if fires is None else np.asarray(fires, bool)
    order = [int(k) for k in largest_first(np.abs(w))[:MOST_CONDITIONS] if w[k] != 0.0]
    best = (0, 0, float(np.mean(said)))
    best = max(best, (1, 0, float(np.mean(~said))), key=lambda each: each[2])
    met = np.zeros(len(known), np.int64)
    for n, k in enumerate(order, start=1):
        met = met + (known[:, k] if w[k] > 0 else ~known[:, k])
        for m in range(1, n + 1):
            fidelity = float(np.mean((met >= m) == said))
            if fidelity > best[2] + 1e-12:
                best = (m, n, fidelity)
    m, n, fidelity = best
    told = tuple(names[k] if w[k] > 0 else f"not {names[k]}" for k in order[:n])
    return UnitRule(unit, m, told, fidelity)


def clauses(weights: Any, bias: float, names: Sequence[str], cut: float = 0.0) -> tuple[tuple[str, ...], ...]:
    """Return the smallest conjunctions that make a threshold unit on Boolean inputs fire (SUBSET, Towell 1991).

    Each is a minimal set of true inputs of positive weight and false inputs of negative weight with which the unit
    fires, whatever the other inputs. Weights below `cut` are ignored.

    Parameters
    ----------
    weights : array
        Weight of each input.
    bias : float
        Bias of the unit, which fires if ``bias + weights · x > 0``.
    names : sequence of str
        Names of the inputs.
    cut : float, default=0.0
        Magnitude below which weights are ignored.

    Examples
    --------
    >>> clauses([4.0, 4.0, 4.0], -6.0, ["a", "b", "c"])
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    >>> clauses([4.0, -4.0], -2.0, ["savings", "loan"])
    (('savings', 'not loan'),)
    """
    w = np.asarray(weights, np.float64).ravel()
    used = [k for k in range(len(w)) if abs(w[k]) > cut]
    if len(used) > MOST_CLAUSES:
        raise InputError(
            f"the unit has {len(used)} inputs, for which there may be thousands of clauses; raise cut "
            f"above {cut:g}, or use m_of_n"
        )
    # the worst case: all positive inputs false, all negative ones true; each literal adds the magnitude of
    # its weight
    worst = bias + sum(min(w[k], 0.0) for k in used)
    found: list[frozenset[int]] = []
    for size in range(len(used) + 1):
        for chosen in combinations(used, size):
            own = frozenset(chosen)
            if any(smaller <= own for smaller in found):
                continue
            if worst + sum(abs(w[k]) for k in chosen) > 1e-12:
                found.append(own)
    return tuple(tuple(names[k] if w[k] > 0 else f"not {names[k]}" for k in sorted(own)) for own in found)


def unit_rules(hypothesis: TrainedNetwork, X: Any) -> tuple[UnitRule, ...]:
    """Approximate every unit of a trained network by a rule over the preceding nodes, compared on the given
    rows.
    """
    from induce.neural.text import incoming, node_names

    network, names = hypothesis.network, node_names(hypothesis)
    states = network.states(hypothesis.rows(X))
    truths: dict[str, Any] = {}
    labels = dict(names)
    found = []
    for place in network.plan.order:
        group = network.groups[place]
        if group.unit == "input":
            middles, labels[group.name] = _middles(hypothesis, names[group.name])
            truths[group.name] = states[place] > middles
            continue
        truths[group.name] = states[place] > _middle(group.unit)
        if group.unit == "softmax":
            truths[group.name] = states[place] >= states[place].max(axis=1, keepdims=True)
        _, matrix = incoming(network, group.name, names)
        before = [link.source for link in network.links if link.target == group.name and not link.delay]
        if not before:
            continue
        rows = np.concatenate([truths[source] for source in before], axis=1)
        told = [label for source in before for label in labels[source]]
        for unit in range(group.size):
            found.append(
                m_of_n(matrix[:, unit], 0.0, told, rows, truths[group.name][:, unit], names[group.name][unit])
            )
    return tuple(found)


def _middle(unit: str) -> float:
    """Return the output at which a unit is undecided."""
    return 0.5 if unit == "sigmoid" else 0.0


def _middles(hypothesis: TrainedNetwork, names: Sequence[str]) -> tuple[Floats, list[str]]:
    """Return the threshold of each input and its condition as text: numeric inputs above their mean, or a
    nominal value.
    """
    from induce.neural.text import input_offsets, input_scales

    view = hypothesis.view
    values = view.mean * input_scales(view) + input_offsets(view)
    is_number = np.concatenate(
        [
            np.full(len(each.domain) if each.kind == "nominal" else 1, each.kind != "nominal")
            for each in view.schema
        ]
    )
    labels = [
        f"{name} > {number_text(float(f'{value:.3g}'))}" if number else name
        for name, value, number in zip(names, values, is_number, strict=True)
    ]
    return np.where(is_number, view.mean, 0.5), labels


def _all_rows(n: int) -> Any:
    """Return all Boolean rows, or 4,096 random ones."""
    if n <= 12:
        return (np.arange(2**n)[:, np.newaxis] >> np.arange(n)) % 2 == 1
    return np.random.default_rng(0).random((4096, n)) < 0.5
