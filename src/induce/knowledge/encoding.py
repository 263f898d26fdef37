"""Translation of a theory over columns to a network that computes it (KBANN, Mitchell Table 12.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.data.numeric_view import NumericView
from induce.data.table import as_table
from induce.hypotheses.conditions import Condition, NominalCondition, NumericCondition
from induce.hypotheses.expert_rules.rules import ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.neural.network import Group, Link, Network
from induce.statistics.logistic import sigmoid

Floats = NDArray[np.float64]

EXTRAS = ("depth", "all_inputs", "none")
STEEPNESS = 4.0
"""Weight of a numeric input, in units of W per standard deviation; a threshold's step is a quarter of that wide."""
LARGEST_WEIGHT = 1_000.0
CLEAR = (1.0, 1.0, 0.0, 0.0)
"""Lowest and highest values of an input that is 1 where it is true and 0 where it is false."""


@dataclass(frozen=True)
class Unit:
    """Unit of the network: the concept or clause it stands for, and its weights according to the theory.

    Parameters
    ----------
    name : str
    depth : int
        Depth: number of layers of units up to and including this one.
    inputs : tuple of (int, float)
        Indices of network inputs, with their weights in units of W.
    antecedents : tuple of (str, float)
        For each antecedent, the unit that computes it (an empty name for network inputs), and 1, or -1 if it
        is negated.
    needed : int
        Number of antecedents that must hold; 0 for a threshold test of a number.
    bias : float
        Bias in units of W.
    trust : float
        Trust in the rule, a factor of W.
    """

    name: str
    depth: int
    inputs: tuple[tuple[int, float], ...]
    antecedents: tuple[tuple[str, float], ...]
    needed: int
    bias: float
    trust: float = 1.0

    @property
    def units(self) -> list[tuple[str, float]]:
        """Other units that feed into this one, with their weights in units of W."""
        return [(name, weight) for name, weight in self.antecedents if name]


@dataclass(frozen=True)
class UnitRange:
    """Bounds on a unit's output: the lowest output where the unit should be true, and the highest where it
    should be false.
    """

    unit: str
    lowest_true: float
    highest_false: float

    @property
    def is_right(self) -> bool:
        """Whether the unit separates true from false for all inputs."""
        return self.lowest_true > 0.5 > self.highest_false


