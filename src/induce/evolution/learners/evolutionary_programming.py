"""Evolutionary programming (Fogel, Owens and Walsh 1966; Mitchell §9.8): machines evolved by mutation alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.loops import sized
from induce.core.parameters import Declared, items, whole
from induce.core.randomness import RandomState
from induce.evolution.fitness import Evaluator, Scored
from induce.evolution.generation import Generation
from induce.evolution.genomes import _loops
from induce.evolution.genomes.kind import GENERATIONS, Floats, Genome
from induce.evolution.genomes.machines import Machines
from induce.evolution.learners.evolver import Evolver
from induce.evolution.machine import StateMachine
from induce.evolution.reproduction import MUTATED, Brood


@dataclass(frozen=True, eq=False)
class NextSymbol:
    """Prediction of the next symbol of a sequence; fitness is the fraction of correct predictions."""

    symbols: NDArray[np.int64]
    genome: Machines
    name: str = "the next symbol"
    optimum: float = 1.0
    minimise: bool = field(default=False, init=False)
    noisy: bool = field(default=False, init=False)

    def scores(self, population: Any, rng: Any = None) -> Floats:
        """Return the fitness of each machine."""
        n = len(self.symbols) - 1
        right = sized(_loops.right_predictions, GENERATIONS * n * len(population), 1 / GENERATIONS)
        return np.array(
            [right(each.target, each.output, each.start, self.symbols) / n for each in population]
        )


class EvolutionaryProgramming(Evolver):
    """Evolve finite-state machines by mutation alone (Fogel, Owens and Walsh; Mitchell §9.8).

    Every machine has one mutated offspring; the better half of all survives. There are no missing values: encode
    a missing symbol as a symbol of its own. A symbol not seen in training is an error when the machine runs.

    Parameters
    ----------
    population_size : int, default=30
        Number of machines.
    generations : int, default=200
        Maximum number of generations.
    states : int, default=4
        Number of states of the initial machines.
    max_states : int, default=10
        Maximum number of states.
    inputs : sequence, optional
        Input symbols, if a function scores the machines.
    outputs : sequence, optional
        Output symbols, if a function scores the machines.
    fitness_threshold : float, optional
        Fitness at which the run ends.
    minimise : bool, default=False
        Whether lower fitness is better.
    cache : bool, default=True
        Whether to cache the scores of the last generation.
    n_jobs : int, optional
        Number of parallel jobs; -1 uses all processors.
    backend : {"processes", "threads"}, default="processes"
        Kind of parallel workers.
    time_limit : float, optional
        Time limit in seconds per evaluation, after which it fails; None sets no limit.
    random_state : int, Generator or None, default=0
        Random seed.

    Attributes
    ----------
    hypothesis_ : StateMachine
    history_ : History

    See Also
    --------
    GeneticAlgorithm : Evolution of any kind of genome.

    Notes
    -----
    `learn` takes a sequence of symbols whose next symbol is to be predicted, or a function that scores a
    `StateMachine`.

    References
    ----------
    L. J. Fogel, A. J. Owens and M. J. Walsh (1966). Artificial Intelligence through Simulated Evolution. Wiley.

    Examples
    --------
    >>> from induce.evolution import EvolutionaryProgramming
    >>> machine = EvolutionaryProgramming(states=3, random_state=0).learn("abcabcabcabc").hypothesis_
    >>> machine.run("abc")
    ['b', 'c', 'a']
    """

    hypothesis_: StateMachine

    parameters: ClassVar[Declared] = {
        "population_size": whole("Number of machines.", at_least=1),
        "states": whole("Number of states of the initial machines.", at_least=1),
        "max_states": whole("Maximum number of states.", at_least=1),
        "inputs": items("Input symbols, if a function scores the machines.", "symbols", none=True),
        "outputs": items("Output symbols, if a function scores the machines.", "symbols", none=True),
    }

    def __init__(
        self,
        *,
        population_size: int = 30,
        generations: int = 200,
        states: int = 4,
        max_states: int = 10,
        inputs: Sequence[Any] | None = None,
        outputs: Sequence[Any] | None = None,
        fitness_threshold: float | None = None,
        minimise: bool = False,
        cache: bool = True,
        n_jobs: int | None = None,
        backend: str = "processes",
        time_limit: float | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.population_size = population_size
        self.generations = generations
        self.states = states
        self.max_states = max_states
        self.inputs = inputs
        self.outputs = outputs
        self.fitness_threshold = fitness_threshold
        self.minimise = minimise
        self.cache = cache
        self.n_jobs = n_jobs
        self.backend = backend
        self.time_limit = time_limit
        self.random_state = random_state

    @contextmanager
    def _opened(self, source: Any) -> Iterator[Evaluator]:
        with super()._opened(source if callable(source) else self._problem(source)) as run:
            yield run

    def _problem(self, source: Any) -> NextSymbol:
        symbols = _symbols(source)
        known = sorted(set(symbols), key=lambda symbol: (type(symbol).__name__, symbol))
        places = {symbol: k for k, symbol in enumerate(known)}
        genome = Machines(tuple(known), tuple(known), self.states, self._most())
        return NextSymbol(np.array([places[symbol] for symbol in symbols]), genome)

    def _most(self) -> int:
        at_least("max_states", self.max_states, self.states, whole=True)
        return self.max_states

    def _genome_of(self, source: Any) -> Genome:
        if isinstance(source, NextSymbol):
            return source.genome
        if not self.inputs or not self.outputs:
            raise InputError("a fitness function of machines needs their symbols; give inputs and outputs")
        return Machines(tuple(self.inputs), tuple(self.outputs), self.states, self._most())

    def _bred(self, run: Evaluator, state: Generation, rng: np.random.Generator) -> Brood:
        n = len(state.scores)
        places = np.arange(n)
        mutants = run.genome.mutated(state.population, places, rng)
        return Brood(mutants, np.stack([places, places], axis=1), np.full(n, MUTATED, dtype=np.uint8))

    def _survivors(
        self, run: Evaluator, state: Generation, brood: Brood, scored: Scored
    ) -> tuple[Any, Floats, Any]:
        population = run.genome.join([scored.population, state.population])
        scores = np.concatenate([scored.scores, state.scores])
        best = np.argsort(-scores, kind="stable")[: len(state.scores)]  # the younger survives a tie
        return run.genome.take(population, best), scores[best], state.memory

    def _conclude(self, run: Evaluator, state: Generation) -> StateMachine:
        found: StateMachine = state.best
        return found


def _symbols(source: Any) -> list[Any]:
    """Return a sequence of symbols as a list, or raise an `InputError`."""
    if isinstance(source, np.ndarray) or hasattr(source, "to_list"):
        source = source.tolist() if isinstance(source, np.ndarray) else source.to_list()
    if not isinstance(source, str | list | tuple):
        raise InputError(
            f"the source is {type(source).__name__}; give a sequence of symbols, or a function of a machine"
        )
    symbols = list(source)
    if not all(
        isinstance(symbol, Hashable) and isinstance(symbol, str | int | float | bool) for symbol in symbols
    ):
        raise InputError("the sequence contains a non-symbol; give strings or numbers")
    if len(symbols) < 2:
        raise InputError(f"the sequence has {len(symbols)} symbols; give at least 2")
    return symbols
