"""Cells of numeric columns."""

from datetime import date

import numpy as np
import polars as pl
import pytest

import induce


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("learner", [induce.FindS, induce.CandidateElimination, induce.ListThenEliminate])
def test_huge_numbers_stay_apart(learner):
    X = np.array([[-1e308], [1e308]])
    assert learner().fit(X, ["no", "yes"]).predict(X).tolist() == ["no", "yes"]


POINTS = [[4.0, 4.0], [5.0, 3.0], [6.0, 5.0], [1.0, 3.0], [2.0, 6.0], [5.0, 1.0], [5.0, 8.0], [9.0, 4.0]]
LABELS = list("+++-----")


def test_numbers_between_two_examples_are_cells_of_their_own():
    space = induce.CandidateElimination().fit(POINTS, LABELS).hypothesis_
    assert str(space).splitlines()[1:] == [
        "S: ⟨4..6, 3..5⟩",
        "G: ⟨> 2 and < 9, > 1 and < 8⟩, ⟨> 1 and < 9, > 1 and < 6⟩",
    ]
    assert space.decide([[7.0, 4.0], [6.0, 5.0], [9.0, 4.0], [6.0001, 4.0]]) == (None, "+", "-", None)


@pytest.mark.parametrize("whole", [True, False])
def test_boundaries_say_of_any_number_what_their_rules_say(whole):
    X = np.array(POINTS, dtype=np.int64 if whole else np.float64)
    space = induce.CandidateElimination().fit(X, LABELS).hypothesis_
    near = np.random.default_rng(0).choice(np.linspace(0, 10, 101), (400, 2))
    verdicts = space.verdicts(space.encoded(near))
    assert ((space.to_rules("S").predict(near) == "+") == (verdicts == 1)).all()
    assert ((space.to_rules("G").predict(near) == "+") == (verdicts >= 0)).all()
    shares = [yes / space.count() for yes in space.vote(near).positive]
    assert space.predict_proba(near)[:, 0].tolist() == pytest.approx(shares, abs=1e-9)


def test_integers_far_apart_are_not_counted_one_by_one():
    space = induce.CandidateElimination().fit([[1], [10], [10**9]], ["+", "+", "-"]).hypothesis_
    assert str(space).splitlines()[1:] == ["S: ⟨1..10⟩", "G: ⟨< 1000000000⟩"]


def test_dates_are_written_as_dates():
    days = pl.DataFrame({"day": [date(2020, 1, day) for day in (3, 5, 9)]})
    space = induce.CandidateElimination().fit(days, ["+", "+", "-"]).hypothesis_
    assert str(space).splitlines()[1:] == ["S: ⟨2020-01-03..2020-01-05⟩", "G: ⟨<= 2020-01-08⟩"]


def test_closed_bounds_are_written_as_such():
    rules = induce.FindS().fit(POINTS, LABELS).hypothesis_
    assert str(rules).splitlines()[0] == "IF 4 <= x0 <= 6 AND 3 <= x1 <= 5 THEN + (3/3)"
