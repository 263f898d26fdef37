"""Approximate inference: within its stated error, and silent neither about failure nor about imprecision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce import InputError
from induce.belief_networks import BeliefNetwork, Jeffrey, Virtual
from induce.belief_networks.inference import gibbs, sampling
from induce.belief_networks.library import textbook_network
from induce.core.notes import Note

from .conftest import random_evidence, random_network

SAMPLERS = ("likelihood-weighting", "rejection", "gibbs")


@given(st.integers(0, 10**6), st.sampled_from(SAMPLERS))
@settings(max_examples=12, deadline=None)
def test_samplers_are_within_five_standard_errors(seed, method):
    random = random_network(seed, nodes=5, zeros=False)
    known, hidden = random_evidence(random, seed, share=0.2)
    targets = hidden[:2]
    exact = random.query(targets, known)
    found = random.query(targets, known, method=method, precision=0.01, random_state=seed)
    assert found.standard_errors.max() <= 0.01
    assert (np.abs(found.probabilities - exact.probabilities) <= 5 * found.standard_errors + 1e-3).all()
    assert found.n_samples >= found.effective_size > 0


def test_errors_are_neither_too_large_nor_too_small(fire):
    """Of many answers about two thirds are within one standard error."""
    exact = fire.query("ForestFire", {"Thunder": True})[True]
    for method in SAMPLERS:
        gaps = []
        for seed in range(24):
            found = fire.query(
                "ForestFire", {"Thunder": True}, method=method, precision=0.02, random_state=seed
            )
            gaps.append((found[True] - exact) / found.standard_error(True))
        assert 0.55 < np.sqrt(np.mean(np.square(gaps))) < 1.5, method


def test_precision_decides_how_many_samples(fire):
    sizes = [
        fire.query(
            "Storm", {"Thunder": True}, method="likelihood-weighting", precision=p, random_state=0
        ).n_samples
        for p in (0.01, 0.002)
    ]
    assert sizes[1] > 5 * sizes[0]


def test_the_same_seed_gives_the_same_answer(fire):
    for method in SAMPLERS:
        first, again = (
            fire.query("Storm", {"Thunder": True}, method=method, random_state=3) for _ in range(2)
        )
        assert first == again


def test_answers_with_errors_print_them(fire):
    found = fire.query("Storm", {"Thunder": True}, method="rejection", random_state=0)
    assert "±" in str(found)
    assert "rejection, " in str(found)


def test_virtual_evidence(fire):
    told = {"Thunder": Virtual({True: 7, False: 1})}
    for method in SAMPLERS:
        found = fire.query("Storm", told, method=method, precision=0.01, random_state=1)
        assert found[True] == pytest.approx(0.454813, abs=0.04)
    assert fire.query("Storm", told, method="loopy")[True] == pytest.approx(0.4548, abs=0.05)
    with pytest.raises(InputError, match="the new probabilities of 'Thunder' need an exact method"):
        fire.query("Storm", {"Thunder": Jeffrey({True: 1.0})}, method="gibbs")


def test_impossible_and_rare_evidence(monkeypatch):
    monkeypatch.setattr(sampling, "MOST_IN_VAIN", 20_000)
    monkeypatch.setattr(gibbs, "MOST_IN_VAIN", 20_000)
    lawn = textbook_network("sprinkler")
    never = {"Sprinkler": False, "Rain": False, "WetGrass": True}
    for method in ("likelihood-weighting", "rejection"):
        with pytest.raises(InputError, match="none of 20,000 samples agrees with the evidence"):
            lawn.query("Cloudy", never, method=method)
    with pytest.raises(InputError, match="no state consistent with the evidence"):
        lawn.query("Cloudy", never, method="gibbs")
    with pytest.raises(InputError, match="the evidence is impossible"):
        lawn.query("Cloudy", never, method="loopy")


def test_precision_that_is_not_reached_is_said(fire, monkeypatch):
    monkeypatch.setattr(sampling, "MOST_SAMPLES", 20_000)
    with pytest.warns(Note, match=r"after 20,000 samples the standard error is still"):
        fire.query("Storm", {"Thunder": True}, method="likelihood-weighting", precision=1e-4, random_state=0)


def test_chains_that_cannot_meet_are_said(monkeypatch):
    """A copy of a coin never changes while the coin does not: the chains stay where they began."""
    monkeypatch.setattr(gibbs, "MOST_SWEEPS", 200)
    copies = BeliefNetwork.of({"copy": ["coin"]}, {"coin": 0.5, "copy": {True: 1.0, False: 0.0}})
    with pytest.warns(Note, match="chains that do not mix give misleading answers"):
        found = copies.query("coin", method="gibbs", random_state=1)
    assert found.r_hat > 2
    assert found[True] == pytest.approx(0.5, abs=5 * found.standard_error(True))


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_loopy_propagation_is_exact_on_a_tree(seed):
    rng = np.random.default_rng(seed)
    parents = {f"x{k}": [f"x{rng.integers(0, k)}"] for k in range(1, 7)}
    tables = {"x0": 0.3} | {node: {True: float(rng.random()), False: float(rng.random())} for node in parents}
    tree = BeliefNetwork.of(parents, tables)
    known = {"x6": True}
    for node in ("x0", "x3"):
        exact = tree.query(node, known)[True]
        assert tree.query(node, known, method="loopy")[True] == pytest.approx(exact, abs=1e-4)


def test_loopy_propagation_is_close_on_a_graph(fire):
    exact = fire.query("ForestFire", {"Thunder": True})[True]
    assert fire.query("ForestFire", {"Thunder": True}, method="loopy")[True] == pytest.approx(exact, abs=0.02)
    with pytest.raises(InputError, match="one node at a time"):
        fire.query(["Storm", "Thunder"], method="loopy")


def test_samples_are_rows_of_the_network(fire):
    rows = fire.sample(20_000, random_state=0)
    assert rows.columns == list(fire.nodes)
    assert rows["Thunder"].mean() == pytest.approx(0.287, abs=0.015)
    assert rows.equals(fire.sample(20_000, random_state=0))
