"""Four well-known domains with random problems: blocks world, a robot in two rooms, logistics, the eight-puzzle."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise

from induce.core.errors import InputError
from induce.data.names import listed
from induce.logic.clauses import Literal
from induce.logic.terms import Constant
from induce.planning.domains import BLOCKS, OBJECT, Domain, PlanningProblem
from induce.planning.pddl import read_domain

TWO_ROOMS = """
(define (domain two-rooms) (:requirements :strips :typing :negative-preconditions)
  (:types box room)
  (:predicates (robot ?r - room) (in ?b - box ?r - room) (holding ?b - box) (handempty) (open)
    (beside ?r ?s - room))
  (:action open-door :parameters ()
    :precondition (and (not (open)) (handempty)) :effect (open))
  (:action close-door :parameters ()
    :precondition (and (open) (handempty)) :effect (not (open)))
  (:action go :parameters (?r ?s - room)
    :precondition (and (robot ?r) (open) (beside ?r ?s)) :effect (and (robot ?s) (not (robot ?r))))
  (:action grasp :parameters (?b - box ?r - room)
    :precondition (and (robot ?r) (in ?b ?r) (handempty))
    :effect (and (holding ?b) (not (in ?b ?r)) (not (handempty))))
  (:action release :parameters (?b - box ?r - room)
    :precondition (and (robot ?r) (holding ?b))
    :effect (and (in ?b ?r) (handempty) (not (holding ?b)))))
"""
"""A robot with one hand carries boxes between two rooms; it needs the same hand to open and close the door."""

LOGISTICS = """
(define (domain logistics) (:requirements :strips :typing)
  (:types package vehicle place city - object truck plane - vehicle airport - place)
  (:predicates (at ?x - object ?l - place) (in ?p - package ?v - vehicle) (in-city ?l - place ?c - city)
    (serves ?t - truck ?c - city))
  (:action load-truck :parameters (?t - truck ?c - city ?l - place ?p - package)
    :precondition (and (serves ?t ?c) (in-city ?l ?c) (at ?t ?l) (at ?p ?l))
    :effect (and (in ?p ?t) (not (at ?p ?l))))
  (:action unload-truck :parameters (?t - truck ?c - city ?l - place ?p - package)
    :precondition (and (serves ?t ?c) (in-city ?l ?c) (at ?t ?l) (in ?p ?t))
    :effect (and (at ?p ?l) (not (in ?p ?t))))
  (:action load-plane :parameters (?a - plane ?l - airport ?p - package)
    :precondition (and (at ?a ?l) (at ?p ?l)) :effect (and (in ?p ?a) (not (at ?p ?l))))
  (:action unload-plane :parameters (?a - plane ?l - airport ?p - package)
    :precondition (and (at ?a ?l) (in ?p ?a)) :effect (and (at ?p ?l) (not (in ?p ?a))))
  (:action drive :parameters (?t - truck ?c - city ?l ?m - place)
    :precondition (and (serves ?t ?c) (in-city ?l ?c) (in-city ?m ?c) (at ?t ?l))
    :effect (and (at ?t ?m) (not (at ?t ?l))))
  (:action fly :parameters (?a - plane ?l ?m - airport)
    :precondition (at ?a ?l) :effect (and (at ?a ?m) (not (at ?a ?l)))))
"""
"""Packages carried by trucks within a city and by planes between airports."""

EIGHT_PUZZLE = """
(define (domain eight-puzzle) (:requirements :strips :typing)
  (:types tile cell)
  (:predicates (at ?t - tile ?c - cell) (blank ?c - cell) (beside ?c ?d - cell))
  (:action move :parameters (?t - tile ?c ?d - cell)
    :precondition (and (at ?t ?c) (blank ?d) (beside ?c ?d))
    :effect (and (at ?t ?d) (blank ?c) (not (at ?t ?c)) (not (blank ?d)))))
