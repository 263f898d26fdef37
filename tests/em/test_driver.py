"""The driver: what it checks, how it ends, and what it tells on the way."""

import math

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.core.interrupts import whole_fits
from induce.core.progress import progress
from induce.em import maximise

PEAK = 3.0


def towards(x: float, h: float) -> float:
    """Half the way to the peak."""
    return (x + PEAK) / 2


def height(h: float, x: float) -> float:
    return -((h - PEAK) ** 2)


def climb(starts=(0.0,), m_step=towards, objective=height, **settings):
    return maximise(starts, lambda h: h, m_step, objective, **settings)


def test_it_ends_at_a_stationary_point():
    found = climb(tolerance=1e-12)
    assert found.hypothesis == pytest.approx(PEAK, abs=1e-5)
    assert found.converged
    assert found.objective[:3] == (-9.0, -2.25, -0.5625)
    assert "converged" in str(found)


def test_it_ends_after_max_iter_with_what_it_has():
    found = climb(max_iter=2)
    assert (found.hypothesis, found.objective, found.converged) == (2.25, (-9.0, -2.25, -0.5625), False)
    assert "stopped before it converged" in str(found)


def test_steps_that_do_not_belong_together():
    with pytest.raises(InputError, match=r"fell from -9 to -9.61 in iteration 1.*are inconsistent"):
        climb(m_step=lambda x, h: h - 0.1)


def test_rounding_is_no_fall():
    values = iter([1e6, 1e6 - 1e-6])
    assert climb(objective=lambda h, x: next(values)).converged


@pytest.mark.parametrize(("bad", "where"), [(-math.inf, "before the first"), (math.nan, "before the first")])
def test_impossible_data(bad, where):
    with pytest.raises(InputError, match=f"{where} iteration: the hypothesis makes the data impossible"):
        climb(objective=lambda h, x: bad)
    values = iter([-1.0, bad])
    with pytest.raises(InputError, match="after iteration 1"):
        climb(objective=lambda h, x: next(values))


def test_the_best_of_several_starts_wins():
    def two_peaks(h, x):
        return -((h - math.copysign(PEAK, h)) ** 2) + (h > 0)

    found = climb([-1.0, 1.0, 2.0], m_step=lambda x, h: (h + math.copysign(PEAK, h)) / 2, objective=two_peaks)
    assert found.start in (1, 2)
    assert found.hypothesis == pytest.approx(PEAK, abs=1e-3)
    assert found.finals == pytest.approx((0, 1, 1), abs=1e-6)
    assert "best of 3 starts" in str(found)


def test_every_start_has_a_stream_of_its_own():
    seen = []

    def start(random):
        seen.append(random.random())
        return seen[-1]

    climb(start, n_starts=4, random_state=1)
    assert len(set(seen)) == 4
    again = list(seen)
    seen.clear()
    climb(start, n_starts=2, random_state=1)
    assert seen == again[:2]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"tolerance": -1}, "tolerance is -1"),
        ({"max_iter": 0}, "max_iter is 0"),
        ({"starts": []}, "starts is empty"),
        ({"starts": lambda random: 0.0, "n_starts": 0}, "n_starts is 0"),
    ],
)
def test_settings_that_make_no_sense(settings, sentence):
    with pytest.raises(InputError, match=sentence):
        climb(**settings)


def test_a_trace_tells_every_iteration_and_changes_nothing():
    with induce.trace(only="em") as events:
        traced = climb([0.0, 1.0], max_iter=2)
    assert traced == climb([0.0, 1.0], max_iter=2)
    assert [(e["start"], e["iteration"], e["hypothesis"]) for e in events] == [
        *((0, i, h) for i, h in enumerate([0.0, 1.5, 2.25])),
        *((1, i, h) for i, h in enumerate([1.0, 2.0, 2.5])),
    ]


def test_progress():
    told = []
    with progress(told.append):
        climb([0.0, 1.0], max_iter=2)
    assert told == [0.0, 0.25, 0.5, 0.5, 0.75, 1.0]


def interrupted(after):
    calls = iter(range(100))

    def m_step(x, h):
        if next(calls) == after:
            raise KeyboardInterrupt
        return towards(x, h)

    return m_step


def test_ctrl_c_keeps_the_best_so_far():
    with pytest.warns(induce.Note, match="interrupted: the 3 iterations found so far are kept"):
        found = climb(m_step=interrupted(after=2))
    assert (found.hypothesis, found.converged) == (2.25, False)
    with pytest.warns(induce.Note, match="interrupted"):
        best = climb([0.0, -100.0], m_step=interrupted(after=5), max_iter=4)
    assert best.start == 0
    with whole_fits(), pytest.raises(KeyboardInterrupt):
        climb(m_step=interrupted(after=2))


def test_ctrl_c_before_anything_was_found():
    def e_step(h):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        maximise([0.0], e_step, towards, height)


def test_the_picture_shows_the_objective_of_every_iteration():
    axes = climb([0.0, -50.0], max_iter=3).draw().axes[0]
    assert axes.lines[0].get_ydata().tolist() == pytest.approx([-9.0, -2.25, -0.5625, -0.140625])
    assert axes.get_legend() is not None
    assert np.isfinite(axes.get_ylim()).all()
