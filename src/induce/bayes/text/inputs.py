"""Texts in any form: lists and series of strings, columns of frames, and word counts."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import is_missing
from induce.data.frames import RawFrame, raw_frame
from induce.data.schema import Column, Schema
from induce.data.table import encode, encoded_columns
from induce.data.text import Documents, Tokeniser, counted_texts

TEXT = "text"
"""Name of the only column if texts come without a table."""


def as_table(X: Any) -> Any:
    """Return texts in a list, an array or a series as a table with one column; other inputs unchanged.

    Examples
    --------
    >>> as_table(["one", None]).to_dict(as_series=False)
    {'text': ['one', None]}
    """
    if isinstance(X, list | tuple) and any(isinstance(cell, str) for cell in X):
        cells = list(X)
    elif getattr(X, "ndim", None) == 1 or (
        type(X).__module__.startswith("polars") and hasattr(X, "to_frame")
    ):
        cells = X.tolist() if isinstance(X, np.ndarray) else X.to_list() if hasattr(X, "to_list") else list(X)
    else:
        return X
    if not {*map(type, cells)} <= {str, NoneType}:
        if not all(isinstance(cell, str) or is_missing(cell) for cell in cells):
            return X
        cells = [str(cell) if isinstance(cell, str) else None for cell in cells]
    import polars as pl

    return pl.DataFrame({TEXT: pl.Series(cells, dtype=pl.String)})


def is_counts(X: Any) -> bool:
    """Return whether rows are word counts: a sparse matrix, or only numbers."""
    if hasattr(X, "tocsr"):
        return True
    raw = raw_frame(X)
    return bool(raw.columns) and all(column.kind == "numeric" for column in raw.columns)


def counts_of(X: Any, vocabulary: Sequence[str] | None = None) -> Documents:
    """Return the documents of rows of counts; a missing count is 0.

    Parameters
    ----------
    X : sparse matrix, array or frame of numbers
    vocabulary : sequence of str, optional
        Training words; the columns must match them.
    """
    if hasattr(X, "tocsr"):
        if vocabulary is not None and X.shape[1] != len(vocabulary):
            raise InputError(
                f"the rows have {X.shape[1]} word counts, but the model was learned from "
                f"{len(vocabulary)}; give the same columns"
            )
        return counted_texts(X, vocabulary)
    raw = raw_frame(X)
    names = [column.name for column in raw.columns] if vocabulary is None else vocabulary
    matrix = encode(raw, Schema(tuple(map(Column, names)))).numeric
    return counted_texts(np.nan_to_num(matrix), names)


def text_schema(raw: RawFrame, told: Schema | dict[str, Any] | None) -> dict[str, Any]:
    """Return schema overrides of the columns: strings are texts, and others are ignored, unless declared."""
    said = {column.name: column for column in told} if isinstance(told, Schema) else dict(told or {})
    guessed = {
        column.name: Column(column.name, "text")
        if column.kind == "string"
        else Column(column.name, role="ignore")
        for column in raw.columns
    }
    return {**guessed, **said}


def joined_texts(X: Any, schema: Schema) -> Any:
    """Return the concatenated texts of each row as a polars series; missing if all are."""
    import polars as pl

    columns = list(encoded_columns(X, schema))
    if len(columns) == 1:
        return columns[0]
    rows = zip(*(column.to_list() for column in columns), strict=True)
    known = ([text for text in row if text is not None] for row in rows)
    return pl.Series(TEXT, ["\n".join(texts) if texts else None for texts in known], dtype=pl.String)


def documents_of(
    X: Any, schema: Schema, tokeniser: Tokeniser | None, vocabulary: tuple[str, ...]
) -> Documents:
    """Return rows as counts over a learned vocabulary; without a tokeniser they are counts already."""
    if tokeniser is None:
        return counts_of(X, vocabulary)
    return tokeniser.documents(joined_texts(as_table(X), schema), vocabulary)
