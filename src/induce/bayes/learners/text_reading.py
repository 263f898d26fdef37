"""Reading of texts, or of word counts, for text learners."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from induce.bayes.text.inputs import TEXT, as_table, counts_of, is_counts, text_schema
from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.parameters import Declared, number, whole
from induce.data.frames import RawFrame
from induce.data.schema import Column, Schema
from induce.data.table import MOST_VALUES
from induce.data.text import WORD_PARAMETERS, Documents
from induce.data.training import training_frame, training_schema
from induce.estimators import ClassReading, ReadingClassifier


@dataclass(frozen=True, eq=False)
class CountReading(ClassReading):
    """A training table whose rows are word counts."""

    documents: Documents


class TextClassifier(ReadingClassifier):
    """Reading texts with classes.

    Texts come in a list, a series or the columns of a frame. A scipy sparse matrix, or an all-numeric table,
    contains counts: one row per text and one column per word.
    """

    takes_text = True
    parameters: ClassVar[Declared] = {
        "drop_top": whole("Number of the most frequent words excluded from the vocabulary.", at_least=0),
        "min_count": number("Minimum frequency of a word of the vocabulary.", at_least=0),
        **WORD_PARAMETERS,
    }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True  # numbers that are not counts carry little information
        return tags

    def _read(self, X: Any, y: Any, sample_weight: Any) -> ClassReading:
        self._begin_fit()
        X = as_table(X)
        if not is_counts(X):
            return super()._read(X, y, sample_weight)
        documents = counts_of(X) if hasattr(X, "tocsr") else _checked_counts(X)
        target, classes, labels = self._target(y)
        if len(classes) > MOST_VALUES:
            raise InputError(
                f"y has {len(classes):,} distinct classes, which is too many; give a nominal target"
            )
        if len(labels) != len(documents):
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {len(documents)} rows, "
                f"y has {len(labels)}"
            )
        weights = self._weights(sample_weight, getattr(self, "class_weight", None), classes, labels)
        self._seen(X, documents.vocabulary)
        raw = RawFrame((), len(documents), named=False)
        return CountReading(raw, Schema((Column(TEXT, "text"),)), weights, target, classes, labels, documents)

    def _training_schema(self, X: Any, raw: RawFrame, n_targets: int | None) -> Schema:
        said = text_schema(raw, self.schema)
        schema = training_schema(raw, n_targets, said, text=True)
        for column in schema:
            guessed = said[column.name] == Column(column.name, role="ignore")
            if guessed or (column.kind != "text" and column.role == "input"):
                note(
                    f"column {column.name!r} contains no text and is ignored, because this learner "
                    "uses only text"
                )
        kept = (each if each.kind == "text" else replace(each, role="ignore") for each in schema)
        schema = Schema(tuple(kept))
        if not len(schema.inputs()):
            raise InputError(
                "no column contains text, which this learner needs; declare a text column in schema"
            )
        self._seen(X, schema.names())
        return schema

    def _fitted(self, X: Any) -> Any:
        return super()._fitted(as_table(X))


def _checked_counts(X: Any) -> Documents:
    training_frame(X)
    return counts_of(X)
