"""Compiled loops of genomes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import loop


@loop
def keep_precedence(
    population: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    masks: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Precedence-preserving crossover: two offspring per pair, each item taken next from the parent in the mask."""
    n_pairs, n = masks.shape
    children = np.empty((2 * n_pairs, n), dtype=np.int64)
    taken = np.empty(n, dtype=np.bool_)
    for pair in range(n_pairs):
        for side in range(2):
            taken[:] = False
            # Both pointers only advance: an item that precedes another in both parents precedes it in the child.
            one, two = 0, 0
            for place in range(n):
                if masks[pair, place] != (side == 1):
                    while taken[population[first[pair], one]]:
                        one += 1
                    thing = population[first[pair], one]
                else:
                    while taken[population[second[pair], two]]:
                        two += 1
                    thing = population[second[pair], two]
                taken[thing] = True
                children[2 * pair + side, place] = thing
    return children


@loop
def keep_order(
    population: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    cuts: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Order crossover: two offspring per pair, a segment of one parent and the rest in the order of the other."""
    n_pairs, n = len(first), population.shape[1]
    children = np.empty((2 * n_pairs, n), dtype=np.int64)
    taken = np.empty(n, dtype=np.bool_)
    for pair in range(n_pairs):
        low, high = cuts[pair, 0], cuts[pair, 1]
        for side in range(2):
            mine = population[first[pair] if side == 0 else second[pair]]
            other = population[second[pair] if side == 0 else first[pair]]
            child = children[2 * pair + side]
            taken[:] = False
            for place in range(low, high):
                child[place] = mine[place]
                taken[mine[place]] = True
            # Both pointers wrap around from the end of the segment, since a parent is a tour.
            place = high % n
            source = high % n
            for _ in range(n - (high - low)):
                while taken[other[source]]:
                    source = source + 1 if source + 1 < n else 0
                thing = other[source]
                child[place] = thing
                taken[thing] = True
                place = place + 1 if place + 1 < n else 0
    return children


@loop
def keep_edges(
    population: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    drawn: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Edge recombination: return two offspring of each pair (Whitley and others 1989).

    The next item is the remaining neighbour of the last one, in either parent, with the fewest remaining neighbours;
    ties are broken by `drawn`. Without a remaining neighbour, it is the next item of the parent that came first.
    """
    n_pairs, n = len(first), population.shape[1]
    children = np.empty((2 * n_pairs, n), dtype=np.int64)
    # Per item: its distinct neighbours in the two parents, their number, and the number remaining.
    near = np.empty((n, 4), dtype=np.int64)
    known = np.empty(n, dtype=np.int64)
    left = np.empty(n, dtype=np.int64)
    taken = np.empty(n, dtype=np.bool_)
    for pair in range(n_pairs):
        known[:] = 0
        for parent in (first[pair], second[pair]):
            row = population[parent]
            for place in range(n):
                thing = row[place]
                for step in (-1, 1):
                    other = row[(place + step + n) % n]
                    is_new = other != thing
                    for k in range(known[thing]):
                        if near[thing, k] == other:
                            is_new = False
                    if is_new:
                        near[thing, known[thing]] = other
                        known[thing] += 1
        for side in range(2):
            mine = population[first[pair] if side == 0 else second[pair]]
            child = children[2 * pair + side]
            taken[:] = False
            left[:] = known
            thing = mine[0]
            source = 0
            for place in range(n):
                child[place] = thing
                taken[thing] = True
                for k in range(known[thing]):
                    left[near[thing, k]] -= 1
                fewest, n_equal = 5, 0
                for k in range(known[thing]):
                    other = near[thing, k]
                    if not taken[other]:
                        if left[other] < fewest:
                            fewest, n_equal = left[other], 0
                        if left[other] == fewest:
                            n_equal += 1
                if n_equal == 0:
                    while source < n and taken[mine[source]]:
                        source += 1
                    if source < n:
                        thing = mine[source]
                    continue
                wanted = int(drawn[2 * pair + side, place] * n_equal)
                here = thing
                for k in range(known[here]):
                    other = near[here, k]
                    if not taken[other] and left[other] == fewest:
                        if wanted == 0:
                            thing = other
                        wanted -= 1
    return children


INVERSION, SWAP, INSERTION = 0, 1, 2


@loop
def change_orders(
    rows: NDArray[np.int64], which: NDArray[np.int64], places: NDArray[np.int64], kind: int
) -> None:
    """Mutate the chosen rows in place: reverse a segment, swap two items, or move one item."""
    for k in range(len(which)):
        row = rows[which[k]]
        one, other = places[k, 0], places[k, 1]
        if kind == SWAP:
            row[one], row[other] = row[other], row[one]
        elif kind == INVERSION:
            low, high = min(one, other), max(one, other)
            while low < high:
                row[low], row[high] = row[high], row[low]
                low += 1
                high -= 1
        else:
            thing = row[one]
            step = 1 if other > one else -1
            for place in range(one, other, step):
                row[place] = row[place + step]
            row[other] = thing


@loop
def right_predictions(
    target: NDArray[np.int64], output: NDArray[np.int64], start: int, symbols: NDArray[np.int64]
) -> int:
    """Return the number of correct next-symbol predictions of a machine."""
    state, right = start, 0
    for place in range(len(symbols) - 1):
        symbol = symbols[place]
        if output[state, symbol] == symbols[place + 1]:
            right += 1
        state = target[state, symbol]
    return right
