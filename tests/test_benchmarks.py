"""The benchmark harness runs at small sizes; what it measures is no matter for a unit test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import induce

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.measure import ONE_THREAD

    for name in ONE_THREAD:  # what `main` sets must not outlive the test
        monkeypatch.setenv(name, "1")


@pytest.mark.slow
def test_report_has_the_ratios_but_no_path_of_this_machine(tmp_path: Path) -> None:
    from benchmarks.__main__ import main

    out = tmp_path / "report.md"
    parts = ["--only", "growth", "scaling", "prediction", "incremental", "shortest"]
    main([*parts, "--sizes", "300", "--rows", "200", "--data", "/nowhere", "--out", str(out)])
    report = out.read_text(encoding="utf-8")
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


@pytest.mark.slow
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


def test_peers_of_linear_models_stand_behind_a_pipeline() -> None:
    import polars as pl
    from sklearn.linear_model import LinearRegression, LogisticRegression

    from benchmarks import gradient_tables as compared
    from benchmarks.measure import markdown
    from benchmarks.tables import _problem

    sure = pl.DataFrame(
        {"a": ["x", "y", "y", "x"] * 15, "n": [1.0, None, 3.0, 4.0] * 15, "c": ["u", "v", "v", "u"] * 15}
    )
    problem = _problem("sure", induce.read(sure, target="c"))
    sides = compared._each("", problem, induce.LogisticRegression, LogisticRegression, compared._wrong)
    assert all(side.loss.sum() == 0 for side in sides)
    report = markdown(compared._of_classes("Ours", "Theirs", [problem], [sides]))
    assert "| sure | 60 | 2 | 2 | 12.5% | 0.00% | 0.00% | +0.00 | 0 : 0 | 1.000 | not worse |" in report
    number = compared.Problem(
        "n of sure",
        induce.read(sure.drop_nulls(), target="n"),
        problem.fold[sure["n"].is_not_null().to_numpy()],
    )
    sides = compared._each("", number, induce.LinearRegression, LinearRegression, compared._squared)
    assert "| n of sure | 45 | 2 |" in markdown(compared._of_numbers("Ours", "Theirs", [number], [sides]))


def test_folds_of_weka_find_their_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import weka

    said = "0 0 5 3 1 0\n0 1 3 2 1\n1 0 1 1 0\n1 1 1 1 1\n"
    monkeypatch.setattr(weka, "_java", lambda jar, arguments: said)
    folds = [np.array([0, 1, 0]), np.array([1, 0])]
    first, second = weka.cross_validated_j48(tmp_path, [tmp_path / "a.arff", tmp_path / "b.arff"], folds)
    assert first.codes.tolist() == [1, 1, 0]
    assert (first.nodes, first.leaves) == ((5, 3), (3, 2))
    assert second.codes.tolist() == [1, 0]
    assert (tmp_path / "a.arff.folds").read_text(encoding="utf-8") == "0\n1\n0\n"


def _holed() -> Any:
    import polars as pl

    rows = {
        "colour": ["red", "it's", None, "red", "blue", "it's"] * 10,
        "size": [1.5, None, 3.0, 4.0, 2.0, 6.0] * 10,
        "kind": ["u", "v", "v", "u", "u", "v"] * 10,
    }
    return induce.read(pl.DataFrame(rows), target="kind")


def test_every_system_gets_the_same_values(tmp_path: Path) -> None:
    from benchmarks.peers.exchange import CLASS, Given

    data = _holed()
    given = Given.dataset(data)
    given.to_arff(tmp_path / "t.arff")
    back = induce.read(tmp_path / "t.arff", target=CLASS)
    assert back.X.cast({"colour": str}).equals(data.X.cast({"colour": str}))
    assert back.y.cast(str).to_list() == data.y.cast(str).to_list()
    assert back.schema["colour"].domain == data.schema["colour"].domain == ("blue", "it's", "red")
    given.to_npz(tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz") as file:
        np.testing.assert_array_equal(file["X"][:3], [[2, 1.5], [1, np.nan], [np.nan, 3]])
        assert file["y"][:3].tolist() == [0, 1, 1]


def test_a_test_row_has_no_class_and_a_new_value_is_missing() -> None:
    import polars as pl

    from benchmarks.peers.exchange import Given

    data = _holed()
    row = pl.DataFrame({"colour": ["green"], "size": [1.0]})
    given = Given.of(row, data.input_schema, ["u", "v"])
    assert given.y.tolist() == [-1]
    np.testing.assert_array_equal(given.X, [[np.nan, 1.0]])


def _in_process(learner: str = "C45Rules") -> Any:
    import sys

    from benchmarks.peers.learners import Peer, command_of

    return Peer(learner, command_of("induce", sys.executable))


def test_a_peer_takes_part_in_an_experiment_on_the_same_folds(tmp_path: Path) -> None:
    from benchmarks.paired import Pair, WithPeers, listing
    from induce.evaluation.experiments.plan import read_plan

    pair = Pair("rules", "C45Rules", "induce", "C45Rules")
    base = read_plan(
        {"learners": {"rules": "C45Rules"}, "datasets": {"iris": "iris"}, "splits": {"folds": 3}}
    )
    found = induce.experiment(WithPeers.joined(base, {pair.peer: _in_process()}), tmp_path / "r.sqlite")
    ours, theirs = (found.predicted(name, "iris") for name in ("rules", pair.peer))
    assert ours.equals(theirs)
    (line,) = listing(pair, found, {"iris": ("iris", "150")}).lines
    assert line[2:4] == line[4:6]
    assert line[-3:] == ("+0.00", "1.000", "not worse")


def test_what_a_peer_says_is_wrong_is_said_here() -> None:
    data = _holed()
    with pytest.raises(RuntimeError, match="AttributeError"):
        _in_process("NoSuchLearner").set_params(schema=data.input_schema).fit(data.X, data.y)


def test_a_peer_that_takes_too_long_is_ended() -> None:
    import sys

    from benchmarks.peers.process import Process

    with Process([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        with pytest.raises(TimeoutError, match=r"longer than 0\.2 s"):
            process.ask("learn", limit=0.2)
        assert not process.alive


def _scored(errors: dict[str, list[float]], sizes: str) -> Any:
    from types import SimpleNamespace

    import polars as pl

    cells = [{"learner": name, "dataset": "t", "size": sizes} for name in errors for _ in errors[name]]
    return SimpleNamespace(
        cells=pl.DataFrame(cells),
        scores=lambda dataset: {name: np.array(each) for name, each in errors.items()},
        datasets=[SimpleNamespace(test_share=1 / 9)],
        method="10-fold cross-validation",
    )


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        ([0.1, 0.2, 0.1, 0.3], ("-37.50", "0.001", "**significantly worse**")),
        ([0.9, 0.9, 0.9, 0.9], ("+35.00", "0.002", "significantly better")),
        ([0.5, 0.6, 0.5, 0.6], ("+0.00", "1.000", "not worse")),
        ([0.5, np.nan, 0.5, 0.6], ("", "", "not tested")),
    ],
)
def test_rules_are_judged_by_the_corrected_test_of_their_folds(
    theirs: list[float], said: tuple[str, str, str]
) -> None:
    from benchmarks.paired import listing
    from benchmarks.rules import PAIRS

    pair = PAIRS[0]
    errors = {pair.ours: [0.5, 0.6, 0.5, 0.6], pair.peer: theirs}
    shown = listing(pair, _scored(errors, "1,200 rules, 3,000 conditions"), {"t": ("t",)})
    assert shown.lines[0][:3] == ("t", "55.00%", "1200.0 of 2.50")
    assert shown.lines[0][-3:] == said
    assert shown.closing.startswith("Over 1 tables") == (said[-1] != "not tested")


def test_the_plan_of_the_rules_has_a_learner_for_each_pair() -> None:
    import tomllib

    from benchmarks.rules import PAIRS, PLAN
    from induce.evaluation.experiments.factory import built

    plan = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    assert list(plan["learners"]) == [pair.ours for pair in PAIRS]
    assert len(plan["datasets"]) >= 12
    assert built(plan["learners"]["cn2-ordered"]).ordered is True
    for pair in PAIRS[1:]:
        assert plan["learners"][pair.ours] == pair.shown
        assert built({"learner": pair.shown}).get_params() == getattr(induce, pair.shown)().get_params()


MAJORITY = """
import sys
sys.path.insert(0, {served!r})
from serving import serve

