"""The numbers of the book: AdaBoost round by round, boosted naive Bayes, majorities of independent hypotheses."""

from fractions import Fraction

import numpy as np
import pytest

import induce
from induce.ensembles import majority_error, worst_majority_error


def boosted(estimator, rounds, **more):
    X, y = induce.dataset("restaurant")
    with induce.trace(only="round") as events:
        learner = induce.AdaBoost(estimator, n_estimators=rounds, **more).fit(X, y)
    return learner, X, y.to_numpy(), events


def wrong(ensemble, X, y, n):
    return (np.flatnonzero(ensemble.first(n).predict(X) != y) + 1).tolist()


def test_stumps_of_least_error():
    """O44: stumps with a branch for each value."""
    learner, X, y, events = boosted(None, 6)
    assert [event["hypothesis"] for event in events] == [
        "Pat = None: No | Pat = Some: Yes | Pat = Full: No",
        "Hun = Yes: Yes | Hun = No: No",
        "Price = $: Yes | Price = $$: Yes | Price = $$$: No",
        "Pat = None: No | Pat = Some: Yes | Pat = Full: No",
        "Fri = Yes: Yes | Fri = No: No",
        "Type = French: Yes | Type = Italian: No | Type = Thai: Yes | Type = Burger: Yes",
    ]
    errors = ["1/6", "3/20", "29/102", "15/73", "1685/6728", "2405507/8497455"]
    assert [event["error"] for event in events] == pytest.approx([float(Fraction(e)) for e in errors])
    votes = [1.609438, 1.734601, 0.923164, 1.352393, 1.096236, 0.929207]
    assert learner.hypothesis_.weights == pytest.approx(votes, abs=5e-7)
    ensemble = learner.hypothesis_
    assert [wrong(ensemble, X, y, k) for k in range(1, 7)] == [[4, 12], [2, 3, 10], [2], [4, 12], [], []]


def test_weights_of_the_examples():
    _, _, _, events = boosted(None, 3)
    after_one = np.full(12, 1 / 20)
    after_one[[3, 11]] = 1 / 4
    assert events[1]["weights"] == pytest.approx(after_one)
    after_two = np.full(12, 1 / 34)
    after_two[[1, 2, 9]] = 1 / 6
    after_two[[3, 11]] = 5 / 34
    assert events[2]["weights"] == pytest.approx(after_two)


def test_votes_after_five_rounds():
    learner, X, _, _ = boosted(None, 5)
    scores = learner.hypothesis_.scores(X)
    yes = learner.hypothesis_.classes.index("Yes")
    printed = [2.677, -1.4003, 1.0542, 0.7922, -4.5234, 4.5234]
    printed += [-4.8695, 4.5234, -2.677, -1.0542, -4.8695, 0.7922]
    assert scores[:, yes] - scores[:, 1 - yes] == pytest.approx(printed, abs=5e-4)


def test_stumps_by_gain():
    learner, X, y, events = boosted(induce.DecisionStump(), 6)
    assert [event["hypothesis"].split(" = ")[0] for event in events] == [
        *("Pat", "Pat", "Est", "Pat", "Price", "Hun")
    ]
    errors = ["1/6", "1/5", "5/16", "5/22", "91/340", "15415/45318"]
    assert [event["error"] for event in events] == pytest.approx([float(Fraction(e)) for e in errors])
    assert wrong(learner.hypothesis_, X, y, 6) == [2]


def test_boosted_naive_bayes():
    """B3 of chapter 20: weighted counts, all of them with one more."""
    learner, X, y, events = boosted(induce.NaiveBayes(alpha=1, class_alpha=1), 7)
    errors = [0.166667, 0.15, 0.117647, 0.383333, 0.176263, 0.240728, 0.081024]
    votes = [1.609438, 1.734601, 2.014903, 0.475424, 1.541873, 1.148695, 2.428515]
    assert [event["error"] for event in events] == pytest.approx(errors, abs=5e-7)
    assert learner.hypothesis_.weights == pytest.approx(votes, abs=5e-7)
    right = [1 - len(wrong(learner.hypothesis_, X, y, k)) / 12 for k in range(1, 8)]
    assert right == pytest.approx([0.8333, 0.75, 1, 1, 1, 1, 1], abs=1e-4)
    assert events[1]["weights"][[3, 11, 0]] == pytest.approx([0.25, 0.25, 0.05])


@pytest.mark.parametrize(
    ("members", "error", "printed"),
    [
        (5, 0.1, 0.00856),
        (5, 0.2, 0.05792),
        (5, 0.4, 0.31744),
        (3, 0.1, 0.028),
        (3, 0.2, 0.104),
        (3, 0.4, 0.352),
    ],
)
def test_independent_errors(members, error, printed):
    """O43."""
    found = [majority_error(members, error, ties) for ties in ("half", "error", "correct")]
    assert found == pytest.approx([printed] * 3, abs=1e-12)


@pytest.mark.parametrize(
    ("members", "error", "printed"),
    [
        (10, 0.1, (0.001635, 0.000891, 0.000147)),
        (10, 0.2, (0.032793, 0.019581, 0.006369)),
        (10, 0.4, (0.366897, 0.266568, 0.166239)),
        (20, 0.4, (0.244663, 0.186092, 0.127521)),
        (20, 0.2, (0.002595, 0.001579, 0.000563)),
    ],
)
def test_ties(members, error, printed):
    found = [majority_error(members, error, ties) for ties in ("error", "half", "correct")]
    assert found == pytest.approx(printed, abs=5e-7)


def test_without_independence_a_majority_can_be_worse_than_its_members():
    """Exercise 18.18."""
    assert worst_majority_error(3, 0.2) == pytest.approx(0.3)
    assert worst_majority_error(4, 0.6) == 1.0
    with pytest.raises(induce.InputError, match=r"error is 1\.2"):
        majority_error(3, 1.2)
    with pytest.raises(induce.InputError, match="members is 0"):
        worst_majority_error(0, 0.2)
