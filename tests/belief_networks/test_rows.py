"""Whole tables, explanations, classifiers and pictures."""

import math
import sqlite3
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import induce
from induce import InputError
from induce.belief_networks import BeliefNetwork, Virtual
from induce.belief_networks.library import textbook_network, textbook_networks
from induce.core.notes import Note
from induce.pictures.layers import layout

from .conftest import random_network


def test_rows_are_cases(fire):
    rows = fire.sample(40, random_state=0).select("Thunder", "ForestFire", "Campfire")
    holes = pl.Series(np.random.default_rng(0).random(40) < 0.4)
    rows = rows.with_columns(Thunder=pl.when(holes).then(None).otherwise(pl.col("Thunder")))
    found = fire.query_rows(rows)
    assert found.columns[:2] == ["Storm = False", "Storm = True"]
    for k in range(0, 40, 7):
        answer = fire.marginals(rows.row(k, named=True))
        assert found["Lightning = True"][k] == pytest.approx(answer["Lightning"][True])
        assert found["Campfire = True"][k] == float(rows["Campfire"][k])
    logs = fire.score_samples(rows)
    assert logs[3] == pytest.approx(math.log(fire.probability(rows.row(3, named=True))))


def test_most_probable_values_for_holes(fire):
    rows = pl.DataFrame({"Thunder": [True, None], "ForestFire": [True, False]})
    found = fire.most_probable_rows(rows)
    expected = fire.most_probable({"Thunder": True, "ForestFire": True})
    assert {name: found[name][0] for name in expected} == dict(expected)
    assert found["Thunder"][1] is False


def test_what_rows_hold_beside_and_what_nodes_do_not_have():
    tennis = textbook_network("play-tennis")
    with pytest.warns(Note) as notes:
        found = tennis.query_rows(pl.DataFrame({"Wind": ["Strong", "Gale"], "Day": [1, 2]}), "PlayTennis")
    told = [str(each.message) for each in notes]
    assert told[0].startswith("the network has no nodes for Day")
    assert told[1].startswith("1 row with a value of 'Wind' outside the node's domain")
    assert found["PlayTennis = Yes"][1] == pytest.approx(9 / 14)


def test_impossible_rows_are_left_unanswered():
    lawn = textbook_network("sprinkler")
    rows = pl.DataFrame({"Sprinkler": [False, True], "Rain": [False, True], "WetGrass": [True, True]})
    with pytest.warns(Note, match="1 impossible row, the first of them row 1"):
        found = lawn.query_rows(rows, "Cloudy")
    assert found["Cloudy = True"].is_null().to_list() == [True, False]
    assert np.isinf(lawn.score_samples(rows)).tolist() == [True, False]


# --- explanations


def test_decibans_are_the_logarithms_of_odds(fire):
    (why,) = fire.explain({"Thunder": True, "ForestFire": True}, "Storm")
    assert why.value is True
    assert why.prior == pytest.approx(0.2)

    def decibans(chance):
        return 10 * math.log10(chance / (1 - chance))

    thunder = next(each for each in why.findings if each.text == "Thunder = True")
    alone, other = (fire.query("Storm", {node: True})[True] for node in ("Thunder", "ForestFire"))
    both = fire.query("Storm", {"Thunder": True, "ForestFire": True})[True]
    assert thunder.alone == pytest.approx(decibans(alone) - decibans(0.2))
    assert thunder.beside == pytest.approx(decibans(both) - decibans(other))
    assert why.moved == pytest.approx(decibans(both) - decibans(0.2))
    together = fire.probability({"Thunder": True, "ForestFire": True})
    apart = fire.probability({"Thunder": True}) * fire.probability({"ForestFire": True})
    assert why.conflict == pytest.approx(10 * math.log10(apart / together))


def test_findings_in_conflict_are_named(fire):
    (why,) = fire.explain({"Storm": True, "Lightning": False, "Thunder": True}, "ForestFire")
    assert why.conflict > 3
    assert "in conflict, by" in str(why)
    assert "Lightning = False" in str(why).splitlines()[-1]


def test_explanations_of_rows_and_of_uncertain_findings(fire):
    rows = pl.DataFrame({"Thunder": [True, False], "Storm": [True, True]})
    first, second = fire.explain(rows, "Lightning")
    assert (first.value, second.value) == (True, False)
    (why,) = fire.explain({"Thunder": Virtual({True: 7, False: 1})}, "Storm")
    assert why.findings[0].alone == pytest.approx(why.moved)
    assert "False : True as 1 : 7" in why.findings[0].text
    certain = textbook_network("asia").explain({"either": True, "cancer": False}, "tuberculosis")[0]
    assert "certain" in str(certain)
    with pytest.raises(InputError, match="name the node"):
        fire.explain({"Thunder": True})
    with pytest.raises(InputError, match="exclude each other"):
        textbook_network("sprinkler").explain({"Sprinkler": False, "Rain": False, "WetGrass": True}, "Cloudy")


