"""How large the named classes are, counted again by writing their members down."""

import math
from itertools import combinations, permutations, product

import pytest

import induce
from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.theory import (
    CLASSES,
    Space,
    conjunction_table,
    conjunctions,
    conjunctions_of,
    decision_lists,
    decision_lists_of,
    decision_trees,
    grid_rectangles,
    k_cnf,
    k_dnf,
    k_term_dnf,
    monotone_conjunctions,
    n_clauses,
    n_tests,
    named,
    of_size,
    power_set,
    regular_depth_two_trees,
    regular_tree_table,
    unbiased,
    vc_dimension,
)
from induce.theory.vc import concepts
from induce.trees.understanding.tree_counts import n_trees


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_conjunctions_are_all_different(n):
    table = conjunction_table(n)
    assert len(concepts(table)) == len(table) == round(math.exp(conjunctions(n).ln_size)) == 3**n
    assert vc_dimension(table).value == conjunctions(n).vc


def test_the_exception_of_one_attribute():
    assert vc_dimension(conjunction_table(1, always_false=True)).value == 2
    assert vc_dimension(conjunction_table(3, always_false=True)).value == 3


def test_monotone_conjunctions():
    table = [
        [all(x[i] for i in chosen) for x in product((0, 1), repeat=3)]
        for length in range(4)
        for chosen in combinations(range(3), length)
    ]
    assert len(concepts(table)) == pytest.approx(math.exp(monotone_conjunctions(3).ln_size))
    assert vc_dimension(table).value == 3


def test_conjunctions_over_a_schema():
    assert math.exp(conjunctions_of(induce.dataset("enjoy-sport").input_schema).ln_size) == pytest.approx(973)
    with pytest.raises(InputError, match="column 'sepal length' is numeric"):
        conjunctions_of(induce.dataset("iris").input_schema)


@pytest.mark.parametrize(
    ("n", "k", "with_contradictions", "without", "ln_lists"),
    [
        (3, 1, 7, 7, 16.2154),
        (3, 2, 22, 19, 72.6407),
        (5, 2, 56, 51, 233.8751),
        (10, 1, 21, 21, 68.4510),
        (10, 2, 211, 201, 1153.6445),
        (10, 3, 1351, 1161, 9876.5676),
        (20, 2, 821, 801, 5594.5745),
    ],
)
def test_decision_lists(n, k, with_contradictions, without, ln_lists):
    assert n_tests(n, k) == with_contradictions
    assert n_tests(n, k, contradictions=False) == without
    assert decision_lists(n, k).ln_size == pytest.approx(ln_lists, abs=6e-5)


def test_decision_lists_over_nominal_columns():
    schema = induce.dataset("restaurant").input_schema
    literals = sum(len(column.domain) for column in schema.inputs())
    assert literals == 26
    for k, classes in ((1, 2), (2, 2), (1, 3)):
        tests = 1 + literals + (math.comb(literals, 2) if k == 2 else 0)
        expected = tests * math.log(classes + 1) + math.lgamma(tests + 1)
        assert decision_lists_of(schema, k, classes).ln_size == pytest.approx(expected)
    # Boolean columns have two literals each, as in |Conj(n, k)|
    bits = Schema(tuple(Column(f"x{i}", "nominal", (False, True)) for i in range(5)))
    assert decision_lists_of(bits, 2).ln_size == pytest.approx(decision_lists(5, 2).ln_size)
    with pytest.raises(InputError, match="column 'sepal length' is numeric"):
        decision_lists_of(induce.dataset("iris").input_schema, 1)


@pytest.mark.parametrize(("n", "k"), [(2, 1), (3, 2), (3, 3), (4, 4)])
def test_trees_are_counted_like_trees(n, k):
    if k == n:  # every tree without repeated tests has at most 2^n leaves
        counted = sum(n_trees([2] * n, leaves) for leaves in range(1, 2**n + 1))
        assert decision_trees(n, k).ln_size == pytest.approx(math.log(counted))
    assert decision_trees(n, k).ln_size <= decision_lists(n, k).ln_size
    assert decision_trees(n, k + 5).ln_size == pytest.approx(decision_trees(n, n).ln_size)


