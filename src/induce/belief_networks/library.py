"""Small textbook networks, as printed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from induce.belief_networks.conditionals.logistic import LogisticConditional
from induce.belief_networks.conditionals.noisy_or import noisy_or
from induce.belief_networks.construction import Normal
from induce.belief_networks.network import BeliefNetwork
from induce.data.names import unknown


def textbook_network(name: str) -> BeliefNetwork:
    """Return a textbook network by name; `textbook_networks` lists them.

    Parameters
    ----------
    name : str
        Name of the network, as listed by `textbook_networks`.

    Examples
    --------
    >>> burglary = textbook_network("burglary")
    >>> round(burglary.query("Burglary", given={"JohnCalls": True, "MaryCalls": True})[True], 3)
    0.284
    """
    if name not in NETWORKS:
        raise unknown("network", name, NETWORKS)
    return NETWORKS[name]()


def textbook_networks() -> tuple[str, ...]:
    """Return the names of the built-in textbook networks.

    Examples
    --------
    >>> textbook_networks()
    ('asia', 'burglary', 'crop', 'fever', 'forest-fire', 'play-tennis', 'sprinkler', 'umbrella')
    """
    return tuple(sorted(NETWORKS))


def _forest_fire() -> BeliefNetwork:
    """Mitchell, Figure 6.3: the arcs and the table of Campfire are from the book; the other tables are ours,
    since it prints none.
    """
    return BeliefNetwork.of(
        {
            "Storm": [],
            "BusTourGroup": [],
            "Lightning": ["Storm"],
            "Campfire": ["Storm", "BusTourGroup"],
            "Thunder": ["Lightning"],
            "ForestFire": ["Storm", "Lightning", "Campfire"],
        },
        {
            "Storm": 0.2,
            "BusTourGroup": 0.5,
            "Lightning": {True: 0.9, False: 0.05},
            "Campfire": {(True, True): 0.4, (True, False): 0.1, (False, True): 0.8, (False, False): 0.2},
            "Thunder": {True: 0.95, False: 0.1},
            "ForestFire": {
                (True, True, True): 0.5,
                (True, True, False): 0.4,
                (True, False, True): 0.1,
                (True, False, False): 0.05,
                (False, True, True): 0.7,
                (False, True, False): 0.6,
                (False, False, True): 0.3,
                (False, False, False): 0.01,
            },
        },
        name="forest-fire",
    )


def _burglary() -> BeliefNetwork:
    """AIMA, Figure 14.2."""
    return BeliefNetwork.of(
        {"Alarm": ["Burglary", "Earthquake"], "JohnCalls": ["Alarm"], "MaryCalls": ["Alarm"]},
        {
            "Burglary": 0.001,
            "Earthquake": 0.002,
            "Alarm": {(True, True): 0.95, (True, False): 0.94, (False, True): 0.29, (False, False): 0.001},
            "JohnCalls": {True: 0.9, False: 0.05},
            "MaryCalls": {True: 0.7, False: 0.01},
        },
        name="burglary",
    )


def _sprinkler() -> BeliefNetwork:
    """AIMA, Figure 14.12."""
    return BeliefNetwork.of(
        {"Sprinkler": ["Cloudy"], "Rain": ["Cloudy"], "WetGrass": ["Sprinkler", "Rain"]},
        {
            "Cloudy": 0.5,
            "Sprinkler": {True: 0.1, False: 0.5},
            "Rain": {True: 0.8, False: 0.2},
            "WetGrass": {(True, True): 0.99, (True, False): 0.9, (False, True): 0.9, (False, False): 0.0},
        },
        name="sprinkler",
    )


def _umbrella() -> BeliefNetwork:
    """AIMA, Figure 15.2, unrolled to five days; on the first day, rain has probability 0.5."""
    days = range(1, 6)
    rains = {f"Rain{day}": {True: 0.7, False: 0.3} for day in days[1:]}
    return BeliefNetwork.of(
        {f"Rain{day}": [f"Rain{day - 1}"] if day > 1 else [] for day in days}
        | {f"Umbrella{day}": [f"Rain{day}"] for day in days},
        {"Rain1": 0.5, **rains, **{f"Umbrella{day}": {True: 0.9, False: 0.2} for day in days}},
        name="umbrella",
    )


def _asia() -> BeliefNetwork:
    """Lauritzen and Spiegelhalter 1988: shortness of breath."""
    return BeliefNetwork.of(
        {
            "tuberculosis": ["asia"],
            "cancer": ["smoking"],
            "bronchitis": ["smoking"],
            "either": ["tuberculosis", "cancer"],
            "xray": ["either"],
            "dyspnoea": ["either", "bronchitis"],
        },
        {
            "asia": 0.01,
            "smoking": 0.5,
            "tuberculosis": {True: 0.05, False: 0.01},
            "cancer": {True: 0.1, False: 0.01},
            "bronchitis": {True: 0.6, False: 0.3},
            "either": noisy_or({"tuberculosis": 0.0, "cancer": 0.0}),
            "xray": {True: 0.98, False: 0.05},
            "dyspnoea": {(True, True): 0.9, (True, False): 0.7, (False, True): 0.8, (False, False): 0.1},
        },
        name="asia",
    )


def _fever() -> BeliefNetwork:
    """AIMA, Figure 14.6: a noisy-OR. The failure probabilities are the book's, the prior probabilities of the
    causes ours.
    """
    return BeliefNetwork.of(
        {"Fever": ["Cold", "Flu", "Malaria"]},
        {
            "Cold": 0.1,
            "Flu": 0.05,
            "Malaria": 0.001,
            "Fever": noisy_or({"Cold": 0.6, "Flu": 0.2, "Malaria": 0.1}),
        },
        name="fever",
    )


def _crop() -> BeliefNetwork:
    """AIMA, Figure 14.5: a price that falls with the harvest, and a buyer. The parameters are ours; the book
    prints none.
    """
    return BeliefNetwork.of(
        {"Cost": ["Subsidy", "Harvest"], "Buys": ["Cost"]},
        {
            "Subsidy": 0.3,
            "Harvest": Normal(5.0, 1.5),
            "Cost": {True: Normal(8.0, 0.5, {"Harvest": -1.0}), False: Normal(10.0, 1.0, {"Harvest": -1.0})},
            "Buys": LogisticConditional(np.array([0.0, 6.0]), np.array([[0.0, -1.0]]), (1,)),
        },
        name="crop",
    )


def _play_tennis() -> BeliefNetwork:
    """Mitchell, exercise 6.6: naive Bayes on the days of PlayTennis (Table 3.2) as a network."""
    counts = {
        "Outlook": {"Sunny": (2, 3), "Overcast": (4, 0), "Rain": (3, 2)},
        "Temperature": {"Hot": (2, 2), "Mild": (4, 2), "Cool": (3, 1)},
        "Humidity": {"High": (3, 4), "Normal": (6, 1)},
        "Wind": {"Weak": (6, 2), "Strong": (3, 3)},
    }
    tables = {
        column: {
            "Yes": {value: yes / 9 for value, (yes, _) in rows.items()},
            "No": {value: no / 5 for value, (_, no) in rows.items()},
        }
        for column, rows in counts.items()
    }
    return BeliefNetwork.of(
        {column: ["PlayTennis"] for column in counts},
        {"PlayTennis": {"Yes": 9 / 14, "No": 5 / 14}, **tables},
        name="play-tennis",
    )


NETWORKS: dict[str, Callable[[], BeliefNetwork]] = {
    "asia": _asia,
    "burglary": _burglary,
    "crop": _crop,
    "fever": _fever,
    "forest-fire": _forest_fire,
    "play-tennis": _play_tennis,
    "sprinkler": _sprinkler,
    "umbrella": _umbrella,
}
