"""Symbols and relations as arrays, against plain Python."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.logic.facts import Facts, Symbols
from induce.logic.terms import Constant, Function, Text, listed


@st.composite
def relations(draw):
    arity = draw(st.integers(0, 4))
    rows = draw(st.lists(st.tuples(*[st.integers(0, 4)] * arity), max_size=40))
    return np.array(rows, np.int64).reshape(len(rows), arity)


def found(facts, bound, keys):
    """Return the facts that each key matches."""
    matches = facts.matches(bound, keys)
    left, right = matches.pairs()
    pairs = [(int(i), tuple(matches.rows[k].tolist())) for i, k in zip(left, right, strict=True)]
    slices = [
        (i, tuple(matches.rows[k].tolist()))
        for i in range(len(keys))
        for k in matches.order[matches.first[i] : matches.first[i] + matches.count[i]]
    ]
    assert pairs == slices
    return pairs


@given(relations())
def test_facts_are_the_different_rows_in_order(rows):
    facts = Facts.of(rows)
    assert [tuple(row) for row in facts.rows.tolist()] == list(dict.fromkeys(map(tuple, rows.tolist())))
    assert len(facts) == len(facts.rows)
    assert facts.arity == rows.shape[1]


@given(relations(), st.data())
def test_matches_are_the_facts_that_agree(rows, data):
    facts = Facts.of(rows)
    bound = tuple(data.draw(st.permutations(range(facts.arity)))[: data.draw(st.integers(0, facts.arity))])
    wanted = data.draw(st.lists(st.tuples(*[st.integers(-1, 5)] * len(bound)), max_size=10))
    keys = np.array(wanted, np.int64).reshape(len(wanted), len(bound))
    expected = [
        (i, tuple(fact))
        for i, key in enumerate(wanted)
        for fact in facts.rows.tolist()
        if tuple(fact[place] for place in bound) == key
    ]
    assert found(facts, bound, keys) == expected
    assert found(facts, bound, keys) == expected, "the second look-up uses the stored index"


@given(relations())
def test_facts_can_be_pickled(rows):
    facts = Facts.of(rows)
    facts.matches(tuple(range(facts.arity)), facts.rows)
    again = pickle.loads(pickle.dumps(facts))
    assert again.rows.tolist() == facts.rows.tolist()
    assert again.matches(tuple(range(facts.arity)), facts.rows).count.tolist() == [1] * len(facts)
    assert not pickle.loads(pickle.dumps(facts))._indices


def test_other_kinds_of_array():
    rows = np.asfortranarray(np.array([[0, 1], [2, 3], [0, 1]], np.int32))
    rows.flags.writeable = False
    facts = Facts.of(rows)
    assert facts.rows.tolist() == [[0, 1], [2, 3]]
    assert facts.matches((1,), np.array([[3], [0]], np.int32)).count.tolist() == [1, 0]
    assert facts.rows.dtype == np.int64
    assert Facts.of(rows[:0]).matches((0, 1), rows[:1]).count.tolist() == [0]


@pytest.mark.compiled
def test_many_facts_and_few_different_keys():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 1000, (100_000, 3))
    facts = Facts.of(rows)
    assert len(facts) == len(np.unique(rows, axis=0))
    counts = np.bincount(facts.rows[:, 1], minlength=1001)
    assert facts.matches((1,), np.arange(1001)[:, None]).count.tolist() == counts.tolist()


names = st.sampled_from(["ann", "Ähre", "日本", "1", ""])
constants = st.builds(
    Constant, names | st.integers(-(10**400), 10**400) | st.integers(-3, 3) | st.sampled_from([1.0, 0.5])
)
terms = st.recursive(
    constants | st.builds(Text, names),
    lambda inner: st.builds(
        lambda arguments: Function("f", tuple(arguments)), st.lists(inner, min_size=1, max_size=2)
    ),
    max_leaves=4,
)


@given(st.lists(terms))
def test_symbols_number_terms_in_order(these):
    symbols = Symbols(these[:2])
    different = list(dict.fromkeys(these))
    assert [symbols.find(term) for term in different[2:]] == [-1] * len(different[2:])
    codes = symbols.codes(these)
    assert [symbols.terms[code] for code in codes] == these
    assert symbols.terms == different
    assert len(symbols) == len(different)
    assert [symbols.find(term) for term in these] == codes.tolist()
    again = pickle.loads(pickle.dumps(symbols))
    assert [again.code(term) for term in these] == codes.tolist()


def test_a_whole_number_a_fraction_a_name_and_a_text_are_four_symbols():
    symbols = Symbols([Constant(1), Constant(1.0), Constant("1"), Text("1")])
    assert len(symbols) == 4


def test_numbers_of_terms():
    symbols = Symbols([Constant(1), Constant("1"), Constant(2.5)])
    assert symbols.numbers[[0, 2]].tolist() == [1, 2.5]
    assert np.isnan(symbols.numbers[1])
    for term in (Constant(10**400), Constant(-(10**400)), Text("3"), listed([Constant(3)])):
        symbols.code(term)
    assert symbols.numbers[3:5].tolist() == [np.inf, -np.inf]
    assert np.isnan(symbols.numbers[5:]).all()


def test_a_long_list_is_a_symbol():
    numbers = [Constant(k) for k in range(20_000)]
    symbols = Symbols([listed(numbers)])
    assert symbols.find(listed(numbers)) == 0
    assert symbols.find(listed(numbers[1:])) == -1


def test_threads_agree_on_codes():
    workers = 8
    symbols = Symbols()
    these = [Constant(k % 997) for k in range(20_000)]
    with ThreadPoolExecutor(workers) as pool:
        codes = list(pool.map(lambda _: symbols.codes(these).tolist(), range(workers)))
    assert all(each == codes[0] for each in codes)
    assert len(symbols) == 997
    assert [symbols.terms[code] for code in codes[0]] == these
