"""Domain theories of the book, with its examples (Mitchell, Chapter 11)."""

from __future__ import annotations

from itertools import pairwise, product

from induce.logic.background.relations import Relations
from induce.logic.domain_theory import DomainTheory
from induce.logic.parsing import parse_literal
from induce.planning.domains import PlanningProblem
from induce.planning.problems import random_problem

SAFE_TO_STACK = DomainTheory.from_book(
    """
    SafeToStack(x,y) <- not Fragile(y)
    SafeToStack(x,y) <- Lighter(x,y)
    Lighter(x,y) <- Weight(x,wx), Weight(y,wy), LessThan(wx,wy)
    Weight(x,w) <- Volume(x,v), Density(x,d), Equal(w, times(v,d))
    Weight(x,5) <- Type(x,Endtable)
    Fragile(x) <- Material(x,Glass)
    """,
    "safeToStack/2",
)
"""Theory of safely stacking objects (Table 11.1)."""

TWO_OBJECTS = Relations(
    program="""
    on(obj1, obj2). type(obj1, box). type(obj2, endtable). color(obj1, red). color(obj2, blue). volume(obj1, 2).
    owner(obj1, fred). owner(obj2, louise). density(obj1, 0.3). material(obj1, cardboard). material(obj2, wood).
    """
)
"""Positive example ``safeToStack(obj1, obj2)`` of Table 11.1."""

HOUSEMATES = DomainTheory.from_book(
    """
    HouseMates(x,y) <- InSameFamily(x,y)
    HouseMates(x,y) <- FraternityBrothers(x,y)
    InSameFamily(x,y) <- Married(x,y)
    InSameFamily(x,y) <- Youngster(x), Youngster(y), SameMother(x,y)
    SameMother(x,y) <- Mother(x,z), Mother(y,z)
    Youngster(x) <- Age(x,a), LessThan(a,10)
    """,
    "houseMates/2",
)
"""Theory of housemates (exercise 11.1)."""

JOE_AND_SUE = Relations(
    program="""
    person(joe). person(sue). sex(joe, male). sex(sue, female). hairColor(joe, black). hairColor(sue, brown).
    height(joe, short). height(sue, short). nationality(joe, us). nationality(sue, us).
    mother(joe, mary). mother(sue, mary). age(joe, 8). age(sue, 6).
    """
)
"""Positive example ``houseMates(joe, sue)`` of exercise 11.1."""

FORK = DomainTheory.from_book(
    """
    LosesQueen(p) <- MustAnswer(p,s), Threatens(p,s,q), BlackQueen(p,q)
    MustAnswer(p,s) <- BlackToMove(p), BlackKing(p,k), Threatens(p,s,k)
    Threatens(p,s,t) <- WhiteKnight(p,s), KnightMove(s,t)
    """,
    "losesQueen/1",
)
"""Theory of losing the queen within two moves (Figure 11.1): a threat to the king must be answered, and then
the queen is taken. It covers positions in which Black has only a king and a queen, neither of which can
capture the threatening knight.
"""


def _knight_moves() -> str:
    squares = list(product("abcdefgh", range(1, 9)))
    return " ".join(
        f"knightMove({a}{m}, {b}{n})."
        for (a, m), (b, n) in product(squares, repeat=2)
        if {abs(ord(a) - ord(b)), abs(m - n)} == {1, 2}
    )


POSITIONS = Relations(
    program=f"""
    blackToMove(forked). whiteKnight(forked, c7). blackKing(forked, e8). blackQueen(forked, a8).
    whiteKing(forked, g1). whitePawn(forked, a2). whitePawn(forked, b2). whitePawn(forked, g2). whitePawn(forked, h2).
    blackToMove(quiet). whiteKnight(quiet, b5). blackKing(quiet, e8). blackQueen(quiet, a8).
    whiteKing(quiet, g1). whitePawn(quiet, a2). whitePawn(quiet, b2). whitePawn(quiet, g2). whitePawn(quiet, h2).
    {_knight_moves()}
    """
)
"""Two positions with four white pawns on their initial squares; in the first a knight forks king and queen."""


def stack_of_letters(word: str) -> PlanningProblem:
    """Return the problem of building a stack that spells a word from the top, from blocks on the table.

    Examples
    --------
    >>> print(*stack_of_letters("law").goal)
    on(l0, a1) on(a1, w2)
    """
    names = [f"{letter}{place}" for place, letter in enumerate(word)]
    start = [f"{kind}({name})" for name in names for kind in ("clear", "ontable")]
    return PlanningProblem(
        random_problem("blocks", 2).domain,
        dict.fromkeys(names, "object"),
        frozenset(map(parse_literal, [*start, "handempty"])),
        tuple(parse_literal(f"on({a}, {b})") for a, b in pairwise(names)),
    )
