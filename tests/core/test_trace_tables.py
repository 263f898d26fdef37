"""Traces as tables: declared fields, scopes of inner learners, text, HTML and plain data."""

from __future__ import annotations

import json

import polars as pl
import pytest

import induce

FIELDS = {
    "split": ("node", "depth", "counts", "candidates", "chosen", "threshold", "parent", "branch", "branches"),
    "thresholds": ("node", "attribute", "tried"),
    "boundaries": ("row", "example", "positive", "S", "G", "left"),
    "eliminated": ("row", "example", "positive", "eliminated", "why", "left", "hypotheses"),
    "generalised": ("row", "example", "positive", "h"),
    "beam": ("step", "candidates", "kept", "best", "members"),
    "rule": ("conditions", "prediction", "counts"),
}
"""The fields of each kind of event, which whoever plays a trace goes by."""


@pytest.fixture(scope="module")
def sport():
    return induce.dataset("enjoy-sport")


@pytest.fixture(scope="module")
def tennis():
    return induce.dataset("play-tennis")


def traced(learner, table, **options):
    with induce.trace(**options) as events:
        learner.fit(*table)
    return events


def test_kinds_have_the_fields_they_declare(sport, tennis):
    temperature = (
        pl.DataFrame({"Temperature": [40, 48, 60, 72, 80, 90]}),
        ["No", "No", "Yes", "Yes", "Yes", "No"],
    )
    told = [
        traced(induce.ID3(), tennis),
        traced(induce.ID3(), temperature),
        traced(induce.CandidateElimination(), sport),
        traced(induce.ListThenEliminate(), sport),
        traced(induce.FindS(), sport),
        traced(induce.CN2(), tennis),
    ]
    found = {kind: fields for events in told for kind, fields in events.kinds().items()}
    assert {kind: found[kind] for kind in FIELDS} == FIELDS
    for events in told:
        json.dumps(events.as_list(), allow_nan=True)
        assert "<table>" in events._repr_html_()
        for kind in events.kinds():
            assert events.table(kind).height == sum(event.kind == kind for event in events)


def test_thresholds_tried_are_those_of_the_book():
    table = pl.DataFrame({"Temperature": [40, 48, 60, 72, 80, 90]}), ["No", "No", "Yes", "Yes", "Yes", "No"]
    events = traced(induce.ID3(), table)
    first = next(event for event in events if event.kind == "thresholds")
    assert {cut: round(gain, 3) for cut, gain in first["tried"].items()} == {54.0: 0.459, 85.0: 0.191}
    split = next(event for event in events if event.kind == "split")
    assert split["threshold"] == 54
    assert split["branches"] == ((2.0, 0.0), (1.0, 3.0))


def test_splits_say_where_they_hang(tennis):
    root, *below = traced(induce.ID3(), tennis, only="split")
    assert root["parent"] is None
    assert [(event["parent"], event["branch"]) for event in below] == [(0, 0), (0, 2)]
    assert root["branches"][below[0]["branch"]] == below[0]["counts"]


def test_boundaries_begin_with_s0_and_g0_and_say_why_a_hypothesis_left(sport):
    events = traced(induce.CandidateElimination(), sport)
    assert events[0].kind == "start"
    assert events[0]["S"] == (("∅",) * 6,)
    assert events[0]["G"] == (("?",) * 6,)
    assert events[1]["example"] == ("Sunny", "Warm", "Normal", "Strong", "Warm", "Same")
    assert [event["row"] for event in events[1:]] == [0, 1, 2, 3]
    assert events[3]["left"] == (
        {"boundary": "G", "hypothesis": ("?",) * 6, "why": "covers the negative example"},
    )
    assert [(str(gone["hypothesis"]), gone["why"]) for gone in events[4]["left"]][1] == (
        "⟨?, ?, ?, ?, ?, Same⟩",
        "does not cover the positive example",
    )


def test_list_then_eliminate_tells_each_example(sport):
    events = traced(induce.ListThenEliminate(), sport)
    assert [event["left"] for event in events] == [973, 64, 32, 28, 6]
    assert len(events[-1]["hypotheses"]) == 6
    untraced = induce.ListThenEliminate().fit(*sport)
    assert len(untraced.listing_) == 6


def test_the_beam_names_its_members(tennis):
    events = traced(induce.CN2(ordered=True, measure="entropy", pruning=None), tennis, only="beam")
    members = events[0]["members"]
    assert {each["rule"] for each in members} >= {"Outlook = Overcast", "Humidity = Normal"}
    assert {each["parent"] for each in members} == {"TRUE"}
    assert sum(each["kept"] for each in members) == events[0]["kept"]
    assert [each["rule"] for each in members if each["best"]] == ["Outlook = Overcast"]


def test_inner_learners_have_a_scope_and_can_be_left_out(tennis):
    bagging = induce.Bagging(induce.ID3(), n_estimators=2)
    events = traced(bagging, tennis)
    assert {event.scope for event in events if event.kind == "split"} == {
        ("Bagging", "member 1"),
        ("Bagging", "member 2"),
    }
    assert not any(event.kind == "split" for event in traced(bagging, tennis, inner=False))


def test_text_is_a_table_for_each_run_of_one_kind(sport):
    text = str(traced(induce.FindS(), sport))
    assert text.splitlines()[:3] == ["start", "  h", "  ⟨∅, ∅, ∅, ∅, ∅, ∅⟩"]
    assert "⟨Sunny, Warm, ?, Strong, ?, ?⟩" in text


def test_fitted_learners_show_their_hypothesis_in_a_notebook(tennis):
    fitted = induce.ID3().fit(*tennis)
    bundle = fitted._repr_mimebundle_()
    assert bundle["text/html"] == fitted.hypothesis_._repr_html_()
    assert "Outlook" in bundle["text/plain"]
    assert "Outlook" not in induce.ID3()._repr_mimebundle_()["text/html"]
