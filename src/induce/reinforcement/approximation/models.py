"""Models of action values: linear models, one-hidden-layer networks and state clusters (Mitchell 13.6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.shapes import check_numbers, check_places
from induce.reinforcement.approximation import _loops
from induce.reinforcement.approximation.features import Coding, Floats, Ints

ARCHITECTURES = {"shared": _loops.SHARED, "per-action": _loops.PER_ACTION, "pairs": _loops.PAIRS}
MOST_WEIGHTS = 50_000_000
SLOTS = _loops.RAW
"""Maximum number of observations an agent holds at once."""
WATCHED = _loops.UNEXPLAINED + 1
"""Number of quantities monitored while learning."""


@dataclass(frozen=True)
class LinearModel:
    """One weight per feature and action: a linear evaluation function, trained by LMS (Mitchell 1.2.4, 13.6)."""

    hidden = 0

    def kind(self) -> int:
        """Return the model kind's code in the loops."""
        return _loops.LINEAR

    def n_weights(self, features: int, actions: int) -> int:
        """Return the number of weights."""
        return features * actions

    def text(self) -> str:
        """Return a description of the model."""
        return "linear in"


@dataclass(frozen=True)
class Network:
    """A network with one hidden layer of sigmoid units and linear outputs for the values (Mitchell 13.6).

    Parameters
    ----------
    hidden : int
        Number of hidden units per network.
    architecture : {"shared", "per-action", "pairs"}
        One network with an output per action, one network per action, or one network that takes the action as an
        input.
    """

    hidden: int = 20
    architecture: str = "shared"

    def kind(self) -> int:
        """Return the model kind's code in the loops."""
        at_least("hidden", self.hidden, 1, whole=True)
        one_of("architecture", self.architecture, ARCHITECTURES)
        return ARCHITECTURES[self.architecture]

    def n_weights(self, features: int, actions: int) -> int:
        """Return the number of weights."""
        if self.architecture == "shared":
            return self.hidden * (features + 1) + actions * (self.hidden + 1)
        if self.architecture == "pairs":
            return self.hidden * (features + actions + 1) + self.hidden + 1
        return actions * (self.hidden * (features + 1) + self.hidden + 1)

    def text(self) -> str:
        """Return a description of the model."""
        what = {
            "shared": f"a network of {self.hidden} hidden units with an output for each action, on",
            "per-action": f"a network of {self.hidden} hidden units for each action, on",
            "pairs": f"a network of {self.hidden} hidden units on the action and",
        }
        return what[self.architecture]


@dataclass(frozen=True)
class Clusters:
    """State clusters per action (Mahadevan and Connell 1991; Mitchell 13.6).

    A state belongs to an action's nearby clusters, with a membership that grows with proximity. Its value is the
    weighted mean of theirs, and an update is distributed among them. A state opens a new cluster if none of its
    clusters agrees with its training value.

    Parameters
    ----------
    radius : float
        Radius of a cluster in L1 distance: the Hamming distance for bits, weighted if numbers are scaled.
    agreement : float
        Maximum difference between the training value of a state and the value of a cluster it joins.
    most : int
        Maximum number of clusters over all actions.
    """

    radius: float = 1.0
    agreement: float = math.inf
    most: int = 1000

    hidden = 0

    def kind(self) -> int:
        """Return the model kind's code in the loops."""
        at_least("most", self.most, 1, whole=True)
        at_least("agreement", self.agreement, 0)
        if not isinstance(self.radius, int | float | np.number) or not self.radius > 0:
            raise InputError(f"radius is {self.radius!r}; it must be a number above 0")
        return _loops.CLUSTERS

    def n_weights(self, features: int, actions: int) -> int:
        """Return the number of weights, one value per cluster."""
        return self.most

    def text(self) -> str:
        """Return a description of the model."""
        return "clusters over"


Model = LinearModel | Network | Clusters
MODELS: dict[str, Model] = {"linear": LinearModel(), "network": Network(), "clusters": Clusters()}


@dataclass(frozen=True, eq=False)
class LearnedWeights:
    """Learned parameters: the weights, their update counts (linear models only) and the clusters."""

    values: Floats
    visits: Ints
    prototypes: Floats
    owner: Ints
    count: int = 0

    def copy(self) -> LearnedWeights:
        """Return a copy that the loops may modify."""
        return LearnedWeights(
            self.values.copy(), self.visits.copy(), self.prototypes.copy(), self.owner.copy(), self.count
        )


