"""What every hypothesis says of itself: how much there is to read, and every form that it can be written in."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.figure import Figure

from induce.core.errors import InputError
from induce.core.forms import FORMS
from induce.core.hypothesis import Hypothesis
from tests.learners.tables import learned

_MET: set[type] = set()
STARTS = {"onnx": b"", "png": b"\x89PNG", "pdf": b"%PDF"}


def check_parts_and_forms(learner: Any) -> None:
    examine(learned(learner).hypothesis_)


def examine(hypothesis: Hypothesis) -> None:
    """Ask a hypothesis for its parts, all its forms and its picture; what it lacks it must refuse by name."""
    parts = hypothesis.parts()
    assert parts.number is None or parts.number >= 0
    assert str(parts).endswith(parts.of)
    assert "does not say" not in parts.of
    forms = hypothesis.forms()
    assert {"text", "json", "html"} <= set(forms)
    assert ("svg" in forms) == ("png" in forms) == ("pdf" in forms)
    first = _is_first(type(hypothesis))
    for name, form in forms.items():
        # one picture of each class is enough in every format
        if first or not form.drawn or name == "svg":
            _check_written(hypothesis, name)
    if "svg" in forms:
        assert isinstance(hypothesis.draw(), Figure)
        for picture in forms["svg"].pictures:
            assert "<svg" in str(hypothesis.written("svg", picture=picture))
    for name in FORMS.keys() - forms.keys():
        _check_refused(hypothesis, name)
    _check_refused(hypothesis, "runes")


def _check_written(hypothesis: Hypothesis, name: str) -> None:
    written = hypothesis.written(name)
    assert written
    assert isinstance(written, bytes) == FORMS[name].binary
    if isinstance(written, bytes):
        assert written.startswith(STARTS[name])


def _check_refused(hypothesis: Hypothesis, name: str) -> None:
    with pytest.raises(InputError) as caught:
        hypothesis.written(name)
    said = str(caught.value)
    assert f"{type(hypothesis).__name__} cannot be written as {name}" in said
    assert said.endswith(f"it can be written as {', '.join(hypothesis.forms())}")


def _is_first(kind: type) -> bool:
    """Say whether a class is met for the first time."""
    first = kind not in _MET
    _MET.add(kind)
    return first
