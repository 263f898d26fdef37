"""Players: the last frame is the hypothesis, cells can be changed, and a lesson is one page."""

import re

import pytest

import induce
from induce.core.errors import InputError
from induce.workbench.players.lessons import OWN, lesson_page, lessons, played


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


@pytest.mark.parametrize("id", [each["id"] for each in lessons() if not each["editable"]])
def test_the_algorithms_of_the_books_can_be_played(id):
    found = played(id)
    assert found["frames"]
    assert found["hypothesis"]


@pytest.mark.parametrize("lesson", [each.id for each in OWN])
def test_a_lesson_is_one_small_page_without_addresses(lesson):
    page = lesson_page(lesson)
    assert len(page) < 60_000
    assert not re.search(r"https?://|@import|src=", page)
    assert "</script><" not in page.split("id=lesson>")[1].split("</script>")[0]


def test_an_unknown_lesson_is_refused():
    with pytest.raises(InputError, match="lesson"):
        played("id4")
