"""The umbrella world of AIMA and what follows from it, to every digit."""

import math
from itertools import pairwise

import numpy as np
import pytest

import induce
from induce import Sequences
from induce.sequences import HiddenMarkovChain
from induce.sequences.baum_welch import BaumWelch
from induce.sequences.inference import filtered, smoothed

SEEN = [0, 0, 1, 0, 0]


@pytest.fixture
def chain():
    return HiddenMarkovChain.of(
        {"rain": 0.5, "dry": 0.5},
        {"rain": {"rain": 0.7, "dry": 0.3}, "dry": {"rain": 0.3, "dry": 0.7}},
        {"seen": {"rain": {0: 0.9, 1: 0.1}, "dry": {0: 0.2, 1: 0.8}}},
    )


def near(values):
    return pytest.approx(np.array(values), abs=5e-7)


def test_filtering_and_smoothing(chain):
    assert math.exp(chain.log_likelihood(SEEN)[0]) == pytest.approx(0.0343037005, abs=1e-12)
    assert chain.log_likelihood(SEEN)[0] == pytest.approx(-3.372502, abs=5e-7)
    assert chain.filter(SEEN)[:, 0] == near([0.818182, 0.883357, 0.190668, 0.730794, 0.867339])
    assert chain.smooth(SEEN)[:, 0] == near([0.867339, 0.820419, 0.307484, 0.820419, 0.867339])
    assert chain.score_samples(SEEN).sum() == pytest.approx(chain.log_likelihood(SEEN)[0])


def test_expected_transitions(chain):
    """The sum of those of the four steps."""
    steps = Sequences.of(SEEN).steps(chain.schema)
    pairs = smoothed(chain.parameters, steps, filtered(chain.parameters, steps)).pairs
    each = [
        [[0.749078, 0.118261], [0.071341, 0.061320]],
        [[0.291015, 0.529404], [0.016469, 0.163112]],
        [[0.291015, 0.016469], [0.529404, 0.163112]],
        [[0.749078, 0.071341], [0.118261, 0.061320]],
    ]
    assert pairs == pytest.approx(np.sum(each, axis=0), abs=2.5e-6)


def test_the_best_path(chain):
    (best,) = chain.best_paths(SEEN)[0]
    assert best.states == ("rain", "rain", "dry", "rain", "rain")
    assert best.probability == pytest.approx(0.011573604, abs=1e-12)
    assert math.exp(best.log_posterior) == pytest.approx(0.011573604 / 0.0343037005)
    assert chain.decode(SEEN).tolist() == list(best.states)


def test_a_hole_and_the_next_observation(chain):
    assert math.exp(chain.log_likelihood([0, 0, None, 0, 0])[0]) == pytest.approx(0.13517309, abs=1e-10)
    assert chain.predict_next(SEEN)[0].columns["seen"][0] == pytest.approx(0.652855, abs=5e-7)
    assert str(chain.predict_next(SEEN)[0]) == "state  rain 0.6469, dry 0.3531\nseen   0 0.6529, 1 0.3471"
    far = chain.predict_next(SEEN, steps=60)[0]
    assert far.states["rain"] == pytest.approx(0.5)


def test_one_step_of_baum_welch(chain):
    learned = induce.HiddenMarkovModel(initial=chain, max_iter=1).fit(SEEN).hypothesis_.parameters
    assert learned.start == near([0.867339, 0.132661])
    assert learned.transitions == near([[0.738792, 0.261208], [0.621000, 0.379000]])
    assert learned.tables[0] == near([[0.916513, 0.083487], [0.474171, 0.525829]])


def test_one_step_on_two_sequences(chain):
    found = induce.HiddenMarkovModel(initial=chain, max_iter=1).fit([SEEN, [1, 1, 0]]).hypothesis_
    assert found.log_likelihoods[0] == pytest.approx(-5.603185, abs=5e-7)
    assert found.parameters.start[0] == near(0.467800)
    assert found.parameters.transitions == near([[0.735234, 0.264766], [0.465937, 0.534063]])
    assert found.parameters.tables[0] == near([[0.895191, 0.104809], [0.271435, 0.728565]])


def test_transitions_alone(chain):
    learner = induce.HiddenMarkovModel(initial=chain, max_iter=5, update=["transitions"], tol=0)
    found = learner.fit(SEEN).hypothesis_
    assert found.log_likelihoods == near([-3.372502, -2.958278, -2.791563, -2.715144, -2.682161, -2.668533])
    assert found.parameters.transitions == near([[0.678048, 0.321952], [0.985763, 0.014237]])
    assert found.parameters.tables[0].tolist() == chain.parameters.tables[0].tolist()


def test_full_updates(chain):
    found = induce.HiddenMarkovModel(initial=chain, max_iter=1).fit(SEEN).hypothesis_
    assert found.log_likelihoods == near([-3.372502, -2.458385])
    assert found.converged is False
    rises = induce.HiddenMarkovModel(initial=chain).fit(SEEN).hypothesis_.log_likelihoods
    assert all(after >= before - 1e-12 for before, after in pairwise(rises))


def test_counting_parameters(chain):
    """One of the start, one of each row of transitions, one of each sensor."""
    assert chain.size() == "2 states, 5 parameters"
    assert (
        induce.HiddenMarkovModel(3, n_components=2).fit([[0.5, 1.0, 4.0, 5.0, 2.0]]).hypothesis_.n_free == 23
    )


def test_the_bic_is_what_it_says(chain):
    learner = induce.HiddenMarkovModel(2, schema={"x0": "nominal"}).fit(SEEN)
    found = learner.hypothesis_
    assert found.bic(SEEN) == pytest.approx(learner.bic_[2])
    assert found.bic(SEEN) == pytest.approx(-2 * found.log_likelihood(SEEN)[0] + 5 * math.log(5))


def test_smoothing_is_a_prior(chain):
    """With counts of 1 beforehand, the shares are those of the expected counts plus 1."""
    plain = BaumWelch(Sequences.of(SEEN).steps(chain.schema), np.ones((2, 2), bool), np.zeros(0))
    expected = plain.expect(chain.parameters)
    learner = induce.HiddenMarkovModel(initial=chain, smoothing=1, max_iter=1)
    found = learner.fit(SEEN).hypothesis_.parameters
    assert found.start == pytest.approx((expected.first + 1) / (expected.first + 1).sum(), abs=1e-5)
    wanted = (expected.pairs + 1) / (expected.pairs + 1).sum(axis=1, keepdims=True)
    assert found.transitions == pytest.approx(wanted, abs=1e-5)
