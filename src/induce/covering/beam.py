"""LEARN-ONE-RULE (Mitchell, Table 10.2): a beam search for the best state."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.covering.space import Floats, Refinements, Space

State = TypeVar("State")

DESCRIBED = 30
"""Maximum number of candidates per step that a trace describes."""


def learn_one_rule(space: Space[State], width: int, max_steps: int | None = None) -> State | None:
    """Return the best state that a beam search visits at any step; None if no state may be a rule.

    Parameters
    ----------
    space : Space
        Search space of rules.
    width : int
        Beam width: number of states kept at each step, *k* in the book; 1 is hill-climbing (Fig. 10.1).
    max_steps : int, optional
        Maximum number of refinement steps.

    Notes
    -----
    A state replaces the best only if it is better, so ties are broken by order. States that can no longer
    lead to a better one are not refined, which does not change the result.
    """
    candidates = space.start()
    best: State | None = None
    best_value = (-np.inf, np.inf)  # worse than every admissible rule, also in ties
    for state in candidates:
        value = space.quality(state)
        if value > best_value:
            best, best_value = state, value
    steps = 0
    while candidates and (max_steps is None or steps < max_steps):
        steps += 1
        parents, places, new = _all_refinements(space, candidates)
        if not len(new):
            break
        taken: dict[int, State] = {}
        improved = -1
        top = _best(new.quality, new.tie)
        if (value := (float(new.quality[top]), float(new.tie[top]))) > best_value:
            best = taken[top] = space.take(candidates[parents[top]], int(places[top]))
            best_value, improved = value, top
        # States that cannot beat the best are dropped after the beam is chosen, not before. Otherwise other
        # states would take their place, and the result would differ from that of a plain beam search.
        better = (new.bound > best_value[0]) | ((new.bound == best_value[0]) & (new.tie > best_value[1]))
        chosen = [i for i in _distinct(new, width) if better[i]]
        if trace.active("beam"):
            trace.emit(
                "beam",
                step=steps,
                candidates=len(new),
                kept=len(chosen),
                best=best_value[0],
                members=_members(space, candidates, parents, places, new, chosen, improved),
            )
        candidates = [
            taken[i] if i in taken else space.take(candidates[parents[i]], int(places[i])) for i in chosen
        ]
    return best


def _members(
    space: Space[State],
    candidates: list[State],
    parents: NDArray[np.intp],
    places: NDArray[np.intp],
    new: Refinements,
    chosen: list[int],
    improved: int,
) -> tuple[dict[str, Any], ...]:
    """Describe the candidates of a step: text, origin, score, and whether each is kept or is the best.

    This is done only for spaces that can describe a state; if there are many candidates, only the most
    promising are described.
    """
    describe = getattr(space, "describe", None)
    if describe is None:
        return ()
    order = np.lexsort((np.arange(len(new)), -new.tie, -new.promise))[:DESCRIBED].tolist()
    shown = [*chosen, *(i for i in order if i not in chosen)]
    return tuple(
        {
            "rule": describe(candidates[parents[i]], int(places[i])),
            "parent": describe(candidates[parents[i]], None),
            "score": float(new.quality[i]),
            "kept": i in chosen,
            "best": i == improved,
        }
        for i in shown
    )


def _all_refinements(
    space: Space[State], candidates: list[State]
) -> tuple[NDArray[np.intp], NDArray[np.intp], Refinements]:
    """Return the refinements of all states together, with the originating state and step of each."""
    each = [space.refine(state) for state in candidates]
    sizes = [len(refinements) for refinements in each]
    parents = np.repeat(np.arange(len(each)), sizes)
    places = np.concatenate([np.arange(size) for size in sizes])
    if len(each) == 1:
        return parents, places, each[0]
    together = Refinements(
        np.concatenate([one.quality for one in each]),
        np.concatenate([one.promise for one in each]),
        np.concatenate([one.bound for one in each]),
        np.concatenate([one.tie for one in each]),
        np.concatenate([one.keys for one in each]),
    )
    return parents, places, together


def _best(quality: Floats, tie: Floats) -> int:
    """Return the best refinement, ties broken by order."""
    top = np.flatnonzero(quality == quality.max())
    return int(top[tie[top].argmax()])


def _distinct(new: Refinements, width: int) -> list[int]:
    """Return the `width` most promising distinct refinements, ties broken by order."""
    order = np.lexsort((-new.tie, -new.promise))
    chosen: list[int] = []
    seen: set[int] = set()
    for i in order:
        if len(chosen) == width or new.promise[i] == -np.inf:
            break
        key = int(new.keys[i])
        if key not in seen:
            seen.add(key)
            chosen.append(int(i))
    return chosen
