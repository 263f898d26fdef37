"""Players: the last frame is the hypothesis, cells can be changed, and a lesson is one page."""

import json
import re

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.core.plain import plain
from induce.workbench.players.lessons import OWN, lesson_page, lessons, played
from induce.workbench.players.number_players import back_propagation
from induce.workbench.players.search_players import genetic_programming


def test_the_last_frame_of_a_tree_is_the_tree():
    for id, learner in (("id3", induce.ID3), ("c45", induce.C45)):
        found = played(id)
        tree = learner().fit(*induce.dataset("play-tennis")).hypothesis_
        last = found["frames"][-1]["tree"]
        assert {key: tree.to_view()[key] for key in last} == last
        # before the end, every split adds its branches
        sizes = [len(frame["tree"]["parent"]) for frame in found["frames"][:-1]]
        assert sizes[0] == 1
        assert sizes == sorted(set(sizes))
        assert sizes[-1] == len(last["parent"])


def test_conditions_of_frames_are_those_of_the_tree():
    found = played("id3")
    before, last = found["frames"][-2]["tree"], found["frames"][-1]["tree"]
    assert sorted(before["condition"]) == sorted(last["condition"])


def test_the_last_frame_of_a_version_space_is_the_version_space():
    space = induce.CandidateElimination().fit(*induce.dataset("enjoy-sport")).hypothesis_
    last = played("candidate-elimination")["frames"][-1]
    assert [f"⟨{', '.join(each)}⟩" for each in last["S"]] == list(map(str, space.most_specific))
    assert [f"⟨{', '.join(each)}⟩" for each in last["G"]] == list(map(str, space.most_general))
    assert played("find-s")["frames"][-1]["S"] == last["S"]


def test_a_changed_cell_changes_the_trace():
    rows = [list(row) for row in played("candidate-elimination")["table"]["rows"]]
    rows[3][-1] = "No"
    last = played("candidate-elimination", {"rows": rows})["frames"][-1]
    assert last["S"] == [["Sunny", "Warm", "?", "Strong", "Warm", "Same"]]
    rows[0][0] = "<img src=x>"
    with pytest.raises(InputError, match="Sky"):
        played("candidate-elimination", {"rows": rows})
    with pytest.raises(InputError, match="rows"):
        played("id3", {"rows": "all"})


def shows(frame, learned):
    """Say whether a frame shows what a hypothesis is, by what its picture shows."""
    view = plain(learned.to_view())
    picture = frame["picture"]
    parts = {part["picture"]: part for part in frame.get("also", ())}
    if picture in ("rules", "clauses", "policy", "neural"):
        # the codes of rows are beside the network
        return {key: frame[key] for key in view} == view
    if picture == "tree":
        return {key: view[key] for key in frame["tree"]} == frame["tree"]
    if picture == "votes":
        return {key: parts["nomogram"][key] for key in view} == view
    if picture == "plane" and "clusters" in parts:
        means = [each["at"] for each in frame["means"]]
        return {key: parts["clusters"][key] for key in view} == view and np.allclose(means, learned.centres)
    if picture == "plane":
        weights = [float(learned.intercepts[0]), *learned.weights[0].tolist()]
        return np.allclose(frame["weights"], weights)
    if picture == "boundaries":
        if frame["G"] is None:
            (h,), names = frame["S"], learned.schema.inputs().names()
            told = [f"{name} = {value}" for name, value in zip(names, h, strict=True) if value != "?"]
            return sorted(view["rules"][0]["conditions"]) == sorted(told)
        S, G = ([f"⟨{', '.join(each)}⟩" for each in frame[key]] for key in "SG")
        return (list(map(str, learned.most_specific)), list(map(str, learned.most_general))) == (S, G)
    assert picture == "bars"
    return frame["bars"] == [frame["bars"][0]] and str(learned).startswith(frame["bars"][0]["name"])


@pytest.mark.parametrize("lesson", OWN, ids=lambda each: each.id)
def test_the_last_frame_of_every_player_is_the_hypothesis(lesson):
    frames, learned = lesson.play(lesson.sheet())
    frames = plain(frames)
    assert shows(frames[-1], learned)
    assert all(frame["caption"] for frame in frames)
    # and a frame before it shows something else
    if lesson.id not in ("find-s", "candidate-elimination", "id3", "c45"):
        assert any(frame != frames[-1] for frame in frames[:-1])
    json.dumps(frames, allow_nan=False)


CHANGES = {
    "cn2": (0, -1, "Yes"),
    "adaboost": (0, -1, "Yes"),
    "foil": (0, -1, "yes"),
    "prolog-ebg": (3, -1, "0.2"),
    "perceptron": (0, 0, "6"),
    "lms": (0, 1, "3"),
    "back-propagation": (0, 2, "1"),
    "k-means": (0, 0, "6"),
    "em": (0, 0, "6"),
    "genetic-algorithm": (0, 0, "0"),
    "genetic-programming": (0, 1, "5"),
    "q-learning": (2, 3, "G"),
    "value-iteration": (2, 3, "G"),
}


@pytest.mark.parametrize("id", CHANGES)
def test_a_changed_cell_changes_every_trace(id):
    before = played(id)
    rows = [list(row) for row in before["table"]["rows"]]
    row, column, value = CHANGES[id]
    assert rows[row][column] != value
    rows[row][column] = value
    assert played(id, {"rows": rows})["frames"] != before["frames"]


@pytest.mark.parametrize("id", [each["id"] for each in lessons() if not each["editable"]])
def test_the_algorithms_of_the_books_can_be_played(id):
    found = played(id)
    assert found["frames"]
    assert found["hypothesis"]


@pytest.mark.parametrize("lesson", [each.id for each in OWN])
def test_a_lesson_is_one_small_page_without_addresses(lesson):
    page = lesson_page(lesson)
    assert len(page) < 60_000
    # the name of SVG is a name, nothing is fetched from there
    assert not re.search(r"https?://|@import|src=", page.replace("http://www.w3.org/2000/svg", ""))
    assert page.count("<script") == page.count("</script>") == 2


def test_an_unknown_lesson_is_refused():
    with pytest.raises(InputError, match="lesson"):
        played("id4")


@pytest.mark.slow
def test_the_notes_say_how_often_other_seeds_succeed():
    by_id = {lesson.id: lesson for lesson in OWN}
    lesson = by_id["genetic-programming"]
    found = [genetic_programming(lesson.sheet(), seed)[0][-1]["bars"][0]["value"] for seed in range(20)]
    assert found[0] == 0
    assert f"0 to 19, {found.count(0)} find" in lesson.note
    lesson = by_id["back-propagation"]
    X, y = lesson.sheet().frame()
    right = [
        bool((np.round(back_propagation(lesson.sheet(), seed)[1].predict(X)) == y.to_numpy()).all())
        for seed in range(20)
    ]
    assert right[0]
    assert f"0 to 19, {sum(right)} learn" in lesson.note
    for id in ("k-means", "genetic-programming", "back-propagation"):
        assert played(id)["note"] == by_id[id].note
