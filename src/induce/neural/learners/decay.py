"""Weight decay chosen by cross-validation, along a path from weak to strong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.folds import folds
from induce.core.randomness import generator
from induce.core.trace import emit, part
from induce.neural.network import Network
from induce.neural.objective import NetworkObjective
from induce.optimise.descent import descend
from induce.optimise.stopping import Stop

if TYPE_CHECKING:
    from induce.neural.learners.base import NeuralNetworkLearner, Task

DECAYS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
USUAL = 0.1
"""Default decay, for too few rows or solvers other than L-BFGS."""
FEWEST_ROWS, MANY_ROWS = 50, 1_000
"""Minimum number of rows for cross-validation, and number above which a single fold is held out instead of
three.
"""
FOLDS = 3
EPOCHS = 60
"""Maximum number of epochs for each decay after the first."""


def chosen_decay(learner: NeuralNetworkLearner, network: Network, task: Task, loss: str) -> float:
    """Return the decay with the lowest cross-validated error.

    Each fold is trained with the weakest decay first and continues with stronger ones, which takes only a few
    steps each. A network that began with a strong decay would stay where all weights are 0.
    """
    errors = np.zeros(len(DECAYS))
    split = list(folds(task.T[:, 0], FOLDS, learner._seed(), stratify=False).split(task.T))
    for number, (train, test) in enumerate(split[: 1 if len(task.T) > MANY_ROWS else FOLDS], 1):
        held = NetworkObjective(network, task.X[test], task.T[test], loss, 0.0, task.weights[test])
        w = learner._initial(network, generator(learner._seed()))
        for k, decay in enumerate(DECAYS):
            objective = NetworkObjective(
                network, task.X[train], task.T[train], loss, decay, task.weights[train], True
            )
            most = int(learner.max_epochs)
            stop = Stop(
                max_epochs=most if k == 0 else min(most, EPOCHS),
                tolerance=float(learner.tol) or 1e-6,
                patience=3,
            )
            with part(f"fold {number}"):
                w = descend(objective, w, direction="lbfgs", stop=stop).best_w
            errors[k] += held.loss(w)
    best = DECAYS[int(np.argmin(errors))]
    emit("decay", decays=DECAYS, errors=errors.tolist(), chosen=best)
    return best
