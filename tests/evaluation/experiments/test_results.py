"""Who is best, and when that cannot be said."""

import numpy as np
import polars as pl
import pytest
from sklearn.utils import resample

from induce.core.errors import InputError
from induce.evaluation.experiments import Experiment, experiment
from induce.evaluation.experiments.results import Tried
from induce.evaluation.experiments.verdicts import Standing, overall, standings
from induce.evaluation.losses.measure import Measure
from induce.statistics.intervals import cautious_proportion
from induce.statistics.ranks import friedman
from induce.statistics.verdicts import cautious_t, holm, wilcoxon

from .conftest import plan_of

ERROR, ACCURACY = Measure("error"), Measure("accuracy", higher=True)
NAN = np.nan


def tried(splits: int, **changes) -> Tried:
    return Tried(
        **{"name": "d", "target": "y", "rows": 100, "columns": 3, "n_classes": 2, "splits": splits}
        | {"tested": 100, "test_share": 1 / 9}
        | changes
    )


def scores(seed: int = 0, n: int = 10) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    base = random.normal(0.2, 0.02, n)
    return {"a": base, "b": base + random.normal(0.01, 0.02, n), "c": base + random.normal(0.1, 0.01, n)}


def test_the_best_and_those_who_are_worse():
    given = scores()
    a, b, c = standings(given, tried(10), ERROR)
    assert (a.best, b.best, c.best) == (True, False, False)
    assert (a.mark, b.mark, c.mark) == ("*", "", "-")
    raw = [cautious_t(given[name] - given["a"], 1 / 9).p_value for name in "bc"]
    np.testing.assert_allclose([b.p_value, c.p_value], holm(raw))
    assert a.mean == given["a"].mean()
    assert c.verdict.difference == pytest.approx((given["c"] - given["a"]).mean())


def test_higher_may_be_better():
    a, b, c = standings(scores(), tried(10), ACCURACY)
    assert c.best
    assert a.worse
    assert b.worse


def test_a_learner_that_failed_somewhere_is_not_the_best():
    given = scores()
    given["a"][3] = NAN
    a, b, c = standings(given, tried(10), ERROR)
    assert b.best
    assert not a.best
    assert (a.done, a.splits) == (9, 10)
    paired = np.delete(given["c"] - given["b"], [])
    assert c.verdict.statistic == pytest.approx(cautious_t(paired, 1 / 9).statistic)
    given["c"][:] = NAN
    _, _, c = standings(given, tried(10), ERROR)
    assert (c.done, c.verdict, c.worse) == (0, None, False)
    assert np.isnan(c.mean)
    assert c.row()["mean"] is None


def test_nobody_did_anything():
    found = standings({"a": np.full(3, NAN)}, tried(3), ERROR)
    assert [(each.done, each.best, each.interval) for each in found] == [(0, False, None)]


def test_equals_are_both_best():
    a, b = standings({"a": np.array([0.1, 0.2]), "b": np.array([0.2, 0.1])}, tried(2), ERROR)
    assert a.best
    assert b.best


def test_no_rank_hangs_on_the_last_digits():
    one = 0.325
    other = np.nextafter(one, 0)
    table = np.array([[one, other, 0.9], [0.1, 0.2, 0.3]])
    assert ranked(table).ranking.ranks[0].tolist() == [1.5, 1.5, 3]


def test_intervals_count_rows_once():
    """Ten repeats of the same rows must not make an interval narrower."""
    values = np.full(10, 0.2)  # folds that do not differ say nothing of the learner's variance
    (once,) = standings({"a": values}, tried(10), ERROR)
    (often,) = standings({"a": resample(values, n_samples=100, random_state=0)}, tried(100), ERROR)
    assert (once.interval.low, once.interval.high) == (often.interval.low, often.interval.high)
    half = cautious_proportion(20, 100)
    assert (once.interval.low, once.interval.high) == (half.low, half.high)
    assert once.interval.approximate
    (hold_out,) = standings({"a": np.array([0.2])}, tried(1), ERROR)
    assert not hold_out.interval.approximate


def test_intervals_of_other_scores_are_over_splits():
    given = scores()["a"]
    (found,) = standings({"a": given}, tried(10), ACCURACY)
    assert found.interval == cautious_t(given, 1 / 9).interval
    (single,) = standings({"a": given[:1]}, tried(1), ACCURACY)
    assert single.interval is None


def ranked(table: np.ndarray, measure: Measure = ERROR, done: np.ndarray | None = None):
    """Compare learners (columns) over data sets (rows)."""
    names, sets = [f"l{k}" for k in range(table.shape[1])], [f"d{k}" for k in range(len(table))]
    found = {
        (name, each): Standing(
            name, each, 3 if done is None or done[row, column] else 2, 3, table[row, column], 0, None
        )
        for row, each in enumerate(sets)
        for column, name in enumerate(names)
    }
    return overall(found, names, sets, measure)


