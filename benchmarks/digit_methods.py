"""The recognisers of the digit study (AIMA 18.11.1): how each is trained, and what it says of images."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from induce import NeuralNetworkClassifier
from induce.data.images.distortions import Distortions
from induce.data.images.grid import Grid
from induce.data.images.transformations import Centre, Coarsen, Crop, Deslant

SEED = 1
Look = Callable[[Any], Any]
"""From images of 28 x 28 bytes to rows of numbers."""


@dataclass
class Recogniser:
    """A trained learner, and how images become its rows."""

    model: Any
    look: Look
    training: float | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def scores(self, images: Any) -> Any:
        """What speaks for each of the ten digits, an image a row."""
        found = [self.model.predict_proba(self.look(part)) for part in blocks(images)]
        return np.concatenate(found)


class Method(NamedTuple):
    """A row of the study: what the book prints, what is to be reached, and how it is trained."""

    title: str
    book: str
    goal: float
    learn: Callable[..., Any]
    n_stored: int = 60_000
    n_asked: int = 10_000
    first: str = ""
    """A method whose hypothesis it goes on from."""


def blocks(images: Any, size: int = 2_500) -> Iterator[Any]:
    """Some images at a time."""
    return (images[start : start + size] for start in range(0, len(images), size))


def plain(images: Any) -> Any:
    """Pixels from 0 to 1."""
    return images.reshape(len(images), -1) / 255.0


def upright(images: Any) -> Any:
    """The deslanted digit in its box of 20 x 20, from 0 to 1."""
    return plain(Crop(20, 20)(Deslant()(images)))


def coarse(images: Any) -> Any:
    """Means of 16 x 16 blocks on a field of 32 x 32, from -1 to 1."""
    return plain(Coarsen(2)(Centre(32, 32)(images))) * 2.0 - 1.0


def neighbours(look: Look) -> Callable[[Any, Any], Recogniser]:
    """Three neighbours by the Euclidean distance."""

    def learn(images: Any, digits: Any) -> Recogniser:
        from induce import KNeighborsClassifier

        learner = KNeighborsClassifier(3, metric="euclidean")
        return Recogniser(learner.fit(look(images), digits), look)

    return learn


def _adam(learner: Any, rounds: Iterator[Any] | Sequence[Any], digits: Any, top: float) -> Any:
    """One pass over each set of rows, the rate falling to 0 along half a cosine."""
    rounds = list(rounds) if not isinstance(rounds, _Rounds) else rounds
    for k, rows in enumerate(rounds):
        rate = top * (0.5 + 0.5 * np.cos(np.pi * k / len(rounds))) + 1e-5
        learner.set_params(learning_rate=float(rate)).partial_fit(rows, digits, classes=np.arange(10))
    return learner


class _Rounds:
    """Rows of each epoch: distorted anew, or always the same."""

    def __init__(self, images: Any, look: Look, n: int, distort: Distortions | None = None) -> None:
        self.images, self.look, self.n, self.distort = images, look, n, distort

    def __len__(self) -> int:
        return self.n

    def __iter__(self) -> Iterator[Any]:
        same = self.look(self.images) if self.distort is None else None
        for k in range(self.n):
            yield same if self.distort is None else self.look(self.distort(self.images, k))


def n_passes(epochs: int, n: int) -> int:
    """Return the number of passes over n digits; small sets get more, up to eight times."""
    return epochs * max(1, min(8, round((60_000 / n) ** 0.5)))


def network(
    look: Look, epochs: int, distort: Distortions | None = None, rate: float = 0.002, **settings: Any
) -> Callable[[Any, Any], Recogniser]:
    """A network by Adam in batches of 100; small sets get more passes."""

    def learn(images: Any, digits: Any) -> Recogniser:
        from induce import NeuralNetworkClassifier

        given = {key: value() if key == "network" else value for key, value in settings.items()}
        learner = NeuralNetworkClassifier(
            solver="adam",
            batch_size=100,
            precision="single",
            scale=None,
            tol=0.0,
            random_state=SEED,
            **{"weight_decay": 0.0, **given},
        )
        rounds = _Rounds(images, look, n_passes(epochs, len(images)), distort)
        return Recogniser(_adam(learner, rounds, digits, rate), look)

    return learn


def small(epochs: int, distort: Distortions | None) -> Callable[[Any, Any], Recogniser]:
    """The LeNet with hidden layers of 768, 192 and 30 units."""
    from induce.neural.lenet import small_lenet

    return network(coarse, epochs, distort, 0.004, network=small_lenet)


def large(epochs: int, distort: Distortions | None) -> Callable[[Any, Any], Recogniser]:
    """LeNet-5."""
    from induce.neural.lenet import lenet5

    return network(plain, epochs, distort, 0.003, network=lambda: lenet5(side=28))


def machine(look: Look, gamma: float, C: float) -> Callable[[Any, Any], Recogniser]:
    """A support vector machine with a Gaussian kernel."""

    def learn(images: Any, digits: Any) -> Recogniser:
        from induce import SVM
        from induce.kernels import Gaussian

        learner = SVM(kernel=Gaussian(gamma), C=C, scale=None, cache_size=700)
        return Recogniser(learner.fit(look(images), digits), look)

    return learn


def virtual(gamma: float, C: float) -> Callable[[Any, Any], Recogniser]:
    """Support vectors of deslanted digits, moved by one pixel in four directions and learned from again."""

    def learn(images: Any, digits: Any) -> Recogniser:
        from induce import VirtualSVM
        from induce.kernels import Gaussian, Shifts

        def look(some: Any) -> Any:
            return plain(Crop(22, 22)(Deslant()(some)))

        learner = VirtualSVM(Shifts((22, 22)), kernel=Gaussian(gamma), C=C, scale=None, cache_size=700)
        return Recogniser(learner.fit(look(images), digits), look)

    return learn


class DistortedPasses(NeuralNetworkClassifier):
    """A member of the boosted: it distorts its images slightly in each pass, and its rate falls to 0."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> DistortedPasses:
        """Learn from pixels from 0 to 1."""
        images = np.rint(255.0 * np.asarray(X).reshape(-1, 28, 28)).astype(np.uint8)
        learner = NeuralNetworkClassifier(**self.get_params(deep=False)).set_params(max_epochs=1)
        rounds = _Rounds(images, plain, n_passes(self.max_epochs, len(images)), SLIGHT)
        self.hypothesis_ = _adam(learner, rounds, np.asarray(y), 0.003).hypothesis_
        self.classes_ = learner.classes_
        return self


