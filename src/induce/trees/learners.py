"""Decision tree learners: one growth algorithm, and the named systems as presets of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from typing import Any, Self

import numpy as np
from sklearn.model_selection import check_cv

from induce.core.errors import InputError
from induce.core.estimator import HypothesisClassifier
from induce.core.folds import folds, hold_out
from induce.core.progress import report
from induce.core.randomness import RandomState
from induce.core.values import Value
from induce.data.frames import raw_frame
from induce.data.schema import Schema
from induce.data.table import MOST_VALUES, encode, infer_schema
from induce.trees import pruning as pruners
from induce.trees.growth import MEASURES, SPLITTERS, Examples, GrowthRule, grow
from induce.trees.hypothesis import Tree

PRUNING = (None, "reduced-error", "error-based", "cost-complexity")


def held_out(examples: Examples, fraction: float, random_state: RandomState) -> tuple[Examples, Examples]:
    """Hold out a share of the examples of every class; return the rest and them."""
    n_held = round(len(examples) * fraction)
    if n_held == 0 or n_held >= len(examples):
        raise InputError(
            f"validation_fraction is {fraction}, which of {len(examples)} rows leaves none to train on or none "
            "to prune by"
        )
    train, test = hold_out(examples.labels, n_held, random_state)
    return examples.rows(train), examples.rows(test)


class TreeLearner(HypothesisClassifier):
    """What the tree learners share: reading the table, growing and pruning."""

    schema: Schema | dict[str, Any] | None
    class_weight: Any
    random_state: RandomState

    def _examples(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Examples, Schema, str, tuple[Value, ...]]:
        """Encode the training table; rows of weight zero are left out."""
        examples, schema, target, classes = self._all_examples(X, y, sample_weight)
        return examples.counted(), schema, target, classes

    def _all_examples(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Examples, Schema, str, tuple[Value, ...]]:
        """Encode the training table."""
        self._forget()
        raw = raw_frame(X)
        if raw.n_rows == 0:
            raise InputError(
                "Found array with 0 sample(s) while a minimum of 1 is required: the table has no rows"
            )
        if not raw.columns:
            raise InputError(
                f"0 feature(s) (shape=({raw.n_rows}, 0)) while a minimum of 1 is required: the table has no columns"
            )
        target, classes, codes = self._target(y)
        if len(codes) != raw.n_rows:
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
                f"y has {len(codes)}"
            )
        if len(classes) > MOST_VALUES:
            raise InputError(
                f"y has {len(classes):,} different classes, too many to be learned; is it a number to predict?"
            )
        if not isinstance(self.schema, Schema | dict | None):
            raise InputError(
                f"schema is {self.schema!r}; give a Schema, or a dict from columns to what is known of them"
            )
        schema = infer_schema(raw, self.schema)
        if not len(schema.inputs()):
            raise InputError("no column is left to learn from: all are identifiers, text or ignored")
        self._seen(X, schema.names())
        weights = self._weights(sample_weight, self.class_weight, classes, codes)
        examples = Examples(encode(raw, schema), codes, weights, len(classes))
        return examples, schema, target, classes


class DecisionTreeClassifier(TreeLearner):
    """A decision tree, grown greedily and pruned (Mitchell ch. 3; AIMA 18.3).

    A row whose tested value is missing goes down every branch with a fraction of its weight, in training and in
    prediction. A category not seen in training gets the class distribution of the node that asks for it.

    Parameters
    ----------
    criterion : {"gain", "gain_ratio", "gini"}
        How tests are compared. The gain ratio is applied to tests with at least average gain.
    nominal : {"multiway", "subset"}
        One branch for every declared value, or two branches with a subset of the values each.
    max_depth : int, optional
    min_samples_split, min_samples_leaf : float
        A node with less weight than the first is not split; at least two branches of a test must have the
        second.
    min_gain : float
        The least gain of a test.
    guard_thresholds : bool
        C4.5's guard against thresholds that fit by chance.
    pruning : {None, "reduced-error", "error-based", "cost-complexity"}
    validation_fraction : float
        The share of the examples held out for reduced-error pruning.
    confidence_factor : float
        For error-based pruning: smaller prunes more.
    subtree_raising : bool
        Whether error-based pruning may replace a subtree by its largest branch.
    ccp_alpha : float, optional
        For cost-complexity pruning: the price of a leaf; chosen by cross-validation when None.
    cv : int, splitter or iterable of (train, test)
        The folds of that cross-validation.
    class_weight : dict or "balanced", optional
    schema : Schema or dict, optional
        What is known of the columns beyond their types.
    random_state : int, Generator or None
        For the examples that pruning holds out.

    Attributes
    ----------
    hypothesis_ : Tree

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
    """

    hypothesis_: Tree

    def __init__(
        self,
        *,
        criterion: str = "gain",
        nominal: str = "multiway",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        guard_thresholds: bool = False,
        pruning: str | None = None,
        validation_fraction: float = 1 / 3,
        confidence_factor: float = 0.25,
        subtree_raising: bool = True,
        ccp_alpha: float | None = None,
        cv: Any = 10,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.criterion = criterion
        self.nominal = nominal
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.guard_thresholds = guard_thresholds
        self.pruning = pruning
        self.validation_fraction = validation_fraction
        self.confidence_factor = confidence_factor
        self.subtree_raising = subtree_raising
        self.ccp_alpha = ccp_alpha
        self.cv = cv
        self.class_weight = class_weight
        self.schema = schema
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : dataframe or array
        y : sequence of classes
        sample_weight : array, optional
            A row of weight 2 counts as two rows.
        """
        rule = self._growth_rule()
        examples, schema, target, classes = self._all_examples(X, y, sample_weight)
        splits = self._splits(examples)
        n_trees, so_far = 1 + len(splits), count()

        def grown(on: Examples) -> Tree:
            before = next(so_far)
            return grow(on, schema, target, classes, rule, lambda share: report((before + share) / n_trees))

        self.hypothesis_ = self._pruned(grown, examples.counted(), splits)
        report(1.0)
        return self

    def _splits(self, examples: Examples) -> list[pruners.Split]:
        """The folds that choose alpha, as positions among the examples that count."""
        if self.pruning != "cost-complexity" or self.ccp_alpha is not None:
            return []
        counted = examples.weight() > 0
        labels, cv = examples.labels, self.cv
        if isinstance(cv, int | np.integer):
            labels, counted = labels[counted], counted[counted]
            if len(labels) == 1:
                return []
            cv = folds(labels, min(int(cv), len(labels)), self.random_state)
        position = np.cumsum(counted) - 1
        splits = []
        for train, test in check_cv(cv).split(np.zeros((len(labels), 1)), labels):
            pair = tuple(position[rows[counted[rows]]] for rows in (np.asarray(train), np.asarray(test)))
            if len(pair[0]) and len(pair[1]):
                splits.append((pair[0], pair[1]))
        if not splits:
            raise InputError("cv leaves no rows to train on or none to test on; give other folds")
        return splits

    def _pruned(self, grown: Any, examples: Examples, splits: list[pruners.Split]) -> Tree:
        if self.pruning == "reduced-error":
            training, validation = held_out(examples, self.validation_fraction, self.random_state)
            return pruners.reduced_error(grown(training), validation)
        tree: Tree = grown(examples)
        if self.pruning == "error-based":
            return pruners.error_based(tree, examples, self.confidence_factor, bool(self.subtree_raising))
        if self.pruning == "cost-complexity":
            alpha = self.ccp_alpha
            if alpha is None:
                alpha = pruners.cross_validated_alpha(grown, tree, examples, splits)
            return pruners.cost_complexity(tree).tree(tree, alpha)
        return tree

    def _growth_rule(self) -> GrowthRule:
        _one_of("criterion", self.criterion, MEASURES)
        _one_of("nominal", self.nominal, SPLITTERS)
        _one_of("pruning", self.pruning, PRUNING)
        _at_least("min_samples_split", self.min_samples_split, 0)
        _at_least("min_samples_leaf", self.min_samples_leaf, 0)
        _at_least("min_gain", self.min_gain, 0)
        _share("validation_fraction", self.validation_fraction)
        _share("confidence_factor", self.confidence_factor)
        if self.max_depth is not None:
            _at_least("max_depth", self.max_depth, 0, whole=True)
        if self.ccp_alpha is not None:
            _at_least("ccp_alpha", self.ccp_alpha, 0)
        if isinstance(self.cv, str) or not (hasattr(self.cv, "split") or isinstance(self.cv, Iterable)):
            _at_least("cv", self.cv, 2, whole=True)
        return GrowthRule(
            self.criterion,
            self.nominal,
            self.max_depth,
            self.min_samples_split,
            self.min_samples_leaf,
            self.min_gain,
            bool(self.guard_thresholds),
        )


