"""Regression tree learner: one growth algorithm, with the model of the leaves as a parameter."""

from __future__ import annotations

from itertools import count
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from induce.core.errors import InputError
from induce.core.folds import held_out, splits_of
from induce.core.parameters import Declared, choice, folds, number, whole
from induce.core.progress import report
from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.estimators import NumberReading, TableRegressor
from induce.trees.importances import number_importances
from induce.trees.pruning import Split
from induce.trees.regression import pruning as pruners
from induce.trees.regression.growth import SPLITTERS, Measured, RegressionRule, grow
from induce.trees.regression.hypothesis import RegressionTree
from induce.trees.regression.models import smoothed

LEAVES = ("constant", "linear")
PRUNING = ("cost-complexity", "reduced-error", "adjusted-error")
LARGEST = 1e100
"""Largest target that can be squared and summed without overflow."""


class DecisionTreeRegressor(TableRegressor):
    """A regression tree or a model tree, grown greedily and pruned (AIMA 18.3.6; Mitchell §3.2).

    Splits minimise the squared error about the mean of each branch, or about a linear function of the numeric
    attributes fitted to each branch. Nominal values are ordered by their mean target and then split in two;
    values of an attribute declared as ordered keep their order.

    A row whose tested value is missing takes the branch with the most training examples, in training and in
    prediction; in a linear function, a missing value is replaced by the mean of its column. A category not
    seen in training gets the prediction of the node that tests it. Linear functions are not bounded: they
    extrapolate beyond the examples.

    Parameters
    ----------
    leaf : {"constant", "linear"}, default="constant"
        Prediction of a leaf: the mean of its examples, or a linear function of some numeric attributes. A
        linear function has at most one term for every two examples, and loses terms as long as the estimated
        error does not rise. Fits that only evaluate a test use at most 20 attributes: the tested one and
        those most correlated with the target. If an attribute has more than 64 cuts, a sample of them is
        evaluated first, then those near the best.
    nominal : {"subset", "multiway"}, default="subset"
        Branches of a nominal split: two with a subset of the values each, or one per declared value.
    max_depth : int, optional
        Maximum depth; None sets no limit.
    min_samples_split : float, default=2
        Minimum weight of a node that is split.
    min_samples_leaf : float, default=1
        Minimum weight in at least two branches of a split.
    min_decrease : float, default=0.0
        Minimum reduction of the squared error by a split, as a fraction of the squared error of all examples
        about their mean.
    pruning : {"adjusted-error", "cost-complexity", "reduced-error", None}, default="adjusted-error"
        Pruning method: M5's, by the training error adjusted for the numbers of parameters and examples;
        CART's, with a cost for every leaf; or by the squared error on held-out examples. None disables
        pruning.
    smoothing : float, optional
        Weight, in examples, of the ancestors of a leaf when their predictions are averaged with that of the
        leaf (M5: 15).
    validation_fraction : float, default=0.3333333333333333
        Fraction of the examples held out for reduced-error pruning.
    ccp_alpha : float, optional
        Cost of a leaf in cost-complexity pruning, as a fraction of the squared error of all examples about
        their mean; None chooses it by cross-validation with the one-standard-error rule.
    cv : int, splitter or iterable of (train, test), default=10
        Folds of that cross-validation.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the held-out examples for pruning.

    Attributes
    ----------
    hypothesis_ : RegressionTree
        The learned tree.

    See Also
    --------
    ModelTree : Trees with linear models in the leaves.
    CART : Binary trees with cost-complexity pruning.
    RandomForestRegressor : Many random trees whose numbers are averaged.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984). Classification and Regression Trees.
    Wadsworth.

    Examples
    --------
    >>> x = [[k] for k in range(12)]
    >>> y = [k if k <= 5 else 20 - 2 * k for k in range(12)]
    >>> print(DecisionTreeRegressor(max_depth=1, pruning=None).fit(x, y).hypothesis_)
    x0 <= 9.5: y = 3.5 (n=10, sd 2.291)
    x0 > 9.5: y = -1 (n=2, sd 1)
    >>> print(DecisionTreeRegressor(leaf="linear").fit(x, y).hypothesis_)
    x0 <= 5.5: y = x0 (n=6, sd 0)
    x0 > 5.5: y = 20 - 2 x0 (n=6, sd 0)
    """

    hypothesis_: RegressionTree

    parameters: ClassVar[Declared] = {
        "leaf": choice("Prediction of a leaf: a mean or a linear function.", *LEAVES),
        "nominal": choice("Branches of a nominal split.", *SPLITTERS),
        "max_depth": whole("Maximum depth; None sets no limit.", at_least=0, none=True),
        "min_samples_split": number("Minimum weight of a node that is split.", at_least=0),
        "min_samples_leaf": number("Minimum weight in at least two branches of a split.", at_least=0),
        "min_decrease": number(
            "Minimum reduction of the squared error by a split, as a fraction of the total squared error.",
            at_least=0,
        ),
        "pruning": choice("Pruning method; None disables pruning.", *PRUNING, none=True),
        "smoothing": number(
            "Weight of the ancestors of a leaf in its prediction, in examples; M5 uses 15.",
            at_least=0,
            none=True,
        ),
        "validation_fraction": number(
            "Fraction of the examples held out for reduced-error pruning.", above=0, below=1
        ),
        "ccp_alpha": number(
            "Cost of a leaf, as a fraction of the squared error; None chooses it by cross-validation.",
            at_least=0,
            none=True,
        ),
        "cv": folds("Folds of cost-complexity pruning."),
    }

    def __init__(
        self,
        *,
        leaf: str = "constant",
        nominal: str = "subset",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_decrease: float = 0.0,
        pruning: str | None = "adjusted-error",
        smoothing: float | None = None,
        validation_fraction: float = 1 / 3,
        ccp_alpha: float | None = None,
        cv: Any = 10,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.leaf = leaf
        self.nominal = nominal
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_decrease = min_decrease
        self.pruning = pruning
        self.smoothing = smoothing
        self.validation_fraction = validation_fraction
        self.ccp_alpha = ccp_alpha
        self.cv = cv
        self.schema = schema
        self.random_state = random_state

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Relative reduction of the squared error by each column, in the order of the columns."""
        check_is_fitted(self, "hypothesis_")
        return number_importances(self.hypothesis_)

    def _learn(self, reading: NumberReading) -> RegressionTree:
        rule = self._rule()
        examples = self._measured(reading)
        splits = self._splits(examples)
        counted = np.flatnonzero(examples.weight())
        examples = examples if len(counted) == len(examples) else examples.rows(counted)
        n_trees, so_far = 1 + len(splits), count()

        def grown(on: Measured) -> RegressionTree:
            before = next(so_far)
            return grow(
                on, reading.schema, reading.target, rule, lambda part: report((before + part) / n_trees)
            )

        tree = self._pruned(grown, examples, splits)
        found = tree if self.smoothing is None else smoothed(tree, float(self.smoothing))
        report(1.0)
        return found

    def _n_passes(self) -> int | None:
        """Return the number of passes over a table in partitions: three to bin it, and one per level."""
        return None if self.max_depth is None else 3 + int(self.max_depth)

    def _learn_scan(self, source: Any) -> RegressionTree:
        """Grow the tree level by level on a partitioned table."""
        from induce.trees.scale.learning import regression_tree_of_partitions

        return regression_tree_of_partitions(self, source)

    def _measured(self, reading: NumberReading) -> Measured:
        """Return the encoded examples with their targets."""
        if np.abs(reading.numbers).max() > LARGEST:
            raise InputError(
                f"y holds numbers beyond {LARGEST:g}, whose squares cannot be summed; scale them down"
            )
        weights = reading.weights
        weights = (
            None if weights is None else np.array(weights, order="C")
        )  # compiled loops expect one memory layout
        return Measured(reading.table, reading.numbers, weights)

    def _splits(self, examples: Measured) -> list[Split]:
        """Return the folds for choosing the cost of a leaf, as positions among the examples in use."""
        if self.pruning != "cost-complexity" or self.ccp_alpha is not None:
            return []
        return splits_of(examples.y, examples.weight(), self.cv, self.random_state, stratify=False)

    def _pruned(self, grown: pruners.Grow, examples: Measured, splits: list[Split]) -> RegressionTree:
        if self.pruning == "reduced-error":
            train, held = held_out(examples.y, self.validation_fraction, self.random_state, stratify=False)
            return pruners.reduced_error(grown(examples.rows(train)), examples.rows(held))
        tree = grown(examples)
        if self.pruning == "adjusted-error":
            return pruners.adjusted_error(tree, examples)
        if self.pruning == "cost-complexity":
            total = float(examples.weight() @ (examples.y - tree.mean[0]) ** 2)
            links = pruners.weakest_links(tree, total)
            alpha = self.ccp_alpha
            if alpha is None:
                alpha = pruners.cross_validated_alpha(grown, links, total, examples, splits)
            return pruners.cut_at(tree, links, alpha)
        return tree

    def _rule(self) -> RegressionRule:
        self._check_parameters()
        return RegressionRule(
            self.leaf == "linear",
            self.nominal,
            self.max_depth,
            self.min_samples_split,
            self.min_samples_leaf,
            self.min_decrease,
        )
