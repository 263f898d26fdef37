"""Random streams: of a run's places, and for compiled loops."""

import numpy as np
import pytest
from scipy import stats

from induce.core import _random_loops
from induce.core._random_loops import below, normal, uniform
from induce.core.errors import InputError
from induce.core.loops import compiled, loop
from induce.core.randomness import seed_of, stream, streams


def recurrence(x, y, n):
    """The published recurrence (L'Ecuyer 1999), in whole numbers of any size."""
    m1, m2 = 2**32 - 209, 2**32 - 22853
    for _ in range(n):
        x = [*x[1:], (1403580 * x[1] - 810728 * x[0]) % m1]
        y = [*y[1:], (527612 * y[2] - 1370589 * y[0]) % m2]
        yield ((x[2] - y[2]) % m1 or m1) / (m1 + 1)


def test_the_published_recurrence():
    state = np.full(6, 12345)
    found = [uniform(state) for _ in range(500)]
    assert found == pytest.approx(list(recurrence([12345] * 3, [12345] * 3, 500)), abs=1e-15)
    assert found[:2] == pytest.approx([0.12701112204657714, 0.3185275653967945])


@loop
def drawn(state, n):
    found = np.empty((n, 3))
    for i in range(n):
        found[i, 0] = uniform(state)
        found[i, 1] = below(state, 6)
        found[i, 2] = normal(state)
    return found


@pytest.mark.compiled
def test_plain_and_compiled_draw_the_same():
    plain, fast = streams(1, 2, n=2)[1], streams(1, 2, n=2)[1]
    np.testing.assert_allclose(drawn(plain, 50), compiled(drawn)(fast, 50), rtol=1e-15)
    assert plain.tolist() == fast.tolist()
    assert compiled(drawn).py_func.__globals__["uniform"] is compiled(_random_loops.uniform)


@pytest.mark.compiled
def test_they_look_random():
    found = compiled(drawn)(streams(0, n=1)[0], 20_000)
    assert stats.kstest(found[:, 0], "uniform").pvalue > 0.001
    assert stats.chisquare(np.bincount(found[:, 1].astype(int), minlength=6)).pvalue > 0.001
    assert stats.kstest(found[:, 2], "norm").pvalue > 0.001


def test_seeds():
    assert seed_of(5) == seed_of(np.int64(5)) == 5
    assert seed_of(np.random.default_rng(1)) == seed_of(np.random.default_rng(1))
    assert seed_of(None) != seed_of(None)
    with pytest.raises(InputError, match="random_state is -1"):
        seed_of(-1)
    assert stream(1, 2).random() != stream(1, 3).random() != stream(1, 2, 0).random()
