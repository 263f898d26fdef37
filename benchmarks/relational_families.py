"""Families, and relations in them to be learned; some labels wrong where asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.peers.problems import Facts, Part, Problem, Row, Rows, Value, mode, modes

GENERATIONS = 4
ALONE = 0.2
"""How many of those who have siblings or cousins have no family of their own."""
BLOOD = modes(
    "parent(+person,-person)",
    "parent(-person,+person)",
    "sibling(+person,-person)",
    "married(+person,-person)",
    "male(+person)",
    "female(+person)",
)
BY_BLOOD_OR_MARRIAGE = """{0}(X, Y) :- {1}(X), sibling(X, Z), parent(Z, Y).
{0}(X, Y) :- {1}(X), married(X, W), sibling(W, Z), parent(Z, Y)."""
RULES = {
    "daughter": "daughter(X, Y) :- parent(Y, X), female(X).",
    "grandparent": "grandparent(X, Y) :- parent(X, Z), parent(Z, Y).",
    "uncle": BY_BLOOD_OR_MARRIAGE.format("uncle", "male"),
    "aunt": BY_BLOOD_OR_MARRIAGE.format("aunt", "female"),
    "ancestor": "ancestor(X, Y) :- parent(X, Y).\nancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).",
}


def family(relation: str, n: int = 10, noise: float = 0.0) -> Problem:
    """A relation in `n` families, tested on as many others.

    With `noise`, that share of the training labels is wrong.
    """
    rng = np.random.default_rng([n, *map(ord, relation)])
    train, test = (_sampled(drawn(n, rng, prefix), relation, rng) for prefix in ("f", "g"))
    if not noise:
        return _problem(relation, relation, train, test)
    most = round(noise * len(train.negatives))
    return _problem(f"{relation}-noise", relation, mislabelled(train, noise, rng), test, most)


def english(folder: Path, relation: str) -> Problem:
    """A relation among the twelve people of `relational/family.pl`: every pair is an example, also of the test."""
    facts = read_facts(folder / "relational" / "family.pl", {("husband", 2), ("parent", 2)})
    husbands = facts["husband"]
    told = with_siblings(
        {
            "parent": facts["parent"],
            "married": (*husbands, *((wife, husband) for husband, wife in husbands)),
            "male": tuple((husband,) for husband, _ in husbands),
            "female": tuple((wife,) for _, wife in husbands),
        }
    )
    true = related(told, relation)
    people = sorted({one for row in (*facts["parent"], *husbands) for one in row}, key=str)
    false = tuple(pair for pair in product(people, people) if pair not in true)
    part = Part(told, tuple(sorted(true)), false)
    return _problem(f"english-{relation}", relation, part, part)


def _problem(name: str, relation: str, train: Part, test: Part, noise: int = 0) -> Problem:
    recursive = relation == "ancestor"
    allowed = {"noise": noise, "minacc": 0.8, "minpos": 5} if noise else {}
    longest = max(clause.count("(") for clause in RULES[relation].splitlines())
    head = mode(f"{relation}(+person,+person)")
    return Problem(
        name,
        RULES[relation],
        head,
        (*modes("parent(+person,-person)"), head) if recursive else BLOOD,
        train,
        test,
        aleph={"i": 2, "clauselength": longest, **allowed},
        popper=(f"max_vars({min(longest, 4)}).", f"max_body({longest - 1})."),
        noisy=noise > 0,
    )


def drawn(n: int, rng: np.random.Generator, prefix: str) -> dict[str, Rows]:
    """Families founded by a couple: most descendants marry someone from outside and have one to three children."""
    facts: dict[str, list[Row]] = {name: [] for name in ("parent", "married", "male", "female")}
    for i in range(n):
        _add_family(facts, rng, f"{prefix}{i}")
    return with_siblings({name: tuple(rows) for name, rows in facts.items()})


def _add_family(facts: dict[str, list[Row]], rng: np.random.Generator, prefix: str) -> None:
    size = 0

    def person(sex: str) -> str:
        nonlocal size
        size += 1
        facts[sex].append((f"{prefix}_{size}",))
        return f"{prefix}_{size}"

    living = [(person("male"), "male")]
    for _ in range(GENERATIONS - 1):
        children = []
        for one, sex in living:
            if len(living) > 1 and rng.random() < ALONE:
                continue
            other = person("female" if sex == "male" else "male")
            facts["married"] += [(one, other), (other, one)]
            for _ in range(rng.integers(1, 4)):
                born = str(rng.choice(["male", "female"]))
                child = person(born)
                facts["parent"] += [(one, child), (other, child)]
                children.append((child, born))
        living = children


def with_siblings(facts: Facts) -> dict[str, Rows]:
    """The facts, and who has a parent in common."""
    broods = _image(facts["parent"]).values()
    pairs = {(a, b) for brood in broods for a, b in product(brood, brood) if a != b}
    return {**facts, "sibling": tuple(sorted(pairs))}


def related(facts: Facts, relation: str) -> set[Row]:
    """Every pair in a relation of `RULES`."""
    parent, female = facts["parent"], set(facts["female"])
    children, siblings, spouses = (_image(facts[name]) for name in ("parent", "sibling", "married"))
    if relation == "daughter":
        return {(child, one) for one, child in parent if (child,) in female}
    if relation == "grandparent":
        return {(one, grandchild) for one, child in parent for grandchild in children.get(child, ())}
    if relation == "ancestor":
        return closure(parent)
    return {
        (one, child)
        for (one,) in facts["male" if relation == "uncle" else "female"]
        for near in (one, *spouses.get(one, ()))
        for sibling in siblings.get(near, ())
        for child in children.get(sibling, ())
    }


def closure(pairs: Iterable[Row]) -> set[Row]:
    """The pairs joined by one step or more.

    Examples
    --------
    >>> sorted(closure([(1, 2), (2, 3)]))
    [(1, 2), (1, 3), (2, 3)]
    """
    onward = _image(pairs)
    found: set[Row] = set()
    for start in onward:
        ahead = [start]
        while ahead:
            reached = {(start, there) for there in onward.get(ahead.pop(), ())} - found
            ahead += [there for _, there in reached]
            found |= reached
    return found


def _image(pairs: Iterable[Row]) -> dict[Value, list[Value]]:
    found: dict[Value, list[Value]] = {}
    for a, b in pairs:
        found.setdefault(a, []).append(b)
    return found


def _sampled(facts: Facts, relation: str, rng: np.random.Generator) -> Part:
    """All pairs of a relation, as many that are related otherwise, and as many others of one family."""
    true = related(facts, relation)
    one_way = {pair for other in RULES for pair in related(facts, other)} | set(facts["sibling"])
    near = one_way | {(b, a) for a, b in one_way}
    people = [one for sex in ("male", "female") for (one,) in facts[sex]]
    kin = _image((str(one).partition("_")[0], one) for one in people).values()
    far = {pair for people in kin for pair in product(people, people)} - near
    false = [pair for pairs in (near - true, far - true) for pair in _some(sorted(pairs), len(true), rng)]
    return Part(facts, tuple(sorted(true)), tuple(false))


def _some(rows: Sequence[Row], most: int, rng: np.random.Generator) -> list[Row]:
    return [rows[i] for i in sorted(rng.permutation(len(rows))[:most].tolist())]


def mislabelled(part: Part, share: float, rng: np.random.Generator) -> Part:
    """Give this share of the examples the other label."""
    rows = (*part.positives, *part.negatives)
    wrong = set(rng.permutation(len(rows))[: round(share * len(rows))].tolist())
    sides: tuple[list[Row], list[Row]] = ([], [])
    for i, row in enumerate(rows):
        sides[(i < len(part.positives)) != (i in wrong)].append(row)
    return Part(part.facts, tuple(sides[1]), tuple(sides[0]))


def read_facts(path: Path, wanted: set[tuple[str, int]]) -> dict[str, Rows]:
    """The facts without variables in a Prolog file; directives and comments are passed over."""
    lines = [line.partition("%")[0] for line in path.read_text(encoding="utf-8").splitlines()]
    text = "\n".join(line for line in lines if not line.startswith(":-"))
    found: dict[str, list[Row]] = {name: [] for name, _ in wanted}
    for name, arguments in re.findall(r"([a-z]\w*)\(([^()]*)\)\s*\.", text):
        row = tuple(int(a) if a.isdigit() else a for a in re.split(r"\s*,\s*", arguments.strip()))
        if (name, len(row)) in wanted:
            found[name].append(row)
    return {name: tuple(rows) for name, rows in found.items()}