# --- classifiers


def by_sqlite(query, rows):
    connection = sqlite3.connect(":memory:")
    names = ", ".join(f'"{name}"' for name in rows.columns)
    connection.execute(f"CREATE TABLE data ({names})")
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * rows.width)})", rows.rows())
    return [row[-1] for row in connection.execute(query)]


def test_a_network_that_classifies(tmp_path):
    tennis = textbook_network("play-tennis").classifier("PlayTennis")
    X, y = induce.dataset("play-tennis")
    chances = tennis.predict_proba(X)
    assert np.allclose(chances, textbook_network("play-tennis").query_rows(X, "PlayTennis").to_numpy())
    assert (tennis.predict(X) == y.to_numpy()).mean() > 0.9
    induce.save(tennis, tmp_path / "t.induce")
    assert induce.load(tmp_path / "t.induce") == tennis
    assert tennis.explain(X[:1])[0].target == "PlayTennis"
    with pytest.raises(InputError, match="is numeric; name a nominal node"):
        textbook_network("crop").classifier("Cost")
    crop = textbook_network("crop").classifier("Subsidy")
    assert crop.predict(textbook_network("crop").sample(5, random_state=0)).tolist().count(True) <= 5


@pytest.mark.parametrize("seed", range(4))
def test_exports_predict_as_the_network_does(seed):
    random = random_network(seed, nodes=6, zeros=False)
    classifier = random.classifier("n2")
    rows = random.sample(60, random_state=seed).drop("n2").cast(pl.String)
    expected = classifier.predict(rows).tolist()
    assert by_sqlite(classifier.to_sql(), rows) == expected
    space = {}
    exec(classifier.to_python("decide"), space)
    assert [space["decide"](row) for row in rows.iter_rows(named=True)] == expected
    holed = rows.with_columns(
        pl.when(pl.int_range(60) % 3 == 0).then(None).otherwise(pl.col("n1")).alias("n1")
    )
    assert [space["decide"](row) for row in holed.iter_rows(named=True)] == classifier.predict(holed).tolist()


def test_exports_that_are_too_large():
    wide = BeliefNetwork.of({"y": [f"x{k}" for k in range(15)]})
    with pytest.raises(InputError, match="65,536 entries, too many to write out"):
        wide.classifier("y").to_sql()


# --- pictures


@pytest.mark.parametrize("name", textbook_networks())
@pytest.mark.parametrize("tables", [False, True])
@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_every_network_is_drawn(name, tables):
    shown = textbook_network(name)
    figure = shown.draw(tables=tables)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert set(shown.nodes) <= set(texts)
    figure.savefig("/dev/null", format="svg")


def test_evidence_is_marked(fire):
    figure = fire.draw({"Thunder": True, "Storm": Virtual({True: 3, False: 1})})
    boxes = [patch for patch in figure.axes[0].patches if type(patch).__name__ == "FancyBboxPatch"]
    assert (
        sorted(box.get_linestyle() for box in boxes).count("dashed")
        + sorted(box.get_linestyle() for box in boxes).count("--")
        == 1
    )
    assert sum(box.get_linewidth() > 1 for box in boxes) == 2
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert "100%" in texts


def test_boxes_do_not_overlap():
    random = random_network(1, nodes=14)
    widths = [1.0 + 0.1 * k for k in range(14)]
    place = layout(random.parents, widths, 0.2)
    for row in place.layers:
        own = [point for point in row if point < 14]
        edges = [(place.x[point] - widths[point] / 2, place.x[point] + widths[point] / 2) for point in own]
        assert all(left[1] <= right[0] for left, right in pairwise(edges))
    for child, above in enumerate(random.parents):
        assert all(place.layer[parent] < place.layer[child] for parent in above)


def test_a_network_without_exact_answers_is_drawn_without_bars(monkeypatch):
    from induce.belief_networks.inference import junction_tree

    monkeypatch.setattr(junction_tree, "MOST_ENTRIES", 10)
    wide = BeliefNetwork.of({"y": [f"x{k}" for k in range(5)]})
    with pytest.warns(Note, match="the figure shows no probabilities: an exact answer needs tables"):
        figure = wide.draw()
    assert len(figure.axes[0].texts) == 6
