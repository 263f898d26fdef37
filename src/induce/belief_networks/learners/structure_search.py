"""Structure search: add, remove and reverse arcs as long as the score rises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.learners.network_parameters import parents_of
from induce.belief_networks.learners.structured import Known, Sketch, StructureLearner
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.structure.knowledge import Constraints
from induce.belief_networks.structure.mixed import scores_of
from induce.belief_networks.structure.scores import FamilyScores
from induce.belief_networks.structure.search import Found, Parents, anneal, hill_climb, restarted, tabu_search
from induce.core.errors import InputError
from induce.core.parameters import Declared, anything, choice, whole
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.hypotheses.naming import value_text

METHODS = ("hill-climbing", "tabu", "annealing")
Start = BeliefNetwork | Dag | Mapping[str, Iterable[str]]


class StructureSearch(StructureLearner):
    """Local search for the graph with the best score (AIMA 20.2).

    A move adds, removes or reverses an arc without creating a cycle. The score is a sum over families, so that only
    those changed by a move are recounted.

    Two graphs are compared on the rows that are complete for both. Unseen categories and missing values in
    rows to predict are summed out. With BIC and MDL, numeric columns are linear-Gaussian in their numeric
    parents, per state of the nominal ones; other scores cut them into quartiles. Arcs from numeric to nominal
    columns are not learned, unless `knowledge` declares the latter logistic.

    Parameters
    ----------
    method : str, default="hill-climbing"
        ``"hill-climbing"`` makes the best move as long as it improves the score. ``"tabu"`` continues with
        the least harmful move and keeps the best graph. ``"annealing"`` makes random moves at a falling
        temperature.
    n_restarts : int, default=0
        Number of restarts from random changes to the best graph. With many columns, 20 restarts find a much
        better graph at a few times the cost.
    criterion : str, default="bic"
        Score: ``"bic"``, ``"mdl"``, ``"k2"`` or ``"bdeu"``.
    equivalent_sample_size : float, default=1.0
        Equivalent sample size of the BDeu prior.
    start : dict, Dag or BeliefNetwork, optional
        Initial graph; by default only the required arcs.
    knowledge : Knowledge or dict, optional
        Background knowledge: order, tiers, required and forbidden arcs, maximum parents, kinds of conditionals.
    alpha : float, default=1.0
        Pseudo-count of every table cell.
    n_bootstrap : int, default=0
        Number of bootstrap samples from which the graph is relearned, to estimate the confidence in each arc.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int or None, default=0
        Random seed of restarts, annealing and the bootstrap.
    n_jobs : int, optional
        Number of threads of the bootstrap.

    Attributes
    ----------
    hypothesis_ : LearnedNetwork or NetworkClassifier
    scores_ : tuple of float
        Score of the initial graph and after each move.

    See Also
    --------
    PC : Structure learning by independence tests.
    K2 : Greedy search with a known node order.
    StructureSampler : Posterior probabilities of arcs.

    References
    ----------
    D. Heckerman, D. Geiger and D. M. Chickering (1995). Learning Bayesian networks: the combination of
    knowledge and statistical data. Machine Learning 20, 197-243.

    Examples
    --------
    >>> import induce
    >>> from induce.belief_networks import textbook_network
    >>> X = textbook_network("sprinkler").sample(2000, random_state=0)
    >>> print(induce.StructureSearch().fit(X).hypothesis_.partial)
    Cloudy — Sprinkler
    Cloudy — Rain
    Sprinkler → WetGrass
    Rain → WetGrass
    """

    parameters: ClassVar[Declared] = {
        "method": choice("Search method.", *METHODS),
        "n_restarts": whole("Number of restarts from randomly changed graphs.", at_least=0),
        "start": anything(
            "Initial graph; None starts with only the required arcs.", "a graph or network", none=True
        ),
    }

    def __init__(
        self,
        *,
        method: str = "hill-climbing",
        n_restarts: int = 0,
        criterion: str = "bic",
        equivalent_sample_size: float = 1.0,
        start: Start | None = None,
        knowledge: Known = None,
        alpha: float = 1.0,
        n_bootstrap: int = 0,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.method = method
        self.n_restarts = n_restarts
        self.criterion = criterion
        self.equivalent_sample_size = equivalent_sample_size
        self.start = start
        self.knowledge = knowledge
        self.alpha = alpha
        self.n_bootstrap = n_bootstrap
        self.schema = schema
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _cuts_numbers(self) -> bool:
        return self.criterion not in ("bic", "mdl")

    def _graph(self, cases: Cases, limits: Constraints, rng: np.random.Generator) -> Sketch:
        families = scores_of(cases, limits, self.criterion, self.equivalent_sample_size)
        found = searched(self.method, families, limits, self._first_graph(cases, limits), rng)
        found = restarted(found, families, limits, self.n_restarts, rng)
        return Sketch.of(found.parents, limits, scores_=found.scores)

    def _first_graph(self, cases: Cases, limits: Constraints) -> Parents:
        parents = limits.required_parents()
        if self.start is not None:
            for child, above in enumerate(parents_of(self.start, cases.schema.names(), cases.target)):
                parents[child] |= set(above)
                for parent in above:
                    if not limits.allowed[parent, child]:
                        arc = f"{value_text(limits.nodes[parent])} → {value_text(limits.nodes[child])}"
                        raise InputError(f"start has the arc {arc}, which knowledge forbids; remove it")
                if len(parents[child]) > limits.max_parents:
                    raise InputError(
                        f"start has {len(parents[child])} parents of {limits.nodes[child]!r}, more "
                        f"than max_parents={limits.max_parents}; remove some"
                    )
        return Dag(limits.nodes, tuple(tuple(sorted(each)) for each in parents)).parents


def searched(
    method: str, families: FamilyScores, limits: Constraints, start: Parents, rng: np.random.Generator
) -> Found:
    """Return the result of a search by the given method."""
    if method == "annealing":
        return anneal(families, limits, start, rng)
    return (tabu_search if method == "tabu" else hill_climb)(families, limits, start)
