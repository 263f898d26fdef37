"""The beam and the loop over states they cannot look into."""

from __future__ import annotations

import numpy as np
import pytest

from induce.covering import Refinements, learn_one_rule, sequential_covering


class Words:
    """Words made letter by letter; a table says how good they are."""

    def __init__(self, values, letters="ab", key=lambda word: word, ties=None):
        self.values, self.letters, self.key, self.ties = values, letters, key, ties or {}
        self.refined = []

    def start(self):
        return [""]

    def quality(self, state):
        return self.values.get(state, -np.inf), self.ties.get(state, 0.0)

    def refine(self, state):
        self.refined.append(state)
        words = [state + letter for letter in self.letters if self._open(state + letter)]
        quality = np.array([self.values[word] for word in words])
        reach = [max(value for word, value in self.values.items() if set(one) <= set(word)) for one in words]
        ties = np.array([self.ties.get(word, 0.0) for word in words])
        keys = np.array([hash(self.key(word)) for word in words], np.int64)
        return Refinements(quality, quality, np.array(reach, float), ties, keys)

    def _open(self, word):
        return word in self.values

    def take(self, state, step):
        return state + [letter for letter in self.letters if self._open(state + letter)][step]


def test_hill_climbing_follows_the_best_step_and_returns_the_best_state_seen():
    space = Words({"": 0.0, "a": 2.0, "b": 1.0, "aa": 1.5, "ab": 1.0, "bb": 9.0})
    assert learn_one_rule(space, 1) == "a"


def test_a_wider_beam_finds_what_hill_climbing_misses():
    space = Words({"": 0.0, "a": 2.0, "b": 1.0, "aa": 1.5, "ab": 1.0, "bb": 9.0})
    assert learn_one_rule(space, 2) == "bb"


def test_only_something_better_takes_the_place_of_the_best():
    assert learn_one_rule(Words({"": 1.0, "a": 1.0, "b": 1.0}), 5) == ""
    assert learn_one_rule(Words({"": 0.0, "a": 1.0, "b": 1.0}), 5) == "a"
    assert learn_one_rule(Words({"": 0.0, "a": 1.0, "b": 1.0}, ties={"b": 1.0}), 5) == "b"


def test_two_ways_to_the_same_hypothesis_take_one_place_in_the_beam():
    values = {"": 0.0, "a": 2.0, "b": 1.9, "ab": 3.0, "ba": 3.0, "aa": 2.5, "aab": 0.0, "aaa": 9.0}
    by_letters = Words(values, key=lambda word: "".join(sorted(word)))
    assert learn_one_rule(by_letters, 2) == "aaa"
    assert learn_one_rule(Words(values), 2) == "ab"  # the two spellings fill the beam


def test_what_cannot_become_better_is_not_refined():
    space = Words({"": 0.0, "a": 5.0, "b": 1.0, "bb": 2.0})
    assert learn_one_rule(space, 5) == "a"
    assert space.refined == [""]


def test_steps_can_be_limited():
    space = Words({"": 0.0, "a": 1.0, "aa": 2.0, "aaa": 3.0})
    assert learn_one_rule(space, 1, max_steps=2) == "aa"


def test_no_rule_where_none_may_be_one():
    class Nothing(Words):
        def quality(self, state):
            return -np.inf, -np.inf

        def refine(self, state):
            nothing = np.empty(0)
            return Refinements(nothing, nothing, nothing, nothing, np.empty(0, np.int64))

    assert learn_one_rule(Nothing({"": 0.0}), 3) is None


class Numbers:
    """Numbers to be covered by their divisors."""

    def __init__(self, numbers):
        self.numbers = set(numbers)

    def left(self):
        return bool(self.numbers)

    def remove(self, rule):
        before = len(self.numbers)
        self.numbers = {number for number in self.numbers if number % rule}
        return len(self.numbers) < before


def test_the_loop_covers_example_after_example():
    examples = Numbers([4, 6, 9, 25])
    found = sequential_covering(
        examples, lambda: min(d for d in range(2, 50) if min(examples.numbers) % d == 0), lambda rule: True
    )
    assert list(found) == [2, 3, 5]


@pytest.mark.parametrize("reason", ["none", "bad", "covers nothing"])
def test_the_loop_ends(reason):
    examples = Numbers([4, 6])
    learn = {"none": lambda: None, "bad": lambda: 2, "covers nothing": lambda: 7}[reason]
    assert list(sequential_covering(examples, learn, lambda rule: reason != "bad")) == []
    assert examples.numbers == {4, 6}
