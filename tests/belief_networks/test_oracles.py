"""The numbers of the textbooks' networks, and of the network of Figure 6.3 with the tables of its fixture."""

import numpy as np
import pytest

from induce.belief_networks import Jeffrey, Virtual
from induce.belief_networks.library import textbook_network

S, B, L, C, T, F = "Storm", "BusTourGroup", "Lightning", "Campfire", "Thunder", "ForestFire"


@pytest.mark.parametrize(
    ("target", "given", "expected"),
    [
        (L, {}, 0.22),
        (C, {}, 0.45),
        (T, {}, 0.287),
        (F, {}, 0.22155),
        (F, {T: True, B: True}, 0.41676655),
        (F, {T: True}, 0.38076655),
        (F, {S: True}, 0.38875),
        (F, {B: True}, 0.29172),
        (F, {C: True}, 0.33555556),
        (S, {T: True}, 0.60278746),
        (S, {F: True}, 0.35093658),
        (L, {T: True}, 0.72822300),
        (C, {F: True, T: True}, 0.42208089),
        (C, {S: True, B: True}, 0.4),
        (C, {S: True, B: True, L: True, T: False}, 0.4),
        (S, {T: Jeffrey({True: 0.7, False: 0.3})}, 0.43331167),
        (F, {T: Jeffrey({True: 0.7, False: 0.3})}, 0.31377501),
        (S, {T: Virtual({True: 7, False: 1})}, 0.45481264),
        (F, {T: Virtual({True: 7, False: 1})}, 0.32227406),
    ],
)
@pytest.mark.parametrize("method", ["exact", "enumeration", "elimination"])
def test_posteriors(fire, target, given, expected, method):
    assert fire.query(target, given, method=method)[True] == pytest.approx(expected, abs=1e-8)


def test_joint_probabilities(fire):
    assert fire.probability(dict.fromkeys((S, B, L, C, T, F), True)) == pytest.approx(0.0171, abs=1e-15)
    case = {S: True, B: False, L: True, C: False, T: True, F: False}
    assert fire.probability(case) == pytest.approx(0.04617, abs=1e-15)


def test_the_most_probable_explanation(fire):
    found = fire.most_probable({T: True, F: True})
    assert dict(found) == {S: True, B: False, L: True, C: False}
    assert found.probability == pytest.approx(0.03078, abs=1e-12)
    assert found.posterior == pytest.approx(0.03078 / fire.probability({T: True, F: True}))


def test_interventions(fire):
    assert fire.do({C: True}).query(F)[True] == pytest.approx(0.348, abs=1e-12)
    assert fire.do({C: False}).query(F)[True] == pytest.approx(0.1046, abs=1e-12)
    assert fire.do({C: True}).query(S)[True] == pytest.approx(0.2, abs=1e-12)


def test_burglary():
    """AIMA 14.4: <0.284, 0.716>; 14.2.1: P(j, m, a, not b, not e) = 0.000628."""
    alarm = textbook_network("burglary")
    assert alarm.query("Burglary", {"JohnCalls": True, "MaryCalls": True})[True] == pytest.approx(0.2841718)
    case = {"JohnCalls": True, "MaryCalls": True, "Alarm": True, "Burglary": False, "Earthquake": False}
    assert alarm.probability(case) == pytest.approx(0.000628, abs=5e-7)


def test_sprinkler():
    """AIMA 14.5: P(t, f, t, t) = 0.324; P(Rain = true) = 0.5."""
    lawn = textbook_network("sprinkler")
    case = {"Cloudy": True, "Sprinkler": False, "Rain": True, "WetGrass": True}
    assert lawn.probability(case) == pytest.approx(0.324)
    assert lawn.query("Rain")[True] == pytest.approx(0.5)
    assert lawn.query("WetGrass")[True] == pytest.approx(0.6471)
    assert lawn.query("Sprinkler", {"WetGrass": True})[True] == pytest.approx(0.2781 / 0.6471)


def test_umbrella():
    """AIMA 15.2, and the sequence of five days: filtered, smoothed, decoded."""
    world = textbook_network("umbrella")
    days = [True, True, False, True, True]
    seen = {f"Umbrella{day}": value for day, value in enumerate(days, start=1)}
    filtered = [
        world.query(f"Rain{day}", {name: seen[name] for name in list(seen)[:day]})[True]
        for day in range(1, 6)
    ]
    assert np.allclose(filtered, [0.818182, 0.883357, 0.190668, 0.730794, 0.867339], atol=5e-7)
    smoothed = [world.query(f"Rain{day}", seen)[True] for day in range(1, 6)]
    assert np.allclose(smoothed, [0.867339, 0.820419, 0.307484, 0.820419, 0.867339], atol=5e-7)
    assert world.probability(seen) == pytest.approx(0.0343037005, abs=1e-10)
    path = world.most_probable(seen)
    assert [path[f"Rain{day}"] for day in range(1, 6)] == days
    assert path.probability == pytest.approx(0.011573604, abs=1e-9)
    holed = {name: value for name, value in seen.items() if name != "Umbrella3"}
    assert world.probability(holed) == pytest.approx(0.13517309, abs=1e-8)


def test_asia():
    """Lauritzen and Spiegelhalter 1988, section 2 and their last table."""
    clinic = textbook_network("asia")
    found = clinic.marginals({"asia": True, "dyspnoea": True, "smoking": False})
    assert clinic.query("dyspnoea")[True] == pytest.approx(0.4360, abs=5e-5)
    assert clinic.query("either")[True] == pytest.approx(0.064828)
    assert sum(found["tuberculosis"].values()) == pytest.approx(1)


def test_exercise_6_6():
    tennis = textbook_network("play-tennis")
    wind = tennis.conditional("Wind").table((2,))
    assert np.allclose(wind, [[6 / 9, 3 / 9], [2 / 5, 3 / 5]])
    case = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}
    assert tennis.query("PlayTennis", case)["No"] == pytest.approx(0.795417348, abs=1e-9)


def test_naive_bayes_makes_attributes_independent_given_the_class():
    graph = textbook_network("play-tennis").graph
    assert graph.d_separated("Outlook", ["Temperature", "Humidity", "Wind"], ["PlayTennis"])
    assert not graph.d_separated("Outlook", "Wind")
