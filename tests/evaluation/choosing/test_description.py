"""Minimum description length among hypotheses."""

import math

import numpy as np
import pytest

import induce
from induce import InputError
from induce.evaluation.choosing.description import normal_code, shortest_description
from induce.trees.pruning import description_length


@pytest.fixture(scope="module")
def restaurant():
    X, y = induce.dataset("restaurant")
    depths = {"leaf": 0, "Pat": 1, "full": None}
    return {name: induce.ID3(max_depth=depth).fit(X, y) for name, depth in depths.items()}, X, y


def test_twelve_evenings_are_best_described_by_one_leaf(restaurant):
    choice = shortest_description(*restaurant)
    assert choice["hypothesis bits"] == pytest.approx({"leaf": 2, "Pat": 10.3219, "full": 32.2992}, abs=1e-4)
    assert choice["exception bits"] == pytest.approx(
        {"leaf": 13.5522, "Pat": 9.7448, "full": 3.7004}, abs=1e-4
    )
    assert choice["total bits"] == pytest.approx({"leaf": 15.5522, "Pat": 20.0668, "full": 35.9996}, abs=1e-4)
    assert choice.best == ("leaf",)
    assert choice.chosen is restaurant[0]["leaf"]


def test_the_code_decides_with_few_examples(restaurant):
    trees, X, y = restaurant
    mitchell = shortest_description(trees, X, y, exceptions="mitchell")
    assert mitchell["exception bits"]["Pat"] == pytest.approx(2 * (math.log2(12) + 1))
    assert mitchell["exception bits"]["full"] == 0
    assert mitchell.best == ("Pat",)
    free = shortest_description(trees, X, y, exceptions=lambda actual, predicted: 0.0)
    assert free.best == ("leaf",)


def test_with_many_examples_the_larger_tree_wins(restaurant):
    from induce.data.generate import restaurant as draw

    X, y = draw(400, random_state=0)
    trees = {depth: induce.ID3(max_depth=depth).fit(X, y) for depth in (0, 1, 3)}
    assert shortest_description(trees, X, y).best == ("3",)


def test_bits_of_trees_are_those_of_pruning(restaurant):
    trees, X, y = restaurant
    bits = shortest_description({"full": trees["full"].hypothesis_}, X, y)["hypothesis bits"]["full"]
    assert bits == description_length(trees["full"].hypothesis_).tree


def test_an_exception_of_many_classes_names_its_class():
    y = np.array(list("abcd") * 3)
    choice = shortest_description(
        [lambda rows: ["a"] * 12], np.zeros((12, 1)), y, hypothesis_bits=lambda h: 0
    )
    assert choice["total bits"]["h1"] == pytest.approx(
        math.log2(13) + math.log2(math.comb(12, 9)) + 9 * math.log2(3)
    )


def test_numbers_are_described_by_how_far_they_are_off():
    x = np.arange(0, 6.5, 0.5)
    y = np.array([1.5, 3.5625, 5.8, 5.3875, 5.6, 3.2125, 2.7, 1.0375, 1.5, 1.3625, 3.9, 6.6875, 13.3])
    fits = {d: np.poly1d(np.polyfit(x, y, d)) for d in range(9)}
    choice = shortest_description(
        fits, x, y, lambda fit: (fit.order + 1) / 2 * math.log2(len(x)), normal_code(0.01)
    )
    assert choice.best == ("3",)
    code = normal_code(0.01)
    assert code(y, y + 2) - code(y, y + 1) == pytest.approx(len(y))  # twice as far: a bit more for each
    assert 0 < code(y, y) < len(y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"exceptions": "huffman"},
            "exceptions is 'huffman'; it can be 'combinatorial', 'mitchell' or a function",
        ),
        (
            {"exceptions": lambda actual, predicted: math.nan},
            "the code length of the exceptions of leaf is NaN",
        ),
        (
            {"hypothesis_bits": lambda h: -1},
            "hypothesis_bits returns -1.0 for leaf; it must return a number of at least 0",
        ),
        (
            {"hypotheses": [lambda rows: ["Yes"] * len(rows)]},
            "is defined for decision trees only; give hypothesis_bits",
        ),
    ],
)
def test_bad_input_is_named(restaurant, change, message):
    trees, X, y = restaurant
    with pytest.raises(InputError, match=message):
        shortest_description(**({"hypotheses": trees, "X": X, "y": y} | change))


def test_a_precision_must_be_positive():
    with pytest.raises(InputError, match="precision is 0"):
        normal_code(0)
