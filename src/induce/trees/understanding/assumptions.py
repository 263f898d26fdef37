"""Inductive bias of tree learners: the hypotheses they can express, and those they prefer (Mitchell §3.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from induce.core.errors import InputError
from induce.hypotheses.naming import plural

BOXES = (
    "every function of nominal attributes, and every function of numeric attributes that is constant on boxes"
)
POLYHEDRA = "every function that is constant on regions bounded by weighted sums of numeric attributes"
RULES = "every function that is constant on boxes, as a list of rules"
SHORT = "short trees, since the best tests near the root leave little to test below"
GREEDY = "greedy: the best test at each node, from the root down, never revised"
MEASURES = {
    "gain": "the highest information gain",
    "gain_ratio": "the highest gain per split information, which penalises attributes with many values",
    "mantaras": "the smallest López de Mántaras distance between branches and classes",
    "gini": "the largest decrease of the Gini index",
    "kearns_mansour": "the largest decrease of the square-root impurity of Kearns and Mansour",
    "chi_square": "the largest chi-square statistic",
    "g_statistic": "the largest likelihood-ratio statistic G",
    "twoing": "the highest twoing value",
    "random": "a random rank",
    "gain_per_cost": "the highest gain per cost",
    "tan_schlimmer": "the highest squared gain per cost",
    "nunez": "the highest gain per cost, weighted as by Núñez",
}
PRUNING = {
    "reduced-error": "subtrees that do not reduce the error on held-out examples",
    "error-based": "subtrees whose upper limit of the error is no better than that of a leaf",
    "cost-complexity": "subtrees that are not worth the cost of their leaves",
    "chi-square": "tests that could be as good by chance",
    "pessimistic": "subtrees that are not better than a leaf by more than a standard error",
    "minimum-error": "subtrees whose expected error is no lower than that of a leaf",
    "critical-value": "tests that do not reach a critical value",
    "mdl": "subtrees that do not shorten the description of the examples",
    "adjusted-error": "subtrees whose error, adjusted for the number of parameters, is no lower",
    "repeated-partitions": "subtrees that repeated partitions of the examples do not support",
}


@dataclass(frozen=True)
class Bias:
    """The inductive bias of a learner.

    Parameters
    ----------
    learner : str
        Name of the learner.
    space : str
        Functions that the learner can express.
    complete : bool
        Whether the learner can express all functions; if not, it has a restriction (language) bias.
    search : str
        Search strategy.
    exhaustive : bool
        Whether the search is exhaustive.
    prefers : tuple of str
        Functions that the search prefers: its preference (search) bias.
    """

    learner: str
    space: str
    complete: bool
    search: str
    exhaustive: bool
    prefers: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Whether the learner restricts its hypotheses, prefers some, or both."""
        kinds = [*([] if self.complete else ["restriction"]), *(["preference"] if self.prefers else [])]
        return " and ".join(kinds) + " bias"

    def __str__(self) -> str:
        space = "complete" if self.complete else "restricted"
        search = "exhaustive" if self.exhaustive else "not exhaustive"
        lines = [
            f"{self.learner}: {self.kind}",
            f"  space: {self.space} ({space})",
            f"  search: {self.search} ({search})",
            *(f"  prefers {preference}" for preference in self.prefers),
        ]
        return "\n".join(lines)


