"""Trees that are equivalent to formulas or rules: every such function has one (AIMA 18.3.2)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.conditions import Condition, NumericCondition
from induce.hypotheses.rules import RuleList
from induce.trees.hypothesis import Tree
from induce.trees.recursion import Division, Test, arrays
from induce.trees.understanding.dnf import Dnf
from induce.trees.understanding.space import Part, axes, common, volume

MOST_NODES = 100_000

Votes = tuple[float, ...]
Open = tuple[tuple[tuple[str, Part], ...], Votes]
"""A rule that may still apply: the cells it still requires per attribute (none: it applies), and its votes."""


def tree_of(rules: Dnf | RuleList) -> Tree:
    """Return a decision tree that computes the same function as a formula or a rule list.

    Each node tests the attribute that most of the open rules depend on. The tree can be exponentially larger
    than the rules. Its counts are numbers of instances: each combination of values that the rules distinguish
    counts once. For a row with a missing value, the tree votes by these counts, whereas the rules use their
    default.

    Parameters
    ----------
    rules : Dnf or RuleList
        Formula or rules to convert.

    Examples
    --------
    >>> import induce
    >>> from induce.trees.understanding import to_dnf
    >>> formula = to_dnf(induce.ID3().fit(*induce.dataset("play-tennis")), "Yes")
    >>> print(tree_of(formula))
    Outlook = Sunny
    |   Humidity = High: No (2/2)
    |   Humidity = Normal: Yes (2/2)
    Outlook = Overcast: Yes (4/4)
    Outlook = Rain
    |   Wind = Weak: Yes (2/2)
    |   Wind = Strong: No (2/2)
    """
    if isinstance(rules, Dnf):
        vote = _Vote(0, ordered=True)
        terms = [(term, (0.0, 1.0)) for term in rules.terms]
        return _Building(rules.schema, terms, vote).tree(rules.target, (rules.otherwise, rules.value))
    if not isinstance(rules, RuleList):
        raise InputError(
            f"a {type(rules).__name__} has no rules to convert to a tree; give a Dnf or a RuleList"
        )
    vote = _Vote(rules.classes.index(rules.default), rules.ordered)
    voting = [
        (rule.conditions, tuple(float(c == rule.prediction) for c in rules.classes))
        if rules.ordered
        else (rule.conditions, rule.counts)
        for rule in rules.rules
    ]
    return _Building(rules.schema, voting, vote).tree(rules.target, rules.classes)


@dataclass(frozen=True)
class _Vote:
    """Strategy for combining rules: the first that applies, or all of them; the default class if none does."""

    default: int
    ordered: bool

    def settled(self, rules: Sequence[Open]) -> int | None:
        """Return the class if the open rules cannot change it."""
        if self.ordered:
            possible = {int(np.argmax(votes)) for _, votes in rules}
            if not rules or rules[-1][0]:
                possible.add(self.default)
            return possible.pop() if len(possible) == 1 else None
        if any(demands for demands, _ in rules):
            return None
        # added one by one, as a rule list does, so that sums of fractions agree in the last bit
        total = sum((np.array(votes, dtype=np.float64) for _, votes in rules), np.zeros(1))
        return int(total.argmax()) if total.any() else self.default

    def relevant(self, rules: Iterable[Open]) -> tuple[Open, ...]:
        """Drop the rules that follow one that applies, if the first rule decides."""
        kept = []
        for rule in rules:
            kept.append(rule)
            if self.ordered and not rule[0]:
                break
        return tuple(kept)


class _Building:
    """A tree that is built from rules, breadth first."""

    def __init__(
        self, schema: Schema, rules: Sequence[tuple[tuple[Condition, ...], Votes]], vote: _Vote
    ) -> None:
        self.schema = schema
        self.vote = vote
        ends: dict[str, list[float]] = {}
        for condition in (condition for conditions, _ in rules for condition in conditions):
            condition.check_column(schema[condition.attribute])
            bounds = condition.bounds if isinstance(condition, NumericCondition) else ()
            ends.setdefault(condition.attribute, []).extend(filter(math.isfinite, bounds))
        self.inputs = schema.inputs().names()
        self.axes = axes((schema[name] for name in self.inputs if name in ends), ends)
        opened = ((self._demands(conditions), votes) for conditions, votes in rules)
        self.rules = vote.relevant((demands, votes) for demands, votes in opened if demands is not None)

    def _demands(self, conditions: tuple[Condition, ...]) -> tuple[tuple[str, Part], ...] | None:
        """Return the cells that satisfy the conditions on each attribute; None if they contradict each other."""
        cells: dict[str, Part] = {}
        for condition in conditions:
            axis = self.axes[condition.attribute]
            cells[axis.name] = common(cells.get(axis.name, axis.whole), axis.satisfying(condition))
        if not all(cells.values()):
            return None
        return tuple((name, some) for name, some in cells.items() if len(some) < len(self.axes[name].whole))

    def tree(self, target: str, classes: tuple[Value, ...]) -> Tree:
        """Return the tree without tests whose branches turn out to be identical."""
        tests: list[Test | None] = []
        first: list[int] = []
        says: list[int | None] = []
        waiting: list[tuple[tuple[Open, ...], dict[str, Part], int]] = [
            (self.rules, {}, volume(self.axes.values()))
        ]
        for rules, region, cells in waiting:  # the list grows while it is read
            rules, name, threshold, branches = self._divided(rules, region)
            says.append(self.vote.settled(rules))
            if says[-1] is not None:
                tests.append(None)
                first.append(-1)
                continue
            tests.append(self._test(name, threshold, [part for part, _ in branches]))
            first.append(len(waiting))
            whole = sum(len(part) for part, _ in branches)
            waiting += [(left, {**region, name: part}, cells * len(part) // whole) for part, left in branches]
            if len(waiting) > MOST_NODES:
                raise InputError(
                    f"a tree for these rules needs more than {MOST_NODES:,} nodes; keep the rules, "
                    "which are shorter"
                )
        division = Division(tuple(tests), np.array(first, dtype=np.int32), ())
        volumes = np.array([float(cells) for *_, cells in waiting])
        counts, cut = _from_the_leaves(division, says, volumes, len(classes))
        tree = Tree(schema=self.schema, target=target, classes=classes, counts=counts, **arrays(division))
        return tree.cut(cut)

    def _divided(
        self, rules: tuple[Open, ...], region: dict[str, Part]
    ) -> tuple[tuple[Open, ...], str, float, list[tuple[Part, tuple[Open, ...]]]]:
        """Return the first test that makes a difference, with its branches; rules that make none are dropped."""
        while self.vote.settled(rules) is None:
            name, threshold = self._asked_most(rules, region)
            branches = self._branches(rules, region.get(name, self.axes[name].whole), name, threshold)
            if len(branches) > 1:
                return rules, name, threshold, branches
            rules = branches[0][1]
        return rules, "", math.nan, []

    def _asked_most(self, rules: Iterable[Open], region: dict[str, Part]) -> tuple[str, float]:
        """Return the attribute, and for a numeric one the threshold, that most open rules depend on."""
        asked: Counter[tuple[str, float]] = Counter()
        for demands, _ in rules:
            for name, cells in demands:
                axis = self.axes[name]
                if axis.values is not None:
                    asked[name, math.inf] += 1
                    continue
                whole = region.get(name, axis.whole)
                if cells[0] > whole[0]:
                    asked[name, axis.cuts[cells[0] - 1]] += 1
                if cells[-1] < whole[-1]:
                    asked[name, axis.cuts[cells[-1]]] += 1
        return max(asked, key=lambda test: (asked[test], -self.inputs.index(test[0]), -test[1]))

    def _branches(
        self, rules: Sequence[Open], whole: Part, name: str, threshold: float
    ) -> list[tuple[Part, tuple[Open, ...]]]:
        """Return the branches of a test and their open rules; values with the same open rules share a branch."""
        if isinstance(whole, range):
            parts = self.axes[name].below(whole, threshold)
            return [(part, self._left(rules, name, part)) for part in parts]
        groups: dict[tuple[Open, ...], list[int]] = {}
        for cell in whole:
            groups.setdefault(self._left(rules, name, (cell,)), []).append(cell)
        return [(tuple(cells), left) for left, cells in groups.items()]

    def _left(self, rules: Iterable[Open], name: str, part: Part) -> tuple[Open, ...]:
        """Return the rules that can still apply once the attribute is known to lie in the given cells."""
        left = []
        for demands, votes in rules:
            narrowed = tuple((n, common(cells, part) if n == name else cells) for n, cells in demands)
            if all(cells for _, cells in narrowed):
                still = tuple((n, c) for n, c in narrowed if n != name or len(c) < len(part))
                left.append((still, votes))
        return self.vote.relevant(left)

    def _test(self, name: str, threshold: float, parts: list[Part]) -> Test:
        attribute = self.inputs.index(name)
        if self.axes[name].values is None:
            return Test(attribute, threshold=threshold)
        branch = {cell: number for number, part in enumerate(parts) for cell in part}
        codes = tuple(branch[code] for code in range(len(branch)))
        plain = codes == tuple(range(len(parts)))
        return Test(attribute, len(parts), branch_of_code=None if plain else codes)


def _from_the_leaves(
    division: Division[Test], says: list[int | None], volumes: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts of all nodes, and the tests to drop because all their branches are identical."""
    counts = np.zeros((len(says), n_classes))
    cut = np.zeros(len(says), bool)
    for node in range(len(says) - 1, -1, -1):
        test = division.tests[node]
        if test is None:
            counts[node, says[node]] = volumes[node]
            continue
        below = range(int(division.first[node]), int(division.first[node]) + test.n_branches)
        counts[node] = counts[below].sum(axis=0)
        if len({says[child] for child in below}) == 1 and says[below[0]] is not None:
            says[node] = says[below[0]]
            cut[node] = True
    return counts, cut
