"""What cross-validation costs beyond its fits, and what a second thread saves, in fresh processes.

``python -m benchmarks.evaluation ROWS REPEATS JOBS`` makes one measurement and prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from benchmarks.measure import TIMES, Row, Section, run, seconds

COLUMNS = 20
FOLDS = 10
PROCESSES = 3
MOST_OVERHEAD = 1.1
LEAST_GAIN = 1.7


def evaluation(n: int = 10_000, repeats: int = 10, processes: int = PROCESSES) -> Section:
    """Repeated 10-fold cross-validation of `C45` on `n` rows, with one thread and with two, in turn."""
    best: dict[int, dict[str, float]] = {}
    for _ in range(processes):
        for jobs in (1, 2):
            found = _in_process(n, repeats, jobs)
            kept = best.get(jobs, found)
            best[jobs] = {name: min(kept[name], value) for name, value in found.items()}
    one, two = best[1], best[2]
    what = f"{repeats} {TIMES} {FOLDS} folds of `C45` on {n:,} {TIMES} {COLUMNS}"
    rows = (
        Row(
            f"{what}, compared with the sum of its fits",
            seconds(one["evaluate"]),
            f"fits {seconds(one['fits'])}",
            f"{one['overhead']:.3f}{TIMES}",
            f"≤ {MOST_OVERHEAD}{TIMES}",
            one["overhead"] <= MOST_OVERHEAD,
        ),
        _gain("the same, `n_jobs=2`", two["evaluate"], one["evaluate"], LEAST_GAIN),
        _gain("the whole process, from `import` on", two["process"], one["process"]),
    )
    remark = (
        "Each measurement runs in a fresh process, with one and two threads in turn; the best of "
        f"{processes} counts. The whole process includes imports, which threads do not speed up."
    )
    return Section("Cross-validation", remark, rows)


def measure(n: int, repeats: int, jobs: int) -> dict[str, float]:
    """Seconds of one evaluation in this process, and of all its fits."""
    import induce

    X, y = _draw(n)
    learner, evaluate = induce.C45(), induce.evaluate
    start = time.perf_counter()
    estimate = evaluate(learner, X, y, FOLDS, repeats=repeats, n_jobs=jobs)
    return {
        "evaluate": time.perf_counter() - start,
        "fits": estimate.fit_seconds,
        "overhead": estimate.seconds / estimate.fit_seconds,
    }


def _draw(n: int) -> tuple[Any, Any]:
    import numpy as np

    random = np.random.default_rng(0)
    X = random.normal(size=(n, COLUMNS))
    return X, np.where(X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * random.normal(size=n) > 0, "above", "below")


def _in_process(n: int, repeats: int, jobs: int) -> dict[str, float]:
    start = time.perf_counter()
    done = run([sys.executable, "-m", "benchmarks.evaluation", *map(str, (n, repeats, jobs))])
    whole = time.perf_counter() - start
    return {**json.loads(done.stdout.splitlines()[-1]), "process": whole}


def _gain(what: str, two: float, one: float, least: float | None = None) -> Row:
    ratio = one / two
    return Row(
        what,
        seconds(two),
        f"`n_jobs=1` {seconds(one)}",
        f"{ratio:.2f}{TIMES}",
        "" if least is None else f"≥ {least:g}{TIMES}",
        None if least is None else ratio >= least,
    )


if __name__ == "__main__":
    print(json.dumps(measure(*map(int, sys.argv[1:4]))))