@dataclass(frozen=True, eq=False)
class Encoding:
    """Theory encoded as a network.

    Parameters
    ----------
    theory : ExpertRules
        Rules to encode.
    view : NumericView
        Encoding of rows as network inputs.
    outputs : tuple of str
        Concept of each output; an empty name means that it has no rules and starts out undecided.
    weight : float
        Weight W of an antecedent.
    extra : {"depth", "all_inputs", "none"}
        Connections beyond those of the theory.
    """

    theory: ExpertRules
    view: NumericView
    outputs: tuple[str, ...]
    weight: float = 4.0
    extra: str = "depth"
    units: tuple[Unit, ...] = field(init=False)

    def __post_init__(self) -> None:
        builder = _Builder(self.theory, self.view)
        for concept in filter(None, self.outputs):
            builder.concept(concept)
        object.__setattr__(self, "units", tuple(builder.units.values()))

    @cached_property
    def by_name(self) -> dict[str, Unit]:
        """Units by name."""
        return {unit.name: unit for unit in self.units}

    @cached_property
    def layers(self) -> tuple[tuple[str, ...], ...]:
        """Names of the hidden units, by depth."""
        hidden = [unit for unit in self.units if unit.name not in self.outputs]
        depths = sorted({unit.depth for unit in hidden})
        return tuple(tuple(unit.name for unit in hidden if unit.depth == depth) for depth in depths)

    @cached_property
    def network(self) -> Network:
        """Network with the weights of the theory, and 0 for all other connections."""
        groups = [Group("inputs", len(self.view.mean), "input", names=self.view.quantities)]
        names = [f"layer {place}" for place in range(1, len(self.layers) + 1)]
        for name, layer in zip(names, self.layers, strict=True):
            groups.append(Group(name, len(layer), names=layer))
        said = tuple(concept or f"output {place}" for place, concept in enumerate(self.outputs, 1))
        groups.append(Group("outputs", len(said), names=said))
        members = [(), *self.layers, self.outputs]
        links, matrices = [], {}
        for target in range(1, len(groups)):
            for source in range(target):
                matrix, linked = self._matrix(members, source, target)
                dense = self._is_dense(source, target, len(groups))
                if not linked.any() and not dense:
                    continue
                places = None if dense else _numbered(linked)
                key = groups[source].name, groups[target].name
                links.append(Link(*key, places=places))
                matrices[key] = matrix
        network = Network.of(groups, links)
        for key, matrix in matrices.items():
            network = network.set(key, self.weight * matrix)
        for group, layer in zip(groups[1:], members[1:], strict=True):
            own = [self.by_name[name] if name else None for name in layer]
            biases = [0.0 if unit is None else unit.trust * unit.bias for unit in own]
            network = network.set(group.name, self.weight * np.array(biases))
        return network

    def _is_dense(self, source: int, target: int, n_groups: int) -> bool:
        """Return whether all units of two groups are connected beyond the theory."""
        if not all(self.outputs) and target == n_groups - 1 and source == 0:
            return True  # an output without rules is connected to the inputs
        if self.extra == "depth":
            return source == target - 1
        hidden_or_only = target < n_groups - 1 or n_groups == 2
        return self.extra == "all_inputs" and source == 0 and hidden_or_only

    def _matrix(self, members: Sequence[Any], source: int, target: int) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the theory's weights between two groups in units of W, and a mask of its connections."""
        n = len(self.view.mean) if source == 0 else len(members[source])
        matrix, linked = np.zeros((n, len(members[target]))), np.zeros((n, len(members[target])), bool)
        for place, name in enumerate(members[target]):
            if not name:
                continue
            unit = self.by_name[name]
            pairs: Any = unit.inputs
            if source:
                pairs = [
                    (members[source].index(other), weight)
                    for other, weight in unit.units
                    if other in members[source]
                ]
            for other, weight in pairs:
                matrix[other, place] += unit.trust * weight
                linked[other, place] = True
        return matrix, linked

    def stated(self) -> NDArray[np.bool_]:
        """Return, for each weight of the network, whether the theory states it; biases of its units count."""
        network = self.network
        marks = network.with_weights(np.zeros(network.n_weights))
        members = {"inputs": (), "outputs": self.outputs}
        members |= {f"layer {place}": layer for place, layer in enumerate(self.layers, 1)}
        order = [group.name for group in network.groups]
        for link in network.links:
            ordered = [members[name] for name in order]
            _, linked = self._matrix(ordered, order.index(link.source), order.index(link.target))
            marks = marks.set((link.source, link.target), linked.astype(float))
        for name in order[1:]:
            marks = marks.set(name, np.array([float(bool(each)) for each in members[name]]))
        return marks.weights > 0

    def verified(self) -> tuple[UnitRange, ...]:
        """Return the output range of every unit over all 0/1 inputs, with numbers far from thresholds.

        The ranges are conservative: they assume that the antecedents of a unit vary independently within their
        ranges. They are exact if no input and no concept is used more than once.
        """
        found: dict[
            str, tuple[float, float, float, float]
        ] = {}  # lowest and highest output, where true and where false
        ranges = []
        for unit in self.units:
            found[unit.name] = self._range(unit, found)
            ranges.append(UnitRange(unit.name, found[unit.name][0], found[unit.name][3]))
        return tuple(ranges)

    def _range(
        self, unit: Unit, known: dict[str, tuple[float, float, float, float]]
    ) -> tuple[float, float, float, float]:
        if not unit.needed and unit.inputs:
            return CLEAR  # threshold test of a number that is far from its threshold
        # contribution of each antecedent, in units of W: lowest and highest where it is met, and where it is
        # not
        parts = []
        for name, sign in unit.antecedents:
            low_true, high_true, low_false, high_false = known.get(name, CLEAR)
            met, unmet = (low_true, high_true), (low_false, high_false)
            if sign < 0:
                met, unmet = (-high_false, -low_false), (-high_true, -low_true)
            parts.append((*met, *unmet))
        least = sum(low for _, _, low, _ in parts)
        lowest_gains = sorted(met - unmet for met, _, unmet, _ in parts)
        largest_gains = sorted((met - unmet for _, met, _, unmet in parts), reverse=True)
        levels = (
            least + sum(lowest_gains[: unit.needed]),
            sum(high for _, high, _, _ in parts),
            least,
            sum(high for _, _, _, high in parts) + sum(largest_gains[: unit.needed - 1]),
        )
        said = sigmoid(self.weight * unit.trust * (np.array(levels) + unit.bias))
        return tuple(said.tolist()) if unit.needed else (said[0], said[1], 0.0, 0.0)

    def complaint(self) -> str:
        """Return a sentence that names a unit that can be wrong and the smallest safe W; empty if all are right."""
        wrong = [each for each in self.verified() if not each.is_right]
        if not wrong:
            return ""
        first = wrong[0]
        return (
            f"weight is {self.weight:g}, with which the unit {first.unit!r} may output "
            f"{first.lowest_true:.2f} where it is true and {first.highest_false:.2f} where it is "
            f"false; the smallest weight that encodes the theory is {smallest_weight(self):.4g}"
        )


