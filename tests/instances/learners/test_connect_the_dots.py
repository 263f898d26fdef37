"""Connecting the dots: printed numbers, ends, dots of several examples, and the choice of a column."""

import numpy as np
import polars as pl
import pytest

import induce

X = np.array([0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14.0])[:, None]
Y = np.array([1, 2, 2.5, 3.5, 4, 8, 6, 6.5, 5, 4, 3])


def test_the_table_with_an_outlier():
    found = induce.ConnectTheDots().fit(X, Y).predict(np.array([0, 4, 6, 7.2, 10, 13.5, 14])[:, None])
    assert found == pytest.approx([1, 3.75, 8, 6.8, 5.75, 3.25, 3])


def test_it_goes_through_every_dot():
    for beyond in ("constant", "line"):
        assert induce.ConnectTheDots(extrapolation=beyond).fit(X, Y).predict(X) == pytest.approx(Y)


def test_beyond_the_ends():
    ends = [[-2.0], [16.0]]
    assert induce.ConnectTheDots().fit(X, Y).predict(ends).tolist() == [1, 3]
    line = induce.ConnectTheDots(extrapolation="line").fit(X, Y)
    assert line.predict(ends) == pytest.approx([-1, 2])
    assert "beyond" in str(line.explain(ends)[0])
    assert [len(told.dots) for told in line.explain([[4.0], [5.0], [16.0]])] == [2, 1, 2]


def test_equal_values_are_one_dot_at_their_mean():
    fitted = induce.ConnectTheDots().fit([[1.0], [1.0], [2.0]], [1.0, 3.0, 6.0])
    assert fitted.predict([[1.0], [1.5]]).tolist() == [2, 4]
    weighted = induce.ConnectTheDots().fit([[1.0], [1.0]], [1.0, 4.0], sample_weight=[2, 1])
    assert weighted.predict([[7.0]]).tolist() == [2]


def left_out(x, y, beyond):
    errors = []
    for i in range(len(y)):
        kept = np.arange(len(y)) != i
        found = induce.ConnectTheDots(extrapolation=beyond).fit(x[kept], y[kept]).predict(x[[i]])
        errors.append((found[0] - y[i]) ** 2)
    return np.mean(errors)


@pytest.mark.parametrize("beyond", ["constant", "line"])
def test_leave_one_out_is_learning_without_the_row(beyond):
    random = np.random.default_rng(0)
    for _ in range(10):
        x, y = random.integers(0, 6, (8, 1)).astype(float), random.normal(size=8)
        learner = induce.ConnectTheDots(extrapolation=beyond)
        found = learner._left_out_error(x[:, 0], y, np.ones(8))
        if len(np.unique(x)) > 3:
            assert found == pytest.approx(left_out(x, y, beyond))


def test_of_several_columns_the_best_is_used_and_said():
    random = np.random.default_rng(1)
    table = pl.DataFrame(
        {"noise": random.normal(size=40), "true": np.linspace(0, 1, 40), "c": ["u", "v"] * 20}
    )
    with pytest.warns(induce.Note, match="only the column 'true' is used; the others are ignored"):
        fitted = induce.ConnectTheDots().fit(table, np.linspace(3, 4, 40) ** 2)
    assert fitted.hypothesis_.name == "true"
    told = induce.ConnectTheDots(column="noise").fit(table, np.linspace(3, 4, 40))
    assert told.hypothesis_.name == "noise"


def test_bad_input():
    with pytest.raises(induce.InputError, match=r"column.*'speed'"):
        induce.ConnectTheDots(column="speed").fit(X, Y)
    with pytest.raises(induce.InputError, match="extrapolation is 'none'"):
        induce.ConnectTheDots(extrapolation="none").fit(X, Y)


def test_print_and_picture():
    dots = induce.ConnectTheDots().fit(X, Y).hypothesis_
    assert str(dots).splitlines()[0] == "y: straight lines between 11 dots along x0"
    line = dots.draw().axes[0].lines[0]
    assert line.get_ydata()[1:-1].tolist() == Y.tolist()
