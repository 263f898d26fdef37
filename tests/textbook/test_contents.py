"""The contents of the books: current, in order, and importing no more than is asked for."""

import subprocess
import sys

import pytest

from induce import InputError, textbook
from induce.textbook.code import code
from induce.textbook.contents import FILE, contents_text, entries, select
from induce.textbook.pictures import PICTURES
from induce.textbook.place import KINDS, place_of


def test_the_file_of_contents_is_current():
    assert FILE.read_text(encoding="utf-8") == contents_text(), "run `make stubs`"


def test_entries_have_a_place_and_stand_in_order():
    for entry in entries():
        if entry.place.book != "slides":
            assert entry.place.kind in KINDS
            assert entry.place.within(str(entry.place.chapter))
            assert entry.place.section or entry.place.kind == "exercise"
    keys = [entry.place.order() for entry in entries()]
    assert keys == sorted(keys)


def test_every_result_is_loaded_by_its_entry():
    for entry in entries():
        result = entry.load()
        assert (result.id, result.source, result.claim) == (entry.id, entry.source, entry.claim)
        assert result.place == entry.place


@pytest.mark.parametrize(
    ("id", "source", "kind", "number", "section"),
    [
        ("mitchell-2.5-version-space", "Mitchell, figure 2.3", "figure", "2.3", "2.5"),
        ("mitchell-4.1-alvinn", "Mitchell, section 4.1 and figure 4.1", "figure", "4.1", "4.1"),
        ("mitchell-1.2.4-values", "Mitchell, section 1.2.4.1, equation 1.1", "section", "1.2.4.1", "1.2.4.1"),
        ("aima-20.2-line", "Russell and Norvig, section 20.2 and exercise 20.6", "section", "20.2", "20.2"),
        ("mitchell-exercise-6.3-find-g", "Mitchell, section 6.3.2 and exercise 6.3", "exercise", "6.3", ""),
        ("mitchell-3.1-tree", "Mitchell, figure 3.1", "figure", "3.1", "3.2"),
    ],
)
def test_places(id, source, kind, number, section):
    found = place_of(id, source)
    assert (found.kind, found.number, found.section) == (kind, number, section)


def test_a_source_without_a_place():
    with pytest.raises(InputError, match="names no section"):
        place_of("mitchell-here", "Mitchell, somewhere")


def test_chapter_20_is_that_of_the_second_edition():
    assert {entry.place.edition for entry in select(["aima", "20"])} == {"second"}
    assert {entry.place.edition for entry in select(["aima", "18"])} == {"third"}


def test_sections_are_numbers_not_prefixes():
    assert not {entry.id for entry in select(["3.1"])} & {entry.id for entry in select(["exercise", "3.4"])}
    assert "aima-18.10-independence" not in {entry.id for entry in select(["aima", "18.1"])}


def test_every_entry_has_code_that_is_complete():
    """All of it but the last line, which computes, is run."""
    for entry in entries():
        *lines, call = code(entry).splitlines()
        names: dict = {}
        exec("\n".join(lines), names)
        assert callable(eval(call.removesuffix("()"), names))


def test_code_computes_what_the_entry_says():
    text = code(select(["mitchell-3.4-entropy"])[0])
    lines = text.rstrip().splitlines()
    names: dict = {}
    exec("\n".join([*lines[:-1], f"found = {lines[-1]}"]), names)
    assert names["found"] == textbook.run("mitchell-3.4-entropy")


def test_code_imports_what_it_uses():
    text = code(select(["mitchell-3.4-entropy"])[0])
    assert "from induce.textbook.measuring import all_as_printed, entropy, listed\n" in text
    assert "Result" not in text


def test_a_misspelt_book_or_kind_is_suggested():
    for word, meant in (("mitchel", "mitchell"), ("exersise", "exercise")):
        with pytest.raises(InputError, match=f"did you mean '{meant}'"):
            select([word, "3"])


COSTLY = {
    "mitchell-3.6-overfitting",
    "aima-18.7-learning-curve",
    "aima-18.12-learning-curve",
    "aima-18.35-boosted-stumps",
    "aima-18.35-curve",
    "aima-20.2-naive-bayes-curve",
}
"""Curves whose numbers take seconds, and are those of their results."""


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=[pytest.mark.slow] if id in COSTLY else []) for id in PICTURES]
)
def test_pictures_are_of_entries(id):
    assert id in {entry.id for entry in entries()}
    assert PICTURES[id]().axes


def test_one_entry_imports_one_module():
    script = (
        "import sys; from induce import textbook; textbook.run('mitchell-3.4-outlook-gain');"
        "print(*sorted(name for name in sys.modules if name.startswith('induce.textbook.')))"
    )
    out = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert set(out.split()) == {
        f"induce.textbook.{name}" for name in ("contents", "measuring", "place", "result", "trees")
    }