_boosted: dict[int, tuple[Any, float]] = {}
"""Trained members by the number of digits, and their training time: both ways to combine them need them."""


def boosted(combine: str, epochs: int, n: int = 10_000) -> Callable[[Any, Any, Any], Recogniser]:
    """LeNet-5 and two more from n distorted digits each, of an endless stream that those before filter.

    The first errs on one in a hundred, so that many more than n are looked at.
    """

    def learn(images: Any, digits: Any, first: Any) -> Recogniser:
        start = time.process_time()
        if len(images) not in _boosted:
            _boosted[len(images)] = filtered(images, digits, first, epochs, n), time.process_time() - start
        learner, training = _boosted[len(images)]
        found = learner.hypothesis_
        weights = np.ones(len(found.members))
        weights[0] = 1.5 if combine == "vote" else 1.0
        found = replace(found, combine=combine, weights=weights)
        model = SimpleNamespace(hypothesis_=found, predict_proba=found.predict_proba)
        return Recogniser(model, plain, training, {"looked": learner.looked_})

    return learn


def filtered(images: Any, digits: Any, first: Any, epochs: int, n: int) -> Any:
    """Boosting by filtering of LeNet-5, the first of which is given."""
    from induce import BoostingByFiltering
    from induce.neural.lenet import lenet5

    member = DistortedPasses(
        network=lenet5(side=28),
        solver="adam",
        batch_size=100,
        precision="single",
        scale=None,
        max_epochs=epochs,
        tol=0.0,
        weight_decay=0.0,
        random_state=SEED,
    )
    grid = Grid(*images.shape[1:])
    stream = ((plain(grid.images(X)), y) for X, y in DISTORTIONS.stream(images, digits, 4_000))
    learner = BoostingByFiltering(member, n_examples=n, random_state=SEED)
    return learner.fit_stream(stream, classes=list(range(10)), first=first)


def shapes(shortlist: int) -> Callable[[Any, Any], Any]:
    """Three neighbours by shape matching, of a shortlist by deslanted pixels."""

    def learn(images: Any, digits: Any) -> Any:
        from induce.instances.shapes.neighbors import ShapeNeighbors

        return _Shapes(ShapeNeighbors(images, digits.tolist(), shortlist=shortlist))

    return learn


class _Shapes:
    """Stored digits: nothing is trained, and the model is what is stored."""

    model = training = None

    def __init__(self, stored: Any) -> None:
        self.stored = stored
        self.more: dict[str, Any] = {}

    def scores(self, images: Any) -> Any:
        return self.stored.predict_proba(images)


SLIGHT = Distortions(shift=0.5, angle=4.0, scale=0.04, slant=0.05, random_state=SEED)
MILD = Distortions(shift=1.0, angle=7.0, scale=0.08, slant=0.1, random_state=SEED)
DISTORTIONS = Distortions(shift=1.5, angle=10.0, scale=0.12, slant=0.15, random_state=SEED)

FIRST = "lenet-5"
"""What the boosted go on from."""

METHODS: dict[str, Method] = {
    "3-nn": Method("3-NN, raw pixels", "-", 3.1, neighbours(plain)),
    "3-nn-deslanted": Method("3-NN, deslanted", "2.4", 2.4, neighbours(upright)),
    "net": Method("784-300-10, raw pixels", "-", 2.0, network(plain, 20, hidden=300, unit="rectified")),
    "net-deslanted": Method("400-300-10, deslanted", "1.6", 1.6, network(upright, 20, hidden=300, unit="rectified")),
    "svm": Method("SVM, raw pixels", "-", 1.5, machine(plain, 0.02, 10.0)),
    "svm-deslanted": Method("SVM, deslanted", "1.1", 1.2, machine(upright, 0.02, 10.0)),
    "lenet": Method("LeNet 768, 192, 30 with distortions", "-", 1.1, small(30, MILD)),
    "lenet-5": Method("LeNet-5 with distortions", "0.9", 0.9, large(10, DISTORTIONS)),
    "virtual-svm": Method("virtual SVM, deslanted, one pixel", "0.56", 0.8, virtual(0.02, 10.0)),
    "boosted-vote": Method("three LeNet-5 by filtering, vote", "0.7", 0.8, boosted("vote", 10), first=FIRST),
    "boosted-sum": Method("three LeNet-5 by filtering, sum", "0.7", 0.8, boosted("sum", 10), first=FIRST),
    "shapes": Method("shape matching, 3-NN among 20,000 stored", "0.63", 1.0, shapes(20), 20_000, 2_000),
}  # fmt: skip
