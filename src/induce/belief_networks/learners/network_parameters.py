"""Parameter learning for a network with a known graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import _check_feature_names

from induce.belief_networks.cases import Cases
from induce.belief_networks.classifier import NetworkClassifier
from induce.belief_networks.conditionals.base import code_of
from induce.belief_networks.graphs.dag import Dag
from induce.belief_networks.learners.base import NetworkLearner
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.parameters.approximate import METHODS as APPROXIMATE
from induce.belief_networks.parameters.families import TREE, Families
from induce.belief_networks.parameters.hidden import HIDDEN, completed_at_random, with_hidden
from induce.belief_networks.parameters.mixed import expected_statistics, mixed_em
from induce.belief_networks.parameters.prior import Alpha, Prior
from induce.belief_networks.rows import evidence_rows
from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.estimator import given_weights
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.parameter_kinds import Dict, Number
from induce.core.parameters import Declared, choice, either, mapping, number, such, truth, whole
from induce.core.randomness import RandomState, generator
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.data.training import training_frame
from induce.em.driver import Maximised
from induce.statistics.chains import Chains

Structure = BeliefNetwork | Dag | Mapping[str, Iterable[str]]
METHODS = ("counts", "em", *APPROXIMATE, "gradient", "gibbs")


class NetworkParameters(NetworkLearner):
    """Learn the parameters of a belief network with a known graph (Mitchell 6.11.4, 6.11.5; AIMA 20.2, 20.3).

    A nominal node with nominal parents has a table, a numeric one a linear-Gaussian distribution per state of its
    nominal parents, and a nominal one with a numeric parent is logistic.

    With ``method="counts"``, a case with a missing value in a family is not counted for that family; the
    other methods use all observed values. Unseen categories and missing values in rows to predict are summed
    out.

    Parameters
    ----------
    structure : dict, Dag or BeliefNetwork, optional
        Parents of each node. By default the target is the only parent of every column (naive Bayes), and without a
        target columns are independent. EM and gradient ascent start from the probabilities of a given network.
    method : {"counts", "em", "mean-field", "loopy", "gradient", "gibbs"}, default="counts"
        Counting; or, with missing cells or hidden nodes: EM, gradient ascent, or the posterior mean by
        alternating draws of cells and parameters (Gibbs sampling). If the junction tree is too large for EM,
        ``"mean-field"`` and ``"loopy"`` are EM with an approximate E step: mean field maximises a lower bound of the
        likelihood; loopy propagation is closer if it converges.
    alpha : float or dict, default=1.0
        Pseudo-count of every cell: 1 gives Laplace's estimate, 0 relative frequencies. A dict sets it per
        node: a number, or an array in the shape of the table; unlisted nodes have 1.
    equivalent_sample_size : float, optional
        Equivalent sample size of the prior, in place of `alpha`, distributed over the cells of each table according
        to the network given as `structure`, otherwise uniformly (BDeu).
    conditionals : dict, optional
        Kind of conditional of nominal nodes: ``"table"``, ``"noisy-or"``, ``"logistic"`` or ``"tree"``, a decision
        tree over the parents with a distribution in each leaf. A tree needs ``method="counts"``.
    hidden : dict, optional
        Mapping from nodes that are never observed to their values, or to their number of values. Those of a network
        given as `structure` need not be listed.
    max_iter : int, default=1000
        Maximum number of iterations of EM and gradient ascent; number of draws per chain.
    tol : float, default=1e-08
        Relative gain of the log posterior below which the iteration ends.
    n_init : int, default=1
        Number of starts, or of chains; all starts but the first are random.
    learning_rate : float, default=0.01
        Step size of gradient ascent.
    polish : bool, default=False
        Whether L-BFGS continues after EM, which slows down near the optimum.
    class_weight : dict or "balanced", optional
        Weight of the rows of each class.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : BeliefNetwork or NetworkClassifier
    search_ : Maximised
        History of EM or gradient ascent; it prints, and plots the log probability at every iteration.
    chains_ : Chains
        Draws of Gibbs sampling, with R-hat and effective sample size; it prints and plots them.

    See Also
    --------
    StructureSearch : Score-based structure search.
    NaiveBayes : The simplest network: all columns depend on the class.

    References
    ----------
    S. L. Lauritzen (1995). The EM algorithm for graphical association models with missing data. Computational
    Statistics and Data Analysis 19, 191-201.

    S. Russell, J. Binder, D. Koller and K. Kanazawa (1995). Local learning in probabilistic networks with
    hidden variables. Fourteenth International Joint Conference on Artificial Intelligence, 1146-1152.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> learner = induce.NetworkParameters({"Humidity": ["Outlook"], "Wind": []}, alpha=0).fit(X)
    >>> learner.hypothesis_.query("Humidity", {"Outlook": "Sunny"})["High"]
    0.6
    >>> induce.NetworkParameters(alpha=0).fit(X, y).predict(X[:2]).tolist()
    ['No', 'No']
    """

    search_: Maximised[Any]
    chains_: Chains

    parameters: ClassVar[Declared] = {
        "structure": such(
            "Parents of each node, or a network; None makes the class the parent of all columns.",
            "a dict from nodes to their parents, or a network",
            lambda value: isinstance(value, Mapping | Dag | BeliefNetwork),
            none=True,
            otherwise="give a dict from nodes to their parents, or a network",
        ),
        "method": choice("Estimation method: counting, or an iterative method for missing values.", *METHODS),
        "alpha": either(
            "Pseudo-count of every cell of a table; a dict sets it per node.",
            Number(at_least=0, finite=True),
            Dict("a dict from nodes to pseudo-counts"),
        ),
        "equivalent_sample_size": number(
            "Equivalent sample size of the prior, in place of alpha.", at_least=0, none=True
        ),
        "conditionals": mapping(
            "Kinds of conditional distributions, by node.", "a dict from nodes to kinds", none=True
        ),
        "hidden": HIDDEN,
        "max_iter": whole("Maximum number of iterations.", at_least=1),
        "tol": number(
            "Relative gain of the log posterior below which the iteration ends.",
            at_least=0,
        ),
        "n_init": whole("Number of random starts; the best is kept.", at_least=1),
        "learning_rate": number("Step size of gradient ascent.", at_least=0),
        "polish": truth("Whether EM is followed by L-BFGS."),
    }

    def __init__(
        self,
        structure: Structure | None = None,
        *,
        method: str = "counts",
        alpha: Alpha = 1.0,
        equivalent_sample_size: float | None = None,
        conditionals: Mapping[str, str] | None = None,
        hidden: Mapping[str, Any] | None = None,
        max_iter: int = 1000,
        tol: float = 1e-8,
        n_init: int = 1,
        learning_rate: float = 0.01,
        polish: bool = False,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.structure = structure
        self.method = method
        self.alpha = alpha
        self.equivalent_sample_size = equivalent_sample_size
        self.conditionals = conditionals
        self.hidden = hidden
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.learning_rate = learning_rate
        self.polish = polish
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _network_of(self, cases: Cases) -> BeliefNetwork:
        for name in ("search_", "chains_"):
            self.__dict__.pop(name, None)
        cases, families = self._families(cases)
        prior = self._prior(cases.schema)
        seen = np.any(cases.known, axis=0)
        unseen = [name for k, name in enumerate(cases.schema.names()) if not seen[k]]
        statistics = families.statistics(cases)
        self._known = families, statistics
        if self.method == "counts":
            if unseen and (self.hidden or self.alpha == 0):
                raise InputError(f"{unseen[0]!r} is never observed and cannot be counted; use method='em'")
            if unseen:
                note(f"{unseen[0]!r} is never observed; its table is given by the prior")
            return families.network(statistics, prior, cases)
        if not families.is_additive:
            raise InputError(
                "a nominal node with a numeric parent needs complete rows; use method='counts', not "
                f"{self.method!r}"
            )
        if TREE in families.kinds:
            name = families.schema.names()[families.kinds.index(TREE)]
            raise InputError(
                f"{name!r} is a tree, which is learned with method='counts' only, not {self.method!r}"
            )
        hidden = [cases.schema.names().index(name) for name in unseen]
        network = self._searched(cases, families, prior, hidden)
        self._known = families, self._expected(network, families, cases)
        return network

    def _expected(self, network: BeliefNetwork, families: Families, cases: Cases) -> list[Any]:
        """Return the expected statistics of cases under a network, by the E step of the method."""
        if self.method not in APPROXIMATE:
            return expected_statistics(network, families, cases)
        from induce.belief_networks.parameters.search import Hill

        hill = Hill.of(families, cases, Prior(), self.method)
        return hill.statistics(hill.expected(hill.at(network)))

    def _n_passes(self) -> int:
        """Return the number of passes over a table in partitions."""
        return 2

    def _learn_scan(self, source: Any) -> Any:
        """Learn from a table in partitions: one pass determines the nodes, another counts families."""
        from induce.belief_networks.learners.partitions import CasesOfPartitions

        if self.method != "counts" or self.hidden:
            raise InputError(
                "a partitioned table supports only counts of observed nodes; use method='counts' "
                "without hidden nodes, or learn from a sample: fit(*source.sample(50_000))"
            )
        network = self.structure if isinstance(self.structure, BeliefNetwork) else None
        cases = CasesOfPartitions(self, source, network)
        parents = parents_of(self.structure, cases.schema.names(), cases.target)
        families, statistics = cases.counted(parents, self.conditionals)
        self._known = families, statistics
        return cases.hypothesis(families.network(statistics, self._prior(cases.schema)))

    def _searched(self, cases: Cases, families: Families, prior: Prior, hidden: list[int]) -> BeliefNetwork:
        from induce.belief_networks.parameters.gibbs import gibbs
        from induce.belief_networks.parameters.search import Hill, em, gradient_ascent, polished

        rng = generator(self.random_state)
        if self.polish and self.method in APPROXIMATE:
            raise InputError(
                f"polish needs an exact E step; use method='em', not {self.method!r}, or no polish"
            )
        if not cases.is_nominal:
            return self._mixed(cases, families, prior, hidden, rng)
        hill = Hill.of(families, cases, prior, self.method)
        if self.method == "gibbs":
            point, self.chains_ = gibbs(hill, cases, self.n_init, self.max_iter, rng)
            return hill.network(point)
        streams = rng.spawn(self.n_init)
        first = self.structure if isinstance(self.structure, BeliefNetwork) else None
        starts = [hill.chance(streams[0], hidden) if hidden else hill.guess()]
        if first is not None:
            starts = [hill.at(_ordered(first, families, hill.network(starts[0])))]
        starts += [hill.chance(stream) for stream in streams[1:]]
        if self.method != "gradient":
            found = em(hill, starts, self.tol, self.max_iter)
        else:
            found = gradient_ascent(hill, starts, self.learning_rate, self.tol, self.max_iter)
        if self.polish:
            found = polished(hill, found, self.max_iter)
        network = hill.network(found.hypothesis)
        self.search_ = Maximised(network, found.objective, found.converged, found.start, found.finals)
        return network

    def _mixed(
        self,
        cases: Cases,
        families: Families,
        prior: Prior,
        hidden: list[int],
        rng: np.random.Generator,
    ) -> BeliefNetwork:
        if self.method != "em" or self.polish:
            raise InputError(
                f"{self.method!r} does not support numeric columns; use method='em' without polish"
            )
        first = self.structure if isinstance(self.structure, BeliefNetwork) else None
        drawn = [completed_at_random(cases, hidden, stream) for stream in rng.spawn(self.n_init)]
        starts = [families.network(families.statistics(each), Prior()) for each in drawn]
        if first is not None:
            starts[0] = _ordered(first, families, starts[0])
        self.search_ = mixed_em(families, cases, prior, starts, self.tol, self.max_iter)
        return self.search_.hypothesis

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.method == "gibbs":
            at_least("max_iter", self.max_iter, 4, whole=True)

    def _families(self, cases: Cases) -> tuple[Cases, Families]:
        """Return the cases with columns for hidden nodes, and the families of the graph."""
        hidden = dict(self.hidden) if isinstance(self.hidden, Mapping) else self.hidden or {}
        if isinstance(self.structure, BeliefNetwork) and isinstance(hidden, dict):
            for column in self.structure.schema:
                if column.name not in cases.schema.names():
                    hidden.setdefault(column.name, column.domain)
        cases = with_hidden(cases, hidden)
        if isinstance(self.structure, BeliefNetwork):
            cases = _in_domains(cases, self.structure)
        parents = parents_of(self.structure, cases.schema.names(), cases.target)
        return cases, Families.of(cases, parents, self.conditionals)

    def _prior(self, schema: Schema) -> Prior:
        network = self.structure if isinstance(self.structure, BeliefNetwork) else None
        prior = Prior(self.alpha, self.equivalent_sample_size, network)
        prior.check(schema)
        return prior

    # --- incremental learning

    @property
    def n_iter_(self) -> int:
        """Number of iterations of the best start; 1 if parameters are counted."""
        if self.method == "counts":
            return 1
        return int(self.max_iter) if self.method == "gibbs" else max(1, len(self.search_.objective) - 1)

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from further cases by adding their counts to the earlier ones.

        A case with missing values adds its expected counts under the current network (Spiegelhalter and
        Lauritzen 1990); the network stays fixed within one call. An unseen category is treated as missing.
        The first call is a `fit`.

        Parameters
        ----------
        X : frame or array
        y : series, array or list, optional
            Class of each row; required for a classifier.
        classes : list, optional
            All classes; each must occur in the rows of the first call.
        sample_weight : array, optional
            Weight of each row.
        """
        if "hypothesis_" not in self.__dict__:
            self.fit(X, y, sample_weight)
            lacking = [] if classes is None else [each for each in classes if each not in self.classes_]
            if lacking:
                self._forget()
                raise InputError(
                    f"the first rows have no class {lacking[0]!r}; give some rows of every class"
                )
            return self
        families, statistics = self._known
        if not families.is_additive:
            raise InputError("a nominal node with a numeric parent cannot be learned incrementally; use fit")
        network, target = self._network()
        if (target is None) != (y is None):
            said = "no class" if y is None else "a class"
            raise InputError(f"the rows have {said}, unlike in the first fit; give the same columns")
        cases = self._further(X, y, sample_weight, families.schema, target)
        total = [a + b for a, b in zip(statistics, self._expected(network, families, cases), strict=True)]
        self._known = families, total
        network = families.network(total, self._prior(families.schema), name=network.name)
        self.hypothesis_ = network if target is None else NetworkClassifier(network, target)
        return self

    def _network(self) -> tuple[BeliefNetwork, str | None]:
        hypothesis = self.hypothesis_
        if isinstance(hypothesis, NetworkClassifier):
            return hypothesis.network, hypothesis.target
        return hypothesis, None

    def _further(self, X: Any, y: Any, sample_weight: Any, schema: Schema, target: str | None) -> Cases:
        """Read the rows of a later call as cases."""
        _check_feature_names(self, X, reset=False)
        raw = training_frame(X)
        if len(raw.columns) != self.n_features_in_:
            raise InputError(
                f"X has {len(raw.columns)} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input"
            )
        network, _ = self._network()
        codes, numbers = evidence_rows(network, self._nodes(X), self.hypothesis_.schema)
        if target is not None:
            _, found, labels = self._further_target(y)
            place = np.array([code_of(schema[target], value) for value in found], np.int32)
            if len(labels) != len(codes):
                raise InputError(
                    f"Found input variables with inconsistent numbers of samples: X has {len(codes)} rows, "
                    f"y has {len(labels)}"
                )
            codes[:, network.graph.position(target)] = place[labels]
        return Cases.of(schema, codes, numbers, given_weights(sample_weight, len(codes)), target)

    def _further_target(self, y: Any) -> tuple[str, tuple[Any, ...], Any]:
        before = self.classes_
        try:
            return self._target(y)
        finally:
            self.classes_ = before

    def _resumable_state(self) -> dict[str, Any]:
        families, statistics = self._known
        return super()._resumable_state() | {
            "statistics": tuple(statistics),
            "kinds": families.kinds,
            "centers": families.centers,
            "scales": families.scales,
            "averages": families.averages,
        }

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        super()._restore(hypothesis, state)
        network, _ = self._network()
        more = tuple(state["kinds"]), state["centers"], state["scales"], tuple(state["averages"])
        self._known = Families(network.schema, network.parents, *more), list(state["statistics"])


