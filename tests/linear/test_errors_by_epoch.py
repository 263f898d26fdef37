"""The errors of single units over the epochs of training, drawn."""

import numpy as np
import pytest

import induce
from induce.core.errors import InputError


@pytest.mark.parametrize("name", ["Perceptron", "Adaline"])
def test_units_draw_their_loss(name, tmp_path):
    X, y = induce.dataset("iris")
    learner = getattr(induce, name)(max_epochs=20, validation=0.3).fit(X, y)
    induce.save(learner, tmp_path / "unit.induce")
    axes = induce.load(tmp_path / "unit.induce").hypothesis_.draw("errors").axes[0]
    assert [line.get_label() for line in axes.lines[:2]] == [
        "training loss of setosa",
        "validation error of setosa",
    ]
    for line, history in zip(axes.lines[::2], learner.histories_, strict=True):
        assert np.array_equal(line.get_xydata(), np.column_stack([history.epoch, history.loss]))


def test_lms_draws_its_loss():
    X = induce.dataset("iris").X
    learner = induce.LMS(max_epochs=20).fit(X[:, :3], X["petal width"])
    (line,) = learner.hypothesis_.draw("errors").axes[0].lines
    assert np.array_equal(line.get_ydata(), learner.history_.loss)


def test_a_model_without_epochs():
    X, y = induce.dataset("iris")
    with pytest.raises(
        InputError, match="there are no epochs to draw; learn with Perceptron, Adaline or LMS"
    ):
        induce.LogisticRegression().fit(X, y).hypothesis_.draw("errors")
