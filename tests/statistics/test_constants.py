"""The constants z and t, exactly and as Mitchell's tables 5.1 and 5.6 print them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from induce.core.errors import InputError
from induce.statistics import Student, student_t, z

Z = {0.50: 0.67, 0.68: 1.00, 0.80: 1.28, 0.90: 1.64, 0.95: 1.96, 0.98: 2.33, 0.99: 2.58}
LEVELS = (0.90, 0.95, 0.98, 0.99)
T = {
    2: (2.92, 4.30, 6.96, 9.92),
    5: (2.02, 2.57, 3.36, 4.03),
    10: (1.81, 2.23, 2.76, 3.17),
    20: (1.72, 2.09, 2.53, 2.84),
    30: (1.70, 2.04, 2.46, 2.75),
    120: (1.66, 1.98, 2.36, 2.62),
    math.inf: (1.64, 1.96, 2.33, 2.58),
}


@pytest.mark.parametrize(("level", "printed"), Z.items())
def test_z_as_printed(level: float, printed: float) -> None:
    assert z(level, table=True) == printed


@pytest.mark.parametrize(
    ("level", "exact"),
    [
        (0.5, 0.67449),
        (0.68, 0.99446),
        (0.8, 1.28155),
        (0.9, 1.64485),
        (0.95, 1.95996),
        (0.98, 2.32635),
        (0.99, 2.57583),
    ],
)
def test_z_exactly(level: float, exact: float) -> None:
    assert z(level) == pytest.approx(exact, abs=6e-6)
    assert Student().ppf((1 + level) / 2) == pytest.approx(exact, abs=6e-6)  # one-sided: figure 5.1


@pytest.mark.parametrize("degrees", T)
def test_t_as_printed(degrees: float) -> None:
    assert tuple(student_t(level, degrees, table=True) for level in LEVELS) == T[degrees]


def test_the_tables_slips_are_in_the_tables_only() -> None:
    assert student_t(0.99, 20) == pytest.approx(2.8453, abs=5e-5)
    assert round(z(0.6827), 2) == 1.00  # what 1.00 really belongs to
    slips = [
        (level, degrees)
        for degrees, row in T.items()
        for level, printed in zip(LEVELS, row, strict=True)
        if round(student_t(level, degrees), 2) != printed
    ]
    assert slips == [(0.99, 20)]


def test_eighty_percent_two_sided_is_ninety_one_sided() -> None:
    assert Student(table=True).ppf(0.90) == z(0.80, table=True) == 1.28
    assert Student(table=True).ppf(0.10) == -1.28


@given(st.floats(0.01, 0.999), st.floats(1, 200))
def test_second_opinion(level: float, degrees: float) -> None:
    assert student_t(level, degrees) == pytest.approx(float(stats.t.interval(level, degrees)[1]), rel=1e-9)
    assert Student(degrees).cdf(1.3) == pytest.approx(float(stats.t.cdf(1.3, degrees)))
    assert z(level) == pytest.approx(float(stats.norm.interval(level)[1]))
    assert z(level) < student_t(level, degrees)


def test_refusals() -> None:
    with pytest.raises(InputError, match="confidence must lie between 0 and 1, not 95"):
        z(95)
    with pytest.raises(InputError, match="degrees must be greater than 0, not 0"):
        student_t(0.95, 0)
