"""The logistic function and its relatives stay finite."""

import math

import numpy as np
import pytest

from induce.statistics._logistic_loops import log1p_exp_of, sigmoid_of
from induce.statistics.logistic import log1p_exp, log_softmax, logit, sigmoid, softmax


def test_printed_values():
    assert sigmoid([1, -1, 2, -2]).round(6).tolist() == [0.731059, 0.268941, 0.880797, 0.119203]
    assert sigmoid(math.log(9)) == pytest.approx(0.9)
    z = np.linspace(-5, 5, 21)
    assert np.allclose(np.tanh(z), 2 * sigmoid(2 * z) - 1)
    assert np.allclose(logit(sigmoid(z)), z)


def test_nothing_overflows():
    z = np.array([-1e308, -800.0, -1.0, 0.0, 1.0, 800.0, 1e308])
    with np.errstate(all="raise", under="ignore"):
        assert np.isfinite(sigmoid(z)).all()
        assert np.isfinite(log1p_exp(z)).all()
        assert softmax(np.array([[1e308, 0.0]])).tolist() == [[1.0, 0.0]]
        assert log_softmax(np.array([[800.0, 0.0]])).tolist() == [[0.0, -800.0]]
    assert sigmoid(z) == pytest.approx([sigmoid_of(float(each)) for each in z], rel=1e-15)
    assert log1p_exp(z) == pytest.approx([log1p_exp_of(float(each)) for each in z], rel=1e-15)
    assert sigmoid(-800.0) == 0.0
    assert sigmoid(-700.0) > 0


def test_steep_inputs_overflow_nowhere():
    from induce.hypotheses.expressions.functions import FUNCTIONS
    from induce.reinforcement.selfplay._loops import judge

    with np.errstate(all="raise", under="ignore"):
        assert FUNCTIONS["sigmoid"].call(np.array([-1e4, 1e4])).tolist() == [0.0, 1.0]
    hidden, output = np.zeros(2), np.zeros(1)
    judge(np.ones(1), np.array([[-1e4, 1e4], [0.0, 0.0]]), np.array([[-1e4, -1e4, 0.0]]), hidden, output)
    assert (hidden.tolist(), output.tolist()) == ([0.0, 1.0], [0.0])
