"""Threads of BLAS: one while a learner works, and as many as before afterwards."""

import numpy as np
import pytest
import scipy.linalg
from threadpoolctl import ThreadpoolController, threadpool_limits

import induce
from induce.core import blas, parallel
from induce.core.blas import one_thread

assert scipy.linalg  # so that its library is loaded
CONTROLLER = ThreadpoolController().select(user_api="blas")


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, user_api="blas"):
        yield
    assert blas._inside == 0


def threads():
    return {library.get_num_threads() for library in CONTROLLER.lib_controllers}


def test_threads_are_given_back():
    assert threads() == {2}
    with one_thread():
        assert threads() == {1}
        with one_thread():
            assert threads() == {1}
        assert threads() == {1}
    assert threads() == {2}


def fail():
    with one_thread():
        raise KeyError("inside")


def test_threads_are_given_back_after_an_error():
    with pytest.raises(KeyError):
        fail()
    assert threads() == {2}


def test_blocks_in_several_threads():
    def work(_):
        with one_thread():
            return threads()

    assert parallel.run(work, range(50), n_jobs=4) == [{1}] * 50
    assert threads() == {2}


@pytest.mark.parametrize(
    "learner",
    [induce.SVM(), induce.GaussianMixture(2), induce.RBFNetworkRegressor(), induce.NetworkParameters()],
)
def test_learners_work_with_one(monkeypatch, learner):
    seen = []
    begun = blas._controller

    def controller():
        seen.append(threads())
        return begun()

    monkeypatch.setattr(blas, "_controller", controller)
    random = np.random.default_rng(0)
    learner.fit(random.normal(size=(40, 2)), np.arange(40) % 2)
    assert seen[0] == {2}
    assert threads() == {2}
