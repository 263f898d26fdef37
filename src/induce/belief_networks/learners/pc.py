"""PC: structure learning by independence tests."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.learners.structured import Known, Sketch, StructureLearner
from induce.belief_networks.structure.independence import (
    STATISTICS,
    Independences,
    Skeleton,
    extended,
    oriented,
    skeleton,
)
from induce.belief_networks.structure.knowledge import Constraints
from induce.belief_networks.structure.mixed import coded
from induce.belief_networks.structure.scores import CodedRows
from induce.core.notes import note
from induce.core.parameters import Declared, choice, number, truth, whole
from induce.core.randomness import RandomState
from induce.core.ties import best_of
from induce.data.schema import Schema
from induce.hypotheses.naming import plural

MOST_STATES = 100_000
"""Maximum number of joint states of the parents of a node."""


class PC(StructureLearner):
    """The PC algorithm: structure learning by independence tests (Mitchell 6.11.6; AIMA 20.2; Spirtes et al. 1993).

    All nodes are adjacent at first. The edge between two nodes is removed if they are independent given some
    of their neighbours; the result does not depend on the order of columns. If two non-adjacent nodes share a
    neighbour outside their separating set, both arcs point to it; further directions follow. The remaining
    undirected edges are directed so that no further independence arises.

    A row with a missing value is not used for tests that need it. Unseen categories and missing values in
    rows to predict are summed out. Numeric columns are cut into quartiles for structure learning; no arcs
    lead from them to nominal columns, and their distributions are normal.

    Parameters
    ----------
    statistic : str, default="g"
        Test statistic: ``"g"`` (likelihood ratio) or ``"chi2"`` (Pearson).
    significance : float, default=0.01
        Significance level of the tests; larger values keep more arcs.
    max_given : int, default=5
        Maximum number of conditioning nodes of a test.
    conservative : bool, default=False
        Whether a middle node becomes a collider only if every set that separates its two neighbours excludes it;
        otherwise the first separating set found decides.
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
    n_tests_ : int
        Number of independence tests.

    See Also
    --------
    StructureSearch : Score-based structure search.
    ChowLiu : Maximum-likelihood trees.

    References
    ----------
    P. Spirtes, C. Glymour and R. Scheines (1993). Causation, Prediction, and Search. Springer.

    D. Colombo and M. H. Maathuis (2014). Order-independent constraint-based causal structure learning. Journal
    of Machine Learning Research 15, 3921-3962.

    Examples
    --------
    >>> import induce
    >>> from induce.belief_networks import textbook_network
    >>> X = textbook_network("sprinkler").sample(2000, random_state=0)
    >>> print(induce.PC().fit(X).hypothesis_.partial)
    Cloudy — Sprinkler
    Cloudy — Rain
    Sprinkler → WetGrass
    Rain → WetGrass
    """

    parameters: ClassVar[Declared] = {
        "statistic": choice("Statistic of the independence tests.", *STATISTICS),
        "significance": number(
            "Significance level of the tests; smaller values keep fewer arcs.", above=0, below=1
        ),
        "max_given": whole("Maximum number of conditioning columns of a test.", at_least=0),
        "conservative": truth("Whether directions contradicted by some test are left open."),
    }

    def __init__(
        self,
        *,
        statistic: str = "g",
        significance: float = 0.01,
        max_given: int = 5,
        conservative: bool = False,
        knowledge: Known = None,
        alpha: float = 1.0,
        n_bootstrap: int = 0,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.statistic = statistic
        self.significance = significance
        self.max_given = max_given
        self.conservative = conservative
        self.knowledge = knowledge
        self.alpha = alpha
        self.n_bootstrap = n_bootstrap
        self.schema = schema
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _graph(self, cases: Cases, limits: Constraints, rng: np.random.Generator) -> Sketch:
        rows = coded(cases)
        tests = Independences(rows)
        asked = self.statistic, self.significance, self.max_given
        found = skeleton(tests, limits, *asked)
        partial = oriented(found, tests, limits, *asked, self.conservative)
        parents = extended(partial)
        lost = _thinned(parents, found, limits, rows)
        if lost:
            note(f"{plural(lost, 'arc')} removed from nodes with too many parents, least certain first")
            return Sketch.of(parents, limits, n_tests_=len(tests))
        return Sketch(tuple(tuple(sorted(above)) for above in parents), partial, {"n_tests_": len(tests)})


def _thinned(parents: list[set[int]], found: Skeleton, limits: Constraints, rows: CodedRows) -> int:
    """Remove the least certain parents of nodes that have too many; return the number removed."""
    lost = 0
    for node, above in enumerate(parents):
        while len(above) > limits.max_parents or rows.n_states(above) > MOST_STATES:
            loose = [k for k in sorted(above) if not limits.required[k, node]]
            if not loose:
                break
            doubts = {k: found.weakest.get((min(k, node), max(k, node)), 0.0) for k in loose}
            above.discard(best_of(doubts, doubts.__getitem__))
            lost += 1
    return lost
