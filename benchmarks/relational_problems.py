"""Problems for learners of first-order rules, drawn anew and always the same, in the files of Aleph and of Popper.

What is learned from and what it is tested on have no person, train, graph or customer in common; the positions of
the chess endgame are drawn apart. The few people and trains of real files are learned and tested alike.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.peers.problems import Part, Problem, Row, mode, modes, write
from benchmarks.relational_families import closure, english, family, read_facts

NOISE = 0.1
SQUARES = range(8)
LARGE = 10_000
TRAINS = (10, 100, 1_000, 10_000)
POSITIONS = (1_000, 10_000)


def problems(folder: Path | None = None) -> dict[str, Callable[[], Problem]]:
    """How to make each problem; those of the files in `folder` only if there is one."""
    found: dict[str, Callable[[], Problem]] = {}
    if folder is not None:
        found |= {
            f"english-{relation}": partial(english, folder, relation) for relation in ("grandparent", "uncle")
        }
        found["trains-michalski"] = partial(michalski, folder)
    found |= {
        relation: partial(family, relation) for relation in ("daughter", "grandparent", "uncle", "ancestor")
    }
    found |= {"element": element, "reach": reach}
    found |= {f"trains-{n}": partial(trains, n) for n in TRAINS}
    found |= {f"endgame-{n}": partial(endgame, n) for n in POSITIONS}
    found |= {
        f"{relation}-noise": partial(family, relation, 20, NOISE) for relation in ("grandparent", "aunt")
    }
    found |= {f"customers-{kind}": partial(customers, kind) for kind in ("category", "amount")}
    return {name: cache(make) for name, make in found.items()}


# --- trains

OF_CARS = modes(
    "has_car(+train,-car)",
    "short(+car)",
    "long(+car)",
    "closed(+car)",
    "open_car(+car)",
    "double(+car)",
    "jagged(+car)",
    "shape(+car,#shape)",
    "load(+car,#shape,#int)",
    "wheels(+car,#int)",
)


def michalski(folder: Path) -> Problem:
    """The ten trains of `relational/trains.b`, `.f` and `.n`, which are also the test."""
    stem = folder / "relational" / "trains"
    facts = read_facts(stem.with_suffix(".b"), {one.predicate for one in OF_CARS})
    east, west = (read_facts(stem.with_suffix(end), {("eastbound", 1)})["eastbound"] for end in (".f", ".n"))
    part = Part(facts, east, west)
    return _of_trains("michalski", part, part)


def trains(n: int) -> Problem:
    """Random trains of two to four cars, eastbound if and only if one is short and closed; 1,000 others to test."""
    rng = np.random.default_rng([n, 1])
    return _of_trains(str(n), _drawn_trains(n, rng, "t"), _drawn_trains(1_000, rng, "u"))


def _of_trains(name: str, train: Part, test: Part) -> Problem:
    return Problem(
        f"trains-{name}",
        "eastbound(T) :- has_car(T, C), short(C), closed(C).",
        mode("eastbound(+train)"),
        OF_CARS,
        train,
        test,
        aleph={"i": 2, "clauselength": 4},
        popper=("max_vars(3).", "max_body(3)."),
    )


def _drawn_trains(n: int, rng: np.random.Generator, prefix: str) -> Part:
    facts: dict[str, list[Row]] = {one.name: [] for one in OF_CARS}
    sides: tuple[list[Row], list[Row]] = ([], [])
    for t in range(n):
        train, east = f"{prefix}{t}", False
        for c in range(rng.integers(2, 5)):
            car = f"{train}_{c}"
            short, closed, double, jagged = (rng.random(4) < (0.5, 0.4, 0.2, 0.2)).tolist()
            east |= short and closed
            facts["has_car"].append((train, car))
            said = {
                "short": short,
                "long": not short,
                "closed": closed,
                "open_car": not closed,
                "double": double,
                "jagged": jagged,
            }
            for name in (name for name, holds in said.items() if holds):
                facts[name].append((car,))
            facts["shape"].append((car, str(rng.choice(["rectangle", "u_shaped", "hexagon", "ellipse"]))))
            load = str(rng.choice(["circle", "triangle", "rectangle", "hexagon"]))
            facts["load"].append((car, load, int(rng.integers(1, 4))))
            facts["wheels"].append((car, int(rng.integers(2, 4))))
        sides[east].append((train,))
    return Part({name: tuple(rows) for name, rows in facts.items()}, tuple(sides[1]), tuple(sides[0]))


# --- recursion

THINGS = "abcdefgh"


def element(n: int = 300) -> Problem:
    """Whether something is in a list, which is a term; short lists come first, as Aleph's own example has them."""
    rng = np.random.default_rng([n, 2])
    train, test = _drawn_lists(n, 5, rng), _drawn_lists(n, 9, rng)
    head = mode("element(+thing,+list)")
    return Problem(
        "element",
        "element(X, L) :- head(L, X).\nelement(X, L) :- tail(L, M), element(X, M).",
        head,
        (*modes("head(+list,-thing)", "tail(+list,-list)"), head),
        train,
        test,
        clauses="head([X|_], X).\ntail([_|L], L).\n",
        aleph={"i": 2, "clauselength": 3},
        popper=("max_vars(3).", "max_body(2)."),
    )


