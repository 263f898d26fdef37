"""Counts add up: of chunks to those of the whole, and without a row to those of the others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.counts import JointCounts, Moments, NumberCounts, Steps, TokenCounts
from induce.counts.additive import LONG
from induce.data.text import Tokeniser

FEW = settings(max_examples=25, deadline=None)
N_CLASSES = 3
NUMBERS = st.one_of(st.floats(-1e6, 1e6), st.just(float("nan")), st.integers(-3, 3).map(float))
WORDS = st.sampled_from(["aa", "bb", "cc dd", "", "aa aa bb"])
ROWS = st.lists(
    st.tuples(NUMBERS, st.integers(-1, 2), WORDS, st.integers(0, 2), st.integers(1, 3)),
    min_size=2,
    max_size=30,
)


def counted(rows, kind):
    """The counts of one kind of some rows."""
    numbers, codes, words, labels, weights = (list(each) for each in zip(*rows, strict=True))
    labels, weights = np.array(labels), np.array(weights, np.float64)
    match kind:
        case "joint":
            return JointCounts.of([np.array(codes), labels], [3, N_CLASSES], weights)
        case "moments":
            return Moments.of(np.array(numbers), labels, N_CLASSES, weights)
        case "numbers":
            return NumberCounts.of(np.array(numbers), labels, weights)
        case "steps":
            return Steps.of(np.array(numbers))
        case _:
            return TokenCounts.of(Tokeniser().documents(words), labels, N_CLASSES, weights)


def close(mine, other, rounding=1e-6):
    """Whether two counts are the same but for rounding."""
    if isinstance(mine, TokenCounts):
        return dict(zip(mine.vocabulary, mine.table().tolist(), strict=True)) == dict(
            zip(other.vocabulary, other.table().tolist(), strict=True)
        )
    for name in mine.__dataclass_fields__:
        a, b = getattr(mine, name), getattr(other, name)
        if np.shape(a) != np.shape(b) or not np.allclose(a, b, rtol=1e-9, atol=rounding):
            return False
    return True


@pytest.mark.parametrize("kind", ["joint", "moments", "numbers", "tokens", "steps"])
@FEW
@given(rows=ROWS, cut=st.integers(1, 29))
def test_chunks_add_up_to_the_whole(kind, rows, cut):
    cut = min(cut, len(rows) - 1)
    assert close(counted(rows[:cut], kind) + counted(rows[cut:], kind), counted(rows, kind))


@pytest.mark.parametrize("kind", ["joint", "moments", "numbers"])
@FEW
@given(rows=ROWS)
def test_a_row_is_left_out_by_subtraction(kind, rows):
    whole = counted(rows, kind)
    # squares of what is left are known as exactly as those of all were
    rounding = 1e-6 + (1e-12 * whole.m2.max() if kind == "moments" else 0.0)
    assert close(whole - counted(rows[:1], kind), counted(rows[1:], kind), rounding)


def test_words_are_left_out_by_subtraction():
    rows = [(0.0, 0, "aa bb", 0, 1), (0.0, 0, "aa", 1, 1)]
    left = counted(rows, "tokens") - counted(rows[:1], "tokens")
    assert left.vocabulary == ("aa", "bb")
    assert left.table().tolist() == [[0, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize("kind", ["joint", "moments", "numbers", "tokens"])
@FEW
@given(rows=ROWS)
def test_scaled_counts_are_those_of_repeated_rows(kind, rows):
    assert close(2.0 * counted(rows, kind), counted([*rows, *rows], kind))


@pytest.mark.parametrize("kind", ["joint", "moments", "numbers", "tokens", "steps"])
def test_counts_are_values_that_a_model_file_holds(kind, tmp_path):
    rows = [(1.5, 0, "aa bb", 0, 1), (2.5, 1, "aa", 1, 2)]
    first, second = counted(rows, kind), counted(rows, kind)
    assert first == second
    assert hash(first) == hash(second)
    assert first != counted(rows[:1], kind)
    from induce.core.codec import Decoder, Encoder

    arrays = []
    document = Encoder("field", "", arrays).encode(first, "counts")
    assert Decoder(arrays.__getitem__).decode(document) == first


# --- families of columns -------------------------------------------------------------------------------------


def test_the_family_of_play_tennis():
    X, y = induce.dataset("play-tennis")
    columns = [
        X["Outlook"].to_physical().to_numpy(),
        X["Wind"].to_physical().to_numpy(),
        y.to_physical().to_numpy(),
    ]
    family = JointCounts.of(columns, [3, 2, 2])
    assert family.table.sum() == 14
    assert family.margin(2).table.tolist() == [9, 5]
    assert family.margin(1, 2).table.tolist() == [[6, 2], [3, 3]]
    assert family.margin(0, 2) == JointCounts.of([columns[0], columns[2]], [3, 2])


def test_rows_with_a_hole_are_not_counted():
    counts = JointCounts.of([np.array([0, -1, 1]), np.array([0, 1, -2])], [2, 2])
    assert counts.table.tolist() == [[1, 0], [0, 0]]


def test_too_many_combinations():
    columns = [np.zeros(2, np.int32)] * 4
    with pytest.raises(induce.InputError, match="too many to be counted"):
        JointCounts.of(columns, [1000] * 4)


def test_larger_domains():
    counts = JointCounts(np.array([[1.0, 2.0], [3.0, 4.0]]))
    larger = counts.placed([[0, 2], [1, 0]], [3, 3])
    assert larger.table.tolist() == [[2, 1, 0], [0, 0, 0], [4, 3, 0]]
    assert Moments.of(np.array([1.0, 3.0]), np.array([0, 1]), 2).placed([2, 0], 3).mean.tolist() == [3, 0, 1]
    assert NumberCounts.of(np.array([1.0, 3.0]), np.array([0, 1])).placed([2, 0]).label.tolist() == [2, 0]
    words = TokenCounts.of(Tokeniser().documents(["aa", "bb"]), np.array([0, 1]), 2)
    assert words.placed([1, 2], 3).table().tolist() == [[0, 1, 0], [0, 0, 1]]


# --- moments -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 100])
def test_moments_of_a_matrix_are_those_of_its_columns(n_classes):
    rng = np.random.default_rng(0)
    numbers, labels, weights = rng.normal(size=(700, 5)), rng.integers(0, n_classes, 700), rng.random(700)
    numbers[rng.random(numbers.shape) < 0.1] = np.nan
    whole = Moments.of(numbers, labels, n_classes, weights)
    for j in range(5):
        for mine, other in zip(
            whole[:, j].arrays(), Moments.of(numbers[:, j], labels, n_classes, weights).arrays(), strict=True
        ):
            np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-12)


def test_moments_lose_no_digits_of_a_small_spread():
    """Class 0 lies at a billion, class 1 at zero; the spread of both is a millionth."""
    rng = np.random.default_rng(0)
    labels = np.arange(100_000) % 2
    small = rng.normal(scale=1e-3, size=len(labels))
    numbers = small + np.where(labels == 0, 1e6, 0.0)
    moments = Moments.of(numbers, labels, 2)
    for label in range(2):
        assert moments.variance[label] == pytest.approx(numbers[labels == label].var(), rel=1e-6)
    halves = Moments.of(numbers[:777], labels[:777], 2) + Moments.of(numbers[777:], labels[777:], 2)
    np.testing.assert_allclose(halves.variance, moments.variance, rtol=1e-6)


def test_the_moments_of_all_classes_together():
    rng = np.random.default_rng(1)
    numbers, labels = rng.normal(size=50), rng.integers(0, 4, 50)
    total = Moments.of(numbers, labels, 4).total()
    assert total.mean == pytest.approx(numbers.mean())
    assert total.variance == pytest.approx(numbers.var())
    assert Moments.none(3).total().variance == 0


# --- steps and words -----------------------------------------------------------------------------------------


def test_steps_of_many_numbers_are_none():
    assert Steps.of(np.arange(5000.0)).width == 0
    assert Steps.of(np.arange(900.0) % 30).width == 1
    many = np.concatenate([np.zeros(5000), np.arange(2000.0)])
    assert Steps.of(many).width == 0
    assert (Steps.of(np.arange(800.0)) + Steps.of(np.arange(800.0, 1600.0))).width == 0
    assert Steps.of(np.array([np.nan])) == Steps(np.empty(0))
    assert Steps.of(np.array([np.nan])).width == Steps.of(np.array([4.0])).width == 0
    assert np.isfinite(Steps.of(np.array([-1.7e308, 1.7e308])).width ** 2)


def test_too_many_steps_are_one_value_whatever_the_order():
    few, many = np.array([5.0, 7.0]), np.arange(2000.0) / 7
    one, other = Steps.of(few) + Steps.of(many), Steps.of(many) + Steps.of(few)
    assert one == other == Steps.of(np.concatenate([few, many]))
    assert len(one.numbers) == 0
    assert one.too_many
    assert (one.low, one.high) == (0.0, 1999 / 7)


@pytest.mark.parametrize(
    "kind", ["whole", "zeros", "few late", "many late", "infinite", "none at first", "none"]
)
def test_steps_of_a_long_column_are_its_different_numbers(kind):
    rng, n = np.random.default_rng(3), LONG + 100
    place = np.arange(n) / n
    numbers = {
        "whole": rng.integers(-5, 700, n) * 0.5,
        "zeros": rng.choice([0.0, -0.0], n),
        "few late": np.where(place < 0.9, 3.0, rng.integers(0, 50, n) / 7),
        "many late": np.where(place < 0.9, 3.0, rng.normal(size=n)),
        "infinite": rng.choice([np.inf, -np.inf, 1e300, 5e-324], n),
        "none at first": np.where(place < 0.5, np.nan, rng.integers(0, 50, n)),
        "none": np.full(n, np.nan),
    }[kind]
    numbers = np.where(rng.random(n) < 0.05, np.nan, numbers)
    distinct = np.unique(numbers[~np.isnan(numbers)])
    steps = Steps.of(numbers)
    np.testing.assert_array_equal(steps.numbers, [] if len(distinct) > 1024 else distinct)
    assert steps.too_many == (len(distinct) > 1024)


def test_words_of_many_classes_are_merged_without_a_table():
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{word:03d}" for word in rng.integers(0, 900, 5)) for _ in range(200)]
    labels = rng.integers(0, 60_000, 200)
    counts = TokenCounts.of(Tokeniser().documents(texts), labels, 60_000)
    assert counts.by_word().sum() == counts.by_class().sum() == 1000
    few = np.array([0, 5])
    assert counts.table(few).sum() == counts.by_word()[few].sum()
