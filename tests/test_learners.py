"""The catalogue: complete, and true."""

from importlib import import_module
from pathlib import Path

import polars as pl
import pytest

import induce
from induce.core.declarations import (
    CONCEPT,
    FACES,
    NUMBERS,
    PACKAGES,
    exported_names,
    learners,
    public_names,
    searches,
    stubs,
)
from induce.core.description import parameter_page
from induce.core.learner_table import learner_page
from induce.core.registry import ESTIMATORS


def test_every_learner_is_listed():
    names = [entry.name for entry in learners()]
    assert sorted(names) == names == sorted(ESTIMATORS)


@pytest.mark.parametrize(("package", "text"), stubs().items())
def test_stubs_say_what_is_declared(package, text):
    """`make stubs` writes them anew."""
    assert (Path(induce.__file__).parent / package / "__init__.pyi").read_text(encoding="utf-8") == text


def test_the_page_of_parameters_says_what_is_declared():
    """`make stubs` writes it anew."""
    page = Path(__file__).parent.parent / "docs" / "parameters.md"
    assert page.read_text(encoding="utf-8") == parameter_page()


def test_the_table_of_learners_says_what_is_declared():
    """`make stubs` writes it again."""
    page = Path(__file__).parent.parent / "docs" / "learners.md"
    assert page.read_text(encoding="utf-8") == learner_page()


def test_every_package_with_a_declaration_is_known():
    found = {path.parent.name for path in Path(induce.__file__).parent.glob("*/_declaration.py")}
    assert found == set(PACKAGES)


def test_what_packages_export_is_there():
    for name, home in public_names().items():
        assert getattr(induce, name) is getattr(import_module(home), name)
    for package in PACKAGES:
        for name, home in exported_names(package).items():
            assert hasattr(import_module(home), name)


def examples(entry):
    """Return a table that a learner can learn from."""
    X, y = induce.dataset("enjoy-sport" if entry.needs == CONCEPT else "play-tennis")
    if entry.needs_experts:
        X = pl.DataFrame({"never wrong": y, "often wrong": y.reverse()})
    if entry.needs_text:
        X = pl.DataFrame({"said": [f"day {day} was a {each} day" for day, each in enumerate(y)]})
    if not entry.has_target:
        return (X,)
    return X, range(len(y)) if entry.needs == NUMBERS else y


def test_what_they_need():
    needs = {entry.name: entry for entry in learners()}
    assert needs["Halving"].needs_experts
    assert needs["C45"].has_target
    assert not needs["C45"].needs_text
    for entry in learners():
        learner = getattr(induce, entry.name)
        assert entry.face in FACES
        assert entry.explores == hasattr(learner, "learn") != hasattr(learner, "fit")
        if entry.takes_tables:
            assert hasattr(learner, "predict" if entry.has_target else "score_samples")


def test_what_they_give():
    for entry in learners():
        if not entry.takes_tables:
            continue
        learner = getattr(induce, entry.name)().fit(*examples(entry))
        assert type(learner.hypothesis_).__name__ == entry.gives
        assert "\n" not in entry.summary + entry.needs


def test_every_learner_declares_its_search():
    assert set(searches()) == {entry.name for entry in learners()}
    assert all(each.space and each.order and each.strategy and each.cost for each in searches().values())
