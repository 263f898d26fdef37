"""What all learners of rules do before and after they learn: read the table, and count what the rules cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.estimator import HypothesisClassifier
from induce.core.values import Value
from induce.data.schema import Schema
from induce.data.table import MOST_VALUES, Table, encode_declared
from induce.data.training import Examples, training_frame, training_schema
from induce.hypotheses.conditions import Condition
from induce.hypotheses.rules import Rule, RuleList

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Problem:
    """A training table as learners of rules see it; rows of weight zero are left out."""

    examples: Examples
    schema: Schema
    target: str
    classes: tuple[Value, ...]

    @property
    def table(self) -> Table:
        """The encoded inputs."""
        return self.examples.table

    @property
    def labels(self) -> NDArray[np.int64]:
        """The position in `classes` of the class of each row."""
        return self.examples.labels

    def counts(self) -> Floats:
        """Return what the rows of each class weigh."""
        counts = np.bincount(self.labels, weights=self.examples.weight(), minlength=len(self.classes))
        return np.asarray(counts, dtype=np.float64)

    def ordered_list(
        self, premises: Sequence[tuple[tuple[Condition, ...], int]], default: int | None = None
    ) -> RuleList:
        """Return the list in which the first rule that covers a row decides, with its counts.

        Parameters
        ----------
        premises : sequence of (conditions, position of the predicted class)
        default : int, optional
            The position of the class predicted where no rule applies; by default the most frequent class of the
            rows that no rule covers, or of all rows where every row is covered.
        """
        weights, n_classes = self.examples.weight(), len(self.classes)
        left = np.ones(len(self.examples), np.bool_)
        rules = []
        for conditions, head in premises:
            rule = Rule(conditions, self.classes[head], (), self.classes)
            fires = left & rule.covers(self.table)
            counts = np.bincount(self.labels[fires], weights[fires], n_classes)
            rules.append(Rule(conditions, self.classes[head], tuple(counts.tolist()), self.classes))
            left &= ~fires
        rest = np.bincount(self.labels[left], weights[left], n_classes)
        if default is None:
            default = int((rest if rest.any() else self.counts()).argmax())
        return RuleList(
            self.schema,
            self.target,
            self.classes,
            tuple(rules),
            self.classes[default],
            tuple(rest.tolist()),
        )


class RuleClassifier(HypothesisClassifier):
    """What the learners of rules share: reading the table."""

    hypothesis_: RuleList
    schema: Schema | dict[str, Any] | None
    class_weight: Any

    def _read(self, X: Any, y: Any, sample_weight: Any) -> Problem:
        """Encode the training table."""
        self._forget()
        raw = training_frame(X)
        target, classes, codes = self._target(y)
        if len(classes) > MOST_VALUES:
            raise InputError(
                f"y has {len(classes):,} different classes, too many to be learned; is it a number to predict?"
            )
        schema = training_schema(raw, len(codes), self.schema)
        self._seen(X, schema.names())
        weights = self._weights(sample_weight, self.class_weight, classes, codes)
        examples = Examples(encode_declared(raw, schema), codes, weights, len(classes)).counted()
        return Problem(examples, schema, target, classes)
