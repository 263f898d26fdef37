"""Declared parameters: what they accept, what they say, how they are read."""

from __future__ import annotations

import inspect
import pickle
import warnings
from typing import Any, ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from induce.core.errors import InputError
from induce.core.parameter_kinds import Dict, Number, OneOf, Text, Whole
from induce.core.parameterised import Parameterised
from induce.core.parameters import (
    JOBS,
    SCHEMA,
    SEED,
    Declared,
    choice,
    columns,
    either,
    folds,
    function,
    learner,
    mapping,
    number,
    several,
    text,
    truth,
    whole,
)

DEPTH = whole("Maximum depth.", at_least=1, none=True)
MEASURE = choice("Measure.", "gain", "gini", also={"entropy": "gain"})


class Parent(Parameterised, BaseEstimator):
    parameters: ClassVar[Declared] = {
        "criterion": MEASURE,
        "n_init": whole("Number of starts.", at_least=1),
    }

    def __init__(self, *, criterion: str = "gain", n_init: int = 1) -> None:
        self.criterion = criterion
        self.n_init = n_init


class Child(Parent):
    parameters: ClassVar[Declared] = {
        "depth": DEPTH,
        "n_init": whole("Starts.", at_least=3),
    }

    def __init__(self, *, depth: int | None = None, n_init: int = 5) -> None:
        super().__init__(n_init=n_init)
        self.depth = depth


@pytest.mark.parametrize(
    ("parameter", "value", "sentence"),
    [
        (DEPTH, 0, "p is 0; it must be a whole number of at least 1, or None"),
        (DEPTH, 2.5, "p is 2.5; it must be a whole number of at least 1, or None"),
        (DEPTH, True, "p is True; it must be a whole number of at least 1, or None"),
        (number("Share.", above=0, below=1), 1, "p is 1; it must be a number between 0 and 1"),
        (number("Share.", at_least=0, at_most=1), np.nan, "p is nan; it must be a number from 0 to 1"),
        (number("Share.", at_least=0, below=1), 1, "p is 1; it must be a number of at least 0 and below 1"),
        (number("Rate.", finite=True), np.inf, "p is inf; it must be a finite number"),
        (truth("Whether."), "yes", "p is 'yes'; it must be true or false"),
        (MEASURE, "gian", "p is 'gian'; it can be 'gain', 'gini'"),
        (MEASURE, ["gain"], "p is ['gain']; it can be 'gain', 'gini'"),
        (text("Name.", "the name of a relation"), 3, "p is 3; it must be the name of a relation"),
        (columns("Columns."), "age", "p is 'age'; it must be a list of names of columns"),
        (mapping("Costs.", otherwise="give a dict"), 3, "p is 3; give a dict"),
        (function("Oracle."), 3, "p is 3; it must be a function"),
        (learner("Learner."), int, "p is the class int; give a learner: int()"),
        (folds("F."), 1, "p is 1; it can be a whole number of at least 2, a splitter or pairs of (train, test)"),
        (several("Pair.", Whole(), "two numbers", n=2), (1,), "p is (1,); it must be a list of two numbers"),
        (number("Factor.", above=1, but={1: "p is 1, which changes nothing"}), 1, "p is 1, which changes nothing"),
        (JOBS, 0, "n_jobs is 0; give a number of jobs, or -1 for all processors"),
        (SEED, -1, "p is -1; give a whole number of at least 0, a Generator or None"),
        (SCHEMA, 3, "p is 3; give a Schema, or a dict from columns to their declarations"),
    ],
)  # fmt: skip
def test_what_is_refused(parameter, value, sentence):
    with pytest.raises(InputError) as refused:
        parameter.check("p", value)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (DEPTH, None),
        (DEPTH, np.int64(3)),
        (number("Limit.", at_least=0), np.inf),
        (truth("Whether."), 1),
        (columns("Columns."), np.array(["a", "b"])),
        (folds("Folds."), [([0], [1])]),
        (SEED, np.random.default_rng(0)),
        (SEED, np.random.RandomState(0)),
        (either("Weights.", Dict("a dict", Number(at_least=0)), OneOf(("balanced",))), {"a": 1}),
    ],
)
def test_what_is_accepted(parameter, value):
    parameter.check("p", value)


@pytest.mark.parametrize(
    ("parameter", "written", "value"),
    [
        (DEPTH, "3", 3),
        (DEPTH, "none", None),
        (number("C.", above=0), "inf", np.inf),
        (either("C.", Number(above=0), OneOf(("auto",))), "auto", "auto"),
        (either("Start.", Text(), Number()), "3", "3"),
        (truth("Whether."), "TRUE", True),
        (MEASURE, "entropy", "gain"),
        (text("Unknown."), "3", "3"),
        (columns("Columns."), "age, sex", ["age", "sex"]),
        (columns("Columns."), '["a, b"]', ["a, b"]),
        (several("Depths.", Whole(), "whole numbers"), "2,6", [2, 6]),
        (mapping("Costs."), '{"age": 2}', {"age": 2}),
    ],
)
def test_reading(parameter, written, value):
    assert parameter.read("p", written) == value


@pytest.mark.parametrize(
    ("parameter", "written"),
    [(DEPTH, "deep"), (DEPTH, "0"), (MEASURE, "gian"), (function("Oracle."), "print"), (mapping("M."), "3")],
)
def test_reading_what_is_refused(parameter, written):
    with pytest.raises(InputError, match=r"^p is "):
        parameter.read("p", written)


def test_words_for_shells():
    assert MEASURE.words() == ("gain", "gini", "entropy")
    assert truth("Whether.", none=True).words() == ("true", "false", "none")


def test_declarations_are_inherited():
    assert list(Child.declared_parameters()) == ["depth", "n_init"]
    Parent(n_init=1)._check_parameters()
    with pytest.raises(InputError, match="n_init is 1; it must be a whole number of at least 3"):
        Child(n_init=1)._check_parameters()


def test_other_words_are_stored_under_the_first():
    assert Parent(criterion="entropy").criterion == "gain"
    assert Parent().set_params(criterion="entropy").get_params() == {"criterion": "gain", "n_init": 1}


def test_copies_keep_signature_and_values():
    assert list(inspect.signature(Parent).parameters) == ["criterion", "n_init"]
    learner: Any = Parent(criterion="entropy", n_init=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for copy in (clone(learner), pickle.loads(pickle.dumps(learner))):
            assert copy.get_params() == {"criterion": "gain", "n_init": 2}
        assert repr(learner) == "Parent(n_init=2)"
