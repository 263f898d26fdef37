"""The named systems: presets of the one tree learner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.trees.growth import GrowthRule
from induce.trees.learners import DecisionTreeClassifier


class ID3(DecisionTreeClassifier):
    """Quinlan's ID3: information gain, one branch per value, grown until it fits (Table 3.1; Fig. 18.5).

    Numeric attributes are tested at thresholds. A row whose tested value is missing goes down every branch with
    a fraction of its weight; a category not seen in training gets the distribution of the node that asks.

    Parameters
    ----------
    max_depth : int, optional
    pruning : str, optional
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
    pruning : str, optional
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
    """Breiman and others' CART: gini index, two branches, stand-ins, cost-complexity pruning by cross-validation.

    A row whose tested value is missing goes where up to five other attributes say, those that agree best with the
    test in training, and down the larger branch when they are missing too. A category not seen in training gets
    the distribution of the node that asks.

    Parameters
    ----------
    criterion : {"gini", "twoing"}
        Any other of `DecisionTreeClassifier` works too.
    missing : str
        As for `DecisionTreeClassifier`.
    max_depth : int, optional
    min_samples_split, min_samples_leaf : float
    ccp_alpha : float, optional
        The price of a leaf; chosen by cross-validation with the one-standard-error rule when None.
    cv : int, splitter or iterable of (train, test)
        The folds of that cross-validation.
    pruning : str, optional
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
        criterion: str = "gini",
        missing: str = "surrogate",
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
            criterion=criterion,
            nominal="subset",
            missing=missing,
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


class ASSISTANT(DecisionTreeClassifier):
    """ASSISTANT (Kononenko, Bratko and Roškar 1984; Cestnik and others 1987): binary trees, stopped and pruned.

    Values of nominal attributes are grouped in two and numbers cut at a threshold. Growth stops at light nodes and
    at tests of little gain; then subtrees are pruned by their expected error. In training, a row whose tested value
    is missing goes down both branches with the shares of the rows of its class; in prediction, with those of all
    rows. A category not seen in training gets the distribution of the node that asks.

    Parameters
    ----------
    min_samples_leaf : float
        The least weight of a branch.
    min_gain : float
        The least gain of a test.
    m : float, optional
        For the expected error by m-estimates; by Laplace's estimate when None.
    pruning : str, optional
    class_weight, schema, random_state
        As for `DecisionTreeClassifier`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(induce.ASSISTANT().fit(X, y).hypothesis_)
    Outlook in {Sunny, Rain}
    |   Humidity = High: No (4/5)
    |   Humidity = Normal: Yes (4/5)
    Outlook = Overcast: Yes (4/4)
    """

    def __init__(
        self,
        *,
        min_samples_leaf: float = 2,
        min_gain: float = 0.01,
        m: float | None = None,
        pruning: str | None = "minimum-error",
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            nominal="subset",
            missing="class-distributed",
            min_samples_leaf=min_samples_leaf,
            min_gain=min_gain,
            m=m,
            pruning=pruning,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )


class DecisionStump(DecisionTreeClassifier):
    """A tree of one test, the best for weighted examples (AIMA 18.10).

    A row whose tested value is missing goes down every branch with a fraction of its weight; a category not seen in
    training gets the distribution of all examples.

    Parameters
    ----------
    criterion : str
    nominal : {"multiway", "subset", "one-value"}
    missing : str
    class_weight, schema, random_state
        As for `DecisionTreeClassifier`.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(induce.DecisionStump().fit(X, y, sample_weight=[3] * 7 + [1] * 7).hypothesis_)
    Outlook = Sunny: No (7/9)
    Outlook = Overcast: Yes (8/8)
    Outlook = Rain: Yes (7/11)
    """

    def __init__(
        self,
        *,
        criterion: str = "gain",
        nominal: str = "multiway",
        missing: str = "fractional",
        class_weight: Any = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            criterion=criterion,
            nominal=nominal,
            missing=missing,
            max_depth=1,
            class_weight=class_weight,
            schema=schema,
            random_state=random_state,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags
