"""Perceptrons with kernels, and distances in the space of features."""

import numpy as np
import pytest

import induce
from induce.kernels import Gaussian, KernelPerceptron, Linear, Polynomial, VotedPerceptron, kernel_distance

CORNERS, XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [False, True, True, False]


def test_exclusive_or_is_learned_in_ten_passes():
    """Rows in the order 00, 01, 10, 11; sign(0) is +."""
    learner = KernelPerceptron(kernel=Polynomial(2), scale=None).fit(CORNERS, XOR)
    assert learner.n_iter_ == 10
    assert learner.hypothesis_.support_vectors()["alpha"].to_list() == [7, 5, 5, 4]
    assert learner.predict(CORNERS).tolist() == XOR


def test_a_plane_never_learns_it():
    with pytest.warns(induce.Note, match="still makes mistakes after 200 passes"):
        learner = KernelPerceptron(kernel=1 + Linear(), scale=None, max_iter=200).fit(CORNERS, XOR)
    assert learner.score(CORNERS, XOR) < 1


def by_the_book(K, y, passes):
    """The dual perceptron, row by row."""
    counts, sequence = np.zeros(len(y)), []
    for _ in range(passes):
        for i in range(len(y)):
            said = 1.0 if counts @ (y * K[:, i]) >= 0 else -1.0
            if said != y[i]:
                counts[i] += 1
                sequence.append([i, 0])
            if sequence:
                sequence[-1][1] += 1
    return counts, sequence


def test_row_by_row():
    random = np.random.default_rng(0)
    X, labels = random.normal(size=(40, 2)), random.integers(0, 2, 40)
    K = Gaussian(1.0)(X)
    counts, sequence = by_the_book(K, np.where(labels, 1.0, -1.0), 7)
    with pytest.warns(induce.Note, match="still makes mistakes"):
        machine = KernelPerceptron(kernel=Gaussian(1.0), scale=None, max_iter=7).fit(X, labels).hypothesis_
    assert dict(zip(machine.rows.tolist(), np.abs(machine.separators[0].coefficients), strict=True)) == {
        i: count for i, count in enumerate(counts) if count
    }
    voted = VotedPerceptron(kernel=Gaussian(1.0), scale=None, max_iter=7).fit(X, labels).hypothesis_
    separator = voted.separators[0]
    assert voted.rows[separator.support].tolist() == [i for i, _ in sequence]
    assert separator.survival.tolist() == [lived for _, lived in sequence]
    votes = np.zeros(40)
    for k in range(len(sequence)):
        mistaken = [i for i, _ in sequence[: k + 1]]
        sums = np.where(labels[mistaken], 1.0, -1.0) @ K[mistaken]
        votes += sequence[k][1] * np.where(sums >= 0, 1, -1)
    np.testing.assert_allclose(voted.decision_function(X), votes / sum(lived for _, lived in sequence))


def test_several_classes_and_mistakes_told():
    X, y = induce.dataset("iris")
    with induce.trace(only="mistake") as events:
        learner = KernelPerceptron(max_iter=300).fit(X, y)
    assert learner.score(X, y) > 0.95
    assert events[0]["epoch"] == 1
    assert len(events) == sum(np.abs(each.coefficients).sum() for each in learner.hypothesis_.separators)
    assert VotedPerceptron().fit(X, y).score(X, y) > 0.9


def test_bad_parameters():
    for learner in (KernelPerceptron, VotedPerceptron):
        with pytest.raises(induce.InputError, match="max_iter is 0"):
            learner(max_iter=0).fit(CORNERS, XOR)
        with pytest.raises(induce.InputError, match="kernel is 'none'"):
            learner(kernel="none").fit(CORNERS, XOR)


@pytest.mark.parametrize(("kernel", "square"), [(Polynomial(2), 149), (Polynomial(2, offset=0), 123)])
def test_distances_in_the_space_of_features(kernel, square):
    metric = kernel_distance(kernel)
    assert metric([1.0, 2.0], [3.0, -1.0]) ** 2 == pytest.approx(square)
    f, g = kernel.features([[1.0, 2.0], [3.0, -1.0]])
    assert ((f - g) ** 2).sum() == pytest.approx(square)


def test_neighbours_by_a_kernel():
    X, y = induce.dataset("iris")
    rows = X.to_numpy()
    found = kernel_distance(Gaussian(0.5)).between(rows, rows)
    assert found.shape == (150, 150)
    assert np.diag(found) == pytest.approx(0, abs=1e-6)
    nearest = np.argsort(found + 9 * np.eye(150), axis=1)[:, 0]
    assert (y.to_numpy()[nearest] == y.to_numpy()).mean() > 0.9
    with pytest.raises(induce.InputError, match="it is not a dot product"):
        kernel_distance(induce.kernels.Function(lambda x, z: -float(x @ z)))([1.0], [3.0])


def test_learners_of_neighbours_take_it():
    X, y = induce.dataset("iris")
    metric = kernel_distance(Gaussian(0.5))
    learner = induce.KNeighborsClassifier(metric=metric).fit(X[::3], y[::3])
    assert learner.score(X[1::9], y[1::9]) > 0.8


@pytest.mark.parametrize("learner", [induce.KernelPerceptron, induce.VotedPerceptron])
@pytest.mark.parametrize("y", [[0, 0, 0, 1], [0, 1, 1, 1], [1, 0, 0, 0]])
def test_the_linear_kernel_has_a_bias(learner, y):
    """Without one no line through the origin is AND."""
    X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert learner(kernel="linear", scale=None).fit(X, y).predict(X).tolist() == y
