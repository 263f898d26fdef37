"""Kinds of hypothesis: one preamble, one decision, parts and forms; and nobody asks for a class."""

import ast
import importlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import induce
from induce.cli import show
from induce.core.errors import InputError
from induce.core.forms import FORMS, Parts
from induce.core.hypothesis import Hypothesis
from induce.data.schema import Column, Schema
from induce.environments.games.contestants import Contestant
from induce.hypotheses.kinds.classifier import Classifier
from induce.hypotheses.kinds.regressor import Regressor

SOURCE = Path(induce.__file__).parent
ASKING = {Path("evaluation/predictors.py"), Path("evaluation/learner_checks/checks.py")}
"""The adapter that looks at what other libraries' estimators are, and the checks of learners that others write."""
HYPOTHESES = ("hypothesis", "policy", "chain", "player")
"""What hypotheses are called where they are used."""


@dataclass(frozen=True, eq=False)
class Nearer(Classifier):
    """The class whose number is nearer."""

    schema: Schema
    target: str
    classes: tuple
    at: np.ndarray

    def _scores(self, table):
        return 10.0 - np.abs(table.numeric[:, :1] - self.at)


@dataclass(frozen=True, eq=False)
class Powers(Regressor):
    """A number, its square and its cube."""

    schema: Schema
    target: str

    def _numbers(self, table):
        return table.numeric[:, :1] ** np.arange(1, 4)


SCHEMA = Schema((Column("x"),))


def test_a_classifier_gives_scores_and_the_kind_the_rest():
    hypothesis = Nearer(SCHEMA, "side", ("left", "right"), np.array([0.0, 2.0]))
    assert hypothesis.predict([[0.4], [1.0], [1.8]]).tolist() == ["left", "left", "right"]
    assert hypothesis.predict_proba([[0.0]]).round(3).tolist() == [[0.556, 0.444]]
    assert (hypothesis.speaks_of, hypothesis.answer, hypothesis.targets()) == ("rows", "class", ("side",))
    assert hypothesis.predict(hypothesis.encoded([[5.0]])).tolist() == ["right"]


def test_a_regressor_may_have_several_outputs():
    assert Powers(SCHEMA, "powers").predict([[2.0], [3.0]]).tolist() == [[2, 4, 8], [3, 9, 27]]


def test_forms_follow_from_methods():
    hypothesis = Nearer(SCHEMA, "side", ("left", "right"), np.array([0.0, 2.0]))
    assert list(hypothesis.forms()) == ["text", "json", "html"]
    assert hypothesis.parts().number is None
    assert json.loads(hypothesis.written("json"))["classes"] == ["left", "right"]
    with pytest.raises(
        InputError, match="a Nearer cannot be written as sql; it can be written as text, json"
    ):
        hypothesis.written("sql")


def test_pictures_of_several_kinds():
    formula = induce.SymbolicRegressor(population_size=20, generations=2, random_state=0)
    found = formula.fit([[float(k)] for k in range(20)], [2.0 * k for k in range(20)]).hypothesis_
    assert found.forms()["svg"].pictures == ("front",)
    assert "<svg" in found.written("svg", picture="front")
    with pytest.raises(InputError, match="a Formula has no picture 'back'; it has front"):
        found.written("svg", picture="back")


def test_parts_print():
    assert str(Parts(1234, "conditions")) == "1,234 conditions"
    assert str(Parts(None, "it keeps its examples")) == "it keeps its examples"


def test_the_command_line_knows_all_forms():
    assert set(get_args(show.Form)) == set(FORMS)


def test_forms_are_listed_once():
    suffixes = [form.suffix for form in FORMS.values() if form.suffix]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("package", ["cli", "evaluation", "theory"])
def test_nobody_asks_for_the_class_of_a_hypothesis(package):
    """Hypotheses answer by their kind; learners of other libraries are asked in one adapter."""
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted((SOURCE / package).rglob("*.py"))
        if path.relative_to(SOURCE) not in ASKING
        for line in _asked(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def _asked(tree):
    """Yield the lines that ask isinstance of a hypothesis, or hasattr of something named as one."""
    homes = {
        alias.asname or alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("induce.")
        for alias in node.names
    }
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) > 1):
            continue
        if node.func.id in ("isinstance", "issubclass"):
            names = [name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)]
            if any(_is_hypothesis(name, homes.get(name)) for name in names):
                yield node.lineno
        asked = node.args[0].id if isinstance(node.args[0], ast.Name) else ""
        if node.func.id == "hasattr" and any(word in asked for word in HYPOTHESES):
            yield node.lineno


def _is_hypothesis(name, home):
    found = getattr(importlib.import_module(home), name) if home else None
    return isinstance(found, type) and issubclass(found, (Hypothesis, Contestant))


@pytest.fixture(scope="module")
def tennis(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tennis")
    X, y = induce.dataset("play-tennis")
    induce.save(induce.C45().fit(X, y), folder / "tree.induce")
    X.write_csv(folder / "new.csv")
    return folder


@pytest.mark.parametrize(
    ("command", "given"), [("predict", ["new.csv"]), ("explain", ["new.csv"]), ("show", [])]
)
def test_a_tree_on_the_command_line_loads_no_other_family(tennis, command, given):
    """Only what packages declare of themselves is read, which the registry needs."""
    script = (
        "import sys; from induce.cli import main\n"
        "assert main() == 0\n"
        "print(*sorted(name for name in sys.modules if name.startswith('induce.')), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, command, "tree.induce", *given],
        cwd=tennis,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE.parent)},
        check=True,
        encoding="utf-8",
    )
    ground = {"cli", "core", "data", "hypotheses", "trees"}
    loaded = [name.split(".") for name in done.stderr.splitlines()[-1].split()]
    others = [name for name in loaded if name[1] not in ground and len(name) > 2]
    allowed = {"_declaration", "formats", "files"}  # the name of a file says whether it is a network's
    assert [name for name in others if name[-1] not in allowed] == []
