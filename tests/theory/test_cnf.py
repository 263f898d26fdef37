"""k-term DNF as k-CNF, and learning it."""

from itertools import product

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.theory import Cnf, dnf_to_cnf, k_cnf, learn_k_cnf, n_clauses, sample_complexity
from induce.theory.cnf import every_clause

INSTANCES = np.array(list(product((0, 1), repeat=5)))


def random_terms(random, k):
    return [
        [int(sign * (attribute + 1)) for attribute, sign in enumerate(random.integers(-1, 2, 5)) if sign]
        for _ in range(k)
    ]


def covered(terms):
    return np.array(
        [
            any(all((x[abs(each) - 1] == 1) == (each > 0) for each in term) for term in terms)
            for x in INSTANCES
        ]
    )


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_same_function(k):
    random = np.random.default_rng(k)
    for _ in range(70):
        terms = random_terms(random, k)
        formula = dnf_to_cnf(terms)
        assert (formula.covers(INSTANCES) == covered(terms)).all()
        assert all(1 <= len(clause) <= k for clause in formula.clauses)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_learning_from_all_instances(k):
    random = np.random.default_rng(10 + k)
    for _ in range(10):
        labels = covered(random_terms(random, k))
        learned = learn_k_cnf(INSTANCES, labels, k)
        assert (learned.covers(INSTANCES) == labels).all()


def test_the_learner_is_probably_approximately_correct():
    random = np.random.default_rng(0)
    epsilon, delta = 0.2, 0.1
    m = sample_complexity(k_cnf(5, 2), epsilon=epsilon, delta=delta).rows
    failures = 0
    for _ in range(100):
        labels = covered(random_terms(random, 2))
        drawn = random.integers(0, 32, m)
        learned = learn_k_cnf(INSTANCES[drawn], labels[drawn], 2)
        missed = learned.covers(INSTANCES)
        assert not (missed & ~labels).any()  # it is most specific, and so errs on positives only
        failures += (missed != labels).mean() > epsilon
    assert failures <= 100 * delta


def test_every_clause_is_counted():
    for n, k in ((3, 1), (4, 2), (5, 3), (2, 9)):
        clauses = every_clause(n, k)
        assert len(clauses) == len(set(clauses)) == n_clauses(n, k)


def test_special_formulas():
    assert str(dnf_to_cnf([])) == "FALSE"
    assert not dnf_to_cnf([]).covers(INSTANCES).any()
    assert str(dnf_to_cnf([[1], []])) == "TRUE"
    assert dnf_to_cnf([[1], [-1]]).covers(INSTANCES).all()
    assert str(Cnf(((1, 2),))) == "x1 OR x2"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: learn_k_cnf([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], 1), "no 1-CNF is consistent"),
        (lambda: learn_k_cnf([[0, 2]], [0], 1), "a table of 0 and 1"),
        (lambda: learn_k_cnf([[0, 1]], [0, 1], 1), "there are 1 instances and 2 labels"),
        (lambda: learn_k_cnf(np.zeros((1, 60)), [1], 5), "clauses of up to 5 literals; give a smaller k"),
        (lambda: Cnf(((3,),)).covers([[0, 1]]), "outside 1 to 2"),
    ],
)
def test_bad_input(call, sentence):
    with pytest.raises(InputError, match=sentence):
        call()
