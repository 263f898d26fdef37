"""Contrasts: the prediction changes, nothing smaller does, and fixed columns stay."""

from itertools import combinations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Above, AtMost, Is
from induce.hypotheses.contrast import _cells
from induce.hypotheses.rules import Rule, RuleList

DOMAIN = ("a", "b", "c")
SCHEMA = Schema(
    (Column("u", "nominal", DOMAIN), Column("v", "nominal", DOMAIN), Column("w", "nominal", DOMAIN))
)


def applied(frame, contrast):
    return frame.with_columns(
        pl.Series(each.column, [each.new]).cast(frame[each.column].dtype, strict=False)
        for each in contrast.changes
    )


def fewest(hypothesis, row, to):
    """The fewest columns that have to change, by trying everything."""
    for size in range(1, len(row) + 1):
        for places in combinations(range(len(row)), size):
            for values in product(DOMAIN, repeat=size):
                other = list(row)
                for place, value in zip(places, values, strict=True):
                    other[place] = value
                if hypothesis.predict([other])[0] == to:
                    return size
    return None


rules = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from("uvw"), st.sampled_from(DOMAIN)), min_size=1, max_size=3),
        st.sampled_from(["no", "yes"]),
    ),
    max_size=4,
)


@given(rules, st.booleans(), st.tuples(*[st.sampled_from(DOMAIN)] * 3), st.sampled_from(["no", "yes"]))
@settings(max_examples=40, deadline=None)
def test_rules_are_changed_as_little_as_possible(drawn, ordered, row, to):
    made = tuple(
        Rule(tuple(Is(name, value) for name, value in tests), said, (3, 1) if said == "no" else (1, 3))
        for tests, said in drawn
    )
    found = RuleList(SCHEMA, "play", ("no", "yes"), made, "no", (2, 1), ordered)
    contrast = found.contrast([row], to=to)
    assert contrast.exact
    if found.predict([row])[0] == to:
        assert contrast.changes == ()
        return
    best = fewest(found, row, to)
    assert (contrast.to is None) == (best is None)
    if best is not None:
        assert len(contrast.changes) == best
        other = list(row)
        for change in contrast.changes:
            other["uvw".index(change.column)] = change.new
        assert found.predict([other])[0] == to


@given(st.integers(0, 10_000), st.tuples(*[st.sampled_from(DOMAIN)] * 3))
@settings(max_examples=25, deadline=None)
def test_trees_are_changed_as_little_as_possible(seed, row):
    rng = np.random.default_rng(seed)
    X, y = rng.choice(DOMAIN, (12, 3)), rng.choice(["no", "yes"], 12)
    if len(set(y)) < 2 or not set(row) <= set(X.ravel()):
        return
    tree = induce.ID3(schema=dict(zip(("x0", "x1", "x2"), SCHEMA.columns, strict=True))).fit(X, y).hypothesis_
    now = tree.predict([row])[0]
    to = "no" if now == "yes" else "yes"
    contrast = tree.contrast([row], to=to)
    best = fewest(tree, row, to)
    assert (None if contrast.to is None else len(contrast.changes)) == best


def test_numbers_move_just_past_the_threshold():
    X, y = induce.dataset("iris")
    tree = induce.C45().fit(X, y).hypothesis_
    contrast = tree.contrast(X[:1])
    assert str(contrast) == "versicolor instead of setosa if petal width = 0.9 instead of 0.2"
    assert tree.predict(applied(X[:1], contrast))[0] == "versicolor"


def test_fixed_columns_stay():
    X, y = induce.dataset("play-tennis")
    tree = induce.ID3().fit(X, y).hypothesis_
    assert [each.column for each in tree.contrast(X[:1], fixed=["Humidity"]).changes] == ["Outlook"]
    none = tree.contrast(X[:1], fixed=["Humidity", "Outlook"])
    assert none.to is None
    assert str(none) == "No; no change to the columns can give another prediction"


