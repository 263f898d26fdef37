"""Base of the tree learners."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.parameters import Declared, choice, number, whole
from induce.core.randomness import RandomState
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.training import Examples
from induce.estimators.guidance import KnowledgeLearner
from induce.trees.growth import MEASURES, SAME_MEASURES, SPLITTERS
from induce.trees.hypothesis import Tree
from induce.trees.importances import class_importances


class TreeLearner(KnowledgeLearner):
    """Base of the tree learners: reads the table, grows a tree and prunes it."""

    parameters: ClassVar[Declared] = {
        "criterion": choice("Measure of a split.", *MEASURES, also=SAME_MEASURES),
        "nominal": choice("Branches of a nominal split.", *SPLITTERS),
        "max_depth": whole("Maximum depth; None sets no limit.", at_least=0, none=True),
        "min_samples_split": number("Minimum weight of a node that is split.", at_least=0),
        "min_samples_leaf": number("Minimum weight in at least two branches of a split.", at_least=0),
        "validation_fraction": number(
            "Fraction of the examples held out for reduced-error pruning.", above=0, below=1
        ),
        "confidence_factor": number(
            "Confidence level of the pruning estimate; smaller values prune more.", above=0, below=1
        ),
    }

    random_state: RandomState

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Relative reduction of impurity by each column, in the order of the columns."""
        tree = getattr(self, "hypothesis_", None)
        if type(tree) is not Tree:
            raise AttributeError(f"this {type(self).__name__} has no tree that tests single columns")
        return class_importances(tree, gini=getattr(self, "criterion", "") in ("gini", "twoing"))

    def _examples(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Examples, Schema, str, tuple[Value, ...]]:
        """Encode the training table and drop rows of weight zero."""
        examples, schema, target, classes = self._all_examples(X, y, sample_weight)
        return examples.counted(), schema, target, classes

    def _all_examples(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Examples, Schema, str, tuple[Value, ...]]:
        """Encode the training table."""
        reading = self._read(X, y, sample_weight)
        return reading.all_examples(), *reading.names
