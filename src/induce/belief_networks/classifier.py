"""Classifier that predicts one node of a network from the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from induce.belief_networks.explanation import Findings, explained_rows
from induce.belief_networks.factors import Floats
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.rows import evidence_rows, posteriors
from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.values import Value
from induce.data.schema import Schema
from induce.hypotheses.exporting import SqlForm
from induce.hypotheses.kinds.classifier import ProbabilisticClassifier

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.hypotheses.expressions.nodes import Expression


@dataclass(frozen=True, eq=False)
class NetworkClassifier(SqlForm, ProbabilisticClassifier):
    """Predicts the most probable value of a network's target node from the other values of a row.

    Missing values, and values outside a node's domain, are summed out. For an impossible row, the prior of the target
    is used. Ties go to the first value.

    Parameters
    ----------
    network : BeliefNetwork
        Network that contains the target.
    target : str
        Target, a nominal node.

    Examples
    --------
    >>> from induce.belief_networks.library import textbook_network
    >>> tennis = textbook_network("play-tennis").classifier("PlayTennis")
    >>> tennis.predict([["Sunny", "Cool", "High", "Strong"]]).tolist()
    ['No']
    """

    takes_tables: ClassVar[bool] = False

    ties_by_rounding: ClassVar[bool] = True

    network: BeliefNetwork
    target: str

    def __post_init__(self) -> None:
        self.check()

    def check(self) -> None:
        """Raise an `InputError` unless the target is a nominal node."""
        if self.network.column(self.target).kind != "nominal":
            raise InputError(f"the target {self.target!r} is numeric; name a nominal node")

    @property
    def classes(self) -> tuple[Value, ...]:
        """Values of the target."""
        return self.network.column(self.target).domain

    @cached_property
    def schema(self) -> Schema:
        """Schema of the nodes other than the target."""
        return Schema(tuple(column for column in self.network.schema if column.name != self.target))

    def encoded(self, X: Any) -> tuple[Any, Any]:
        """Encode rows as evidence: codes of nominal and values of numeric nodes."""
        return evidence_rows(self.network, X, self.schema, tell=False)

    def _scores(self, rows: tuple[Any, Any]) -> Floats:
        codes, numbers = rows
        place = self.network.graph.position(self.target)
        codes[:, place] = -1
        (chances,) = posteriors(self.network, codes, numbers, [place])
        impossible = np.isnan(chances).any(axis=1)
        if impossible.any():
            chances[impossible] = self._prior
        return chances

    @cached_property
    def _prior(self) -> Floats:
        from induce.belief_networks.inference.evidence import Evidence
        from induce.belief_networks.inference.questions import joint

        return joint(self.network, Evidence.none(self.network), [self.network.graph.position(self.target)])

    def explain(self, X: Any) -> tuple[Findings, ...]:
        """Return, for each row, the effect of each finding on the predicted value's probability, and any
        conflicts.

        For an impossible row, only the most probable value of the prior is given.
        """
        return explained_rows(self.network, self.encoded(X), self.target, lenient=True)

    def _picture(self) -> tuple[str, dict[str, Any]]:
        return self.network._picture()

    def parts(self) -> Parts:
        """Return the number of arcs and parameters of the network."""
        return self.network.parts()

    def size(self) -> str:
        """Return the size of the network as text."""
        return self.network.size()

    def draw(self) -> Figure:
        """Plot the network."""
        return self.network.draw()

    def expression(self) -> Expression:
        """Return the prediction as an expression; rows with a missing value in the Markov blanket get no
        prediction.

        Examples
        --------
        >>> from induce.belief_networks import BeliefNetwork
        >>> rain = BeliefNetwork.of(
        ...     {"wet": ["rain"]},
        ...     {"rain": {"no": 0.5, "yes": 0.5}, "wet": {"no": {"no": 1, "yes": 0}, "yes": {"no": 0.5, "yes": 0.5}}},
        ... )
        >>> print(rain.classifier("rain").to_sql(key="id"))
        SELECT "id",
          (WITH
            step_0 AS (SELECT
              -0.6931471805599453e0
                + CASE WHEN "wet" = 'yes' THEN -1e+306 ELSE 0 END AS score_0,
              -0.6931471805599453e0
                + CASE WHEN "wet" IN ('no', 'yes') THEN -0.6931471805599453e0 ELSE 0 END AS score_1)
          SELECT CASE
            WHEN "wet" IS NULL OR "wet" NOT IN ('no', 'yes') THEN NULL
            WHEN score_0 < -1e+305 AND score_1 < -1e+305 THEN 'no'
            WHEN score_0 >= score_1 - 1e-09 * ABS(score_1) THEN 'no'
            ELSE 'yes'
          END FROM step_0) AS "prediction"
        FROM "data"
        """
        from induce.belief_networks.classifier_export import expression_of

        return expression_of(self)

    def to_python(self, name: str = "predict") -> str:
        """Return the source of a Python function that takes a dict and is equivalent to `predict`."""
        from induce.belief_networks.classifier_export import to_python

        return to_python(self, name)

    def to_network(self) -> BeliefNetwork:
        """Return the network."""
        return self.network

    def to_dot(self) -> str:
        """Return the graph in Graphviz format."""
        return self.network.to_dot()

    def to_bif(self) -> str:
        """Return the network in BIF."""
        return self.network.to_bif()

    def to_xmlbif(self) -> str:
        """Return the network in XMLBIF."""
        return self.network.to_xmlbif()

    def to_xdsl(self) -> str:
        """Return the network in XDSL."""
        return self.network.to_xdsl()

    def _lacking(self) -> dict[str, str]:
        return super()._lacking() | self.network._lacking()

    def __str__(self) -> str:
        return f"{self.target} is predicted by a network\n{self.network}"
