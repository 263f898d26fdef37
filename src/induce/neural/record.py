"""Training record of a network."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.shapes import check_shapes

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TrainingRecord:
    """Record of a training run.

    Parameters
    ----------
    solver : str
        Optimisation algorithm.
    epochs : array of int
        Number of epochs completed at each check.
    loss : array of float64
        Training loss at each check.
    validation : array of float64
        Validation error at each check; empty without a validation set.
    chosen : int
        Number of epochs after which the returned weights were reached.
    reason : str
        Reason for stopping.
    snapshot_epochs : array of int
        Epochs of the stored weights.
    snapshots : array of float64, shape (snapshots, weights)
        Weights of a small network at some checks, for plots over the epochs.
    """

    solver: str
    epochs: NDArray[np.int64]
    loss: Floats
    validation: Floats
    chosen: int
    reason: str
    snapshot_epochs: NDArray[np.int64]
    snapshots: Floats

    @classmethod
    def none(cls, n_weights: int, reason: str) -> TrainingRecord:
        """Return the record of a network that was not trained.

        Examples
        --------
        >>> print(TrainingRecord.none(3, "there are no examples"))
        not trained: there are no examples
        """
        nothing, steps = np.empty(0), np.empty(0, np.int64)
        return cls("", steps, nothing, nothing, 0, reason, steps, np.empty((0, n_weights)))

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent."""
        check_shapes(self, {"epochs": "checks", "loss": "checks", "validation": "some"})
        check_shapes(self, {"snapshot_epochs": "snapshots", "snapshots": "snapshots weights"})
        fits = len(self.epochs) == len(self.loss) and len(self.validation) in (0, len(self.loss))
        if not fits or len(self.snapshots) != len(self.snapshot_epochs):
            raise InputError("the record of the training is inconsistent; train the network again")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TrainingRecord):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self.__dataclass_fields__
        )

    def __hash__(self) -> int:
        return hash((self.solver, self.chosen, self.reason))

    def __str__(self) -> str:
        if not self.solver:
            return f"not trained: {self.reason}"
        last = int(self.epochs[-1]) if len(self.epochs) else 0
        told = f"{last} {'epoch' if last == 1 else 'epochs'} by {self.solver}: {self.reason}"
        if len(self.validation):
            told += f"; weights of epoch {self.chosen}, lowest in validation error"
        return told
