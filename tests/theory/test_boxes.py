"""Rectangles learned from random points, beside what theory promises (exercise 7.6)."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.theory import box_experiment, tightest_box

MEAN = {10: 0.088, 50: 0.043, 100: 0.027, 200: 0.0155, 500: 0.0070, 1000: 0.0036}
WORST = {10: 0.263, 50: 0.102, 100: 0.060, 200: 0.033, 500: 0.014, 1000: 0.0075}
PROMISED = {10: 5.83, 50: 2.11, 100: 1.28, 200: 0.761, 500: 0.371, 1000: 0.211}


def test_errors_and_promises():
    found = box_experiment(trials=2000)
    assert found.m == tuple(MEAN)
    assert found.mean == pytest.approx(list(MEAN.values()), rel=0.15)
    assert found.quantile == pytest.approx(list(WORST.values()), rel=0.15)
    assert found.promised == pytest.approx(list(PROMISED.values()), rel=0.003)
    assert (found.quantile < found.promised).all()


def test_reports():
    found = box_experiment((10, 1000), trials=20)
    assert str(found).splitlines()[1].endswith("nothing")
    assert "<td>1,000</td>" in found._repr_html_()
    assert [line.get_label() for line in found.draw().axes[0].lines][:2] == [
        "promised, equation 7.7",
        "95% of the trials below",
    ]


def test_the_tightest_box():
    box = tightest_box([1.0, 4.0, 2.0, 9.0], [True, True, True, False])
    assert (box.low, box.high) == ((1.0,), (4.0,))
    assert box.covers([0.5, 1.0, 3.3, 4.1]).tolist() == [False, True, True, False]
    nothing = tightest_box([[1.0, 2.0]], [False])
    assert str(nothing) == "nothing"
    assert not nothing.covers([[1.0, 2.0]]).any()


@pytest.mark.parametrize(
    ("points", "labels", "sentence"),
    [
        ([1.0, 2.0, 3.0], [True, False, True], "a negative example lies among the positive ones"),
        ([1.0, 2.0], [True], "there are 2 points and 1 labels"),
        ([np.nan], [True], "finite coordinates"),
    ],
)
def test_bad_input(points, labels, sentence):
    with pytest.raises(InputError, match=sentence):
        tightest_box(points, labels)