def test_three_learners_are_ranked():
    table = np.random.default_rng(0).uniform(size=(8, 3)) + np.array([0, 0.5, 1])
    found = ranked(table)
    expected = friedman(table, ["l0", "l1", "l2"], lower_is_better=True)
    np.testing.assert_array_equal(found.ranking.ranks, expected.ranks)
    assert found.says.startswith("l0 has the best mean rank, ")
    assert "The learners differ: p < 0.001" in found.says
    assert "(Nemenyi) are not significantly different:" in found.detail
    assert ranked(-table, ACCURACY).ranking.p_value == expected.p_value


def test_learners_that_are_alike():
    table = np.random.default_rng(1).uniform(size=(5, 3))
    assert "There is no evidence that the learners differ: p = " in ranked(table).says


def test_two_learners_are_compared_by_wilcoxon():
    table = np.random.default_rng(0).uniform(size=(12, 2)) / 10 + [0, 0.5]
    found = ranked(table)
    assert found.ranking is None
    assert found.says.startswith("l0 is better on 12 data sets, l1 on 0; l0 has the lower error: p < 0.001")
    assert ranked(table, ACCURACY).says.startswith(
        "l0 is better on 0 data sets, l1 on 12; l1 has the higher accuracy: p < 0.001"
    )
    few = ranked(table[:3])
    assert f"no evidence of a difference: p = {wilcoxon(table[:3, 0] - table[:3, 1]).p_value:.2g}" in few.says


def test_only_complete_results_are_ranked():
    table = np.random.default_rng(0).uniform(size=(4, 4))
    done = np.ones((4, 4), bool)
    done[:, 3] = False
    done[2, 0] = False
    found = ranked(table, done=done)
    assert found.learners == ("l0", "l1", "l2")
    assert found.datasets == ("d0", "d1", "d3")
    assert found.ranking.ranks.shape == (3, 3)


def test_what_cannot_be_ranked():
    table = np.random.default_rng(0).uniform(size=(1, 3))
    assert "need complete results on at least two data sets" in ranked(table).says
    assert "Fewer than two learners have complete results" in ranked(table[:, :1]).says


def test_a_run_that_has_not_ended(finished, tmp_path):
    """Some cells of the first split only."""
    import sqlite3

    path = tmp_path / "part.sqlite"
    with open(finished.path, "rb") as file:
        path.write_bytes(file.read())
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM cells WHERE fold > 0 OR seed > 0 OR learner = 'bayes'")
    connection.close()
    found = Experiment.read(path)
    assert found.scores("flowers")["tree"].tolist()[1:] == pytest.approx([NAN] * 5, nan_ok=True)
    assert found.scores("flowers")["tree"][0] == finished.scores("flowers")["tree"][0]
    assert "4 of 48 cells done, 2 failed, 42 pending" in str(found)
    assert found.overall.ranking is None
    found.report(tmp_path / "part.html")
    page = (tmp_path / "part.html").read_text(encoding="utf-8")
    assert "42 are pending" in page
    assert (page.count("<td>not yet</td>"), page.count("<td>failed</td>")) == (2, 2)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM cells")
    connection.close()
    empty = Experiment.read(path)
    assert len(empty.cells) == 0
    assert "0 of 48 cells done" in str(empty)
    empty.report(tmp_path / "part.html")


def test_the_table(finished):
    table = finished.table()
    assert table.shape == (8, 13)
    flowers = table.filter(pl.col("dataset") == "flowers")
    assert flowers["learner"].to_list() == ["tree", "stump", "bayes", "broken"]
    assert flowers["done"].to_list() == [6, 6, 6, 0]
    assert flowers["best"].sum() == 1
    stump = flowers.row(1, named=True)
    assert stump["mean"] == pytest.approx(finished.scores("flowers")["stump"].mean())
    assert stump["worse"]
    assert stump["low"] < stump["mean"] < stump["high"]
    assert stump["seconds"] > 0
    assert stump["size"] == "3 nodes, 2 leaves, depth 1"


def test_how_it_prints(finished):
    lines = str(finished).splitlines()
    assert lines[0].split() == ["error", "tree", "stump", "bayes", "broken"]
    assert lines[1].split()[0::4] == ["flowers", "none"]
    assert lines[3] == "* best; - worse than the best (cautious resampled t, Holm, 5%)"
    assert lines[4] == "36 of 48 cells done, 12 failed"
    assert finished._repr_html_().count("<tr>") == 3


def test_unknown_names(finished):
    with pytest.raises(InputError, match="there is no data set 'flower'; did you mean 'flowers'"):
        finished.scores("flower")
    with pytest.raises(
        InputError,
        match="no hypothesis of 'broken' on 'flowers' was stored; those of induce are stored unless keep is 'none'",
    ):
        finished.fitted("broken", "flowers")


def test_a_score_of_scikit_learn(tmp_path):
    found = experiment(plan_of(score="roc_auc_ovr", datasets={"flowers": "iris"}), tmp_path / "r.sqlite")
    assert (found.measure.name, found.measure.higher) == ("roc auc ovr", True)
    means = {each.learner: each.mean for each in found.standings}
    best = next(each.learner for each in found.standings if each.best)
    assert means[best] == max(means.values()) > 0.9
