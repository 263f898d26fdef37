"""Boosted stumps, bags and forests beside scikit-learn and Weka: time, memory, and accuracy on real tables."""

from __future__ import annotations

import json
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import TIMES, Listing, Row, Section, run, seconds, speed
from benchmarks.trees import draw

N, N_TEST = 100_000, 20_000
STUMPS, BAGS, TREES = 50, 50, 100
REPEATS = 2
PEER = "scikit-learn"
MOST_ERROR = 0.14
CARD = 200
LEARNERS = {
    "adaboost": "AdaBoost",
    "bagging": "Bagging",
    "forest": "RandomForest",
}
PAIRS = (
    ("adaboost", "AdaBoost", "sklearn", "ensemble.AdaBoostClassifier", {}),
    ("adaboost", "AdaBoost", "weka", "meta.AdaBoostM1 -I 50", {}),
    ("bagging", "Bagging", "sklearn", "ensemble.BaggingClassifier", {"n_estimators": 50}),
    ("forest", "RandomForest", "sklearn", "ensemble.RandomForestClassifier", {}),
)
TABLES = (
    *("anneal", "autos", "breast-cancer-wisconsin", "car", "colic", "credit-a"),
    *("dermatology", "heart-c", "hypothyroid", "promoters", "tic-tac-toe", "vote"),
)
"""Tables of the comparison, fixed beforehand: nominal, numeric and mixed, most of them with holes."""


def ensembles(
    folder: Path | None,
    jar: Path | None,
    boosters: str | None = None,
    results: Path | None = None,
    n: int = N,
    trees: int | None = None,
) -> Iterator[Section | Listing]:
    """Speed and memory first, then real data where there are any; with fewer `trees` for a quick look."""
    yield Section(
        "Ensembles: speed and memory",
        f"{n:,} rows of 20 numeric columns, as in the tree benchmarks above, and accuracy on "
        f"{N_TEST:,} others. Every fit runs in a separate process on one thread; the systems take "
        f"turns; the best of {REPEATS} for boosting, one run for the others. Times are processor "
        "times, which other work on the machine affects less; Weka reports its own. Memory is the "
        "increase in resident memory during the fit.",
        tuple(_speed(jar, n, trees)),
    )
    yield Section(
        "Ensembles: threads",
        "The same ensembles in one thread and in two, in one process, by wall time.",
        tuple(_threads(n, trees)),
    )
    if folder is not None:
        yield Section(
            "A scorecard for Adult",
            f"{CARD} stumps boosted on the 32,561 training rows and summed to points; the error on "
            "the 16,281 test rows. LightGBM uses as many stumps and a learning rate of 0.3. "
            "InterpretML's EBM (one bag, no interactions) sums thousands of small steps.",
            tuple(_adult(folder, boosters)),
        )
        yield from _accuracy(folder, jar, results)


def _speed(jar: Path | None, n: int, trees: int | None) -> Iterator[Row]:
    bags, trees = trees or BAGS, trees or TREES
    asked = (
        (f"AdaBoost, {STUMPS} stumps", "adaboost", STUMPS, REPEATS, 20.0),
        (f"Bagging, {bags} full trees", "bagging", bags, 1, 4.0),
        (f"RandomForest, {trees} trees, 255 bins", "forest", trees, 1, 2.0),
        (f"RandomForest, {trees} trees, all thresholds", "exact", trees, 1, None),
    )
    for what, kind, members, repeats, least in asked:
        found: dict[str, dict[str, float]] = {}
        for _ in range(repeats):
            for system in ("induce", PEER):
                new = _in_child("fit", kind, system, n, members)
                old = found.get(system, new)
                found[system] = new if new["fit"] <= old["fit"] else old
        ours, theirs = found["induce"], found[PEER]
        yield speed(what, ours["fit"], PEER, theirs["fit"], least)
        yield _memory(what, ours, theirs)
        yield _accuracy_row(what, ours, theirs)
        if kind == "adaboost" and jar is not None:
            yield speed(what, ours["fit"], "Weka AdaBoostM1", _weka(jar, n), 40.0)


