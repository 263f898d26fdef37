"""Bucket brigade: Holland's classifier system acting in an environment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.experience import ExperienceLearner
from induce.core.parameters import Declared, number, whole
from induce.core.randomness import RandomState, seed_of, streams
from induce.core.trace import active, emit
from induce.core.values import Value
from induce.data.frames import raw_frame
from induce.data.table import Table, encode
from induce.data.training import Examples, training_schema
from induce.discretise.intervals import quantile_cuts
from induce.environments.mdp import MDP
from induce.evolution.learners.classifier_system import most_accurate_first
from induce.evolution.learners.gabil import needed_rules
from induce.evolution.rule_sets._michigan_loops import Rules, World
from induce.evolution.rule_sets.encoding import RuleEncoding, Words
from induce.evolution.rule_sets.michigan import CHUNK, MICHIGAN, Michigan, settings_of
from induce.hypotheses.rules import RuleList
from induce.rules.training import Problem

MOST_STEPS = 1000
"""Maximum number of steps per episode."""
MOST_INTERVALS = 20
"""Maximum number of intervals of a numeric column."""


@dataclass(frozen=True, eq=False)
class BrigadeState:
    """State of a run: the rules, the agent's state, the random stream and the reward so far."""

    rules: tuple[Any, ...]
    place: NDArray[np.int64]
    stream: NDArray[np.int64]
    steps: int
    collected: tuple[float, ...]


@dataclass(frozen=True)
class _Run:
    """Setting of a run: the process, its states as a table and as words, and the active rules."""

    mdp: MDP
    problem: Problem
    world: World
    system: Michigan


