"""Learned networks: directions that are not known, and how sure arcs are."""

import numpy as np
import polars as pl
import pytest

import induce
from induce.belief_networks import BeliefNetwork, LearnedNetwork
from induce.belief_networks.library import textbook_network
from induce.core.errors import InputError
from induce.core.notes import Note


@pytest.fixture(scope="module")
def sprinkler():
    X = textbook_network("sprinkler").sample(1000, random_state=0)
    return induce.StructureSearch(n_bootstrap=12, random_state=0).fit(X).hypothesis_


def test_heart_disease_needs_fewer_parameters_with_the_hidden_node():
    """07:B5."""
    values = {name: [1, 2, 3] for name in ("smoking", "diet", "exercise", "heart", "s1", "s2", "s3")}
    causes = ["smoking", "diet", "exercise"]
    hidden = BeliefNetwork.of(
        {"heart": causes, "s1": ["heart"], "s2": ["heart"], "s3": ["heart"]}, values=values
    )
    del values["heart"]
    chained = BeliefNetwork.of(
        {"s1": causes, "s2": [*causes, "s1"], "s3": [*causes, "s1", "s2"]}, values=values
    )
    assert (hidden.n_parameters(), chained.n_parameters()) == (78, 708)


def test_what_is_printed(sprinkler):
    text = str(sprinkler)
    assert "arcs, with their proportion among 12 bootstrap samples" in text
    assert "Cloudy — Rain" in text
    assert "undetermined direction" in text
    joined, this_way = sprinkler.sureness("Rain", "WetGrass")
    assert 0.5 < this_way <= joined <= 1
    assert ((sprinkler.support >= 0) & (sprinkler.support + sprinkler.support.T <= 1)).all()


def test_how_sure_arcs_are_must_be_asked_for():
    X = textbook_network("sprinkler").sample(50, random_state=0)
    with pytest.raises(InputError, match="learn with n_bootstrap=100"):
        induce.ChowLiu().fit(X).hypothesis_.sureness("Rain", "Cloudy")


def test_the_picture_has_arrows_where_directions_are_known(sprinkler):
    figure = sprinkler.draw()
    styles = [
        type(patch.get_arrowstyle()).__name__
        for patch in figure.axes[0].patches
        if hasattr(patch, "get_arrowstyle")
    ]
    assert styles.count("Curve") == len(sprinkler.undirected) > 0
    assert styles.count("CurveFilledB") == len(sprinkler.graph.arcs) - len(sprinkler.undirected) > 0
    assert any(text.get_text().endswith("%") for text in figure.axes[0].texts)


def test_files(sprinkler, tmp_path):
    induce.save(sprinkler, tmp_path / "network.induce")
    again = induce.load(tmp_path / "network.induce")
    assert isinstance(again, LearnedNetwork)
    assert again == sprinkler
    assert str(again) == str(sprinkler)
    sprinkler.write(tmp_path / "network.bif")
    assert set(BeliefNetwork.read(tmp_path / "network.bif").graph.arcs) == set(sprinkler.graph.arcs)


def test_the_bootstrap_is_the_same_with_more_threads(sprinkler):
    X = textbook_network("sprinkler").sample(1000, random_state=0)
    again = induce.StructureSearch(n_bootstrap=12, random_state=0, n_jobs=2).fit(X).hypothesis_
    assert again == sprinkler


def test_knowledge_of_a_learner_is_saved(tmp_path):
    X = textbook_network("sprinkler").sample(50, random_state=0)
    learner = induce.K2(knowledge=induce.Knowledge(order=["Rain", "Cloudy"], max_parents=1)).fit(X)
    induce.save(learner, tmp_path / "k2.induce")
    again = induce.load(tmp_path / "k2.induce")
    assert again.knowledge == learner.knowledge
    assert again.hypothesis_ == learner.hypothesis_


def test_a_target_is_one_of_the_nodes():
    X, y = induce.dataset("play-tennis")
    for learner in (induce.K2(), induce.PC(significance=0.5), induce.ChowLiu()):
        learner.fit(X, y)
        assert learner.hypothesis_.target == "PlayTennis"
        assert learner.hypothesis_.network.nodes[0] == "PlayTennis"
        holes = X.with_columns(pl.lit(None).alias("Wind"))
        assert len(learner.predict(holes)) == 14


def test_holes_are_told():
    X = textbook_network("sprinkler").sample(600, random_state=0)
    rng = np.random.default_rng(0)
    holed = X.with_columns(
        pl.when(pl.Series(rng.random(600) < 0.15)).then(None).otherwise(pl.col(name)).alias(name)
        for name in X.columns
    )
    with pytest.warns(Note, match="values are missing: two graphs are compared on the rows"):
        found = induce.StructureSearch().fit(holed).hypothesis_
    assert ("Rain", "WetGrass") in found.graph.arcs


def test_parts_that_are_not_joined_are_drawn():
    parents = {f"a{k}": [f"a{k - 1}"] for k in range(1, 4)} | {"b1": ["b0"], "c": [], "b2": ["b0", "b1"]}
    for names in (sorted(parents), sorted(parents, reverse=True)):
        network = BeliefNetwork.of({name: parents[name] for name in names})
        assert len(network.draw().axes[0].texts) >= len(network.nodes)
