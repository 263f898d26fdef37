"""Every printed result comes out as printed, or as corrected."""

import dataclasses
import re
from pathlib import Path

import pytest

from induce import InputError, textbook
from induce.textbook.measuring import all_as_printed, as_printed, entropy
from induce.textbook.page import chapters, entry_block, index
from induce.textbook.pictures import PICTURES

RESULTS = {result.id: result for result in textbook.results()}
FOLDER = Path(__file__).parents[2] / "docs" / "books"
PAGES = {
    entry.id: (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    for name, chosen in chapters().items()
    for entry in chosen
}
LONG_LOOPS = {"aima-18.35-boosted-stumps", "aima-18.35-curve", "mitchell-9.5.2-block-stacking"}
ON_A_PAGE = {"mitchell-4.1-alvinn"}
"""What takes seconds, and is run by a page of the documentation anyway."""


def as_tested(name):
    marks = [pytest.mark.compiled] if name in LONG_LOOPS else [pytest.mark.slow] if name in ON_A_PAGE else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("result_id", [as_tested(name) for name in RESULTS])
def test_result_comes_out(result_id):
    outcome = textbook.run(result_id)
    assert outcome.agrees, f"printed {RESULTS[result_id].printed}, got {outcome.got}"
    assert outcome.got
    assert entry_block(RESULTS[result_id], outcome) in PAGES[result_id], "run `make book-pages`"


def test_pages_have_the_entries_of_a_chapter_in_order():
    assert {path.stem for path in FOLDER.glob("*.md")} == {*chapters()}
    for name, chosen in chapters().items():
        text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
        assert re.findall(r"^### (.+)$", text, re.MULTILINE) == [entry.id for entry in chosen]
        drawn = [entry.id for entry in chosen if entry.id in PICTURES]
        assert re.findall(r"\]\((.+)\.svg\)", text) == drawn


def test_the_list_of_results_is_current():
    assert (FOLDER.parent / "textbook.md").read_text(encoding="utf-8").endswith(index()), (
        "run `make book-pages`"
    )


def test_ids_are_unique_and_readable():
    listed = textbook.results()
    assert len({result.id for result in listed}) == len(listed)
    for result in listed:
        assert re.fullmatch(r"(mitchell|aima|slides)-[a-z0-9.-]+", result.id)
        assert result.source
        assert result.claim
        assert result.printed


def test_what_the_books_get_wrong():
    assert {result.id for result in textbook.results() if result.erratum} == {
        "mitchell-3.4-outlook-gain",
        "mitchell-3.4-humidity-gain",
        "mitchell-3.4-sunny-branch",
        "mitchell-3.7.1-noisy-day",
        "mitchell-3.7.3-date-gain-ratio",
        "mitchell-4.4.1-or",
        "mitchell-5.1-table",
        "mitchell-5.6-table",
        "mitchell-5.3-one-sided",
        "mitchell-2.7-power-set",
        "mitchell-7.5-weighted-majority",
        "mitchell-exercise-8.1-gradient",
        "mitchell-10.1-first-rule",
        "mitchell-10.1-sorted-list",
        "mitchell-10.4.1-daughter",
        "mitchell-10.5.1-candidates",
        "mitchell-10.5.2-greedy",
        "mitchell-10.7.2-resolution-rule",
        "mitchell-10.7.4-subsumption",
        "mitchell-11.2-proofs",
        "mitchell-11.3-regress",
        "mitchell-12.5-pruning",
        "mitchell-13.2-q",
        "mitchell-13.5-lambda",
        "aima-18.10-decision-list",
        "aima-18.34-adaboost",
        "aima-18.3.5-chi-square-pruning",
        "aima-18.3.5-chi-square-table",
        "aima-18.7.2-majority",
        "aima-18.8.4-left-out",
        "aima-18.9-dimensions",
        "aima-18.9-weights",
        "aima-20.6-intercept",
        "aima-20.6-mercer",
        "aima-20.2-normal",
        "aima-20.4-neighbours",
        "aima-20.3-gaussian-covariance",
        "aima-20.3-gaussian-weights",
        "aima-20.4-normaliser",
    }


def test_what_is_not_reproduced_and_what_is_remarked():
    listed = textbook.results()
    assert {result.id for result in listed if result.not_reproduced} == {
        "mitchell-4.7-full-gradient",
        "mitchell-6.11.6-k2",
        "mitchell-10.4.1-propositional",
        "aima-18.35-boosted-stumps",
        "aima-18.35-curve",
    }
    assert {result.id for result in listed if result.comment} == {
        "mitchell-1.2.4-step",
        "mitchell-5.2-coverage",
        "mitchell-9.5.2-block-stacking",
        "aima-18.3.5-dice",
    }
    assert all(
        bool(result.erratum) + bool(result.not_reproduced) + bool(result.comment) <= 1 for result in listed
    )


@pytest.mark.parametrize("result_id", ["mitchell-3.4-outlook-gain", "mitchell-3.4-humidity-gain"])
def test_an_erratum_differs_from_the_printed_number(result_id):
    result = RESULTS[result_id]
    assert not as_printed(float(result.run().got), result.printed)
    assert abs(float(result.run().got) - float(result.printed)) < 0.001


def test_results_are_computed_not_stored(monkeypatch):
    from induce.trees import growth

    monkeypatch.setitem(growth.MEASURES, "gain", growth.MEASURES["gini"])
    assert not textbook.run("mitchell-3.4-wind-gain").agrees


def test_numbers_are_compared_at_the_printed_precision():
    assert as_printed(0.0481, "0.048")
    assert as_printed(0.0808, ".08")
    assert not as_printed(0.24675, "0.246")
    assert not all_as_printed([0.1, 0.24], ["0.1", "0.25"])


def test_entropy_of_c_classes_is_at_most_log2_c():
    assert entropy(2, 2, 2, 2) == pytest.approx(2.0)
    assert entropy(8, 2) == pytest.approx(0.7219280949)


def test_numbers_without_decimals_are_compared_too():
    assert not as_printed(1.4, "1")
    assert as_printed(1.0000000001, "1")
    assert as_printed(72.0, "72")


def test_results_are_values():
    result = textbook.results()[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.printed = "something else"


def test_unknown_id_is_named():
    with pytest.raises(InputError, match="no textbook result 'mitchell-99'"):
        textbook.run("mitchell-99")
