"""Transfer between tasks: the same process with a different goal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.environments.mdp import MDP
from induce.environments.tables import EstimatedMDP


def new_goal(model: MDP | EstimatedMDP, rewards: Mapping[Any, float], step: float = 0.0) -> MDP:
    """Return a known process with a new goal: same actions and transition probabilities, different rewards.

    A given or learned model is kept between tasks: after a change of goal, values are relearned by simulated steps,
    without any real action.

    Parameters
    ----------
    model : MDP or EstimatedMDP
        Process to change.
    rewards : dict
        Reward for reaching each goal, at which the episode ends.
    step : float
        Reward of every other step.

    Examples
    --------
    >>> from induce.environments import grid_world
    >>> from induce.reinforcement import DynamicProgramming
    >>> moved = new_goal(grid_world("mitchell-13.2"), {"BL": 100})
    >>> DynamicProgramming(discount=0.9).learn(moved).hypothesis_.value("TM")
    90.0
    """
    mdp = model.mdp if isinstance(model, EstimatedMDP) else model
    if not isinstance(mdp, MDP):
        raise InputError(f"the model is {type(model).__name__}; give an MDP, such as the `model` of a policy")
    if not rewards:
        raise InputError("rewards is empty; name at least one state to reach")
    given = np.full(mdp.n_states, float(step))
    goal = np.zeros(mdp.n_states, dtype=bool)
    for state, reward in rewards.items():
        place = mdp.place(state)
        given[place], goal[place] = float(reward), True
    source = np.repeat(mdp.pair_state, np.diff(mdp.first))
    stays = mdp.next_state == source
    start = np.where(goal | mdp.absorbing, 0.0, 1.0)
    moved = replace(
        mdp,
        reward=np.where(mdp.absorbing[source], 0.0, np.where(stays, float(step), given[mdp.next_state])),
        ends=goal[mdp.next_state] & ~stays,
        start=start / start.sum() if start.any() else mdp.start,
    )
    moved.check()
    return moved
