"""Networks that predict the effects of actions: the domain theory of EBNN for Q values (Mitchell 13.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.reinforcement.approximation.features import Coding, Floats, Observations


@dataclass(frozen=True, eq=False)
class ActionModels:
    """One network per action, mapping an observation to its change and to the reward.

    Each has one hidden layer of sigmoid units and linear outputs; inputs are scaled to about -1 to 1.

    Parameters
    ----------
    names : tuple of str
        Names of the observed numbers.
    actions : tuple of str
        Names of the actions.
    middle, scale : array of float64
        Offset subtracted from each number, and scale factor applied to the difference.
    into : array of float64, shape (actions, hidden, numbers + 1)
        Weights of the hidden units; the threshold is last.
    out : array of float64, shape (actions, numbers + 1, hidden + 1)
        Weights of the outputs: the change in each number, then the reward; the threshold is last.
    """

    names: tuple[str, ...]
    actions: tuple[str, ...]
    middle: Floats
    scale: Floats
    into: Floats
    out: Floats

    def check(self) -> None:
        """Raise an `InputError` unless the arrays have matching shapes and finite values."""
        n, actions = len(self.names), len(self.actions)
        hidden = self.into.shape[1] if self.into.ndim == 3 else 0
        if self.into.shape != (actions, hidden, n + 1) or self.out.shape != (actions, n + 1, hidden + 1):
            raise InputError(
                f"the weights of action models do not fit {actions} actions and {n} numbers; learn them with "
                "learn_action_models"
            )
        for what in (self.middle, self.scale, self.into, self.out):
            if not np.isfinite(what).all():
                raise InputError("a weight of the action models is not finite; learn them again")

    def predict(self, observation: Any, action: str) -> tuple[NDArray[np.float64], float]:
        """Return the predicted next observation and reward.

        Parameters
        ----------
        observation : sequence of float
        action : str
        """
        if action not in self.actions:
            raise InputError(f"there is no action {action!r}; the actions are {', '.join(self.actions)}")
        place = self.actions.index(action)
        at = (np.asarray(observation, np.float64) - self.middle) * self.scale
        units = 1 / (1 + np.exp(-(self.into[place, :, :-1] @ at + self.into[place, :, -1])))
        said = self.out[place, :, :-1] @ units + self.out[place, :, -1]
        return (at + said[:-1]) / self.scale + self.middle, float(said[-1])

    def weights_for(self, coding: Coding, seen: Observations, actions: tuple[str, ...]) -> Floats:
        """Return the flat weights for the loops, in feature units: per action, hidden then output weights."""
        if self.names != seen.names or self.actions != actions:
            raise InputError(
                f"the action models were learned with {', '.join(self.names)} and the actions "
                f"{', '.join(self.actions)}, but the environment has {', '.join(seen.names)} and "
                f"{', '.join(actions)}; learn them in this environment"
            )
        # z' = (x - middle') scale' are the features, z = (x - middle) scale the inputs of the models
        ratio = self.scale / coding.scale
        into, out = self.into.copy(), self.out.copy()
        into[:, :, -1] += into[:, :, :-1] @ ((coding.low - self.middle) * self.scale)
        into[:, :, :-1] *= ratio
        out[:, :-1] /= ratio[:, np.newaxis]
        flat = [part.reshape(len(part), -1) for part in (into, out)]
        return np.ascontiguousarray(np.hstack(flat))

    def __str__(self) -> str:
        hidden = self.into.shape[1]
        return (
            f"one network of {hidden} hidden units for each of {', '.join(self.actions)}: from "
            f"{', '.join(self.names)} to their next values and the reward"
        )
