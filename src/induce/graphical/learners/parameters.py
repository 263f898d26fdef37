"""The learner of the parameters of a network whose graph is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from induce.core.errors import InputError
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.graphical.cases import Cases
from induce.graphical.graphs.dag import Dag
from induce.graphical.learners.base import NetworkLearner
from induce.graphical.network import BeliefNetwork
from induce.graphical.parameters.families import Families
from induce.graphical.parameters.prior import Alpha, Prior

Structure = BeliefNetwork | Dag | Mapping[str, Iterable[str]]


class NetworkParameters(NetworkLearner):
    """The parameters of a belief network whose graph is known (Mitchell 6.11.4; AIMA 20.2).

    A nominal node with nominal parents has a table, a numeric one a normal distribution around a line for each state
    of its nominal parents, a nominal one with a numeric parent is logistic.

    A case in which a value of a family is missing does not count for it. A category not seen in training, and a
    missing value in a row to predict, are summed out.

    Parameters
    ----------
    structure : dict, Dag or BeliefNetwork, optional
        From each node to its parents. By default the target is the only parent of every column (naive Bayes), and
        without a target columns are independent.
    alpha : float or dict
        The pseudo-count of every cell: with 1 Laplace's estimate, with 0 plain fractions. A dict gives nodes their
        own: a number, or an array in the shape of the table; nodes that it leaves out have 1.
    equivalent_sample_size : float, optional
        In place of `alpha`: the number of cases that the prior is worth, spread over the cells of each table as the
        network given as `structure` says, otherwise evenly (BDeu).
    conditionals : dict, optional
        From nominal nodes to ``"table"``, ``"noisy-or"`` or ``"logistic"``.
    class_weight : dict or "balanced", optional
        The weight of the rows of each class.
    schema : Schema or dict, optional
        What is known of the columns beyond their types.

    Attributes
    ----------
    hypothesis_ : BeliefNetwork or NetworkClassifier

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> learner = induce.NetworkParameters({"Humidity": ["Outlook"], "Wind": []}, alpha=0).fit(X)
    >>> learner.hypothesis_.query("Humidity", {"Outlook": "Sunny"})["High"]
    0.6
    >>> induce.NetworkParameters(alpha=0).fit(X, y).predict([["Sunny", "Cool", "High", "Strong"]]).tolist()
    ['No']
    """

    def __init__(
        self,
        structure: Structure | None = None,
        *,
        alpha: Alpha = 1.0,
        equivalent_sample_size: float | None = None,
        conditionals: Mapping[str, str] | None = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.structure = structure
        self.alpha = alpha
        self.equivalent_sample_size = equivalent_sample_size
        self.conditionals = conditionals
        self.class_weight = class_weight
        self.schema = schema

    def _learn(self, cases: Cases) -> BeliefNetwork:
        prior = self._prior(cases.schema)
        families = Families.of(cases, parents_of(self.structure, cases), self.conditionals)
        return families.network(families.statistics(cases), prior, cases)

    def _prior(self, schema: Schema) -> Prior:
        network = self.structure if isinstance(self.structure, BeliefNetwork) else None
        prior = Prior(self.alpha, self.equivalent_sample_size, network)
        prior.check(schema)
        return prior


def parents_of(structure: Structure | None, cases: Cases) -> tuple[tuple[int, ...], ...]:
    """Return the positions of the parents of each node, as a user gives the arcs."""
    names = cases.schema.names()
    if structure is None:
        return tuple(() if cases.target in (None, name) else (0,) for name in names)
    if isinstance(structure, BeliefNetwork):
        structure = structure.graph
    if isinstance(structure, Dag):
        structure = {name: structure.parents_of(name) for name in structure.nodes}
    if not isinstance(structure, Mapping):
        raise InputError(f"structure is {structure!r}; give a dict from nodes to their parents, or a network")
    graph = Dag.of(structure, names)
    for name in graph.nodes:
        if name not in names:
            raise unknown("column", name, names)
    return graph.parents