class Majority:
    def prepared(self, given):
        return given
    def learned(self, name, given):
        return sorted(given.y)[len(given.y) // 2]
    def predicted(self, model, given):
        return [model for _ in given.y]
    def size(self, model):
        return 1, 0

serve(Majority())
"""


def test_rules_race_in_processes_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from benchmarks import rules_speed
    from benchmarks.measure import TIMES
    from benchmarks.peers.learners import SERVED

    script = tmp_path / "majority.py"
    script.write_text(MAJORITY.format(served=str(SERVED)), encoding="utf-8")
    monkeypatch.setattr(rules_speed, "command_of", lambda system, place: (place, str(script)))
    places = {"induce": sys.executable, "orange": sys.executable}
    race = rules_speed.Race("60 x 2", 'CN2 {"ordered": true}', "orange", "CN2Learner", 1e9)
    time, memory, size = rules_speed.run(race, rules_speed.Given.dataset(_holed()), places, 60.0)
    assert time.what == f"`CN2(ordered=True)` on 60 {TIMES} 2: learning"
    assert time.peer.startswith("Orange CN2Learner")
    assert time.holds is False
    assert memory.induce.endswith("MB")
    assert size.induce == size.peer == "1 rules, 0 conditions"


@pytest.mark.parametrize(("ours", "holds"), [(10.0, True), (50.0, None)])
def test_a_peer_that_was_ended_is_slower_than_its_limit(ours: float, holds: bool | None) -> None:
    from benchmarks.rules_speed import Measured, _speed

    row = _speed("a", Measured(ours), "Orange", Measured(limit=300.0), 20)
    assert row.peer == "Orange more than 300 s"
    assert row.ratio.startswith(f"more than {300 / ours:.1f}")
    assert row.holds is holds


def test_generated_mixed_rows_are_mixed() -> None:
    from benchmarks.rules_speed import mixed

    given = mixed(500, 7)
    assert [domain is None for domain in given.domains] == [True, False] * 3 + [True]
    assert 0.01 < np.isnan(given.X).mean() < 0.03
    assert np.bincount(given.y).min() > 25


def _trains_by(accuracies: dict[str, float], **told: Any) -> Any:
    """Some trains with what systems made of them: a theory of the right rule, and told accuracies."""
    from benchmarks.peers.relational import Learned, Tested
    from benchmarks.relational_problems import trains
    from benchmarks.relational_report import Found, Outcome

    problem = trains(10)
    learned = Learned(problem.rule, 0.2, 0.3, 1.5, 300.0, False)
    found = {}
    for system, accuracy in accuracies.items():
        right = round(500 * accuracy)
        test = Tested(right, 500, 500 - right, 500)
        mine = {"first": 0.9, "by_swi": test} if system in ("FOIL", "Progol", "Golem") else {}
        found[system] = Found(learned, test, **mine | told.get(system, {}))
    return Outcome(problem, tuple(accuracies), found)


def test_relational_problems_are_listed_with_the_ratios_and_the_definitions() -> None:
    from dataclasses import replace

    from benchmarks.measure import TIMES, markdown
    from benchmarks.relational_report import Outcome, listing

    outcome = _trains_by({"Aleph": 1.0, "Popper": 0.9, "FOIL": 1.0, "Progol": 0.95, "Golem": 1.0})
    slow = replace(outcome.found["Aleph"].learned, cpu=60.0, expired=True, theory="")
    long = replace(outcome.found["Progol"].learned, theory="eastbound(A).\n" * 13 + "eastbound(t1).")
    found = {
        **outcome.found,
        "Aleph": replace(outcome.found["Aleph"], learned=slow),
        "Progol": replace(outcome.found["Progol"], learned=long),
    }
    del found["Golem"]
    shown = markdown(listing([Outcome(outcome.problem, outcome.systems, found)], 60.0))
    aleph, popper, foil, _, golem = [line for line in shown.splitlines() if line.startswith("| ")][1:6]
    assert aleph.startswith("| trains-10 | 10 | ")
    assert "| Aleph | 0 | 100.00% | more than 60 s |" in aleph
    assert popper.startswith("|  |  |  | Popper | 1 | 90.00% | 0.2 s | 0.3 s | 1.5 s | 300 MB |  |  |")
    assert foil.endswith(f"| more than 300{TIMES} | 1{TIMES} |")
    assert "| Golem |  | failed |" in golem
    assert "`FOIL` is nowhere less accurate than the better peer." in shown
    assert "`Progol` is less accurate than the better peer on trains-10 (95.00%, 100.00%)." in shown
    assert "`Golem` fails on trains-10." in shown
    assert "each of our 2 theories" in shown
    assert (
        "% trains-10: the rule, found by Popper, FOIL\neastbound(T) :- has_car(T, C), short(C), closed(C)."
        in shown
    )
    assert "% trains-10: Aleph\n% nothing" in shown
    assert "eastbound(A).\n% and 2 clauses more\n% and 1 examples as they are" in shown


def test_a_theory_that_swi_prolog_proves_otherwise_is_named() -> None:
    from benchmarks.peers.relational import Tested
    from benchmarks.relational_report import listing

    outcome = _trains_by({"FOIL": 1.0, "Progol": 1.0}, Progol={"by_swi": Tested(1, 500, 0, 500)})
    assert (
        "does not agree with our prover about the theories of Progol on trains-10"
        in listing([outcome], 60).closing
    )
    assert "peer" not in listing([outcome], 60).closing


@pytest.mark.parametrize(("cpu", "accuracy", "holds"), [(0.04, 1.0, True), (0.05, 0.99, False)])
def test_limits_of_relational_learners(cpu: float, accuracy: float, holds: bool) -> None:
    from dataclasses import replace

    from benchmarks.relational import limits

    outcome = _trains_by({"Aleph": 1.0, "FOIL": accuracy})
    quick = replace(outcome.found["FOIL"].learned, cpu=cpu)
    outcome = replace(outcome, found={**outcome.found, "FOIL": replace(outcome.found["FOIL"], learned=quick)})
    outcome = replace(outcome, found={**outcome.found, "Golem": outcome.found["FOIL"]})
    slow, more, *chess = (
        row for row in limits({"trains-10": outcome, "endgame-10000": outcome}) if "FOIL" in row.what
    )
    assert slow.what.endswith("the slowest of 1 (trains-10), warm")
    assert slow.holds is False
    assert (more.induce, more.holds) == ("0.9 s", None)
    assert [row.holds for row in chess] == [holds, holds]
    assert not any("Golem" in row.what and row.target for row in limits({"endgame-10000": outcome}))


def test_relations_that_hold_both_ways_may_be_turned() -> None:
    from benchmarks.relational_report import same_theory, symmetric, theory_of

    facts = {"near": ((1, 2), (2, 1), (3, 3)), "up": ((1, 2),), "red": ((1,),), "none": ()}
    assert symmetric(facts) == {"near"}
    one, other = theory_of("p(A, B) :- near(A, C), up(C, B)."), theory_of("p(X, Y) :- up(Z, Y), near(Z, X).")
    assert same_theory(one, other, {"near"})
    assert not same_theory(one, other)
    assert not same_theory(one, theory_of("p(X, Y) :- up(Y, Z), near(Z, X)."), {"near"})


def test_large_relational_problems_have_limits_of_time_and_memory_and_failures_show() -> None:
    from dataclasses import replace

    from benchmarks.relational import limits

    outcome = _trains_by({"FOIL": 1.0})
    hungry = replace(outcome.found["FOIL"].learned, memory=3000.0)
    outcome = replace(outcome, found={"FOIL": replace(outcome.found["FOIL"], learned=hungry)})
    time, memory = limits({"customers-amount": outcome})
    assert (time.holds, memory.holds, memory.induce) == (True, False, "3,000 MB")
    failed = replace(outcome, found={})
    rows = [*limits({"customers-amount": failed, "endgame-10000": failed, "trains-10": failed})]
    assert len(rows) == 1 + 3 + 3
    assert not any(row.holds for row in rows)
    assert all("failed" in row.induce for row in rows)


@pytest.mark.slow
def test_relational_learners_and_peers_learn_the_same_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import relational
    from benchmarks.peers.relational import Learned, PeerError, Tested
    from benchmarks.relational_problems import trains

    calls = []

    def aleph(problem: Any, folder: Path, source: Path, limit: float) -> Learned:
        calls.append((folder / "trains-10.b").exists())
        return Learned(problem.rule, 0.5 / len(calls), 1.0, 2.0, 30.0, False)

    def popper(problem: Any, folder: Path, command: Any, limit: float) -> Learned:
        assert (folder / "bias.pl").exists()
        raise PeerError("it failed")

    monkeypatch.setattr(relational, "learn_aleph", aleph)
    monkeypatch.setattr(relational, "learn_popper", popper)
    monkeypatch.setattr(relational, "tested", lambda problem, folder, theory: Tested(9, 10, 0, 10))
    monkeypatch.setattr(relational, "OURS", ("Progol",))
    monkeypatch.setattr(relational.shutil, "which", lambda name: None)
    outcome = relational.run(trains(10), Path("aleph.pl"), ["python", "popper.py"], 60.0)
    assert outcome.systems == ("Aleph", "Popper", "Progol")
    assert set(outcome.found) == {"Aleph", "Progol"}
    assert calls == [True] * 3
    assert outcome.found["Aleph"].learned.cpu == 0.5 / 3
    assert outcome.found["Aleph"].tested.accuracy == 0.95
    ours = outcome.found["Progol"]
    assert ours.tested.accuracy == 1.0
    assert ours.tested.of_positives + ours.tested.of_negatives == 1_000
    assert ours.learned.clauses == 1
    assert ours.learned.process > ours.first >= ours.learned.wall > 0
    assert ours.by_swi is None


def test_provers_are_measured_with_and_without_a_peer(tmp_path: Path) -> None:
    from benchmarks import logic

    swi = tmp_path / "swipl"
    swi.write_text("#!/bin/sh\necho 0.25\n", encoding="utf-8")
    swi.chmod(0o755)
    plain, proofs = logic._reverse(20, str(swi))
    assert plain.peer == f"SWI-Prolog {20 * 496 / 0.25:,.0f}"
    assert plain.target == "≥ 100,000"
    assert proofs.target == "≥ 50,000"
    assert proofs.peer == ""
    rows = [*logic._closure(20, 40, str(swi)), *logic._large(400, None)]
    assert [bool(row.peer) for row in rows] == [True, True] + [False] * 5
    assert all(row.holds for row in rows[:3])
    assert rows[4].what == "a prover on these, up to its first answer"


def test_the_first_fits_are_told_apart_from_the_start_of_a_process() -> None:
    from benchmarks.logic import BEGINNINGS, begin

    assert len(BEGINNINGS) == 8
    for name in ("bottom-up", "FOIL", "Progol"):
        found = begin(name)
        assert 0 < found["alone"] < found["whole"]


def test_parts_on_relations_are_run_and_their_paths_are_not_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from benchmarks import logic, relational
    from benchmarks.__main__ import main
    from benchmarks.measure import Section

    given = []

    def fake(*arguments: Any) -> list[Section]:
        given.append(arguments)
        return [Section("Some", "Remark.", ())]

    monkeypatch.setattr(relational, "relational", fake)
    monkeypatch.setattr(logic, "logic", fake)
    report = main(
        [
            "--only",
            "relational",
            "logic",
            "--aleph",
            "/no/aleph.pl",
            "--popper",
            "/no/python",
            "/no/popper.py",
        ]
    )
    assert given == [(None, Path("/no/aleph.pl"), ["/no/python", "/no/popper.py"]), ()]
    assert "python -m benchmarks --only relational logic --aleph FILE --popper PYTHON POPPER.PY\n" in report
    assert "/no" not in report
    main(["--only", "relational"])
    assert "not compared with Popper: give --popper" in capsys.readouterr().err


def test_neighbours_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import child, neighbors

    monkeypatch.setattr(neighbors, "REPEATS", 1)
    monkeypatch.setattr(neighbors, "in_child", lambda name, *given: getattr(child, name)(*map(str, given)))
    sections = list(neighbors.neighbors(None, None, None, 600, 50))
    whats = [row.what for section in sections for row in section.rows]
    assert len(sections) == 5
    assert neighbors.predicting([60], 20).rows[0].what.startswith("Gaussian, 60 ")
    for expected in ("Gaussian: fit and queries", "geometric mean", "50 queries", "all rows", "recall"):
        assert expected in whats
    same = [row.holds for section in sections for row in section.rows if row.what.endswith(": neighbours")]
    assert same == [True] * 3


@pytest.mark.parametrize("kind", ["mixed", "numbers", "stream"])
def test_naive_bayes_and_its_peer_say_the_same(kind: str, tmp_path: Path) -> None:
    from benchmarks.bayes import measured, mixed, write_stream

    mixed(3000).write_parquet(tmp_path / "mixed.parquet")
    if kind == "stream":
        write_stream(tmp_path / "stream.parquet", 3000)
        assert measured("induce", kind, str(tmp_path / "stream.parquet"), lambda field: 1.0)["peak"] == 1.0
        return
    found = [measured(peer, kind, str(tmp_path), lambda field: 1.0) for peer in ("induce", "scikit-learn")]
    assert found[0]["said"] == found[1]["said"]


def test_support_vector_machines_stand_beside_libsvm() -> None:
    from sklearn.preprocessing import StandardScaler

    from benchmarks.kernels import _beside, _pipeline, noisy

    X, y = noisy(200)
    rows = list(_beside("200 rows", X, StandardScaler().fit_transform(X), y, {}, 1.5))
    assert [row.what for row in rows] == ["200 rows", "200 rows: dual objective", "200 rows: support vectors"]
    assert float(rows[1].ratio.split()[0]) < 1e-3
    table = pd.DataFrame({"a": ["u", "missing"] * 5, "b": [1.0, np.nan] * 5})
    assert _pipeline(["a"], ["b"]).fit(table, [0, 1] * 5).score(table, [0, 1] * 5) == 1.0


@pytest.mark.slow
def test_sequences_run_without_their_peer() -> None:
    from benchmarks.measure import markdown
    from benchmarks.sequences import letters, sequences

    (section,) = sequences(None, None, [(12, 3, 1.0)])
    assert "10 symbols: fit" in markdown(section)
    listing = letters("the cat sat on a mat and the dog ran to a man " * 5, n_starts=1)
    assert "All five vowels stand together" in markdown(listing)


def test_the_public_player_of_backgammon_reads_positions_from_the_side_of_who_moved() -> None:
    from benchmarks import _pubeval_loops as public
    from induce.environments import Backgammon
    from induce.environments.games.backgammon import turned

    start = Backgammon().start()
    assert not public.is_race(start)
    race = np.zeros(28, dtype=np.int8)
    race[[3, 20]] = 2, -2
    assert public.is_race(race)
    weights = np.zeros(122)
    weights[5 * (24 - 6) + 4] = 1.0  # the own point 6, with four men or more
    assert public.score(turned(start), weights) == 1.0
    weights[:] = 0.0
    weights[[120, 121]] = 1.0, 30.0
    after = turned(race)
    after[[25, 27]] = 1, -13
    assert public.score(after, weights) == 0.5 + 26.0
    after[27] = -15
    assert public.score(after, weights) == np.inf
    moves = Backgammon().moves(race, (2, 1))[1]
    assert public.public_move(race, moves, len(moves), np.zeros((2, 122))) == 0


@pytest.mark.slow
def test_neural_networks_are_timed() -> None:
    from benchmarks.neural import neural

    (section,) = neural(None, share=0.01)
    assert [row.what.split(":")[0] for row in section.rows[:3]] == ["8x3x8", "10x4x1", "960x3x4"]
    assert all(row.ratio for row in section.rows[:-1])
    assert section.rows[-1].what.startswith("106 networks")


@pytest.mark.slow
def test_coverage_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import coverage

    monkeypatch.setattr(coverage, "SIZES", (60,))
    monkeypatch.setattr(coverage, "KINDS", {name: coverage.KINDS[name] for name in ("normals", "boxes")})
    monkeypatch.setattr(coverage, "FRESH", 500)
    results = tmp_path / "coverage.jsonl"
    intervals, tests = coverage.coverage(1, results)
    assert len(results.read_text(encoding="utf-8").splitlines()) == 2 * 5 * 2
    assert intervals.lines[0][0] == "cautious (the default)"
    assert float(intervals.lines[0][-1]) > float(intervals.lines[2][-1])  # wider than the exact interval
    assert tests.head[-1] == "judged on"
    list(coverage.coverage(1, results))
    assert len(results.read_text(encoding="utf-8").splitlines()) == 2 * 5 * 2


@pytest.mark.slow
def test_linear_models_are_timed() -> None:
    from benchmarks.linear import linear

    (section,) = linear(None, n=400)
    assert len(section.rows) == 3


def _idx(array: Any) -> bytes:
    return (
        bytes([0, 0, 8, array.ndim]) + b"".join(n.to_bytes(4, "big") for n in array.shape) + array.tobytes()
    )


@pytest.mark.compiled
def test_digit_study_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    from benchmarks.digits import FILES, Study, digits
    from induce.data.images import generated_digits

    (tmp_path / "mnist").mkdir()
    for (images, labels), n, seed in ((("images", "labels"), 300, 0), (("tests", "truth"), 100, 1)):
        data = generated_digits(n, random_state=seed)
        pixels = gzip.compress(_idx(data.grid.images(data.X)))
        (tmp_path / "mnist" / FILES[images]).write_bytes(pixels)
        truth = np.array([int(digit) for digit in data.y], np.uint8)
        (tmp_path / "mnist" / FILES[labels]).write_bytes(gzip.compress(_idx(truth)))
    table, pairs, sizes = digits(tmp_path, tmp_path / "r.md", ["3-nn", "3-nn-deslanted", "svm"])
    told = {line[0]: line[3] for line in table.lines}
    assert told["LeNet-5 with distortions"] == "not run"
    assert float(told["3-NN, deslanted"].split(" ")[0]) < 10
    assert [line[:2] for line in pairs.lines] == [
        ("3-nn", "3-nn-deslanted"), ("3-nn", "svm"), ("3-nn-deslanted", "svm"),
    ]  # fmt: skip
    assert sizes.head == ("method", "1,000", "5,000", "20,000", "60,000")
    monkeypatch.setattr(Study, "_run", None)  # nothing is learned again
    assert next(iter(digits(tmp_path, tmp_path / "r.md", ["svm"]))).lines == table.lines


@pytest.mark.compiled
def test_boosted_digits_go_on_from_the_first_that_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import induce
    from benchmarks import digit_methods
    from benchmarks.digits import Study
    from induce.data.images import generated_digits

    data = generated_digits(400, random_state=0)
    images, digits = data.grid.images(data.X), np.array([int(digit) for digit in data.y])
    study = Study.__new__(Study)
    study.images, study.labels, study.tests, study.truth = (
        images[:300],
        digits[:300],
        images[300:],
        digits[300:],
    )
    study.kept = tmp_path
    methods, stream = digit_methods.METHODS, digit_methods.DISTORTIONS
    short = {"lenet-5": digit_methods.large(1, stream)}
    short |= {f"boosted-{word}": digit_methods.boosted(word, 1, 40) for word in ("vote", "sum")}
    for name, learn in short.items():
        monkeypatch.setitem(methods, name, methods[name]._replace(learn=learn))
    found = [study.result(name, 300) for name in ("boosted-vote", "boosted-sum")]
    assert induce.load(study.path("lenet-5", 300).with_suffix(".induce")).network.n_weights == 60_850
    assert all(each is not None and len(each["more"]["looked"]) == 3 for each in found)
    assert all(each is not None and study.wrong(each).mean() < 0.5 for each in found)


@pytest.mark.compiled
def test_checks_of_the_digit_study_are_kept(tmp_path: Path) -> None:
    from types import SimpleNamespace

    from benchmarks.digit_checks import _trained, beside, pruned
    from induce.data.images import generated_digits

    data = generated_digits(300, random_state=0)
    images, digits = data.grid.images(data.X), np.array([int(digit) for digit in data.y])
    study: Any = SimpleNamespace(
        images=images[:200], labels=digits[:200], tests=images[200:], truth=digits[200:], kept=tmp_path
    )
    found = pruned(study, epochs=2)
    assert [line[1] for line in found.lines] == ["238,200", "178,650", "119,100", "59,550"]
    assert float(found.lines[1][-1]) > 0.05  # a quarter of the connections is hardly missed
    rows = beside(study).rows
    assert rows[2].induce == "100 of 100"
    ours, theirs = (
        _trained(name, study.images, study.labels, study.tests, study.truth) for name in ("induce", "SVC")
    )
    assert ours["error"] == pytest.approx(theirs["error"], abs=2.0)
    assert ours["vectors"] == pytest.approx(theirs["vectors"], rel=0.05)
    assert (tmp_path / "beside.json").exists()
    study.images = study.tests = None  # nothing is learned again
    assert pruned(study, epochs=2).lines == found.lines
    assert beside(study).rows == rows


@pytest.mark.compiled
def test_face_study_on_generated_faces() -> None:
    from benchmarks.faces import (
        accuracies,
        all_targets,
        full_gradient,
        memories,
        poses_curve,
        rejections,
        split_of,
    )
    from induce.data.images import generated_faces

    data = generated_faces(3)
    X = data.X.to_numpy() / 255.0
    labels = {name: np.array(data.frame[name].to_list()) for name in ("pose", "person", "eyes", "mood")}
    splits = [split_of(len(X), seed) for seed in range(2)]
    told = {line[0]: float(line[3].split(" ")[0]) for line in accuracies(X, labels, splits).lines}
    assert told["960 x 3 x 4"] > 60
    assert len(all_targets(X, labels, splits[:1]).lines) == 4
    assert full_gradient(X, labels["pose"], splits[0]).lines[1][0] == "the sum over all images"
    curve = poses_curve(X, labels["pose"], splits[:1])
    assert curve.n == len(splits[0][2])
    assert rejections(curve).lines[0] == ("none", f"{100 * curve.error[0]:.1f}", "0")
    stay = {(line[0], line[1]): line[2] for line in memories(X).lines}
    assert stay["faces, projection", "10"] == "10"
