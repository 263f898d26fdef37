"""What intervals promise and what they keep: exact sums over the binomial distribution."""

import numpy as np
import pytest
from scipy import stats

from induce.core.errors import InputError
from induce.statistics import Interval, actual_coverage, coverage_grid, normal, wilson

MIDDLE = np.arange(100, 501) / 1000  # what is above 0.5 is mirrored


@pytest.mark.parametrize(
    ("n", "p", "actual"),
    [
        (40, 0.3, 0.9299),
        (30, 0.3, 0.9529),
        (30, 0.1, 0.8085),
        (10, 0.05, 0.4002),
        (10, 0.1, 0.6497),
        (20, 0.5, 0.9586),
        (100, 0.3, 0.9502),
        (100, 0.05, 0.8775),
        (1000, 0.3, 0.9504),
    ],
)
def test_the_book_says_approximately_95_percent(n: int, p: float, actual: float) -> None:
    assert float(actual_coverage("normal", n, p)) == pytest.approx(actual, abs=6e-5)


def test_by_simulation() -> None:
    errors = np.random.default_rng(0).binomial(40, 0.12, 20_000)
    for method, made in (("normal", normal), ("wilson", wilson)):
        held = [made(r, 40).low <= 0.12 <= made(r, 40).high for r in range(41)]
        assert float(actual_coverage(method, 40, 0.12)) == pytest.approx(
            np.mean(np.array(held)[errors]), abs=0.006
        )


def test_it_is_mirrored() -> None:
    for method in ("normal", "wilson", "exact"):
        assert actual_coverage(method, 23, MIDDLE[::40]) == pytest.approx(
            actual_coverage(method, 23, 1 - MIDDLE[::40])
        )


@pytest.mark.parametrize("n", [20, 21, 25, 30, 35, 40, 50, 100, 300])
def test_wilson_from_twenty_rows_up(n: int) -> None:
    actual = actual_coverage("wilson", n, np.arange(1, 1001) / 2000)
    assert 0.93 <= actual.mean() <= 0.97  # on average over p: in fact it is 95.0 to 95.4 %
    assert 0.949 <= actual.mean() <= 0.955
    middle = actual_coverage("wilson", n, MIDDLE)
    assert middle.min() >= 0.919
    assert middle.max() <= 0.982


def test_wilson_keeps_to_93_97_for_every_p_from_a_tenth_only_from_55_rows_up() -> None:
    for n in (*range(55, 130), 200, 400, 1000):
        actual = actual_coverage("wilson", n, MIDDLE)
        assert actual.min() >= 0.93
        assert actual.max() <= 0.97
    assert actual_coverage("wilson", 54, MIDDLE).min() < 0.93


def test_wilson_fails_for_errors_next_to_zero() -> None:
    # just above the upper bound for no errors: nearly every interval of one error or more still has to be right
    assert float(actual_coverage("wilson", 25, 0.007)) == pytest.approx(0.8389, abs=5e-5)
    assert actual_coverage("wilson", 20, np.arange(1, 1000) / 1000).min() == pytest.approx(0.8516, abs=5e-5)


def test_exact_never_promises_too_much() -> None:
    grid = coverage_grid(["exact"], n=[1, 5, 20, 60], confidence=0.9)
    assert grid.actual.min() >= 0.9


def test_the_grid() -> None:
    grid = coverage_grid(["normal", "wilson"], n=[20, 100], p=[0.1, 0.3])
    assert grid.actual.shape == (2, 2, 2)
    assert grid.actual[0, 1, 1] == pytest.approx(actual_coverage("normal", 100, 0.3))
    assert grid.within(0.93, 0.97).tolist() == [[False, True], [False, True]]
    assert grid.within(0.0, 1.0).all()
    lines = str(grid).splitlines()
    assert lines[0] == "% of the 95% intervals that cover p, 2 values of p from 0.1 to 0.3"
    assert lines[1].split() == ["method", "n", "lowest", "mean", "highest"]
    assert len(lines) == 2 + 4
    assert grid._repr_html_().count("<tr>") == 5


def test_any_method_can_be_judged() -> None:
    def everything(errors: int, n: int, confidence: float) -> Interval:
        return Interval(0.0, 1.0, confidence, "everything", "two", True, "")

    assert actual_coverage(everything, 7, [0.0, 0.4, 1.0]) == pytest.approx([1, 1, 1])
    # and one that holds nothing but an exact hit has the probability of that hit
    hit = actual_coverage(lambda r, n, c: Interval(r / n, r / n, c, "point", "two", True, ""), 10, 0.5)
    assert float(hit) == pytest.approx(stats.binom.pmf(5, 10, 0.5))


def test_the_picture_has_a_panel_for_each_n() -> None:
    figure = coverage_grid(["normal", "wilson"], n=[10, 20, 40], p=MIDDLE[::20]).draw()
    titled = [axes.get_title(loc="left") for axes in figure.axes if axes.lines]
    assert titled == ["n = 10", "n = 20", "n = 40"]
    assert all(len(axes.lines) == 3 for axes in figure.axes if axes.lines)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["promised", "normal", "wilson"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: actual_coverage("wald", 10, 0.5), "method is 'wald'; it can be 'normal', 'wilson'"),
        (lambda: actual_coverage("normal", 0, 0.5), "n must be a whole number of at least 1, not 0"),
        (lambda: actual_coverage("normal", 10, 1.5), "p must lie between 0 and 1"),
        (lambda: actual_coverage("normal", 10, 0.5, 95), "confidence must lie between 0 and 1"),
        (lambda: coverage_grid([]), "methods, n and p must be non-empty lists; give at least one of each"),
    ],
)
def test_refusals(call, message) -> None:
    with pytest.raises(InputError, match=message):
        call()
