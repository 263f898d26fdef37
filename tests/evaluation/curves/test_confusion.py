"""Which classes are mistaken for which."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.linear_model import LinearRegression
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    precision_recall_fscore_support,
)

import induce
from induce import InputError
from induce.evaluation.curves.confusion import ConfusionTable, confusion
from induce.evaluation.losses.table import LossTable
from induce.statistics.intervals import t_mean, wilson

WINE = induce.dataset("wine")


@given(
    rows=st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=2, max_size=80),
)
def test_agrees_with_scikit_learn(rows):
    true, said = map(np.array, zip(*rows, strict=True))
    table = confusion(true, said, "abcd")
    np.testing.assert_array_equal(table.counts, confusion_matrix(true, said, labels=list("abcd")))
    assert table.error == pytest.approx(1 - accuracy_score(true, said))
    precision, recall, f1, _ = precision_recall_fscore_support(
        true, said, labels=list("abcd"), zero_division=np.nan
    )
    np.testing.assert_allclose([each.precision for each in table.classes.values()], precision)
    np.testing.assert_allclose([each.recall for each in table.classes.values()], recall)
    np.testing.assert_allclose([each.f1 for each in table.classes.values()], f1)
    if len({*true.tolist(), *said.tolist()}) > 1:
        assert table.kappa == pytest.approx(cohen_kappa_score(true, said))
    for each in table.classes.values():
        for value, interval in (
            (each.precision, each.precision_interval),
            (each.recall, each.recall_interval),
            (each.f1, each.f1_interval),
        ):
            assert (interval is None) == np.isnan(value)
            assert interval is None or interval.low - 1e-12 <= value <= interval.high + 1e-12


def test_intervals():
    table = confusion(["a"] * 10 + ["b"] * 10, ["a"] * 7 + ["b"] * 3 + ["a"] * 2 + ["b"] * 8, confidence=0.9)
    a = table.classes["a"]
    assert a.recall_interval == wilson(7, 10, 0.9)
    assert a.precision_interval == wilson(7, 9, 0.9)
    share = wilson(7, 12, 0.9)
    assert a.f1_interval.low == pytest.approx(2 * share.low / (1 + share.low))
    assert a.f1_interval.high == pytest.approx(2 * share.high / (1 + share.high))


def test_the_interval_of_f1_covers():
    """How often the interval holds the F1 of all rows there are: about as often as it says."""
    random = np.random.default_rng(0)
    truth = 2 * 0.7 * 0.3 / (2 * 0.7 * 0.3 + 0.3 * 0.3 + 0.1 * 0.7)
    inside = 0
    for _ in range(300):
        true = random.random(150) < 0.3
        said = np.where(true, random.random(150) < 0.7, random.random(150) < 0.1)
        counts = np.array(
            [[np.sum(~true & ~said), np.sum(~true & said)], [np.sum(true & ~said), np.sum(true & said)]]
        )
        interval = ConfusionTable((False, True), counts.astype(float)).classes[True].f1_interval
        inside += interval.low <= truth <= interval.high
    assert 0.92 <= inside / 300 <= 0.99


@pytest.mark.filterwarnings("error")
def test_kappa_of_one_class_is_not_defined():
    table = confusion(["a", "a"], ["a", "a"], ["a", "b"])
    assert np.isnan(table.kappa)
    assert "kappa nan" in str(table)
    assert confusion(["a", "a"], ["b", "b"]).kappa == 0


def test_shares():
    table = confusion(["a", "a", "b"], ["a", "b", "b"], ["a", "b", "c"])
    np.testing.assert_allclose(table.row_shares[:2], [[0.5, 0.5, 0], [0, 1, 0]])
    np.testing.assert_allclose(table.column_shares[:, :2], [[1, 0.5], [0, 0.5], [0, 0]])
    assert np.isnan(table.row_shares[2]).all()
    assert np.isnan(table.column_shares[:, 2]).all()
    assert table.classes["c"].f1_interval is None
    assert "-" in str(table).splitlines()[-1]


class TestEstimates:
    def test_cross_validation(self):
        estimate = induce.evaluate(induce.C45(), *WINE)
        table = confusion(estimate)
        assert table.labels == ("class 0", "class 1", "class 2")
        assert table.n == 178
        assert table.error == pytest.approx(estimate.error)
        interval = table.classes["class 0"].recall_interval
        assert not interval.holds
        assert "not independent" in interval.preconditions

    def test_hold_out(self):
        table = confusion(induce.evaluate(induce.C45(), *WINE, test_size=60))
        assert table.n == 60
        assert table.classes["class 1"].recall_interval.holds

    @pytest.mark.compiled
    def test_repeated_rows_count_once(self):
        estimate = induce.evaluate(induce.C45(), *WINE, repeats=4)
        table = confusion(estimate)
        assert table.n == pytest.approx(178)
        assert table.error == pytest.approx(estimate.error)
        once = confusion(induce.evaluate(induce.C45(), *WINE))
        width, other = (
            each.classes["class 0"].recall_interval.high - each.classes["class 0"].recall_interval.low
            for each in (table, once)
        )
        assert width == pytest.approx(other, abs=0.05)

    def test_of_numbers_there_is_none(self):
        X = np.arange(30.0).reshape(-1, 1)
        with pytest.raises(TypeError, match=r"an estimate by induce.evaluate of a classifier"):
            confusion(induce.evaluate(LinearRegression(), X, X[:, 0] ** 2))
        with pytest.raises(TypeError, match="the true and the predicted classes"):
            confusion(["a", "b"])


class TestCosts:
    def test_spam(self):
        """AIMA section 18.4.2: 1% of errors that let spam through costs less than 0.5% that lose mail."""
        spam = LossTable.read("spam>nospam=1, nospam>spam=10")
        true = ["spam"] * 500 + ["nospam"] * 500
        lets_through = ["nospam"] * 10 + ["spam"] * 490 + ["nospam"] * 500
        loses_mail = ["spam"] * 500 + ["spam"] * 5 + ["nospam"] * 495
        first, second = (confusion(true, said).cost(spam) for said in (lets_through, loses_mail))
        assert (first.mean, second.mean) == (pytest.approx(0.01), pytest.approx(0.05))
        assert first.total == 10

    def test_ways_to_give_losses(self):
        table = confusion(list("aabb"), list("abab"))
        pairs = {("a", "b"): 2, ("b", "a"): 5}
        expected = [[0, 2], [5, 0]]
        for losses in (pairs, LossTable.of_pairs(pairs), expected):
            cost = table.cost(losses)
            np.testing.assert_array_equal(cost.costs, expected)
            assert cost.mean == pytest.approx(7 / 4)
        assert table.cost({("a", "b"): 2}).total == 2

        class Other:
            def matrix(self, labels):
                return np.array([[0.0, 2.0], [5.0, 0.0]])

        assert table.cost(Other()).total == 7

    def test_the_interval_is_over_the_rows(self):
        cost = confusion(list("aabb"), list("abbb")).cost([[0, 4], [1, 0]])
        expected = t_mean([0, 4, 0, 0])
        assert (cost.interval.low, cost.interval.high) == (0, expected.high)
        assert not cost.interval.holds
        assert confusion(["a", "b"], ["a", "b"]).cost(1 - np.eye(2)).interval.high == 0

    def test_undecided_rows(self):
        losses = LossTable.read("ill>well=10, well>ill=1, ask=2")
        cost = confusion(["ill", "ill", "well"], ["ask", "well", "ill"]).cost(losses)
        assert cost.total == 2 + 10 + 1

    def test_what_it_prints(self):
        cost = confusion(["a", "b", "b"], ["b", "b", "b"]).cost({("a", "b"): 3})
        assert "loss of 3 rows: 3, 1.0000 per row" in str(cost)
        assert "true a" in cost._repr_html_()

    def test_bad_losses(self):
        table = confusion(["a", "b"], ["b", "a"])
        with pytest.raises(
            InputError,
            match="losses must be a numeric matrix with one cell per pair of the 2 classes, not of the shape",
        ):
            table.cost(np.zeros((3, 3)))
        with pytest.raises(InputError, match="class c"):
            table.cost({("a", "c"): 1})


@pytest.mark.parametrize(
    ("actual", "predicted", "labels", "message"),
    [
        (["a", "b"], ["a"], None, "rows?"),
        (["a", None], ["a", "b"], None, "is missing"),
        (["a", "b"], ["a", "c"], ["a", "b"], "predicted has the class c, which is not in labels"),
        (["a", "c"], ["a", "b"], ["a", "b"], "actual has the class c"),
        (["a", "b"], ["a", "b"], ["a", "b", "a"], "labels contains a class twice"),
        (["a", "a"], ["a", "a"], None, "there are fewer than two classes; name all classes in labels"),
        (["a", "a"], ["a", "a"], [], "fewer than two classes"),
    ],
)
def test_bad_input(actual, predicted, labels, message):
    with pytest.raises(InputError, match=message):
        confusion(actual, predicted, labels)


class TestPictures:
    def test_twenty_classes_are_readable(self):
        random = np.random.default_rng(0)
        names = np.array([f"a rather long name of class {k}" for k in range(20)])
        true = random.integers(0, 20, 2000)
        table = confusion(names[true], names[np.where(random.random(2000) < 0.8, true, 0)])
        figure = table.draw()
        axes = figure.axes[0]
        figure.canvas.draw()
        boxes = [text.get_window_extent() for text in axes.texts]
        assert len(boxes) >= 39
        assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])
        ticks = [tick.get_window_extent() for tick in axes.get_xticklabels()]
        assert not any(one.overlaps(other) for k, one in enumerate(ticks) for other in ticks[:k])
        assert all(len(tick.get_text()) <= 24 for tick in axes.get_yticklabels())

    def test_rare_mistakes_can_be_seen(self):
        table = confusion(["a"] * 100 + ["b"] * 100, ["a"] * 99 + ["b"] * 101)
        picture = table.draw().axes[0].images[0].get_array()
        assert picture[0, 1, :3].min() < 0.95
        assert (picture[1, 0, :3] == 1).all()

    def test_costs_and_given_axes(self):
        cost = confusion(["a", "b"], ["b", "b"]).cost({("a", "b"): 3})
        axes = Figure().add_subplot()
        assert cost.draw(axes) is axes.figure
        assert [text.get_text() for text in axes.texts] == ["3"]
        assert confusion(["a", "b"], ["a", "b"]).cost(1 - np.eye(2)).draw().axes
