"""Chapters as notebooks: valid, complete, with and without answers."""

import contextlib
import io
import json

from induce import textbook
from induce.textbook.contents import select
from induce.textbook.notebook import notebook


def cells(*asked, answers=True):
    return json.loads(notebook(select(asked), answers))["cells"]


def source(cell):
    return "".join(cell["source"])


def test_a_chapter_has_all_its_entries_in_order():
    found = [source(cell) for cell in cells("mitchell", "3") if source(cell).startswith("### ")]
    assert [text.splitlines()[0].removeprefix("### ") for text in found] == [
        entry.id for entry in select(["mitchell", "3"])
    ]


def test_cells_have_ids_of_their_own():
    ids = [cell["id"] for cell in cells("aima")]
    assert len(set(ids)) == len(ids)


def test_a_code_cell_prints_what_the_entry_gets():
    *_, cell = cells("mitchell-3.4-outlook-gain")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(source(cell), {})
    assert out.getvalue() == textbook.run("mitchell-3.4-outlook-gain").got + "\n"


def test_errata_are_told():
    assert any("**Erratum:** truncated" in source(cell) for cell in cells("mitchell", "3.4"))


def test_without_answers_exercises_are_asked_and_not_answered():
    asked = cells("3", answers=False)
    place = next(k for k, cell in enumerate(asked) if source(cell).startswith("### mitchell-exercise-3.4a"))
    assert "Printed" not in source(asked[place])
    assert asked[place + 1]["cell_type"] == "code"
    assert source(asked[place + 1]) == ""
    assert any("_root_gain" in source(cell) for cell in asked)