@dataclass(frozen=True)
class Verification:
    """Result of verifying that a network computes its theory.

    Parameters
    ----------
    ranges : tuple of UnitRange
        Output range of each unit over all inputs.
    n : int
        Number of rows on which the network and the theory were compared.
    wrong : tuple of int
        Rows on which an output and its concept differ.
    smallest_weight : float
        Smallest W for which no row can differ.
    """

    ranges: tuple[UnitRange, ...]
    n: int
    wrong: tuple[int, ...]
    smallest_weight: float

    @property
    def is_right(self) -> bool:
        """Whether every unit separates true from false, on all possible rows."""
        return not self.wrong and all(each.is_right for each in self.ranges)

    def __str__(self) -> str:
        lines = [
            f"{each.unit}: at least {each.lowest_true:.4f} where true, at most {each.highest_false:.4f} where false"
            + ("" if each.is_right else " (goes wrong)")
            for each in self.ranges
        ]
        lines.append(f"network and theory differ on {len(self.wrong)} of {self.n} rows")
        lines.append(f"smallest weight that encodes the theory: {self.smallest_weight:.3f}")
        return "\n".join(lines)


def verify_encoding(encoding: Encoding, X: Any) -> Verification:
    """Compare a network with its theory, unit by unit for all inputs and on given rows.

    Parameters
    ----------
    encoding : Encoding
        Encoded theory.
    X : table
        Rows, such as all combinations of values of the columns that the theory uses.
    """
    truths = encoding.theory.truths(X)
    said = encoding.network(encoding.view.matrix(as_table(X, encoding.theory.schema))) > 0.5
    wrong = np.zeros(len(said), bool)
    for place, concept in enumerate(encoding.outputs):
        if concept:
            wrong |= said[:, place] != truths[concept]
    rows = tuple(np.flatnonzero(wrong).tolist())
    return Verification(encoding.verified(), len(said), rows, smallest_weight(encoding))


