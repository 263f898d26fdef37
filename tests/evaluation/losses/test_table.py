"""Loss tables: what is accepted, what they cost, what they decide."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from induce import InputError
from induce.evaluation.losses.table import LossTable, the_table

SPAM = LossTable.read("spam>nospam=1,nospam>spam=10")


def test_spam_example():
    """AIMA 18.4.2: 1% of spam let through costs less than 0.5% of mail thrown away."""
    n = 1000
    lets_through = SPAM.of(["spam"] * n, ["nospam"] * 10 + ["spam"] * (n - 10))
    throws_away = SPAM.of(["nospam"] * n, ["spam"] * 5 + ["nospam"] * (n - 5))
    assert lets_through.mean() == pytest.approx(0.01)
    assert throws_away.mean() == pytest.approx(0.05)


def test_spam_threshold():
    assert SPAM.threshold("spam") == pytest.approx(10 / 11)
    assert SPAM.threshold("nospam") == pytest.approx(1 / 11)
    above, below = 10 / 11 + 1e-6, 10 / 11 - 1e-6
    said = SPAM.decide([[above, 1 - above], [below, 1 - below]], ["spam", "nospam"])
    assert said.tolist() == ["spam", "nospam"]


@pytest.mark.parametrize(("order", "said"), [(("spam", "nospam"), "spam"), (("nospam", "spam"), "nospam")])
def test_a_tie_goes_to_the_class_declared_first(order, said):
    table = LossTable.of_pairs({("spam", "nospam"): 1, ("nospam", "spam"): 10}, order)
    assert table.decide([[10 / 11, 1 / 11]], ["spam", "nospam"]).tolist() == [said]


def test_labels_may_come_in_any_order():
    shares = np.array([[0.2, 0.5, 0.3]])
    table = LossTable.read("a>b=1,a>c=2,b>a=3,b>c=4,c>a=5,c>b=6")
    there = table.expected(shares, ["a", "b", "c"])
    assert there == pytest.approx(table.expected(shares[:, ::-1], ["c", "b", "a"]))
    assert there.tolist() == [pytest.approx([0.5 * 3 + 0.3 * 5, 0.2 * 1 + 0.3 * 6, 0.2 * 2 + 0.5 * 4])]
    assert table.matrix(["c", "a"]).tolist() == [[0, 5], [2, 0]]


def test_a_class_without_a_column_has_probability_0():
    table = LossTable.zero_one(["a", "b", "c"])
    assert table.expected([[0.4, 0.6]], ["a", "c"]).tolist() == [pytest.approx([0.6, 1.0, 0.4])]


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.tuples(
            st.lists(st.lists(st.integers(0, 20), min_size=n, max_size=n), min_size=n, max_size=n),
            st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), min_size=1, max_size=20),
        )
    )
)
def test_no_decision_is_expected_to_cost_less_than_the_one_taken(drawn):
    losses, weights, pairs = drawn
    matrix = np.array(losses) * (1 - np.eye(len(losses)))
    classes = [f"c{k}" for k in range(len(losses))]
    table = LossTable(classes, matrix)
    shares = np.array([weights]) / sum(weights)
    expected = table.expected(shares, classes)[0]
    by_hand = [
        sum(shares[0, true] * matrix[true, said] for true in range(len(classes)))
        for said in range(len(classes))
    ]
    assert expected == pytest.approx(by_hand)
    assert expected[classes.index(table.decide(shares, classes)[0])] == pytest.approx(expected.min())
    actual, predicted = ([classes[k] for k in column] for column in zip(*pairs, strict=True))
    counted = confusion_matrix(actual, predicted, labels=classes)
    assert table.of(actual, predicted).sum() == pytest.approx((counted * matrix).sum())


def test_zero_one_decides_for_the_most_probable_class():
    shares = np.random.default_rng(0).dirichlet(np.ones(4), 50)
    table = LossTable.zero_one([3, 5, 7, 9])
    assert (
        table.decide(shares, [3, 5, 7, 9]).tolist() == np.array([3, 5, 7, 9])[shares.argmax(axis=1)].tolist()
    )


def test_rejection_costs_what_it_costs():
    table = LossTable.zero_one([0, 1]).rejecting(0.2, "ask")
    said = table.decide([[0.85, 0.15], [0.7, 0.3], [0.1, 0.9]], [0, 1])
    assert said.tolist() == [0, "ask", 1]
    assert table.of([0, 1, 0], said).tolist() == [0, 0.2, 1]
    assert table.decisions == (0, 1, "ask")
    with pytest.raises(InputError, match="a threshold needs exactly two classes"):
        table.threshold(1)


def test_gains_may_be_negative():
    table = LossTable(["buy", "wait"], [[-3, 0], [1, 0]], gains=True)
    assert table.decide([[0.3, 0.7], [0.2, 0.8]], ["buy", "wait"]).tolist() == ["buy", "wait"]
    assert table.threshold("buy") == pytest.approx(0.25)


def test_text_is_read():
    table = LossTable.read(' ">50K" > "<=50K" = 2 , "<=50K">">50K"=1, "ask \\"Ann\\""=.5 ')
    assert table.classes == (">50K", "<=50K")
    assert table.losses == ((0, 2), (1, 0))
    assert (table.reject, table.reject_loss) == ('ask "Ann"', 0.5)
    assert LossTable.read("1>2=5,*=1", classes=[1, 2, 3]).losses == ((0, 5, 1), (1, 0, 1), (1, 1, 0))


def test_whatever_a_user_may_give():
    same = ((0, 2), (1, 0))
    for given_ in (
        {("a", "b"): 2, ("b", "a"): 1},
        "a>b=2,b>a=1",
        [[0, 2], [1, 0]],
        LossTable(["a", "b"], same),
    ):
        assert the_table(given_, ["a", "b"]).losses == same
    assert the_table(None, ["a", "b"]) == LossTable.zero_one(["a", "b"])


def test_it_is_a_value():
    assert LossTable.read("a>b=1,b>a=2") == LossTable(np.array(["a", "b"]), np.array([[0, 1], [2, 0]]))
    assert len({SPAM, SPAM.rejecting(0.1)}) == 2


def test_it_prints_itself():
    assert str(SPAM.rejecting(0.5, "ask")).splitlines() == [
        "             say spam  say nospam  say ask",
        "true spam           0           1      0.5",
        "true nospam        10           0      0.5",
    ]
    html = LossTable(["<b>", "x"], [[0, 1], [1, 0]])._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_series_of_polars():
    assert SPAM.of(pl.Series(["spam", "nospam"]), pl.Series(["nospam", "nospam"])).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LossTable(["a", "b"], [[0, 1]]), r"losses has the shape \(1, 2\), but there are 2 classes"),
        (lambda: LossTable(["a", "b"], [[0, 1], [1, 2]]), "predicting b when it is true has the loss 2"),
        (
            lambda: LossTable(["a", "b"], [[0, -1], [1, 0]]),
            "predicting b when a is true has the loss -1, which is negative",
        ),
        (lambda: LossTable(["a", "b"], [[0, np.nan], [1, 0]]), "not finite"),
        (lambda: LossTable(["a", "b"], [["x", 1], [1, 0]]), "not a numeric matrix"),
        (lambda: LossTable(["a", "a"], [[0, 1], [1, 0]]), "classes contains a twice"),
        (lambda: LossTable([], []), "classes is empty"),
        (lambda: LossTable(["a", None], [[0, 1], [1, 0]]), "missing value"),
        (lambda: LossTable.of_pairs({("a", "b"): 1}), "no loss for predicting a when b is true"),
        (lambda: LossTable.of_pairs({"ab": 1}), "'ab' is not a pair of classes"),
        (
            lambda: LossTable.of_pairs({("a", "z"): 1}, ["a", "b"]),
            "names the class z, but the classes are a, b",
        ),
        (lambda: LossTable.read("a>b"), "write entries like spam>nospam=1"),
        (lambda: LossTable.read("a>b=much,b>a=1"), "'much' after a, which is not a number"),
        (lambda: LossTable.read('"a\\d">b=1'), "write a backslash twice"),
        (lambda: LossTable.read("a>b=1,b>a=1,a=2"), "a is already a class"),
        (lambda: SPAM.rejecting(-1), "reject_loss is -1"),
        (lambda: SPAM.of(["spam"], ["maybe"]), "predicted holds maybe, but the classes are spam, nospam"),
        (lambda: SPAM.of([None], ["spam"]), "actual holds a missing value"),
        (lambda: SPAM.of(["spam"], ["spam", "spam"]), "actual has 1 classes and predicted has 2"),
        (lambda: SPAM.of([["spam"]], [["spam"]]), r"actual has the shape \(1, 1\)"),
        (lambda: SPAM.expected([0.5, 0.5], ["spam", "nospam"]), r"probabilities has the shape \(2,\)"),
        (lambda: SPAM.expected([[0.5, np.nan]], ["spam", "nospam"]), "negative or not finite"),
        (lambda: SPAM.expected([[0.5, 0.5]], ["spam", "ham"]), "labels holds ham"),
        (lambda: LossTable.zero_one("abc").threshold("a"), "the decisions are a, b, c; use decide"),
        (lambda: LossTable("ab", np.zeros((2, 2))).threshold("a"), "there is no threshold"),
    ],
)
def test_bad_tables_are_named(make, message):
    with pytest.raises(InputError, match=message):
        make()
