"""Structural EM: structure learning with missing values and hidden nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.learners.structured import Known, Sketch, StructureLearner, as_learned
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.parameters.families import by_counts
from induce.belief_networks.parameters.hidden import HIDDEN, with_hidden
from induce.belief_networks.parameters.prior import Prior
from induce.belief_networks.structure.completion import completions
from induce.belief_networks.structure.hidden import Fitted
from induce.belief_networks.structure.hidden import StructuralEM as Search
from induce.belief_networks.structure.knowledge import Constraints, constraints_of
from induce.belief_networks.structure.mixed import coded, interval_cases
from induce.belief_networks.structure.scores import FamilyScores
from induce.belief_networks.structure.search import TIE, hill_climb
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, number, whole
from induce.core.randomness import RandomState, generator
from induce.core.trace import emit
from induce.data.schema import Schema
from induce.hypotheses.knowledge import ARC_PARTS, Knowledge


class StructuralEM(StructureLearner):
    """Learn the graph of a network with missing values or hidden nodes (AIMA 20.3; Friedman 1998).

    EM estimates the parameters of a graph, expected counts are computed, and tabu search changes the graph by
    these counts, which all candidates share. These steps alternate. The score is BIC: the log probability of
    the observed values, minus ln N / 2 per parameter.

    A hidden node has no column. Declared hidden nodes are placed in the network; others are invented as long
    as the score rises, each with as many values as improve it. A hidden node replaces the arcs within a group
    of nodes that are nearly all adjacent.

    Missing values are replaced by expectations in training. Unseen categories and missing values in rows to predict
    are summed out. Numeric columns are cut into quartiles for structure learning; no arcs lead from them to nominal
    columns, and their distributions are normal.

    Parameters
    ----------
    hidden : dict, optional
        Mapping from hidden nodes to their values, or to their number of values.
    invent : int, default=0
        Maximum number of invented hidden nodes.
    max_values : int, default=4
        Maximum number of values of an invented node.
    n_init : int, default=3
        Number of random starts of EM for a hidden node.
    knowledge : Knowledge or dict, optional
        Background knowledge, also on hidden nodes: order, tiers, required and forbidden arcs, maximum parents.
    alpha : float, default=1.0
        Pseudo-count of every table cell.
    n_bootstrap : int, default=0
        Number of bootstrap samples from which the graph is relearned, to estimate the confidence in each arc.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int or None, default=0
        Random seed.
    n_jobs : int, optional
        Number of threads of the bootstrap.

    Attributes
    ----------
    hypothesis_ : LearnedNetwork or NetworkClassifier
    scores_ : tuple of float
        Score after each change of the graph.

    See Also
    --------
    StructureSearch : Score-based structure search.
    NetworkParameters : Parameter learning for a given graph.

    References
    ----------
    N. Friedman (1998). The Bayesian structural EM algorithm. Fourteenth Conference on Uncertainty in Artificial
    Intelligence, 129-138.

    Examples
    --------
    >>> import induce
    >>> from induce.belief_networks import BeliefNetwork
    >>> bag = {1: 0.9, 2: 0.2}
    >>> features = ["flavor", "wrapper", "hole", "size"]
    >>> candy = BeliefNetwork.of(
    ...     {name: ["bag"] for name in features}, {"bag": {1: 0.5, 2: 0.5}, **{name: bag for name in features}}
    ... )
    >>> X = candy.sample(600, random_state=0).drop("bag")
    >>> network = induce.StructuralEM(hidden={"bag": 2}, random_state=0).fit(X).hypothesis_
    >>> print(*network.graph.children_of("bag"))
    flavor wrapper hole size
    """

    parameters: ClassVar[Declared] = {
        "hidden": HIDDEN,
        "invent": whole("Maximum number of invented hidden nodes.", at_least=0),
        "max_values": whole("Maximum number of values of an invented node.", at_least=2),
        "n_init": whole("Number of random starts; the best is kept.", at_least=1),
        "alpha": number("Pseudo-count of every cell of a table; greater than 0.", at_least=1e-9, finite=True),
    }

    def __init__(
        self,
        *,
        hidden: Mapping[str, Any] | None = None,
        invent: int = 0,
        max_values: int = 4,
        n_init: int = 3,
        knowledge: Known = None,
        alpha: float = 1.0,
        n_bootstrap: int = 0,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.hidden = hidden
        self.invent = invent
        self.max_values = max_values
        self.n_init = n_init
        self.knowledge = knowledge
        self.alpha = alpha
        self.n_bootstrap = n_bootstrap
        self.schema = schema
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _tell(self, cases: Cases) -> None:
        if not cases.is_nominal:
            note(
                "numeric columns are cut into intervals for structure learning; their distributions "
                "are normal"
            )

    def _network_of(self, cases: Cases) -> BeliefNetwork:
        self._tell(cases)
        rng = generator(self.random_state)
        found, whole = self._found(cases, rng)
        self.scores_ = found.scores
        limits = self._limits(whole.schema)
        network = found.network if cases.is_nominal else self._with_numbers(found, whole, rng)
        learned = as_learned(network, Sketch.of(network.parents, limits).partial)
        self._start = found.network
        support = self._support(whole, limits, rng.spawn(self.n_bootstrap))
        del self._start
        return learned if support is None else replace(learned, support=support, sure_by=self._sure_by())

    def _graph(self, cases: Cases, limits: Constraints, rng: np.random.Generator) -> Sketch:
        """Return the graph found by a search that starts from the current network."""
        search = self._search_in(cases, rng)
        found = search.climbed(search.fitted(self._start.parents, self._start))
        return Sketch.of(found.network.parents, limits)

    def _limits(self, schema: Schema) -> Constraints:
        limits = constraints_of(Knowledge.of(self.knowledge).only(type(self).__name__, ARC_PARTS), schema)
        for name, kind in zip(limits.nodes, limits.kinds, strict=True):
            if kind != "table":
                raise InputError(
                    f"{name!r} is declared {kind}, but StructuralEM learns only tables; use StructureSearch"
                )
        return limits

    def _search_in(self, cases: Cases, rng: np.random.Generator) -> Search:
        return Search(interval_cases(cases), self._limits(cases.schema), Prior(self.alpha), rng)

    def _found(self, cases: Cases, rng: np.random.Generator) -> tuple[Fitted, Cases]:
        """Return the best network, and the cases with one column per hidden node."""
        search = self._search_in(cases, rng)
        required = search.limits.required_parents()
        first = hill_climb(FamilyScores(coded(cases), "bic"), search.limits, required)
        found = search.climbed(search.fitted(first.parents, None))
        for name, values in declared(self.hidden).items():
            cases = with_hidden(cases, {name: values})
            found = self._placed(cases, found, rng)
        for k in range(self.invent):
            name = f"hidden {k + 1}"
            better = self._invented(cases, name, found, rng)
            if better is None:
                break
            found, cases = better
        return self._search_in(cases, rng).finished(found), cases

    def _placed(self, cases: Cases, found: Fitted, rng: np.random.Generator) -> Fitted:
        """Return the best network that includes the last node of the cases, a hidden one."""
        search = self._search_in(cases, rng)
        after = search.with_hidden_node((*found.network.parents, ()), len(cases.schema) - 1, self.n_init)
        return Fitted(after.network, after.score, (*found.scores, *after.scores))

    def _invented(
        self, cases: Cases, name: str, found: Fitted, rng: np.random.Generator
    ) -> tuple[Fitted, Cases] | None:
        """Return a network with one more hidden node of the best size, or None if none improves the score."""
        best: tuple[Fitted, Cases] | None = None
        for values in range(2, self.max_values + 1):
            wider = with_hidden(cases, {name: values})
            after = self._placed(wider, found, rng)
            emit("hidden", node=name, values=values, score=after.score)
            score = found.score if best is None else best[0].score
            if after.score <= score + TIE * abs(score):
                break
            best = after, wider
        return best

    def _with_numbers(self, found: Fitted, cases: Cases, rng: np.random.Generator) -> BeliefNetwork:
        """Return the network with normal distributions of numeric nodes, estimated from completed rows."""
        cut = interval_cases(cases)
        rows, origin = completions(found.network, cut, rng)
        numeric = np.array([column.kind == "numeric" for column in cases.schema])
        codes = np.where(numeric, -1, rows.codes)
        whole = Cases.of(cases.schema, codes, cases.numbers[origin], rows.weights, cases.target)
        return by_counts(whole, found.network.parents, Prior(self.alpha))


def declared(hidden: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the declared hidden nodes as a mapping."""
    if hidden is None:
        return {}
    return hidden