class BucketBrigade(ExperienceLearner[BrigadeState]):
    """Learn rules for acting in a process whose states have features (Holland 1986; Mitchell 13.8).

    The rules that match a state bid a fraction of their strength. The rules of the winning action pay their bids to
    the rules that acted before them, and receive the reward. So reward propagates back along the chain of rules.

    Parameters
    ----------
    n_steps : int, default=20000
        Number of steps.
    max_rules : int, default=200
        Maximum number of rules, including copies.
    bid : float, default=0.1
        Fraction of its strength that a rule pays for acting.
    explore : float, default=0.2
        Probability of a random action.
    general : float, default=0.3
        Probability that a new rule omits an attribute.
    crossover : float, default=0.8
        Probability that offspring recombine their parents' tests.
    mutation : float, default=0.04
        Probability that a test is added or removed.
    patience : int, default=50
        Number of steps between two reproductions of the same rules.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : RuleList
        Rules from the features of a state to the winning action.
    rewards_ : tuple of float
        Reward collected in each block of 500 steps.

    See Also
    --------
    ClassifierSystem : Evolved single rules.
    QLearning : Off-policy action values.

    References
    ----------
    J. H. Holland (1986). Escaping brittleness: the possibilities of general-purpose learning algorithms applied
    to parallel rule-based systems. In Machine Learning: An Artificial Intelligence Approach, volume 2. Morgan
    Kaufmann.

    Examples
    --------
    >>> from induce.environments import grid_world
    >>> corridor = grid_world("S...G", {"G": 100})
    >>> rules = BucketBrigade(2000, max_rules=60, random_state=0).learn(corridor).hypothesis_
    >>> str(rules.predict([[0, 1]])[0])
    'right'
    """

    steps: ClassVar[str] = "blocks"

    parameters: ClassVar[Declared] = {
        **MICHIGAN,
        "n_steps": whole("Number of steps.", at_least=1),
        "bid": number("Fraction of its strength that a rule pays for acting.", above=0, below=1),
        "explore": number("Probability of a random action.", at_least=0, at_most=1),
    }

    def __init__(
        self,
        n_steps: int = 20_000,
        max_rules: int = 200,
        *,
        bid: float = 0.1,
        explore: float = 0.2,
        general: float = 0.3,
        crossover: float = 0.8,
        mutation: float = 0.04,
        patience: float = 50,
        random_state: RandomState = 0,
    ) -> None:
        self.n_steps = n_steps
        self.max_rules = max_rules
        self.bid = bid
        self.explore = explore
        self.general = general
        self.crossover = crossover
        self.mutation = mutation
        self.patience = patience
        self.random_state = random_state

    @property
    def rewards_(self) -> tuple[float, ...]:
        """Reward collected in each block of steps."""
        self._check_learned()
        return self.state_.collected

    @contextmanager
    def _opened(self, source: Any) -> Iterator[_Run]:
        settings = settings_of(self)
        mdp = source if isinstance(source, MDP) else MDP.from_env(source)
        if not mdp.features:
            raise InputError("the states have no features for rules to test; add features to the process")
        if (mdp.reward < 0).any():
            raise InputError(
                "a reward is negative, but rules are selected by their earnings; add a constant to "
                "all rewards"
            )
        frame = pl.DataFrame({name: list(values) for name, values in mdp.features.items()})
        schema = training_schema(raw_frame(frame), None, None)
        table = encode(frame, schema)
        encoding = RuleEncoding(table.schema, _cuts(table), len(mdp.actions), compact=False)
        system = Michigan(encoding, settings, np.zeros(6, dtype=np.int64))
        acting = ~mdp.absorbing
        examples = Examples(
            table, np.zeros(mdp.n_states, dtype=np.int64), acting.astype(float), len(mdp.actions)
        )
        # actions with several parts are converted to text in conclusions
        actions = cast("tuple[Value, ...]", mdp.actions)
        problem = Problem(examples, schema, "action", actions)
        yield _Run(mdp, problem, _world(mdp, encoding.rows(table)), system)

    def _begin(self, run: _Run) -> BrigadeState:
        moving = streams(seed_of(self.random_state), n=1)[0]
        return BrigadeState(tuple(run.system.rules), np.array([0, MOST_STEPS, 0]), moving, 0, ())

    def _step(self, run: _Run, state: BrigadeState) -> BrigadeState:
        system = run.system
        for mine, kept in zip(system.rules, state.rules, strict=True):
            mine[:] = kept
        system.stream, system.now = state.stream.copy(), state.steps
        place = state.place.copy()
        place[2] = 0  # the last acting rules are not kept between blocks
        n = min(CHUNK, self.n_steps - state.steps)
        first = float(run.mdp.reward.max())
        collected = system.act(run.world, n, MOST_STEPS, self.bid, self.explore, first, place)
        if active("block"):
            emit("block", steps=state.steps + n, reward=collected)
        rules = tuple(array.copy() for array in system.rules)
        return BrigadeState(rules, place, system.stream, state.steps + n, (*state.collected, collected))

    def _share(self, state: BrigadeState) -> float:
        return state.steps / self.n_steps

    def _conclude(self, run: _Run, state: BrigadeState) -> RuleList:
        """Return rules for the winning action in each state, most accurate first."""
        rules = Rules(*state.rules)
        votes = np.where(run.world.pair >= 0, 0.0, -1.0)
        for k in np.flatnonzero(rules.number > 0):
            fires = ((run.world.words & rules.words[k]) == run.world.words).all(axis=1)
            votes[fires & (run.world.pair[:, rules.head[k]] >= 0), rules.head[k]] += (
                rules.worth[k] * rules.number[k]
            )
        examples = replace(run.problem.examples, labels=votes.argmax(axis=1)).counted()
        problem = replace(run.problem, examples=examples)
        for mine, kept in zip(run.system.rules, state.rules, strict=True):
            mine[:] = kept
        premises = most_accurate_first(run.system.premises(), problem)
        return needed_rules(premises, problem, int(problem.counts().argmax()))


def _cuts(table: Table) -> tuple[tuple[float, ...], ...]:
    """Cut numeric columns between all distinct values, or evenly if there are many."""
    return tuple(
        () if column.kind == "nominal" else tuple(quantile_cuts(table.column(index), MOST_INTERVALS).tolist())
        for index, column in enumerate(table.schema)
    )


def _world(mdp: MDP, words: Words) -> World:
    pair = np.full((mdp.n_states, len(mdp.actions)), -1, dtype=np.int64)
    pair[mdp.pair_state, mdp.pair_action] = np.arange(mdp.n_pairs)
    return World(
        words,
        pair,
        mdp.first,
        mdp.next_state.astype(np.int64),
        mdp.probability,
        mdp.reward,
        mdp.ends,
        mdp.start,
        mdp.absorbing,
    )
