"""Scorecards: exactly the vote of the stumps, and what simpler ones cost."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.ensembles.scorecard.points import MISSING, UNSEEN
from induce.ensembles.steps import votes_of_stump


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_a_card_says_what_the_stumps_say(n_classes, loss, mixed, met_later, ask):
    for seed in range(3):
        X, y = mixed(90, n_classes, seed)
        ensemble = induce.AdaBoost(n_estimators=25, loss=loss).fit(X, y).hypothesis_
        card, rows = ensemble.scorecard(X), met_later(X)
        card.check()
        votes = ensemble.scores(rows)
        expected = votes[:, 1:] - votes[:, :1] if n_classes == 2 else votes
        np.testing.assert_allclose(card.scores(rows), expected, atol=1e-12)
        assert (card.predict(rows) == ensemble.predict(rows)).all()
        np.testing.assert_allclose(card.predict_proba(rows), ensemble.predict_proba(rows), atol=1e-12)
        space = {}
        exec(card.to_python(), space)
        assert [space["predict"](row) for row in rows.to_dicts()] == card.predict(rows).tolist()
        assert ask(card.to_sql(), rows) == card.predict(rows).tolist()


def test_missing_and_unseen_values_have_lines_of_their_own(mixed):
    X, y = mixed()
    card = induce.AdaBoost(n_estimators=30).fit(X, y).hypothesis_.scorecard(X)
    for part in card.attributes:
        lines = [text for text, _ in part.lines()]
        assert MISSING in lines
        assert (UNSEEN in lines) == (part.column.kind == "nominal")
        assert part.shares.sum() == pytest.approx(1)
    never = pl.DataFrame({"a": [None, 0.0], "b": [None, 1.0], "c": [None, "never"]})
    told = card.explain(never)
    assert {text for _, text, _ in told[0].terms} == {MISSING}
    assert ("c", UNSEEN) in [(name, text) for name, text, _ in told[1].terms]


def test_explanations_add_up(mixed):
    for n_classes in (2, 3):
        X, y = mixed(n_classes=n_classes)
        card = induce.AdaBoost(n_estimators=20).fit(X, y).hypothesis_.scorecard(X)
        scores, predicted = card.scores(X), card.predict(X)
        for row, tally in enumerate(card.explain(X)):
            place = 0 if n_classes == 2 else card.classes.index(predicted[row])
            assert tally.prediction == predicted[row]
            assert tally.score == pytest.approx(scores[row, place])
        assert " points" in str(tally)


def test_monotone_columns_have_monotone_points(mixed):
    X, y = mixed(300, holes=0.05)
    free = induce.AdaBoost(n_estimators=150).fit(X, y).hypothesis_.scorecard()
    shapes = {part.column.name: part.points[:-2, 0] for part in free.attributes}
    assert (np.diff(shapes["a"]) < 0).any()
    for sign in (1, -1):
        learner = induce.AdaBoost(n_estimators=150, monotone={"a": sign, "b": sign}).fit(X, y)
        for part in learner.hypothesis_.scorecard().attributes:
            if part.column.name != "c":
                assert (sign * np.diff(part.points[:-2, 0]) >= -1e-12).all()
    ordered = pl.DataFrame({"o": pl.Series(np.tile(["low", "mid", "top"], 40))})
    target = np.where(np.tile([0, 1, 0], 40) + (np.arange(120) % 7 == 0) > 0, "yes", "no")
    schema = {"o": {"domain": ("low", "mid", "top"), "ordered": True}}
    card = induce.AdaBoost(monotone={"o": 1}, schema=schema).fit(ordered, target).hypothesis_.scorecard()
    assert all((np.diff(part.points[:-2, 0]) >= 0).all() for part in card.attributes)


def test_the_strongest_attributes(mixed):
    X, y = mixed(200)
    card = induce.AdaBoost(n_estimators=40).fit(X, y).hypothesis_.scorecard(X)
    strengths = [part.strength() for part in card.attributes]
    assert strengths == sorted(strengths, reverse=True)
    none = card.strongest(0)
    assert len(set(none.predict(X))) == 1
    # those left out give every row their mean points
    assert card.strongest(1).scores(X).mean() == pytest.approx(card.scores(X).mean())
    found = card.by_attributes(X, y)
    assert found.labels == ("none", *(part.column.name for part in card.attributes))
    assert found.errors[-1] == found.whole == np.mean(card.predict(X) != y.to_numpy())
    assert len(str(found).splitlines()) == len(card.attributes) + 3


def test_whole_points(mixed):
    X, y = mixed(200)
    card = induce.AdaBoost(n_estimators=40, loss="logistic").fit(X, y).hypothesis_.scorecard(X)
    for largest in (3, 10, 1000):
        whole = card.rounded(largest)
        points = np.concatenate([part.points.ravel() for part in whole.attributes])
        assert np.array_equal(points, np.rint(points))
        assert np.abs(points).max() == largest
        whole.check()
    assert (card.rounded(10**6).predict(X) == card.predict(X)).all()
    np.testing.assert_allclose(card.rounded(10**6).predict_proba(X), card.predict_proba(X), atol=1e-4)
    found = card.by_rounding(X, y, (2, 50))
    assert found.labels == ("2", "50")
    assert found.errors[0] == np.mean(card.rounded(2).predict(X) != y.to_numpy())
    with pytest.raises(induce.InputError, match="largest is 0"):
        card.rounded(0)


def test_files_and_pictures(mixed, tmp_path):
    for n_classes in (2, 3):
        X, y = mixed(n_classes=n_classes)
        card = induce.AdaBoost(n_estimators=20).fit(X, y).hypothesis_.scorecard(X)
        induce.save(card, tmp_path / "card.induce")
        loaded = induce.load(tmp_path / "card.induce")
        assert loaded == card
        assert str(loaded) == str(card)
        assert loaded.rounded() != card
        assert len([panel for panel in card.draw().axes if panel.get_visible()]) == len(card.attributes)
        assert card.by_attributes(X, y).draw().axes
    with pytest.raises(induce.InputError, match="most is 0"):
        card.draw(0)


def test_what_is_no_vote_of_stumps_is_refused(mixed):
    X, y = mixed()
    with pytest.raises(induce.InputError, match="a scorecard needs stumps, but a Tree of"):
        induce.RandomForest(n_estimators=3).fit(X, y).hypothesis_.scorecard()


def test_without_rows_lines_count_alike(mixed):
    X, y = mixed()
    ensemble = induce.AdaBoost(n_estimators=10).fit(X, y).hypothesis_
    card = ensemble.scorecard()
    assert "%" not in str(card)
    assert (card.predict(X) == ensemble.predict(X)).all()
    assert card.size().startswith(f"{len(card.attributes)} attribute")


def test_a_missing_value_says_nothing_where_no_training_row_missed_one():
    X, y = induce.dataset("play-tennis")
    boosted = induce.AdaBoost(n_estimators=4).fit(X, y).hypothesis_
    card = boosted.scorecard(X)
    for part in card.attributes:
        # between what the values say, not at one end of it
        inner = part.points[:-2, 0]
        assert inner.min() < part.points[-1, 0] < inner.max()
    nothing = X.clear(1)
    assert card.scores(nothing)[0] == pytest.approx(np.diff(boosted.scores(nothing)[0]))
    assert boosted.predict_proba(nothing)[0] == pytest.approx([0.6, 0.4], abs=0.05)


def test_a_missing_value_says_what_training_rows_without_one_taught():
    X = pl.DataFrame({"a": [None] * 6 + ["u"] * 4 + ["v"] * 4})
    y = ["p"] * 6 + ["p"] * 4 + ["q"] * 4
    (stump,) = induce.AdaBoost(n_estimators=1).fit(X, y).hypothesis_.members
    assert votes_of_stump(stump, divides=True).missing == (1.0, 0.0)
