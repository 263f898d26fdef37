"""Michigan-style classifier system: the population is the rule set (Holland)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.core.parameters import Declared, number, whole
from induce.evolution.rule_sets import _michigan_loops as loops
from induce.evolution.rule_sets.encoding import RuleEncoding, Words
from induce.evolution.rule_sets.population import Rows
from induce.hypotheses.conditions import Condition

CHUNK = 500
"""Number of rows or steps per call of a loop, which cannot be interrupted."""


class Michigan:
    """Rules that match, compete, are rewarded and reproduce; mutable.

    Parameters
    ----------
    encoding : RuleEncoding
    settings : Settings
    stream : array of int64
        Random stream.
    """

    def __init__(self, encoding: RuleEncoding, settings: loops.MichiganSettings, stream: Any) -> None:
        n, n_tests = settings.most + 1, encoding.n_tests
        self.encoding = encoding
        self.settings = settings
        self.stream = stream
        self.layout = loops.Layout(encoding.begin, encoding.place, encoding.numeric)
        self.rules = loops.Rules(
            bits=np.zeros((n, n_tests), dtype=np.uint8),
            words=np.zeros((n, encoding.n_words), dtype=np.int64),
            head=np.zeros(n, dtype=np.int64),
            number=np.zeros(n, dtype=np.int64),
            worth=np.zeros(n),
            seen=np.zeros(n),
            right=np.zeros(n),
            niche=np.zeros(n),
            bred=np.zeros(n, dtype=np.int64),
        )
        self._members = np.zeros(n, dtype=np.int64)
        self._earlier = np.zeros(n, dtype=np.int64)
        self._child = np.zeros(n_tests, dtype=np.uint8)
        self.now = 0

    def learn_rows(self, words: Words, rows: NDArray[np.int64], labels: NDArray[np.int64]) -> None:
        """Learn from rows one by one, given their indices and classes."""
        loop: Any = repeated(loops.learn_rows, len(rows) * len(self.rules.number))
        room = (self._members, self._child, self.stream)
        loop(words, rows, labels, self.now, self.layout, self.rules, self.settings, *room)
        self.now += len(rows)

    def act(
        self,
        world: loops.World,
        steps: int,
        most_steps: int,
        bid: float,
        explore: float,
        worth: float,
        place: Any,
    ) -> float:
        """Act in a world for a number of steps, and return the reward collected."""
        loop: Any = repeated(loops.act, steps * len(self.rules.number))
        votes = np.zeros(world.pair.shape[1])
        collected = loop(
            world,
            steps,
            most_steps,
            self.now,
            bid,
            explore,
            worth,
            self.layout,
            self.rules,
            self.settings,
            self._members,
            self._earlier,
            votes,
            self._child,
            place,
            self.stream,
        )
        self.now += steps
        return float(collected)

    def premises(self) -> list[tuple[tuple[Condition, ...], int]]:
        """Return the conditions and the class of each rule."""
        length, n_tests = self.encoding.length, self.encoding.n_tests
        found = []
        for i in np.flatnonzero(self.rules.number > 0).tolist():
            bits = np.zeros(length, dtype=np.uint8)
            bits[:n_tests] = self.rules.bits[i]
            bits[n_tests + int(self.rules.head[i])] = 1
            found += self.encoding.premises(bits)
        return found


MICHIGAN: Declared = {
    "max_rules": whole("Maximum number of rules, including copies.", at_least=2),
    "general": number("Probability that a new rule omits an attribute.", at_least=0, at_most=1),
    "crossover": number("Probability that offspring recombine their parents' tests.", at_least=0, at_most=1),
    "mutation": number("Probability that a test is added or removed.", at_least=0, at_most=1),
    "patience": number("Number of rows between two reproductions of the same rules.", at_least=1),
}
"""Declarations of the parameters shared by classifier systems."""


def settings_of(learner: Any) -> loops.MichiganSettings:
    """Return the shared parameters of classifier systems for the loops."""
    return loops.MichiganSettings(
        int(learner.max_rules),
        float(learner.general),
        float(learner.crossover),
        float(learner.mutation),
        float(learner.patience),
    )


def table_world(rows: Rows) -> loops.World:
    """Return a table as a one-step world: an action names the class of a row, and a correct one earns 100."""
    counts = rows.counts
    n, n_classes = counts.shape
    pair = np.arange(n * n_classes).reshape(n, n_classes)
    weights = counts.sum(axis=1)
    return loops.World(
        words=rows.words,
        pair=pair,
        first=np.arange(n * n_classes + 1),
        after=np.zeros(n * n_classes, dtype=np.int64),
        chance=np.ones(n * n_classes),
        reward=(100 * counts / weights[:, None]).ravel(),
        ends=np.ones(n * n_classes, dtype=bool),
        start=weights / weights.sum(),
        absorbing=np.zeros(n, dtype=bool),
    )
