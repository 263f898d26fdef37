"""Whatever calculators are given, they answer or say in one sentence what to give."""

import math
from itertools import product

import numpy as np
import pytest

import induce
from induce import theory

NUMBERS = (
    *(0, -1, 1, 2, 0.5, math.nan, math.inf, -math.inf, 10**400, 1e308, 1e-320, 1e-200, 1 + 2j),
    *("a", "größe ✓", b"x", None, [1], {}, np.float32(0.3), np.int64(3)),
)
TABLES = (
    *([], [[]], [[], []], [[0, 1], [1]], [[0, 2]], [[math.nan, 1]], [[math.inf, 1]], "ab", None, 5),
    *(
        [["0", "1"]],
        [["größe", "✓"]],
        [[0, 1]],
        [[0, 1], [1, 1]],
        np.zeros((2, 3)),
        np.zeros((2, 2, 2)),
        [[None, 1]],
    ),
)
SPACE, PLANE = theory.conjunctions(5), theory.rectangles()
RESTAURANT = induce.dataset("restaurant").input_schema
TWO = [[0, 1], [1, 1]]
KEPT = {
    "sample_complexity": (
        ({"space": SPACE, "epsilon": 0.1, "delta": 0.1}),
        ({"space": SPACE, "epsilon": 0.1, "m": 50, "setting": "agnostic"}),
        ({"space": SPACE, "delta": 0.1, "m": 50, "setting": "best"}),
        ({"space": PLANE, "epsilon": 0.1, "delta": 0.1, "setting": "vc"}),
        ({"space": PLANE, "delta": 0.1, "m": 50, "setting": "vc"}),
        ({"space": SPACE, "m": 50, "delta": 0.1, "setting": "sharp"}),
    ),
    "bounds": ({"space": SPACE, "epsilon": 0.1, "delta": 0.01},),
    "promise": (
        {"space": SPACE, "m": 50, "training_error": 0.1, "delta": 0.1},
        {"space": PLANE, "m": 50, "training_error": 0.1, "delta": 0.1},
    ),
    "necessary_rows": ({"vc": 3, "epsilon": 0.1, "delta": 0.005},),
    "rows_by_size": ({"classes": {"a": theory.conjunctions}, "n": (1, 2), "epsilon": 0.1},),
    "halving_bound": ({"space": SPACE},),
    "find_s_bound": ({"n": 3},),
    "weighted_majority_bound": ({"best": 1, "n": 5, "beta": 0.5},),
    "randomized_majority_bound": ({"best": 1, "n": 5, "beta": 0.5},),
    "no_regret_beta": ({"n": 5, "rounds": 9},),
    "regret_bound": ({"n": 5, "rounds": 9},),
    "hoeffding": ({"m": 9, "epsilon": 0.1},),
    "chernoff": ({"m": 9, "p": 0.5, "gamma": 0.4},),
    "relative_rows": ({"ln_size": 9.0, "p": 0.1, "gamma": 0.5, "delta": 0.1},),
    "highest_rate": ({"error": 0.1, "nats": 0.1},),
    "sauer": ({"m": 5, "vc": 2},),
    "of_size": ({"size": 9},),
    "of_dimension": ({"vc": 9},),
    **{
        name: ({"n": 4},)
        for name in (
            *("conjunctions", "monotone_conjunctions", "unbiased", "regular_depth_two_trees"),
            *("conjunction_table", "regular_tree_table"),
        )
    },
    **{
        name: ({"n": 4, "k": 2},)
        for name in (
            "k_term_dnf",
            "k_cnf",
            "k_dnf",
            "n_clauses",
            "n_tests",
            "decision_lists",
            "decision_trees",
        )
    },
    "power_set": ({"instances": 9},),
    "rectangles": ({"d": 2},),
    "grid_rectangles": ({"side": 9, "d": 2},),
    "half_spaces": ({"r": 2},),
    "layered_network": ({"nodes": 2, "unit_vc": 3},),
    "perceptron_network": ({"r": 2, "s": 2},),
    "conjunctions_of": ({"schema": RESTAURANT},),
    "decision_lists_of": ({"schema": RESTAURANT, "k": 1, "n_classes": 2},),
    "named": ({"name": "k-cnf", "n": 5, "k": 2},),
    "box_experiment": ({"m": (5,), "trials": 2, "delta": 0.1, "random_state": 0},),
    "tightest_box": ({"points": [1.0, 2.0], "labels": [1, 0]},),
    "dichotomies": ({"points": [1.0, 2.0], "family": "boxes"},),
    "dnf_to_cnf": ({"terms": [[1]]},),
    "Cnf": ({"clauses": ((1,),)},),
    "learn_k_cnf": ({"instances": [[0, 1]], "labels": [1], "k": 1},),
    "true_errors": ({"hypotheses": TWO, "target": [0, 1], "weights": [1, 1]},),
    "exhaustion": ({"hypotheses": TWO, "target": [0, 1], "rows": [0], "epsilon": 0.1},),
    "failure_chance": ({"hypotheses": TWO, "target": [0, 1], "m": 3, "epsilon": 0.1},),
    "pac_experiment": ({"hypotheses": TWO, "target": [0, 1], "m": 3, "epsilon": 0.1, "random_state": 0},),
    "shattering": ({"hypotheses": TWO, "points": [0]},),
    "code_length": ({"hypothesis": 3},),
    "space_of": ({"hypothesis": 3},),
    "promise_for": ({"hypothesis": 3, "X": [[1]], "y": [1]},),
}


