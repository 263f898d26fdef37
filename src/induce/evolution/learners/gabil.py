"""GABIL: evolution of whole rule sets (DeJong, Spears and Gordon 1993)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from induce.core.interrupts import interruptible
from induce.core.parameters import Declared, anything, choice, number, truth, whole
from induce.core.progress import report
from induce.core.randomness import RandomState, seed_of, stream, streams
from induce.core.trace import active, emit
from induce.core.values import class_named
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.evolution.rule_sets.encoding import RuleEncoding
from induce.evolution.rule_sets.population import Population, Rates, Rows
from induce.hypotheses.rules import RuleList
from induce.rules.learners.base import RuleClassifier, problem_of
from induce.rules.training import Premise, Problem

ILLEGAL = ("encoding", "operators", "fitness")


class GABIL(RuleClassifier, TableClassifier):
    """Evolve rule sets by a genetic algorithm (Mitchell 9.3).

    A rule set is one bit string. Fitness is the square of the percentage of rows that it classifies correctly.
    Crossover swaps segments so that both offspring consist of whole rules, possibly more or fewer than their parents
    have. The first rule that fires decides, otherwise the default class. The best rule set of all generations is
    kept, without the rules that no row needs.

    Numeric columns are discretised first. A missing value or a category not seen in training satisfies no
    test.

    Parameters
    ----------
    population_size : int, default=100
        Number of rule sets.
    generations : int, default=100
        Maximum number of generations; the search ends when all rows are classified correctly.
    crossover : float, default=0.6
        Fraction of each generation replaced by crossover.
    mutation : float, default=0.001
        Probability that one bit of a string is flipped.
    add_alternative : float, default=0.01
        Probability that a string allows one more value of an attribute (AA; 0.01 in the book).
    drop_condition : float, default=0.05
        Probability that a string drops the test of one attribute (DC; 0.60 in the book).
    specialize : float, default=0.0
        Probability that a string allows one value fewer.
    adaptive : bool, default=False
        Whether two extra bits of a string control whether AA and DC apply to it.
    illegal : {"encoding", "operators", "fitness"}, default="encoding"
        Treatment of strings with invalid class bits: a class encoding without invalid codes, operators that never
        produce them, or fitness 0.
    max_rules : int, default=20
        Maximum number of rules per rule set.
    default : class, optional
        Class predicted if no rule fires; the most frequent class by default.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : RuleList
    fitness_ : float
        Fitness of the best rule set, at most 10,000.
    n_generations_ : int

    See Also
    --------
    ClassifierSystem : Evolved single rules.
    CN2 : Rules by sequential covering.

    References
    ----------
    K. A. De Jong, W. M. Spears and D. F. Gordon (1993). Using genetic algorithms for concept learning. Machine
    Learning 13, 161-188.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> learner = GABIL(random_state=0).fit(X, y)
    >>> learner.fitness_
    10000.0
    >>> bool((learner.predict(X) == y.to_numpy()).all())
    True
    """

    parameters: ClassVar[Declared] = {
        "population_size": whole("Number of rule sets.", at_least=2),
        "generations": whole("Maximum number of generations.", at_least=0),
        "crossover": number("Fraction of each generation replaced by crossover.", at_least=0, at_most=1),
        "mutation": number("Probability that one bit of a string is flipped.", at_least=0, at_most=1),
        "add_alternative": number(
            "Probability that a string allows one more value of an attribute.", at_least=0, at_most=1
        ),
        "drop_condition": number(
            "Probability that a string drops the test of one attribute.", at_least=0, at_most=1
        ),
        "specialize": number("Probability that a string allows one value fewer.", at_least=0, at_most=1),
        "adaptive": truth("Whether extra bits control which operators apply to a string."),
        "illegal": choice("Treatment of strings with invalid class bits.", *ILLEGAL),
        "max_rules": whole("Maximum number of rules per rule set.", at_least=1),
        "default": anything(
            "Class predicted if no rule fires; None uses the most frequent class.", "a class", none=True
        ),
    }

    def __init__(
        self,
        population_size: int = 100,
        generations: int = 100,
        *,
        crossover: float = 0.6,
        mutation: float = 0.001,
        add_alternative: float = 0.01,
        drop_condition: float = 0.05,
        specialize: float = 0.0,
        adaptive: bool = False,
        illegal: str = "encoding",
        max_rules: int = 20,
        default: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.population_size = population_size
        self.generations = generations
        self.crossover = crossover
        self.mutation = mutation
        self.add_alternative = add_alternative
        self.drop_condition = drop_condition
        self.specialize = specialize
        self.adaptive = adaptive
        self.illegal = illegal
        self.max_rules = max_rules
        self.default = default
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> RuleList:
        problem = problem_of(reading)
        rates = self._rates()
        default = self._default(problem)
        encoding = RuleEncoding.of(problem.examples, compact=self.illegal == "encoding")
        weights = problem.examples.weight()
        rows = Rows.of(encoding.rows(problem.table), problem.labels, weights, len(problem.classes))
        seed = seed_of(self.random_state)
        bits = self._search(encoding, rows, default, rates, seed)
        return needed_rules(encoding.premises(bits), problem, default)

    def _rates(self) -> Rates:
        chances = ("crossover", "mutation", "add_alternative", "drop_condition", "specialize")
        rates = {name: float(getattr(self, name)) for name in chances}
        return Rates(**rates, adaptive=bool(self.adaptive), whole_heads=self.illegal == "operators")

    def _default(self, problem: Problem) -> int:
        if self.default is None:
            return int(problem.counts().argmax())
        return problem.classes.index(class_named(self.default, problem.classes, "default"))

    def _search(self, encoding: RuleEncoding, rows: Rows, default: int, rates: Rates, seed: int) -> Any:
        """Return the bits of the best rule set of all generations."""
        size = int(self.population_size)
        population = Population.random(encoding, size, int(self.max_rules), stream(seed, 0)).judged(
            rows, default
        )
        best, percent = population.best()
        moving = streams(seed, 1, n=1)[0]
        done: list[int] = [0]
        with interruptible(done, "generations"):
            while percent < 100 and done[-1] < self.generations:
                population = population.next_generation(rates, moving).judged(rows, default)
                found, its_percent = population.best()
                if its_percent > percent:
                    best, percent = found, its_percent
                done.append(done[-1] + 1)
                report(done[-1] / self.generations)
                if active("generation"):
                    emit(
                        "generation",
                        number=done[-1],
                        best=percent,
                        mean=float(population.percent.mean()),
                        diversity=population.diversity(),
                        rules=encoding.text(best),
                    )
        self.fitness_ = percent**2
        self.n_generations_ = done[-1]
        return best


def needed_rules(premises: Sequence[Premise], problem: Problem, default: int) -> RuleList:
    """Return a list of the rules that decide at least one row; a rule without conditions becomes the default."""
    kept: list[Premise] = []
    counted = problem.ordered_list(premises, default)
    for (conditions, head), rule in zip(premises, counted.rules, strict=True):
        if not conditions:
            default = head
            break
        if rule.covered > 0:
            kept.append((conditions, head))
    return problem.ordered_list(kept, default)
