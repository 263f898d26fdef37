"""Networks that began as a theory: what the data made of each rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.knowledge.encoding import Encoding
from induce.neural.hypothesis import NeuralClassNetwork

if TYPE_CHECKING:
    from induce.knowledge.refinement import Refinement


@dataclass(frozen=True, eq=False)
class KnowledgeNetwork(NeuralClassNetwork):
    """A network that began as a theory over columns (Mitchell §12.3).

    Parameters
    ----------
    theory : ExpertRules
        The rules that were given.
    concepts : tuple of str
        The concept of each output; empty where no rule concludes it.
    weight : float
        Weight W of an antecedent before training.
    extra : str
        Connections beyond those of the rules.

    See Also
    --------
    NeuralClassNetwork : the other parameters.
    """

    theory: ExpertRules
    concepts: tuple[str, ...]
    weight: float
    extra: str

    @cached_property
    def encoding(self) -> Encoding:
        """The rules as a network, as it was before training."""
        return Encoding(self.theory, self.view, self.concepts, self.weight, self.extra)

    def refinement(self, X: Any, y: Any = None) -> Refinement:
        """Return the given rules beside those that the trained units stand for.

        Parameters
        ----------
        X : table
            Rows on which units and rules are compared.
        y : target, optional
            Classes of the rows, by which rules are judged.
        """
        from induce.knowledge.refinement import refinement

        return refinement(self, X, y)
