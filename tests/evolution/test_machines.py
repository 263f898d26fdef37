"""Finite-state machines, and evolutionary programming."""

from __future__ import annotations

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.evolution import EvolutionaryProgramming, Machines, StateMachine

PARITY = StateMachine(("0", "1"), ("even", "odd"), 0, np.array([[0, 1], [1, 0]]), np.array([[0, 1], [1, 0]]))


def test_what_a_machine_does():
    assert PARITY.run("1101") == ["odd", "even", "even", "odd"]
    space = {}
    exec(PARITY.to_python("parity"), space)
    assert space["parity"]("1101") == PARITY.run("1101")
    assert PARITY.size() == "2 states"
    assert str(PARITY).splitlines()[1].split() == ["S0", "*", "0", "even", "S0"]
    assert PARITY.draw().axes
    with pytest.raises(InputError, match="'2' is not an input"):
        PARITY.run("2")
    with pytest.raises(InputError, match="cannot name a Python function"):
        PARITY.to_python("two words")


def test_random_machines_export_what_they_do():
    genome, rng = Machines(("a", "b", "c"), (1, 2), 5, 8), np.random.default_rng(0)
    words = ["".join(rng.choice(list("abc"), 12)) for _ in range(5)]
    for machine in genome.mutated(genome.populate(8, rng), np.arange(8), rng):
        space = {}
        exec(machine.to_python(), space)
        assert [space["machine"](word) for word in words] == [machine.run(word) for word in words]


def test_every_mutation_happens():
    genome, rng = Machines(("0", "1"), ("a", "b"), 3, 4), np.random.default_rng(0)
    machine = genome.random(rng)
    sizes = {genome.mutate(machine, rng).n_states for _ in range(100)}
    assert sizes == {2, 3, 4}
    single = Machines(("0",), ("a",), 1, 1)
    assert single.mutate(single.random(rng), rng).n_states == 1


@pytest.mark.parametrize("word", ["0110", "001", "abc"])
def test_periodic_sequences_are_predicted(word):
    learner = EvolutionaryProgramming(states=4, generations=400, random_state=1).learn(word * 10)
    assert learner.history_.best == 1.0
    assert learner.hypothesis_.run((word * 2)[:-1]) == list((word * 2)[1:])


def test_a_fitness_of_machines_and_files(tmp_path):
    def right(machine):
        return sum(a == b for a, b in zip(machine.run("110100"), PARITY.run("110100"), strict=True))

    learner = EvolutionaryProgramming(
        inputs=("0", "1"), outputs=("even", "odd"), states=2, generations=100, fitness_threshold=6
    ).learn(right)
    assert learner.hypothesis_.run("110100") == PARITY.run("110100")
    induce.save(learner, tmp_path / "parity.induce")
    assert induce.load_hypothesis(tmp_path / "parity.induce") == learner.hypothesis_


@pytest.mark.parametrize(
    ("more", "source", "sentence"),
    [
        ({}, "a", "1 symbols"),
        ({}, "", "0 symbols"),
        ({}, 7, "the source is int"),
        ({}, [[1], [2]], "contains a non-symbol"),
        ({}, lambda machine: 1, "give inputs and outputs"),
        ({"states": 5, "max_states": 3}, "abab", "max_states is 3"),
        ({"population_size": 0}, "abab", "population_size is 0"),
    ],
)
def test_bad_input(more, source, sentence):
    with pytest.raises(InputError, match=sentence):
        EvolutionaryProgramming(**more).learn(source)