def _memory(what: str, ours: Mapping[str, float], theirs: Mapping[str, float]) -> Row:
    ratio = ours["megabytes"] / max(1.0, theirs["megabytes"])
    return Row(
        f"{what}: memory",
        f"{ours['megabytes']:,.0f} MB",
        f"{PEER} {theirs['megabytes']:,.0f} MB",
        f"{ratio:.2f}{TIMES}",
    )


def _accuracy_row(what: str, ours: Mapping[str, float], theirs: Mapping[str, float]) -> Row:
    points = 100 * (ours["accuracy"] - theirs["accuracy"])
    within = "≥ -0.5 points"
    return Row(
        f"{what}: accuracy",
        f"{ours['accuracy']:.4f}",
        f"{PEER} {theirs['accuracy']:.4f}",
        f"{points:+.2f} points",
        within,
        points >= -0.5,
    )


def _threads(n: int, trees: int | None) -> Iterator[Row]:
    for what, kind, members in (("Bagging", "bagging", BAGS), ("RandomForest", "forest", TREES)):
        found = _in_child("threads", kind, n, trees or members)
        yield speed(f"{what}: two threads", found["two"], "one thread", found["one"], 1.6)
        yield Row(f"{what}: the same ensemble", "yes" if found["same"] else "no", holds=bool(found["same"]))


def _adult(folder: Path, boosters: str | None) -> Iterator[Row]:
    tables = [folder / "tables" / f"adult-{part}.csv" for part in ("train", "test")]
    for loss in ("exponential", "logistic"):
        found = _in_child("card", loss, *tables)
        yield Row(
            f'`AdaBoost(n_estimators={CARD}, loss="{loss}")` as a scorecard, {seconds(found["fit"])}',
            f"{found['error']:.2%}",
            target=f"≤ {MOST_ERROR:.1%}",
            holds=found["error"] <= MOST_ERROR,
        )
        yield Row(f"the same in whole points up to 20, loss {loss}", f"{found['rounded']:.2%}")
    if boosters is not None:
        script = Path(__file__).parent / "peers" / "served" / "boosters.py"
        done = run([boosters, str(script), *map(str, tables), "income", str(CARD)])
        for name, peer in json.loads(done.stdout.splitlines()[-1]).items():
            yield Row(f"{name}, {seconds(peer['seconds'])}", "", f"{peer['error']:.2%}")


def _weka(jar: Path, n: int) -> float:
    """Seconds that Weka needs for as many stumps, in its own process."""
    from benchmarks.peers.learners import command_of, written
    from benchmarks.peers.process import Process
    from benchmarks.rules_speed import numeric

    with tempfile.TemporaryDirectory() as folder:
        process = Process(command_of("weka", str(jar)))
        try:
            path = written(numeric(n), process.command, folder)
            learner = f"meta.AdaBoostM1 -I {STUMPS} -W weka.classifiers.trees.DecisionStump"
            process.ask("learn", learner, path, 300)
            return float(process.ask("learn", learner, path)["seconds"])
        finally:
            process.close()


def _accuracy(folder: Path, jar: Path | None, results: Path | None) -> Iterator[Listing]:
    """Pairs of learners on the same folds of the tables, those with Weka if it is there."""
    import induce
    from benchmarks.paired import Pair, WithPeers, describe, listing
    from benchmarks.peers.learners import Peer, command_of
    from benchmarks.rules import PLAN
    from induce.evaluation.experiments.plan import read_plan

    if results is None:
        with tempfile.TemporaryDirectory() as work:
            yield from _accuracy(folder, jar, Path(work, "ensembles.sqlite"))
        return
    read = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    learners: dict[str, Any] = dict(LEARNERS)
    peers, pairs = {}, []
    for ours, shown, system, theirs, settings in PAIRS:
        pair = Pair(ours, shown, system, theirs)
        if system == "sklearn":
            learners[pair.peer] = {"learner": f"sklearn.{theirs}", **settings}
        elif jar is None:
            continue
        else:
            peers[pair.peer] = Peer(theirs, command_of(system, str(jar)))
        pairs.append(pair)
    plan = read_plan(
        read
        | {"title": "Ensembles and their peers", "learners": learners}
        | {"datasets": {name: read["datasets"][name] for name in TABLES}}
    )
    joined = WithPeers.joined(replace(plan, folder=str(folder)), peers)
    found = induce.experiment(joined, results)
    described = {tried.name: describe(joined, tried) for tried in found.datasets}
    yield from (listing(pair, found, described) for pair in pairs)


