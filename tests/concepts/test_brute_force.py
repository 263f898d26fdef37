"""Boundaries, counts and votes against definitions, on small spaces that can be listed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.concepts import Conjunctions, Disjunctions, Listed, PowerSet, near_miss_space
from induce.concepts.boundaries import at_once, learn_example, start
from induce.concepts.clashes import clash
from induce.concepts.counting import HypothesisCounter
from induce.concepts.factors import factors
from induce.concepts.language import Bounds
from induce.concepts.queries import best_query
from induce.concepts.version_space import VersionSpace
from induce.data.schema import Column, Schema

FLAT = Conjunctions.over(
    Schema(
        tuple(
            Column(name, "nominal", tuple(values))
            for name, values in zip("abc", ("xyz", "uv", "pqr"), strict=True)
        )
    )
)
MIXED = Conjunctions.over(
    Schema(
        (
            Column("shape", "nominal", ("square", "circle", "ellipse", "triangle")),
            Column("size", "nominal", ("s", "m", "l", "xl"), ordered=True),
            Column("weight"),
        )
    ),
    {"weight": [1, 2, 5]},
    {"shape": {"round": ("circle", "ellipse"), "any but square": ("round", "triangle")}},
)
LANGUAGES = {"flat": FLAT, "mixed": MIXED}


def examples(language, most=6):
    cell = st.tuples(*(st.integers(0, len(facet) - 1) for facet in language.attributes.facets))
    return st.lists(st.tuples(cell, st.booleans()), min_size=0, max_size=most)


def split(language, found):
    width = len(language.attributes.facets)
    cells = np.array([row for row, _ in found], dtype=np.int64).reshape(-1, width)
    return cells, np.array([label for _, label in found], dtype=bool)


def by_definition(language, cells, labels):
    everything = [code for code in language.hypotheses() if language.consistent(code, cells, labels)]
    minimal = {c for c in everything if not any(language.more_general(c, o) and o != c for o in everything)}
    maximal = {c for c in everything if not any(language.more_general(o, c) and o != c for o in everything)}
    return everything, minimal, maximal


@pytest.mark.parametrize("name", LANGUAGES)
@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_boundaries_and_members(name, data):
    language = LANGUAGES[name]
    cells, labels = split(language, data.draw(examples(language)))
    everything, minimal, maximal = by_definition(language, cells, labels)
    bounds = start(language)
    for row, label in zip(cells.tolist(), labels.tolist(), strict=True):
        bounds = learn_example(language, bounds, row, label, 10**6)
    for found in (bounds, at_once(language, cells, labels, 10**6)):
        assert set(found.specific) == minimal
        assert set(found.general) == maximal
        assert set(language.members(found)) == set(everything)
        assert {code for code in language.hypotheses() if language.within(code, found)} == set(everything)


@pytest.mark.parametrize("name", LANGUAGES)
@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_counts_and_votes_with_and_without_g(name, data):
    language = LANGUAGES[name]
    cells, labels = split(language, data.draw(examples(language)))
    everything, *_ = by_definition(language, cells, labels)
    bounds = at_once(language, cells, labels, 10**6)
    without = bounds if bounds.empty else Bounds(bounds.specific, None, bounds.negatives)
    instances = np.array(list(language.attributes.instances()))[::3]
    expected = np.sum([language.covers(code, instances) for code in everything], axis=0, dtype=int)
    expected = np.broadcast_to(expected, len(instances))
    for found in (bounds, without):
        assert language.count(found) == len(everything)
        assert len(list(language.members(found))) == len(everything)
        counted = HypothesisCounter(language, found)
        assert [counted.count(row) for row in instances] == expected.tolist()


@pytest.mark.parametrize("name", LANGUAGES)
@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_a_version_space_without_g_says_the_same(name, data):
    language = LANGUAGES[name]
    cells, labels = split(language, data.draw(examples(language)))
    bounds = at_once(language, cells, labels, 10**6)
    if bounds.empty:
        return
    kept = VersionSpace(language, "c", (False, True), True, bounds.specific, bounds.general, bounds.negatives)
    lost = VersionSpace(language, "c", (False, True), True, bounds.specific, None, bounds.negatives)
    instances = np.array(list(language.attributes.instances()))
    assert kept.verdicts(instances).tolist() == lost.verdicts(instances).tolist()
    assert kept.status == lost.status
    assert set(lost.most_general) == set(kept.most_general)
    assert (kept.status == "converged") == (kept.count() == 1)


@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_the_query_is_the_best_there_is(data):
    cells, labels = split(FLAT, data.draw(examples(FLAT, 4)))
    bounds = at_once(FLAT, cells, labels, 10**6)
    if bounds.empty or FLAT.count(bounds) == 1:
        return
    space = VersionSpace(FLAT, "c", (False, True), True, bounds.specific, bounds.general, bounds.negatives)
    instances = np.array(list(FLAT.attributes.instances()))
    votes = space.vote_cells(instances)
    query = best_query(space)
    assert abs(2 * query.yes - votes.total) == min(abs(2 * yes - votes.total) for yes in votes.positive)
    assert query.best
    assert FLAT.count(bounds, query.cells) == query.yes


@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_factors_multiply(data):
    cells, labels = split(FLAT, data.draw(examples(FLAT, 5)))
    bounds = at_once(FLAT, cells, labels, 10**6)
    if bounds.empty or not labels.any():
        return
    space = VersionSpace(FLAT, "c", (False, True), True, bounds.specific, bounds.general, bounds.negatives)
    names = FLAT.attributes.names
    product = 1
    for group in factors(space):
        places = [names.index(name) for name in group]
        product *= len({tuple(concept.code[place] for place in places) for concept in space.members()})
    assert product == space.count()


@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_a_clash_is_a_clash_and_every_part_is_needed(data):
    cells, labels = split(MIXED, data.draw(examples(MIXED, 9)))
    places = list(clash(MIXED, cells, labels))
    assert bool(places) == at_once(MIXED, cells, labels, 10**6).empty
    if places:
        assert at_once(MIXED, cells[places], labels[places], 10**6).empty
        for left_out in places:
            rest = [place for place in places if place != left_out]
            assert not at_once(MIXED, cells[rest], labels[rest], 10**6).empty


@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_one_general_hypothesis_bounds_all(data):
    cells, labels = split(FLAT, data.draw(examples(FLAT)))
    everything, *_ = by_definition(FLAT, cells, labels)
    found = near_miss_space(FLAT, cells, labels)
    assert all(FLAT.more_general(found.general, code) for code in everything) or found.empty
    if found.empty:
        assert not everything
    if found.converged and not found.pending:
        assert everything == [found.specific]


SMALL = Conjunctions.over(
    Schema((Column("a", "nominal", ("x", "y", "z")), Column("b", "nominal", ("u", "v"))))
)


@pytest.mark.parametrize(
    "language", [Listed(Disjunctions(SMALL, 2)), PowerSet(SMALL.attributes)], ids=["pairs", "sets"]
)
@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_other_languages(language, data):
    cells, labels = split(language, data.draw(examples(language)))
    everything = [code for code in language.hypotheses() if language.consistent(code, cells, labels)]
    instances = np.array(list(language.attributes.instances()))
    bounds = start(language)
    for row, label in zip(cells.tolist(), labels.tolist(), strict=True):
        bounds = learn_example(language, bounds, row, label, 10**6)
    assert bounds.empty == (not everything)
    if everything:
        assert language.count(bounds) == len(everything)
        covered = np.array([language.covers(code, instances) for code in everything]).sum(axis=0)
        assert [language.count(bounds, row) for row in instances.tolist()] == covered.tolist()


@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_disjunctions_as_written_keep_every_consistent_one(data):
    language = Disjunctions(SMALL, 2)
    cells, labels = split(language, data.draw(examples(language, 5)))
    bounds = start(language)
    for row, label in zip(cells.tolist(), labels.tolist(), strict=True):
        bounds = learn_example(language, bounds, row, label, 10**6)
    for code in language.hypotheses():
        assert language.within(code, bounds) == language.consistent(code, cells, labels)