def _drawn_lists(n: int, longest: int, rng: np.random.Generator) -> Part:
    sides: tuple[set[Row], set[Row]] = (set(), set())
    for _ in range(n):
        things = rng.choice(list(THINGS), rng.integers(1, longest + 1)).tolist()
        one = str(rng.choice(things)) if rng.random() < 0.5 else str(rng.choice(list(THINGS)))
        sides[one in things].add((one, f"[{','.join(things)}]"))
    false, true = (tuple(sorted(side, key=lambda row: (len(str(row[1])), row))) for side in sides)
    return Part({}, true, false)


def reach(n: int = 30, density: float = 1.5) -> Problem:
    """Which node is reached from which, in a random graph without cycles; another graph is the test."""
    rng = np.random.default_rng([n, 3])
    train, test = (_drawn_graph(n, density, rng, prefix) for prefix in ("n", "m"))
    head = mode("reach(+node,+node)")
    return Problem(
        "reach",
        "reach(X, Y) :- edge(X, Y).\nreach(X, Y) :- edge(X, Z), reach(Z, Y).",
        head,
        (*modes("edge(+node,-node)"), head),
        train,
        test,
        aleph={"i": 2, "clauselength": 3},
        popper=("max_vars(3).", "max_body(2)."),
    )


def _drawn_graph(n: int, density: float, rng: np.random.Generator, prefix: str) -> Part:
    nodes = [f"{prefix}{i}" for i in rng.permutation(n)]
    ahead = [(nodes[i], nodes[j]) for i in range(n) for j in range(i + 1, n)]
    edges = tuple(ahead[i] for i in sorted(rng.choice(len(ahead), round(density * n), replace=False)))
    true = closure(edges)
    false = tuple(pair for pair in product(nodes, nodes) if pair not in true)
    return Part({"edge": edges}, tuple(sorted(true)), false)


# --- the chess endgame

ILLEGAL = """illegal(A, B, A, B, E, F).
illegal(A, B, C, D, C, D).
illegal(A, B, C, D, E, F) :- adjacent(A, E), adjacent(B, F).
illegal(A, B, C, D, C, F) :- less_than(A, C).
illegal(A, B, C, D, C, F) :- less_than(C, A).
illegal(A, B, A, D, A, F) :- less_than(B, D), less_than(B, F).
illegal(A, B, A, D, A, F) :- less_than(D, B), less_than(F, B).
illegal(A, B, C, D, E, D) :- less_than(B, D).
illegal(A, B, C, D, E, D) :- less_than(D, B).
illegal(A, B, C, B, E, B) :- less_than(A, C), less_than(A, E).
illegal(A, B, C, B, E, B) :- less_than(C, A), less_than(E, A)."""


def endgame(n: int) -> Problem:
    """Which positions of white king and rook against black king, White to move, are illegal; 5,000 to test.

    A position is illegal if two pieces are on one square, if the kings are on neighbouring squares, or if the rook
    gives check: it is on the file or the rank of the black king and the white king is not between the two. Files
    and ranks are 0 to 7; `adjacent` holds of numbers that differ by one or not at all.
    """
    rng = np.random.default_rng([n, 4])
    pairs = tuple(product(SQUARES, SQUARES))
    return Problem(
        f"endgame-{n}",
        ILLEGAL,
        mode("illegal(+file,+rank,+file,+rank,+file,+rank)"),
        modes(
            *(f"{name}(+{kind},+{kind})" for name in ("adjacent", "less_than") for kind in ("file", "rank"))
        ),
        _drawn_positions(n, rng),
        _drawn_positions(5_000, rng),
        facts={
            "adjacent": tuple((a, b) for a, b in pairs if abs(a - b) <= 1),
            "less_than": tuple((a, b) for a, b in pairs if a < b),
            "same": tuple((a, a) for a in SQUARES),
        },
        same=modes("same(+file,+file)", "same(+rank,+rank)"),
        aleph={"i": 1, "clauselength": 4},
        popper=("max_vars(6).", "max_body(3)."),
    )


