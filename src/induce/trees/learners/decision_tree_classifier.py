"""Decision tree learner: one growth algorithm with its choices as parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.folds import held_out, splits_of
from induce.core.parameter_kinds import Number, OneOf
from induce.core.parameters import Declared, choice, either, folds, mapping, number, truth, whole
from induce.core.progress import phase, report
from induce.core.randomness import RandomState, generator
from induce.core.values import Value
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.data.table import Table
from induce.data.training import Examples
from induce.estimators import ClassReading, TableClassifier
from induce.trees import measures
from induce.trees import pruning as pruners
from induce.trees.growth import (
    MISSING,
    NUMERIC,
    PLAIN_MEASURES,
    GrowthRule,
    grow,
)
from induce.trees.hypothesis import Tree
from induce.trees.learners.base import TreeLearner
from induce.trees.prepared import Prepared
from induce.trees.pruning.description import EXCEPTIONS
from induce.trees.size import COUNTED, breadth_first

PRUNING = (
    "reduced-error",
    "error-based",
    "cost-complexity",
    "chi-square",
    "pessimistic",
    "minimum-error",
    "critical-value",
    "mdl",
    "repeated-partitions",
)
Weights = NDArray[np.float64]
BY_COST = ("gain_per_cost", "tan_schlimmer", "nunez")


class DecisionTreeClassifier(TreeLearner, TableClassifier):
    """A decision tree, grown greedily and pruned (Mitchell ch. 3; AIMA 18.3).

    A category not seen in training gets the class distribution of the node that tests it; the treatment of
    missing values is set by `missing`. An attribute declared as ordered is cut at a position in its order.

    Parameters
    ----------
    criterion : str, default="gain"
        Measure of a split: "gain", "gain_ratio" (among tests of at least average gain), "mantaras" (the
        distance of López de Mántaras), "gini", "kearns_mansour", "chi_square", "g_statistic", "twoing" or
        "random". Cost-sensitive measures are "gain_per_cost", "tan_schlimmer" (gain² / cost) and "nunez".
        Thresholds or groupings of one attribute are compared by the gain that the measure is based on.
    nominal : {"multiway", "subset", "one-value"}, default="multiway"
        Branches of a nominal split: one per declared value, two with a subset of the values each, or one
        value against the others.
    numeric : {"threshold", "intervals"}, default="threshold"
        Branches of a numeric split: two, or one per interval found in the training table by the minimum
        description length principle (Fayyad and Irani).
    missing : str, default="fractional"
        Treatment of missing values. "fractional": a row goes down every branch with a fraction of its weight,
        and tests are compared by the rows whose value is known (C4.5). "distributed": fractions also count
        when tests are compared (Mitchell §3.7.4). "class-distributed": in training, the fractions are those
        of the row's class (ASSISTANT). "mode": the branch that most rows of the node take. "class-mode": in
        training, the branch that most rows of the same class take. "surrogate": the branch of surrogate
        splits on other attributes that agree best with the test (CART).
    max_depth : int, optional
        Maximum depth; None sets no limit.
    max_nodes : int, optional
        Maximum size of the tree; nodes are kept level by level. None sets no limit.
    count : {"nodes", "tests"}, default="nodes"
        Unit of `max_nodes`.
    min_samples_split : float, default=2
        Minimum weight of a node that is split.
    min_samples_leaf : float, default=1
        Minimum weight in at least two branches of a split.
    min_gain : float, default=0.0
        Minimum gain of a split.
    significance : float, optional
        Significance level of the chi-square test that a split must pass (pre-pruning).
    dof_values : {"declared", "present"}, default="declared"
        Whether the degrees of freedom of chi-square tests count all declared values of an attribute.
    mdl_stop : bool, default=False
        Whether a split must shorten the description of the tree and its exceptions.
    guard_thresholds : bool, default=False
        Whether to apply C4.5's guard against thresholds that fit by chance.
    bins : int, optional
        Maximum number of intervals of a numeric attribute; faster on large tables. None uses every value.
    pruning : str, optional
        Pruning method: "reduced-error", "error-based", "cost-complexity", "chi-square", "pessimistic",
        "minimum-error", "critical-value", "mdl" or "repeated-partitions"; None disables pruning.
    validation_fraction : float, default=0.3333333333333333
        Fraction of the examples held out for reduced-error pruning.
    confidence_factor : float, default=0.25
        Confidence level of error-based pruning; smaller values prune more.
    subtree_raising : bool, default=True
        Whether error-based pruning may replace a subtree by its largest branch.
    ccp_alpha : float, optional
        Cost of a leaf in cost-complexity pruning; None chooses it by cross-validation.
    pruning_significance : float, default=0.05
        Significance level of chi-square pruning; smaller values prune more.
    m : float, optional
        m of the m-estimate in minimum-error pruning; None uses Laplace's estimate.
    critical_value : float, optional
        Value of the measure in critical-value pruning that a split, or one below it, must reach to be kept.
    exceptions : {"combinatorial", "mitchell"}, default="combinatorial"
        Code of exceptions for description lengths.
    cv : int, splitter or iterable of (train, test), default=10
        Folds of cost-complexity pruning, or partitions of repeated-partitions pruning.
    smoothing : "laplace" or float, optional
        Smoothing of the probabilities at leaves: Laplace's estimate, or the m-estimate with this m and the
        class frequencies of the training table as prior.
    costs : dict from columns to numbers, optional
        Cost of measuring each attribute; 1 unless declared in the schema.
    cost_weight : float, default=1.0
        Weight of costs in the measure "nunez", between 0 and 1.
    knowledge : Knowledge, str, DomainTheory, ExpertRules, dict or hypothesis, optional
        Background knowledge: rules, which add derived columns, and laws, which every prediction obeys.
    class_weight : dict or "balanced", optional
        Weights of the classes; 'balanced' gives all classes the same total weight.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the held-out examples for pruning, and of the measure "random".

    Attributes
    ----------
    hypothesis_ : Tree
        The learned tree.

    See Also
    --------
    C45 : C4.5: gain ratio, error-based pruning.
    CART : Binary trees with cost-complexity pruning.
    ID3 : Trees by information gain, without pruning.

    References
    ----------
    J. R. Quinlan (1986). Induction of decision trees. Machine Learning 1, 81-106.

    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984). Classification and Regression Trees.
    Wadsworth.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(induce.DecisionTreeClassifier().fit(X, y).hypothesis_)
    Outlook = Sunny
    |   Humidity = High: No (3/3)
    |   Humidity = Normal: Yes (2/2)
    Outlook = Overcast: Yes (4/4)
    Outlook = Rain
    |   Wind = Weak: Yes (3/3)
    |   Wind = Strong: No (2/2)

    Taking the costs of the attributes into account gives another tree:

    >>> costs = {"Outlook": 20, "Temperature": 1, "Humidity": 2, "Wind": 1}
    >>> cheap = induce.DecisionTreeClassifier(criterion="tan_schlimmer", costs=costs).fit(X, y)
    >>> print(cheap.hypothesis_.tested(0).name, round(cheap.hypothesis_.expected_cost(), 2))
    Humidity 15.71
    """

    hypothesis_: Tree
    parameters: ClassVar[Declared] = {
        "numeric": choice("Branches of a numeric split.", *NUMERIC),
        "missing": choice("Treatment of a row whose tested value is missing.", *MISSING),
        "max_nodes": whole("Maximum size of the tree; None sets no limit.", at_least=1, none=True),
        "count": choice("Unit of max_nodes.", *COUNTED),
        "min_gain": number("Minimum gain of a split.", at_least=0),
        "significance": number(
            "Significance level of the chi-square test that a split must pass; None disables the test.",
            above=0,
            below=1,
            none=True,
        ),
        "dof_values": choice("Values that count for the degrees of freedom.", "declared", "present"),
        "mdl_stop": truth("Whether a split must shorten the description of the tree and its exceptions."),
        "guard_thresholds": truth("Whether to guard against thresholds that fit by chance, as in C4.5."),
        "bins": whole(
            "Maximum number of intervals of a numeric attribute; None uses every value.",
            at_least=2,
            none=True,
        ),
        "pruning": choice("Pruning method; None disables pruning.", *PRUNING, none=True),
        "subtree_raising": truth("Whether error-based pruning may replace a subtree by its largest branch."),
        "ccp_alpha": number(
            "Cost of a leaf in cost-complexity pruning; None chooses it by cross-validation.",
            at_least=0,
            none=True,
        ),
        "pruning_significance": number(
            "Significance level of chi-square pruning; smaller values prune more.", above=0, below=1
        ),
        "m": number(
            "m of the m-estimate in minimum-error pruning; None uses Laplace's estimate.",
            at_least=0,
            none=True,
        ),
        "critical_value": number(
            "Value that a split, or one below it, must reach in critical-value pruning.",
            at_least=0,
            none=True,
        ),
        "exceptions": choice("Code of exceptions for description lengths.", *EXCEPTIONS),
        "cv": folds("Folds of cost-complexity pruning, or partitions of repeated-partitions pruning."),
        "smoothing": either(
            "Smoothing of the probabilities at leaves: Laplace's estimate, or the m-estimate with this m.",
            OneOf(("laplace",)),
            Number(at_least=0),
            none=True,
        ),
        "costs": mapping(
            "Cost of measuring each attribute, by column; 1 unless declared in the schema.",
            "a dict from columns to costs",
            none=True,
            otherwise="give a dict from columns to costs",
        ),
        "cost_weight": number("Weight of costs in the measure 'nunez'.", at_least=0, at_most=1),
    }

    def __init__(
        self,
        *,
        criterion: str = "gain",
        nominal: str = "multiway",
        numeric: str = "threshold",
        missing: str = "fractional",
        max_depth: int | None = None,
        max_nodes: int | None = None,
        count: str = "nodes",
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        significance: float | None = None,
        dof_values: str = "declared",
        mdl_stop: bool = False,
        guard_thresholds: bool = False,
        bins: int | None = None,
        pruning: str | None = None,
        validation_fraction: float = 1 / 3,
        confidence_factor: float = 0.25,
        subtree_raising: bool = True,
        ccp_alpha: float | None = None,
        pruning_significance: float = 0.05,
        m: float | None = None,
        critical_value: float | None = None,
        exceptions: str = "combinatorial",
        cv: Any = 10,
        smoothing: str | float | None = None,
        costs: Mapping[str, float] | None = None,
        cost_weight: float = 1.0,
        knowledge: Any = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.criterion = criterion
        self.nominal = nominal
        self.numeric = numeric
        self.missing = missing
        self.max_depth = max_depth
        self.max_nodes = max_nodes
        self.count = count
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.significance = significance
        self.dof_values = dof_values
        self.mdl_stop = mdl_stop
        self.guard_thresholds = guard_thresholds
        self.bins = bins
        self.pruning = pruning
        self.validation_fraction = validation_fraction
        self.confidence_factor = confidence_factor
        self.subtree_raising = subtree_raising
        self.ccp_alpha = ccp_alpha
        self.pruning_significance = pruning_significance
        self.m = m
        self.critical_value = critical_value
        self.exceptions = exceptions
        self.cv = cv
        self.smoothing = smoothing
        self.costs = costs
        self.cost_weight = cost_weight
        self.knowledge = knowledge
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> Tree:
        rule = self._growth_rule()
        found = self._tree(rule, reading.all_examples(), *reading.names)
        report(1.0)
        return found

    def _n_passes(self) -> int | None:
        """Return the number of passes over a table in partitions: two to bin it, and one per level."""
        return None if self.max_depth is None else 2 + int(self.max_depth)

    def _learn_scan(self, source: Any) -> Tree:
        from induce.trees.scale.learning import tree_of_partitions

        return tree_of_partitions(self, source)

    def prepare(self, X: Any, y: Any) -> Callable[[Weights, int | None], Tree] | None:
        """Read and sort a table once; return a function that learns a tree for any row weights.

        The function takes weights and optionally a random seed, and returns the tree that `fit` gives with
        them, except that the intervals of `bins` are those of all rows. It is None if pruning splits the
        rows, because this is done anew for every tree, and if there is background knowledge.

        Parameters
        ----------
        X : dataframe or array
            Training rows.
        y : sequence of classes
            Class of each row.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("play-tennis")
        >>> learn = induce.ID3(max_depth=1).prepare(X, y)
        >>> print(learn(np.repeat([3.0, 1.0], 7), None))
        Outlook = Sunny: No (7/9)
        Outlook = Overcast: Yes (8/8)
        Outlook = Rain: Yes (7/11)
        """
        rule = self._growth_rule()
        if self.pruning == "reduced-error" or self._prunes_by_folds() or self.knowledge is not None:
            return None
        examples, schema, target, classes = self._all_examples(X, y, None)
        prepared = Prepared(examples.table)

        def learned(weights: Weights, seed: int | None) -> Tree:
            ours = weights if examples.weights is None else weights * examples.weights
            rule_now = rule if seed is None else replace(rule, seed=seed)
            return self._tree(rule_now, replace(examples, weights=ours), schema, target, classes, prepared)

        return learned

    def _tree(
        self,
        rule: GrowthRule,
        examples: Examples,
        schema: Schema,
        target: str,
        classes: tuple[Value, ...],
        prepared: Prepared | None = None,
    ) -> Tree:
        """Grow and prune a tree; the prepared table is used if the tree is grown on all its rows."""
        splits = self._splits(examples)
        n_trees, so_far = 1 + len(splits), count()

        def grown(on: Examples, for_good: bool = False) -> Tree:
            before = next(so_far)
            on = on if prepared is None else examples

            def progress(part: float) -> None:
                report((before + part) / n_trees)

            if self.bins is None:
                rule_now = replace(rule, surrogates=for_good)
                tree = grow(on, schema, target, classes, rule_now, progress, prepared)
            else:
                from induce.trees.binning import grow_binned

                bins = int(self.bins)
                tree = grow_binned(on, schema, target, classes, rule, bins, progress, prepared)
            return self._bounded(tree)

        return self._smoothed(self._pruned(grown, examples.counted(), splits))

    def _bounded(self, tree: Tree) -> Tree:
        """Apply the stopping rules that use only the counts of a grown tree."""
        if self.mdl_stop:
            tree = pruners.mdl_stop(tree, self.exceptions)
        return tree if self.max_nodes is None else breadth_first(tree, self.max_nodes, self.count)

    def _of_counts(self, tree: Tree) -> Tree:
        """Limit, prune and smooth a grown tree by methods that need no rows."""
        tree = self._bounded(tree)
        if self.pruning == "cost-complexity":
            tree = pruners.cost_complexity(tree).tree(tree, float(self.ccp_alpha or 0.0))
        if self.pruning == "error-based":
            inputs = tree.schema.inputs()
            n_nominal = sum(column.kind == "nominal" for column in inputs)
            nothing = Table(
                inputs, np.empty((0, len(inputs) - n_nominal)), np.empty((0, n_nominal), np.int32)
            )
            no_rows = Examples(nothing, np.empty(0, np.int64), None, len(tree.classes))
            tree = pruners.error_based(tree, no_rows, self.confidence_factor, raising=False)
        return self._smoothed(self._pruned_by_counts(tree))

    def _amended(self, schema: Schema) -> Schema:
        if self.costs is not None:
            for name, cost in self.costs.items():
                if name not in schema.names():
                    raise unknown("column", str(name), schema.names())
                at_least(f"the cost of {name!r}", cost, 0)
            schema = schema.override({name: {"cost": float(cost)} for name, cost in self.costs.items()})
        least = 0.0 if self.criterion == "nunez" else np.finfo(float).tiny
        for column in schema.inputs():
            if self.criterion in BY_COST and not least <= column.cost < np.inf:
                raise InputError(
                    f"column {column.name!r} has the cost {column.cost}, which {self.criterion!r} cannot use; "
                    f"give a finite cost {'of at least' if least == 0 else 'above'} 0"
                )
        return schema

    def _splits(self, examples: Examples) -> list[pruners.Split]:
        """Return the folds for choosing how far to prune, as positions among the examples in use."""
        if not self._prunes_by_folds():
            return []
        return splits_of(examples.labels, examples.weight(), self.cv, self.random_state)

    def _prunes_by_folds(self) -> bool:
        by_alpha = self.pruning == "cost-complexity" and self.ccp_alpha is None
        return by_alpha or self.pruning == "repeated-partitions"

    def _pruned(self, grown: Callable[..., Tree], examples: Examples, splits: list[pruners.Split]) -> Tree:
        if self.pruning == "reduced-error":
            train, held = held_out(examples.labels, self.validation_fraction, self.random_state)
            return pruners.reduced_error(grown(examples.rows(train), for_good=True), examples.rows(held))
        if self.pruning == "repeated-partitions" and splits:
            return pruners.repeated_partitions(lambda on: grown(on, for_good=True), examples, splits)
        if self.pruning == "error-based":
            with phase("growing", 0, 0.5):
                tree = grown(examples, for_good=True)
            with phase("pruning", 0.5, 1):
                return pruners.error_based(tree, examples, self.confidence_factor, bool(self.subtree_raising))
        tree = grown(examples, for_good=True)
        if self.pruning == "cost-complexity":
            alpha = self.ccp_alpha
            if alpha is None:
                alpha = pruners.cross_validated_alpha(grown, tree, examples, splits)
            return pruners.cost_complexity(tree).tree(tree, alpha)
        return self._pruned_by_counts(tree)

    def _pruned_by_counts(self, tree: Tree) -> Tree:
        """Prune by methods that use only the counts of the tree."""
        if self.pruning == "chi-square":
            return pruners.chi_square(tree, self.pruning_significance, self.dof_values)
        if self.pruning == "pessimistic":
            return pruners.pessimistic(tree)
        if self.pruning == "minimum-error":
            return pruners.minimum_error(tree, self.m)
        if self.pruning == "critical-value":
            return pruners.critical_value(tree, float(self.critical_value or 0.0), self.criterion)
        if self.pruning == "mdl":
            return pruners.mdl(tree, self.exceptions)
        return tree

    def _smoothed(self, tree: Tree) -> Tree:
        if self.smoothing is None:
            return tree
        if self.smoothing == "laplace":
            return tree.smoothed(len(tree.classes))
        return tree.smoothed(float(self.smoothing), tree.distribution[0])

    def _growth_rule(self) -> GrowthRule:
        self._check_parameters()
        self._refuse_contradictions()
        return GrowthRule(
            measure=self.criterion,
            nominal=self.nominal,
            numeric=self.numeric,
            missing=self.missing,
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_gain=self.min_gain,
            guard_thresholds=bool(self.guard_thresholds),
            significance=self.significance,
            dof_values=self.dof_values,
            cost_weight=float(self.cost_weight),
            seed=self._seed() if self.criterion == "random" else 0,
        )

    def _seed(self) -> int:
        return int(generator(self.random_state).integers(2**31))

    def _refuse_contradictions(self) -> None:
        in_two = {"criterion": "twoing", "missing": "surrogate"}
        for name, needing in in_two.items():
            value = getattr(self, name)
            if value == needing and self.nominal == "multiway":
                raise InputError(
                    f"{name}={value!r} needs binary splits, but nominal='multiway' gives one branch "
                    "per value; use nominal='subset' or 'one-value'"
                )
            if value == needing and self.numeric == "intervals":
                raise InputError(
                    f"{name}={value!r} needs binary splits, but numeric='intervals' gives one branch "
                    "per interval; use numeric='threshold'"
                )
        if self.pruning == "critical-value" and self.critical_value is None:
            raise InputError(
                "pruning='critical-value' needs a critical value of the measure; give critical_value"
            )
        if self.pruning == "critical-value" and self.criterion not in measures.MEASURES:
            raise InputError(
                f"pruning='critical-value' is incompatible with criterion={self.criterion!r}, which has no value at "
                "a node; choose another of the two"
            )
        if self.bins is None:
            return
        plainly = {
            "criterion": (self.criterion, PLAIN_MEASURES),
            "nominal": (self.nominal, ("multiway", "subset")),
            "numeric": (self.numeric, ("threshold",)),
            "missing": (self.missing, ("fractional",)),
            "significance": (self.significance, (None,)),
        }
        for name, (chosen, possible) in plainly.items():
            if chosen not in possible:
                raise InputError(
                    f"bins is incompatible with {name}={chosen!r}; leave bins out, or use {name}="
                    f"{' or '.join(map(repr, possible))}"
                )
