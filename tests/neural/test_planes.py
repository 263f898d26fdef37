"""Links through windows: convolution, pooling, and LeNet (LeCun et al. 1989, 1998; AIMA §18.11)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.neural import (
    Group,
    Link,
    Network,
    NetworkObjective,
    Window,
    gradient_check,
    hessian_diagonal,
    lenet5,
    small_lenet,
)
from induce.neural.initial import initial_weights


def planes(unit: str = "tanh", stride: int = 1, padding: int = 1, **more: Any) -> Network:
    pixels = Group.planes("pixels", (2, 6, 5), "input")
    c, to_c = pixels.convolved(
        "C", 3, Window((3, 2), (stride, stride), (padding, padding), sees=((0,), (0, 1), (1,))), unit, **more
    )
    s, to_s = c.pooled("S", 2, unit)
    return Network.of([pixels, c, s, Group("o", 2)], [to_c, to_s, Link("S", "o"), Link("pixels", "o")])


def drawn(network: Network, seed: int = 0) -> Network:
    rng = np.random.default_rng(seed)
    return network.with_weights(rng.normal(0, 0.5, network.n_weights))


def as_places(network: Network) -> Network:
    """The same network, with each window written out as a table of connections."""
    links = []
    for link in network.links:
        if link.window is None:
            links.append(link)
            continue
        place = next(k for k, group in enumerate(network.groups) if group.name == link.target)
        made = next(e for e in network.plan.into[place] if network.groups[e.source].name == link.source)
        places = np.full((network.group(link.source).size, network.group(link.target).size), -1)
        source, target, weight = made.connections
        places[source, target] = weight
        links.append(Link(link.source, link.target, places))
    return Network.of(network.groups, links, network.outputs, network.weights)


@pytest.mark.parametrize("more", [{}, {"stride": 2}, {"padding": 0}, {"plane_bias": False}])
def test_windows_are_tables_of_shared_weights(more: dict[str, Any]) -> None:
    network = drawn(planes(**more))
    X, T = np.random.default_rng(1).normal(size=(4, 60)), np.random.default_rng(2).random((4, 2))
    written = as_places(network)
    assert np.allclose(network(X), written(X), atol=1e-12)
    own, other = (NetworkObjective(each, X, T).gradient(network.weights)[1] for each in (network, written))
    assert np.allclose(own, other, atol=1e-12)
    assert np.allclose(hessian_diagonal(network, X, T), hessian_diagonal(written, X, T), atol=1e-12)


def test_gradient_by_finite_differences() -> None:
    network = drawn(planes("sigmoid"))
    X, T = np.random.default_rng(1).normal(size=(3, 60)), np.random.default_rng(2).random((3, 2))
    assert gradient_check(network, X, T).holds


def test_example_by_example_is_the_same_as_batches_of_one() -> None:
    network = drawn(planes())
    X, T = np.random.default_rng(1).normal(size=(2, 60)), np.random.default_rng(2).random((2, 2))
    objective = NetworkObjective(network, X, T)
    by_loop, by_batch = network.weights.copy(), network.weights.copy()
    objective.epoch(by_loop, np.zeros(network.n_weights), np.arange(2), np.full(2, 0.1), 0.0)
    for row in range(2):
        by_batch -= 0.1 * objective.gradient(by_batch, np.array([row]))[1]
    assert np.allclose(by_loop, by_batch, atol=1e-12)


def test_what_a_window_sees() -> None:
    pixels = Group.planes("x", (1, 3, 3), "input")
    c, link = pixels.convolved("c", 1, Window((2, 2)), "linear")
    network = Network.of([pixels, c], [link], weights=[10.0, 1.0, 2.0, 3.0, 4.0])
    assert network(np.arange(9.0)).tolist() == [[37.0, 47.0, 67.0, 77.0]]  # bias 10, then row by row
    assert network.kernels(("x", "c")).tolist() == [[[[1.0, 2.0], [3.0, 4.0]]]]
    assert network.get("c").tolist() == [10.0] * 4
    pool, to_pool = pixels.pooled("p", 3, "linear")
    gain = Network.of([pixels, pool], [to_pool], weights=[0.5, 2.0 / 9.0])
    assert gain(np.arange(9.0)).round(12).tolist() == [[8.5]]  # half, and twice the mean


def test_published_sizes() -> None:
    """LeNet-5: 60,000 weights (156, 12, 1516, 32, 48120, 10164 and ours of the outputs); LeCun 1989: 9760."""
    big, small = lenet5(), small_lenet()
    sizes = [
        sum(
            (part := big.plan.blocks[key]).stop - part.start
            for key in big.plan.blocks
            if key == name or (isinstance(key, tuple) and key[1] == name)
        )
        for name in ("C1", "S2", "C3", "S4", "C5", "F6", "outputs")
    ]
    assert sizes == [156, 12, 1516, 32, 48120, 10164, 850]
    assert [group.size for group in small.groups] == [256, 768, 192, 30, 10]
    assert small.n_weights == 9760
    assert lenet5(side=28).n_weights == big.n_weights


def test_a_border_instead_of_a_larger_picture() -> None:
    big, small = lenet5(3), lenet5(3, side=28)
    weights = initial_weights(big, "glorot", np.random.default_rng(0))
    picture = np.random.default_rng(1).random((1, 28, 28))
    wide = np.zeros((1, 32, 32))
    wide[:, 2:30, 2:30] = picture
    ours = small.with_weights(weights)(picture.reshape(1, -1))
    assert np.allclose(ours, big.with_weights(weights)(wide.reshape(1, -1)), atol=1e-12)


def stripes(n: int, seed: int) -> tuple[Any, Any]:
    """Pictures of 16 x 16: an upright or a lying stripe at a random place, with noise."""
    rng = np.random.default_rng(seed)
    pictures, classes = rng.normal(0, 0.2, (n, 16, 16)), rng.integers(0, 3, n)
    for picture, kind in zip(pictures, classes, strict=True):
        at = rng.integers(2, 14)
        if kind == 1:
            picture[:, at] += 1.0
        elif kind == 2:
            picture[at] += 1.0
    return pictures.reshape(n, -1), classes


@pytest.mark.slow
def test_the_classifier_trains_planes(tmp_path: Any) -> None:
    X, y = stripes(60, 0)
    learner = induce.NeuralNetworkClassifier(
        network=small_lenet(3),
        solver="adam",
        learning_rate=0.005,
        batch_size=20,
        max_epochs=12,
        scale=None,
        precision="single",
    ).fit(X, y)
    assert (learner.predict(X) == y).mean() > 0.9
    induce.save(learner, tmp_path / "planes.induce")
    again = induce.load(tmp_path / "planes.induce")
    assert again.hypothesis_.network == learner.hypothesis_.network
    assert np.array_equal(again.predict(X), learner.predict(X))
    assert str(learner.hypothesis_).endswith("more units")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Window(0), "kernel of a window is 0"),
        (lambda: Window((7, 7)).target((1, 5, 5), 1), "does not fit into planes of 5 x 5"),
        (
            lambda: Network.of([Group("x", 4, "input"), Group("y", 1)], [Link("x", "y", window=Window(2))]),
            "have no shape",
        ),
        (
            lambda: Network.of(
                [Group.planes("x", (1, 4, 4), "input"), Group.planes("y", (1, 2, 2))],
                [Link("x", "y", window=Window((2, 2)))],
            ),
            "gives 3 x 3 units per plane",
        ),
        (lambda: lenet5(side=20), "side is 20"),
    ],
)
def test_windows_that_do_not_fit(make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()