def bias(learner: Any) -> Bias:
    """Return the assumptions that a tree learner makes beyond the examples, given its parameters.

    Parameters
    ----------
    learner : tree learner
        Learner, fitted or not.

    Examples
    --------
    >>> import induce
    >>> print(bias(induce.ID3()))
    ID3: preference bias
      space: every function of nominal attributes, and every function of numeric attributes that is constant on boxes
      (complete)
      search: greedy: the best test at each node, from the root down, never revised (not exhaustive)
      prefers trees with, near the root, tests that have the highest information gain
      prefers short trees, since the best tests near the root leave little to test below
    """
    from induce.trees.learners.bfsid3 import BFSID3
    from induce.trees.learners.c45_rules import C45Rules
    from induce.trees.learners.cls import CLS
    from induce.trees.learners.decision_tree_classifier import DecisionTreeClassifier
    from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor
    from induce.trees.learners.incremental_id3 import IncrementalID3
    from induce.trees.learners.lmdt import LMDT
    from induce.trees.learners.lookahead_tree import LookaheadTree
    from induce.trees.learners.oc1 import OC1

    name = type(learner).__name__
    prefers: tuple[str, ...]
    match learner:
        case DecisionTreeClassifier():
            learner._growth_rule()  # which rejects parameters that the learner cannot use
            return Bias(name, *_space(learner), GREEDY, False, _preferences(learner))
        case DecisionTreeRegressor():
            by = (
                f"trees with, near the root, tests that most lower the squared error of a {learner.leaf} leaf"
            )
            functions = f"every function that is {learner.leaf} on boxes of the attributes"
            return Bias(name, *_space(learner, functions), GREEDY, False, (by, SHORT, *_pruned(learner)))
        case IncrementalID3():
            search = "greedy, as ID3: a test is revised only if new examples make a different one the best"
            return Bias(name, *_space(learner), search, False, (_first("gain"), SHORT))
        case BFSID3():
            search = "breadth first: all trees without a test, then all with one level of tests, and so on"
            prefers = (
                "the shallowest tree that fits every example",
                "of those, the one with the fewest nodes",
            )
            return Bias(name, *_space(learner), search, True, prefers)
        case LookaheadTree() | CLS():
            ahead = learner.lookahead if isinstance(learner, CLS) else learner.steps
            search = f"{GREEDY}, but with look-ahead over up to {plural(ahead, 'more test')} below it"
            least = "least cost of tests and mistakes" if isinstance(learner, CLS) else "purest examples"
            return Bias(name, *_space(learner), search, False, (f"trees that soon reach the {least}", SHORT))
        case OC1() | LMDT():
            how = "random starts and directions" if isinstance(learner, OC1) else "error correction"
            search = f"{GREEDY}; its weights are found by {how}"
            prefers = (_first(learner._measure()), SHORT, *_pruned(learner))
            return Bias(name, *_space(learner, POLYHEDRA), search, False, prefers)
        case C45Rules():
            search = "greedy: a tree grown as by C4.5, whose rules drop one condition at a time"
            prefers = (
                "short rules, where the estimate of their accuracy allows",
                "accurate rules before others",
            )
            return Bias(name, RULES, True, search, False, prefers)
    raise InputError(f"the bias of {name} is not known; give a tree learner such as ID3()")


def _first(criterion: str) -> str:
    return f"trees with, near the root, tests that have {MEASURES[criterion]}"


def _space(learner: Any, functions: str = BOXES) -> tuple[str, bool]:
    """Return the functions that a learner can express, and whether it can express all of them."""
    limits = []
    if getattr(learner, "max_depth", None) is not None:
        limits.append(f"trees of at most {plural(learner.max_depth, 'level')} of tests")
    if getattr(learner, "max_nodes", None) is not None:
        limits.append(f"trees of at most {plural(learner.max_nodes, learner.count.removesuffix('s'))}")
    if getattr(learner, "numeric", "threshold") == "intervals":
        limits.append("numeric attributes only in the intervals found before growth")
    if getattr(learner, "bins", None) is not None:
        limits.append(f"thresholds only between {learner.bins} intervals")
    return ("; ".join(limits) if limits else functions), not limits


def _preferences(learner: Any) -> tuple[str, ...]:
    stops = []
    if learner.min_samples_split > 2 or learner.min_samples_leaf > 1:
        stops.append("few examples are left")
    if learner.min_gain > 0:
        stops.append("little is gained")
    if learner.significance is not None:
        stops.append("no test is significant")
    if learner.mdl_stop:
        stops.append("a test would not shorten the description of the examples")
    short = () if learner.criterion == "random" else (SHORT,)
    stopped = (f"to stop where {' or '.join(stops)}",) if stops else ()
    return (_first(learner.criterion), *short, *stopped, *_pruned(learner))


def _pruned(learner: Any) -> tuple[str, ...]:
    if learner.pruning is None:
        return ()
    return (f"smaller trees: pruning removes {PRUNING[learner.pruning]}",)
