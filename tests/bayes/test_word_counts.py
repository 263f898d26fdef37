"""Models of word counts."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import induce
from induce.core.errors import InputError


def test_a_model_of_counts_refuses_texts():
    counts = csr_array(np.array([[1, 0], [0, 2], [3, 0], [0, 1]]))
    model = induce.TextNaiveBayes().fit(counts, ["a", "b", "a", "b"]).hypothesis_
    assert model.predict(counts).tolist() == ["a", "b", "a", "b"]
    with pytest.raises(InputError):
        model.predict(["a red rose"])
