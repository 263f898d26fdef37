"""Decision tree learners: one growth algorithm, and the named systems as presets of it."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.estimator import HypothesisClassifier
from induce.core.progress import report
from induce.core.randomness import RandomState, generator
from induce.data.frames import raw_frame
from induce.data.schema import Schema, Value
from induce.data.table import encode, infer_schema
from induce.trees import pruning as pruners
from induce.trees.growth import MEASURES, SPLITTERS, Examples, GrowthRule, grow
from induce.trees.hypothesis import Tree

PRUNING = (None, "reduced-error", "error-based", "cost-complexity")


class TreeLearner(HypothesisClassifier):
    """What the tree learners share: reading the table, growing and pruning."""

    hypothesis_: Tree
    schema: Schema | dict[str, Any] | None
    class_weight: Any
    random_state: RandomState

    def _examples(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Examples, Schema, str, tuple[Value, ...]]:
        """Encode the training table; rows of weight zero are left out."""
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
        schema = infer_schema(raw, self.schema)
        if not len(schema.inputs()):
            raise InputError("no column is left to learn from: all are identifiers, text or ignored")
        self._seen(X, schema.names())
        weights = self._weights(sample_weight, self.class_weight, classes, codes)
        examples = Examples(encode(raw, schema), codes, weights, len(classes))
        if weights is not None and (weights == 0).any():
            examples = examples.rows(np.flatnonzero(weights > 0))
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
    cv : int
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
    >>> print(induce.DecisionTreeClassifier(schema={"Day": "ignore"}).fit(X, y).hypothesis_)
    Outlook = Sunny
    |   Humidity = High: No (3/3)
    |   Humidity = Normal: Yes (2/2)
    Outlook = Overcast: Yes (4/4)
    Outlook = Rain
    |   Wind = Weak: Yes (3/3)
    |   Wind = Strong: No (2/2)
    """

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
        cv: int = 10,
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
        examples, schema, target, classes = self._examples(X, y, sample_weight)

        def grown(on: Examples) -> Tree:
            return grow(on, schema, target, classes, rule, report)

        self.hypothesis_ = self._pruned(grown, examples)
        return self

    def _pruned(self, grown: Any, examples: Examples) -> Tree:
        if self.pruning == "reduced-error":
            training, validation = self._split(examples)
            return pruners.reduced_error(grown(training), validation)
        tree: Tree = grown(examples)
        if self.pruning == "error-based":
            return pruners.error_based(tree, examples, self.confidence_factor, self.subtree_raising)
        if self.pruning == "cost-complexity":
            alpha = self.ccp_alpha
            if alpha is None:
                random = generator(self.random_state)
                alpha = pruners.cross_validated_alpha(grown, tree, examples, self.cv, random)
            return pruners.cost_complexity(tree).tree(tree, alpha)
        return tree

    def _split(self, examples: Examples) -> tuple[Examples, Examples]:
        """Hold out validation examples, a share of every class."""
        order = generator(self.random_state).permutation(len(examples))
        order = order[np.argsort(examples.labels[order], kind="stable")]
        n_held = round(len(examples) * self.validation_fraction)
        if n_held == 0 or n_held == len(examples):
            raise InputError(
                f"validation_fraction is {self.validation_fraction}, which of {len(examples)} rows leaves none "
                "to train on or none to prune by"
            )
        held: NDArray[np.int64] = np.floor(np.arange(n_held) * len(examples) / n_held).astype(np.int64)
        mask = np.zeros(len(examples), bool)
        mask[order[held]] = True
        return examples.rows(np.flatnonzero(~mask)), examples.rows(np.flatnonzero(mask))

    def _growth_rule(self) -> GrowthRule:
        _one_of("criterion", self.criterion, MEASURES)
        _one_of("nominal", self.nominal, SPLITTERS)
        _one_of("pruning", self.pruning, PRUNING)
        _at_least("min_samples_split", self.min_samples_split, 0)
        _at_least("min_samples_leaf", self.min_samples_leaf, 0)
        _at_least("validation_fraction", self.validation_fraction, 0)
        if self.max_depth is not None:
            _at_least("max_depth", self.max_depth, 0)
        if self.ccp_alpha is not None:
            _at_least("ccp_alpha", self.ccp_alpha, 0)
        _at_least("cv", self.cv, 2)
        return GrowthRule(
            self.criterion,
            self.nominal,
            self.max_depth,
            self.min_samples_split,
            self.min_samples_leaf,
            self.min_gain,
            self.guard_thresholds,
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
    >>> print(induce.ID3(schema={"ex": "ignore"}, max_depth=1).fit(X, y).hypothesis_)
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
            min_samples_split=2 * min_samples_leaf,
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
    cv : int
        The folds of that cross-validation.
    pruning : {"cost-complexity", None, "reduced-error", "error-based"}
    class_weight, schema, random_state
        As for `DecisionTreeClassifier`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("iris")
    >>> print(induce.CART().fit(X, y).hypothesis_)
    petal length (cm) <= 2.45: setosa (50/50)
    petal length (cm) > 2.45
    |   petal width (cm) <= 1.75: versicolor (49/54)
    |   petal width (cm) > 1.75: virginica (45/46)
    """

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        ccp_alpha: float | None = None,
        cv: int = 10,
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
    if value not in allowed:
        raise InputError(f"{name} is {value!r}; it can be {', '.join(map(repr, allowed))}")


def _at_least(name: str, value: Any, least: float) -> None:
    if not isinstance(value, int | float | np.number) or not value >= least:
        raise InputError(f"{name} is {value!r}; it must be a number of at least {least}")
