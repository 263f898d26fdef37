"""Stopping rules, and the choice of the weights to return (Mitchell §4.6.5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.ties import is_less


@dataclass(frozen=True)
class Stop:
    """Stopping rules of descent.

    Descent stops as soon as one of the given rules applies. With a validation measure, it returns the weights
    with the lowest value; without `rise` and `validation_patience`, it runs to the end first.

    Parameters
    ----------
    max_epochs : int
        Maximum number of epochs, which are passes over the training rows.
    every : int
        Number of epochs between two checks. The losses of the history are taken at the checks.
    loss_below : float, optional
        Training loss below which descent stops. On its own it is a poor rule, as it overfits.
    tolerance : float
        Minimum decrease in the training loss that counts as an improvement, as a fraction of max(1, |loss|).
    patience : int, optional
        Number of consecutive checks without improvement in the training loss after which descent stops; None
        disables the rule.
    gradient_below : float, optional
        Maximum derivative over all rows at which descent stops. Checked only if an update uses all rows.
    rise : float, optional
        Factor by which the validation measure exceeds its lowest value so far when descent stops, such as
        1.2.
    validation_patience : int, optional
        Number of consecutive checks without a new lowest validation measure after which descent stops.
    """

    max_epochs: int = 1000
    every: int = 1
    loss_below: float | None = None
    tolerance: float = 0.0
    patience: int | None = None
    gradient_below: float | None = None
    rise: float | None = None
    validation_patience: int | None = None

    def __post_init__(self) -> None:
        at_least("max_epochs", self.max_epochs, 0, whole=True)
        at_least("every", self.every, 1, whole=True)
        at_least("tolerance", self.tolerance, 0.0)
        for name in ("patience", "validation_patience"):
            if getattr(self, name) is not None:
                at_least(name, getattr(self, name), 1, whole=True)
        if self.rise is not None and not self.rise > 1:
            raise InputError(f"rise is {self.rise!r}; give a factor above 1, such as 1.2")


@dataclass
class Watch:
    """State of the rules of a `Stop`: the best check so far, and the number of checks without improvement."""

    rules: Stop
    best: int = -1
    lowest: float = math.inf
    checks: int = 0
    last_loss: float = math.inf
    idle: int = 0
    """Number of consecutive checks without improvement in the training loss."""

    def see(self, loss: float, validation: float | None) -> str | None:
        """Process a check; return the reason to stop, or None to continue."""
        progress = self.last_loss - loss > self.rules.tolerance * max(1.0, abs(loss))
        self.idle = 0 if progress else self.idle + 1
        self.last_loss = loss
        measure = loss if validation is None else validation
        if self.best < 0 or is_less(measure, self.lowest):
            self.best, self.lowest = self.checks, measure
        self.checks += 1
        return self._reason(loss, validation)

    def _reason(self, loss: float, validation: float | None) -> str | None:
        rules = self.rules
        if rules.loss_below is not None and loss < rules.loss_below:
            return f"the loss is below {rules.loss_below:g}"
        if rules.patience is not None and self.idle >= rules.patience:
            return f"the loss improved by no more than {rules.tolerance:g}"
        if validation is None:
            return None
        if rules.rise is not None and validation > self.lowest + (rules.rise - 1.0) * abs(self.lowest):
            return f"the validation measure exceeded {rules.rise:g} times its lowest value"
        since = self.checks - 1 - self.best
        if rules.validation_patience is not None and since >= rules.validation_patience:
            return f"the validation measure had no new lowest value in {since} checks"
        return None


def stopping_point(
    validation: Sequence[float], rise: float | None = None, patience: int | None = None
) -> tuple[int, int]:
    """Return the check at which a rule stops on a sequence of validation errors, and the check whose weights it
    returns.

    Parameters
    ----------
    validation : sequence of float
        Validation error at each check.
    rise : float, optional
        Factor by which the error exceeds its lowest value so far when descent stops.
    patience : int, optional
        Number of checks without a new lowest error after which descent stops.

    Examples
    --------
    A rule that stops at the first rise misses the second minimum (Fig. 4.9, bottom):

    >>> errors = [0.9, 0.7, 0.5, 0.4, 0.45, 0.5, 0.42, 0.35, 0.3, 0.33, 0.40, 0.5, 0.6]
    >>> stopping_point(errors, rise=1.2), stopping_point(errors, rise=1.5), stopping_point(errors)
    ((5, 3), (11, 8), (12, 8))
    """
    if not len(validation):
        raise InputError("validation is empty; give at least one validation error")
    watch = Watch(Stop(rise=rise, validation_patience=patience))
    for place, value in enumerate(validation):
        if watch.see(0.0, value):
            return place, watch.best
    return len(validation) - 1, watch.best
