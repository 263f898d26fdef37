"""Base of the concept learners: reading tables and choosing the language and the positive class."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from induce.concepts.bias import InductiveBias
from induce.concepts.conjunctions import Conjunctions
from induce.concepts.disjunctions import Disjunctions
from induce.concepts.facets import Attributes, Cells
from induce.concepts.language import Language, Mask
from induce.concepts.powerset import PowerSet
from induce.concepts.version_space import VersionSpace
from induce.concepts.votes import UNDECIDED, VotingHypothesis
from induce.core.errors import InputError
from induce.core.estimator import declared_classes
from induce.core.parameters import Declared, anything, choice, whole
from induce.core.values import Value, class_named, positive_class
from induce.estimators import ClassReading, UnweightedClassifier

ASSUMED = {
    "conjunctions": "the concept is a conjunction of values, groups of values or closed intervals",
    "nominal": "the concept is a conjunction of values or groups of values",
    "disjunctions": "the concept is a disjunction of at most {disjuncts} conjunctions",
    "power set": "",
}
LANGUAGES = tuple(ASSUMED)
OPEN_INTERVALS = "open intervals"
NO_OPEN_INTERVALS = (
    "open intervals have no most specific member: between the outermost positives and any bound there "
    "is always a tighter bound (exercise 2.7); use language='conjunctions', whose intervals are "
    "closed"
)


class ConceptLearner(UnweightedClassifier):
    """Base of the concept learners, which take two classes and choose a language by name."""

    parameters: ClassVar[Declared] = {
        "language": choice(
            "Language of the hypotheses.",
            *LANGUAGES,
            but={OPEN_INTERVALS: NO_OPEN_INTERVALS},
        ),
        "disjuncts": whole("Maximum number of conjunctions in a disjunction.", at_least=1),
        "positive": anything(
            "Class of the concept; None chooses one named yes, true, + or similar, or else the last class.",
            "a class",
            none=True,
        ),
        "undecided": choice("Prediction if the hypotheses disagree.", *UNDECIDED),
        "unknown": anything("Label of instances on which the hypotheses disagree.", "a label"),
    }
    language: str
    disjuncts: int
    positive: Value | None
    undecided: str
    unknown: Value
    experience = "direct, supervised: labelled examples, in any order or by queries"
    """Training experience: the source of the examples and the reliability of their labels."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        # examples that fit no concept of the language leave no hypothesis to predict with
        tags.classifier_tags.poor_score = True
        tags.input_tags.allow_nan = False
        return tags

    def inductive_bias(self) -> InductiveBias:
        """Return the assumptions that the learner makes beyond the examples (Mitchell 2.7)."""
        self._check_parameters()
        return InductiveBias(ASSUMED[self.language].format(disjuncts=self.disjuncts), self._preference())

    def _preference(self) -> str:
        """Return the preference among the hypotheses that agree with the examples; empty if there is none."""
        return "the majority of hypotheses is right" if self.undecided == "majority" else ""

    def _first_examples(
        self, reading: ClassReading, announced: Any = None
    ) -> tuple[VersionSpace, Cells, Mask]:
        """Return the empty version space, with language and classes from the first examples, and these."""
        language = self._language(reading)
        cells = language.attributes.encode(reading.table, training=True)
        seen, codes = reading.classes, reading.labels
        classes = self._two_classes(reading.y, seen, announced)
        positive = self._positive_class(classes)
        none = np.empty((0, cells.shape[1]), dtype=np.int64)
        space = VersionSpace(
            language,
            reading.target,
            classes,
            positive,
            (language.bottom(),),
            (language.top(),),
            none,
            class_counts(classes, seen, codes),
            undecided=self.undecided,
            unknown=self.unknown,
        )
        self.classes_ = np.unique(np.asarray(classes))
        return space, cells, np.array([value == positive for value in seen], dtype=np.bool_)[codes]

    def _further_examples(
        self, space: VotingHypothesis, X: Any, y: Any, announced: Any = None
    ) -> tuple[tuple[float, ...], Cells, Mask]:
        """Read more examples of the same columns and classes; also return the class counts."""
        self._fitted(X)
        both = self.classes_
        try:
            _, seen, codes = self._target(y)
        finally:
            self.classes_ = both
        for value in (*seen, *_values(announced)):
            if value not in space.classes:
                raise InputError(
                    f"y has the class {value!r}, but the concept was learned from {space.classes[0]!r} "
                    f"and {space.classes[1]!r}; learn one class at a time"
                )
        cells = space.language.attributes.encode(X, training=True)
        if len(codes) != len(cells):
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {len(cells)} rows, "
                f"y has {len(codes)}"
            )
        more = class_counts(space.classes, seen, codes)
        counts = tuple(before + now for before, now in zip(space.counts, more, strict=True))
        return counts, cells, np.array([value == space.positive for value in seen], dtype=np.bool_)[codes]

    def _two_classes(self, y: Any, seen: tuple[Value, ...], announced: Any) -> tuple[Value, ...]:
        """Return both classes, even if `y` contains only one of them."""
        declared = declared_classes(y)
        if all(isinstance(value, bool) for value in seen):
            declared = [False, True]
        known = [*(declared if len(declared) == 2 else ()), *seen, *_values(announced)]
        if self.positive is not None and len(set(known)) == 1:
            known.append(self.positive)
        classes = tuple(dict.fromkeys(known))
        if len(classes) > 2:
            kind = type_of_target(np.asarray(y))
            raise InputError(
                f"Only binary classification is supported. The type of the target is {kind}: y has "
                f"{len(classes)} classes, but a concept has two; learn one class at a time from y == "
                "value"
            )
        if len(classes) < 2:
            raise InputError(
                f"y has only one class, {seen[0]!r}, but a concept has two; declare both by an Enum or "
                "categorical y or by the classes of partial_fit, or name the other one with positive"
            )
        return classes

    def _positive_class(self, classes: tuple[Value, ...]) -> Value:
        if self.positive is None:
            return positive_class(classes)
        return class_named(self.positive, classes, "positive")

    def _language(self, reading: ClassReading) -> Language:
        schema = reading.schema
        for column in schema.inputs():
            if column.kind == "numeric" and self.language in ("nominal", "power set"):
                raise InputError(
                    f"column {column.name!r} is numeric, but the language {self.language!r} has only "
                    "nominal values; use language='conjunctions', which learns intervals, or declare "
                    "the column nominal"
                )
        attributes = Attributes.of(schema, numbers_of(reading))
        if self.language == "power set":
            return PowerSet(attributes)
        conjunctions = Conjunctions(attributes)
        return Disjunctions(conjunctions, self.disjuncts) if self.language == "disjunctions" else conjunctions


def _values(classes: Any) -> tuple[Value, ...]:
    return () if classes is None else tuple(np.asarray(classes).tolist())


def numbers_of(reading: ClassReading) -> dict[str, NDArray[Any]]:
    """Return the numbers of each numeric column, as integers if they were given as integers."""
    whole = {column.name for column in reading.raw.columns if column.whole}
    table = reading.table
    found = {
        column.name: table.column(place)
        for place, column in enumerate(table.schema)
        if column.kind == "numeric"
    }
    return {
        name: numbers.astype(np.int64) if name in whole and np.isfinite(numbers).all() else numbers
        for name, numbers in found.items()
    }


def class_counts(
    classes: tuple[Value, ...], seen: tuple[Value, ...], codes: NDArray[np.int64]
) -> tuple[float, ...]:
    """Return the number of rows of each class; the codes are positions in `seen`."""
    counts = dict(zip(seen, np.bincount(codes, minlength=len(seen)).astype(float).tolist(), strict=True))
    return tuple(counts.get(value, 0.0) for value in classes)
