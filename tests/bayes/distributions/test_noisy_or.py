"""Noisy-or: what causes fail by, most likely and believed (AIMA, exercise 20.7)."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.integrate import dblquad

import induce
from induce import InputError
from induce.bayes import Beta, NoisyOr

CAUSES = ("cold", "flu", "malaria")
TRUE = np.array([0.6, 0.2, 0.1])
SETS = np.array([row for row in product((0, 1), repeat=3) if any(row)])


@pytest.fixture(scope="module")
def fever():
    """1000 expected cases of each set of causes."""
    absent = np.array([math.prod(TRUE[row == 1]) for row in SETS])
    rows, effect = np.concatenate([SETS, SETS]), [0] * 7 + [1] * 7
    return NoisyOr(CAUSES).update(rows, effect, 1000 * np.concatenate([absent, 1 - absent]))


def test_probability_of_fever(fever):
    """Exercise 20.7: .4, .8, .9, .88, .94, .98, .988, none 0."""
    shown = {
        (1, 0, 0): 0.4,
        (0, 1, 0): 0.8,
        (0, 0, 1): 0.9,
        (1, 1, 0): 0.88,
        (1, 0, 1): 0.94,
        (0, 1, 1): 0.98,
    }
    shown |= {(1, 1, 1): 0.988, (0, 0, 0): 0.0}
    for row, chance in shown.items():
        assert 1 - math.prod(TRUE[np.array(row) == 1]) == pytest.approx(chance)
        assert fever.predictive(row) == pytest.approx(chance, abs=2e-3)


def test_gradient_and_likelihood(fever):
    assert fever.gradient([0.5] * 3) == pytest.approx([-711.619048, -2418.285714, -2978.285714], abs=5e-7)
    assert fever.gradient(TRUE) == pytest.approx([0, 0, 0], abs=1e-9)
    assert fever.log_likelihood(TRUE) == pytest.approx(-2255.430585, abs=5e-7)
    assert fever.log_likelihood([0.5] * 3) == pytest.approx(-3319.092531, abs=5e-7)


def test_gradient_is_the_derivative(fever):
    q, step = np.array([0.3, 0.7, 0.2]), 1e-6
    differences = [
        (fever.log_likelihood(q + step * e) - fever.log_likelihood(q - step * e)) / (2 * step)
        for e in np.eye(3)
    ]
    assert fever.gradient(q) == pytest.approx(differences, rel=1e-5)


def test_most_likely_parameters_are_recovered(fever):
    assert list(fever.most_likely().values()) == pytest.approx(TRUE, abs=1e-6)
    for cause, q in zip(CAUSES, TRUE, strict=True):
        interval = fever.credible_interval(cause)
        assert interval.low < q < interval.high
        assert interval.high - interval.low < 0.06


def test_one_cause_is_a_beta():
    seen = [1, 1, 0, 1, 0, 1, 1]
    prior = NoisyOr(("cold",), a=2, b=1.5)
    belief, exact = prior.update([[1]] * 7, seen), Beta(2, 1.5).add(2, 5)
    assert belief.mean("cold") == pytest.approx(exact.mean, abs=1e-3)
    assert belief.credible_interval("cold")[:2] == pytest.approx(exact.credible_interval()[:2], abs=3e-3)
    evidence = Beta(2, 1.5).log_evidence([1 - one for one in seen])
    assert prior.log_evidence([[1]] * 7, seen) == pytest.approx(evidence, abs=2e-3)


def test_two_causes_by_integration():
    rows, seen = [[1, 1], [1, 0], [1, 1], [0, 1], [1, 0]], [1, 0, 1, 1, 1]
    belief = NoisyOr(("a", "b")).update(rows, seen)

    def density(q, r):
        return (1 - q * r) ** 2 * q * (1 - r) * (1 - q)

    total = dblquad(density, 0, 1, 0, 1)[0]
    mean = dblquad(lambda q, r: q * density(q, r), 0, 1, 0, 1)[0] / total
    effect = dblquad(lambda q, r: (1 - q * r) * density(q, r), 0, 1, 0, 1)[0] / total
    assert NoisyOr(("a", "b")).log_evidence(rows, seen) == pytest.approx(math.log(total), abs=2e-3)
    assert belief.mean("a") == pytest.approx(mean, abs=2e-3)
    assert belief.predictive([1, 1]) == pytest.approx(effect, abs=2e-3)


def test_order_and_batches_do_not_matter(fever):
    rows, effect = [[1, 0, 0], [0, 1, 1], [1, 0, 0]], [1, 0, 0]
    one_by_one = NoisyOr(CAUSES)
    for row, seen in reversed(list(zip(rows, effect, strict=True))):
        one_by_one = one_by_one.update([row], [seen])
    assert one_by_one == NoisyOr(CAUSES).update(rows, effect)
    assert one_by_one.update(np.empty((0, 3)), []) == one_by_one


def test_evidence_is_the_product_of_predictions():
    rows, seen = [[1, 1], [1, 0], [0, 1]], [1, 0, 1]
    belief, total = NoisyOr(("a", "b")), 0.0
    for row, effect in zip(rows, seen, strict=True):
        chance = belief.predictive(row)
        total += math.log(chance if effect else 1 - chance)
        belief = belief.update([row], [effect])
    assert NoisyOr(("a", "b")).log_evidence(rows, seen) == pytest.approx(total, abs=5e-3)


def test_causes_never_seen_keep_their_prior():
    belief = NoisyOr(("a", "b"), a=3, b=1).update([[1, 0]] * 4, [1, 1, 1, 0])
    assert math.isnan(belief.most_likely()["b"])
    assert belief.mean("b") == pytest.approx(0.75, abs=2e-3)


def test_a_cause_that_never_fails():
    belief = NoisyOr(("a", "b")).update([[1, 0]] * 5 + [[0, 1]] * 5, [1] * 5 + [0] * 5)
    assert belief.most_likely()["a"] == pytest.approx(0, abs=1e-9)
    assert belief.most_likely()["b"] == pytest.approx(1, abs=1e-9)
    assert belief.mean("a") == pytest.approx(1 / 7, abs=2e-3)


def test_saved_printed_and_drawn(fever, tmp_path):
    induce.save(fever, tmp_path / "fever.induce")
    again = induce.load(tmp_path / "fever.induce")
    assert again == fever
    assert str(again) == str(fever)
    assert fever.size() == "3 parameters (a table: 8)"
    assert [label.get_text() for label in fever.draw().axes[0].get_yticklabels()] == list(CAUSES)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: NoisyOr(()), "give at least one cause"),
        (lambda: NoisyOr(("a", "a")), "each with its own name"),
        (lambda: NoisyOr(("a",), a=0), "a is 0"),
        (lambda: NoisyOr(("a",)).update([[0]], [1]), "impossible; add a cause that is always active"),
        (lambda: NoisyOr(("a",)).update([[2]], [1]), "active contains values other than True and False"),
        (lambda: NoisyOr(("a",)).update([[1, 0]], [1]), "active has 2 columns for 1 causes"),
        (lambda: NoisyOr(("a",)).update([[1]], [1, 0]), "1 rows of causes for 2 effects"),
        (lambda: NoisyOr(("a",)).update([[1]], [0.5]), "give True and False"),
        (lambda: NoisyOr(("a",)).log_likelihood([1.0]), "give a number between 0 and 1"),
        (lambda: NoisyOr(("a",)).mean("b"), "'b' is not a cause; give one of a"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