def illegal(king: Row, rook: Row, black: Row) -> bool:
    """Whether a position cannot be, each piece on a file and a rank.

    Examples
    --------
    >>> illegal((0, 0), (4, 2), (4, 6)), illegal((4, 4), (4, 2), (4, 6))
    (True, False)
    """
    if len({king, rook, black}) < 3 or all(
        abs(int(a) - int(b)) <= 1 for a, b in zip(king, black, strict=True)
    ):
        return True
    for line, along in ((0, 1), (1, 0)):
        if rook[line] == black[line]:
            low, high = sorted((int(rook[along]), int(black[along])))
            return not (king[line] == rook[line] and low < int(king[along]) < high)
    return False


def _drawn_positions(n: int, rng: np.random.Generator) -> Part:
    sides: tuple[list[Row], list[Row]] = ([], [])
    for row in map(tuple, rng.integers(0, len(SQUARES), (n, 6)).tolist()):
        sides[illegal(row[:2], row[2:4], row[4:])].append(row)
    return Part({}, tuple(sides[1]), tuple(sides[0]))


# --- customers

CATEGORIES = ("books", "food", "jewellery", "music", "travel")
CHANNELS = ("online", "shop")
DEAREST = 1_000
DEAR = 873
"""At least this much was paid; it is none of the deciles that Popper gets as thresholds."""
BOUGHT = modes("bought(+customer,-purchase)", "category(+purchase,#category)", "channel(+purchase,#channel)")
SUSPECT = {
    "category": "suspect(C) :- bought(C, P), category(P, jewellery), channel(P, online).",
    "amount": f"suspect(C) :- bought(C, P), amount(P, A), A >= {DEAR}.",
}


def customers(kind: str, n: int = LARGE) -> Problem:
    """Customers with one to four purchases, ten facts each on average, and a rule of three literals.

    The rule is about category and channel of a purchase, or about its amount; 2,000 others are the test.
    """
    rng = np.random.default_rng([n, 5])
    numeric = kind == "amount"
    return Problem(
        f"customers-{kind}",
        SUSPECT[kind],
        mode("suspect(+customer)"),
        (*BOUGHT, *modes("amount(+purchase,-amount)")),
        _drawn_customers(n, kind, rng, "c"),
        _drawn_customers(2_000, kind, rng, "d"),
        numeric=("amount",) if numeric else (),
        aleph={"i": 2 + numeric, "clauselength": 4},
        popper=("max_vars(3).", "max_body(3)."),
    )


def _drawn_customers(n: int, kind: str, rng: np.random.Generator, prefix: str) -> Part:
    facts: dict[str, list[Row]] = {name: [] for name in ("bought", "category", "channel", "amount")}
    sides: tuple[list[Row], list[Row]] = ([], [])
    for i in range(n):
        customer, suspect = f"{prefix}{i}", False
        for j in range(rng.integers(1, 5)):
            purchase, category, channel = (
                f"{customer}_{j}",
                str(rng.choice(CATEGORIES)),
                str(rng.choice(CHANNELS)),
            )
            amount = int(rng.integers(1, DEAREST))
            told: Mapping[str, Row] = {
                "bought": (customer, purchase),
                "category": (purchase, category),
                "channel": (purchase, channel),
                "amount": (purchase, amount),
            }
            for name, row in told.items():
                facts[name].append(row)
            dear, jewels = amount >= DEAR, (category, channel) == ("jewellery", "online")
            suspect |= dear if kind == "amount" else jewels
        sides[suspect].append((customer,))
    return Part({name: tuple(rows) for name, rows in facts.items()}, tuple(sides[1]), tuple(sides[0]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the problems asked for, and say what was written."""
    options = argparse.ArgumentParser("python -m benchmarks.relational_problems", description=__doc__)
    options.add_argument("--write", type=Path, required=True, metavar="DIR", help="where to write")
    options.add_argument(
        "--data", type=Path, metavar="DIR", help="real data: relational/trains.b, …, family.pl"
    )
    options.add_argument("--only", nargs="+", metavar="PROBLEM", help="these and no others")
    given = options.parse_args(arguments)
    found = problems(given.data)
    unknown = set(given.only or ()) - set(found)
    if unknown:
        options.error(f"no problem is called {sorted(unknown)[0]}; there are {', '.join(found)}")
    for name in given.only or found:
        problem = found[name]()
        write(problem, given.write)
        n_facts = sum(map(len, problem.background(problem.train).values()))
        train, test = problem.train, problem.test
        print(
            f"{name}: {n_facts:,} facts, {len(train.positives):,} + {len(train.negatives):,} examples, "
            f"{len(test.positives):,} + {len(test.negatives):,} to test"
        )


if __name__ == "__main__":
    main()
