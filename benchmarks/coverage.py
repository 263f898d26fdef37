"""How often intervals by cross-validation hold the true error, and how often tests find what is not there.

A table is drawn from a known distribution, with a twin that has the same classes: a learner expects the same error
on both, so every difference between them that a test finds is a mistake. The true error of the hypothesis learned
from all rows comes from a large fresh sample. With ``--results FILE`` each cross-validation is kept as a line of
JSON, and later runs go on from there.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.coverage_tables import CHOSEN_ON, JUDGED_ON, KINDS, twins
from benchmarks.measure import Listing

SIZES = (60, 200, 500)
FOLDS = 10
FRESH = 10_000
"""Rows that the true error is measured on."""
SHARE = 1 / (FOLDS - 1)
LEVEL = 0.05


class Record(NamedTuple):
    """One learner cross-validated on one table: its true error, and the wrong rows and all rows of each fold."""

    kind: str
    n: int
    seed: int
    learner: str
    side: int
    true: float
    wrong: Sequence[int]
    tested: Sequence[int]

    @property
    def scores(self) -> Any:
        """The error of each fold."""
        return np.array(self.wrong) / np.array(self.tested)


def coverage(tables: int = 20, results: Path | None = None) -> Iterable[Listing]:
    """Simulate so many tables of each kind and size, or go on until there are so many."""
    records = _read(results)
    there = {(each.kind, each.n, each.seed) for each in records}
    with open(results, "a", encoding="utf-8") if results else open(os.devnull, "w", encoding="utf-8") as file:
        for kind in KINDS:
            for n in SIZES:
                seeds = {seed for each, rows, seed in there if (each, rows) == (kind, n)}
                for seed in range(
                    max(seeds, default=-1) + 1, max(seeds, default=-1) + 1 + tables - len(seeds)
                ):
                    found = list(_simulated(kind, n, seed))
                    file.writelines(json.dumps(each) + "\n" for each in found)
                    records += found
    yield _intervals(records)
    yield _tests(records)


def _read(results: Path | None) -> list[Record]:
    if results is None or not results.exists():
        return []
    return [Record(*json.loads(line)) for line in results.read_text(encoding="utf-8").splitlines()]


def _learners() -> dict[str, Any]:
    import induce

    return {
        "C45": induce.C45(),
        "ID3": induce.ID3(),
        "stump": induce.DecisionStump(),
        "naive Bayes": induce.NaiveBayes(),
        "1-NN": induce.KNeighborsClassifier(1),
    }


def _simulated(kind: str, n: int, seed: int) -> Iterator[Record]:
    from sklearn.base import clone

    from induce.core.loops import expecting
    from induce.evaluation.estimating.fits import fit_and_predict
    from induce.evaluation.estimating.splits import plan

    place = list(KINDS).index(kind)
    fresh, actual = KINDS[kind](FRESH, np.random.default_rng([seed, place, 0]))
    *sides, classes = twins(kind, n, np.random.default_rng([seed, place, n]))
    with warnings.catch_warnings(), expecting(10_000):
        warnings.simplefilter("ignore")
        made = plan(sides[0], classes, FOLDS, random_state=seed)
        for name, learner in _learners().items():
            for side, table in enumerate(sides):
                true = float((clone(learner).fit(table, classes).predict(fresh) != actual).mean())
                tested = fit_and_predict(learner, table, classes, made.splits)
                wrong = [int((fold.predicted != classes[fold.test]).sum()) for fold in tested]
                yield Record(kind, n, seed, name, side, true, wrong, [len(test) for _, test in made.splits])


def _methods() -> Mapping[str, Callable[[Record], tuple[float, float]]]:
    from induce import statistics

    def rows(function: Any) -> Callable[[Record], tuple[float, float]]:
        def interval(each: Record) -> tuple[float, float]:
            found = function(sum(each.wrong), each.n)
            return found.low, found.high

        return interval

    def folds(each: Record) -> tuple[float, float]:
        found = statistics.corrected_t(each.scores, SHARE).interval
        return (0.0, 1.0) if found is None else (max(found.low, 0.0), min(found.high, 1.0))

    def cautious(each: Record) -> tuple[float, float]:
        variance = statistics.variance_over_folds(each.scores, SHARE)
        found = statistics.cautious_proportion(sum(each.wrong), each.n, variance=variance)
        return found.low, found.high

    return {
        "cautious (the default)": cautious,
        "twice the variance of the rows": rows(statistics.cautious_proportion),
        "`clopper-pearson`": rows(statistics.clopper_pearson),
        "`wilson`": rows(statistics.wilson),
        "corrected t over folds": folds,
    }


def _intervals(records: Sequence[Record]) -> Listing:
    """The share of intervals that hold the true error, and how wide they are."""
    head = ("interval", *_learners(), "worst evaluation kind", *(f"width, {n} rows" for n in SIZES))
    lines = []
    for name, method in _methods().items():
        held, width = defaultdict(list), defaultdict(list)
        for each in records:
            low, high = method(each)
            held[each.learner, each.kind, each.n].append(low <= each.true <= high)
            width[each.n].append(high - low)
        share = {cell: 100 * float(np.mean(found)) for cell, found in held.items()}
        by_learner = [[share[cell] for cell in share if cell[0] == learner] for learner in _learners()]
        judged = min(share[cell] for cell in share if cell[1] in JUDGED_ON)
        cells = [f"{np.mean(found):.1f} ({min(found):.1f})" for found in by_learner]
        lines.append((name, *cells, f"{judged:.1f}", *(f"{np.mean(width[n]):.3f}" for n in SIZES)))
    return Listing("Intervals by cross-validation", _remark(records), head, tuple(lines), "")


def _tests(records: Sequence[Record]) -> Listing:
    from induce import statistics

    tests: Mapping[str, Callable[[Any], Any]] = {
        "`cautious t` (the default)": lambda gaps: statistics.cautious_t(gaps, SHARE),
        "`corrected t`": lambda gaps: statistics.corrected_t(gaps, SHARE),
        "`paired t`": statistics.paired_t,
    }
    twin: dict[tuple[Any, ...], dict[int, Record]] = defaultdict(dict)
    for each in records:
        twin[each.kind, each.n, each.seed, each.learner][each.side] = each
    lines = []
    for name, test in tests.items():
        found = defaultdict(list)
        for (kind, n, _, learner), sides in twin.items():
            wrong = bool(test(sides[0].scores - sides[1].scores).p_value <= LEVEL)
            for key in ((learner, n), (learner, ""), ("judged", kind in JUDGED_ON)):
                found[key].append(wrong)
        cells = [100 * np.mean(found[learner, ""]) for learner in _learners()]
        worst = max(100 * np.mean(found[learner, n]) for learner in _learners() for n in SIZES)
        judged = 100 * np.mean(found["judged", True])
        lines.append((name, *(f"{share:.1f}" for share in (*cells, worst, judged))))
    remark = (
        "False positives: percent of tables on which a test at the 5 % level finds a difference "
        "between a learner and the same learner on a twin of the table. The worst is over learners "
        "and sizes."
    )
    head = ("test", *_learners(), "worst", "judged on")
    return Listing("Tests of equally good learners", remark, head, tuple(lines), "")


def _remark(records: Sequence[Record]) -> str:
    count = {
        kinds: len({(each.kind, each.n, each.seed) for each in records if each.kind in names})
        for kinds, names in (("chosen", CHOSEN_ON), ("judged", JUDGED_ON))
    }
    return (
        f"Ten-fold cross-validation on {count['chosen']:,} pairs of tables of {len(CHOSEN_ON)} kinds, "
        f"used to choose the default, and {count['judged']:,} pairs of {len(JUDGED_ON)} other kinds, "
        f"used to evaluate it; {', '.join(map(str, SIZES))} rows. Coverage of nominal 95 % intervals "
        "in percent: how often the interval contains the error of the hypothesis learned from all "
        f"rows, estimated on {FRESH:,} fresh rows. Each cell is the mean over kinds and sizes, with "
        "the worst kind and size in brackets; a further column gives the worst of the evaluation "
        "kinds."
    )


if __name__ == "__main__":
    from benchmarks.measure import markdown

    for section in coverage(0, Path(sys.argv[1])):
        print(markdown(section) + "\n")