def smallest_weight(encoding: Encoding, precision: float = 1e-4) -> float:
    """Return the smallest W for which every unit separates true from false on all inputs (Mitchell §12.3.1).

    Parameters
    ----------
    encoding : Encoding
        Encoded theory.
    precision : float, default=1e-4
        Precision of the result.

    Examples
    --------
    The Cup theory needs 3.5985; the book uses 4.
    """

    def works(weight: float) -> bool:
        tried = Encoding(encoding.theory, encoding.view, encoding.outputs, weight, encoding.extra)
        return all(each.is_right for each in tried.verified())

    low, high = 0.0, 1.0
    while not works(high):
        low, high = high, high * 2.0
        if high > LARGEST_WEIGHT:
            raise InputError("no weight encodes the theory: a unit is true for all inputs; check its rules")
    while high - low > precision:
        middle = (low + high) / 2.0
        low, high = (low, middle) if works(middle) else (middle, high)
    return high


class _Builder:
    """Builder of a unit for each clause and each concept."""

    def __init__(self, theory: ExpertRules, view: NumericView) -> None:
        self.theory, self.view = theory, view
        self.units: dict[str, Unit] = {}
        self.places = {name: place for place, name in enumerate(view.names)}
        self.slots = {
            column.name: position
            for position, column in enumerate(each for each in view.schema if each.kind != "nominal")
        }

    def concept(self, head: str) -> Unit:
        """Return the unit of a concept: that of its only clause, or a disjunction of its clauses."""
        if head in self.units:
            return self.units[head]
        clauses = self.theory.by_head[head]
        if len(clauses) == 1:
            return self._clause(clauses[0], head)
        parts = [self._clause(clause, f"{head} by rule {n}") for n, clause in enumerate(clauses, 1)]
        either = tuple((part.name, 1.0) for part in parts)
        return self._add(Unit(head, 1 + max(part.depth for part in parts), (), either, 1, -0.5))

    def _clause(self, clause: ExpertRule, name: str) -> Unit:
        inputs: list[tuple[int, float]] = []
        antecedents: list[tuple[str, float]] = []
        depth = 1
        for antecedent in clause.body:
            sign = -1.0 if antecedent.negated else 1.0
            if isinstance(antecedent.of, NominalCondition):
                # at most one of several values is 1: together they are one antecedent
                inputs.extend((place, sign) for place in self._places(antecedent.of))
                antecedents.append(("", sign))
                continue
            below = (
                self.concept(antecedent.of) if isinstance(antecedent.of, str) else self._test(antecedent.of)
            )
            antecedents.append((below.name, sign))
            depth = max(depth, below.depth + 1)
        negated = sum(antecedent.negated for antecedent in clause.body)
        # At least n of m antecedents, q of them negated: Mitchell exercise 12.2; n = m gives Table 12.2.
        bias = -(clause.at_least - negated - 0.5)
        links = tuple(inputs), tuple(antecedents)
        return self._add(Unit(name, depth, *links, clause.at_least, bias, clause.trust))

    def _places(self, condition: NominalCondition) -> list[int]:
        return [self.places[f"{condition.attribute} = {value}"] for value in condition.accepted]

    def _test(self, condition: Condition) -> Unit:
        """Return the unit of a threshold on a number, or of both thresholds of an interval."""
        assert isinstance(condition, NumericCondition)
        name = str(condition)
        if name in self.units:
            return self.units[name]
        slot, place = self.slots[condition.attribute], self.places[condition.attribute]
        ends = []
        for bound, sign, word in zip(condition.bounds, (1.0, -1.0), ("above", "at most"), strict=True):
            if np.isfinite(bound):
                scaled = float((bound - self.view.offset[slot]) / self.view.scale[slot])
                weight = sign * STEEPNESS
                ends.append(Unit(f"{name} ({word})", 1, ((place, weight),), (), 0, -weight * scaled))
        if len(ends) == 1:
            return self._add(replace(ends[0], name=name))
        both = tuple((self._add(end).name, 1.0) for end in ends)
        return self._add(Unit(name, 2, (), both, 2, -1.5))

    def _add(self, unit: Unit) -> Unit:
        self.units[unit.name] = unit
        return unit


def _numbered(linked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Number the existing connections; all others are -1."""
    places = np.full(linked.shape, -1, np.int64)
    places[linked] = np.arange(int(linked.sum()))
    return places
