"""Domain theories of the book, with its examples (Mitchell, chapter 11)."""

from __future__ import annotations

from induce.logic.background.relations import Relations
from induce.logic.domain_theory import DomainTheory

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
"""When one object can be put on another (Table 11.1)."""

TWO_OBJECTS = Relations(
    program="""
    on(obj1, obj2). type(obj1, box). type(obj2, endtable). color(obj1, red). color(obj2, blue). volume(obj1, 2).
    owner(obj1, fred). owner(obj2, louise). density(obj1, 0.3). material(obj1, cardboard). material(obj2, wood).
    """
)
"""The positive example ``safeToStack(obj1, obj2)`` of Table 11.1."""

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
"""Who lives together (exercise 11.1)."""

JOE_AND_SUE = Relations(
    program="""
    person(joe). person(sue). sex(joe, male). sex(sue, female). hairColor(joe, black). hairColor(sue, brown).
    height(joe, short). height(sue, short). nationality(joe, us). nationality(sue, us).
    mother(joe, mary). mother(sue, mary). age(joe, 8). age(sue, 6).
    """
)
"""The positive example ``houseMates(joe, sue)`` of exercise 11.1."""
