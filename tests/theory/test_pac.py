"""Rows, errors and chances that belong together: the numbers of chapter 7 and of AIMA 18.5."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.theory import (
    FORMULAS,
    bounds,
    conjunctions,
    decision_lists,
    grid_rectangles,
    k_term_dnf,
    necessary_rows,
    of_dimension,
    of_size,
    perceptron_network,
    rectangles,
    regular_depth_two_trees,
    rows_by_size,
    sample_complexity,
    unbiased,
)


def rows(space, epsilon, delta, setting="consistent"):
    return sample_complexity(space, epsilon=epsilon, delta=delta, setting=setting).rows


@pytest.mark.parametrize(("n", "needed"), [(5, 85), (10, 140), (20, 250), (50, 580), (100, 1129)])
def test_conjunctions(n, needed):
    assert rows(conjunctions(n), 0.1, 0.05) == needed


def test_the_worked_example():
    found = sample_complexity(conjunctions(10), epsilon=0.1, delta=0.05)
    assert found.m == pytest.approx(139.8186, abs=1e-4)
    assert rows(conjunctions(10), 0.01, 0.01) == 1560
    assert sample_complexity(of_size(973), epsilon=0.1, delta=0.05).m == pytest.approx(98.76, abs=0.005)


@pytest.mark.parametrize(("epsilon", "needed"), [(0.1, 700), (0.05, 2797), (0.01, 69910)])
def test_agnostic(epsilon, needed):
    assert rows(conjunctions(10), epsilon, 0.05, "agnostic") == needed


@pytest.mark.parametrize(("n", "needed"), [(1, 44), (2, 58), (3, 86), (4, 141), (5, 252), (10, 7128)])
def test_unbiased(n, needed):
    assert rows(unbiased(n), 0.1, 0.05) == needed


@pytest.mark.parametrize(("n", "k", "needed"), [(10, 1, 140), (10, 2, 250), (10, 3, 360), (20, 3, 690)])
def test_k_term_dnf(n, k, needed):
    assert rows(k_term_dnf(n, k), 0.1, 0.05) == needed


@pytest.mark.parametrize(
    ("size", "loose", "small"),
    [(2, 37, 530), (10, 53, 691), (100, 77, 922), (1000, 100, 1152), (10**6, 169, 1843)],
)
def test_sizes(size, loose, small):
    assert rows(of_size(size), 0.1, 0.05) == loose
    assert rows(of_size(size), 0.01, 0.01) == small


@pytest.mark.parametrize(("size", "needed"), [(10, 51), (1000, 94), (10**6, 160)])
def test_sharp(size, needed):
    assert rows(of_size(size), 0.1, 0.05, "sharp") == needed


@pytest.mark.parametrize(
    ("n", "k", "loose", "strict"),
    [
        (3, 1, 193, 417),
        (3, 2, 757, 1545),
        (5, 2, 2369, 4770),
        (10, 1, 715, 1462),
        (10, 2, 11567, 23165),
        (10, 3, 98796, 197624),
        (20, 2, 55976, 111984),
    ],
)
def test_decision_lists(n, k, loose, strict):
    assert rows(decision_lists(n, k), 0.1, 0.05) == loose
    assert rows(decision_lists(n, k), 0.05, 0.01) == strict


@pytest.mark.parametrize(("m", "delta"), [(139, 0.0542649), (140, 0.0491009)])
def test_delta(m, delta):
    found = sample_complexity(conjunctions(10), m=m, epsilon=0.1)
    assert found.delta == pytest.approx(delta, abs=5e-8)
    assert not found.vacuous


def test_exercise_7_1_and_7_2():
    assert sample_complexity(of_dimension(3), epsilon=0.05, delta=0.1, setting="vc").m == pytest.approx(
        4196.49, abs=0.005
    )
    grid = grid_rectangles(100)
    assert sample_complexity(grid, epsilon=0.15, delta=0.05).m == pytest.approx(133.67, abs=0.005)
    assert sample_complexity(rectangles(), epsilon=0.15, delta=0.05, setting="vc").m == pytest.approx(
        1515.23, abs=0.005
    )


def test_exercise_7_4_delta_for_intervals():
    found = sample_complexity(of_dimension(2), m=2000, epsilon=0.1, setting="vc")
    assert found.delta == pytest.approx(2 * (13 / 0.1) ** 4 * 2 ** (-2000 * 0.1 / 4))
    first_principles = math.ceil(math.log(2 / 0.05) / (0.1 / 2))
    assert (first_principles, rows(of_dimension(2), 0.1, 0.05, "vc")) == (74, 1337)


def test_exercise_7_7_and_7_8():
    assert rows(regular_depth_two_trees(10), 0.1, 0.05) == 103
    found = [sample_complexity(conjunctions(n), m=100, delta=0.05) for n in (10, 100)]
    assert [round(each.epsilon, 4) for each in found] == [0.1398, 1.1286]
    assert [each.vacuous for each in found] == [False, True]
    assert "vacuous" in str(found[1])


@pytest.mark.parametrize(
    ("vc", "epsilon", "delta", "needed"),
    [
        (2, 0.1, 0.05, 1337),
        (3, 0.1, 0.05, 1899),
        (4, 0.1, 0.05, 2461),
        (10, 0.1, 0.05, 5831),
        (11, 0.1, 0.05, 6393),
    ],
)
def test_vc_bound(vc, epsilon, delta, needed):
    assert rows(of_dimension(vc), epsilon, delta, "vc") == needed


@pytest.mark.parametrize(
    ("m", "epsilon"), [(10, 5.83), (50, 2.11), (100, 1.28), (200, 0.761), (500, 0.371), (1000, 0.211)]
)
def test_vc_bound_inverted(m, epsilon):
    found = sample_complexity(rectangles(), m=m, delta=0.05, setting="vc")
    assert found.epsilon == pytest.approx(epsilon, rel=0.003)
    assert found.vacuous == (epsilon >= 1)


@pytest.mark.parametrize(
    ("r", "s", "vc", "needed"), [(2, 2, 29.312, 16681), (2, 3, 54.498, 30830), (10, 5, 414.109, 232855)]
)
def test_networks(r, s, vc, needed):
    assert perceptron_network(r, s).vc == pytest.approx(vc, abs=5e-4)
    assert rows(perceptron_network(r, s), 0.1, 0.05, "vc") == needed


@pytest.mark.parametrize(
    ("vc", "epsilon", "delta", "needed"),
    [(2, 0.1, 0.005, 52.983), (1000, 0.1, 0.005, 312.19), (200, 0.01, 0.005, 621.875)],
)
def test_lower_bound(vc, epsilon, delta, needed):
    assert necessary_rows(vc, epsilon, delta) == pytest.approx(needed, abs=0.005)


def test_strict_lower_bound_is_smaller():
    assert necessary_rows(2, 0.1, 0.005, strict=True) == pytest.approx(math.log(200) / -math.log(0.9))
    assert necessary_rows(2, 0.1, 0.005, strict=True) < necessary_rows(2, 0.1, 0.005)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((1, 0.1, 0.005), "vc is 1"),
        ((2, 0.125, 0.005), "epsilon is 0.125; the theorem holds"),
        ((2, 0.1, 0.01), "delta is 0.01; the theorem holds"),
    ],
)
def test_lower_bound_keeps_to_its_ranges(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        necessary_rows(*arguments)


@given(
    st.floats(0, 200),
    st.floats(0.001, 0.9),
    st.floats(0.0001, 0.9),
    st.sampled_from(sorted(FORMULAS)),
)
def test_the_three_answers_belong_together(ln_size, epsilon, delta, setting):
    space = of_dimension(max(1.0, ln_size)) if setting == "vc" else of_size(math.exp(ln_size))
    m = sample_complexity(space, epsilon=epsilon, delta=delta, setting=setting).m
    if m >= 1:
        assert sample_complexity(space, m=m, delta=delta, setting=setting).epsilon == pytest.approx(epsilon)
        assert sample_complexity(space, m=m, epsilon=epsilon, setting=setting).delta == pytest.approx(
            delta, rel=1e-4
        )


def test_best_is_twice_a_one_sided_bound_at_half_epsilon():
    # within epsilon of the best: both the best and the chosen one are off by epsilon / 2 at most
    two_sided = sample_complexity(of_size(200), epsilon=0.05, delta=0.1, setting="agnostic").m
    assert sample_complexity(of_size(100), epsilon=0.1, delta=0.1, setting="best").m == pytest.approx(
        two_sided
    )


def test_what_is_supposed_is_said():
    assert "realizable" in str(sample_complexity(of_size(9), epsilon=0.1, delta=0.1))
    assert "agnostic" in str(sample_complexity(of_size(9), epsilon=0.1, delta=0.1, setting="agnostic"))
    assert "an independent sample" in sample_complexity(of_size(9), m=9, delta=0.1)._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"epsilon": 0.1}, "give two of m, epsilon and delta, not 1"),
        ({"epsilon": 0.1, "delta": 0.1, "m": 5}, "give two of m, epsilon and delta, not 3"),
        ({"epsilon": 0, "delta": 0.1}, "epsilon is 0; it must be a number above 0"),
        ({"m": 0, "delta": 0.1}, "m is 0; it must be a number of at least 1"),
        ({"m": 9, "delta": 2}, "delta is 2; it must be a number above 0"),
        ({"m": 9, "delta": 0.1, "setting": "exact"}, "setting is 'exact'; it can be"),
    ],
)
def test_questions_that_cannot_be_answered(arguments, sentence):
    with pytest.raises(InputError, match=sentence):
        sample_complexity(of_size(10), **arguments)


def test_an_infinite_space_has_only_its_dimension():
    with pytest.raises(InputError, match="infinitely many hypotheses, for which 'consistent' is undefined"):
        sample_complexity(rectangles(), epsilon=0.1, delta=0.1)
    assert set(bounds(rectangles()).rows) == {"vc"}


def test_side_by_side():
    found = bounds(conjunctions(10), 0.1, 0.005)
    assert found.necessary == pytest.approx(52.983, abs=5e-4)
    assert found.necessary < found.rows["sharp"] < found.rows["consistent"] < found.rows["vc"]
    assert bounds(conjunctions(10)).necessary is None
    axes = found.draw().axes[0]
    assert [line.get_label() for line in axes.lines if not line.get_label().startswith("_")][-1].startswith(
        "nec"
    )
    assert "<td>163</td>" in found._repr_html_()


def test_a_bound_on_the_dimension_makes_no_rows_necessary():
    for space in (perceptron_network(2, 3), k_term_dnf(10, 3)):
        found = bounds(space, 0.1, 0.005)
        assert found.necessary is None
        assert not any("necessary" in str(line.get_label()) for line in found.draw().axes[0].lines)
    assert "VC dimension at most 54.4978" in str(perceptron_network(2, 3))


def test_rows_by_size():
    found = rows_by_size({"all": unbiased}, (1, 2, 40))
    assert [math.ceil(m) for m in found.rows["all"][:2]] == [44, 58]
    assert "e+12" in str(found)
    assert "<td>58</td>" in found._repr_html_()
    assert list(found.draw().axes[0].lines[0].get_xdata()) == [1, 2, 40]
    with pytest.raises(InputError, match="must not be empty"):
        rows_by_size({}, (1,))
