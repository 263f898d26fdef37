"""Q learning with function approximation by linear models, networks or clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.notes import note
from induce.core.parameter_kinds import OneOf, Such
from induce.core.parameters import Declared, anything, choice, either, items, number, such, whole
from induce.core.randomness import RandomState, seed_of, stream, streams
from induce.core.trace import active, emit
from induce.environments.sources import open_source
from induce.hypotheses.knowledge import Knowledge
from induce.reinforcement.approximation import _loops
from induce.reinforcement.approximation.action_models import ActionModels
from induce.reinforcement.approximation.advice import Advice
from induce.reinforcement.approximation.approximate_policy import ApproximatePolicy
from induce.reinforcement.approximation.divergence import Divergence
from induce.reinforcement.approximation.features import (
    Coding,
    Features,
    Floats,
    Numbers,
    Observations,
    Places,
    TileCoding,
)
from induce.reinforcement.approximation.models import (
    MODELS,
    WATCHED,
    Clusters,
    LearnedWeights,
    Memory,
    Model,
    Network,
    agent_of,
    first_memory,
    first_weights,
)
from induce.reinforcement.approximation.sources import Played, World, action_number
from induce.reinforcement.learners.base import NamedLearner
from induce.reinforcement.parameters import DISCOUNT, MAX_STEPS

MEMORY = 10_000
"""Number of transitions kept for replay."""
BLOCKS = 50
"""Minimum number of blocks of a run; progress is reported and interrupts are handled after each."""
USUAL_STEPS = 100
"""Approximate number of steps per episode; decides whether the loops are compiled."""


@dataclass(frozen=True, eq=False)
class ApproximateState:
    """State of a run: features, weights, monitored quantities, random stream, and episodes so far."""

    seen: Observations
    coding: Coding
    weights: LearnedWeights
    memory: Memory
    monitor: Floats
    stream: NDArray[np.int64]
    seed: int
    returns: Floats
    lengths: NDArray[np.int64]
    cut: NDArray[np.bool_]


@dataclass(frozen=True)
class _Run:
    world: World
    model: Model
    features: Features
    advice: Advice | None = None


class ApproximateQLearning(NamedLearner[ApproximateState]):
    """Q learning with function approximation (Mitchell 13.6).

    The Q table is replaced by a function of features, linear or a network. After every step, gradient descent moves
    it towards the training value: the reward plus the discounted value of the best next action. Convergence is not
    guaranteed, so the values are monitored for divergence.

    Parameters
    ----------
    episodes : int, default=500
        Number of episodes.
    features : TileCoding, Numbers, Places or function, optional
        Features of the values, or a function from an observation to numbers. By default tiles for numeric
        observations, and one feature per state for listed states.
    model : {"linear", "network", "clusters"}, Network or Clusters, default="linear"
        Function approximator. The book's four architectures are "linear" and `Network` shared, per action or pairs.
    rule : {"direct", "residual"}, default="direct"
        "direct" updates only the value of the state and action. "residual" descends the squared Bellman residual,
        which also changes the next state's value and does not diverge (Baird 1995), but is biased if transitions
        are stochastic.
    alpha : float, default=0.3
        Fraction of the error removed by an update, with places, tiles or networks; the step size otherwise.
        Networks clip training values to the bound set by the rewards.
    discount : float, default=0.99
        Discount factor: value of a reward one step later.
    epsilon : float, default=0.1
        Probability of a random action.
    trace_decay : float, default=0.0
        Decay of eligibility traces (lambda): credit given to earlier states and actions (13.5).
    replay : int, default=0
        Experience replay: number of transitions, drawn from the last 10,000, replayed after every step (13.3.6).
        Networks learn little without it.
    initial : float or array, default=0.0
        Initial value of every weight, divided by the number of tilings; for a network, its initial value. Or an array
        of all weights of a linear model.
    max_steps : int, optional
        Maximum number of steps per episode; by default the environment's limit, or 1000.
    lessons : sequence of episodes, optional
        Episodes of a teacher, learned in reverse order before the first own step (Lin 1992): each a list of
        ``(observation, action, reward, next observation, whether the episode ended)``. See `demonstrations`.
    rehearsals : int, default=1
        Number of passes through the lessons.
    advice : str, ExpertRules, Knowledge or dict, optional
        Rules on the observation that recommend actions, such as ``IF velocity > 0 THEN right`` or, for listed states,
        ``IF state = start THEN right``. Each becomes a hidden unit that raises the value of its action and is trained
        like any other, so that bad advice is unlearned (Maclin and Shavlik 1996). Networks only. The `trust` of a
        `Knowledge` multiplies `preference`.
    preference : float, default=1.0
        Initial bonus for recommended actions.
    theory : ActionModels, optional
        Networks that predict the effects of actions (`learn_action_models`). They explain each training value, and
        the network also fits the resulting slopes (EBNN; Mitchell and Thrun 1993). Networks on numeric observations
        only.
    mu : float, default=0.3
        Weight of slopes relative to values where the theory predicts the training value; 0 ignores slopes. Larger
        values learn faster at first but may not converge.
    tolerance : float, optional
        Error of the theory's training value at which its slopes are ignored; by default the largest error so far.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : ApproximatePolicy
    returns_ : array
        Sum of rewards of each episode.
    lengths_ : array
        Number of steps of each episode.
    divergence_ : Divergence
        Growth of the values relative to the bound set by the rewards.

    References
    ----------
    T. M. Mitchell and S. Thrun (1993). Explanation-based neural network learning for robot control. NIPS 5, 287-294.

    R. Maclin and J. W. Shavlik (1996). Creating advice-taking reinforcement learners. Machine Learning 22, 251-281.

    See Also
    --------
    QLearning : Off-policy values of actions.
    TDGammon : Self-play with a network.

    Notes
    -----
    A non-finite number in an observation is an error, as is an unlisted state. Numbers outside the ranges of tiles
    fall into the outermost tiles.

    Examples
    --------
    >>> from induce.environments import MountainCar
    >>> learner = ApproximateQLearning(episodes=60, epsilon=0, random_state=0).learn(MountainCar())
    >>> int(learner.lengths_[0]), bool(learner.lengths_[-20:].mean() < 250)
    (1000, True)
    >>> learner.hypothesis_.act([-0.5, 0.02])
    2
    """

    steps: ClassVar[str] = "episodes"
    hypothesis_: ApproximatePolicy

    parameters: ClassVar[Declared] = {
        "episodes": whole("Number of episodes.", at_least=0),
        "features": such(
            "Features of observations; None chooses them by the kind of observation.",
            "TileCoding, Numbers, Places or a function",
            lambda value: isinstance(value, Features) or callable(value),
            none=True,
            otherwise="give TileCoding, Numbers, Places or a function",
        ),
        "model": either(
            "Function that approximates the values.",
            OneOf(tuple(MODELS)),
            Such("Network or Clusters", lambda value: isinstance(value, Model)),
            otherwise="give 'linear', 'network', 'clusters', Network or Clusters",
        ),
        "rule": choice("Direct or residual gradient.", "direct", "residual"),
        "alpha": number("Step size.", above=0, finite=True, otherwise="it must be a number above 0"),
        "discount": DISCOUNT,
        "epsilon": number("Probability of a random action.", at_least=0, at_most=1),
        "trace_decay": number("Decay of eligibility traces (lambda).", at_least=0, at_most=1),
        "replay": whole("Number of stored steps replayed after each action.", at_least=0),
        "initial": anything("Initial value, for all actions or per action.", "a number, or one per action"),
        "max_steps": MAX_STEPS,
        "lessons": items("Episodes of a teacher, learned before the first own step.", "episodes", none=True),
        "rehearsals": whole("Number of passes through the lessons.", at_least=0),
        "advice": anything(
            "Rules that recommend actions.", "rules as text, ExpertRules, a Knowledge or a dict"
        ),
        "preference": number("Initial bonus for recommended actions.", at_least=0, finite=True),
        "theory": such(
            "Networks that predict the effects of actions, as a source of slopes.",
            "ActionModels",
            lambda value: isinstance(value, ActionModels),
            none=True,
            otherwise="give ActionModels, as learn_action_models returns them",
        ),
        "mu": number("Weight of slopes relative to values.", at_least=0, finite=True),
        "tolerance": number("Error of the theory at which its slopes are ignored.", above=0, none=True),
    }

    def __init__(
        self,
        episodes: int = 500,
        *,
        features: Features | Callable[[Any], Any] | None = None,
        model: str | Model = "linear",
        rule: str = "direct",
        alpha: float = 0.3,
        discount: float = 0.99,
        epsilon: float = 0.1,
        trace_decay: float = 0.0,
        replay: int = 0,
        initial: float | Sequence[float] = 0.0,
        max_steps: int | None = None,
        lessons: Sequence[Any] | None = None,
        rehearsals: int = 1,
        advice: Any = None,
        preference: float = 1.0,
        theory: ActionModels | None = None,
        mu: float = 0.3,
        tolerance: float | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.episodes = episodes
        self.features = features
        self.model = model
        self.rule = rule
        self.alpha = alpha
        self.discount = discount
        self.epsilon = epsilon
        self.trace_decay = trace_decay
        self.replay = replay
        self.initial = initial
        self.max_steps = max_steps
        self.lessons = lessons
        self.rehearsals = rehearsals
        self.advice = advice
        self.preference = preference
        self.theory = theory
        self.mu = mu
        self.tolerance = tolerance
        self.random_state = random_state

    @property
    def returns_(self) -> Floats:
        """Sum of rewards of each episode."""
        self._check_learned()
        return self.state_.returns

    @property
    def lengths_(self) -> NDArray[np.int64]:
        """Number of steps of each episode."""
        self._check_learned()
        return self.state_.lengths

    @property
    def divergence_(self) -> Divergence:
        """Growth of the values relative to the bound set by the rewards."""
        self._check_learned()
        return self.hypothesis_.divergence

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.rule == "residual" and self.trace_decay:
            raise InputError("trace_decay requires rule='direct'; set it to 0 for the residual gradient")
        network = isinstance(self.model, Network) or self.model == "network"
        for name in ("advice", "theory"):
            if getattr(self, name) is not None and not network:
                raise InputError(f"{name} requires a network; give model='network' or a Network")
        if self.theory is not None and self.rule == "residual":
            raise InputError("a theory requires rule='direct'; omit it for the residual gradient")

    @contextmanager
    def _opened(self, source: Any) -> Iterator[_Run]:
        model = MODELS[self.model] if isinstance(self.model, str) else self.model
        opened = open_source(source, self.max_steps)
        own = getattr(getattr(opened, "env", None), "discount", None)
        if own is not None and own != self.discount:
            raise InputError(
                f"discount is {self.discount!r}, but that of the extended actions is {own!r}; make them equal"
            )
        given = self.features
        function = given if callable(given) and not isinstance(given, Features) else None
        world = World.of(opened, function)
        features = self._features(world.seen, model)
        advice = self._advice(world)
        if advice is not None:
            assert isinstance(model, Network)
            model = replace(model, hidden=model.hidden + len(advice.rules))
        yield _Run(world, model, features, advice)

    def _advice(self, world: World) -> Advice | None:
        if self.advice is None:
            return None
        known = Knowledge.of(self.advice).only(type(self).__name__, ("rules", "trust"))
        if not known.rules.strip():
            raise InputError("the advice is empty; give rules IF … THEN action")
        return Advice.of(known, world.seen, world.action_names)

    def _features(self, seen: Observations, model: Model) -> Features:
        given = self.features
        if isinstance(given, Features):
            if isinstance(model, Clusters) and not isinstance(given, Numbers):
                raise InputError("clusters require numeric features; give features=Numbers()")
            return given
        if callable(given):
            return Numbers(intercept=False, scaled=False)
        if isinstance(model, Clusters | Network) and seen.names:
            return Numbers(intercept=False)
        return Places() if seen.states else TileCoding.fitting(len(seen.names))

    def _begin(self, run: _Run) -> ApproximateState:
        seed = seed_of(self.random_state)
        seen = run.world.seen
        if not seen.states and (run.features.ranged or not seen.bounded):
            low, high = run.world.ranges(seed)
            seen = replace(seen, low=low, high=high)
        coding = run.features.coding(seen)
        if self.theory is not None and (seen.states or coding.kind != _loops.NUMBERS):
            raise InputError(
                "a theory requires numeric observations; give features=Numbers() and an environment "
                "with numeric observations"
            )
        if run.advice is not None:
            coding = run.advice.coded(coding, seen)
        if not seen.states:
            # figures and explanations use the ranges given to the tiles
            low, high = coding.ranges(seen)
            seen = replace(seen, low=low, high=high)
        weights = first_weights(run.model, coding, len(run.world.actions), self.initial, stream(seed, 0))
        if run.advice is not None:
            assert isinstance(run.model, Network)
            strength = float(self.preference) * Knowledge.of(self.advice).trust
            run.advice.write(
                weights.values, run.model, coding, len(run.world.actions), strength, stream(seed, 3)
            )
        state = ApproximateState(
            seen,
            coding,
            weights,
            first_memory(MEMORY if self.replay else 0, coding, len(run.world.actions)),
            np.zeros(WATCHED),
            streams(seed, n=1)[0],
            seed,
            np.empty(0),
            np.empty(0, dtype=np.int64),
            np.empty(0, dtype=bool),
        )
        return self._taught(run, state) if self.lessons else state

    def _check_same(self, run: _Run, state: ApproximateState) -> None:
        seen = run.world.seen
        if seen.names != state.seen.names or seen.states != state.seen.states:
            raise InputError(
                "this environment has different observations from the one learned in; "
                "give the same environment"
            )
        if run.world.actions != self.hypothesis_.actions:
            raise InputError(
                "this environment has different actions from the one learned in; give the same environment"
            )

    def _agent(self, run: _Run, state: ApproximateState) -> tuple[Any, ApproximateState]:
        """Return an agent for the loops, and the state it will modify."""
        new = replace(
            state,
            weights=state.weights.copy(),
            memory=replace(state.memory, rows=state.memory.rows.copy()),
            # a state saved by an earlier version has fewer monitored quantities
            monitor=np.append(state.monitor, np.zeros(WATCHED - len(state.monitor))),
            stream=state.stream.copy(),
        )
        model = run.model
        clusters = (model.radius, model.agreement) if isinstance(model, Clusters) else (1.0, 0.0)
        settings = np.array(
            [
                self.alpha * state.coding.share,
                self.epsilon,
                self.trace_decay,
                float(self.rule == "residual"),
                *clusters,
                self.discount,
                self._reach(run),
                self.replay,
                self.mu,
                self.tolerance or 0.0,
            ]
        )
        theory = None
        if self.theory is not None and self.mu:
            theory = self.theory.weights_for(state.coding, state.seen, run.world.action_names)
        n = len(run.world.actions)
        return agent_of(
            model, state.coding, n, new.weights, new.memory, settings, new.monitor, new.stream, theory
        ), new

    def _reach(self, run: _Run) -> float:
        return 1 / (1 - self.discount) if self.discount < 1 else float(run.world.limit)

    def _work(self, state: ApproximateState, run: _Run) -> float:
        """Return the approximate number of elementary steps of all episodes."""
        each = 3 * len(run.world.actions) * state.coding.width * max(1, run.model.hidden)
        traced = len(state.weights.values) if self.trace_decay else len(state.weights.owner)
        return float(self.episodes) * min(run.world.limit, USUAL_STEPS) * (each + traced) * (1 + self.replay)

    def _step(self, run: _Run, state: ApproximateState) -> ApproximateState:
        agent, new = self._agent(run, state)
        done = len(state.returns)
        with np.errstate(over="ignore", invalid="ignore"):
            at_once = min(self.episodes - done, math.ceil(self.episodes / BLOCKS))
            share = at_once / self.episodes
            played = run.world.play(agent, at_once, self._work(state, run), share, state.seed, done)
        return self._kept(agent, new, played)

    def _kept(self, agent: Any, state: ApproximateState, played: Played) -> ApproximateState:
        if active("episodes"):
            emit(
                "episodes",
                done=len(state.returns) + len(played.returns),
                mean_return=float(played.returns.mean()),
                largest_value=float(state.monitor[_loops.LARGEST]),
            )
        return replace(
            _counted(agent, state),
            returns=np.append(state.returns, played.returns),
            lengths=np.append(state.lengths, played.lengths),
            cut=np.append(state.cut, played.cut),
        )

    def _taught(self, run: _Run, state: ApproximateState) -> ApproximateState:
        """Learn from the teacher's episodes, the last transition of each first."""
        agent, new = self._agent(run, state)
        world, vector = run.world, state.seen.vector
        steps = [
            [_transition(step, k, vector, world) for step in episode]
            for k, episode in enumerate(self.lessons or ())
        ]
        work = self.rehearsals * sum(map(len, steps)) * self._work(state, run) / max(1, self.episodes)
        advance: Any = sized(_loops.advance, work / USUAL_STEPS)
        listed, free = world.allowed().astype(np.float64), np.ones(len(world.actions))
        for _ in range(self.rehearsals):
            for episode in steps:
                for before, action, reward, after, ended in reversed(episode):
                    here, there = (
                        listed[int(place[0])] if len(listed) else free for place in (before, after)
                    )
                    advance(agent, -1, 0.0, 0.0, False, before, here, here)
                    advance(agent, action, reward, float(self.discount), ended, after, here, there)
        return _counted(agent, new)

    def _share(self, state: ApproximateState) -> float:
        if state.monitor[_loops.STOPPED] or not self.episodes:
            return 1.0
        return len(state.returns) / self.episodes

    def _line(self, state: ApproximateState) -> str:
        recent = state.returns[-100:]
        return f"{len(state.returns):,} episodes, return {recent.mean() if len(recent) else 0:.4g}"

    def _conclude(self, run: _Run, state: ApproximateState) -> ApproximatePolicy:
        divergence = Divergence.of(state.monitor, self._reach(run))
        if divergence.diverging:
            note(f"{divergence}; use rule='residual', a smaller alpha, or other features")
        if state.monitor[_loops.FULL]:
            note(f"all {len(state.weights.owner):,} clusters are in use; use a larger radius, or raise most")
        if len(state.cut) and state.cut.all() and not run.world.seen.states:
            note(f"no episode ended within {run.world.limit:,} steps; all were cut off")
        return ApproximatePolicy(
            name=run.world.name,
            seen=state.seen,
            coding=state.coding,
            model=run.model,
            weights=state.weights,
            actions=run.world.actions,
            action_names=run.world.action_names,
            allowed=run.world.allowed(),
            discount=float(self.discount),
            divergence=divergence,
            episodes=len(state.returns),
            n_steps=int(state.lengths.sum()),
        )


def _counted(agent: Any, state: ApproximateState) -> ApproximateState:
    """Return the state with the agent's counts of clusters and transitions."""
    plan = agent.plan
    memory = replace(state.memory, following=int(plan[_loops.NEXT]), kept=int(plan[_loops.KEPT]))
    return replace(state, weights=replace(state.weights, count=int(plan[_loops.COUNT])), memory=memory)


def _transition(step: Any, episode: int, vector: Callable[[Any], Floats], world: World) -> tuple[Any, ...]:
    if not isinstance(step, Sequence) or len(step) != 5:
        raise InputError(
            f"a step of lesson {episode + 1} is {step!r}; give (observation, action, reward, next observation, "
            "whether the episode ended)"
        )
    before, action, reward, after, ended = step
    return vector(before), action_number(world.source, action), float(reward), vector(after), bool(ended)
