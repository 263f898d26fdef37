"""Traces: what is kept, what is dropped, and who sees it."""

from __future__ import annotations

import threading

import pytest

from induce.core.trace import Event, active, emit, trace


def test_nothing_is_kept_without_a_trace():
    emit("step", value=1)
    assert not active()
    with trace() as events:
        assert active()
        assert active("step")
    assert len(events) == 0
    assert not active()


def test_events_are_a_sequence_in_order():
    with trace() as events:
        for value in range(4):
            emit("step", value=value)
    assert [event["value"] for event in events] == [0, 1, 2, 3]
    assert events[-1] == Event("step", {"value": 3})
    assert [event["value"] for event in events[1:3]] == [1, 2]
    assert events[0].kind == "step"
    assert str(events[0]) == "step: value=0"
    assert str(events).split() == ["step", "value", "0", "1", "2", "3"]


@pytest.mark.parametrize("only", ["split", ["split"], {"split", "prune"}, ("split",)])
def test_only_some_kinds(only):
    with trace(only=only) as events:
        emit("split")
        emit("noise")
        assert active("split")
        assert not active("noise")
        assert active()
    assert [event.kind for event in events] == ["split"]


def test_no_kind_at_all():
    with trace(only=()) as events:
        emit("split")
    assert len(events) == 0


def test_the_limit_bounds_what_is_kept_and_counts_the_rest():
    with trace(limit=3) as events:
        for value in range(10):
            emit("step", value=value)
    assert [event["value"] for event in events] == [0, 1, 2]
    assert events.dropped == 7
    assert str(events).endswith("(7 more events beyond the limit)")


def test_the_limit_counts_only_what_is_wanted():
    with trace(only="split", limit=1) as events:
        emit("noise")
        emit("split", value=1)
        emit("noise")
    assert (len(events), events.dropped) == (1, 0)
    with trace(limit=0) as nothing:
        emit("split")
    assert (len(nothing), nothing.dropped) == (0, 1)


def test_a_trace_inside_a_trace_takes_its_events():
    with trace() as outer:
        emit("before")
        with trace() as inner:
            emit("inside")
        emit("after")
    assert [event.kind for event in outer] == ["before", "after"]
    assert [event.kind for event in inner] == ["inside"]


def test_an_error_ends_the_trace_and_keeps_the_events():
    kept = []

    def fail() -> None:
        with trace() as events:
            kept.append(events)
            emit("step")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    assert len(kept[0]) == 1
    assert not active()


def test_another_thread_is_not_traced():
    seen = []

    def work() -> None:
        seen.append(active())
        emit("elsewhere")

    with trace() as events:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen == [False]
    assert len(events) == 0


def test_two_threads_trace_apart():
    found: dict[str, list[str]] = {}
    together = threading.Barrier(2)

    def work(name: str) -> None:
        with trace() as events:
            together.wait()
            for _ in range(50):
                emit(name)
            together.wait()
        found[name] = [event.kind for event in events]

    threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"a": ["a"] * 50, "b": ["b"] * 50}
