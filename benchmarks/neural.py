"""Neural networks beside scikit-learn's: back-propagation example by example, and in batches."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Row, Section, speed

REPEATS = 3
PEER = "scikit-learn"


def neural(folder: Path | None, share: float = 1.0) -> Iterator[Section]:
    """Speed per update and per epoch; with data, the promoters left out one at a time."""
    yield Section(
        "Neural networks: speed",
        "Processor time on one thread, the best of three in turn, at the same learning rate. Per update: "
        "back-propagation example by example of sigmoid units, against `MLPRegressor(batch_size=1)`. Per epoch: "
        "10,000 rows of 784 numbers, 300 hidden units, 10 classes, Adam in batches of 200, 32-bit numbers on both "
        "sides, and 64-bit numbers on scikit-learn's as it takes them by default.",
        tuple(_speeds(share)),
    )
    if folder is not None:
        yield promoters(folder)


def _speeds(share: float) -> Iterator[Row]:
    eight = np.eye(8)
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (100, 10)).astype(np.float64)
    pixels = rng.random((100, 960))
    for sizes, X, T, least in (
        ((8, 3, 8), eight, eight, 300.0),
        ((10, 4, 1), bits, (bits.sum(axis=1, keepdims=True) > 5).astype(np.float64), 300.0),
        ((960, 3, 4), pixels, rng.random((100, 4)), 30.0),
    ):
        epochs = max(1, round(share * 40_000_000 / (len(X) * sizes[0] * sizes[1] * 10)))
        ours = _best(lambda s=sizes, X=X, T=T, e=epochs: _by_example(s, X, T, e))  # type: ignore[misc]
        theirs = _best(lambda s=sizes, X=X, T=T: _theirs(s[1], X, T, max(1, 400 // len(X))))  # type: ignore[misc]
        yield speed(f"{'x'.join(map(str, sizes))}: one update", ours, PEER, theirs, least)
    n = max(400, round(share * 10_000))
    X, y = rng.random((n, 784)).astype(np.float32), rng.integers(0, 10, n)
    ours = _best(lambda: _epoch(X, y))
    yield speed("784-300-10: one epoch, 32 bits", ours, PEER, _best(lambda: _their_epoch(X, y)), 2.5)
    wide = X.astype(np.float64)
    yield speed(
        "784-300-10: one epoch, theirs with 64 bits", ours, PEER, _best(lambda: _their_epoch(wide, y))
    )


def _best(task: Callable[[], float]) -> float:
    return min(task() for _ in range(REPEATS))


def _by_example(sizes: tuple[int, ...], X: Any, T: Any, epochs: int) -> float:
    from induce.neural import Network, NetworkObjective

    network = Network.layered(*sizes)
    objective = NetworkObjective(network, X, T)
    w, memory = np.random.default_rng(0).uniform(-0.1, 0.1, network.n_weights), np.zeros(network.n_weights)
    order = np.tile(np.arange(len(X)), epochs)
    rates = np.full(len(order), 0.01)
    objective.epoch(w, memory, order, rates, 0.0)  # compiles
    start = time.process_time()
    objective.epoch(w, memory, order, rates, 0.0)
    return (time.process_time() - start) / len(order)


def _theirs(n_hidden: int, X: Any, T: Any, epochs: int) -> float:
    from sklearn.neural_network import MLPRegressor

    peer = MLPRegressor(
        hidden_layer_sizes=(n_hidden,),
        activation="logistic",
        solver="sgd",
        batch_size=1,
        learning_rate_init=0.01,
        momentum=0,
        nesterovs_momentum=False,
        max_iter=epochs,
        tol=0,
        n_iter_no_change=10**9,
        alpha=0,
    )
    with warnings.catch_warnings(action="ignore"):
        start = time.process_time()
        peer.fit(X, T if T.shape[1] > 1 else T[:, 0])
        return (time.process_time() - start) / (epochs * len(X))


def _epoch(X: Any, y: Any) -> float:
    from induce.neural import Network, NetworkObjective
    from induce.neural.initial import initial_weights
    from induce.optimise import Stop, descend

    network = Network.layered(784, 300, 10, output="softmax")
    T = np.eye(10, dtype=np.float32)[y]
    objective = NetworkObjective(network, X, T, "cross_entropy", 1e-4, None, True, np.float32)
    start_at = initial_weights(network, "glorot", np.random.default_rng(0))
    start = time.process_time()
    descend(
        objective,
        start_at,
        direction="adam",
        distance=0.001,
        batch_size=200,
        stop=Stop(max_epochs=2),
        running=True,
    )
    return (time.process_time() - start) / 2


def _their_epoch(X: Any, y: Any) -> float:
    from sklearn.neural_network import MLPClassifier

    peer = MLPClassifier(
        hidden_layer_sizes=(300,),
        activation="logistic",
        batch_size=200,
        max_iter=2,
        tol=0,
        n_iter_no_change=99,
    )
    with warnings.catch_warnings(action="ignore"):
        start = time.process_time()
        peer.fit(X, y)
        return (time.process_time() - start) / 2


def promoters(folder: Path, seeds: int = 10) -> Section:
    """Leave-one-out errors on the promoters, defaults, one hidden layer."""
    import polars as pl

    import induce

    table = pl.read_csv(folder / "tables" / "promoters.csv")
    X, y = table.drop("promoter", "name"), table["promoter"].to_numpy()
    errors = []
    for seed in range(seeds):
        wrong = 0
        for row in range(len(X)):
            kept = np.arange(len(X)) != row
            fitted = induce.NeuralNetworkClassifier(random_state=seed).fit(X.filter(kept), y[kept])
            wrong += int(fitted.predict(X[row : row + 1])[0] != y[row])
        errors.append(wrong)
    mean = float(np.mean(errors))
    row = Row(f"mean errors of {seeds} seeds", f"{mean:.1f}", "published 8", "", "≤ 8", mean <= 8.0)
    return Section(
        "Neural networks: promoters",
        "106 sequences of 57 letters, left out one at a time; `NeuralNetworkClassifier()` as it is.",
        (row,),
    )
