"""King-rook-king positions: which are illegal, a theory of them, and that theory damaged at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.logic import parse_clause
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal
from induce.logic.parsing import parse_program
from induce.logic.terms import Variable

Board = NDArray[np.int64]
Mask = NDArray[np.bool_]

TARGET = "illegal"
HEAD = "illegal(A, B, C, D, E, F)"
"""Files and ranks of the white king, the white rook and the black king; White is to move."""

THEORY = """
illegal(A, B, C, D, E, F) :- same_square(A, B, C, D).
illegal(A, B, C, D, E, F) :- same_square(A, B, E, F).
illegal(A, B, C, D, E, F) :- same_square(C, D, E, F).
illegal(A, B, C, D, E, F) :- kings_touch(A, B, E, F).
illegal(A, B, C, D, E, F) :- check(A, B, C, D, E, F).
same_square(X, Y, U, V) :- X = U, Y = V.
kings_touch(X, Y, U, V) :- near(X, U), near(Y, V).
check(A, B, C, D, E, F) :- C = E, clear(A, B, C, D, F).
check(A, B, C, D, E, F) :- D = F, clear(B, A, D, C, E).
clear(X, Y, U, V, W) :- X \\= U.
clear(X, Y, U, V, W) :- less(Y, V), less(Y, W).
clear(X, Y, U, V, W) :- less(V, Y), less(W, Y).
"""
NEXT = """
near(X, Y) :- X = Y.
near(X, Y) :- next(X, Y).
"""
"""What the theory needs where the background knows only which files or ranks differ by exactly one."""


def background(relation: str = "near") -> Relations:
    """Return what is known of files and ranks: which differ by at most one (or by one, ``"next"``), and order."""
    least = 0 if relation == "near" else 1
    facts = [f"{relation}({i}, {j})." for i in range(8) for j in range(8) if least <= abs(i - j) <= 1]
    facts += [f"less({i}, {j})." for i in range(8) for j in range(i + 1, 8)]
    return Relations(program=" ".join(facts))


def illegal(board: Board) -> Mask:
    """Say which positions are illegal: two pieces on a square, kings that touch, or Black in check."""
    a, b, c, d, e, f = board.T
    same = ((a == c) & (b == d)) | ((a == e) & (b == f)) | ((c == e) & (d == f))
    touch = (abs(a - e) <= 1) & (abs(b - f) <= 1)
    low, high = np.minimum(d, f), np.maximum(d, f)
    left, right = np.minimum(c, e), np.maximum(c, e)
    on_file = (c == e) & ~((a == c) & (low < b) & (b < high))
    on_rank = (d == f) & ~((b == d) & (left < a) & (a < right))
    # the king on the square of another piece does not stand between
    return np.asarray(same | touch | on_file | on_rank)


def positions(n: int, rng: np.random.Generator) -> tuple[Board, Mask]:
    """Draw positions, one half of them illegal."""
    drawn = rng.integers(0, 8, (40 * n + 400, 6))
    wrong = illegal(drawn)
    half = n // 2
    rows = np.concatenate([np.flatnonzero(wrong)[: n - half], np.flatnonzero(~wrong)[:half]])
    return drawn[rows], wrong[rows]


@dataclass(frozen=True)
class Rules:
    """A theory without variables of its own in bodies, so that it can be looked up in arrays."""

    clauses: tuple[Clause, ...]
    relation: str = "near"

    @classmethod
    def of(cls, text: str, relation: str = "near") -> Rules:
        """Read a theory over a background with some relation."""
        return cls(tuple(parse_program(text)), relation)

    def holds(self, board: Board) -> Mask:
        """Say of which positions the theory holds that they are illegal."""
        head = parse_clause(f"{HEAD}.").head
        assert head is not None
        columns = dict(zip(head.variables(), board.T, strict=True))
        return self._truth(head, columns)

    def _truth(self, literal: Literal, columns: dict[Variable, NDArray[np.int64]]) -> Mask:
        left = [columns[one] for one in literal.arguments if isinstance(one, Variable)]
        tests = {
            "=": lambda: left[0] == left[1],
            "\\=": lambda: left[0] != left[1],
            "less": lambda: left[0] < left[1],
            "near": lambda: abs(left[0] - left[1]) <= 1,
            "next": lambda: abs(left[0] - left[1]) == 1,
        }
        if self.relation == "next":
            del tests["near"]
        if literal.name in tests:
            found = tests[literal.name]()
            return np.asarray(~found if literal.negated else found)
        found = np.zeros(len(next(iter(columns.values()))), np.bool_)
        for clause in self.clauses:
            assert clause.head is not None
            if clause.head.predicate == literal.predicate:
                inner = dict(zip(clause.head.variables(), left, strict=True))
                each = [self._truth(one, inner) for one in clause.body]
                found |= np.logical_and.reduce(each) if each else True
        return np.asarray(~found if literal.negated else found)

    def accuracy(self, board: Board, wrong: Mask) -> float:
        """Return the share of positions that the theory is right about."""
        return float((self.holds(board) == wrong).mean())

    def __str__(self) -> str:
        return "\n".join(map(str, self.clauses))


def damaged(
    rules: Rules, low: float, high: float, rng: np.random.Generator, board: Board, wrong: Mask
) -> Rules:
    """Damage a theory at random until its accuracy lies in a range; a step that goes below it is taken back."""
    if rules.accuracy(board, wrong) <= high:
        return rules
    for _ in range(5_000):
        worse = step(rules, rng)
        accuracy = worse.accuracy(board, wrong)
        if accuracy >= low:
            rules = worse
            if accuracy <= high:
                return rules
    raise RuntimeError(f"no damage gives an accuracy from {low} to {high}")


def step(rules: Rules, rng: np.random.Generator) -> Rules:
    """Drop, add or change a clause or a literal."""
    clauses = [*rules.clauses]
    place = int(rng.integers(len(clauses)))
    clause = clauses[place]
    assert clause.head is not None
    names = [*dict.fromkeys(clause.head.variables())]
    body = [*clause.body]
    kind = rng.choice(["drop clause", "add clause", "drop literal", "add literal", "change literal"])
    defined = sum(one.head is not None and one.head.predicate == clause.head.predicate for one in clauses)
    if kind == "drop clause":
        if defined > 1:
            del clauses[place]
    elif kind == "add clause":
        new = tuple(_literal(names, rules.relation, rng) for _ in range(int(rng.integers(1, 4))))
        clauses.append(Clause(clause.head, new))
    else:
        at = int(rng.integers(len(body)))
        if kind == "drop literal" and len(body) > 1:
            del body[at]
        elif kind == "add literal":
            body.insert(at, _literal(names, rules.relation, rng))
        elif kind == "change literal":
            body[at] = _literal(names, rules.relation, rng)
        clauses[place] = Clause(clause.head, tuple(body))
    return Rules(tuple(clauses), rules.relation)


def _literal(names: list[Variable], relation: str, rng: np.random.Generator) -> Literal:
    one, other = (names[i] for i in rng.choice(len(names), 2, replace=False))
    name = str(rng.choice(["=", "\\=", "less", relation]))
    return Literal(name, (one, other))
