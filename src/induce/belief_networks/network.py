"""Belief networks: queries, files and plots (Mitchell 6.11; AIMA 14)."""

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
    values) or `Jeffrey` (their new probabilities). A node that is not listed, or whose value is missing, is
    unobserved.

    Parameters
    ----------
    schema : Schema
        One column per node, nominal with its domain or numeric.
    parents : tuple of tuples of int
        Indices of the parents of each node.
    conditionals : tuple of Conditional
        Distribution of each node given its parents.
    name : str
        Name of the network.

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
        """Return the network with the given parents and distributions.

        Parameters
        ----------
        parents : dict
            Mapping from each node to its parents; nodes without parents may be omitted.
        conditionals : dict, optional
            Mapping from each node to its distribution, or to a dict from the states of its parents (a value,
            or a tuple of values) to distributions. A distribution is the probability of True, a dict from
            values to probabilities, a list of them in the order of the values, or a `Normal`. Arrays with one
            axis per parent, `Conditional` objects and `noisy_or` are accepted too. Missing distributions are
            uniform.
        values : dict, optional
            Mapping from nodes to their values, or to ``"numeric"``; by default the values named in the
            distributions, or False and True.
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
        """Read a network from a BIF, XMLBIF or XDSL file, optionally compressed with gzip.

        Parameters
        ----------
        path : str or path-like
            File name ending in ``.bif``, ``.xmlbif``, ``.xml`` or ``.xdsl``, optionally followed by ``.gz``.
        """
        from induce.belief_networks.files.network_file import read_network

        return read_network(path)

    def write(self, path: Path) -> None:
        """Write the network to a file in the format implied by its extension; see `read`.

        These formats support only nominal nodes; noisy-OR and logistic nodes become tables.
        """
        from induce.belief_networks.files.network_file import write_network

        write_network(self, path)

    def do(self, actions: Mapping[str, Any]) -> BeliefNetwork:
        """Return the network after an intervention that sets the given nodes, independent of their parents.

        The distributions of these nodes are removed from the product; all others stay (truncated factorisation).

        Parameters
        ----------
        actions : dict
            Mapping from nodes to the values they are set to.

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
    ) -> Any:  # the type of the answer depends on the node
        """Return the probabilities of the values of a node, or of the joint states of several nodes.

        Parameters
        ----------
        targets : str or sequence of str
            Queried node or nodes; a numeric node must be queried alone.
        given : dict, optional
            Evidence on other nodes.
        method : str
            ``"exact"`` (a junction tree), ``"enumeration"`` or ``"elimination"``; or approximate:
            ``"likelihood-weighting"``, ``"rejection"``, ``"gibbs"`` or ``"loopy"``.
        precision : float
            Maximum standard error at which sampling ends.
        random_state : int, optional
            Random seed.

        Returns
        -------
        Answer
            Mapping from values (or tuples of values) to probabilities; for a numeric node, a `NumberAnswer`.

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
        """Return the exact posterior probabilities of every node."""
        from induce.belief_networks.inference.questions import marginals

        return marginals(self, given)

    def probability(self, given: Mapping[str, Any]) -> float:
        """Return the probability of the evidence, or its density if it includes numeric nodes.

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
        """Return the jointly most probable values of all unobserved nominal nodes.

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
        """Rank the unobserved nodes by the expected value of observing them for a target, best first.

        Parameters
        ----------
        target : str
        given : dict, optional
        utilities : dict, optional
            Mapping from each decision to a dict from the target's values to utilities. The value of an observation is
            then the expected gain of the best decision; otherwise, the expected entropy reduction in bits.
        candidates : sequence of str, optional
            Nodes that could be observed; all by default.

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
        """Return a polars frame with the posterior probabilities of the given nodes for each row of a table.

        Missing cells and values outside a node's domain are treated as unobserved. An impossible row gets
        nulls.

        Parameters
        ----------
        X : frame or array
            Frame with one column per observed node, or array with one column per node.
        targets : str or sequence of str, optional
            Queried nodes; all by default. Numeric nodes get their mean and standard deviation.

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
        """Return the table as a polars frame, with missing values replaced by the most probable ones."""
        from induce.belief_networks.rows import most_probable_rows

        return most_probable_rows(self, X)

    def score_samples(self, X: Any) -> Floats:
        """Return the log probability (log density with numeric nodes) of each row; missing values are summed out."""
        from induce.belief_networks.rows import log_probabilities

        return log_probabilities(self, X)

    def sample(self, n: int = 1, random_state: RandomState = None) -> Any:
        """Return a polars frame of `n` random rows."""
        from induce.data.decoded_rows import frame_of

        return frame_of(self.schema, self.sample_values(n, generator(random_state)))

    def classifier(self, target: str) -> NetworkClassifier:
        """Return a classifier that predicts the most probable value of a node from all others."""
        from induce.belief_networks.classifier import NetworkClassifier

        return NetworkClassifier(self, target)

    # --- shown

    def explain(self, X: Any, target: str = "") -> tuple[Findings, ...]:
        """Return, for each row, the effect of each finding on a target's probability, and conflicts.

        Parameters
        ----------
        X : dict or frame
            Findings as a dict, or a frame with one row per case.
        target : str
        """
        from induce.belief_networks.explanation import explained

        return explained(self, X, target)

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return the nodes as plain data: values, parents, prior probabilities, and, for small nominal
        networks, tables.
        """
        from induce.belief_networks.report import network_view

        return "network", network_view(self)

    def draw(self, given: Given = None, *, tables: bool = False) -> Figure:
        """Plot the graph, parents above children, with the marginals of every node as bars.

        Parameters
        ----------
        given : dict, optional
            Evidence, which is marked in the plot; the bars show the posteriors.
        tables : bool
            Whether to show the conditional tables instead of bars.
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
        """Return the network itself, for uniformity with other hypotheses."""
        return self

    def to_bif(self) -> str:
        """Return the network in BIF, which supports only nominal nodes."""
        from induce.belief_networks.files.bif import write_bif

        return write_bif(self)

    def to_xmlbif(self) -> str:
        """Return the network in XMLBIF."""
        from induce.belief_networks.files.xmlbif import write_xmlbif

        return write_xmlbif(self)

    def to_xdsl(self) -> str:
        """Return the network in XDSL."""
        from induce.belief_networks.files.xdsl import write_xdsl

        return write_xdsl(self)

    def _lacking(self) -> dict[str, str]:
        if all(column.kind == "nominal" for column in self.schema):
            return {}
        return dict.fromkeys(
            ("bif", "xmlbif", "xdsl"), "it has a numeric node, which the format does not support"
        )

    def to_networkx(self) -> Any:
        """Return a networkx ``DiGraph``; its nodes have `domain` and `conditional`."""
        from induce.belief_networks.export import to_networkx

        return to_networkx(self)

    def to_dot(self) -> str:
        """Return the graph in Graphviz format."""
        from induce.belief_networks.export import to_dot

        return to_dot(self)
