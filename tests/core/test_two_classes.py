"""Whatever takes two classes gives the same answer for every coding of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.analytical import check_consistent, diagnose, monotone_rules
from induce.concepts import (
    bias_strengths,
    entailed,
    first_consistent,
    near_miss_space,
    order_study,
    within_errors,
)
from induce.core.errors import InputError
from induce.core.values import positive_rows
from induce.evaluation.curves.roc import area_interval, roc_of
from induce.kernels import separable as separable_by_kernel
from induce.linear import fewest_errors, least_slack, separable
from induce.logic import DomainTheory, Relations

CODINGS = {
    "0/1": (0, 1),
    "-1/+1": (-1, 1),
    "numbers": (0.0, 1.0),
    "words": ("no", "yes"),
    "marks": ("-", "+"),
}
POINTS = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.booleans()), min_size=4, max_size=12)


def coded(labels, classes):
    return np.array([classes[int(label)] for label in labels])


def about_planes(points, labels):
    """Return answers that do not depend on which class is on the positive side."""
    plane = separable(points, labels)
    return {
        "fewest_errors": fewest_errors(points, labels)[1],
        "least_slack": round(least_slack(points, labels)[1], 6),
        "separable": plane.separable,
        "separable by a kernel": separable_by_kernel(points, labels),
    }


def about_concepts(labels):
    sport = induce.dataset("enjoy-sport")
    language = induce.CandidateElimination().fit(*sport).hypothesis_.language
    cells = language.attributes.encode(sport.X)
    new = language.attributes.encode(induce.dataset("enjoy-sport-new").X)
    rows, facts = [["a"], ["b"], ["c"], ["d"]], Relations(program="light(a). light(b). glass(b). light(d).")
    theory = DomainTheory(r"safe(X) :- light(X), \+ glass(X).", "safe")
    heights = np.array([[1.0], [2.0], [0.0], [3.0]])
    return {
        "positive_rows": positive_rows(labels).tolist(),
        "area_interval": area_interval(labels, [0.3, 0.4, 0.35, 0.8]),
        "roc_of": roc_of(labels, [0.3, 0.4, 0.35, 0.8]).area if "+" not in labels else None,
        "entailed": str(entailed(language, cells, labels, new[0])),
        "bias_strengths": str(bias_strengths(language, cells, labels)),
        "first_consistent": first_consistent(language, cells, labels),
        "near_miss_space": str(near_miss_space(language, cells, labels)),
        "order_study": str(order_study(language, cells, labels)),
        "within_errors": str(within_errors(language, cells, labels, 1)),
        "diagnose": str(diagnose(theory, rows, labels, facts)),
        "check_consistent": check_consistent(
            induce.PrologEBG(theory, facts).fit(rows, labels), rows, labels, theory, facts
        ),
        "monotone_rules": [
            str(rule).rsplit("=", 1)[0] for rule in monotone_rules(heights, labels, {"x0": "increasing"})
        ],
    }


def differences(function, labels, *arguments):
    expected = function(*arguments, labels)
    return [
        f"{name}, {coding}: {answer} instead of {expected[name]}"
        for coding, classes in CODINGS.items()
        for name, answer in function(*arguments, coded(labels, classes)).items()
        if repr(answer) != repr(expected[name]) and answer is not None
    ]


@settings(max_examples=25)
@given(POINTS)
def test_planes(rows):
    labels = np.array([row[2] for row in rows])
    if labels.all() or not labels.any():
        return
    assert differences(about_planes, labels, np.array([row[:2] for row in rows], float)) == []


def test_concepts_areas_and_theories():
    assert differences(about_concepts, np.array([True, True, False, True])) == []


def test_the_sentence_of_the_guide():
    """The page says that no line separates the earthquakes with fewer than 3 errors; any names of classes will do."""
    X, y = induce.dataset("earthquakes-noisy")
    labels = np.array(y.to_list())
    assert fewest_errors(X.to_numpy(), labels)[1] == 3


def test_more_than_two_classes():
    with pytest.raises(InputError, match="there are 3 classes; give two"):
        fewest_errors([[0, 0], [1, 1], [2, 2]], ["a", "b", "c"])
