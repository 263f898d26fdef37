"""A hostile model file runs nothing through exports: whatever is put in the place of a value is written as data."""

from __future__ import annotations

import ast
import re
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.base import is_regressor

import induce
from induce.belief_networks.library import textbook_network
from induce.core.codec import Decoder, Encoder
from induce.environments import grid_world
from induce.evolution.machine import StateMachine
from induce.evolution.programs.language import Language, Primitive, constant, formula_functions, variable
from induce.evolution.programs.program import Program
from induce.logic.parsing import parse_program
from induce.reinforcement import DynamicProgramming
from tests.learners.tables import LEARNERS, learned
from tests.learners.test_learners import LONG_LOOPS

PAYLOAD = (
    "days'\"\n    import PWNED; PWNED()\n    #'; DROP TABLE victim; --\n\"; DROP TABLE victim; --\n"
    ":- pwned.\npwned(1) :- pwned.\n*/ % \\"
)


def hypotheses() -> Iterator[tuple[str, Any]]:
    """Yield a hypothesis of every kind that can be exported."""
    for learner in LEARNERS:
        few = learner.__name__ in LONG_LOOPS
        yield (
            learner.__name__,
            lambda learner=learner, few=few: (
                (from_few_rows(learner) if few else learned(learner)).hypothesis_
            ),
        )
    yield "Policy", lambda: DynamicProgramming(discount=0.9).learn(grid_world("mitchell-13.2")).hypothesis_
    yield "Theory", theory
    yield "NetworkClassifier", lambda: textbook_network("sprinkler").classifier("Rain")
    yield "StateMachine", state_machine
    yield "Program", program


def from_few_rows(learner: Any) -> Any:
    """Return a learner whose plain loops take long, with what it learned from six rows."""
    X = pl.DataFrame({"a": ["x", "y", "x", "y", "z", "z"], "p": [1.0, 2.0, 0.0, 3.0, 2.5, 1.5]})
    if is_regressor(learner()):
        return learner().fit(X, [1.0, 2.0, 1.0, 2.0, 3.0, 3.0])
    return learner().fit(X, ["no", "yes", "no", "yes", "yes", "yes"])


def state_machine() -> Any:
    table = np.array([[0, 1], [1, 0]])
    return StateMachine(("0", "1"), ("even", "odd"), 0, table, table)


def program() -> Any:
    halved = Primitive("half", ("value",), means="square", sql="({0} / 2e0)")
    language = Language((*formula_functions(("add", "log")), halved, variable("x"), constant(0, 1)))
    return Program.parse("(+ x (half (log 0.5)))", language)


def theory() -> Any:
    parents = pl.DataFrame({"elder": ["ann", "bea", "cid"], "child": ["bea", "cid", "dan"]})
    rows = pl.DataFrame({"a": ["ann", "bea", "ann", "dan"], "b": ["cid", "dan", "bea", "ann"]})
    learner = induce.FOIL(background=induce.Relations({"parent": parents}))
    return learner.fit(rows, [True, True, False, False]).hypothesis_


def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the ways to the values of a file that are no tables, and the values; of a long list the first ones."""
    if isinstance(node, dict):
        named = "fields" in node and "value" in node
        for key, part in node.items():
            if not (named and key == "value") and key not in ("array", "float", "int"):
                yield from leaves(part, (*path, key))
    elif isinstance(node, list):
        for place, part in enumerate(node[:3]):
            yield from leaves(part, (*path, place))
    else:
        yield path, node


def at(node: Any, path: tuple[Any, ...]) -> Any:
    """Return a file with the payload at one place."""
    if not path:
        return PAYLOAD
    first, rest = path[0], path[1:]
    if isinstance(node, dict):
        return {key: at(part, rest) if key == first else part for key, part in node.items()}
    return [at(part, rest) if place == first else part for place, part in enumerate(node)]


def everywhere(node: Any, value: str) -> Any:
    """Return a file with the payload in the place of a name, wherever it stands."""
    if isinstance(node, dict):
        named = "fields" in node and "value" in node
        return {
            key: part if named and key == "value" else everywhere(part, value) for key, part in node.items()
        }
    if isinstance(node, list):
        return [everywhere(part, value) for part in node]
    return PAYLOAD if node == value and isinstance(node, str) else node


def hostile_files(whole: Any) -> Iterator[Any]:
    """Yield a file with the payload in each field in turn, and with the payload for each name."""
    seen = set()
    for path, value in leaves(whole):
        kind = tuple("*" if isinstance(step, int) else step for step in path)
        if kind not in seen:
            seen.add(kind)
            yield at(whole, path)
        if isinstance(value, str) and value not in seen:
            seen.add(value)
            yield everywhere(whole, value)


def hostile_numbers(arrays: list[np.ndarray[Any, Any]]) -> Iterator[list[np.ndarray[Any, Any]]]:
    """Yield the tables of numbers of a file with the first number of one of them out of all bounds."""
    for place, array in enumerate(arrays):
        if not array.size or array.dtype.kind not in "fi":
            continue
        for number in (np.nan, np.inf) if array.dtype.kind == "f" else (-1,):
            changed = array.copy()
            changed.flat[0] = number
            yield [*arrays[:place], changed, *arrays[place + 1 :]]


def check_python(text: str) -> None:
    for node in ast.walk(ast.parse(text)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        assert "PWNED" not in names
        assert not (isinstance(node, ast.Name) and node.id == "PWNED")


def check_sql(text: str) -> None:
    """One statement without the payload's words; and where its table is there, it drops no other one."""
    code = re.sub(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*""", "", text)
    assert ";" not in code
    assert "DROP" not in code
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript("CREATE TABLE victim (x); CREATE TABLE data (x); CREATE TABLE states (x)")
        with suppress(sqlite3.Error):  # columns that are named with their table are not there
            base.executescript(text)
        assert base.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'victim'").fetchone() == (1,)


def check_prolog(text: str) -> None:
    program = parse_program(text)
    assert not program.directives
    heads = [clause.head.name for clause in program.clauses if clause.head is not None]
    assert "pwned" not in heads


CHECKS = {"python": check_python, "sql": check_sql, "prolog": check_prolog}


@pytest.mark.parametrize(("name", "make"), [pytest.param(*each, id=each[0]) for each in hypotheses()])
def test_payloads_are_data(name: str, make: Any) -> None:
    hypothesis = make()
    arrays: list[np.ndarray[Any, Any]] = []
    whole = Encoder("field", "leave it out", arrays).encode(hypothesis, "hypothesis")
    assert type(Decoder(arrays.__getitem__).decode(whole)) is type(hypothesis)
    n_checked = check_exports(hypothesis)
    for file in hostile_files(whole):
        check_file(file, arrays)
    for changed in hostile_numbers(arrays):
        check_file(whole, changed)
    assert n_checked == len(CHECKS.keys() & hypothesis.forms().keys())


def check_file(file: Any, arrays: list[np.ndarray[Any, Any]]) -> None:
    """Decode a hostile file, which may be refused, and check what it exports."""
    try:
        hostile = Decoder(arrays.__getitem__).decode(file)
    except Exception:
        return  # refused, as it should be
    check_exports(hostile)


def check_exports(hypothesis: Any) -> int:
    """Check every export that can be written; return how many there are."""
    n = 0
    for form in CHECKS.keys() & hypothesis.forms().keys():
        try:
            with warnings.catch_warnings(action="ignore"):
                text = str(hypothesis.written(form))
        except Exception:
            continue  # nothing is written, so that nothing can be run
        CHECKS[form](text)
        n += 1
    return n
