"""K2: greedy addition of parents from the preceding nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.learners.structured import Known, Sketch, StructureLearner
from induce.belief_networks.structure.knowledge import Constraints
from induce.belief_networks.structure.mixed import scores_of
from induce.belief_networks.structure.search import TIE
from induce.core.progress import report
from induce.core.randomness import RandomState
from induce.core.trace import emit
from induce.data.schema import Schema


class K2(StructureLearner):
    """The K2 algorithm: a greedy search for parents, given an order of the nodes (Mitchell 6.11.6).

    In the given order, each node gets as parents those predecessors that raise the probability of the data
    most, one at a time, until none raises it (Cooper and Herskovits 1992). The order is that of the columns,
    target first, unless `knowledge` gives another.

    Two graphs are compared on the rows that are complete for both. Unseen categories and missing values in
    rows to predict are summed out. Numeric columns are cut into quartiles for structure learning; arcs never
    lead from them to nominal columns, and their distributions are normal.

    Parameters
    ----------
    knowledge : Knowledge or dict, optional
        Background knowledge: order, tiers, required and forbidden arcs, maximum number of parents.
    alpha : float, default=1.0
        Pseudo-count of every table cell.
    n_bootstrap : int, default=0
        Number of bootstrap samples from which the graph is relearned, to estimate the confidence in each arc.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int or None, default=0
        Random seed of the bootstrap.
    n_jobs : int, optional
        Number of threads of the bootstrap.

    Attributes
    ----------
    hypothesis_ : LearnedNetwork or NetworkClassifier

    See Also
    --------
    StructureSearch : Score-based structure search.
    PC : Structure learning by independence tests.

    References
    ----------
    G. F. Cooper and E. Herskovits (1992). A Bayesian method for the induction of probabilistic networks from
    data. Machine Learning 9, 309-347.

    Examples
    --------
    >>> import induce
    >>> rows = ["100", "111", "001", "111", "000", "011", "111", "000", "111", "000"]
    >>> X = [[f"is {digit}" for digit in row] for row in rows]
    >>> print(induce.K2().fit(X).hypothesis_.graph.arcs)
    (('x0', 'x1'), ('x1', 'x2'))
    """

    def __init__(
        self,
        *,
        knowledge: Known = None,
        alpha: float = 1.0,
        n_bootstrap: int = 0,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.knowledge = knowledge
        self.alpha = alpha
        self.n_bootstrap = n_bootstrap
        self.schema = schema
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _graph(self, cases: Cases, limits: Constraints, rng: np.random.Generator) -> Sketch:
        families = scores_of(cases, limits, "k2")
        order = limits.order()
        parents = limits.required_parents()
        for number, node in enumerate(order):
            before = [k for k in order[:number] if limits.allowed[k, node] and k not in parents[node]]
            score = families.score(node, parents[node])
            while before and len(parents[node]) < limits.max_parents:
                gains = families.gains(node, parents[node])[before]
                best = int(np.argmax(gains >= gains.max() - TIE * max(1.0, abs(score))))
                if gains[best] <= TIE * max(1.0, abs(score)):
                    break
                emit(
                    "arc",
                    move="add",
                    parent=limits.nodes[before[best]],
                    child=limits.nodes[node],
                    gain=float(gains[best]),
                )
                score += float(gains[best])
                parents[node].add(before.pop(best))
            report((number + 1) / len(order))
        # the order is knowledge as well: arcs against it are impossible
        place = np.argsort(order)
        limits = Constraints(
            limits.nodes,
            limits.allowed & (place[:, None] < place[None, :]),
            limits.required,
            limits.max_parents,
            limits.kinds,
        )
        return Sketch.of(parents, limits)
