"""Cells of numeric columns."""

import numpy as np
import pytest

import induce


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("learner", [induce.FindS, induce.CandidateElimination, induce.ListThenEliminate])
def test_huge_numbers_stay_apart(learner):
    X = np.array([[-1e308], [1e308]])
    assert learner().fit(X, ["no", "yes"]).predict(X).tolist() == ["no", "yes"]