def answer_or_sentence(name, arguments):
    try:
        answer = getattr(theory, name)(**arguments)
    except (induce.InputError, TypeError) as error:
        answer = error
    said = str(answer)
    if isinstance(answer, Exception):
        # a TypeError of Python itself says nothing of what to do
        assert isinstance(answer, induce.InputError) or "give " in said or "must be" in said, said
        assert "\n" not in said
        assert len(said) < 600
    assert said


@pytest.mark.parametrize("name", KEPT)
def test_numbers_of_all_kinds(name):
    for arguments in KEPT[name]:
        for changed, number in product(arguments, NUMBERS):
            answer_or_sentence(name, arguments | {changed: number})


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_tables_of_all_kinds(table):
    for name in ("concepts", "shattering", "vc_dimension", "growth_function", "mistake_bounds"):
        answer_or_sentence(name, {"hypotheses": table})
    answer_or_sentence("true_errors", {"hypotheses": table, "target": [0, 1]})
    answer_or_sentence("learn_k_cnf", {"instances": table, "labels": [0, 1], "k": 1})


@pytest.mark.parametrize("number", [each for each in NUMBERS if each not in ("a", "größe ✓", b"x", {})])
def test_labels_points_and_literals_of_all_kinds(number):
    answer_or_sentence("tightest_box", {"points": [1.0], "labels": [number]})
    answer_or_sentence("tightest_box", {"points": [number], "labels": [1]})
    answer_or_sentence("learn_k_cnf", {"instances": [[0, 1]], "labels": [number], "k": 1})
    answer_or_sentence("exhaustion", {"hypotheses": TWO, "target": [0, 1], "rows": [number], "epsilon": 0.1})
    answer_or_sentence("shattering", {"hypotheses": TWO, "points": [number]})
    answer_or_sentence("true_errors", {"hypotheses": TWO, "target": [0, number], "weights": [1, 1]})
    answer_or_sentence("true_errors", {"hypotheses": TWO, "target": [0, 1], "weights": [number, 1]})
    answer_or_sentence("dnf_to_cnf", {"terms": [[number]]})


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (
            lambda: theory.sample_complexity(973, epsilon=0.1, delta=0.1),
            TypeError,
            "space is int; give a Space",
        ),
        (
            lambda: theory.sample_complexity(SPACE, epsilon=1e-200, delta=0.1),
            induce.InputError,
            "too small to calcul",
        ),
        (
            lambda: theory.sample_complexity(SPACE, m=math.inf, delta=0.1),
            induce.InputError,
            "m is too large to calculate with",
        ),
        (
            lambda: theory.sample_complexity(theory.unbiased(1000), epsilon=1e-90, delta=0.1),
            induce.InputError,
            "is too large to represent; give a larger epsilon",
        ),
        (lambda: theory.decision_lists(10**8, 500), induce.InputError, "too many tests to count their lists"),
        (lambda: theory.k_cnf(10**8, 500), induce.InputError, "too many clauses to count their sets"),
        (lambda: theory.k_cnf(10, 10**5), induce.InputError, "k is 100000, too large"),
        (lambda: theory.tightest_box([1.0], ["no"]), induce.InputError, "labels must contain only 0 and 1"),
        (lambda: theory.Box((0.0,), (1.0,)).covers([[1, 2]]), induce.InputError, "points have 2 coordinates"),
        (lambda: theory.dnf_to_cnf([range(1, 9)] * 9), induce.InputError, "ways to pick a literal"),
        (lambda: theory.dnf_to_cnf([[1, 0]]), induce.InputError, r"\[1, 0\] is not a list of literals"),
        (lambda: theory.promise_for(_tree(), np.empty((0, 1)), []), induce.InputError, "no rows"),
        (lambda: theory.named(3), TypeError, "name is int; give the name of a class"),
        (lambda: theory.rows_by_size({"a": 3}, (1,)), TypeError, "functions that return a space"),
        (
            lambda: theory.learner_experiment(len, 3, len, 1, 0.1),
            induce.InputError,
            "target is int; give a function",
        ),
        (
            lambda: theory.shattering(TWO, [0.0]),
            induce.InputError,
            r"points contains \[0.0\]; the instances are numbered",
        ),
    ],
)
def test_sentences(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()


def _tree():
    return induce.ID3().fit([["a"], ["b"]], [0, 1])
