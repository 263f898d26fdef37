"""The bucket brigade on a chain of rules, as a worked example (Holland 1986)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least, share


def bucket_brigade(
    strengths: Sequence[float], reward: float, bid: float = 0.1, episodes: int = 1
) -> NDArray[np.float64]:
    """Return the strengths of a chain of rules after each episode in which all fire in sequence.

    Every rule pays its bid, a fraction of its strength, to the previous rule; the last one gets the reward.

    Parameters
    ----------
    strengths : sequence of float
        Initial strength of each rule, in the order of firing.
    reward : float
        Reward of the last rule in each episode.
    bid : float
        Fraction of its strength that a rule pays.
    episodes : int
        Number of episodes.

    Returns
    -------
    array of float64, shape (episodes, rules)

    Examples
    --------
    >>> bucket_brigade([10, 10, 10], 100, episodes=2)
    array([[ 10. ,  10. , 109. ],
           [ 10. ,  19.9, 198.1]])
    """
    share("bid", bid)
    at_least("episodes", episodes, 1, whole=True)
    now = np.asarray(strengths, dtype=np.float64)
    history = []
    for _ in range(episodes):
        bids = bid * now
        now = now - bids + np.append(bids[1:], reward)
        history.append(now)
    return np.array(history)
