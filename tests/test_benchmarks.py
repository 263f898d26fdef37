"""The benchmark harness runs at small sizes; what it measures is no matter for a unit test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import induce

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.measure import ONE_THREAD

    for name in ONE_THREAD:  # what `main` sets must not outlive the test
        monkeypatch.setenv(name, "1")


def test_report_has_the_ratios_but_no_path_of_this_machine(tmp_path: Path) -> None:
    from benchmarks.__main__ import main

    out = tmp_path / "report.md"
    parts = ["--only", "growth", "scaling", "prediction", "incremental", "shortest"]
    main([*parts, "--sizes", "300", "--rows", "200", "--data", "/nowhere", "--out", str(out)])
    report = out.read_text()
    for expected in (
        "300 rows, weighted: fit",
        "300 rows, unweighted: test accuracy",
        "200 rows: `predict`",
        "more one by one",
        "the slowest of all",
    ):
        assert expected in report
    for kept in ("| the same | yes |", "| none shorter | yes |"):
        assert kept in report
    assert "--data DIR" in report
    assert "/nowhere" not in report
    assert str(tmp_path) not in report


def test_cross_validation_is_measured_in_fresh_processes() -> None:
    from benchmarks.evaluation import evaluation

    rows = evaluation(300, 1, 1).rows
    assert [row.what for row in rows][1:] == ["the same, `n_jobs=2`", "the whole process, from `import` on"]
    assert rows[0].induce
    assert rows[0].peer


def test_losses_are_shown_as_losses() -> None:
    from benchmarks.measure import Section, markdown, speed

    section = Section("Title", "Remark.", (speed("a", 1.0, "peer", 3.0, 2), speed("b", 1.0, "peer", 3.0, 6)))
    won, lost = markdown(section).splitlines()[-2:]
    assert won.endswith("| yes |")
    assert lost.endswith("| **no** |")


def test_arff_written_for_weka_reads_back(tmp_path: Path) -> None:
    import polars as pl

    from benchmarks.adult import shared_domains
    from benchmarks.weka import write_arff

    rows = {"a b": ["it's", None, "<=50K"], "n": [1.0, None, 2.5], "c": ["u", "v", "u"]}
    data = induce.read(pl.DataFrame(rows), target="c")
    more = induce.read(pl.DataFrame({"a b": ["new"], "n": [0.0], "c": ["u"]}), target="c")
    path = tmp_path / "t.arff"
    write_arff(path, data.frame, shared_domains(data, more))
    back = induce.read(path, target="c")
    assert back.frame.cast({"a b": str, "c": str}).to_dict(as_series=False) == rows
    assert back.schema["a b"].domain == ("<=50K", "it's", "new")


@pytest.mark.parametrize(("alone", "holds"), [((10, 10), True), ((2, 20), False), ((0, 0), True)])
def test_paired_test_asks_whether_ours_is_lower(alone: tuple[int, int], holds: bool) -> None:
    from benchmarks.adult import paired

    right = np.repeat([True, False, True], [alone[0], alone[1], 50])
    other: Any = np.repeat([False, True, True], [alone[0], alone[1], 50])
    assert paired(right, other).holds is holds


def _pair(alone: tuple[int, int], both: int = 50) -> Any:
    from benchmarks.comparison import Outcome, Pair

    right = np.repeat([True, False, True], [*alone, both])
    other = np.repeat([False, True, True], [*alone, both])
    table = ("name", "100", "4", "2", "none")
    return Pair(table, Outcome.of(right, [3, 5], [2, 3]), Outcome.of(other, [7], [4]))


def test_holm_is_what_statsmodels_makes_of_it() -> None:
    from statsmodels.stats.multitest import multipletests

    from benchmarks.comparison import holm

    p_values = [0.04, 0.001, 0.3, 0.01, 0.9, 0.01]
    np.testing.assert_allclose(holm(p_values), multipletests(p_values, method="holm")[1])


def test_listing_says_where_ours_is_worse_and_better() -> None:
    from benchmarks.comparison import listing
    from benchmarks.measure import markdown

    lines = markdown(listing("Title", "Remark.", ("A", "B"), [_pair((1, 15)), _pair((3, 4)), _pair((20, 2))]))
    worse, same, better, _, over = lines.splitlines()[-5:]
    assert worse.endswith("| 1 : 15 | 0.001 | **significantly worse** |")
    assert same.endswith("| -1.75 | 3 : 4 | 1.000 | not worse |")
    assert better.endswith("| significantly better |")
    assert "| 92.98% | 4.0 (2.5) | 94.74% | 7.0 (4.0) |" in same
    assert over.startswith("Over the 3 tables A is better on 1, equal on 0 and worse on 2;")


def test_pruning_scikit_learn_further_is_what_a_new_fit_gives() -> None:
    from sklearn.datasets import load_breast_cancer
    from sklearn.tree import DecisionTreeClassifier

    from benchmarks.tables import _grown, _pruned

    X, y = load_breast_cancer(return_X_y=True)
    tree = _grown(X, y)
    n_full = tree.tree_.node_count
    alphas = tree.cost_complexity_pruning_path(X, y).ccp_alphas
    step = tree
    for alpha in np.append(np.sqrt(alphas[:-1] * alphas[1:]), alphas[-1]):
        step = _pruned(step, alpha)
        again = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
        assert step.tree_.node_count == again.tree_.node_count
        np.testing.assert_array_equal(step.predict(X), again.predict(X))
    assert tree.tree_.node_count == n_full
    assert step.tree_.node_count == 1


def test_both_sides_are_tested_on_the_same_rows() -> None:
    import polars as pl

    from benchmarks.tables import _problem, describe, validated, validated_sklearn

    sure = pl.DataFrame(
        {"a": ["x", "y", "y", "x"] * 15, "n": [1, None, 3, 4] * 15, "c": ["u", "v", "v", "u"] * 15}
    )
    problem = _problem("sure", induce.read(sure, target="c"))
    assert describe(problem) == ("sure", "60", "2", "2", "12.5%")
    assert np.bincount(problem.fold).tolist() == [6] * 10
    ours = validated(problem, induce.CART)
    pruned, full = validated_sklearn(problem)
    for outcome in (ours, pruned, full):
        assert outcome.accuracy == 1.0
        assert (outcome.nodes, outcome.leaves) == (3.0, 2.0)


def test_folds_of_weka_find_their_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import weka

    said = "0 0 5 3 1 0\n0 1 3 2 1\n1 0 1 1 0\n1 1 1 1 1\n"
    monkeypatch.setattr(weka, "_java", lambda jar, arguments: said)
    folds = [np.array([0, 1, 0]), np.array([1, 0])]
    first, second = weka.cross_validated_j48(tmp_path, [tmp_path / "a.arff", tmp_path / "b.arff"], folds)
    assert first.codes.tolist() == [1, 1, 0]
    assert (first.nodes, first.leaves) == ((5, 3), (3, 2))
    assert second.codes.tolist() == [1, 0]
    assert (tmp_path / "a.arff.folds").read_text() == "0\n1\n0\n"
