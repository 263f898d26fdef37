"""Shattering, VC dimensions and growth functions against brute force, and the examples of section 7.4."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from induce.core.errors import InputError
from induce.theory import (
    conjunction_table,
    dichotomies,
    growth_function,
    sauer,
    shattering,
    vc_dimension,
)

TABLES = st.tuples(st.integers(1, 24), st.integers(1, 6)).flatmap(lambda shape: arrays(np.bool_, shape))
INTERVALS = [[int(a <= x <= b) for x in range(6)] for a in range(6) for b in range(6)]


def made(table, points):
    return len({tuple(row[list(points)].tolist()) for row in table})


@given(TABLES)
def test_against_brute_force(table):
    n = table.shape[1]
    most = [max(made(table, points) for points in combinations(range(n), m)) for m in range(n + 1)]
    growth = growth_function(table)
    assert list(growth.dichotomies) == most
    dimension = max(m for m in range(n + 1) if most[m] == 2**m)
    found = vc_dimension(table)
    assert (found.value, growth.vc) == (dimension, dimension)
    assert len(found.witness) == dimension
    assert shattering(table, found.witness).shattered
    assert found.value <= math.log2(found.n_hypotheses)
    assert all(made_here <= bound for made_here, bound in zip(most, growth.sauer, strict=True))


@given(TABLES)
def test_every_dichotomy_is_made_or_missing(table):
    found = shattering(table)
    assert len(found.witness) + len(found.missing) == 2 ** table.shape[1]
    for labels, row in found.witness.items():
        assert tuple(table[row].astype(int)) == labels
    assert not {tuple(row) for row in table.astype(int).tolist()} & set(found.missing)


def test_a_few_hundred_hypotheses():
    random = np.random.default_rng(0)
    for share in (0.5, 0.2):
        table = random.random((200, 16)) < share
        found = vc_dimension(table)
        assert shattering(table, found.witness).shattered


def test_the_power_set():
    found = vc_dimension(list(product((0, 1), repeat=10)))
    assert (found.value, found.n_hypotheses) == (10, 1024)


def test_intervals():
    assert vc_dimension(INTERVALS).value == 2
    assert growth_function(INTERVALS).dichotomies == (1, 2, 4, 7, 11, 16, 22)
    chosen = [(1, 2), (1, 4), (4, 7), (1, 7)]
    table = [[int(low < x < high) for x in (3.1, 5.7)] for low, high in chosen]
    assert shattering(table).shattered
    three = shattering(dichotomies([1.0, 2.0, 3.0], "boxes"))
    assert (len(three.witness), three.missing) == (7, ((1, 0, 1),))


def test_conjunctions_on_three_instances():
    instances = list(product((0, 1), repeat=3))
    chosen = [instances.index(x) for x in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    table = conjunction_table(3)
    assert shattering(table, chosen).shattered
    only_the_second = [x[0] == 0 and x[2] == 0 for x in instances]
    assert any((row == only_the_second).all() for row in table)
    assert [bool(only_the_second[i]) for i in chosen] == [False, True, False]


@pytest.mark.parametrize(
    ("points", "made_of_them"),
    [
        ([[0, 0], [1, 0], [0, 1]], 8),
        ([[0, 0], [1, 1], [2, 2]], 6),
        ([[0, 0], [1, 0], [0, 1], [1, 1]], 14),
        ([[0, 0], [4, 0], [0, 4], [1, 1]], 14),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 16),
    ],
)
def test_half_spaces(points, made_of_them):
    assert len(dichotomies(points, "half-spaces")) == made_of_them


@pytest.mark.parametrize(
    ("points", "made_of_them"),
    [
        ([[1, 0], [0, 1], [-1, 0], [0, -1]], 16),
        ([[1, 0], [0, 1], [-1, 0], [0, -1], [0, 0]], 21),
        ([[0, 0], [1, 0], [0, 1], [1, 1]], 10),
    ],
)
def test_rectangles(points, made_of_them):
    assert len(dichotomies(points, "boxes")) == made_of_them


def test_discs():
    assert len(dichotomies([[0, 0], [1, 0], [0, 1]], "discs")) == 8
    square = dichotomies([[0, 0], [1, 0], [0, 1], [1, 1]], "discs")
    inside = dichotomies([[0, 0], [4, 0], [0, 4], [1, 1]], "discs")
    assert sorted((len(square), len(inside))) == [14, 15]


def test_triangles_on_a_circle():
    """On a circle a region with k cuts leaves out k runs of points; a triangle has three sides."""

    def runs_left_out(labels):
        return sum(
            not here and before for before, here in zip(labels[-1:] + labels[:-1], labels, strict=True)
        )

    assert max(runs_left_out(labels) for labels in product((False, True), repeat=7)) == 3
    assert max(runs_left_out(labels) for labels in product((False, True), repeat=8)) == 4


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=5, unique=True))
def test_half_spaces_of_integer_points_by_another_way(points):
    """The widest gap between two hulls runs along or across a difference of two points, so these are all to try."""
    places = np.array(points)
    differences = (places[:, None] - places[None]).reshape(-1, 2)
    normals = np.vstack([differences, differences[:, ::-1] * (1, -1)])
    heights = np.vstack([normals, -normals]) @ places.T

    def separated(labels):
        inside = np.array(labels)
        if inside.all() or not inside.any():
            return True
        return bool((heights[:, inside].min(axis=1) > heights[:, ~inside].max(axis=1)).any())

    expected = {labels for labels in product((False, True), repeat=len(points)) if separated(labels)}
    assert {tuple(row.tolist()) for row in dichotomies(points, "half-spaces")} == expected


@given(st.integers(0, 30), st.integers(0, 10))
def test_sauer(m, vc):
    bound = sauer(m, vc)
    assert bound <= 2**m
    assert (bound == 2**m) == (m <= vc)
    if m and vc:
        assert bound == sauer(m - 1, vc) + sauer(m - 1, vc - 1)


def test_reports():
    growth = growth_function(INTERVALS)
    assert str(growth).splitlines()[4].split() == ["3", "7", "7", "8"]
    assert "<td>22</td>" in growth._repr_html_()
    assert list(growth.draw().axes[0].lines[2].get_ydata()) == list(growth.dichotomies)
    assert str(vc_dimension([[1, 1]])).startswith("VC dimension 0 over 2 instances: none is shattered")
    assert str(shattering([[0] * 4])).endswith("0110, 0111, 1000, …")


def test_a_search_that_would_take_too_long(monkeypatch):
    from induce.theory import vc as module

    monkeypatch.setattr(module, "MOST_SPLITS", 20)
    with pytest.raises(
        InputError, match="the VC dimension is at least 2, but finding it exactly takes too long"
    ):
        vc_dimension(list(product((0, 1), repeat=6)))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: vc_dimension([]), "hypotheses must be a table"),
        (lambda: vc_dimension([[0, 2]]), "hypotheses must contain only 0 and 1"),
        (lambda: shattering([[0, 1]], [2]), "instances are numbered from 0 to 1"),
        (lambda: shattering([[0] * 30]), "30 instances have 2\\^30 dichotomies"),
        (lambda: growth_function([[0] * 30]), "2\\^30 subsets; give at most 20"),
        (lambda: dichotomies([[0.0, math.nan]], "boxes"), "finite coordinates"),
        (lambda: dichotomies([0.0], "spheres"), "family is 'spheres'"),
        (lambda: sauer(-1, 2), "m is -1"),
    ],
)
def test_bad_input(call, sentence):
    with pytest.raises(InputError, match=sentence):
        call()


def test_dichotomies_with_a_witness_each():
    found = shattering(conjunction_table(3), [0, 3, 7])
    axes = found.draw().axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        str(found.witness.get(labels, "none")) for labels in sorted([*found.witness, *found.missing])
    ]
    assert len(axes.lines) == 8 * 3
    assert len(axes.patches) == len(found.missing) == 1
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "instance 0",
        "instance 3",
        "instance 7",
    ]
    with pytest.raises(InputError, match="at most 64 can be drawn"):
        shattering(np.zeros((1, 7))).draw()