"""
"""Tiles that slide into the empty cell."""

Words = list[tuple[str, ...]]
Shape = tuple[dict[str, str], Words, Words]
"""Objects with their types, initial facts and goals; ~ means negation."""


def random_problem(domain: str, size: int, seed: int = 0) -> PlanningProblem:
    """Return a solvable problem of a well-known domain.

    Parameters
    ----------
    domain : {"blocks", "two-rooms", "logistics", "eight-puzzle"}
        Name of the domain.
    size : int
        Number of blocks, boxes or packages; for the eight-puzzle, the number of random moves from the goal.
    seed : int, default=0
        Random seed.

    Examples
    --------
    >>> problem = random_problem("blocks", 3)
    >>> print(*problem.goal)
    on(b1, b2) on(b3, b1)
    """
    if domain not in DOMAINS:
        raise InputError(f"there is no domain {domain!r}; give one of {listed(list(DOMAINS))}")
    if size < 1:
        raise InputError(f"size is {size}; give 1 or more")
    text, shape = DOMAINS[domain]
    objects, initial, goal = shape(size, random.Random(f"{domain} {size} {seed}"))
    name = f"{domain}-{size}-{seed}"
    return PlanningProblem(_domain(text), objects, frozenset(_facts(initial)), tuple(_facts(goal)), name)


@cache
def _domain(text: str) -> Domain:
    return read_domain(text)


def _facts(words: Iterable[tuple[str, ...]]) -> list[Literal]:
    return [Literal(name.lstrip("~"), tuple(map(Constant, terms)), name[0] == "~") for name, *terms in words]


def _blocks(size: int, rng: random.Random) -> Shape:
    names = [f"b{number}" for number in range(1, size + 1)]

    def towers() -> list[list[str]]:
        found: list[list[str]] = []
        for name in rng.sample(names, size):
            if found and rng.random() < 0.7:
                rng.choice(found).append(name)
            else:
                found.append([name])
        return found

    first, last = towers(), towers()
    initial: Words = [("on", a, b) for tower in first for b, a in pairwise(tower)]
    initial += [("ontable", tower[0]) for tower in first] + [("clear", tower[-1]) for tower in first]
    goal: Words = [("on", a, b) for tower in last for b, a in pairwise(tower)]
    goal = rng.sample(goal, len(goal)) or [("ontable", names[0])]
    return dict.fromkeys(names, OBJECT), [*initial, ("handempty",)], goal


def _two_rooms(size: int, rng: random.Random) -> Shape:
    boxes, rooms = [f"b{number}" for number in range(1, size + 1)], ["r1", "r2"]
    initial: Words = [("in", box, rng.choice(rooms)) for box in boxes]
    goal: Words = [("in", box, rng.choice(rooms)) for box in boxes if rng.random() < 0.8]
    initial += [("robot", rng.choice(rooms)), ("handempty",), ("beside", "r1", "r2"), ("beside", "r2", "r1")]
    if rng.random() < 0.5:
        initial.append(("open",))
    if rng.random() < 0.5:
        goal.append(("robot", rng.choice(rooms)))
    if rng.random() < 0.5:
        goal.append(("~open",))
    goal = rng.sample(goal, len(goal)) or [("in", boxes[0], rng.choice(rooms))]
    return dict.fromkeys(boxes, "box") | dict.fromkeys(rooms, "room"), initial, goal


def _logistics(size: int, rng: random.Random) -> Shape:
    cities = [f"c{number}" for number in range(1, 2 + (size + 2) // 3)]
    objects = dict.fromkeys(cities, "city") | {"a1": "plane"}
    initial: Words = []
    places: list[str] = []
    for number, city in enumerate(cities, 1):
        here = [f"l{number}", f"m{number}", f"p{number}"]
        objects |= {here[0]: "place", here[1]: "place", here[2]: "airport", f"t{number}": "truck"}
        initial += [("in-city", one, city) for one in here] + [("serves", f"t{number}", city)]
        initial.append(("at", f"t{number}", rng.choice(here)))
        places += here
    initial.append(("at", "a1", f"p{rng.randrange(len(cities)) + 1}"))
    goal: Words = []
    for number in range(1, size + 1):
        start, there = rng.sample(places, 2)
        objects[f"k{number}"] = "package"
        initial.append(("at", f"k{number}", start))
        goal.append(("at", f"k{number}", there))
    return objects, initial, goal


def _eight_puzzle(size: int, rng: random.Random) -> Shape:
    cells = [f"c{row}{column}" for row in range(1, 4) for column in range(1, 4)]
    beside = [
        (one, other)
        for one in cells
        for other in cells
        if abs(int(one[1]) - int(other[1])) + abs(int(one[2]) - int(other[2])) == 1
    ]
    places = {cell: f"t{number}" for number, cell in enumerate(cells[:-1], 1)}
    blank = cells[-1]
    for _ in range(size):
        cell = rng.choice([one for one, other in beside if other == blank])
        places[blank], blank = places.pop(cell), cell
    initial: Words = [("at", tile, cell) for cell, tile in places.items()]
    goal: Words = [("at", f"t{number}", cell) for number, cell in enumerate(cells[:-1], 1)]
    objects = {f"t{number}": "tile" for number in range(1, 9)} | dict.fromkeys(cells, "cell")
    return objects, [*initial, ("blank", blank), *(("beside", *pair) for pair in beside)], goal


DOMAINS: dict[str, tuple[str, Callable[[int, random.Random], Shape]]] = {
    "blocks": (BLOCKS, _blocks),
    "two-rooms": (TWO_ROOMS, _two_rooms),
    "logistics": (LOGISTICS, _logistics),
    "eight-puzzle": (EIGHT_PUZZLE, _eight_puzzle),
}
