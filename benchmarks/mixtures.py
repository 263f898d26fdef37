"""Mixtures beside scikit-learn's: the same steps of EM, time and memory; and hidden classes of real tables."""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import TIMES, Listing, Row, Section, interleaved, run, speed

REPEATS = 3
PEER = "scikit-learn"
ITERATIONS = 30
COLUMNS, CLUSTERS = 5, 4
KINDS = ("full", "tied", "diag", "spherical")
TABLES = {"votes": "party", "mushroom": "class"}
"""Tables with a class that is hidden from the learner; all their columns are nominal."""
STARTS = (1, 5, 13, 22)
"""Numbers of classes that the sampler starts with."""


def mixtures(folder: Path | None, n: int = 100_000) -> Iterator[Section | Listing]:
    """Speed and memory first, then hidden classes where there are tables."""
    yield Section(
        "Mixtures of Gaussians: speed and memory",
        f"{n:,} rows of {COLUMNS} columns from {CLUSTERS} Gaussians; {ITERATIONS} iterations of EM "
        f"from the same initial parameters, without a prior. Best of {REPEATS}, in turn. Memory is the "
        "peak of a fresh process during learning, minus the memory held just before.",
        (*_speed(n), *_memory(n)),
    )
    if folder is not None:
        yield hidden_classes(folder)
        yield sampler_starts(folder)


def gaussians(n: int, seed: int = 0) -> tuple[Any, Any]:
    """Rows of several Gaussians, and where EM starts."""
    random = np.random.default_rng(seed)
    means = 3 * random.normal(size=(CLUSTERS, COLUMNS))
    shapes = 0.6 * random.normal(size=(CLUSTERS, COLUMNS, COLUMNS)) + np.eye(COLUMNS)
    which = random.choice(CLUSTERS, n, p=[0.1, 0.2, 0.3, 0.4])
    X = means[which] + np.einsum("nab,nb->na", shapes[which], random.normal(size=(n, COLUMNS)))
    return X, means + random.normal(size=means.shape)


def ours(X: Any, start: Any, kind: str, iterations: int = ITERATIONS) -> Any:
    """Our learner after some iterations."""
    import induce
    from induce.mixtures import Mixture

    whole = np.cov(X.T)
    covariances = {
        "full": np.array([whole] * CLUSTERS),
        "tied": whole,
        "diag": np.array([np.diag(whole)] * CLUSTERS),
        "spherical": np.full(CLUSTERS, np.trace(whole) / COLUMNS),
    }[kind]
    like = Mixture.of([1.0], np.zeros((1, COLUMNS)), [np.eye(COLUMNS)])
    first = Mixture(
        like.schema,
        kind,
        np.full(CLUSTERS, 1 / CLUSTERS),
        start,
        covariances,
        np.zeros((CLUSTERS, 0)),
        np.zeros(COLUMNS),
        np.ones(COLUMNS),
    )
    learner = induce.GaussianMixture(
        start=first, covariance_type=kind, scale=None, prior=0, tol=0, max_iter=iterations, rules=False
    )
    return learner.fit(X)


def theirs(X: Any, start: Any, kind: str) -> Any:
    """scikit-learn's learner after as many."""
    from sklearn.mixture import GaussianMixture

    whole = np.linalg.inv(np.cov(X.T))
    variances = np.diag(np.cov(X.T))
    precisions = {
        "full": np.array([whole] * CLUSTERS),
        "tied": whole,
        "diag": np.array([1 / variances] * CLUSTERS),
        "spherical": np.full(CLUSTERS, 1 / variances.mean()),
    }[kind]
    learner = GaussianMixture(
        CLUSTERS,
        covariance_type=kind,
        weights_init=np.full(CLUSTERS, 1 / CLUSTERS),
        means_init=start,
        precisions_init=precisions,
        init_params="random",
        random_state=0,
        reg_covar=0,
        tol=0,
        max_iter=ITERATIONS,
    )
    with warnings.catch_warnings(action="ignore"):
        return learner.fit(X)


def _speed(n: int) -> Iterator[Row]:
    X, start = gaussians(n)
    for kind in KINDS:
        ours(X[:5000], start, kind)  # loads what is compiled
        found = interleaved(
            REPEATS,
            {
                "ours": lambda kind=kind: ours(X, start, kind),
                PEER: lambda kind=kind: theirs(X, start, kind),
            },
        )
        least = 2 if kind == "full" else None
        yield speed(f"{kind}, {n:,} rows", found["ours"][0], PEER, found[PEER][0], least)
        mine, other = found["ours"][1].score(X), found[PEER][1].score(X)
        apart = abs(mine - other)
        yield Row(
            f"{kind}: mean log density",
            f"{mine:.6f}",
            f"{PEER} {other:.6f}",
            f"{apart:.1e} apart",
            "≤ 1e-06",
            apart <= 1e-6,
        )