def first_weights(
    model: Model, coding: Coding, actions: int, initial: float | Sequence[float], random: np.random.Generator
) -> LearnedWeights:
    """Return the initial weights."""
    n = model.n_weights(coding.features, actions)
    if n > MOST_WEIGHTS:
        raise InputError(
            f"the model has {n:,} weights, but the limit is {MOST_WEIGHTS:,}; use fewer features"
        )
    linear, clustered = isinstance(model, LinearModel), isinstance(model, Clusters)
    visits = np.zeros(n if linear else 0, dtype=np.int64)
    most = model.most if isinstance(model, Clusters) else 0
    owner = np.zeros(most, dtype=np.int64)
    prototypes = np.zeros((most, coding.features if clustered else 0))
    start = np.asarray(initial, dtype=np.float64)
    if (
        not np.isfinite(start).all()
        or start.ndim > 1
        or (start.ndim == 1 and (len(start) != n or not linear))
    ):
        raise InputError(f"initial is not a finite number; give one, or {n:,} weights of a linear model")
    if isinstance(model, Network):
        values = random.uniform(-1, 1, n) / math.sqrt(coding.width + 1)
        for action in range(actions):
            _, _, out = _loops.offsets(plan_of(model, coding, actions), action)
            values[out : out + model.hidden] = 0.0
            values[out + model.hidden] = float(start)
    else:
        values = np.full(n, 0.0) + start * (coding.share if start.ndim == 0 else 1.0)
    return LearnedWeights(values, visits, prototypes, owner)


@dataclass(frozen=True, eq=False)
class Memory:
    """Replay memory: the transitions, the index of the next slot, and the number stored."""

    rows: Floats
    following: int = 0
    kept: int = 0


def first_memory(size: int, coding: Coding, actions: int) -> Memory:
    """Return an empty replay memory; its size is 0 if replay is off."""
    seen = coding.n_seen
    return Memory(np.zeros((size + 1, 4 + 2 * seen + 2 * actions)))


def check_weights(model: Model, coding: Coding, actions: int, weights: LearnedWeights) -> None:
    """Raise an `InputError` unless learned weights have the shape that a model and its features need."""
    model.kind()
    if not 0 <= model.hidden <= MOST_WEIGHTS or getattr(model, "most", 0) > MOST_WEIGHTS:
        raise InputError(f"the model is too large; the limit is {MOST_WEIGHTS:,} weights")
    n = model.n_weights(coding.features, actions)
    clustered = isinstance(model, Clusters)
    most = model.most if isinstance(model, Clusters) else 0
    wanted = {
        "values": (n,),
        "visits": (n if isinstance(model, LinearModel) else 0,),
        "owner": (most,),
        "prototypes": (most, coding.features if clustered else 0),
    }
    for name, shape in wanted.items():
        if getattr(weights, name).shape != shape:
            raise InputError(f"{name} has the shape {getattr(weights, name).shape}; it must be {shape}")
    check_numbers("values", weights.values)
    check_numbers("prototypes", weights.prototypes)
    check_places("owner", weights.owner, actions)
    if not 0 <= weights.count <= most:
        raise InputError(f"count is {weights.count}; it must be between 0 and {most:,}")


def plan_of(model: Model, coding: Coding, actions: int, *further: int) -> Ints:
    """Return the plan of an agent, coded for the loops."""
    features = (coding.kind, coding.tiles, coding.intercept)
    return np.array(
        [*features, model.kind(), coding.features, actions, model.hidden, *further], dtype=np.int64
    )


def agent_of(
    model: Model,
    coding: Coding,
    actions: int,
    weights: LearnedWeights,
    memory: Memory,
    settings: Floats,
    monitor: Floats,
    stream: NDArray[np.int64],
    theory: Floats | None = None,
) -> Any:
    """Return an agent for the loops, which modify its weights, memory, monitor and stream."""
    width = max(coding.width, len(weights.owner))
    explains = np.empty((0, 0)) if theory is None else theory
    traced = len(weights.values) if settings[_loops.DECAY] > 0 else 0
    return _loops.Agent(
        plan_of(model, coding, actions, weights.count, memory.following, memory.kept, 0, 2, 0, 0, 0, 0, 0),
        settings,
        np.array([coding.low, coding.scale]),
        coding.rows,
        coding.amounts,
        weights.values,
        weights.visits,
        np.zeros(traced),
        weights.prototypes,
        weights.owner,
        monitor,
        stream,
        np.zeros((SLOTS, width), dtype=np.int64),
        np.zeros((2 * SLOTS, width)),
        np.zeros((SLOTS, actions + 1, model.hidden)),
        np.zeros((SLOTS, actions)),
        memory.rows,
        explains,
        np.zeros((5, max(explains.shape[1], 1))),
    )
