"""KBANN: promoters left out one at a time, rules out of the network, a table with textbook rules, and speed."""

from __future__ import annotations

import json
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import ROOT, Listing, Row, Section, at_most, run, speed

SEEDS = 10
SCRIPT = ROOT / "benchmarks" / "peers" / "served" / "torch_networks.py"
PATTERN = {"base(P, B)": "p{P} = {B}"}


def kbann(folder: Path, torch: str | None = None, seeds: int = SEEDS) -> Iterator[Section | Listing]:
    """Errors on the promoters, speed, and learning curves with ten textbook rules."""
    yield promoters(folder, seeds)
    yield speeds(folder, torch)
    yield curves(folder)


def _promoters(folder: Path) -> tuple[Any, Any, str]:
    import polars as pl

    table = pl.read_csv(folder / "tables" / "promoters.csv")
    text = (folder / "theories" / "promoter.pl").read_text(encoding="utf-8")
    return table.drop("promoter", "name"), table["promoter"].to_numpy(), text


def _left_out(folder: Path, seeds: int, row: int) -> dict[str, Any]:
    """Train on all rows but one; say what each learner predicts of it."""
    import induce
    from induce.knowledge import extract_rules

    X, y, theory = _promoters(folder)
    kept = np.arange(len(X)) != row
    part, classes, left = X.filter(kept), y[kept], X[row : row + 1]
    found: dict[str, Any] = {"KBANN": [], "network": []}
    learner: Any = None
    with warnings.catch_warnings(action="ignore"):
        for seed in range(seeds):
            # W and decay are chosen by the first seed, from the training rows alone
            chosen = {"weight": learner.hypothesis_.weight, "weight_decay": learner.decay_} if seed else {}
            learner = induce.KBANN(knowledge=theory, columns=PATTERN, random_state=seed, **chosen)
            learner.fit(part, classes)
            plain = induce.NeuralNetworkClassifier(random_state=seed).fit(part, classes)
            for name, each in (("KBANN", learner), ("network", plain)):
                share = each.predict_proba(left)[0, each.classes_.tolist().index("+")]
                found[name].append(float(share))
            if not seed:
                for method in ("m-of-n", "subset", "tree"):
                    rules = extract_rules(
                        learner, part, classes, method=method, test=(left, y[row : row + 1])
                    )
                    parts = rules.hypothesis.parts().number
                    found[method] = [rules.accuracy.right, rules.fidelity.right, parts]  # type: ignore[union-attr]
                rules = induce.RuleLearner(rules=_flat(learner.hypothesis_.theory), random_state=0)
                found["rules"] = int(rules.fit(part, classes).predict(left)[0] == y[row])
    return found


def _flat(theory: Any) -> list[str]:
    """Return the theory as rules over columns."""
    return [f"IF {' AND '.join(map(str, way))} THEN +" for way in theory.unfolded()]


