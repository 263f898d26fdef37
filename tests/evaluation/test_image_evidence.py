"""What speaks for a class in an image."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.data.images import Grid
from induce.evaluation.conformal_prediction import Conformal
from induce.evaluation.image_evidence import image_evidence


class Corner:
    """Says "light" by the brightness of the upper left pixel, and against it by that of the lower right."""

    classes_ = ("dark", "light")

    def predict_proba(self, X):
        pixels = np.asarray(X)
        light = np.clip(0.5 + pixels[:, 0] / 510 - pixels[:, -1] / 2550, 0, 1)
        return np.column_stack([1 - light, light])


def test_what_is_covered_tells_what_spoke() -> None:
    image = np.zeros((1, 5, 5))
    image[0, 0, 0] = image[0, 4, 4] = 255
    found = image_evidence(Corner(), Grid(5, 5).frame(image), patch=1)
    assert found.prediction == "light"
    assert found.effect[0, 0] == pytest.approx(0.5)
    assert found.effect[4, 4] == pytest.approx(-0.1)
    assert np.count_nonzero(np.round(found.effect, 9)) == 2
    assert "row 0, column 0" in str(found)


def test_a_table_is_no_image() -> None:
    with pytest.raises(InputError, match="is not an image"):
        image_evidence(Corner(), np.zeros((1, 25)))


def test_rejection_reaches_the_error() -> None:
    sure = np.array([0.99, 0.9, 0.8, -0.7, 0.6])
    found = Conformal(np.zeros(5), np.zeros(5, np.int64), ("a", "b"), sure=sure)
    assert found.certain_from(0.1) == pytest.approx(0.8)
    assert found.certain_from(0.25) == pytest.approx(0.6)
    with pytest.raises(InputError, match="no confidence threshold lowers the error on held-out rows to"):
        Conformal(np.zeros(2), np.zeros(2, np.int64), ("a", "b"), sure=-sure[:2]).certain_from(0.1)
