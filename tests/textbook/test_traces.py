"""The algorithms of the books, traced by name: bounded, as tables, pages and pictures, and changing nothing."""

from __future__ import annotations

import json

import pytest

from induce import InputError, textbook

NAMES = [algorithm.id for algorithm in textbook.algorithms()]


@pytest.mark.parametrize("name", NAMES)
def test_every_named_trace_tells_its_steps(name):
    run = textbook.traced(name)
    assert 0 < len(run.events) <= 200
    assert {event.kind for event in run.events} <= {*run.algorithm.only}
    assert not any(event.scope for event in run.events)
    assert str(run).startswith(run.algorithm.source)
    assert "<table>" in run._repr_html_()
    json.dumps(run.events.as_list())
    if name != "mitchell-5.5":
        assert run.draw().axes
    untraced = run.algorithm.run()
    assert str(untraced) == str(run.learned)


def test_the_tables_of_the_book_are_there():
    chapters = ("2.3 2.4 2.5 3.1 4.1 4.2 5.5 6.2", "7.1 8.1 9.1 10.1 10.2 10.4 11.2 11.3 13.1")
    asked = [number for numbers in chapters for number in numbers.split()]
    assert {f"mitchell-{number}" for number in asked} <= {*NAMES}
    assert len({*NAMES}) == len(NAMES)


def test_the_limit_bounds_what_is_printed():
    run = textbook.traced("13.1", limit=3)
    assert len(run.events) == 3
    assert "more events beyond the limit" in str(run)


def test_candidate_elimination_is_that_of_figure_2_7():
    *_, last = textbook.traced("2.5").events
    assert [*map(str, last["S"])] == ["⟨Sunny, Warm, ?, Strong, ?, ?⟩"]
    assert [*map(str, last["G"])] == ["⟨Sunny, ?, ?, ?, ?, ?⟩", "⟨?, Warm, ?, ?, ?, ?⟩"]


def test_neighbours_of_table_8_1_vote_as_the_learner_predicts():
    events = textbook.traced("8.1").events
    near: list[str] = []
    for event in events:
        if event.kind == "neighbour":
            near.append(event["of"])
        else:
            assert event["prediction"] == max("+-", key=near.count)
            near = []


def test_an_unknown_table():
    with pytest.raises(InputError, match="there is no named trace '99'"):
        textbook.traced("99")
