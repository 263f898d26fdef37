"""Test rows for a hypothesis: parsed by its schema, with the target as its classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def rows_with_answers(
    hypothesis: Any, source: str, dialect: Any = None, labels: str | None = None
) -> tuple[Any, Any]:
    """Return the inputs of a file by a hypothesis's schema, and the label of each row.

    Rows without a label are left out with a note.

    Parameters
    ----------
    hypothesis : Hypothesis
    source : str
        A file, ``-`` for standard input, or a shipped table.
    dialect : Dialect, optional
        Format of the file, as far as it is declared.
    labels : str, optional
        Labels of images: a file, ``folder``, or a pattern over names.
    """
    import numpy as np

    from induce.core.errors import InputError
    from induce.core.notes import note
    from induce.data.reading import conformed, inputs_of

    frame = _frame(source, dialect) if labels is None else _labelled(hypothesis, source, labels)
    target = hypothesis.target
    cells = _answers(frame, hypothesis, dialect)
    known = cells.is_not_null()
    if not known.all():
        note(f"{len(cells) - int(known.sum()):,} of {len(cells):,} rows have no {target!r}, and are left out")
    if not known.any():
        raise InputError(f"no row has a {target!r}, so nothing can be tested")
    frame, cells = frame.filter(known), cells.filter(known)
    inputs = conformed(inputs_of(frame, hypothesis.schema), hypothesis.schema, dialect=dialect)
    inputs = inputs.select(hypothesis.schema.inputs().names())
    if hypothesis.answer == "number":
        return inputs, cells.to_numpy().astype(np.float64)
    values = _classes(hypothesis, cells)
    strange = sorted(set(map(str, values.tolist())) - set(map(str, hypothesis.classes)))
    if strange:
        count = sum(str(value) in strange for value in values.tolist())
        note(
            f"{count:,} rows have a class not seen in training, such as {strange[0]!r}; they count as errors"
        )
    return inputs, values


def rows_of(hypotheses: Sequence[Any], source: str, dialect: Any = None) -> tuple[Any, Any]:
    """Return the rows of a file by the schemas of two hypotheses, and the labels if the file has them."""
    from induce.data.reading import conformed, inputs_of

    frame, target = _frame(source, dialect), hypotheses[0].target
    known = None
    if target in frame.columns:
        known = _answers(frame, hypotheses[0], dialect)
        frame, known = frame.filter(known.is_not_null()), known.drop_nulls()
    rows = tuple(
        conformed(inputs_of(frame, each.schema), each.schema, dialect=dialect).select(
            each.schema.inputs().names()
        )
        for each in hypotheses
    )
    if known is None or not len(known):
        return rows, None
    return rows, known.to_numpy() if hypotheses[0].answer == "number" else _classes(hypotheses[0], known)


def _classes(hypothesis: Any, cells: Any) -> Any:
    """Return classes in the notation of a hypothesis; unknown ones are unchanged."""
    import numpy as np

    by_text = {str(value): value for value in hypothesis.classes}
    values = [by_text.get(_text(value), _text(value)) for value in cells.to_list()]
    mixed = len({isinstance(value, str) for value in values}) > 1
    return np.array([str(value) for value in values] if mixed else values)


def groups_of(hypothesis: Any, source: str, columns: Sequence[str], dialect: Any = None) -> Any:
    """Return columns of a file for the rows that have a label, whether or not the hypothesis uses them."""
    import polars as pl

    from induce.core.errors import InputError
    from induce.data.names import unknown
    from induce.data.type_inference import exact_numbers_of

    if source == "-":
        raise InputError("--by needs to read the rows twice; write them to a file first")
    frame = _frame(source, dialect)
    for name in columns:
        if name not in frame.columns:
            raise unknown("column", name, frame.columns)
    frame = frame.filter(_answers(frame, hypothesis, dialect).is_not_null()).select(columns)
    numbers = (exact_numbers_of(frame[name]) for name in columns if frame[name].dtype == pl.String)
    return frame.with_columns(cells for cells in numbers if cells is not None)


def _labelled(hypothesis: Any, source: str, labels: str) -> Any:
    """Return images with their labels after checking that they have the size of the training images."""
    from induce.cli.images import grid_of
    from induce.core.errors import InputError
    from induce.data.images import read_images

    grid = grid_of(hypothesis)
    if grid is None:
        raise InputError("--labels is for images, but the model was trained on another table; leave it out")
    found = read_images(source, labels)
    if found.grid != grid:
        raise InputError(
            f"{source} has images of {found.grid} pixels, but the model was trained on {grid}; "
            "give images of that size"
        )
    return found.frame


def _frame(source: str, dialect: Any) -> Any:
    import polars as pl

    from induce.cli.sources import is_shipped
    from induce.data.catalogue import dataset
    from induce.data.reading import pieces

    if is_shipped(source):
        return dataset(source).frame
    return pl.concat(list(pieces(source, dialect=dialect)), how="vertical_relaxed")


def _answers(frame: Any, hypothesis: Any, dialect: Any) -> Any:
    """Return the target of each row: numbers, or classes as written in the file; null if missing."""
    from induce.core.errors import InputError
    from induce.data.reading import conformed
    from induce.data.schema import Column, Schema

    target = hypothesis.target
    if target not in frame.columns:
        raise InputError(f"column {target!r} is absent; give the target of the hypothesis")
    kind = "numeric" if hypothesis.answer == "number" else "nominal"
    column = Column(target, kind, tuple(map(str, hypothesis.classes)) if kind == "nominal" else ())
    return conformed(frame.select(target), Schema((column,)), dialect=dialect).get_column(target)


def _text(value: Any) -> str:
    """Return a class as it would be written: whole numbers without a point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def say_drift(hypothesis: Any, inputs: Any, provenance: dict[str, Any]) -> None:
    """Issue notes about values not seen in training, and about drifted columns."""
    from induce.core.notes import note
    from induce.data.drift import Watch

    watch = Watch(hypothesis.schema, provenance.get("columns", ()))
    watch.see(inputs)
    for sentence in watch.sentences():
        note(sentence)


def was_learned_from(hypothesis: Any, inputs: Any, answers: Any, provenance: dict[str, Any]) -> bool:
    """Return whether rows are the training rows of a model, as far as its file shows."""
    from induce.data.drift import fingerprint

    known = provenance.get("digest")
    return known is not None and fingerprint(inputs, answers, hypothesis.schema) == known
