"""Domains on which nothing in the analysis of control rules was chosen: a ferry, a gripper, keys and locks."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

FERRY = """
(define (domain ferry) (:requirements :strips :typing) (:types car port)
  (:predicates (moored ?p - port) (at ?c - car ?p - port) (empty) (aboard ?c - car))
  (:action sail :parameters (?a ?b - port)
    :precondition (moored ?a) :effect (and (moored ?b) (not (moored ?a))))
  (:action board :parameters (?c - car ?p - port)
    :precondition (and (at ?c ?p) (moored ?p) (empty))
    :effect (and (aboard ?c) (not (at ?c ?p)) (not (empty))))
  (:action land :parameters (?c - car ?p - port)
    :precondition (and (aboard ?c) (moored ?p)) :effect (and (at ?c ?p) (empty) (not (aboard ?c)))))
"""
GRIPPER = """
(define (domain gripper) (:requirements :strips :typing) (:types room ball hand)
  (:predicates (robot ?r - room) (at ?b - ball ?r - room) (free ?h - hand) (carries ?b - ball ?h - hand))
  (:action move :parameters (?a ?b - room)
    :precondition (robot ?a) :effect (and (robot ?b) (not (robot ?a))))
  (:action pick :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (at ?b ?r) (robot ?r) (free ?h))
    :effect (and (carries ?b ?h) (not (at ?b ?r)) (not (free ?h))))
  (:action drop :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (carries ?b ?h) (robot ?r)) :effect (and (at ?b ?r) (free ?h) (not (carries ?b ?h)))))
"""
KEYS = """
(define (domain keys) (:requirements :strips :typing) (:types cell key)
  (:predicates (robot ?c - cell) (next ?a ?b - cell) (lies ?k - key ?c - cell) (fits ?k - key ?c - cell)
    (open ?c - cell) (locked ?c - cell) (has ?k - key) (free))
  (:action move :parameters (?a ?b - cell)
    :precondition (and (robot ?a) (next ?a ?b) (open ?b)) :effect (and (robot ?b) (not (robot ?a))))
  (:action take :parameters (?k - key ?c - cell)
    :precondition (and (robot ?c) (lies ?k ?c) (free)) :effect (and (has ?k) (not (lies ?k ?c)) (not (free))))
  (:action leave :parameters (?k - key ?c - cell)
    :precondition (and (robot ?c) (has ?k)) :effect (and (lies ?k ?c) (free) (not (has ?k))))
  (:action unlock :parameters (?k - key ?a ?b - cell)
    :precondition (and (robot ?a) (next ?a ?b) (has ?k) (fits ?k ?b) (locked ?b))
    :effect (and (open ?b) (not (locked ?b)))))
"""


def fresh_problem(domain: str, size: int, seed: int) -> Any:
    """Return a random problem of one of the domains above."""
    from induce.planning import read_domain, read_problem

    text, make = FRESH[domain]
    objects, initial, goal = make(size, random.Random(f"{domain} {size} {seed}"))
    return read_problem(
        f"(define (problem {domain}-{seed}) (:domain {domain}) (:objects {objects})"
        f" (:init {' '.join(initial)}) (:goal (and {' '.join(goal)})))",
        read_domain(text),
    )


Made = tuple[str, Sequence[str], Sequence[str]]
"""The objects of a problem, what holds and what shall hold."""


def _ferry(size: int, rng: random.Random) -> Made:
    ports = [f"p{number}" for number in range(3 + size // 3)]
    cars = [f"c{number}" for number in range(size)]
    initial = [f"(at {car} {rng.choice(ports)})" for car in cars]
    goal = [f"(at {car} {rng.choice(ports)})" for car in cars]
    objects = f"{' '.join(ports)} - port {' '.join(cars)} - car"
    return objects, [*initial, "(empty)", f"(moored {rng.choice(ports)})"], goal


def _gripper(size: int, rng: random.Random) -> Made:
    rooms, balls = ("r1", "r2", "r3"), [f"b{number}" for number in range(size)]
    initial = [f"(at {ball} {rng.choice(rooms)})" for ball in balls]
    goal = [f"(at {ball} {rng.choice(rooms)})" for ball in balls]
    objects = f"{' '.join(rooms)} - room {' '.join(balls)} - ball left right - hand"
    return objects, [*initial, "(free left)", "(free right)", "(robot r1)"], goal


def _keys(size: int, rng: random.Random) -> Made:
    """A tree of cells, at most three of which are locked; each key lies before its lock, and one is to be brought."""
    n = size + 2
    initial = ["(robot x0)", "(free)", "(lies treasure x0)"]
    for cell in range(1, n):
        other = rng.randrange(max(0, cell - 3), cell)
        initial += [f"(next x{cell} x{other})", f"(next x{other} x{cell})"]
    locked = [cell for cell in range(2, n) if rng.random() < 0.3][:3]
    for cell in locked:
        place = rng.randrange(max(1, cell - 1))
        initial += [f"(locked x{cell})", f"(fits k{cell} x{cell})", f"(lies k{cell} x{place})"]
    initial += [f"(open x{cell})" for cell in range(n) if cell not in locked]
    names = " ".join(["treasure", *(f"k{cell}" for cell in locked)])
    objects = f"{' '.join(f'x{cell}' for cell in range(n))} - cell {names} - key"
    return objects, initial, [f"(lies treasure x{n - 1})"]


FRESH: dict[str, tuple[str, Callable[[int, random.Random], Made]]] = {
    "ferry": (FERRY, _ferry),
    "gripper": (GRIPPER, _gripper),
    "keys": (KEYS, _keys),
}
