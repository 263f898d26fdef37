"""`induce size`: rows for a width, rows for a comparison, and what can be shown with the rows there are."""

import pytest

from induce.statistics import PlannedComparison, detectable_difference, sample_size


def test_rows_for_a_width(run):
    result = run("size", "--error", 0.1, "--width", 0.02)
    assert result.code == 0
    assert result.out == "3458 rows: 95% interval of width 0.019998 at error 0.1 (normal)\n"


def test_rows_for_a_range_of_errors(run):
    assert run("size", "--error", "0.2-0.6", "--width", 0.1).out.startswith("385 rows: ")
    assert run("size", "--width", 0.1, "--json").json["error"] == 0.5  # nothing known: the worst
    assert run("size", "--width", 0.1, "--error", "1e-2", "--json").json["error"] == 0.01


@pytest.mark.parametrize("method", ["normal", "wilson", "exact"])
def test_methods_and_confidence(run, method):
    found = run(
        "size", "--error", 0.1, "--width", 0.05, "--method", method, "--confidence", 0.9, "--json"
    ).json
    planned = sample_size(0.05, 0.9, 0.1, method)
    assert found == {
        "rows": planned.n,
        "width": planned.width,
        "error": 0.1,
        "confidence": 0.9,
        "method": method,
        "holds": True,
        "preconditions": planned.preconditions,
    }


def test_it_says_when_the_method_is_not_fit(run):
    assert "plan with wilson or exact" in run("size", "--error", 0.01, "--width", 0.2).out


def test_rows_for_a_comparison(run):
    result = run("size", "--error", 0.1, "--than", 0.12, "--power", 0.8)
    assert result.out == (
        "3839 rows for each: error 0.1 is distinguished from 0.12 with probability 0.800 (test at the 5% level)\n"
    )
    assert run("size", "--error", 0.1, "--than", 0.12).out == result.out


def test_rows_for_a_paired_comparison(run):
    found = run("size", "--error", 0.1, "--than", 0.14, "--paired", "--disagree", 0.08, "--json").json
    plan = PlannedComparison(0.1, 0.14, True, 0.08)
    assert (found["rows"], found["power"]) == (plan.rows(), plan.power(plan.rows()))
    assert found["disagreement"] == 0.08
    supposed = run("size", "--error", 0.1, "--than", 0.14, "--paired", "--json").json
    assert supposed["disagreement"] == pytest.approx(0.1 * 0.86 + 0.14 * 0.9)
    assert "the same for both" in run("size", "--error", 0.1, "--than", 0.14, "--disagree", 0.08).out


def test_power_with_the_rows_there_are(run):
    found = run("size", "--error", 0.1, "--than", 0.12, "--rows", 1000, "--confidence", 0.9, "--json").json
    assert found["power"] == pytest.approx(PlannedComparison(0.1, 0.12, alpha=0.1).power(1000))
    assert found["alpha"] == 0.1


def test_what_can_be_told_with_the_rows_there_are(run):
    found = run("size", "--error", 0.12, "--rows", 1000, "--power", 0.9, "--json").json
    assert found["than"] == pytest.approx(0.12 - detectable_difference(0.12, 1000, 0.9))
    assert found["power"] == pytest.approx(0.9, abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "give --error and --width to plan an interval, or --error with --than or --rows"),
        (["--than", 0.2], "give --error and --width"),
        (["--error", 0.1], "give --error and --width"),
        (["--error", "x", "--width", 0.1], "--error has 'x'; give a rate such as 0.1"),
        (["--error", "0.1-0.2", "--than", 0.1], "--error has '0.1-0.2'; give a rate"),
        (["--error", 1.5, "--width", 0.1], "give a rate between 0 and 1"),
        (["--width", 3], "width is 3.0; it must be a number between 0 and 1"),
        (["--width", 0.1, "--method", "wald"], "method is 'wald'; it can be 'normal', 'wilson', 'exact'"),
        (["--width", 0.1, "--confidence", 95], "confidence must lie between 0 and 1, not 95.0"),
        (["--width", 0.1, "--than", 0.2], "--width plans one interval, but --than plans a comparison"),
        (["--width", 0.1, "--disagree", 0.2], "--width plans one interval, but --paired plans a comparison"),
        (["--error", 0.1, "--than", 0.2, "--method", "exact"], "give its --width as well"),
        (["--error", 0.1, "--than", 0.2, "--rows", 9, "--power", 0.8], "--rows computes the power"),
        (["--error", 0.1, "--than", 0.1], "the two error rates are equal"),
        (["--error", 0.1, "--rows", 3], "n is 3, too few rows"),
    ],
)
def test_one_sentence(run, arguments, sentence):
    assert sentence in run("size", *arguments).sentence()