def promoters(folder: Path, seeds: int) -> Section:
    """Leave-one-out errors of KBANN, back-propagation, committees, and the rules read from the network."""
    from joblib import Parallel, delayed

    import induce

    X, y, text = _promoters(folder)
    folds = Parallel(2)(delayed(_left_out)(folder, seeds, row) for row in range(len(X)))
    inside = y == "+"

    def wrong(shares: Any) -> int:
        return int(((np.asarray(shares) > 0.5) != inside).sum())

    ours, plain = (np.array([fold[name] for fold in folds]) for name in ("KBANN", "network"))
    errors, theirs = ([wrong(column) for column in table.T] for table in (ours, plain))
    mean, other = float(np.mean(errors)), float(np.mean(theirs))
    together = wrong(ours.mean(axis=1))
    schema = induce.NeuralNetworkClassifier(max_epochs=1).fit(X, y).hypothesis_.schema
    theory = induce.ExpertRules(schema, text, "promoter", tuple(PATTERN.items()))
    given = int((theory.holds(X) != inside).sum())
    rows = [
        Row(f"KBANN: mean errors of {seeds} seeds", f"{mean:.1f}", "published 4", "", "≤ 6", mean <= 6.0),
        Row("KBANN: errors of each seed", ", ".join(map(str, errors))),
        Row(
            "back-propagation, same folds and seeds",
            f"{other:.1f}",
            "published 8",
            "",
            "above KBANN",
            mean < other,
        ),
        Row(f"committee of {seeds} KBANN networks", str(together), "", "", "≤ 5", together <= 5),
        Row(f"committee of {seeds} plain networks", str(wrong(plain.mean(axis=1)))),
        Row("the theory alone", str(given)),
    ]
    for method in ("m-of-n", "subset", "tree"):
        told = np.array([fold[method] for fold in folds])
        rows.append(
            Row(
                f"rules by {method}",
                f"{int(len(X) - told[:, 0].sum())} errors, fidelity {told[:, 1].mean():.3f}, "
                f"{told[:, 2].mean():.0f} conditions and conclusions",
                f"theory {sum(len(rule.body) + 1 for rule in theory.clauses)}",
            )
        )
    right = sum(fold["rules"] for fold in folds)
    rows.append(Row("RuleLearner with the theory as rules", f"{len(X) - right} errors"))
    return Section(
        "KBANN: promoters",
        "106 sequences, leave-one-out (Towell and Shavlik). KBANN and the plain network use their "
        "defaults: W and the decay towards the theory are chosen by cross-validation within each "
        "training set, once for all seeds. Rules are extracted from the network of the first seed and "
        "its 105 rows, and evaluated on the row left out: errors, agreement with the network, and "
        "size compared with the theory's.",
        tuple(rows),
    )


def speeds(folder: Path, torch: str | None) -> Section:
    """Time of 106 trainings, and of an update example by example beside PyTorch."""
    import induce
    from induce.neural import NetworkObjective

    X, y, theory = _promoters(folder)
    with warnings.catch_warnings(action="ignore"):
        learner = induce.KBANN(knowledge=theory, columns=PATTERN, weight=3.0, weight_decay=0.2)
        learner.fit(X, y)
        start = time.process_time()
        for row in range(len(X)):
            kept = np.arange(len(X)) != row
            learner.fit(X.filter(kept), y[kept])
        seconds = time.process_time() - start
    hypothesis = learner.hypothesis_
    network, inputs = hypothesis.network, hypothesis.rows(X)
    targets = (y == "+")[:, np.newaxis] * 0.8 + 0.1
    objective = NetworkObjective(network, inputs, targets)
    w, memory = network.weights.copy(), np.zeros(network.n_weights)
    order = np.tile(np.arange(len(X)), 20)
    rates = np.full(len(order), 0.01)
    objective.epoch(w, memory, order, rates, 0.0)  # compiles
    times = []
    for _ in range(3):
        start = time.process_time()
        objective.epoch(w, memory, order, rates, 0.0)
        times.append((time.process_time() - start) / len(order))
    rows = [at_most("106 trainings of the promoter network, processor time", seconds, 40.0)]
    what = f"promoter network, {network.n_weights:,} weights: one update"
    if torch is None:
        rows.append(Row(what, f"{1e6 * min(times):.1f} µs"))
    else:
        with tempfile.TemporaryDirectory() as place:
            file = Path(place) / "graph.json"
            file.write_text(json.dumps(_graph(network, inputs)), encoding="utf-8")
            theirs = float(json.loads(run([torch, str(SCRIPT), "graph", str(file)]).stdout.splitlines()[-1]))
        rows.append(speed(what, min(times), "PyTorch", theirs, 5.0))
    return Section(
        "KBANN: speed",
        "Processor time. 106 trainings by L-BFGS with fixed settings (two cores halve the 40 s to 20 "
        "s). One update: online back-propagation on the same graph of units, the best of three, on "
        "one thread.",
        tuple(rows),
    )


