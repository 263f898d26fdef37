"""Shape matching: points, contexts, assignment, spline and the vote behind a shortlist."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.core.loops import compiled
from induce.data.images import generated_digits
from induce.instances.shapes._loops import chi_square, contexts
from induce.instances.shapes.matching import INNER, OUTER, around, differences, match, spline
from induce.instances.shapes.neighbors import ShapeNeighbors
from induce.instances.shapes.points import shapes_of, spread_points


@pytest.fixture(scope="module")
def digits() -> Any:
    data = generated_digits(90, random_state=1)
    return data.grid.images(data.X), data.y.to_list()


def ring(n: int, size: float = 1.0) -> Any:
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False) + 0.1
    return size * np.column_stack([np.sin(angle), np.cos(angle)])


def test_contexts_do_not_follow_place_and_size() -> None:
    points = np.random.default_rng(0).normal(size=(12, 2))
    found = around(points)
    assert np.allclose(found, around(3.0 * points + 7.0))
    assert (found.sum(axis=1) <= 1 + 1e-12).all()
    assert found.shape == (12, 60)


def test_contexts_count_rings_and_sectors() -> None:
    points = np.array([[0.0, 0.0], [0.0, 2.0], [0.5, 0.0]])
    found = around(points)[0].reshape(5, 12)
    # one point to the right (sector 0), one below (a quarter turn: sector 3), nearer
    assert found[:, 0].sum() == found[:, 3].sum() == 0.5
    assert found[:, 0].argmax() > found[:, 3].argmax()


def test_costs_are_half_of_chi_square() -> None:
    a, b = np.array([[0.5, 0.5, 0.0]]), np.array([[0.5, 0.0, 0.5], [0.5, 0.5, 0.0]])
    assert differences(a, b).tolist() == [[0.5, 0.0]]


def test_a_spline_meets_its_targets_and_bends_only_where_it_must() -> None:
    points = ring(9)
    turned = points @ np.array([[0.8, -0.6], [0.6, 0.8]]) * 2.0 + 1.0
    plane = spline(points, turned)
    assert np.allclose(plane(points), turned, atol=1e-5)
    assert np.allclose(plane(np.zeros((1, 2))), 1.0, atol=1e-5)
    assert plane.energy < 1e-9
    bent = turned + np.column_stack([np.zeros(9), np.arange(9) % 2])
    exact = spline(points, bent)
    assert np.allclose(exact(points), bent, atol=1e-4)
    stiff = spline(points, bent, stiffness=5.0)
    assert stiff.energy < exact.energy
    assert np.abs(stiff(points) - bent).max() > 0.1


def test_points_are_spread_and_repeated_where_there_are_few() -> None:
    line = np.column_stack([np.zeros(101), np.arange(101.0)])
    assert sorted(spread_points(line, 5)[:, 1].tolist()) == [0, 25, 50, 75, 100]
    assert len(spread_points(line[:2], 5)) == 5


@pytest.mark.compiled
def test_a_digit_is_nearer_to_its_own_kind(digits: Any) -> None:
    images, labels = digits
    shapes = shapes_of(images[:30], 40)
    assert match(shapes[0], shapes[0]).distance < 1e-6
    same, other = [], []
    for j in range(1, 30):
        (same if labels[j] == labels[0] else other).append(match(shapes[j], shapes[0]).distance)
    assert same
    assert np.mean(same) < 0.9 * np.mean(other)


@pytest.mark.compiled
def test_matched_digits_vote(digits: Any) -> None:
    images, labels = digits
    stored = ShapeNeighbors(images[:70], labels[:70], shortlist=6, n_points=40)
    assert stored.recall(images[70:], labels[70:]) == 1.0
    assert (stored.predict(images[70:]) == labels[70:]).mean() >= 0.9
    first = stored.matches(images[70])
    assert [m.distance for _, m in first] == sorted(m.distance for _, m in first)
    assert np.allclose(stored.predict_proba(images[70:72]).sum(axis=1), 1.0)


def test_a_shortlist_of_one_class_needs_no_matching(digits: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    images, labels = digits
    kind = [k for k, label in enumerate(labels) if label == labels[0]]
    other = next(k for k, label in enumerate(labels) if label != labels[0])
    stored = ShapeNeighbors(images[[*kind, other]], [labels[k] for k in [*kind, other]], shortlist=3)
    monkeypatch.setattr("induce.instances.shapes.neighbors.match", None)
    assert sorted(stored.predict_proba(images[kind[:1]])[0].tolist()) == [0.0, 1.0]


@pytest.mark.compiled
def test_dummies_take_points_that_fit_nowhere(digits: Any) -> None:
    images, _ = digits
    (plain,) = shapes_of(images[:1], 60)
    blotted = images[:1].copy()
    blotted[0, :5, :5] = 255
    found = match(shapes_of(blotted, 60)[0], plain)
    assert (found.pairs < 0).any()
    assert (match(plain, plain).pairs == np.arange(60)).all()
    paired = found.pairs[found.pairs >= 0]
    assert len(set(paired.tolist())) == len(paired) >= 45


@pytest.mark.compiled
def test_compiled_loops_give_the_same() -> None:
    points = np.random.default_rng(0).normal(size=(20, 2))
    plain = contexts(points, 5, 12, INNER, OUTER)
    assert (compiled(contexts)(points, 5, 12, INNER, OUTER) == plain).all()
    assert (compiled(chi_square)(plain, plain[:7]) == chi_square(plain, plain[:7])).all()


def test_what_cannot_be_matched() -> None:
    blank = np.zeros((1, 9, 9), np.uint8)
    with pytest.raises(InputError, match="image 0 has no edges"):
        shapes_of(blank)
    with pytest.raises(InputError, match="1 images and 2 labels"):
        ShapeNeighbors(blank, [1, 2])
    square = blank.copy()
    square[0, 3:6, 3:6] = 255
    with pytest.raises(InputError, match="sample the same number"):
        match(shapes_of(square, 5)[0], shapes_of(square, 6)[0])
