"""Boundaries, counts and votes against definitions, on small spaces that can be listed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.concepts import (
    Concept,
    Conjunctions,
    Disjunctions,
    Listed,
    PowerSet,
    boundaries,
    example_space,
    near_miss_space,
    within_errors,
)
from induce.concepts.boundaries import at_once, further, learn_example, start
from induce.concepts.clashes import clash
from induce.concepts.factors import factors
from induce.concepts.hypothesis_counter import HypothesisCounter
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
            Column(
                "shape",
                "nominal",
                ("square", "circle", "ellipse", "triangle"),
                taxonomy=(("round", ("circle", "ellipse")), ("any but square", ("round", "triangle"))),
            ),
            Column("size", "nominal", ("s", "m", "l", "xl"), ordered=True),
            Column("weight"),
        )
    ),
    {"weight": [1, 2, 5]},
)
SMALL = Conjunctions.over(
    Schema((Column("a", "nominal", ("x", "y", "z")), Column("b", "nominal", ("u", "v"))))
)


class ByDefinition:
    """Every hypothesis of a small language with the instances it covers, and what is more general: covering more."""

    def __init__(self, language):
        self.language = language
        self.codes = list(language.hypotheses())
        self.instances = np.array(list(language.attributes.instances()))
        self.covers = np.array([language.covers(code, self.instances) for code in self.codes])
        covered = self.covers.astype(np.int32)
        self.above = covered @ (1 - covered).T == 0  # [i, j]: j covers all that i covers
        self.place = {tuple(row): j for j, row in enumerate(self.instances.tolist())}

    def errors(self, cells, labels):
        """On how many examples each hypothesis errs."""
        columns = [self.place[tuple(row)] for row in cells.tolist()]
        return (self.covers[:, columns] != labels).sum(axis=1)

    def picked(self, chosen):
        """Some hypotheses with the most specific and the most general of them."""
        places = np.flatnonzero(chosen)
        order = self.above[np.ix_(places, places)] & ~self.above[np.ix_(places, places)].T
        everything = [self.codes[place] for place in places]
        minimal = {code for code, below in zip(everything, order.any(axis=0), strict=True) if not below}
        maximal = {code for code, above in zip(everything, order.any(axis=1), strict=True) if not above}
        return everything, minimal, maximal


LANGUAGES = {
    "flat": FLAT,
    "mixed": MIXED,
    "pairs": Listed(Disjunctions(SMALL, 2)),
    "written pairs": Disjunctions(SMALL, 2),
    "sets": PowerSet(SMALL.attributes),
}
DEFINED = {name: ByDefinition(language) for name, language in LANGUAGES.items()}
CONJUNCTIVE = ("flat", "mixed")
ONE_FOR_EACH_MEANING = ("flat", "mixed", "pairs", "sets")


def examples(language, most=6):
    cell = st.tuples(*(st.integers(0, len(facet) - 1) for facet in language.attributes.facets))
    return st.lists(st.tuples(cell, st.booleans()), min_size=0, max_size=most)


def split(language, found):
    width = len(language.attributes.facets)
    cells = np.array([row for row, _ in found], dtype=np.int64).reshape(-1, width)
    return cells, np.array([label for _, label in found], dtype=bool)


def consistent(name, cells, labels):
    defined = DEFINED[name]
    return defined.picked(defined.errors(cells, labels) == 0)


def one_by_one(language, cells, labels, most=10**6):
    bounds = start(language)
    for row, label in zip(cells.tolist(), labels.tolist(), strict=True):
        bounds = learn_example(language, bounds, row, label, most)
    return bounds


def in_two_parts(language, cells, labels):
    half = len(cells) // 2
    first = at_once(language, cells[:half], labels[:half], 10**6)
    return further(language, first, cells[half:], labels[half:], 10**6)


@pytest.mark.parametrize("name", ONE_FOR_EACH_MEANING)
@given(data=st.data())
def test_boundaries_and_members(name, data):
    language = LANGUAGES[name]
    cells, labels = split(language, data.draw(examples(language)))
    everything, minimal, maximal = consistent(name, cells, labels)
    for learned in (one_by_one, in_two_parts):
        found = learned(language, cells, labels)
        assert found.empty == (not everything)
        assert language.count(found) == len(everything)
        if name != "sets":  # which can be written in two ways
            assert set(found.specific) == minimal
            assert set(found.general) == maximal
            assert set(language.members(found)) == set(everything)
    within = [language.within(code, found) for code in DEFINED[name].codes]
    assert within == (DEFINED[name].errors(cells, labels) == 0).tolist()


@pytest.mark.parametrize("name", CONJUNCTIVE)
@given(data=st.data())
def test_counts_and_votes_with_and_without_g(name, data):
    language, defined = LANGUAGES[name], DEFINED[name]
    cells, labels = split(language, data.draw(examples(language)))
    chosen = defined.errors(cells, labels) == 0
    bounds = at_once(language, cells, labels, 10**6)
    without = bounds if bounds.empty else Bounds(bounds.specific, None, bounds.negatives)
    rows = data.draw(st.lists(st.integers(0, len(defined.instances) - 1), min_size=1, max_size=12))
    expected = defined.covers[chosen][:, rows].sum(axis=0).tolist()
    for found in (bounds, without):
        assert language.count(found) == chosen.sum()
        assert len(list(language.members(found))) == chosen.sum()
        counted = HypothesisCounter(language, found)
        assert [counted.count(row) for row in defined.instances[rows]] == expected


@pytest.mark.parametrize("name", ["pairs", "written pairs", "sets"])
@given(data=st.data())
def test_votes_of_other_languages(name, data):
    language, defined = LANGUAGES[name], DEFINED[name]
    cells, labels = split(language, data.draw(examples(language)))
    chosen = defined.errors(cells, labels) == 0
    if not chosen.any():
        return
    bounds = one_by_one(language, cells, labels)
    meanings = np.unique(defined.covers[chosen], axis=0)
    assert [language.count(bounds, row) for row in defined.instances.tolist()] == meanings.sum(
        axis=0
    ).tolist()


@pytest.mark.parametrize("name", CONJUNCTIVE)
@given(data=st.data())
def test_a_version_space_without_g_says_the_same(name, data):
    language = LANGUAGES[name]
    cells, labels = split(language, data.draw(examples(language)))
    bounds = at_once(language, cells, labels, 10**6)
    if bounds.empty:
        return
    kept = VersionSpace(language, "c", (False, True), True, bounds.specific, bounds.general, bounds.negatives)
    lost = VersionSpace(language, "c", (False, True), True, bounds.specific, None, bounds.negatives)
    instances = DEFINED[name].instances
    unknown = np.where(np.random.default_rng(0).random(instances.shape) < 0.3, -1, instances)
    for rows in (instances, unknown):
        assert kept.verdicts(rows).tolist() == lost.verdicts(rows).tolist()
    assert kept.status == lost.status
    assert set(lost.most_general) == set(kept.most_general)
    assert (kept.status == "converged") == (kept.count() == 1)


@pytest.mark.parametrize("name", LANGUAGES)
@given(data=st.data(), k=st.integers(0, 3))
def test_up_to_k_errors(name, data, k):
    language, defined = LANGUAGES[name], DEFINED[name]
    cells, labels = split(language, data.draw(examples(language, 7)))
    errors = defined.errors(cells, labels)
    everything, minimal, maximal = defined.picked(errors <= k)
    half = len(cells) // 2
    found = within_errors(language, cells[:half], labels[:half], k).learn(cells[half:], labels[half:])
    assert found.empty == (not everything)
    assert [found.errors_of(Concept(language, code)) for code in defined.codes] == [
        wrong if wrong <= k else None for wrong in errors.tolist()
    ]
    meanings = np.unique(defined.covers[errors <= k], axis=0)
    assert found.count() == len(meanings)
    if not everything:
        return
    rows = data.draw(st.lists(st.integers(0, len(defined.instances) - 1), min_size=1, max_size=5))
    votes = [found.count_covering(row) for row in defined.instances[rows].tolist()]
    assert votes == meanings[:, rows].sum(axis=0).tolist()
    if name in CONJUNCTIVE:
        assert set(found.minimal) == minimal
        assert set(found.maximal) == maximal
        assert set(found.codes) == set(everything)
        between = [language.within(code, found.bounds) for code in defined.codes]
        assert found.n_between == sum(between)
        assert found.convex == (sum(between) == len(everything))


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("keep_g", [True, False])
@given(data=st.data())
@settings(max_examples=20)
def test_merging_one_space_per_example_is_candidate_elimination(name, keep_g, data):
    language = LANGUAGES[name]
    cells, labels = split(language, data.draw(examples(language, 5)))
    merged = start(language)
    for place in range(len(cells)):
        alone = one_by_one(language, cells[[place]], labels[[place]])
        if not keep_g:
            alone = Bounds(alone.specific, None, alone.negatives)
        merged = boundaries.merged(language, merged, alone, 10**6)
        expected = one_by_one(language, cells[: place + 1], labels[: place + 1])
        assert merged.empty == expected.empty
        assert language.maximal(merged.general) == merged.general
        if name != "written pairs":
            assert set(merged.specific) == set(expected.specific)
            assert set(merged.general) == set(expected.general)
    chosen = DEFINED[name].errors(cells, labels) == 0
    assert [language.within(code, merged) for code in language.hypotheses()] == chosen.tolist()


@pytest.mark.parametrize("name", CONJUNCTIVE)
@given(data=st.data())
def test_merging_two_spaces_without_g(name, data):
    language = LANGUAGES[name]
    cells, labels = split(language, data.draw(examples(language, 8)))
    parts = [at_once(language, cells[k::2], labels[k::2], 10**6) for k in range(2)]
    bare = [part if part.empty else Bounds(part.specific, None, part.negatives) for part in parts]
    found = boundaries.merged(language, *bare, 10**6)
    whole = at_once(language, cells, labels, 10**6)
    assert found.specific == whole.specific
    assert language.count(found) == language.count(whole)


NUMBERS = Conjunctions.over(Schema((Column("x"), Column("y"))), {"x": [1, 2, 4], "y": [0, 3]})


@given(
    point=st.tuples(st.integers(0, 5), st.integers(-1, 4)),
    label=st.booleans(),
    x=st.integers(0, 3),
    y=st.integers(0, 2),
)
def test_bounded_noise_in_numbers(point, label, x, y):  # all that agree with some instance so near
    space = VersionSpace(NUMBERS, "c", (False, True), True, (NUMBERS.bottom(),), (NUMBERS.top(),), None)
    found = example_space(space, [point], label, {"x": x, "y": y})
    steps = np.linspace(-1, 1, 25)
    near = NUMBERS.attributes.encode([[point[0] + a * x, point[1] + b * y] for a in steps for b in steps])
    near = np.unique(near, axis=0)
    expected = {code for code in NUMBERS.hypotheses() if (NUMBERS.covers(code, near) == label).any()}
    assert set(NUMBERS.members(found.bounds)) == expected


@given(data=st.data())
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
def test_one_general_hypothesis_bounds_all(data):
    cells, labels = split(FLAT, data.draw(examples(FLAT)))
    everything, *_ = consistent("flat", cells, labels)
    found = near_miss_space(FLAT, cells, labels)
    assert all(FLAT.more_general(found.general, code) for code in everything) or found.empty
    if found.empty:
        assert not everything
    if found.converged and not found.pending:
        assert everything == [found.specific]
