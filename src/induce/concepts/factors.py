"""Factorisation of a version space into independent smaller ones."""

from __future__ import annotations

from induce.concepts.conjunctions import Conjunctions
from induce.concepts.facets import NONE
from induce.concepts.hypothesis_counter import reduced
from induce.concepts.version_space import VersionSpace
from induce.core.errors import InputError


def factors(space: VersionSpace) -> tuple[tuple[str, ...], ...]:
    """Return groups of attributes that can be learned independently."""
    language = space.language
    if not isinstance(language, Conjunctions):
        raise InputError(
            "only version spaces of conjunctions can be divided into factors; use language='conjunctions'"
        )
    if space.bounds.empty:
        return ()
    (low, *more) = space.specific
    if more or low[0] == NONE:
        raise InputError("a version space has factors after the first positive example; give one")
    facets = language.attributes.facets
    open_ = [place for place, facet in enumerate(facets) if low[place] != facet.whole]
    group = {place: {place} for place in open_}
    settled = set()
    for join in reduced(language, [low], space.bounds.excluded):
        # changing any of these attributes excludes a negative, so their choices depend on each other
        places = [place for place in open_ if join[place] != low[place]]
        if len(places) == 1 and join[places[0]] in facets[places[0]].steps_up(low[places[0]]):
            step = facets[places[0]].steps_up(low[places[0]])
            settled |= {places[0]} if len(step) == 1 else set()
        together = set().union(*(group[place] for place in places))
        for place in together:
            group[place] = together
    found = {tuple(sorted(members)) for members in group.values() if not members <= settled}
    return tuple(tuple(facets[place].name for place in members) for members in sorted(found))
