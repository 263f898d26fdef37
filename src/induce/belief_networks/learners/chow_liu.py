"""Chow-Liu trees."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from induce.belief_networks.cases import Cases
from induce.belief_networks.learners.structured import CUT, Known, Sketch, StructureLearner, as_learned
from induce.belief_networks.parameters.prior import Prior
from induce.belief_networks.structure.independence import Independences
from induce.belief_networks.structure.knowledge import Constraints, constraints_of
from induce.belief_networks.structure.mixed import coded
from induce.belief_networks.structure.trees import mutual_information, tree
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, text
from induce.core.randomness import RandomState
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.hypotheses.knowledge import ARC_PARTS, Knowledge


class ChowLiu(StructureLearner):
    """Learn the maximum-likelihood tree, in which each node has at most one parent (Chow and Liu 1968).

    It maximises the total mutual information between neighbours.

    A row with a missing value does not count for the pairs that need it. Unseen categories and missing values in rows
    to predict are summed out. Numeric columns are cut into quartiles for structure learning; no arcs lead from them
    to nominal columns, and their distributions are normal.

    Parameters
    ----------
    root : str, optional
        Root of the tree; by default the target, or the first column that `knowledge` allows.
    knowledge : Knowledge or dict, optional
        Background knowledge: order, tiers, required and forbidden arcs, maximum number of parents.
    alpha : float, default=1.0
        Pseudo-count of every table cell.
    n_bootstrap : int, default=0
        Number of bootstrap samples from which the graph is relearned, to estimate the confidence in each arc.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int or None, default=0
        Random seed of the bootstrap.
    n_jobs : int, optional
        Number of threads of the bootstrap.

    Attributes
    ----------
    hypothesis_ : LearnedNetwork or NetworkClassifier

    See Also
    --------
    StructureSearch : Score-based structure search.
    PC : Structure learning by independence tests.

    References
    ----------
    C. K. Chow and C. N. Liu (1968). Approximating discrete probability distributions with dependence trees.
    IEEE Transactions on Information Theory 14, 462-467.

    Examples
    --------
    >>> import induce
    >>> from induce.belief_networks import textbook_network
    >>> X = textbook_network("sprinkler").sample(2000, random_state=0)
    >>> print(induce.ChowLiu().fit(X).hypothesis_.partial)
    Cloudy — Sprinkler
    Cloudy — Rain
    Rain — WetGrass
    """

    parameters: ClassVar[Declared] = {
        "root": text("Root of the tree; None chooses it.", "the name of a node", none=True),
    }

    def __init__(
        self,
        *,
        root: str | None = None,
        knowledge: Known = None,
        alpha: float = 1.0,
        n_bootstrap: int = 0,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.root = root
        self.knowledge = knowledge
        self.alpha = alpha
        self.n_bootstrap = n_bootstrap
        self.schema = schema
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _n_passes(self) -> int:
        """Return the typical number of passes over a table in partitions."""
        return 4

    def _learn_scan(self, source: Any) -> Any:
        """Learn from a table in partitions: first pair counts, then the family counts of the tree."""
        from induce.belief_networks.learners.partitions import CasesOfPartitions

        if self.n_bootstrap:
            raise InputError("n_bootstrap draws rows again, which partitions do not; set it to 0")
        known = Knowledge.of(self.knowledge).only(type(self).__name__, ARC_PARTS)
        cases = CasesOfPartitions(self, source)
        limits = constraints_of(known, cases.schema)
        if any(column.kind == "numeric" for column in cases.schema):
            note(CUT)
        found = Sketch.of(tree(cases.information(), limits, self._root(limits)), limits)
        kinds = {name: kind for name, kind in known.conditionals.items() if kind != "table"}
        families, statistics = cases.counted(found.parents, kinds)
        prior = Prior(self.alpha)
        prior.check(cases.schema)
        return cases.hypothesis(as_learned(families.network(statistics, prior), found.partial))

    def _graph(self, cases: Cases, limits: Constraints, rng: np.random.Generator) -> Sketch:
        root = self._root(limits)
        return Sketch.of(tree(mutual_information(Independences(coded(cases))), limits, root), limits)

    def _root(self, limits: Constraints) -> int:
        names = limits.nodes
        if self.root is not None and self.root not in names:
            raise unknown("column", str(self.root), names)
        root = limits.order()[0] if self.root is None else names.index(self.root)
        if limits.required[:, root].any():
            raise InputError(f"root is {names[root]!r}, but an arc to it is required; take another root")
        if limits.required.sum(axis=0).max(initial=0) > 1:
            child = names[int(limits.required.sum(axis=0).argmax())]
            raise InputError(
                f"a node of a tree has one parent, but several parents of {child!r} are required"
            )
        return root
