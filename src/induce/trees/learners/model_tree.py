"""Trees with linear functions at the leaves, after Quinlan's M5."""

from __future__ import annotations

from typing import Any

from induce.core.randomness import RandomState
from induce.data.schema import Schema
from induce.trees.learners.decision_tree_regressor import DecisionTreeRegressor


class ModelTree(DecisionTreeRegressor):
    """A tree with linear functions at its leaves, pruned and smoothed as in M5 (Quinlan 1992).

    Unlike M5, it evaluates a test by the errors of the linear functions in its branches, not by the spread of
    the target there. A row whose tested value is missing takes the branch with the most training examples; in
    a linear function, a missing value is replaced by the mean of its column. A category not seen in training
    gets the prediction of the node that tests it.

    Parameters
    ----------
    min_samples_leaf : float, default=4
        Minimum weight in at least two branches of a split.
    smoothing : float or None, default=15.0
        Smoothing: weight of the ancestors of a leaf in its prediction, in examples.
    pruning : {"adjusted-error", None, "cost-complexity", "reduced-error"}, default="adjusted-error"
        Pruning method; None disables pruning.
    max_depth : int, optional
        Maximum depth; None sets no limit.
    schema : Schema or dict, optional
        Schema of the columns.
    random_state : int, Generator or None, default=0
        Random seed of the held-out examples for pruning.

    See Also
    --------
    DecisionTreeRegressor : Regression trees.
    LinearRegression : The least squared error in closed form.

    References
    ----------
    J. R. Quinlan (1992). Learning with continuous classes. In Australian Joint Conference on Artificial
    Intelligence, 343-348.

    Y. Wang and I. H. Witten (1997). Inducing model trees for continuous classes. In European Conference on
    Machine Learning, poster papers.

    Examples
    --------
    >>> x = [[k] for k in range(40)]
    >>> y = [3 * k if k <= 15 else 80 - k for k in range(40)]
    >>> print(ModelTree(smoothing=None).fit(x, y).hypothesis_)
    x0 <= 15.5: y = 3 x0 (n=16, sd 0)
    x0 > 15.5: y = 80 - x0 (n=24, sd 0)
    """

    def __init__(
        self,
        *,
        min_samples_leaf: float = 4,
        smoothing: float | None = 15.0,
        pruning: str | None = "adjusted-error",
        max_depth: int | None = None,
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            leaf="linear",
            max_depth=max_depth,
            min_samples_leaf=min_samples_leaf,
            pruning=pruning,
            smoothing=smoothing,
            schema=schema,
            random_state=random_state,
        )
