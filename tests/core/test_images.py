"""Images of hypotheses: the same bytes each time, and an SVG that says in words what it shows."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

import induce
from induce.core.images import MOST_LETTERS, described, image

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def figure():
    figure = Figure(figsize=(2, 1))
    figure.add_subplot().plot([0, 1], [1, 0])
    return figure


def test_an_svg_says_what_it_shows():
    X, y = induce.dataset("play-tennis")
    tree = induce.ID3().fit(X, y).hypothesis_
    root = ElementTree.fromstring(image(tree.draw(), "svg", "Tree", str(tree)))
    assert root.get("role") == "img"
    assert [each.tag for each in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert [each.text for each in root][:2] == ["Tree", str(tree)]


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_same_figure_gives_the_same_bytes(figure, kind):
    assert image(figure, kind, "a line") == image(figure, kind, "a line")


def test_hostile_words_stay_words(figure):
    words = "</desc><script>alert(1)</script> ]]> & \x00\x1b \ud800"
    root = ElementTree.fromstring(image(figure, "svg", "<b>", words))
    assert [each.tag for each in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert [each.text for each in root][:2] == ["<b>", words[:-4] + "�� �"]
    assert not root.findall(f".//{SVG}script")


def test_long_descriptions_are_cut():
    assert len(described("<svg></svg>", "", "x" * 10 * MOST_LETTERS)) < MOST_LETTERS + 100


def test_without_a_description_there_is_only_a_title():
    assert described("<svg a='b'/>".replace("/", ""), "t") == "<svg role=\"img\" a='b'><title>t</title>"