def _graph(network: Any, inputs: Any) -> dict[str, Any]:
    links = []
    for link in network.links:
        weights = network.get((link.source, link.target))
        mask = np.ones(weights.shape) if link.places is None else np.asarray(link.places) >= 0
        links.append([link.source, link.target, weights.tolist(), np.asarray(mask, float).tolist()])
    return {
        "groups": [[group.name, group.size] for group in network.groups],
        "links": links,
        "rows": np.asarray(inputs)[:100].tolist(),
    }


TEXTBOOK = """
IF cell-size-uniformity > 5 THEN malignant
IF cell-shape-uniformity > 5 THEN malignant
IF bare-nuclei > 5 THEN malignant
IF clump-thickness > 7 THEN malignant
IF marginal-adhesion > 5 THEN malignant
IF bland-chromatin > 5 THEN malignant
IF normal-nucleoli > 5 THEN malignant
IF mitoses > 3 THEN malignant
IF irregular AND clump-thickness > 5 THEN malignant
IF 2 OF (cell-size-uniformity > 3, cell-shape-uniformity > 3, epithelial-cell-size > 3) THEN irregular
"""
"""Ten rules that a textbook of cytology would give: irregular, crowded, dividing cells with bare nuclei; high grades
of a scale from 1 to 10. They were written before any row was looked at."""
SIZES = (20, 50, 100, 200, 500)
DRAWS = 20


def curves(folder: Path, draws: int = DRAWS) -> Listing:
    """Errors on Wisconsin breast cancer with and without ten rules, by the number of training rows."""
    import polars as pl
    from joblib import Parallel, delayed
    from scipy.stats import ttest_rel

    import induce

    table = pl.read_csv(folder / "tables" / "breast-cancer-wisconsin.csv", null_values=["?"])
    X, y = table.drop("id", "class"), np.where(table["class"].to_numpy() == 4, "malignant", "benign")
    schema = induce.NeuralNetworkClassifier(max_epochs=1).fit(X, y).hypothesis_.schema
    alone = np.mean(induce.ExpertRules(schema, TEXTBOOK, "malignant").holds(X) != (y == "malignant"))
    lines = []
    for size in SIZES:
        found = np.array(Parallel(2)(delayed(_drawn)(X, y, size, draw) for draw in range(draws)))
        cells = [f"{100 * found[:, k].mean():.2f} %" for k in range(found.shape[1])]
        p = float(ttest_rel(found[:, 0], found[:, 1]).pvalue)
        better = int((found[:, 0] < found[:, 1]).sum()), int((found[:, 0] > found[:, 1]).sum())
        lines.append((str(size), *cells, f"{better[0]} : {better[1]}", f"{p:.3g}"))
    return Listing(
        "KBANN: learning curves with ten textbook rules",
        f"Wisconsin breast cancer, 699 rows; mean error of {draws} random training sets on all "
        "remaining rows, with and without the ten rules. The rules alone misclassify "
        f"{100 * alone:.2f} % of all rows. The test is a paired t test over training sets, which "
        "overlap, so its p-values are too small.",
        ("rows", "KBANN", "network", "draws better : worse", "p (paired)"),
        tuple(lines),
        "",
    )


def _drawn(X: Any, y: Any, size: int, draw: int) -> list[float]:
    import induce

    rng = np.random.default_rng(draw)
    while True:
        order = rng.permutation(len(X))
        train, test = order[:size], order[size:]
        if len(set(y[train])) == 2:
            break
    learners = [
        induce.KBANN(knowledge=TEXTBOOK, concept="malignant", random_state=draw),
        induce.NeuralNetworkClassifier(random_state=draw),
    ]
    with warnings.catch_warnings(action="ignore"):
        return [float(np.mean(each.fit(X[train], y[train]).predict(X[test]) != y[test])) for each in learners]
