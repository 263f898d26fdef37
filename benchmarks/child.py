"""What is measured in a process of its own: ``python -m benchmarks.child NAME …`` prints one line of JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

START = time.perf_counter()


def memory(peer: str, data: str, weighted: str = "") -> dict[str, float]:
    """Peak memory in MB of one full growth, what the process held just before, seconds, and accuracy if tested."""
    import numpy as np

    from benchmarks.trees import learner

    folder = Path(data)
    tiny = np.random.default_rng(0).normal(size=(50, 20))
    learner(peer).fit(tiny, np.arange(50) % 2)  # loads what is compiled
    X, y = np.load(folder / "X.npy"), np.load(folder / "y.npy")
    weights = np.load(folder / "w.npy") if weighted else None
    before = _status("VmRSS")
    start = time.perf_counter()
    tree = learner(peer).fit(X, y, sample_weight=weights)
    found = {"before": before, "fit": time.perf_counter() - start, "peak": _status("VmHWM")}
    if (folder / "X_test.npy").exists():
        found["accuracy"] = tree.score(np.load(folder / "X_test.npy"), np.load(folder / "y_test.npy"))
    return found


def first_fit() -> dict[str, float]:
    """Seconds from nothing imported to a fitted and pruned tree, of the fit alone, and of a prediction."""
    import induce

    X, y = induce.dataset("play-tennis")
    learner = induce.C45()
    imported = time.perf_counter()
    learner.fit(X, y)
    fitted = time.perf_counter()
    learner.predict(X)
    done = time.perf_counter()
    return {"whole": fitted - START, "fit": fitted - imported, "predict": done - fitted}


def first_use(name: str, n_rows: str, n_columns: str) -> dict[str, float]:
    """Processor seconds of the first and of the second use of a learner."""
    from benchmarks import first_fit

    return first_fit.first_use(name, int(n_rows), int(n_columns))


def adult(train: str, test: str, target: str) -> dict[str, Any]:
    """Seconds of reading, learning and predicting, all in this process."""
    import induce

    X, y = induce.read(train, target=target)
    read = time.perf_counter()
    tree = induce.C45().fit(X, y)
    fitted = time.perf_counter()
    rows, _ = induce.read(test, target=target)
    tree.predict(rows)
    done = time.perf_counter()
    return {"read": read - START, "fit": fitted - read, "predict": done - fitted}


def neighbors(peer: str, data: str, k: str) -> dict[str, Any]:
    """Seconds of fit and queries, of the queries once more, memory in MB, and which neighbours were found."""
    import numpy as np

    import induce

    if peer == "induce":

        def made() -> Any:
            return induce.KNeighborsClassifier(int(k), metric="euclidean")
    else:
        from sklearn.neighbors import KNeighborsClassifier

        def made() -> Any:
            return KNeighborsClassifier(int(k), algorithm=peer, n_jobs=1)

    X, Q = (np.load(Path(data) / f"{name}.npy") for name in ("X", "Q"))
    y = np.arange(len(X)) % 2
    with induce.trace(only="search") as events:
        few = made()
        if peer == "induce":
            few.set_params(algorithm="tiles")  # loads what is compiled
        few.fit(X[:500], y[:500]).kneighbors(Q[:500])
        before = _status("VmRSS")
        start = time.perf_counter()
        fitted = made().fit(X, y)
        places = fitted.kneighbors(Q)[1]
        whole = time.perf_counter() - start
    start = time.perf_counter()
    fitted.kneighbors(Q)
    return {
        "whole": whole,
        "again": time.perf_counter() - start,
        "before": before,
        "peak": _status("VmHWM"),
        "chosen": events[-1]["chosen"] if events else peer,
        "places": places[:200].tolist(),
    }


def naive_bayes(peer: str, kind: str, data: str) -> dict[str, Any]:
    """Seconds of fit and predict of naive Bayes, memory in MB, and some predictions."""
    from benchmarks.bayes import measured

    return measured(peer, kind, data, _status)


def hidden_markov(path: str, iterations: str, repeats: str) -> dict[str, Any]:
    """Seconds of fitting and decoding a hidden Markov model, and what they add to the memory."""
    from benchmarks.sequences import measured

    return measured(path, int(iterations), int(repeats), _status)


def _status(field: str) -> float:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise SystemExit(f"/proc/self/status has no {field}: memory is measured on Linux only")


if __name__ == "__main__":
    measurements = {
        each.__name__: each
        for each in (memory, first_fit, first_use, adult, neighbors, naive_bayes, hidden_markov)
    }
    print(json.dumps(measurements[sys.argv[1]](*sys.argv[2:])))
