"""Posterior sampling of graphs and arc probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.conditionals.base import Floats
from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.learners.structured import Known, Sketch, StructureLearner
from induce.belief_networks.structure.knowledge import Constraints
from induce.belief_networks.structure.mixed import scores_of
from induce.belief_networks.structure.sampling import Chain, chain, r_hat
from induce.belief_networks.structure.search import Parents, ahead
from induce.core.notes import note
from induce.core.parallel import run
from induce.core.parameters import Declared, whole
from induce.core.randomness import RandomState
from induce.data.schema import Schema

APART = 1.1
"""R-hat above which the chains have not converged."""


class StructureSampler(StructureLearner):
    """Sample graphs from their posterior, which gives the probability of each arc (AIMA 20.2).

    Metropolis chains move between graphs by adding, removing or reversing an arc. The score serves as the log
    probability of the data; all graphs allowed by `knowledge` have the same prior probability. The network is
    the most probable graph visited, and its `support` is the probability of each arc.

    Two graphs are compared on the rows that are complete for both. Unseen categories and missing values in
    rows to predict are summed out. Numeric columns are cut into quartiles for structure learning; no arcs
    lead from them to nominal columns, and their distributions are normal.

    Parameters
    ----------
    criterion : str, default="bdeu"
        Score: ``"bdeu"``, ``"k2"``, or ``"bic"`` and ``"mdl"`` as approximations.
    equivalent_sample_size : float, default=1.0
        Equivalent sample size of the BDeu prior.
    n_moves : int, default=2000
        Number of moves of each chain, after a burn-in of a quarter as many.
    n_chains : int, default=4
        Number of chains; the first starts from the required arcs only, the others from random graphs.
    knowledge : Knowledge or dict, optional
        Background knowledge: order, tiers, required and forbidden arcs, maximum number of parents.
    alpha : float, default=1.0
        Pseudo-count of every table cell.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int or None, default=0
        Random seed.
    n_jobs : int, optional
        Number of threads of the chains.

    Attributes
    ----------
    hypothesis_ : LearnedNetwork or NetworkClassifier
    r_hat_ : float
        Convergence diagnostic R-hat; near 1 if the chains agree.
    chains_ : tuple of Chain
        Samples of each chain.

    See Also
    --------
    StructureSearch : Score-based structure search.

    References
    ----------
    D. Madigan and J. York (1995). Bayesian graphical models for discrete data. International Statistical Review
    63, 215-232.

    Examples
    --------
    >>> import induce
    >>> from induce.belief_networks import textbook_network
    >>> X = textbook_network("sprinkler").sample(500, random_state=0)
    >>> network = induce.StructureSampler(random_state=0).fit(X).hypothesis_
    >>> joined, this_way = network.sureness("Rain", "WetGrass")
    >>> joined > 0.99
    True
    """

    n_bootstrap = 0

    parameters: ClassVar[Declared] = {
        "n_moves": whole("Number of moves per chain.", at_least=1),
        "n_chains": whole("Number of chains.", at_least=1),
    }

    def __init__(
        self,
        *,
        criterion: str = "bdeu",
        equivalent_sample_size: float = 1.0,
        n_moves: int = 2000,
        n_chains: int = 4,
        knowledge: Known = None,
        alpha: float = 1.0,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.equivalent_sample_size = equivalent_sample_size
        self.n_moves = n_moves
        self.n_chains = n_chains
        self.knowledge = knowledge
        self.alpha = alpha
        self.schema = schema
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _cuts_numbers(self) -> bool:
        return self.criterion not in ("bic", "mdl")

    def _sure_by(self) -> str:
        return f"the graphs sampled by {self.n_chains} chains"

    def _support(
        self, cases: Cases, limits: Constraints, streams: Sequence[np.random.Generator]
    ) -> Floats | None:
        return np.asarray(np.mean([each.arcs for each in self.chains_], axis=0))

    def _graph(self, cases: Cases, limits: Constraints, rng: np.random.Generator) -> Sketch:
        families = scores_of(cases, limits, self.criterion, self.equivalent_sample_size)
        required = tuple(tuple(sorted(above)) for above in limits.required_parents())

        def walk(number: int) -> Chain:
            own = streams[number]
            start = required if number == 0 else _random_graph(limits, own)
            return chain(families, limits, start, self.n_moves, self.n_moves // 4, own)

        streams = rng.spawn(self.n_chains)
        chains = run(walk, range(self.n_chains), self.n_jobs)
        apart = r_hat(chains)
        if apart > APART:
            note(f"the chains have not converged (R-hat {apart:.2f}); increase n_moves above {self.n_moves}")
        best = chains[0]
        for other in chains[1:]:
            if ahead(families, best.best, best.score, other.best, other.score) > 0:
                best = other
        return Sketch.of(best.best, limits, chains_=tuple(chains), r_hat_=apart)


def _random_graph(limits: Constraints, rng: np.random.Generator) -> Parents:
    """Return a random graph: the required arcs and at most one other allowed arc per node."""
    state = Dag(limits.nodes, tuple(tuple(sorted(above)) for above in limits.required_parents()))
    parents = [set(above) for above in state.parents]
    for child in rng.permutation(len(parents)).tolist():
        below = Dag(limits.nodes, tuple(map(tuple, parents))).descendants([child])
        free = [k for k in np.flatnonzero(limits.allowed[:, child]).tolist() if k not in below]
        if free and len(parents[child]) < limits.max_parents:
            parents[child].add(free[int(rng.integers(len(free)))])
    return tuple(tuple(sorted(above)) for above in parents)
