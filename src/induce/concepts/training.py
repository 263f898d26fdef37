"""What the concept learners do before they learn: read the table, choose the language and the positive class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.multiclass import type_of_target

from induce.concepts.conjunctions import Conjunctions
from induce.concepts.disjunctions import Disjunctions
from induce.concepts.facets import Attributes, Cells, Taxonomy
from induce.concepts.language import Language, Mask
from induce.concepts.powerset import PowerSet
from induce.concepts.version_space import VersionSpace
from induce.core.errors import InputError
from induce.core.estimator import HypothesisClassifier
from induce.core.parameters import one_of
from induce.core.values import Value
from induce.data.frames import RawFrame, raw_frame
from induce.data.schema import Schema
from induce.data.table import encode, infer_schema
from induce.hypotheses.naming import value_text

LANGUAGES = ("conjunctions", "nominal", "disjunctions", "power set")
UNDECIDED = ("majority", "abstain", "refuse")
POSITIVE = frozenset({"yes", "y", "true", "t", "+", "pos", "positive", "1", "1.0"})
NEGATIVE = frozenset({"no", "n", "false", "f", "-", "neg", "negative", "0", "0.0", "-1"})


class ConceptLearner(HypothesisClassifier):
    """What the concept learners share: two classes, and a language chosen by name."""

    language: str
    disjuncts: int
    positive: Value | None
    undecided: str
    unknown: Value
    taxonomies: Mapping[str, Taxonomy] | None
    schema: Schema | dict[str, Any] | None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        # examples that are no concept of the language leave nothing to predict with
        tags.classifier_tags.poor_score = True
        tags.input_tags.allow_nan = False
        return tags

    def _examples(
        self, X: Any, y: Any, language: Language | None = None
    ) -> tuple[Language, VersionSpace, Cells, Mask]:
        """Read examples; without a language, choose it and what else follows from the first of them."""
        one_of("language", self.language, LANGUAGES)
        one_of("undecided", self.undecided, UNDECIDED)
        raw = raw_frame(X)
        _check_shape(raw)
        target, classes, codes = self._target(y)
        if len(codes) != raw.n_rows:
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
                f"y has {len(codes)}"
            )
        if len(classes) > 2:
            kind = type_of_target(np.asarray(y))
            raise InputError(
                f"Only binary classification is supported. The type of the target is {kind}: y has {len(classes)} "
                "classes and a concept two; learn one class at a time from y == value"
            )
        positive = self._positive_class(classes)
        if language is None:
            language = self._language(raw)
        cells = language.attributes.encode(raw, training=True)
        labels = np.array([value == positive for value in classes], dtype=np.bool_)[codes]
        counts = tuple(np.bincount(codes, minlength=len(classes)).astype(float).tolist())
        space = VersionSpace(
            language, target, classes, positive, (language.bottom(),), (language.top(),), cells[:0], counts
        )
        return language, space, cells, labels

    def _positive_class(self, classes: tuple[Value, ...]) -> Value:
        if self.positive is not None:
            if len(classes) == 2 and self.positive not in classes:
                raise InputError(
                    f"positive is {self.positive!r}, which is not in y; the classes are {classes[0]!r} and "
                    f"{classes[1]!r}"
                )
            return self.positive
        named = [value for value in classes if str(value).lower() in POSITIVE]
        if len(named) == 1:
            return named[0]
        if len(classes) == 1 and str(classes[0]).lower() in NEGATIVE:
            return f"not {value_text(classes[0])}"
        return max(classes) if len(classes) == 2 else classes[0]

    def _language(self, raw: RawFrame) -> Language:
        schema, numbers = settled_schema(raw, self.schema)
        for column in schema.inputs():
            if column.kind == "numeric" and self.language in ("nominal", "power set"):
                raise InputError(
                    f"column {column.name!r} is numeric, but the language {self.language!r} has nominal values "
                    "only; use language='conjunctions', which learns intervals, or declare the column nominal"
                )
        if self.language == "power set":
            return PowerSet(Attributes.of(schema, numbers, self.taxonomies))
        conjunctions = Conjunctions.over(schema, numbers, self.taxonomies)
        return Disjunctions(conjunctions, self.disjuncts) if self.language == "disjunctions" else conjunctions


def _check_shape(raw: RawFrame) -> None:
    if raw.n_rows == 0:
        raise InputError(
            "Found array with 0 sample(s) while a minimum of 1 is required: the table has no rows"
        )
    if not raw.columns:
        raise InputError(
            f"0 feature(s) (shape=({raw.n_rows}, 0)) while a minimum of 1 is required: the table has no columns"
        )


def settled_schema(raw: RawFrame, told: Schema | dict[str, Any] | None) -> tuple[Schema, dict[str, Any]]:
    """Settle what the columns of a training table are, and return the numbers of its numeric ones."""
    if not isinstance(told, Schema | dict | None):
        raise InputError(
            f"schema is {told!r}; give a Schema, or a dict from columns to what is known of them"
        )
    schema = infer_schema(raw, told)
    if not len(schema.inputs()):
        raise InputError("no column is left to learn from: all are identifiers, text or ignored")
    numbers: dict[str, Any] = {}
    if any(column.kind == "numeric" for column in schema.inputs()):
        table = encode(raw, schema)
        for place, column in enumerate(table.schema):
            if column.kind == "numeric":
                numbers[column.name] = table.column(place)
                if np.isnan(numbers[column.name]).any():
                    row = int(np.flatnonzero(np.isnan(numbers[column.name]))[0])
                    raise InputError(
                        f"Input X contains NaN: column {column.name!r} has a missing value in row {row + 1}; fill it "
                        "in or leave the row out"
                    )
    return schema, numbers


def training_cells(
    X: Any, n_targets: int, told: Schema | dict[str, Any] | None
) -> tuple[Conjunctions, Cells]:
    """Read a training table in the language of conjunctions."""
    raw = raw_frame(X)
    _check_shape(raw)
    if n_targets != raw.n_rows:
        raise InputError(
            f"Found input variables with inconsistent numbers of samples: X has {raw.n_rows} rows, "
            f"y has {n_targets}"
        )
    language = Conjunctions.over(*settled_schema(raw, told))
    return language, language.attributes.encode(raw, training=True)