# --- what is measured in a process of its own


def _in_child(*arguments: object) -> dict[str, Any]:
    done = run([sys.executable, "-m", "benchmarks.ensembles", *map(str, arguments)])
    return dict(json.loads(done.stdout.splitlines()[-1]))


def learner(kind: str, system: str, members: int, n_jobs: int = 1) -> Any:
    """The learner of a system, with as many members as are compared."""
    import sklearn.ensemble as theirs

    import induce

    made = {
        ("adaboost", "induce"): lambda: induce.AdaBoost(n_estimators=members),
        ("adaboost", PEER): lambda: theirs.AdaBoostClassifier(n_estimators=members, random_state=0),
        ("bagging", "induce"): lambda: induce.Bagging(n_estimators=members, n_jobs=n_jobs),
        ("bagging", PEER): lambda: theirs.BaggingClassifier(n_estimators=members, random_state=0),
        ("forest", "induce"): lambda: induce.RandomForest(n_estimators=members, n_jobs=n_jobs),
        ("forest", PEER): lambda: theirs.RandomForestClassifier(n_estimators=members, random_state=0),
        ("exact", "induce"): lambda: induce.RandomForest(n_estimators=members, bins=None),
        ("exact", PEER): lambda: theirs.RandomForestClassifier(n_estimators=members, random_state=0),
    }
    return made[kind, system]()


def fit(kind: str, system: str, n: str, members: str) -> dict[str, float]:
    """Seconds of the processor, megabytes and accuracy of one fit."""
    from benchmarks.child import _status

    X, y = draw(int(n) + N_TEST)
    _warm(kind, system, X, y)
    before, start = _status("VmRSS"), time.process_time()
    fitted = learner(kind, system, int(members)).fit(X[:-N_TEST], y[:-N_TEST])
    took, peak = time.process_time() - start, _status("VmHWM")
    accuracy = float(np.mean(fitted.predict(X[-N_TEST:]) == y[-N_TEST:]))
    return {"fit": took, "megabytes": peak - before, "accuracy": accuracy}


def threads(kind: str, n: str, members: str) -> dict[str, Any]:
    """Seconds in one thread and in two, and whether both learn the same."""
    X, y = draw(int(n))
    _warm(kind, "induce", X, y)
    found, taken = [], []
    for n_jobs in (1, 2):
        start = time.perf_counter()
        found.append(learner(kind, "induce", int(members), n_jobs).fit(X, y).hypothesis_)
        taken.append(time.perf_counter() - start)
    return {"one": taken[0], "two": taken[1], "same": found[0] == found[1]}


def card(loss: str, train: str, test: str) -> dict[str, float]:
    """Test error of boosted stumps as a scorecard, and in whole points."""
    import induce

    data, new = (induce.read(path, target="income") for path in (train, test))
    start = time.perf_counter()
    fitted = induce.AdaBoost(n_estimators=CARD, loss=loss, schema=data.input_schema).fit(data.X, data.y)
    made = fitted.hypothesis_.scorecard(data.X)
    took = time.perf_counter() - start
    truth = np.array([str(value).strip(".") for value in new.y.to_list()])
    errors = [float(np.mean(each.predict(new.X) != truth)) for each in (made, made.rounded(20))]
    return {"fit": took, "error": errors[0], "rounded": errors[1]}


def _warm(kind: str, system: str, X: Any, y: Any) -> None:
    """Load what is compiled: on few rows loops run plain, so that boosting needs some thousand."""
    few = slice(5_000 if kind == "adaboost" else 300)
    learner(kind, system, 5).fit(X[few], y[few])


if __name__ == "__main__":
    what, *given = sys.argv[1:]
    print(json.dumps({"fit": fit, "threads": threads, "card": card}[what](*given)))
