"""Belief networks: what can be asked of them, and how they are read and shown (Mitchell 6.11; AIMA 14)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.representation import Representation
from induce.core.files import Path
from induce.core.randomness import RandomState, generator
from induce.core.values import Value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.belief_networks.classifier import NetworkClassifier
    from induce.belief_networks.explanation import Findings
    from induce.belief_networks.inference.answers import Answer, Explanation, NumberAnswer
    from induce.belief_networks.inference.value_of_information import Observation, Utilities

Floats = NDArray[np.float64]
Given = Mapping[str, Any] | None


@dataclass(frozen=True, eq=False)
class BeliefNetwork(Representation):
    """A Bayesian belief network: P(y1, …, yn) is the product of P(yi | parents of yi) (Mitchell 6.11.2).

    Evidence (`given`) is a dict from nodes to values; uncertain observations are `Virtual` (likelihoods of the
    values) or `Jeffrey` (their new probabilities). A node that is not named, or whose value is missing, is not
    observed.

    Parameters
    ----------
    schema : Schema
        A column for each node, nominal with its domain or numeric.
    parents : tuple of tuples of int
        For each node the positions of its parents.
    conditionals : tuple of Conditional
        For each node its distribution given its parents.
    name : str

    Examples
    --------
    >>> network = BeliefNetwork.of(
    ...     {"Lightning": ["Storm"], "Thunder": ["Lightning"]},
    ...     {"Storm": 0.2, "Lightning": {True: 0.9, False: 0.05}, "Thunder": {True: 0.95, False: 0.1}},
    ... )
    >>> network.size()
    '3 nodes, 2 arcs, 5 parameters'
    >>> round(network.query("Storm", given={"Thunder": True})[True], 4)
    0.6028
    """

    # --- made

    @classmethod
    def of(
        cls,
        parents: Mapping[str, Iterable[str]],
        conditionals: Mapping[str, Any] | None = None,
        values: Mapping[str, Sequence[Value] | str] | None = None,
        name: str = "",
    ) -> BeliefNetwork:
        """Return the network with these parents and distributions.

        Parameters
        ----------
        parents : dict
            From each node to its parents; a node without any need not be a key.
        conditionals : dict, optional
            From each node to its distribution, or to a dict from the states of its parents (a value, or a tuple of
            values) to distributions. A distribution is the probability of True, a dict from values to probabilities,
            a list of them in the order of the values, or a `Normal`. An array with an axis for each parent, a
            `Conditional` and `noisy_or` will do too. What is not given is uniform.
        values : dict, optional
            From nodes to their values, or to ``"numeric"``; by default those that the distributions name, or False
            and True.
        name : str

        Examples
        --------
        >>> network = BeliefNetwork.of(
        ...     {"Grass": ["Weather"]},
        ...     {"Weather": {"rain": 0.3, "sun": 0.7}, "Grass": {"rain": 0.9, "sun": 0.1}},
        ... )
        >>> network.graph.parents_of("Grass")
        ('Weather',)
        """
        from induce.belief_networks.construction import network_of

        return network_of(parents, conditionals, values, name)

    @classmethod
    def read(cls, path: Path) -> BeliefNetwork:
        """Read a network from a file: BIF, XMLBIF or XDSL, perhaps compressed by gzip.

        Parameters
        ----------
        path : str or path-like
            Ending in ``.bif``, ``.xmlbif``, ``.xml`` or ``.xdsl``, perhaps with ``.gz`` after it.
        """
        from induce.belief_networks.files.network_file import read_network

        return read_network(path)

    def write(self, path: Path) -> None:
        """Write the network to a file, in the format that its name ends in; see `read`.

        These formats know nominal nodes only; noisy-OR and logistic nodes become tables.
        """
        from induce.belief_networks.files.network_file import write_network

        write_network(self, path)

    def do(self, actions: Mapping[str, Any]) -> BeliefNetwork:
        """Return the network after an intervention: some nodes are set, and depend on nothing any more.

        The distributions of these nodes are taken out of the product, all others stay (truncated factorisation).

        Parameters
        ----------
        actions : dict
            From nodes to the values they are set to.

        Examples
        --------
        >>> rain = BeliefNetwork.of({"wet": ["rain"]}, {"rain": 0.3, "wet": {True: 0.9, False: 0.1}})
        >>> round(rain.do({"wet": True}).query("rain")[True], 2), round(rain.query("rain", {"wet": True})[True], 2)
        (0.3, 0.79)
        """
        from induce.belief_networks.intervention import intervened

        return intervened(self, actions)

    # --- asked

    def query(
        self,
        targets: str | Sequence[str],
        given: Given = None,
        *,
        method: str = "exact",
        precision: float = 0.005,
        random_state: RandomState = None,
    ) -> Any:  # an answer about values or about a number: which, only the node knows
        """Return the probabilities of the values of a node, or of the states of several nodes together.

        Parameters
        ----------
        targets : str or sequence of str
            The node, or the nodes; a numeric one is asked for alone.
        given : dict, optional
            Evidence about other nodes.
        method : str
            ``"exact"`` (a junction tree), ``"enumeration"`` or ``"elimination"``; or approximate:
            ``"likelihood-weighting"``, ``"rejection"``, ``"gibbs"`` or ``"loopy"``.
        precision : float
            Sampling ends when no probability has a greater standard error.
        random_state : int, optional
            Random seed.

        Returns
        -------
        Answer
            A mapping from values (or tuples of values) to probabilities. Of a numeric node, a `NumberAnswer`.

        Examples
        --------
        >>> rain = BeliefNetwork.of({"wet": ["rain"]}, {"rain": 0.3, "wet": {True: 0.9, False: 0.1}})
        >>> print(rain.query(["rain", "wet"]))
        rain   wet
        False  False  0.6300
        False  True   0.0700
        True   False  0.0300
        True   True   0.2700
        """
        from induce.belief_networks.inference.questions import query

        return query(self, targets, given, method, precision, random_state)

    def marginals(self, given: Given = None) -> dict[str, Answer | NumberAnswer]:
        """Return the probabilities of the values of every node, exactly."""
        from induce.belief_networks.inference.questions import marginals

        return marginals(self, given)

    def probability(self, given: Mapping[str, Any]) -> float:
        """Return the probability of what is given; with numbers, its density.

        Examples
        --------
        >>> rain = BeliefNetwork.of({"wet": ["rain"]}, {"rain": 0.3, "wet": {True: 0.9, False: 0.1}})
        >>> round(rain.probability({"wet": True}), 4)
        0.34
        """
        from induce.belief_networks.inference.evidence import Evidence
        from induce.belief_networks.inference.questions import log_probability

        return math.exp(log_probability(self, Evidence.of(self, given)))

    def most_probable(self, given: Given = None) -> Explanation:
        """Return the most probable values of all nominal nodes that are not observed, together.

        Examples
        --------
        >>> rain = BeliefNetwork.of({"wet": ["rain"]}, {"rain": 0.3, "wet": {True: 0.9, False: 0.1}})
        >>> rain.most_probable({"wet": True})["rain"]
        True
        """
        from induce.belief_networks.inference.questions import most_probable

        return most_probable(self, given)

    def next_observations(
        self,
        target: str,
        given: Given = None,
        *,
        utilities: Utilities | None = None,
        candidates: Sequence[str] | None = None,
    ) -> tuple[Observation, ...]:
        """Return what observing each further node is expected to tell about a target, the most telling first.

        Parameters
        ----------
        target : str
        given : dict, optional
        utilities : dict, optional
            From each decision to a dict from the target's values to utilities. Then an observation is worth what the
            best decision is expected to gain by it; otherwise, the fall of the target's entropy in bits.
        candidates : sequence of str, optional
            The nodes that could be observed; by default all.

        Examples
        --------
        >>> rain = BeliefNetwork.of({"wet": ["rain"]}, {"rain": 0.3, "wet": {True: 0.9, False: 0.1}})
        >>> print(*rain.next_observations("rain"))
        wet: 0.4558
        """
        from induce.belief_networks.inference.value_of_information import next_observations

        return next_observations(self, target, given, utilities, candidates)

    # --- rows

    def query_rows(self, X: Any, targets: str | Sequence[str] | None = None) -> Any:
        """Return a polars frame with the probabilities of the values of some nodes, given each row of a table.

        A cell that is missing, or holds a value that the node does not have, says nothing. A row that is impossible
        gets nulls.

        Parameters
        ----------
        X : frame or array
            A frame with columns for some nodes, or an array with a column for each.
        targets : str or sequence of str, optional
            By default all nodes. Numeric ones get their mean and standard deviation.

        Examples
        --------
        >>> import polars as pl
        >>> rain = BeliefNetwork.of({"wet": ["rain"]}, {"rain": 0.3, "wet": {True: 0.9, False: 0.1}})
        >>> rain.query_rows(pl.DataFrame({"wet": [True, None]}), "rain")["rain = True"].round(3).to_list()
        [0.794, 0.3]
        """
        from induce.belief_networks.rows import query_rows

        return query_rows(self, X, targets)

    def most_probable_rows(self, X: Any) -> Any:
        """Return the rows of a table as a polars frame, with the most probable values where some are missing."""
        from induce.belief_networks.rows import most_probable_rows

        return most_probable_rows(self, X)

    def score_samples(self, X: Any) -> Floats:
        """Return the log probability (with numbers, density) of each row; missing values are summed out."""
        from induce.belief_networks.rows import log_probabilities

        return log_probabilities(self, X)

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Return a polars frame of `n` rows drawn at random."""
        from induce.data.decoded_rows import frame_of

        return frame_of(self.schema, self.sample_values(n, generator(random_state)))

    def classifier(self, target: str) -> NetworkClassifier:
        """Return the network as a classifier: it predicts the most probable value of a node from all others."""
        from induce.belief_networks.classifier import NetworkClassifier

        return NetworkClassifier(self, target)

    # --- shown

    def explain(self, X: Any, target: str = "") -> tuple[Findings, ...]:
        """Return, for each row, which findings moved the probability of a target, and which conflict.

        Parameters
        ----------
        X : dict or frame
            Findings as a question is given them; or a frame, a row each.
        target : str
        """
        from induce.belief_networks.explanation import explained

        return explained(self, X, target)

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return the nodes: values, parents, prior probabilities, and tables where all nodes are nominal and few."""
        from induce.belief_networks.report import network_view

        return "network", network_view(self)

    def draw(self, given: Given = None, *, tables: bool = False) -> Figure:
        """Return a figure of the graph, parents above children, with the marginals of every node as bars.

        Parameters
        ----------
        given : dict, optional
            Evidence: it is marked, and the bars are what follows from it.
        tables : bool
            Whether to show the conditional tables instead.
        """
        from induce.belief_networks.pictures import draw

        return draw(self, given, tables)

    def __str__(self) -> str:
        from induce.belief_networks.report import report

        return report(self)

    def describe(self, node: str) -> str:
        """Return the distribution of a node given its parents as text."""
        from induce.belief_networks.report import conditional_text

        return conditional_text(self, self.graph.position(node))

    def to_network(self) -> BeliefNetwork:
        """Return the network itself, as other hypotheses return the network that says the same."""
        return self

    def to_bif(self) -> str:
        """Return the network as a BIF file holds it; like the other formats, it knows nominal nodes only."""
        from induce.belief_networks.files.bif import write_bif

        return write_bif(self)

    def to_xmlbif(self) -> str:
        """Return the network as an XMLBIF file holds it."""
        from induce.belief_networks.files.xmlbif import write_xmlbif

        return write_xmlbif(self)

    def to_xdsl(self) -> str:
        """Return the network as an XDSL file holds it."""
        from induce.belief_networks.files.xdsl import write_xdsl

        return write_xdsl(self)

    def _lacking(self) -> dict[str, str]:
        if all(column.kind == "nominal" for column in self.schema):
            return {}
        return dict.fromkeys(("bif", "xmlbif", "xdsl"), "it has a numeric node, and the format has none")

    def to_networkx(self) -> Any:
        """Return a networkx ``DiGraph``; its nodes have `domain` and `conditional`."""
        from induce.belief_networks.export import to_networkx

        return to_networkx(self)

    def to_dot(self) -> str:
        """Return the graph as Graphviz reads it."""
        from induce.belief_networks.export import to_dot

        return to_dot(self)
