"""Networks initialised from a theory, and what the data made of each rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from induce.core.errors import InputError
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.knowledge.encoding import Encoding
from induce.neural.hypothesis import NeuralClassNetwork

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.knowledge.explanation import KnowledgeExplanation
    from induce.knowledge.refinement import Refinement


@dataclass(frozen=True, eq=False)
class KnowledgeNetwork(NeuralClassNetwork):
    """Classification network that was initialised from a theory over columns (Mitchell §12.3).

    Parameters
    ----------
    schema : Schema
        Columns of the rows.
    target : str
        Column that is predicted.
    view : NumericView
        Conversion of rows to inputs.
    network : Network
        Trained network.
    record : TrainingRecord
        Training record.
    classes : tuple
        Classes in the order of the outputs.
    low, high : float
        Target outputs for the other classes and for the unit's own class.
    theory : ExpertRules
        Given rules.
    concepts : tuple of str
        Concept of each output; empty if no rule concludes it.
    weight : float
        Weight W of an antecedent before training.
    extra : str
        Connections beyond those of the rules.

    See Also
    --------
    NeuralClassNetwork : Networks that predict classes, without a theory.
    """

    pictures: ClassVar[tuple[str, ...]] = ("refinement", *NeuralClassNetwork.pictures)

    theory: ExpertRules
    concepts: tuple[str, ...]
    weight: float
    extra: str

    @cached_property
    def encoding(self) -> Encoding:
        """Network that encodes the rules, as it was before training."""
        return Encoding(self.theory, self.view, self.concepts, self.weight, self.extra)

    def refinement(self, X: Any, y: Any = None) -> Refinement:
        """Return the given rules next to the rules that the trained units represent.

        Parameters
        ----------
        X : table
            Rows on which units and rules are compared.
        y : target, optional
            Classes of the rows, used to evaluate the rules.
        """
        from induce.knowledge.refinement import refinement

        self._must_be_one("refinement")
        return refinement(self, X, y)

    @property
    def is_committee(self) -> bool:
        """Whether the network averages several networks, whose units have no single meaning."""
        return self.network.n_weights != self.encoding.network.n_weights

    def _must_be_one(self, what: str) -> None:
        if self.is_committee:
            raise InputError(
                f"the network is a committee, so its units have no single meaning; for the {what} "
                "train one network (n_networks=1), or extract a tree with "
                "extract_rules(method='tree')"
            )

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        if self.is_committee:
            lacking["refinement"] = "the network is a committee"
        return lacking

    def explain(self, X: Any) -> tuple[Any, ...]:
        """Return, for each row, the rules whose units are on, the learned links that outvoted rules, and relevance.

        A committee is explained as other networks are, by the effect of each column.
        """
        if self.is_committee:
            return super().explain(X)
        from induce.knowledge.explanation import explained

        found: tuple[KnowledgeExplanation, ...] = explained(self, self.encoded(X))
        return found

    def draw(
        self, kind: str = "refinement", X: Any = None, y: Any = None, *, shape: tuple[int, int] | None = None
    ) -> Figure:
        """Draw the network; ``"refinement"`` shows it before and after training (Figures 12.2 and 12.3).

        Parameters
        ----------
        kind : str
            Kind of figure: ``"refinement"``, or one of `NeuralClassNetwork.draw`.
        X, y, shape
            As in `NeuralClassNetwork.draw`.
        """
        if kind != "refinement" or self.is_committee:
            return super().draw("diagram" if kind == "refinement" else kind, X, y, shape=shape)
        from induce.knowledge.network_pictures import draw_refinement

        return draw_refinement(self)

    def draw_refinement(self) -> Figure:
        """Draw the network before and after training."""
        self._must_be_one("picture")
        return self.draw("refinement")
