"""Players of searches: genetic algorithm, genetic programming, Q learning and value iteration."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

import induce
from induce.core.errors import InputError
from induce.core.trace import trace
from induce.workbench.players.frames import Frame
from induce.workbench.players.number_players import spaced
from induce.workbench.players.sheet import Sheet

SHOWN = 12
"""Maximum number of individuals shown per generation, best first."""


@dataclass(frozen=True)
class Wanted:
    """Fitness function: the number of bits that match a target."""

    bits: tuple[int, ...]
    minimise: bool = False
    noisy: bool = False

    @property
    def genome(self) -> Any:
        """Genome: bit strings of the target's length."""
        from induce.evolution.genomes.vectors import Bits

        return Bits(len(self.bits))

    @property
    def optimum(self) -> float:
        """Fitness when all bits match."""
        return float(len(self.bits))

    def scores(self, population: Any, rng: Any = None) -> Any:
        """Return the fitness of each individual."""
        return (population == np.array(self.bits)).sum(axis=1).astype(float)


def genetic_algorithm(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play the genetic algorithm until a string matches the target (Mitchell, table 9.1)."""
    from induce.evolution import GeneticAlgorithm

    wanted = Wanted(tuple(int(cell) for cell in sheet.rows[0]))
    search = GeneticAlgorithm.prototypical(
        population_size=20, r=0.6, m=0.2, fitness_threshold=len(wanted.bits)
    )
    search = search.set_params(generations=40, random_state=0, elite=1)
    with trace("generation", inner=False) as events:
        learned = search.learn(wanted).hypothesis_
    return generations(list(events), str(learned).splitlines()[0]), learned


def genetic_programming(sheet: Sheet, seed: int = 0) -> tuple[list[Frame], Any]:
    """Play genetic programming: evolve a formula that fits all rows (Mitchell, section 9.5)."""
    from induce.evolution import GeneticProgramming, Language, function, variable

    rows = sheet.numbers("x", "y")
    language = Language(
        (
            function("+", operator.add, 2),
            function("-", operator.sub, 2),
            function("*", operator.mul, 2),
            variable("x"),
            function("one", _one, 0),
        )
    )

    def fitness(program: Any) -> float:
        return 0.0 - sum(abs(float(program.run({"x": x})) - y) for x, y in rows)

    learner = GeneticProgramming(language, generations=30, fitness_threshold=0.0, random_state=seed)
    with trace("generation", inner=False) as events:
        learned = learner.learn(fitness).hypothesis_
    return generations(list(events), str(learned).splitlines()[0]), learned


def _one() -> int:
    return 1


def generations(events: list[Any], learned: str) -> list[Frame]:
    """Return a frame per generation: its best individuals, and curves of the best and mean fitness."""
    series = [{"name": name, "values": [float(event[name]) for event in events]} for name in ("best", "mean")]
    frames = []
    for at, event in spaced(list(enumerate(events))):
        scores = np.asarray(event["scores"], float)
        order = np.argsort(-scores, kind="stable")[:SHOWN].tolist()
        people = list(event["population"])
        bars = [
            {"name": event["genome"].show(people[k]), "value": float(scores[k]) + 0.0, "mark": place == 0}
            for place, k in enumerate(order)
        ]
        said = f"Generation {event['number']}: the best of {len(people)} has fitness {event['top']:.4g}."
        curve = {"picture": "curve", "title": "fitness", "at": at, "series": series}
        frames.append(
            {"picture": "bars", "caption": said, "title": "the fittest", "bars": bars, "also": [curve]}
        )
    best = {"name": learned, "value": float(events[-1]["best"]) + 0.0, "mark": True}
    last = {"picture": "bars", "caption": "The best individual found.", "title": "fitness", "bars": [best]}
    return [*frames, last]


GOAL = 100.0


def world(sheet: Sheet) -> Any:
    """Build the grid world that a sheet draws; a goal is worth 100, a hole -100."""
    from induce.environments.grids import grid_world

    drawing = "\n".join("".join(row) for row in sheet.rows)
    if "G" not in drawing:
        raise InputError("the grid has no goal; set a square to G")
    return grid_world(drawing, {"G": GOAL, "O": -GOAL})


def q_learning(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play Q learning: an estimate is the reward plus the discounted value of the next state (Mitchell, table
    13.1).
    """
    from induce.reinforcement.policy import Policy

    mdp = world(sheet)
    with trace(("update", "episode"), inner=False) as events:
        learned = induce.QLearning(40, 0.9, alpha=1, explore="random").learn(mdp).hypothesis_
    places = {pair: k for k, pair in enumerate(mdp.pairs())}
    q, visits = np.zeros(len(places)), np.zeros(len(places), np.int64)
    at = {state: k for k, state in enumerate(mdp.states)}
    frames: list[Frame] = [
        _policy("Nothing is known yet.", Policy.of(mdp, q.copy(), 0.9, visits=visits.copy()))
    ]
    episode = 1
    for event in events:
        if event.kind == "episode":
            episode = event["number"] + 1
            continue
        visits[places[event["state"], event["action"]]] += 1
        for state, action, _, new in event["changed"]:
            q[places[state, action]] = new
        if not event["changed"]:
            continue
        new = event["changed"][0][3]
        said = (
            f"Episode {episode}: {event['action']} gives {event['reward']:g}; its estimate becomes {new:.4g}."
        )
        policy = Policy.of(mdp, q.copy(), 0.9, visits=visits.copy())
        frames.append(_policy(said, policy) | {"lit": at[event["state"]]})
    return [*spaced(frames, 100), _policy("The learned policy.", learned)], learned


def value_iteration(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play value iteration, sweep by sweep (AIMA, figure 17.4)."""
    from induce.reinforcement.dynamic_programming.methods import pair_values
    from induce.reinforcement.policy import Policy

    mdp = world(sheet)
    with trace("sweep", inner=False) as events:
        learned = induce.DynamicProgramming(0.9, method="value-iteration").learn(mdp).hypothesis_
    frames = [_policy("All values are 0.", Policy.of(mdp, np.zeros(len(mdp.pairs())), 0.9))]
    for event in events:
        policy = Policy.of(mdp, pair_values(mdp, np.asarray(event["values"], float), 0.9), 0.9)
        said = f"Sweep {event['number']}: the value of every square is updated from its neighbours."
        shown = _policy(said, policy)
        for state, value in zip(shown["states"], event["values"], strict=True):
            state["value"] = float(value)
        frames.append(shown)
    return [*spaced(frames), _policy("The learned policy.", learned)], learned


def _policy(caption: str, policy: Any) -> Frame:
    return {"picture": "policy", "caption": caption, **policy.to_view()}