def _memory(n: int) -> Iterator[Row]:
    found = {}
    for who in ("ours", "theirs"):
        done = run([sys.executable, "-m", "benchmarks.mixtures", who, str(n)])
        found[who] = json.loads(done.stdout.splitlines()[-1])["megabytes"]
    ratio = f"{found['ours'] / max(found['theirs'], 0.1):.2f}{TIMES}"
    yield Row(
        "full: memory beyond the table", f"{found['ours']:.0f} MB", f"{PEER} {found['theirs']:.0f} MB", ratio
    )


def measure(who: str, n: str) -> dict[str, float]:
    """Learn in this process: megabytes."""
    from benchmarks.child import _status

    learn = ours if who == "ours" else theirs
    learn(*gaussians(5_000), "full")
    X, start = gaussians(int(n))
    before = _status("VmRSS")
    learn(X, start, "full")
    return {"megabytes": _status("VmHWM") - before}


def hidden_classes(folder: Path) -> Listing:
    """How far the classes that `MixtureModel` finds are those that were hidden from it."""
    import polars as pl
    from sklearn.metrics import adjusted_rand_score

    import induce

    lines = []
    for name, target in TABLES.items():
        data = induce.read(folder / "tables" / f"{name}.csv", target=target)
        true = data.y.cast(pl.String).to_numpy()
        for said, settings in {
            "two": {"n_classes": 2},
            "Cheeseman and Stutz": {},
            "Cheeseman and Stutz, 5 starts each": {"n_init": 5},
            "BIC": {"criterion": "bic"},
            "sampler": {"criterion": "mcmc"},
        }.items():
            print(f"  MixtureModel: {name}, {said}", file=sys.stderr, flush=True)
            start = time.perf_counter()
            with warnings.catch_warnings(action="ignore"):
                model = induce.MixtureModel(max_classes=30, **settings).fit(data.X)
            took = time.perf_counter() - start
            labels = model.labels_
            most = [
                np.unique(true[labels == each], return_counts=True)[1].max() for each in np.unique(labels)
            ]
            lines.append(
                (
                    f"{name}, {len(true):,} rows of {data.X.width} columns",
                    said,
                    str(len(model.hypothesis_.shares)),
                    f"{sum(most) / len(true):.1%}",
                    f"{adjusted_rand_score(true, labels):.3f}",
                    f"{model.hypothesis_.fidelity:.1%}",
                    f"{took:.1f} s",
                )
            )
    return Listing(
        "Hidden classes of real tables",
        "`MixtureModel` without the class. Purity is the fraction of rows in the most frequent class "
        "of their cluster; the adjusted Rand index is 1 if clusters equal classes and 0 by chance. "
        "Fidelity is the fraction of rows that the rules assign to the same cluster.",
        ("table", "number of classes", "found", "purity", "adjusted Rand index", "fidelity", "time"),
        tuple(lines),
        "",
    )


def sampler_starts(folder: Path) -> Listing:
    """What the sampler visits, by how many classes it starts with: the same where it has mixed."""
    import induce
    from induce.data.table import encode
    from induce.mixtures.number import visits
    from induce.mixtures.rows import Rows

    lines = []
    for name, target in TABLES.items():
        data = induce.read(folder / "tables" / f"{name}.csv", target=target)
        for k in STARTS:
            print(f"  sampler: {name}, from {k}", file=sys.stderr, flush=True)
            with warnings.catch_warnings(action="ignore"):
                model = induce.MixtureModel(k, rules=False).fit(data.X)
            table = encode(data.X, model.hypothesis_.schema)
            nominal = np.ascontiguousarray(table.nominal)
            rows = Rows(table.numeric, nominal, np.ones(len(table)), model.hypothesis_.sizes)
            found = visits(rows, model.labels_, 1.0, 30, 200, np.random.default_rng(0))
            seen = np.flatnonzero(found) + 1
            most = int(found.argmax()) + 1
            lines.append(
                (name, str(k), str(most), f"{found.max() / found.sum():.0%}", f"{seen[0]} to {seen[-1]}")
            )
    return Listing(
        "Numbers of classes visited by the sampler, by its start",
        "200 sweeps of `MixtureModel(criterion='mcmc')` starting from the classes that EM finds for a "
        "given number of classes. If the most visited number depends on the start, the chain has not "
        "mixed and its answer cannot be trusted.",
        ("table", "classes at the start", "visited most", "fraction of visits", "visited"),
        tuple(lines),
        "",
    )


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
