"""Base of structure learners: knowledge, a graph, its parameters, and the confidence in each arc."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.conditionals.base import Floats
from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.graphs.partial import PartialGraph
from induce.belief_networks.learners.base import NetworkLearner
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.parameters.families import by_counts
from induce.belief_networks.parameters.prior import Prior
from induce.belief_networks.structure.equivalence import arc_shares, told
from induce.belief_networks.structure.knowledge import Constraints, constraints_of
from induce.belief_networks.structure.learned import LearnedNetwork
from induce.belief_networks.structure.scores import SCORES
from induce.core.notes import Note, note
from induce.core.parallel import run
from induce.core.parameter_kinds import Dict, Instance
from induce.core.parameters import Declared, choice, either, number, whole
from induce.core.randomness import RandomState, generator
from induce.data.schema import Schema
from induce.hypotheses.knowledge import ARC_PARTS, Knowledge

Known = Knowledge | Mapping[str, Any] | None

CUT = "numeric columns are cut into intervals for structure learning; their distributions are normal"


@dataclass(frozen=True)
class Sketch:
    """A learned graph, its version with undetermined directions left open, and further attributes of the
    learner.
    """

    parents: tuple[tuple[int, ...], ...]
    partial: PartialGraph
    attributes: Mapping[str, Any]

    @classmethod
    def of(cls, parents: Sequence[Iterable[int]], limits: Constraints, **attributes: Any) -> Sketch:
        """Return a graph with the directions determined by data and knowledge."""
        above = tuple(tuple(sorted(each)) for each in parents)
        return cls(above, told(Dag(limits.nodes, above), limits), attributes)


class StructureLearner(NetworkLearner):
    """Base class of structure learners; subclasses define `_graph`, which finds a graph for cases."""

    parameters: ClassVar[Declared] = {
        "knowledge": either(
            "Background knowledge: order, tiers, required and forbidden arcs.",
            Instance("Knowledge", "a Knowledge"),
            Dict("a dict of its fields"),
            none=True,
            otherwise="give a Knowledge, or a dict of its fields",
        ),
        "alpha": number("Pseudo-count of every cell of a table.", at_least=0, finite=True),
        "n_bootstrap": whole("Number of bootstrap samples that estimate the confidence in arcs.", at_least=0),
        "equivalent_sample_size": number(
            "Equivalent sample size of the prior; larger values give denser graphs.", at_least=1e-9
        ),
        "criterion": choice("Score of a graph.", *SCORES),
    }
    knowledge: Known
    alpha: float
    n_bootstrap: int
    random_state: RandomState
    n_jobs: int | None
    schema: Schema | dict[str, Any] | None

    @abstractmethod
    def _graph(self, cases: Cases, limits: Constraints, rng: np.random.Generator) -> Sketch:
        """Return the graph learned from cases and knowledge."""

    def _cuts_numbers(self) -> bool:
        """Return whether numeric columns are discretised."""
        return True

    def _network_of(self, cases: Cases) -> BeliefNetwork:
        known = Knowledge.of(self.knowledge).only(type(self).__name__, ARC_PARTS)
        limits = constraints_of(known, cases.schema)
        self._tell(cases)
        first, *streams = generator(self.random_state).spawn(1 + self.n_bootstrap)
        found = self._graph(cases, limits, first)
        for name, value in found.attributes.items():
            setattr(self, name, value)
        network = self._network(cases, found, known)
        support = self._support(cases, limits, streams)
        return network if support is None else replace(network, support=support, sure_by=self._sure_by())

    def _tell(self, cases: Cases) -> None:
        if self._cuts_numbers() and not cases.is_nominal:
            note(CUT)
        if not cases.is_complete:
            note(
                "values are missing: two graphs are compared on the rows that are complete for both; "
                "use StructuralEM to impute them by expectation"
            )

    def _network(self, cases: Cases, found: Sketch, known: Knowledge) -> LearnedNetwork:
        kinds = {name: kind for name, kind in known.conditionals.items() if kind != "table"}
        return as_learned(by_counts(cases, found.parents, Prior(self.alpha), kinds), found.partial)

    def _sure_by(self) -> str:
        """Return a description of the samples over which the support of arcs is computed."""
        return f"{self.n_bootstrap} bootstrap samples"

    def _support(
        self, cases: Cases, limits: Constraints, streams: Sequence[np.random.Generator]
    ) -> Floats | None:
        """Return the fraction of bootstrap samples in which each arc is learned (Friedman, Goldszmidt and Wyner
        1999).
        """
        if not streams:
            return None
        chances = cases.weights / cases.weights.sum()
        size = round(float(cases.weights.sum()))

        def shares(rng: np.random.Generator) -> Floats:
            weights = rng.multinomial(max(size, 1), chances).astype(np.float64)
            drawn = np.flatnonzero(weights)
            again = replace(cases.rows(drawn), weights=weights[drawn])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Note)
                return arc_shares(self._graph(again, limits, rng).partial)

        return np.asarray(np.mean(run(shares, streams, self.n_jobs), axis=0))


def as_learned(network: BeliefNetwork, partial: PartialGraph) -> LearnedNetwork:
    """Return a network with its undetermined directions marked."""
    undirected = tuple(
        (parent, child)
        for child, above in enumerate(network.parents)
        for parent in above
        if (min(parent, child), max(parent, child)) in partial.edges
    )
    return LearnedNetwork(network.schema, network.parents, network.conditionals, network.name, undirected)
