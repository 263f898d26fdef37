"""Presets for the two learners of Mitchell's chapter 1: checkers, and tic-tac-toe of exercise 1.5."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.reinforcement.design.evaluation import Evaluation
from induce.reinforcement.design.generalizers import LMS
from induce.reinforcement.design.modules import PerformanceSystem
from induce.reinforcement.design.values import LinearValue
from induce.reinforcement.learners.game_learner import GameLearner


def checkers_learner(**changes: Any) -> GameLearner:
    """Return the checkers learner of Mitchell 1.2, with the book's parameters unless overridden.

    It learns from self-play, fitting V as a linear function of six features by LMS. The step of 0.1 is divided by
    ‖x‖², because it would diverge on raw piece counts.

    Parameters
    ----------
    **changes
        Other parameters of `GameLearner`.

    Examples
    --------
    >>> checkers_learner(games=50)
    GameLearner(games=50)
    """
    return GameLearner(**{"games": 200, **changes})


def tic_tac_toe_learner(mistakes: float = 0.3, **changes: Any) -> GameLearner:
    """Return the tic-tac-toe learner of exercise 1.5, which plays against a fixed evaluation function.

    Parameters
    ----------
    mistakes : float
        Probability that the opponent makes a random legal move.
    **changes
        Other parameters of `GameLearner`.

    Examples
    --------
    >>> print(tic_tac_toe_learner().experience.player)
    V = 0 + 1·own 1 - 1·other 1 + 10·own 2 - 20·other 2 + 100·own 3 - 100·other 3
    """
    fixed = Evaluation("tic-tac-toe", LinearValue(np.array([0.0, 1, -1, 10, -20, 100, -100])))
    chosen: dict[str, Any] = {
        "games": 500,
        "experience": PerformanceSystem(fixed, mistakes),
        "generalizer": LMS(0.01, normalised=False, spread=1.0),
    }
    return GameLearner(**{**chosen, **changes})
