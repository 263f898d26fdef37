"""Neural networks beside scikit-learn's and PyTorch's: example by example, in batches, and LeNet-5."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import ROOT, Row, Section, at_most, run, speed

REPEATS = 3
PEER = "scikit-learn"
TORCH = "PyTorch"
SCRIPT = ROOT / "benchmarks" / "peers" / "served" / "torch_networks.py"
UPDATES = {(8, 3, 8): (300.0, 500.0), (10, 4, 1): (300.0, 500.0), (960, 3, 4): (30.0, 60.0)}
"""What an update must be faster by: than scikit-learn's, and than PyTorch's."""


def neural(folder: Path | None, torch: str | None = None, share: float = 1.0) -> Iterator[Section]:
    """Speed per update and per epoch; with data, the promoters left out one at a time."""
    yield Section(
        "Neural networks: speed",
        "Processor time on one thread, the best of three in turn, at the same learning rate. Per "
        "update: online back-propagation with sigmoid units, against `MLPRegressor(batch_size=1)` and "
        "a loop over PyTorch's SGD. Per epoch: 10,000 rows of 784 numeric columns, 300 hidden units, "
        "10 classes, Adam in batches of 200, 32-bit floats for every system, and also 64-bit floats "
        "for scikit-learn, its default. LeNet-5: 2,000 images of 28 x 28, Adam in batches of 100; "
        "PyTorch's C3 is connected to all planes of S2. 106 networks: `train_many` of 228-25-1, 105 rows with 57 "
        "inputs on, 100 epochs each.",
        tuple(_speeds(share, torch)),
    )
    if folder is not None:
        yield promoters(folder)


def _speeds(share: float, torch: str | None) -> Iterator[Row]:
    eight = np.eye(8)
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (100, 10)).astype(np.float64)
    pixels = rng.random((100, 960))
    tables = (
        (eight, eight),
        (bits, (bits.sum(axis=1, keepdims=True) > 5) * 1.0),
        (pixels, rng.random((100, 4))),
    )
    for (sizes, least), (X, T) in zip(UPDATES.items(), tables, strict=True):
        epochs = max(1, round(share * 40_000_000 / (len(X) * sizes[0] * sizes[1] * 10)))
        ours = _best(lambda s=sizes, X=X, T=T, e=epochs: _by_example(s, X, T, e))  # type: ignore[misc]
        theirs = _best(lambda s=sizes, X=X, T=T: _theirs(s[1], X, T, max(1, 400 // len(X))))  # type: ignore[misc]
        what = f"{'x'.join(map(str, sizes))}: one update"
        yield speed(what, ours, PEER, theirs, least[0])
        if torch is not None:
            yield speed(what, ours, TORCH, _torch(torch, "update", *sizes), least[1])
    n = max(400, round(share * 10_000))
    X, y = rng.random((n, 784)).astype(np.float32), rng.integers(0, 10, n)
    ours = _best(lambda: _epoch(X, y))
    yield speed("784-300-10: one epoch, 32 bits", ours, PEER, _best(lambda: _their_epoch(X, y)), 2.5)
    if torch is not None:
        yield speed("784-300-10: one epoch, 32 bits", ours, TORCH, _torch(torch, "epoch", n), 1.0)
    wide = X.astype(np.float64)
    yield speed(
        "784-300-10: one epoch, the peer with 64 bits", ours, PEER, _best(lambda: _their_epoch(wide, y))
    )
    n = max(200, round(share * 2_000))
    if torch is not None:
        ours = _best(lambda: _lenet(X[:n], y[:n]))
        yield speed("LeNet-5: one epoch, 32 bits", ours, TORCH, _torch(torch, "lenet", n), 0.5)
    yield at_most("106 networks, leave-one-out", _left_out(share), 40.0)


def _torch(python: str, *words: object) -> float:
    """Ask a Python that has torch for its best time."""
    return float(json.loads(run([python, str(SCRIPT), *map(str, words)]).stdout.splitlines()[-1]))


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
    from induce.neural import Network

    return _epochs(Network.layered(784, 300, 10, output="softmax"), X, y, 200)


def _lenet(X: Any, y: Any) -> float:
    from induce.neural import lenet5

    return _epochs(lenet5(side=28), X, y, 100)


def _left_out(share: float) -> float:
    from induce.neural import Network, train_many

    rng = np.random.default_rng(0)
    X = np.eye(4)[rng.integers(0, 4, (106, 57))].reshape(106, 228)
    T = rng.integers(0, 2, (106, 1)) * 0.8 + 0.1
    rows = [np.delete(np.arange(106), k) for k in range(max(2, round(share * 106)))]
    network = Network.layered(228, 25, 1)  # the loop is compiled by now
    start = time.process_time()
    train_many(network, X, T, rows, max_epochs=max(1, round(share * 100)), n_jobs=2)
    return time.process_time() - start


def _epochs(network: Any, X: Any, y: Any, size: int) -> float:
    from induce.neural import NetworkObjective
    from induce.neural.initial import initial_weights
    from induce.optimise import Stop, descend

    T = np.eye(10, dtype=np.float32)[y]
    objective = NetworkObjective(network, X, T, "cross_entropy", 1e-4, None, True, np.float32)
    start_at = initial_weights(network, "glorot", np.random.default_rng(0))
    start = time.process_time()
    descend(
        objective,
        start_at,
        direction="adam",
        distance=0.001,
        batch_size=size,
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
        "106 sequences of 57 letters, leave-one-out; `NeuralNetworkClassifier()` with its defaults.",
        (row,),
    )
