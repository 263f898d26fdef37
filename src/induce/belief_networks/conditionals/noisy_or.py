"""Noisy-OR: each cause can produce the effect independently (AIMA 14.3 and exercise 20.7)."""

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
    """An effect of independent causes, each of which fails to produce it with its own probability.

    The probability that the effect is absent is the product of the failure probabilities of the active causes
    and one minus the leak. The number of parameters grows linearly with the number of parents, whereas a
    table grows exponentially.

    Parameters
    ----------
    fails : tuple of tuples of float
        Failure probability of each value of each parent; 1 for a value that is not a cause.
    leak : float
        Probability that the effect occurs without any cause.
    present : int
        Index of the node's value that means that the effect is present.

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
        """Return the noisy-OR of a node from failure probabilities by parent name.

        Parameters
        ----------
        node : Column
        parents : sequence of Column
        fails : dict
            Mapping from each parent to its failure probability when True, or to a dict from its values to
            failure probabilities.
        leak : float
        present : value
            Value of the node that means that the effect is present.
        """
        names = [parent.name for parent in parents]
        for cause in fails:
            if cause not in names:
                raise unknown(f"parent of {node.name!r}", cause, names)
        rows = []
        for parent in parents:
            if parent.name not in fails:
                raise InputError(
                    f"the noisy-OR of {node.name!r} lacks the failure probability of its parent "
                    f"{parent.name!r}; give it"
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
        """Raise an `InputError` unless this is a valid distribution of `node` given `parents`."""
        if len(node.domain) != 2 or len(nominal(parents)) < len(parents):
            raise InputError(f"{node.name!r} has a noisy-OR; give it two values and only nominal parents")
        check_table_size(node, parents)
        if tuple(map(len, self.fails)) != sizes_of(parents) or self.present not in (0, 1):
            raise InputError(
                f"the failure probabilities of {node.name!r} do not match the values of "
                "its parents; give one per value"
            )
        for chance in (self.leak, *(q for row in self.fails for q in row)):
            if not 0 <= chance <= 1:
                raise InputError(
                    f"the noisy-OR of {node.name!r} contains {chance:g}; give probabilities between 0 and 1"
                )

    def n_parameters(self) -> int:
        """Return the number of parameters: failure probabilities of the causes, and the leak if there is one."""
        return sum(len(row) - 1 for row in self.fails) + (self.leak > 0)

    def absent(self, parents: Sequence[Values], n: int) -> Floats:
        """Return the probability that the effect is absent in each of `n` rows."""
        chances = np.full(n, 1.0 - self.leak)
        for row, values in zip(self.fails, parents, strict=True):
            chances *= np.array(row)[values]
        return chances

    def table(self, sizes: Sequence[int]) -> Floats:
        """Return the probabilities with one axis per parent, then one for the node."""
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
    """Return a noisy-OR for `BeliefNetwork.of`, which fits it to the node and its parents.

    Parameters
    ----------
    fails : dict
        Mapping from each parent to its failure probability when True, or to a dict from its values to failure
        probabilities.
    leak : float
        Probability that the effect occurs without any cause.
    present : value
        Value of the node that means that the effect is present.

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
