"""Structure search: arcs are added, taken away and turned round as long as a score rises."""

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

    A move adds an arc, takes one away or turns one round, and leaves no cycle. The score adds up over families, so
    that only those a move changes are counted again.

    Two graphs are compared on the rows that know what both need. A category not seen in training, and a
    missing value in a row to predict, are summed out. By BIC and MDL numeric columns are normal around lines in
    their numeric parents, one for each state of their nominal ones; other scores see them cut into quartiles. Arcs
    from numeric to nominal columns are not learned, unless `knowledge` says these are logistic.

    Parameters
    ----------
    method : str, default="hill-climbing"
        ``"hill-climbing"`` makes the best move as long as it gains; ``"tabu"`` goes on from there by moves that lose
        least, and keeps the best graph; ``"annealing"`` makes moves at random, at a falling temperature.
    n_restarts : int, default=0
        Number of restarts after random changes to the best graph. On many columns 20 restarts find a much
        better graph in a few times the time.
    criterion : str, default="bic"
        The score: ``"bic"``, ``"mdl"``, ``"k2"`` or ``"bdeu"``.
    equivalent_sample_size : float, default=1.0
        Equivalent sample size of the BDeu prior.
    start : dict, Dag or BeliefNetwork, optional
        The graph to start from; by default only the required arcs.
    knowledge : Knowledge or dict, optional
        Order, tiers, required and forbidden arcs, most parents, kinds of conditionals.
    alpha : float, default=1.0
        The pseudo-count of every cell of the tables.
    n_bootstrap : int, default=0
        Number of bootstrap samples from which the graph is relearned, to estimate the confidence in each arc.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int or None, default=0
        Random seed, of restarts, annealing and the bootstrap.
    n_jobs : int, optional
        Threads of the bootstrap.

    Attributes
    ----------
    hypothesis_ : LearnedNetwork or NetworkClassifier
    scores_ : tuple of float
        The score of the graph at the start and after each move.

    See Also
    --------
    PC : Tests of independence.
    K2 : Search with a known order of the nodes.
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
        "method": choice("Local search.", *METHODS),
        "n_restarts": whole("Number of further searches from changed graphs.", at_least=0),
        "start": anything("Graph to start from; None starts without arcs.", "a graph or network", none=True),
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
                        raise InputError(f"start has the arc {arc}, which knowledge forbids; take it out")
                if len(parents[child]) > limits.max_parents:
                    raise InputError(
                        f"start has {len(parents[child])} parents of {limits.nodes[child]!r}, but at most "
                        f"{limits.max_parents} are allowed"
                    )
        return Dag(limits.nodes, tuple(tuple(sorted(each)) for each in parents)).parents


def searched(
    method: str, families: FamilyScores, limits: Constraints, start: Parents, rng: np.random.Generator
) -> Found:
    """Return what a search by one of the methods finds."""
    if method == "annealing":
        return anneal(families, limits, start, rng)
    return (tabu_search if method == "tabu" else hill_climb)(families, limits, start)
