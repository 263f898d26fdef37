"""Russell and Norvig, exercise 20.3: when to stop opening candies and sell the bag."""

from __future__ import annotations

from dataclasses import dataclass

from induce.bayes.bags import FiniteBags
from induce.bayes.posterior import Posterior

CHERRIES = {"h1": 1.0, "h2": 0.75, "h3": 0.5, "h4": 0.25, "h5": 0.0}
PRIOR = (0.1, 0.2, 0.4, 0.2, 0.1)


@dataclass(frozen=True)
class Trade:
    """Value of opening candies one by one when the bag can be sold at any time.

    Parameters
    ----------
    value : float
        Expected utility of the best policy.
    sell_now : float
        Expected utility of selling the bag unopened.
    sell_from : tuple of int
        Minimum number of limes at which selling is best, after opening 0, 1, 2, … cherries.
    """

    value: float
    sell_now: float
    sell_from: tuple[int, ...]


def trade(n: int, ann: tuple[float, float], bob: tuple[float, float], cherries: int = 6) -> Trade:
    """Return the best policy by dynamic programming over the candies opened so far.

    Ann keeps the candies she opens, and Bob pays his expected value of the rest.

    Parameters
    ----------
    n : int
        Number of candies in the bag.
    ann, bob : pair of float
        Utilities of a cherry and of a lime.
    cherries : int
        Number of cherry counts covered by `sell_from`.
    """
    bags = {
        name: {"cherry": round(share * n), "lime": n - round(share * n)} for name, share in CHERRIES.items()
    }
    levels = [{(0, 0): FiniteBags(bags, PRIOR).posterior()}]
    for _ in range(n):
        following: dict[tuple[int, int], Posterior] = {}
        for (c, m), posterior in levels[-1].items():
            said = posterior.predict()
            for kind, state in (("cherry", (c + 1, m)), ("lime", (c, m + 1))):
                if state not in following and said[kind] > 0:
                    following[state] = posterior.update(kind)
        levels.append(following)
    best: dict[tuple[int, int], float] = {}
    sold: dict[int, int] = {}
    for level in reversed(levels):
        for (c, m), posterior in level.items():
            sell = c * ann[0] + m * ann[1] + _worth(posterior, bob)
            if c + m == n:
                best[c, m] = sell
                continue
            said = posterior.predict()
            opened = said["lime"] * best.get((c, m + 1), 0.0) + said["cherry"] * best.get((c + 1, m), 0.0)
            best[c, m] = max(sell, opened)
            if sell >= opened:
                sold[c] = min(m, sold.get(c, m))
    start = levels[0][0, 0]
    return Trade(best[0, 0], _worth(start, bob), tuple(sold[c] for c in range(cherries)))


def _worth(posterior: Posterior, bob: tuple[float, float]) -> float:
    """Return Bob's value of the candies left in the bag."""
    left = posterior.hypothesis_set.hypotheses
    values = [bob[0] * bag["cherry"] + bob[1] * bag["lime"] for bag in left]
    return float(posterior.probabilities @ values)
