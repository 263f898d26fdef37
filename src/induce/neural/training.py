"""Training of networks on arrays: a single network, or many of the same shape in parallel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from induce.core import parallel
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.neural.initial import initial_weights
from induce.neural.network import Network
from induce.neural.objective import NetworkObjective
from induce.neural.slopes import Slopes
from induce.optimise.descent import Descent, descend
from induce.optimise.stopping import Stop

RATES = {"gradient": 0.1, "adam": 0.003}


def train(
    network: Network,
    X: Any,
    T: Any,
    *,
    loss: str = "squared",
    slopes: Slopes | None = None,
    weight_decay: float = 0.0,
    row_weights: Any = None,
    solver: str = "lbfgs",
    learning_rate: float | None = None,
    momentum: float = 0.0,
    batch_size: int | None = None,
    init: float | str | None = "glorot",
    max_epochs: int = 300,
    tol: float = 1e-9,
    every: int | None = None,
    random_state: RandomState = 0,
) -> tuple[Network, Descent]:
    """Return a network trained on inputs and targets, and the training record.

    Parameters
    ----------
    network : Network
        Network to train; its frozen weights are not changed.
    X, T : array
        Inputs and targets, one row per example; inputs may be a sparse matrix.
    loss : {"squared", "cross_entropy"}
        Error of an example.
    slopes : Slopes, optional
        Target slopes of the network at the examples.
    weight_decay : float
        Penalty on the sum of squared weights.
    row_weights : array, optional
        Weight of each example.
    solver : str
        Optimisation algorithm; see `induce.optimise.descend`.
    learning_rate : float, optional
        Step size; by default 0.1 for gradient and 0.003 for adam.
    momentum : float
        Fraction of the previous step added to each step.
    batch_size : int, optional
        Number of rows per update; by default 1 for gradient, 200 for adam, and all rows for the others.
    init : float, "glorot", "zero_inputs" or None
        Range or distribution of the initial weights; None starts from those of the network.
    max_epochs : int
        Maximum number of passes over the rows.
    tol : float
        Smallest decrease of the loss that counts as progress; 0 trains for all epochs.
    every : int, optional
        Number of epochs between checks of the loss; by default a hundredth of `max_epochs`, or 1 with full batches.
    random_state : int, Generator or None
        Random seed of the initial weights and of the order of rows.

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> network, course = train(Network.layered(2, 1), X, [[0], [1], [1], [1]])
    >>> network(X).round().ravel().tolist()
    [0.0, 1.0, 1.0, 1.0]
    """
    by_batches = solver in RATES
    objective = NetworkObjective(network, X, T, loss, weight_decay, row_weights, average=True, slopes=slopes)
    if batch_size is None and by_batches:
        batch_size = 1 if solver == "gradient" else min(200, objective.n_rows)
    rng = generator(random_state)
    checks = (max(1, max_epochs // 100) if by_batches else 1) if every is None else every
    found = descend(
        objective,
        network.weights if init is None else initial_weights(network, init, rng),
        direction=solver,
        distance=RATES.get(solver) if learning_rate is None else learning_rate,
        momentum=momentum,
        batch_size=batch_size,
        stop=Stop(max_epochs=max_epochs, every=checks, tolerance=tol, patience=5 if tol else None),
        random_state=rng,
    )
    return network.with_weights(found.w if by_batches else found.best_w), found


def train_many(
    network: Network,
    X: Any,
    T: Any,
    rows: Sequence[Any],
    *,
    seeds: Sequence[int] | None = None,
    n_jobs: int | None = None,
    solver: str = "gradient",
    max_epochs: int = 300,
    tol: float = 0.0,
    **settings: Any,
) -> tuple[Network, ...]:
    """Return networks of the same shape, each trained on a subset of the rows: folds, left-out rows, or restarts.

    Each network equals the result of `train` for its rows and seed, whatever `n_jobs`.

    Parameters
    ----------
    network : Network
        Network to train; its frozen weights are not changed.
    X, T : array
        Inputs and targets of all rows.
    rows : sequence of array of int
        Rows of each network.
    seeds : sequence of int, optional
        Random seed of each network; 0, 1, 2 and so on by default.
    n_jobs : int, optional
        Number of threads.
    solver : str
        Optimisation algorithm; see `induce.optimise.descend`.
    max_epochs : int
        Maximum number of passes over the rows.
    tol : float
        Smallest decrease of the loss that counts as progress; 0 trains for all epochs.
    **settings
        Further arguments of `train`.

    Examples
    --------
    >>> X, T = [[0.0], [1.0], [2.0]], [[0.1], [0.5], [0.9]]
    >>> left_out = [[1, 2], [0, 2], [0, 1]]
    >>> len(train_many(Network.layered(1, 1), X, T, left_out, max_epochs=10))
    3
    """
    X = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X, np.float64)
    T = np.asarray(T, np.float64)
    given = range(len(rows)) if seeds is None else seeds
    if len(given) != len(rows):
        raise InputError(f"there are {len(given)} seeds for {len(rows)} networks; give one per network")
    weights = settings.pop("row_weights", None)
    if settings.get("slopes") is not None:
        raise InputError("train_many does not support slopes; train each network separately")

    def one(job: tuple[Any, int]) -> Network:
        own = np.asarray(job[0], np.intp)
        return train(
            network,
            X[own],
            T[own],
            row_weights=None if weights is None else np.asarray(weights)[own],
            solver=solver,
            max_epochs=max_epochs,
            tol=tol,
            every=max_epochs if not tol else None,
            random_state=job[1],
            **settings,
        )[0]

    return tuple(parallel.run(one, list(zip(rows, given, strict=True)), n_jobs))