class ID3(DecisionTreeClassifier):
    """Quinlan's ID3: information gain, one branch per value, grown until it fits (Table 3.1; Fig. 18.5).

    Numeric attributes are tested at thresholds. A row whose tested value is missing goes down every branch with
    a fraction of its weight; a category not seen in training gets the distribution of the node that asks.

    Parameters
    ----------
    max_depth : int, optional
    pruning : {None, "reduced-error", "error-based", "cost-complexity"}
    validation_fraction : float
        The share of the examples held out for reduced-error pruning.
    class_weight, schema, random_state
        As for `DecisionTreeClassifier`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("restaurant")
    >>> print(induce.ID3(max_depth=1).fit(X, y).hypothesis_)
    Pat = None: No (2/2)
    Pat = Some: Yes (4/4)
    Pat = Full: No (4/6)
    """

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        pruning: str | None = None,
        validation_fraction: float = 1 / 3,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            max_depth=max_depth,
            pruning=pruning,
            validation_fraction=validation_fraction,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )


class C45(DecisionTreeClassifier):
    """Quinlan's C4.5: gain ratio, guarded thresholds, fractions for missing values, error-based pruning (§3.7).

    A row whose tested value is missing goes down every branch with a fraction of its weight; a category not seen
    in training gets the distribution of the node that asks.

    Parameters
    ----------
    min_samples_leaf : float
        At least two branches of a test must have this weight.
    confidence_factor : float
        Smaller prunes more.
    subtree_raising : bool
        Whether a subtree may be replaced by its largest branch.
    pruning : {"error-based", None, "reduced-error", "cost-complexity"}
    max_depth, class_weight, schema, random_state
        As for `DecisionTreeClassifier`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(induce.C45().fit(X, y).hypothesis_.size())
    9 nodes, 5 leaves, depth 4
    """

    def __init__(
        self,
        *,
        min_samples_leaf: float = 2,
        confidence_factor: float = 0.25,
        subtree_raising: bool = True,
        pruning: str | None = "error-based",
        max_depth: int | None = None,
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            criterion="gain_ratio",
            max_depth=max_depth,
            min_samples_leaf=min_samples_leaf,
            min_gain=1e-6,
            guard_thresholds=True,
            pruning=pruning,
            confidence_factor=confidence_factor,
            subtree_raising=subtree_raising,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )

    def _growth_rule(self) -> GrowthRule:
        rule = super()._growth_rule()
        return replace(rule, min_samples_split=2 * rule.min_samples_leaf)