def parents_of(
    structure: Structure | None, names: Sequence[str], target: str | None
) -> tuple[tuple[int, ...], ...]:
    """Return the positions of the parents of each node from `structure`."""
    if structure is None:
        return tuple(() if target in (None, name) else (0,) for name in names)
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


def _in_domains(cases: Cases, network: BeliefNetwork) -> Cases:
    """Return cases whose nominal nodes have the domains of a network, in its order."""
    codes, numbers, columns = cases.codes.copy(), cases.numbers.copy(), list(cases.schema)
    for k, column in enumerate(columns):
        if column.name not in network.nodes:
            continue
        wanted = network.column(column.name)
        if wanted.kind == "numeric":
            if column.kind == "nominal":
                raise InputError(
                    f"column {column.name!r} contains {column.domain[0]!r}, but its node is numeric; "
                    "give numeric values"
                )
            continue
        if column.kind == "nominal":
            place = np.array([code_of(wanted, value) for value in column.domain] or [0], np.int32)
            codes[:, k] = np.where(codes[:, k] >= 0, place[codes[:, k]], -1)
        else:
            found, inverse = np.unique(numbers[:, k], return_inverse=True)
            place = np.array(
                [-1 if np.isnan(x) else code_of(wanted, _whole(float(x))) for x in found], np.int32
            )
            codes[:, k], numbers[:, k] = place[inverse], np.nan
        columns[k] = wanted
    return replace(cases, schema=Schema(tuple(columns)), codes=codes, numbers=numbers)


def _whole(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _ordered(network: BeliefNetwork, families: Families, guess: BeliefNetwork) -> BeliefNetwork:
    """Return a network with the nodes in the order of the families; nodes it lacks get initial distributions."""
    conditionals = [
        network.conditional(column.name) if column.name in network.nodes else guess.conditionals[k]
        for k, column in enumerate(families.schema)
    ]
    return BeliefNetwork(families.schema, families.parents, tuple(conditionals), network.name)
