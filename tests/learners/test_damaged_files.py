"""A model file with one thing changed is refused, or its hypothesis still does, or refuses, all it is asked for."""

from __future__ import annotations

import copy
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

from induce.core.codec import Decoder, Encoder
from induce.core.errors import InputError
from tests.learners.damage import damage
from tests.learners.test_experience import CASES, made, source
from tests.learners.test_payloads import hypotheses

FEW, MANY = 4, 100
PICTURES = {"png", "pdf"}

each_hypothesis = pytest.mark.parametrize(
    ("name", "make"), [pytest.param(*each, id=each[0]) for each in hypotheses()]
)


def rows_of(hypothesis: Any) -> pl.DataFrame | None:
    """Return a row with values and one without any, for the columns of a hypothesis."""
    schema = getattr(hypothesis, "schema", None)
    if schema is None or getattr(hypothesis, "target", None) is None:
        return None
    known = {"numeric": 0.5, "text": "a red rose"}
    return pl.DataFrame(
        {
            column.name: [known.get(column.kind, column.domain[0] if column.domain else None), None]
            for column in schema
        },
        strict=False,
    )


def operations(hypothesis: Any, rows: pl.DataFrame | None) -> Iterator[Callable[[], Any]]:
    """Yield all that people ask of a hypothesis; of the pictures, one format."""
    yield lambda: str(hypothesis)
    yield hypothesis.parts
    yield hypothesis.size
    if rows is not None:
        yield lambda: hypothesis.predict(rows)
        for method in ("predict_proba", "explain"):
            if hasattr(hypothesis, method):
                yield lambda method=method: [str(each) for each in getattr(hypothesis, method)(rows)]
    for form in hypothesis.forms():
        if form not in PICTURES:
            yield lambda form=form: hypothesis.written(form)


def try_damaged(name: str, make: Callable[[], Any], seeds: range) -> int:
    """Damage a file once for each seed, and return how many could still be loaded."""
    with warnings.catch_warnings(action="ignore"):
        hypothesis = make()
    held: list[np.ndarray[Any, Any]] = []
    whole = Encoder("field", "leave it out", held).encode(hypothesis, "hypothesis")
    assert type(Decoder(held.__getitem__).decode(whole)) is type(hypothesis)
    rows = rows_of(hypothesis)
    loaded = 0
    for seed in seeds:
        document, arrays = {"whole": copy.deepcopy(whole)}, [array.copy() for array in held]
        damage(document, arrays, random.Random(f"{name} {seed}"))
        try:
            changed = Decoder(arrays.__getitem__).decode(document["whole"])
        except Exception:
            continue  # `load` makes one sentence of whatever is wrong
        if type(changed) is not type(hypothesis):
            continue
        loaded += 1
        for operation in operations(changed, rows):
            with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
                try:
                    operation()
                except InputError:
                    pass
                except Exception as error:
                    raise AssertionError(f"{name} with seed {seed}: {error!r}") from error
    return loaded


@each_hypothesis
def test_damage_is_refused_or_harmless(name: str, make: Callable[[], Any]) -> None:
    try_damaged(name, make, range(FEW))


@pytest.mark.slow
@each_hypothesis
def test_much_damage_is_refused_or_harmless(name: str, make: Callable[[], Any]) -> None:
    assert try_damaged(name, make, range(FEW, FEW + MANY)) > 0


@pytest.mark.parametrize("name", CASES)
def test_damage_to_what_is_learned_from_experience(name: str) -> None:
    try_damaged(name, lambda: made(name).learn(source(name)).hypothesis_, range(FEW))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_much_damage_to_what_is_learned_from_experience(name: str) -> None:
    assert try_damaged(name, lambda: made(name).learn(source(name)).hypothesis_, range(FEW, FEW + MANY)) > 0
