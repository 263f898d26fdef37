"""Noisy-OR: each cause may bring about the effect on its own (AIMA 14.3 and exercise 20.7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from induce.belief_networks.conditionals.base import (
    Conditional,
    Floats,
    Values,
    check_table_size,
    nominal,
    sizes_of,
)
from induce.core.errors import InputError
from induce.core.values import Value
from induce.data.names import unknown
from induce.data.schema import Column


@dataclass(frozen=True, eq=False)
class NoisyOrConditional(Conditional):
    """An effect with causes that each fail to bring it about with a probability of their own.

    The effect is absent with the product of these probabilities and one minus the leak, so that the number of
    parameters grows linearly with the number of parents, where that of a table grows exponentially.

    Parameters
    ----------
    fails : tuple of tuples of float
        For each parent and each of its values, the probability that the value fails to cause the effect; 1 for
        a value that is not a cause.
    leak : float
        The probability that the effect comes about without any cause.
    present : int
        Value of the node that means that the effect is present.

    Examples
    --------
    >>> fever = NoisyOrConditional(((1.0, 0.6), (1.0, 0.2), (1.0, 0.1)))
    >>> fever.table((2, 2, 2))[:, 1, 0, 1].round(3).tolist()  # flu alone, then with a cold
    [0.8, 0.88]
    """

    fails: tuple[tuple[float, ...], ...]
    leak: float = 0.0
    present: int = 1

    @classmethod
    def of(
        cls,
        node: Column,
        parents: Sequence[Column],
        fails: Mapping[str, float | Mapping[Value, float]],
        leak: float = 0.0,
        present: Value = True,
    ) -> NoisyOrConditional:
        """Return the noisy-OR of a node from the probabilities of failing by name.

        Parameters
        ----------
        node : Column
        parents : sequence of Column
        fails : dict
            From a parent to the probability that it fails when it is True, or to a dict from its values to that.
        leak : float
        present : value
            The value of the node that means that the effect is present.
        """
        names = [parent.name for parent in parents]
        for cause in fails:
            if cause not in names:
                raise unknown(f"parent of {node.name!r}", cause, names)
        rows = []
        for parent in parents:
            if parent.name not in fails:
                raise InputError(
                    f"the noisy-OR of {node.name!r} does not say how often its parent {parent.name!r} fails"
                )
            said = fails[parent.name]
            by_value: dict[Value, float] = dict(said) if isinstance(said, Mapping) else {True: said}
            for value in by_value:
                if value not in parent.domain:
                    raise unknown(f"value of {parent.name!r}", str(value), map(str, parent.domain))
            rows.append(tuple(float(by_value.get(value, 1.0)) for value in parent.domain))
        if present not in node.domain:
            raise unknown(f"value of {node.name!r}", str(present), map(str, node.domain))
        return cls(tuple(rows), float(leak), node.domain.index(present))

    def verify(self, node: Column, parents: Sequence[Column]) -> None:
        """Raise an `InputError` unless it is a distribution of `node` given `parents`."""
        if len(node.domain) != 2 or len(nominal(parents)) < len(parents):
            raise InputError(
                f"{node.name!r} has a noisy-OR; it needs two values, and parents that are not numeric"
            )
        check_table_size(node, parents)
        if tuple(map(len, self.fails)) != sizes_of(parents) or self.present not in (0, 1):
            raise InputError(f"the noisy-OR of {node.name!r} does not fit the values of its parents")
        for chance in (self.leak, *(q for row in self.fails for q in row)):
            if not 0 <= chance <= 1:
                raise InputError(f"the noisy-OR of {node.name!r} holds {chance:g}; give probabilities")

    def n_parameters(self) -> int:
        """Return how many values are causes, and the leak if there is one."""
        return sum(len(row) - 1 for row in self.fails) + (self.leak > 0)

    def absent(self, parents: Sequence[Values], n: int) -> Floats:
        """Return the probability that the effect is absent in each of `n` rows."""
        chances = np.full(n, 1.0 - self.leak)
        for row, values in zip(self.fails, parents, strict=True):
            chances *= np.array(row)[values]
        return chances

    def table(self, sizes: Sequence[int]) -> Floats:
        """Return the probabilities, with an axis for each parent and the last for the node."""
        start = np.array(1.0 - self.leak)
        absent: Floats = reduce(np.multiply.outer, map(np.array, self.fails), start)
        both = (absent, 1 - absent) if self.present else (1 - absent, absent)
        return np.stack(both, axis=-1)

    def log_probability(self, values: Values, parents: Sequence[Values]) -> Floats:
        """Return the log probability of the node's value in each row."""
        absent = self.absent(parents, len(values))
        with np.errstate(divide="ignore"):
            return np.log(np.where(values == self.present, 1 - absent, absent))

    def sample(self, parents: Sequence[Values], n: int, rng: np.random.Generator) -> Values:
        """Return the code of a value for each of `n` rows, drawn at random."""
        happens = rng.random(n) >= self.absent(parents, n)
        return np.where(happens, self.present, 1 - self.present)


def noisy_or(
    fails: Mapping[str, float | Mapping[Value, float]], leak: float = 0.0, present: Value = True
) -> Callable[[Column, Sequence[Column]], NoisyOrConditional]:
    """Return a noisy-OR as `BeliefNetwork.of` takes it: it fits itself to the node and its parents.

    Parameters
    ----------
    fails : dict
        From a parent to the probability that it fails when it is True, or to a dict from its values to that.
    leak : float
        The probability that the effect comes about without any cause.
    present : value
        The value of the node that means that the effect is present.

    Examples
    --------
    >>> from induce.belief_networks import BeliefNetwork
    >>> network = BeliefNetwork.of(
    ...     {"fever": ["cold", "flu"]},
    ...     {"cold": 0.1, "flu": 0.05, "fever": noisy_or({"cold": 0.6, "flu": 0.2})},
    ... )
    >>> network.n_parameters()
    4
    """
    return lambda node, parents: NoisyOrConditional.of(node, parents, fails, leak, present)
