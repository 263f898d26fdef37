"""Parameters of every learner: declared with help, defaults within their declarations, bad values refused at once."""

from __future__ import annotations

import inspect
import math
import warnings
from typing import Any

import pytest

import induce
from induce.core.errors import InputError
from induce.core.parameters import Parameter

NAMES = [entry.name for entry in induce.learners()]
PROBES: tuple[Any, ...] = (
    object(),
    "no such word",
    2.5,
    -1,
    -1e9,
    math.nan,
    [object()],
    {object(): object()},
)


def declared(name: str) -> dict[str, Parameter]:
    return dict(getattr(induce, name).declared_parameters())


def signature(name: str) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(getattr(induce, name)).parameters)


def refused(parameter: Parameter) -> list[Any]:
    return [probe for probe in PROBES if not parameter.accepts(probe)]


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_declared(name):
    assert list(declared(name)) == list(signature(name))
    for parameter, told in declared(name).items():
        assert told.help.endswith("."), parameter
        assert "\n" not in told.help
        assert len(told.help) <= 110, parameter
        assert told.values(), parameter


@pytest.mark.parametrize("name", NAMES)
def test_defaults_are_as_declared(name):
    for parameter, told in declared(name).items():
        told.check(parameter, signature(name)[parameter].default)


@pytest.mark.parametrize("name", NAMES)
def test_aliases_are_as_declared(name):
    for parameter, told in declared(name).items():
        for value in told.also.values():
            told.check(parameter, value)


@pytest.mark.parametrize("name", NAMES)
def test_bad_values_are_refused_before_anything_is_read(name):
    for parameter, told in declared(name).items():
        for value in refused(told):
            learner = getattr(induce, name)(**{parameter: value})
            with pytest.raises(InputError) as problem:
                learner.learn(None) if hasattr(learner, "learn") else learner.fit(None, None)
            assert str(problem.value).startswith(parameter), parameter


def test_names_are_listed_in_silence():
    """`dir` asks every property of an estimator: no note, no error but AttributeError."""
    for name in NAMES:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert "get_params" in dir(getattr(induce, name)())
