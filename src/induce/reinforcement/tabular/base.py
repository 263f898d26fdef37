"""Base of tabular learners: parameters, acting, counts, and the resulting policy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.notes import note
from induce.core.parameters import Declared, choice, number, whole
from induce.core.randomness import RandomState, seed_of, streams
from induce.environments.mdp import MDP
from induce.environments.sources import Simulated, Stepped, open_source
from induce.reinforcement.dynamic_programming.methods import steps_to_end
from induce.reinforcement.learners.base import NamedLearner
from induce.reinforcement.parameters import DISCOUNT, MAX_STEPS
from induce.reinforcement.policy import Policy
from induce.reinforcement.tabular import _loops as rules
from induce.reinforcement.tabular._loops import World
from induce.reinforcement.tabular.exploration import WAYS, extent_of
from induce.reinforcement.tabular.simulation import simulate, step_through
from induce.reinforcement.tabular.step_sizes import StepSizes
from induce.reinforcement.tabular.tables import PARTS, Tables, TabularState, remembering, world_of
from induce.reinforcement.tabular.traced_run import Watched

COST = 10
"""Approximate number of elementary steps per real step; decides whether the loops are compiled."""
TYPICAL = 100
"""Maximum episode length assumed for the same decision."""


@dataclass
class Run:
    """Setting of a run: the source and the parameters of the learner."""

    source: Simulated | Stepped
    world: World | None
    knobs: NDArray[np.float64]
    rule: int
    initial: float
    n_steps: int
    episodes: int
    seed: int
    work: float
    watched: Watched | None = None
    rows: Any = None
    chosen: dict[Any, Any] = field(default_factory=dict)

    def loop(self, function: Any) -> Any:
        """Return a loop, compiled if that pays off or is already done."""
        if function not in self.chosen:
            self.chosen[function] = sized(function, self.work)
        return self.chosen[function]

    def tables(self, state: TabularState) -> Tables:
        """Return modifiable arrays of a state."""
        tables = Tables(state, self.rule, self.initial, self.n_steps)
        if isinstance(self.source, Simulated):
            tables.make_room(outcomes=len(self.source.mdp.next_state))
        return tables


class TabularLearner(NamedLearner[TabularState]):
    """Base class of learners that keep a table of action values and improve it by acting.

    Parameters
    ----------
    episodes : int
        Number of episodes.
    discount : float
        Discount factor: value of a reward one step later, between 0 and 1.
    alpha : float, optional
        Constant step size; 1 is the rule for deterministic processes (13.7).
    power : float
        Exponent of the step size ``(1 + visits) ** -power`` without `alpha`; 1 is the book's (13.11).
    initial : float
        Initial value of each pair; a high value encourages exploration (optimism).
    explore : {"epsilon", "power", "counts", "random"}
        Exploration strategy: the best action, or a random one with probability `epsilon`; probabilities proportional
        to `k` to the power of Q (13.3.5); the best with ``bonus / sqrt(1 + visits)`` added; or random actions.
    epsilon, k, bonus : float
    decay : float
        Factor by which exploration decays per episode.
    max_steps : int, optional
        Maximum number of steps per episode; by default the environment's limit, or 1000. A truncated episode has not
        ended: its last target uses the value of the next state.
    random_state : int, Generator or None
        Random seed.
    """

    steps: ClassVar[str] = "blocks of episodes"
    hypothesis_: Policy

    parameters: ClassVar[Declared] = {
        "episodes": whole("Number of episodes. More episodes lower the variance of the values.", at_least=1),
        "discount": DISCOUNT,
        "alpha": number(
            "Constant step size; None uses a step size that decays with visits.",
            above=0,
            at_most=1,
            none=True,
        ),
        "power": number(
            "Exponent of the step size (1 + visits) ** -power; smaller values forget sooner.",
            above=0,
            finite=True,
            otherwise="it must be a number above 0, at best from 0.5 to 1",
        ),
        "initial": number("Initial value of each pair; a high value encourages exploration.", finite=True),
        "explore": choice("Exploration strategy.", *WAYS),
        "epsilon": number("Probability of a random action.", at_least=0, at_most=1),
        "k": number(
            "Base of the action preferences for explore='power'; larger values favour the best action more.",
            at_least=1,
            finite=True,
            otherwise="it must be a number of at least 1, because below 1 the worst actions are preferred",
        ),
        "bonus": number(
            "Exploration bonus for rarely tried actions, for explore='counts'.",
            at_least=0,
            finite=True,
            otherwise="it must be a number of at least 0",
        ),
        "decay": number("Factor by which exploration decays per episode.", above=0, at_most=1),
        "max_steps": MAX_STEPS,
    }

    def __init__(
        self,
        episodes: int = 1000,
        discount: float = 0.99,
        *,
        alpha: float | None = None,
        power: float = 0.6,
        initial: float = 0.0,
        explore: str = "epsilon",
        epsilon: float = 0.1,
        k: float = 2.0,
        bonus: float = 1.0,
        decay: float = 1.0,
        max_steps: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.episodes = episodes
        self.discount = discount
        self.alpha = alpha
        self.power = power
        self.initial = initial
        self.explore = explore
        self.epsilon = epsilon
        self.k = k
        self.bonus = bonus
        self.decay = decay
        self.max_steps = max_steps
        self.random_state = random_state

    # --- description of the update rule -----------------------------------------------------------------------

    def _rule(self) -> dict[str, Any]:
        """Return the learner's update rule and, if used, lambda, repeats, threshold and memory."""
        raise TypeError(f"{type(self).__name__} has no rule")

    # --- learned results --------------------------------------------------------------------------------------

    @property
    def returns_(self) -> NDArray[np.float64]:
        """Sum of rewards of each episode."""
        self._check_learned()
        return self.state_.collected

    @property
    def lengths_(self) -> NDArray[np.int64]:
        """Number of steps of each episode."""
        self._check_learned()
        return self.state_.lengths

    @property
    def n_actions_(self) -> int:
        """Number of real actions."""
        self._check_learned()
        return int(self.state_.where[rules.ACTIONS])

    @property
    def n_updates_(self) -> int:
        """Number of value updates."""
        self._check_learned()
        return int(self.state_.where[rules.UPDATES])

    @property
    def step_sizes(self) -> StepSizes:
        """Step sizes, which determine whether the values converge."""
        return StepSizes(self.alpha, self.power)

    # --- the run ----------------------------------------------------------------------------------------------

    @contextmanager
    def _opened(self, source: Any) -> Iterator[Run]:
        way, extent = extent_of(self.explore, self.epsilon, self.k, self.bonus)
        own = self._rule()
        opened = open_source(source, self.max_steps)
        world = self._checked(opened) if isinstance(opened, Simulated) else None
        if isinstance(opened, Stepped):
            opened.check_countable()
        knobs = np.zeros(rules.N_KNOBS)
        knobs[rules.RULE], knobs[rules.EXPLORE], knobs[rules.EXTENT] = own["rule"], way, extent
        knobs[rules.DISCOUNT], knobs[rules.POWER] = self.discount, self.power
        knobs[rules.ALPHA] = 0.0 if self.alpha is None else self.alpha
        knobs[rules.LAMBDA], knobs[rules.REPEATS] = own.get("lambda_", 0.0), own.get("repeats", 0)
        knobs[rules.DECAY] = 1.0 if self.explore == "random" else self.decay
        knobs[rules.THRESHOLD], knobs[rules.LIMIT] = own.get("threshold", 0.0), opened.limit
        typical = min(opened.limit, TYPICAL if world is None else len(world.first))
        yield Run(
            opened,
            world,
            knobs,
            own["rule"],
            float(self.initial),
            own.get("memory", opened.limit),
            int(self.episodes),
            seed_of(self.random_state),
            COST * (1 + own.get("repeats", 0)) * self.episodes * typical,
        )

    def _checked(self, source: Simulated) -> World:
        """Validate a process and return the arrays needed to act in it."""
        mdp = source.mdp
        if not mdp.reward.any():
            note("no action gives any reward, so there is nothing to learn")
        if self.discount == 1:
            endless = np.flatnonzero(_reachable(mdp) & np.isinf(steps_to_end(mdp)))
            if len(endless):
                raise InputError(
                    f"discount is 1, but no episode from state {mdp.states[endless[0]]!r} ends, so "
                    "values would grow without bound; use a discount below 1"
                )
        if self.alpha == 1 and len(mdp.next_state) > mdp.n_pairs:
            note("alpha is 1, but transitions are stochastic: values never converge (13.4)")
        return world_of(mdp)

    def _begin(self, run: Run) -> TabularState:
        mdp = run.source.mdp if isinstance(run.source, Simulated) else None
        sizes = {"pairs": 0, "states": 0, "outcomes": 0, "steps": run.n_steps}
        if mdp is not None:
            sizes |= {"pairs": mdp.n_pairs, "states": mdp.n_states}
        q = np.full(sizes["pairs"], run.initial)
        if mdp is not None:
            q[mdp.absorbing[mdp.pair_state]] = 0.0
        where = np.zeros(rules.N_PLACES, dtype=np.int64)
        where[rules.PAIR] = -1
        return TabularState(
            source=_described(run.source),
            states=() if mdp is None else mdp.states,
            offset=np.zeros(1, dtype=np.int64) if mdp is None else mdp.offset,
            actions=np.empty(0, dtype=np.int64) if mdp is None else mdp.pair_action.astype(np.int64),
            q=q,
            visits=np.zeros(len(q), dtype=np.int64),
            memory=tuple(remembering(None, run.rule, sizes)),
            where=where,
            stream=streams(run.seed, n=1)[0],
            extent=float(run.knobs[rules.EXTENT]),
            collected=np.empty(0),
            lengths=np.empty(0, dtype=np.int64),
            starts=np.zeros(sizes["states"], dtype=np.int64),
            randomness=None,
        )

    def _step(self, run: Run, state: TabularState) -> TabularState:
        return simulate(run, state) if run.world is not None else step_through(run, state)

    def _share(self, state: TabularState) -> float:
        return min(1.0, int(state.where[rules.EPISODES]) / self.episodes)

    def _line(self, state: TabularState) -> str:
        n = len(state.collected)
        last = state.collected[-min(n, 100) :]
        shown = f"mean return of the last {len(last)}: {last.mean():.4g}, " if n else ""
        return f"episode {n:,}: {shown}{int(state.where[rules.ACTIONS]):,} actions"

    def _check_same(self, run: Run, state: TabularState) -> None:
        found = _described(run.source)
        if found != state.source:
            raise InputError(
                f"the run learned from {state.source}, not from {found}; resume with the same source"
            )
        if any(
            (run.rule in needed) != (part.size > 0)
            for (_, _, _, _, needed), part in zip(PARTS.values(), state.memory, strict=True)
        ):
            raise InputError("the run used a different update rule; call `learn` to start again")

    def _conclude(self, run: Run, state: TabularState) -> Policy:
        episodes, ended = int(state.where[rules.EPISODES]), int(state.where[rules.ENDED])
        stepped = isinstance(run.source, Stepped)
        if stepped and episodes and not ended and self.discount == 1:
            raise InputError(
                f"discount is 1, but none of {episodes:,} episodes ended by itself, so values grow "
                "without bound; use a discount below 1"
            )
        unlimited = self.max_steps is None and (
            run.source.own_limit is None if isinstance(run.source, Stepped) else run.source.max_steps is None
        )
        cut = min(episodes - ended, int((state.lengths >= run.source.limit).sum()))
        if unlimited and cut:
            note(
                f"{cut:,} of {episodes:,} episodes were cut off after {run.source.limit:,} steps; set max_steps to "
                "change that"
            )
        if stepped and episodes and not state.collected.any():
            note("no episode gave any reward, so nothing was learned; explore more or longer")
        if isinstance(run.source, Simulated):
            return Policy.of(run.source.mdp, state.q, float(self.discount), visits=state.visits)
        owner = np.repeat(np.arange(len(state.states)), np.diff(state.offset))
        names = run.source.names
        return Policy(
            state.states,
            run.source.actions,
            owner.astype(np.int32),
            state.actions.astype(np.int32),
            state.q,
            float(self.discount),
            visits=state.visits,
            start=state.starts / max(1, int(state.starts.sum())),
            features=names.of_features(state.states),
            state_names=names.of_states(state.states),
            action_names=names.of_actions(run.source.actions),
        )


def _described(source: Simulated | Stepped) -> str:
    """Return a description of a source, as far as a run depends on it."""
    if isinstance(source, Simulated):
        return f"{source.mdp}, cut off after {source.limit} steps"
    inner = getattr(source.env, "unwrapped", source.env)
    return f"{type(inner).__name__} with {len(source.actions)} actions, cut off after {source.limit} steps"


def _reachable(mdp: MDP) -> NDArray[np.bool_]:
    """Return whether each state is reachable."""
    source = np.repeat(mdp.pair_state, np.diff(mdp.first))
    going = mdp.going_on > 0
    seen = mdp.start > 0
    while True:
        new = seen.copy()
        new[mdp.next_state[going & seen[source]]] = True
        if (new == seen).all():
            return seen
        seen = new