def test_functions_of_small_formulas_are_no_more_than_the_bounds():
    instances = list(product((0, 1), repeat=3))
    terms = [
        tuple(zip(chosen, signs, strict=True))
        for length in (1, 2)
        for chosen in combinations(range(3), length)
        for signs in product((0, 1), repeat=length)
    ]
    assert len(terms) == n_clauses(3, 2) == 18
    true = [tuple(all(x[i] == sign for i, sign in term) for x in instances) for term in terms]
    functions = {tuple([False] * 8)}
    for term in true:
        functions |= {tuple(a or b for a, b in zip(term, other, strict=True)) for other in functions}
    assert len(functions) <= math.exp(k_dnf(3, 2).ln_size)
    assert k_cnf(3, 2).ln_size == k_dnf(3, 2).ln_size == pytest.approx(18 * math.log(2))
    conjunctive = {tuple(row) for row in conjunction_table(3).tolist()}
    pairs = {tuple(a or b for a, b in zip(x, y, strict=True)) for x, y in product(conjunctive, repeat=2)}
    assert len(pairs) <= math.exp(k_term_dnf(3, 2).ln_size)


@pytest.mark.parametrize(("n", "trees", "functions"), [(2, 32, 16), (3, 96, 38), (4, 192, 70)])
def test_regular_trees(n, trees, functions):
    assert math.exp(regular_depth_two_trees(n).ln_size) == pytest.approx(trees)
    table = regular_tree_table(n)
    assert (len(table), len(concepts(table))) == (trees, functions)
    instances = list(product((0, 1), repeat=n))
    again = {
        tuple(leaves[2 * x[root] + x[below]] for x in instances)
        for root, below in permutations(range(n), 2)
        for leaves in product((False, True), repeat=4)
    }
    assert {tuple(row) for row in table.tolist()} == again


def test_sizes_in_words():
    assert unbiased(3).size_text() == power_set(8).size_text() == "256 hypotheses"
    assert of_size(1).size_text() == "1 hypothesis"
    assert grid_rectangles(100).size_text() == "25,502,500 hypotheses"
    assert "10^308.3" in unbiased(10).size_text()


def test_a_dimension_is_never_above_log2_of_the_size():
    assert of_size(1024).vc_bound == 10
    assert of_size(1000).vc_bound == 9
    for space in (conjunctions(7), unbiased(5), monotone_conjunctions(6), grid_rectangles(100)):
        assert space.vc <= space.ln_size / math.log(2) + 1e-9


@pytest.mark.parametrize(
    ("name", "vc"), [("thresholds", 1), ("intervals", 2), ("circles", 3), ("triangles", 7)]
)
def test_the_catalogue(name, vc):
    assert named(name).vc == vc


def test_classes_with_numbers():
    for name, (_, takes) in CLASSES.items():
        space = named(name, **dict.fromkeys(takes, 3))
        assert space.name in str(space)
    assert named("rectangles", n=2).vc == 4
    assert named("half-spaces", n=2).vc == 3


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: named("conjunction", n=3), "did you mean 'conjunctions'"),
        (lambda: named("k-cnf", n=3), "the class 'k-cnf' needs k"),
        (lambda: named("circles", k=3), "takes no k"),
        (lambda: conjunctions(0), "n is 0; it must be a whole number of at least 1"),
        (lambda: unbiased(5000), r"n is 5000, too large to count formulas; give at most 1e\+03"),
        (lambda: Space("x"), "an infinite space needs its VC dimension"),
        (lambda: Space("x", -1.0), "ln_size is -1.0"),
        (lambda: of_size(0), "size is 0"),
        (lambda: conjunction_table(9), "n is 9; give at most 6 attributes"),
    ],
)
def test_bad_numbers(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()
