"""What every hypothesis says of itself: how much there is to read, and every form that it can be written in."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.figure import Figure

from induce.core.errors import InputError
from induce.core.forms import FORMS
from induce.core.hypothesis import Hypothesis
from tests.learners.checks import of_kinds, of_preambles
from tests.learners.tables import learned

STARTS = {"onnx": b"", "png": b"\x89PNG", "pdf": b"%PDF"}


def check_parts_and_texts(learner: Any) -> None:
    examine(learned(learner).hypothesis_)


@of_kinds(smoke=0)
def check_pictures(learner: Any) -> None:
    examine_pictures(learned(learner).hypothesis_)


@of_preambles(smoke=0)
def check_picture_formats(learner: Any) -> None:
    examine_formats(learned(learner).hypothesis_)


def examine(hypothesis: Hypothesis) -> None:
    """Ask a hypothesis for its parts and all its forms but pictures; what it lacks it must refuse by name."""
    parts = hypothesis.parts()
    assert parts.number is None or parts.number >= 0
    assert str(parts).endswith(parts.of)
    assert "does not say" not in parts.of
    forms = hypothesis.forms()
    assert {"text", "json", "html"} <= set(forms)
    assert ("svg" in forms) == ("png" in forms) == ("pdf" in forms)
    for name, form in forms.items():
        if not form.drawn:
            _check_written(hypothesis, name)
    for name in FORMS.keys() - forms.keys():
        _check_refused(hypothesis, name)
    _check_refused(hypothesis, "runes")


def examine_pictures(hypothesis: Hypothesis) -> None:
    """Ask a hypothesis for its picture, and for each of several that it has."""
    forms = hypothesis.forms()
    if "svg" in forms:
        assert isinstance(hypothesis.draw(), Figure)
        for picture in ("", *forms["svg"].pictures):
            assert "<svg" in str(hypothesis.written("svg", picture=picture))


def examine_formats(hypothesis: Hypothesis) -> None:
    """Ask a hypothesis for its picture in every format, in which all are written alike."""
    for name in hypothesis.forms().keys() & {"png", "pdf"}:
        _check_written(hypothesis, name)


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
