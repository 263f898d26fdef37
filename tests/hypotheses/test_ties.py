"""Classes that tie up to rounding: exports choose the one that `predict` chooses."""

import numpy as np
import polars as pl
import pytest

from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Is
from induce.online.hypothesis import WeightedExperts
from induce.online.linear import LinearThreshold
from tests.exports import in_duckdb, in_onnx, in_python, in_sqlite

COLUMNS = ("a", "b", "c")
ROW = pl.DataFrame([dict.fromkeys(COLUMNS, "yes")])


def weighing(*weights):
    """Return a hypothesis whose classes sum weights of three indicators, which all hold in `ROW`."""
    schema = Schema(tuple(Column(name, "nominal", ("no", "yes")) for name in COLUMNS))
    indicators = tuple(Is(name, "yes") for name in COLUMNS)
    classes = ("first", "second", "third")[: len(weights)]
    return LinearThreshold(schema, "class", classes, indicators, np.array(weights), 1.0)


@pytest.mark.parametrize(
    ("weights", "decided"),
    [
        (([0.3, 0.3, 0.0], [0.1, 0.2, 0.3], [0.1, 0.1, 0.1]), "first"),  # 0.6 and 0.6000000000000001
        (([0.1, 0.1, 0.1], [0.3, 0.3, 0.0], [0.1, 0.2, 0.3]), "second"),
        (([0.3, 0.3, 0.0], [0.1, 0.2, 0.301], [0.1, 0.1, 0.1]), "second"),
    ],
)
def test_exports_choose_as_predict_does(weights, decided):
    model = weighing(*weights)
    assert model.predict(ROW).tolist() == [decided]
    assert in_python(model, ROW) == in_sqlite(model, ROW) == in_duckdb(model, ROW) == [decided]
    assert in_onnx(model, ROW)["prediction"].ravel().tolist() == [decided]


def test_experts_of_equal_weight_up_to_rounding():
    """Three experts with 0.1 of the weight are as heavy as one with three tenths."""
    experts = WeightedExperts(
        tuple("abcd"), ("no", "yes"), np.zeros(4, np.int64), np.array([0, 1, 1, 1]), 1 / 3, 3
    )
    votes = pl.DataFrame([dict(zip("abcd", ("no", "yes", "yes", "yes"), strict=True))])
    assert experts.predict(votes).tolist() == ["no"]
    assert experts.predict_proba(votes).argmax(axis=1).tolist() == [0]