class CART(DecisionTreeClassifier):
    """Breiman and others' CART: gini index, two branches, cost-complexity pruning by cross-validation.

    A row whose tested value is missing goes down both branches with a fraction of its weight; a category not
    seen in training gets the distribution of the node that asks.

    Parameters
    ----------
    max_depth : int, optional
    min_samples_split, min_samples_leaf : float
    ccp_alpha : float, optional
        The price of a leaf; chosen by cross-validation with the one-standard-error rule when None.
    cv : int, splitter or iterable of (train, test)
        The folds of that cross-validation.
    pruning : {"cost-complexity", None, "reduced-error", "error-based"}
    class_weight, schema, random_state
        As for `DecisionTreeClassifier`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(induce.CART(random_state=1).fit(X, y).hypothesis_)
    petal length <= 2.45: setosa (50/50)
    petal length > 2.45
    |   petal width <= 1.75: versicolor (49/54)
    |   petal width > 1.75: virginica (45/46)
    """

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        ccp_alpha: float | None = None,
        cv: Any = 10,
        pruning: str | None = "cost-complexity",
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            criterion="gini",
            nominal="subset",
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            pruning=pruning,
            ccp_alpha=ccp_alpha,
            cv=cv,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )


def _one_of(name: str, value: Any, allowed: Any) -> None:
    if value not in tuple(allowed):
        raise InputError(f"{name} is {value!r}; it can be {', '.join(map(repr, allowed))}")


def _at_least(name: str, value: Any, least: float, whole: bool = False) -> None:
    if not isinstance(value, int | np.integer if whole else int | float | np.number) or not value >= least:
        raise InputError(
            f"{name} is {value!r}; it must be a {'whole ' if whole else ''}number of at least {least}"
        )


def _share(name: str, value: Any) -> None:
    if not isinstance(value, int | float | np.number) or not 0 < value < 1:
        raise InputError(f"{name} is {value!r}; it must be a number between 0 and 1")
