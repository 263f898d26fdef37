"""Tables and axes of reports."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from induce.evaluation.reports import (
    Report,
    all_numbers,
    html_table,
    is_geometric,
    scale,
    text_table,
)
from induce.pictures.style import axes_for


class Small(Report):
    def caption(self):
        return "what <is> here"

    def table(self):
        return ("a & b", "c"), [("x", "10"), ("long", "1")]

    def remark(self):
        return "no more < less"


def test_a_report_prints_its_parts():
    assert str(Small()) == "what <is> here\na & b   c\nx      10\nlong    1\nno more < less"


def test_a_notebook_gets_the_same_escaped():
    html = Small()._repr_html_()
    assert "what &lt;is&gt; here" in html
    assert "a &amp; b" in html
    assert html.endswith("<p>no more &lt; less</p>")


def test_columns_line_up():
    first, second = text_table(("name", "error"), [("a long one", "0.1")]).splitlines()
    assert len(first) == len(second)
    assert html_table("", ("a", "b"), [("1", "2")]).count("<td") == 2


@pytest.mark.parametrize(
    ("values", "geometric"),
    [
        ([1, 10, 100], True),
        ([100.0, 10.0, 1.0], True),
        ([10, 20, 50, 100], True),
        ([1, 2, 4, 8], True),
        ([10, 14, 20, 28, 40], True),
        ([2, 4, 6, 8], False),
        ([1, 1, 8], False),
        ([1, 2, 3, 4, 5], False),
        ([0, 1, 10], False),
        ([1, 10], False),
        ([1, 1.1, 1.21], False),
        (["a", "b", "c"], False),
        ([1, 100, 10], False),
        ([1, 2, 100], False),
    ],
)
def test_what_gets_a_logarithmic_axis(values, geometric):
    assert is_geometric(values) is geometric


def test_truth_values_and_none_are_no_numbers():
    assert all_numbers([1, 2.5, np.float32(1), np.int64(3)])
    assert not all_numbers([True, False])
    assert not all_numbers([1, None])


def test_values_find_their_place():
    _, axes = axes_for(None)
    assert scale(axes, ["gain", "gini"]) == [0, 1]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["gain", "gini"]
    _, axes = axes_for(None)
    assert scale(axes, [0.1, 1.0, 10.0]) == [0.1, 1.0, 10.0]
    assert axes.get_xscale() == "log"
    _, axes = axes_for(None)
    scale(axes, [1, 2, 3])
    assert axes.get_xscale() == "linear"


def test_many_long_names_are_slanted():
    _, axes = axes_for(None)
    scale(axes, [f"a criterion with a long name {k}" for k in range(6)])
    assert axes.get_xticklabels()[0].get_rotation() == 30


def test_given_axes_are_drawn_in():
    figure = Figure()
    axes = figure.add_subplot()
    assert axes_for(axes) == (figure, axes)
