"""Boosting by filtering: three hypotheses, each trained on examples filtered by the earlier ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.core.notes import note
from induce.core.parameters import Declared, Parameter, choice, whole
from induce.core.randomness import RandomState, generator
from induce.core.values import plain
from induce.data.schema import Schema
from induce.data.training import training_frame, training_schema
from induce.ensembles.hypothesis import COMBINE, Ensemble
from induce.ensembles.learners.class_members import ClassLearner, RowsReading, Training, agreed, quiet
from induce.ensembles.learners.streams import Sample, Source, joined, passes
from induce.ensembles.members import Codes, codes_in, given_rows, member_codes
from induce.estimators import ClassReading, UnweightedClassifier
from induce.hypotheses.conflict_resolution import class_array
from induce.trees.learners.c45 import C45

LOOKED = 100
"""Maximum number of examples inspected per kept example, on average, before a stream is abandoned."""
FIRST = 1.5
"""Vote weight of the first hypothesis: less than two others together, but the largest if all three differ."""


class BoostingByFiltering(RowsReading, UnweightedClassifier):
    """Boosting by filtering: a vote of three hypotheses (Schapire 1990; AIMA 18.11.1).

    The first hypothesis learns from unfiltered examples. The second learns from examples half of which the
    first misclassifies, and the third from those on which the two disagree. If all three differ, the first
    decides. Examples come from a table, repeatedly reshuffled, or from a stream, which may be endless.

    Missing values and categories not seen in training are handled by the learner.

    Parameters
    ----------
    estimator : estimator, optional
        Base classifier of induce or scikit-learn. None uses C4.5.
    n_examples : int, optional
        Number of examples per hypothesis. None uses a third of the table, or 1,000 of a stream.
    combine : {"vote", "sum"}, default="vote"
        Voting scheme. "vote": each hypothesis votes for a class. "sum": their probabilities are added.
    schema : Schema or dict, optional
        Schema of the columns, beyond their types.
    random_state : int, Generator or None, default=0
        Random seed of the order of the rows.

    Attributes
    ----------
    hypothesis_ : Ensemble
        The learned ensemble.
    looked_ : list of int
        Number of examples inspected for each hypothesis.

    See Also
    --------
    AdaBoost : Boosted hypotheses.
    Committee : Different learners vote.

    References
    ----------
    R. E. Schapire (1990). The strength of weak learnability. Machine Learning 5, 197-227.

    Examples
    --------
    >>> import induce
    >>> from induce.data.generate import restaurant
    >>> X, y = restaurant(600, random_state=0)
    >>> BoostingByFiltering().fit(X, y).looked_
    [200, 600, 600]

    Learning from an endless stream:

    >>> from itertools import count
    >>> evenings = (restaurant(100, random_state=seed) for seed in count())
    >>> boosted = BoostingByFiltering(n_examples=100).fit_stream(evenings)
    >>> boosted.looked_
    [100, 2303, 1131]
    """

    hypothesis_: Ensemble
    looked_: list[int]

    parameters: ClassVar[Declared] = {
        "estimator": Parameter("Base classifier; None uses C4.5.", ClassLearner(), none=True),
        "n_examples": whole(
            "Number of examples per hypothesis; None uses a third of the rows, or 1,000 of a stream.",
            at_least=1,
            none=True,
        ),
        "combine": choice("Voting scheme: votes for a class, or sums of probabilities.", *COMBINE),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_examples: int | None = None,
        combine: str = "vote",
        schema: Schema | dict[str, Any] | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.estimator = estimator
        self.n_examples = n_examples
        self.combine = combine
        self.schema = schema
        self.random_state = random_state

    def _learn(self, reading: ClassReading) -> Ensemble:
        n = max(1, len(reading) // 3) if self.n_examples is None else int(self.n_examples)
        classes = class_array(reading.classes)[reading.labels]
        source = Source(passes(reading.X, classes, generator(self.random_state)))
        (first,) = source.collect(_everything, (n,), n)
        assert first is not None
        return self._filtered(source, first, len(reading), reading, reading.schema)

    def fit_stream(self, stream: Iterable[tuple[Any, Any]], classes: Any = None, first: Any = None) -> Self:
        """Learn from a stream of examples, which may be endless.

        Parameters
        ----------
        stream : iterable of (X, y)
            Tables with the same columns, each with the classes of its rows.
        classes : sequence, optional
            All classes; by default, those of the first examples.
        first : hypothesis or fitted classifier, optional
            First hypothesis, trained beforehand on examples of the same kind; two more learn what it
            misclassifies.
        """
        self._check_parameters()
        n = 1000 if self.n_examples is None else int(self.n_examples)
        source = Source(stream)
        (seen,) = source.collect(_everything, (n,), n)
        if seen is None:
            raise InputError("the stream has no examples; give at least one table with its classes")
        reading = self._read(*seen, None)
        if classes is not None:
            reading = replace(reading, classes=tuple(map(plain, classes)))
            self.classes_ = np.unique(np.asarray(reading.classes))
        self.hypothesis_ = self._filtered(source, seen, LOOKED * n, reading, None, first)
        return self

    def _filtered(
        self,
        source: Source,
        seen: Sample,
        most: int,
        reading: ClassReading,
        schema: Schema | None,
        first: Any = None,
    ) -> Ensemble:
        """Learn up to three hypotheses; from a stream, each infers the schema from its own examples."""
        n, self.looked_ = len(seen[1]), [source.looked]
        if first is None:
            h = [self._learned(seen, reading, schema, "as the first")]
        else:
            h = [getattr(first, "hypothesis_", first)]

        def says(k: int, X: Any) -> Codes:
            return member_codes(h[k], given_rows(X, reading.schema), reading.schema, reading.classes)

        right, wrong = source.collect(
            lambda X, y: (says(0, X) != codes_in(y, reading.classes)).astype(np.int64),
            (max(1, n // 2), max(1, n // 2)),
            most,
        )
        self.looked_.append(source.looked)
        if wrong is None:
            note(f"the first hypothesis makes no error on {source.looked} examples, so no others are learned")
        else:
            h.append(self._learned(_half_wrong(right, wrong), reading, schema, "as the second"))
            (differ,) = source.collect(lambda X, y: (says(0, X) != says(1, X)) - 1, (n,), most)
            self.looked_.append(source.looked)
            if differ is None:
                note(f"two hypotheses agree on all of {source.looked} examples, so there is no third")
            else:
                h.append(self._learned(differ, reading, schema, "as the third"))
        votes = np.ones(len(h))
        if self.combine == "vote":
            votes[0] = FIRST
        found = Ensemble(*reading.names, tuple(h), votes, np.ones(len(h)), combine=self.combine)
        return agreed(found, seen[0], np.ones(n))

    def _learned(self, sample: Sample, reading: ClassReading, schema: Schema | None, place: str) -> Any:
        X, y = sample
        raw = training_frame(X)
        own = replace(
            reading,
            raw=raw,
            schema=schema or training_schema(raw, len(y), self.schema),
            labels=codes_in(y, reading.classes),
            X=X,
            y=y,
        )
        with quiet():
            training = Training(C45() if self.estimator is None else self.estimator, own)
            return training.learn(np.ones(len(y)), None, place)


def _everything(X: Any, y: Any) -> Codes:
    return np.zeros(len(y), np.int64)


def _half_wrong(right: Sample | None, wrong: Sample) -> Sample:
    """Return as many correctly classified examples as misclassified ones, if there are enough."""
    if right is None:
        return wrong
    n = min(len(right[1]), len(wrong[1]))
    rows = np.arange(n)
    return joined([(rows_at(X, rows), y[:n]) for X, y in (right, wrong)])
