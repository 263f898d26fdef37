"""Lazy decision trees."""

from __future__ import annotations

from typing import Any, ClassVar

from induce.core.parameters import Declared, number, whole
from induce.data.schema import Schema
from induce.estimators import ClassReading, TableClassifier
from induce.instances.lazy_tree.hypothesis import LazyTree


class LazyDecisionTree(TableClassifier):
    """Lazy ID3: the branch of a decision tree for each query, grown on demand (Mitchell, exercise 8.3).

    Training stores the examples. For each query, the test with the largest information gain is chosen, on the
    examples that agree with the query on all tests before. The branch ends if only one class is left or no
    test splits the examples. Numeric columns are tested against a threshold.

    Only columns with a value in the query are tested, so missing values need no imputation; a category not
    seen in training counts as missing. An example with a missing tested value counts fractionally, by the
    proportion of the examples that agree with the query.

    Parameters
    ----------
    max_depth : int, optional
        Maximum number of tests of a branch.
    min_samples_split : float, default=2
        Minimum weight of examples for a split.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.

    Attributes
    ----------
    hypothesis_ : LazyTree

    See Also
    --------
    ID3 : Trees by information gain, without pruning.
    KNeighborsClassifier : The nearest examples vote.

    References
    ----------
    J. H. Friedman, R. Kohavi and Y. Yun (1996). Lazy decision trees. In AAAI, 717-724.

    T. M. Mitchell (1997). Machine Learning. McGraw-Hill, exercise 8.3.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> lazy = LazyDecisionTree().fit(X, y)
    >>> print(lazy.explain(X[:1])[0])
    No because
      Outlook = Sunny  (gain 0.247, leaves 3 No, 2 Yes)
      Humidity = High  (gain 0.971, leaves 3 No)
      IF Outlook = Sunny AND Humidity = High THEN No (3/3)
    """

    hypothesis_: LazyTree

    parameters: ClassVar[Declared] = {
        "max_depth": whole("Maximum number of tests of a branch; None sets no limit.", at_least=0, none=True),
        "min_samples_split": number("Minimum weight of the examples of a split.", at_least=0),
    }

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        schema: Schema | dict[str, Any] | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.schema = schema

    def _learn(self, reading: ClassReading) -> LazyTree:
        examples = reading.examples()
        return LazyTree(
            reading.schema,
            reading.target,
            reading.classes,
            examples.table.numeric,
            examples.table.nominal,
            examples.labels,
            examples.weight(),
            None if self.max_depth is None else int(self.max_depth),
            float(self.min_samples_split),
        )
