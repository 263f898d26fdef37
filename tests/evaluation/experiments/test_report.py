"""The report: whole, offline, and nothing in it that a name could break."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from induce.evaluation.experiments import experiment
from induce.evaluation.experiments._page import Html, boxed, element, html, table
from induce.evaluation.experiments.pictures import draw_ranks, draw_scores
from induce.evaluation.experiments.report import _seconds, html_report
from induce.statistics.ranks import friedman

from .conftest import plan_of

EVIL = "<script>alert('x')</script> \"naïve\" & $x^2$ 🌷"
VOID = {"meta", "br", "img", "link", "hr"}


class Reader(HTMLParser):
    """Checks that elements are closed in order, and collects what a browser would show or load."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        given = dict(attrs)
        self.addresses += [given[key] for key in ("href", "src", "xlink:href") if key in given]
        self.ids += [given["id"]] if "id" in given and tag == "section" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text += data


@pytest.fixture(scope="module")
def page(finished):
    return html_report(finished)


def test_it_is_one_file_that_needs_no_other(page):
    found = Reader(page)
    assert all(address.startswith("#") for address in found.addresses), found.addresses
    assert not {"script", "img", "link", "iframe"} & set(found.tags)
    assert not re.search(r"url\((?!#)", page)
    assert "@import" not in page
    assert len(page) < 200_000


def test_every_section_is_there(page):
    found = Reader(page)
    assert found.ids == ["scores", "ranking", "splits", "time", "hypotheses", "failures", "run"]
    assert found.tags.count("svg") == 3
    for said in (
        "4 learners on 2 data sets, by 3-fold cross-validation, with 2 seeds",
        "36 of 48 cells are done, 12 failed",
        "Omitted because of incomplete results: broken.",
        "critical difference",
        "ValueError: Precomputed matrix must be a square matrix",
        "petal",
        "scikit-learn",
        '"folds": 3',
    ):
        assert said in found.text, said


def test_the_numbers_are_those_of_the_table(finished, page):
    shown = Reader(page).text
    for standing in finished.standings:
        if standing.done:
            interval = standing.interval
            assert f"{standing.mean:.3f}[{interval.low:.3f}, {interval.high:.3f}]" in shown
    worse = [standing for standing in finished.standings if standing.worse]
    assert shown.count("▼ p") == len(worse) + 1  # and once where it is explained
    assert page.count('<td class="best">') == 2


def test_names_cannot_break_out(tmp_path):
    learners = {
        EVIL: "C45",
        "b": "DecisionStump",
        "c": "ID3",
        "bad": {"learner": "sklearn.svm.SVC", "kernel": "precomputed"},
    }
    plan = plan_of(
        title=EVIL, learners=learners, datasets={EVIL: "iris", "<b>": "play-tennis"}, splits={"folds": 2}
    )
    found = Reader(html_report(experiment(plan, tmp_path / "r.sqlite")))
    assert "script" not in found.tags
    assert "b" not in found.tags
    assert found.text.count(EVIL) >= 6


def test_a_text_that_tries_to_end_its_element(finished):
    texts = dict.fromkeys(finished.hypotheses, "</pre></details><script>")
    found = Reader(html_report(replace(finished, hypotheses=texts, plan="</pre><img src=x>")))
    assert {"script", "img"}.isdisjoint(found.tags)


def test_long_hypotheses_are_cut(finished):
    key = next(iter(finished.hypotheses))
    shown = html_report(replace(finished, hypotheses={key: "x" * 100_000}))
    assert "60,000 more letters" in shown
    assert "x" * 40_001 not in shown


def test_one_learner_and_one_data_set(tmp_path):
    plan = {
        "learners": {"t": "ID3"},
        "datasets": {"d": "play-tennis"},
        "splits": {"hold_out": 4},
        "keep": "none",
    }
    found = Reader(html_report(experiment(plan, tmp_path / "r.sqlite")))
    assert found.ids == ["scores", "ranking", "splits", "time", "run"]
    assert "Fewer than two learners have complete results" in found.text
    assert "hold-out of 4 rows" in found.text


def test_report_writes_the_page(finished, tmp_path, page):
    finished.report(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page


def test_elements():
    assert element("p", "a<b", Html("<i>"), aria_label='"') == '<p aria-label="&quot;">a&lt;b<i></p>'
    assert html("&") == "&amp;"
    made = table("c<", ["x", "y"], [["a", "1"], ["b", element("td", "2", class_="best")]])
    assert made.count("<td") == 2
    assert "c&lt;" in made
    assert boxed(Html("<hr>"), "wide").count("<hr>") == 1


def test_pictures_of_scores():
    random = np.random.default_rng(0)
    given = {
        "a": random.uniform(size=6),
        "a very long name of a learner $x$": np.full(6, np.nan),
        "c": np.ones(1),
    }
    figure = draw_scores(given, "a", "error")
    figure.draw_without_rendering()
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "a very long name of a…", "c"]
    means = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "D"]
    np.testing.assert_allclose(means, [given["a"].mean(), 1.0])
    assert [text.get_text() for text in axes.texts] == ["no result"]


def test_picture_of_ranks():
    ranking = friedman(np.random.default_rng(0).uniform(size=(4, 3)), ["x" * 40, r"$\no$", "c"])
    figure = draw_ranks(ranking)
    figure.draw_without_rendering()  # a name is not a formula, and no wrong one
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert any(text.startswith("x" * 21 + "…") for text in shown)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(None, ""), (0.0123, "12.3 ms"), (2.5, "2.5 s"), (6000, "100 min"), (0.9999, "1e+03 ms")],
)
def test_seconds(seconds, shown):
    assert _seconds(seconds) == shown