@pytest.mark.parametrize(
    "name", ["NaiveBayes", "LogisticRegression", "KNeighborsClassifier", "Bagging", "K2"]
)
def test_other_classifiers_are_searched(name):
    X, y = induce.dataset("play-tennis")
    model = getattr(induce, name)().fit(X, y).hypothesis_
    contrast = model.contrast(X[:1])
    assert not contrast.exact
    assert contrast.to == model.predict(applied(X[:1], contrast))[0] != contrast.prediction


def test_boosted_stumps_are_exact():
    X, y = induce.dataset("play-tennis")
    model = induce.AdaBoost().fit(X, y).hypothesis_
    contrast = model.contrast(X[:1])
    assert contrast.exact
    assert contrast.to == model.predict(applied(X[:1], contrast))[0] != contrast.prediction


def test_a_searched_number_is_near_and_short():
    X = pl.DataFrame({"age": [20.0, 25.0, 30.0, 50.0, 55.0, 60.0]})
    model = induce.LogisticRegression().fit(X, ["no"] * 3 + ["yes"] * 3).hypothesis_
    [change] = model.contrast(X[:1]).changes
    assert 39 <= change.new <= 42
    assert len(str(change.new)) <= 5


def test_scorecards_are_exact():
    X, y = induce.dataset("play-tennis")
    card = induce.AdaBoost(n_estimators=4).fit(X, y).hypothesis_.scorecard(X)
    assert card.contrast(X[:1]).exact


def test_what_is_missing_is_told_as_missing():
    rules = RuleList(
        Schema((Column("age"),)),
        "ill",
        (False, True),
        (Rule((Above("age", 60),), True, (1, 4)),),
        False,
        (8, 2),
    )
    assert (
        str(rules.contrast([[float("nan")]], to=True))
        == "True instead of False if age = 61 instead of missing"
    )
    assert str(rules.contrast([[70.0]], to=True)) == "True already"


def test_dates_change_to_days():
    schema = Schema((Column("visit", temporal="days"),))
    rules = RuleList(
        schema, "ill", ("no", "yes"), (Rule((AtMost("visit", 18774.5),), "yes", (0, 4)),), "no", (8, 2)
    )
    assert "visit = 2021-05-27 instead of" in str(rules.contrast([[19000.0]], to="yes"))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"to": "maybe"}, "maybe"),
        ({"fixed": ["Sky"]}, "Sky"),
    ],
)
def test_bad_questions_are_refused(asked, said):
    X, y = induce.dataset("play-tennis")
    tree = induce.ID3().fit(X, y).hypothesis_
    with pytest.raises(InputError, match=said):
        tree.contrast(X[:1], **asked)
    with pytest.raises(InputError, match="one row, not 2"):
        tree.contrast(X[:2])


@pytest.mark.parametrize("make", ["C45", "RandomForest", "SVM", "LogisticRegression", "CN2"])
def test_whole_numbers_change_to_whole_numbers(make, tmp_path):
    random = np.random.default_rng(0)
    rooms, size = random.integers(1, 40, 80), random.normal(size=80)
    frame = pl.DataFrame({"rooms": rooms, "size": size})
    settings = {"n_estimators": 5} if make == "RandomForest" else {}
    learner = getattr(induce, make)(**settings).fit(frame, np.where(rooms > 20, "large", "small"))
    induce.save(learner, tmp_path / "model.induce")
    chain = [learner.hypothesis_, induce.load(tmp_path / "model.induce").hypothesis_]
    for hypothesis in chain:
        columns = {column.name: column.whole for column in hypothesis.schema.inputs()}
        assert columns == {"rooms": True, "size": False}
        for row in (3, 15, 30):
            found = hypothesis.contrast(pl.DataFrame({"rooms": [row], "size": [0.1]}))
            assert found.to not in (None, found.prediction)
            for change in found.changes:
                assert change.column != "rooms" or float(change.new).is_integer(), str(found)


def test_cells_without_a_whole_number_are_left_out():
    assert _cells(Column("rooms", whole=True), 3.0, (20.2, 20.6, 21.0)) == [20.0 + 1, 22.0]
    assert _cells(Column("rooms"), 3.0, (20.2, 20.6)) == [20.3, 20.7]
