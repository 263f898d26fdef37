"""What neighbours say of themselves: in words, in shares of the distance, in pictures."""

import matplotlib
import numpy as np
import polars as pl
import pytest

import induce
from induce import KNeighborsClassifier, KNeighborsRegressor

matplotlib.use("agg")
pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")
X, Y = induce.dataset("play-tennis")
IRIS = induce.dataset("iris")


def test_printed():
    assert str(KNeighborsClassifier(3).fit(X, Y).hypothesis_) == (
        "vote of the 3 nearest of 14 examples by heom\n  PlayTennis: Yes 9, No 5"
    )
    mean = (
        KNeighborsRegressor(None, weights="gaussian", width=2.0, metric="hamming")
        .fit(X, range(14))
        .hypothesis_
    )
    assert str(mean) == "mean of all 14 examples by hamming, weighted by gaussian of width 2\n  y: 0 to 13"
    stretched = KNeighborsClassifier(1, attribute_weights={"Wind": 0.5}).fit(X, Y).hypothesis_
    assert str(stretched).startswith("vote of the nearest of 14 examples by heom, stretched by Wind 0.5")
    assert stretched.size() == "14 examples of 4 columns"
    assert (
        KNeighborsClassifier(1, weights=np.ones_like).fit(X, Y).hypothesis_.kernel.__str__() == "a function"
    )


def test_an_explanation_says_which_rows_how_far_and_by_what():
    told = KNeighborsClassifier(3, equidistant="first").fit(X, Y).explain(X[1:2])[0]
    assert str(told).splitlines() == [
        "No because 3 examples voted: No 67%, Yes 33%",
        "   33.3%  row 1: No, the same",
        "   33.3%  row 0: No at distance 1: Wind 100%",
        "   33.3%  row 2: Yes at distance 1.41: Outlook 50%, Wind 50%",
        "  nearest other class: row 2: Yes at distance 1.41: Outlook 50%, Wind 50%",
    ]
    assert told.rival.row == 2
    assert told.votes == pytest.approx({"No": 2 / 3, "Yes": 1 / 3})


def test_shares_of_the_distance_add_up_and_votes_too():
    frame, species = IRIS
    for told in KNeighborsClassifier(7, weights="distance").fit(frame, species).explain(frame[::29]):
        assert sum(told.votes.values()) == pytest.approx(1)
        assert sum(each.vote for each in told.neighbors) == pytest.approx(1)
        assert told.rival.says != told.prediction
        for each in (*told.neighbors, told.rival):
            assert sum(each.shares.values()) == pytest.approx(1 if each.distance else 0)
            assert list(each.shares.values()) == sorted(each.shares.values(), reverse=True)


def test_the_rival_is_the_nearest_of_another_class():
    frame, species = IRIS
    vote = KNeighborsClassifier(5).fit(frame, species)
    away = vote.hypothesis_.distance.between(frame, frame)
    for row, told in list(enumerate(vote.explain(frame)))[::17]:
        others = species.to_numpy() != told.prediction
        assert told.rival.distance == pytest.approx(away[row][others].min())
    alone = KNeighborsClassifier(1).fit([[1.0], [2.0]], ["only", "only"])
    assert alone.explain([[1.5]])[0].rival is None


def test_numbers_are_explained():
    mean = KNeighborsRegressor(7, weights="inverse-square", metric="euclidean").fit(
        [[float(k)] for k in range(10)], [float(k) for k in range(10)]
    )
    told = mean.explain([[2.2]])[0]
    assert told.prediction == mean.predict([[2.2]])[0]
    assert sum(each.vote * each.says for each in told.neighbors) == pytest.approx(told.prediction)
    lines = str(told).splitlines()
    assert lines[0].startswith("2.")
    assert "7 examples, whose numbers vary by" in lines[0]
    assert lines[-1].endswith("2 further examples")


def test_a_function_tells_no_shares():
    told = (
        KNeighborsClassifier(2, metric=lambda a, b: abs(a[0] - b[0]))
        .fit([[0.0], [2.0]], ["a", "b"])
        .explain([[0.5]])
    )
    assert told[0].neighbors[0].shares == {}
    assert "row 0: a at distance 0.5" in str(told[0])


# --- pictures ------------------------------------------------------------------------------------------------


def test_regions_and_voronoi_cells():
    frame, species = IRIS
    two = frame.select("petal length", "petal width")
    nearest = KNeighborsClassifier(1).fit(two, species).hypothesis_
    axes = nearest.draw().axes[0]
    thick = [line for line in axes.lines if line.get_linewidth() == pytest.approx(1.6)]
    assert thick  # the decision surface
    for line in thick:  # on which two classes are equally near
        (x0, x1), (y0, y1) = line.get_data()
        middle = [[(x0 + x1) / 2, (y0 + y1) / 2]]
        away = nearest.kneighbors(middle, 2)[0]
        if np.abs(middle).max() < 10:
            assert away[0, 0] == pytest.approx(away[0, 1], rel=1e-6)
            near = nearest.distance.between(middle, two)[0]
            assert len(set(nearest.labels[near <= near.min() * (1 + 1e-6)])) > 1
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "setosa",
        "versicolor",
        "virginica",
    ]
    several = KNeighborsClassifier(5).fit(two, species).hypothesis_.draw()
    assert not [line for line in several.axes[0].lines if line.get_linewidth() == pytest.approx(1.6)]


@pytest.mark.parametrize(
    ("columns", "labels"),
    [
        (None, ("size", "Outlook")),
        (("Outlook", "Wind"), ("Outlook", "Wind")),
        (("size",), ("size", "fraction of the vote")),
    ],
)
def test_pictures_of_any_columns(columns, labels):
    mixed = X.with_columns(size=pl.Series([None, *range(13)], dtype=pl.Float64))
    axes = KNeighborsClassifier(3).fit(mixed, Y).hypothesis_.draw(columns).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == labels
    mean = KNeighborsRegressor(3).fit(mixed, range(14)).hypothesis_.draw(columns)
    mean.canvas.draw()


def test_columns_that_are_none():
    vote = KNeighborsClassifier(3).fit(X, Y).hypothesis_
    with pytest.raises(induce.InputError, match="give one or two columns"):
        vote.draw(("Outlook", "Wind", "Humidity"))
    with pytest.raises(induce.InputError, match="there is no column 'Moon'"):
        vote.draw(("Moon",))
