"""Classifier systems: the population is the rule set (Holland 1986)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.core.interrupts import interruptible
from induce.core.loops import expecting
from induce.core.parameters import Declared, choice, whole
from induce.core.progress import report
from induce.core.randomness import RandomState, seed_of, stream, streams
from induce.core.trace import active, emit
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.evolution.learners.gabil import needed_rules
from induce.evolution.rule_sets.encoding import RuleEncoding
from induce.evolution.rule_sets.michigan import CHUNK, MICHIGAN, Michigan, settings_of, table_world
from induce.evolution.rule_sets.population import Rows
from induce.hypotheses.rules import RuleList
from induce.rules.learners.base import RuleClassifier, problem_of
from induce.rules.training import Premise, Problem

BID = 0.1
EXPLORE = 0.2
FIRST = 50.0
"""Initial strength of a rule, where a correct answer earns 100."""


class ClassifierSystem(RuleClassifier, TableClassifier):
    """Evolve single rules that classify together (Holland 1986; Mitchell 9.3, 9.8).

    Rows are presented one by one. Rules that match a row and predict its class reproduce unless they did so recently;
    a row that no rule matches gets a new rule. At the end, the rules that decide rows are kept, most accurate
    first.

    Numeric columns are discretised first. A missing value or a category not seen in training satisfies no test.

    Parameters
    ----------
    max_rules : int, default=400
        Maximum number of rules, including copies.
    passes : int, default=100
        Number of presentations of each distinct row of the table.
    fitness : {"accuracy", "strength"}, default="accuracy"
        Fitness of a rule: its accuracy or its strength. With strength, matching rules bid a fraction of theirs;
        those of the winning class pay their bids and divide the reward for a correct answer.
    general : float, default=0.5
        Probability that a new rule omits an attribute.
    crossover : float, default=0.8
        Probability that offspring recombine their parents' tests.
    mutation : float, default=0.04
        Probability that a test is added or removed.
    patience : float, default=25
        Number of rows between two reproductions of the rules of a row.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : RuleList

    See Also
    --------
    GABIL : Evolved rule sets.
    CN2 : Rules by sequential covering.

    References
    ----------
    S. W. Wilson (1995). Classifier fitness based on accuracy. Evolutionary Computation 3, 149-175.

    E. Bernadó-Mansilla and J. M. Garrell-Guiu (2003). Accuracy-based learning classifier systems: models,
    analysis and applications to classification tasks. Evolutionary Computation 11, 209-238.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> learner = ClassifierSystem(max_rules=50, random_state=0).fit(X, y)
    >>> learner.score(X, y) > 0.9
    True
    """

    parameters: ClassVar[Declared] = {
        **MICHIGAN,
        "passes": whole("Number of presentations of each distinct row.", at_least=1),
        "fitness": choice("Fitness of a rule: its accuracy, or its strength.", "accuracy", "strength"),
    }

    def __init__(
        self,
        max_rules: int = 400,
        passes: int = 100,
        *,
        fitness: str = "accuracy",
        general: float = 0.5,
        crossover: float = 0.8,
        mutation: float = 0.04,
        patience: float = 25,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.max_rules = max_rules
        self.passes = passes
        self.fitness = fitness
        self.general = general
        self.crossover = crossover
        self.mutation = mutation
        self.patience = patience
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> RuleList:
        problem = problem_of(reading)
        settings = settings_of(self)
        encoding = RuleEncoding.of(problem.examples, compact=False)
        weights = problem.examples.weight()
        rows = Rows.of(encoding.rows(problem.table), problem.labels, weights, len(problem.classes))
        row, label = np.nonzero(rows.counts)
        chances = rows.counts[row, label] / rows.counts.sum()
        seed = seed_of(self.random_state)
        n_shown = int(self.passes) * len(rows.words)
        system = Michigan(encoding, settings, streams(seed, 1, n=1)[0])
        rng = stream(seed, 0)
        world = table_world(rows)
        place = np.array([0, 1, 0])
        done: list[int] = [0]
        with interruptible(done, "rows"), expecting(-(-n_shown // CHUNK)):
            while done[-1] < n_shown:
                n = min(CHUNK, n_shown - done[-1])
                if self.fitness == "accuracy":
                    shown = rng.choice(len(row), n, p=chances)
                    system.learn_rows(rows.words, row[shown], label[shown])
                else:
                    system.act(world, n, 1, BID, EXPLORE, FIRST, place)
                done.append(done[-1] + n)
                report(done[-1] / n_shown)
                if active("rules"):
                    emit("rules", rows=done[-1], rules=int((system.rules.number > 0).sum()))
        premises = most_accurate_first(system.premises(), problem)
        return needed_rules(premises, problem, int(problem.counts().argmax()))


def most_accurate_first(premises: list[Premise], problem: Problem) -> list[Premise]:
    """Sort rules by their accuracy on the table (Laplace estimate); ties favour general rules."""
    counted = problem.voting_list(premises).rules
    accuracy = [(rule.correct + 1) / (rule.covered + len(problem.classes)) for rule in counted]
    order = sorted(range(len(premises)), key=lambda k: (-accuracy[k], len(premises[k][0])))
    return [premises[k] for k in order]
