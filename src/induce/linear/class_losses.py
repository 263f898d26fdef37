"""Class likelihoods as objectives: logistic and probit units, softmax over several classes, and class counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.linear.standard import BLOCK, cross_products
from induce.statistics.logistic import log1p_exp, log_softmax, sigmoid

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


class _Sums:
    """Base of the objectives: the weighted sums, cached for the latest weights."""

    def __init__(
        self, z: Floats, weights: Floats, ridge: float | Floats, intercept: bool, outputs: int
    ) -> None:
        self.z, self.share = z, weights / weights.sum()
        self.ridge = np.broadcast_to(np.asarray(ridge, np.float64), z.shape[1:])
        self.intercept, self.outputs = intercept, outputs
        self.n_rows, self.n_terms = z.shape
        self.n_parameters = outputs * (self.n_terms + intercept)
        self._at: Floats | None = None
        self._sums: Floats = np.zeros(0)
        self._made: dict[str, Any] = {}
        """Cache of values computed from the sums: a step needs loss, gradient and Hessian at the same
        weights.
        """

    def split(self, w: Floats) -> tuple[Floats, Floats]:
        """Return the intercepts and the weights, one row per output."""
        rows = w.reshape(self.outputs, -1)
        if self.intercept:
            return rows[:, 0], rows[:, 1:]
        return np.zeros(self.outputs), rows

    def sums(self, w: Floats) -> Floats:
        """Return the weighted sums, shape (rows, outputs)."""
        if self._at is None or not np.array_equal(self._at, w):
            intercepts, weights = self.split(w)
            self._sums = self.z @ weights.T + intercepts
            self._at, self._made = w.copy(), {}
        return self._sums

    def _of_sums(self, name: str, w: Floats, make: Callable[[Floats], Any]) -> Any:
        """Return a value computed from the sums, cached for the latest weights."""
        sums = self.sums(w)
        if name not in self._made:
            self._made[name] = make(sums)
        return self._made[name]

    def _penalty(self, w: Floats) -> float:
        return float((np.square(self.split(w)[1]) @ self.ridge).sum())

    def _joined(self, pull: Floats, w: Floats) -> Floats:
        """Return the gradient from the derivatives with respect to the sums, shape (rows, outputs)."""
        found = (self.z.T @ pull).T + 2.0 * self.ridge * self.split(w)[1]
        return (np.column_stack([pull.sum(axis=0), found]) if self.intercept else found).ravel()

    def _products(self, curve: Floats) -> Floats:
        """Return Σ curve · x xᵀ over the rows, where x begins with 1 if there is an intercept."""
        first = int(self.intercept)
        found = np.zeros((self.n_terms + first,) * 2)
        for start in range(0, self.n_rows, BLOCK):
            part = slice(start, start + BLOCK)
            times = self.z[part] * curve[part, np.newaxis]
            found[first:, first:] += times.T @ self.z[part]
            if first:
                found[0, 1:] += times.sum(axis=0)
                found[0, 0] += float(curve[part].sum())
        found[1:, 0] = found[0, 1:]
        return found

    def curvature(self, w: Floats) -> Floats:
        """Return the Hessian of the mean loss without the penalty."""
        raise NotImplementedError

    def hessian(self, w: Floats) -> Floats:
        """Return the Hessian of the mean loss."""
        return self.ridged(self.curvature(w))

    def ridged(self, square: Floats) -> Floats:
        """Add the Hessian of the penalty."""
        each = np.append(np.zeros(int(self.intercept)), 2.0 * self.ridge)
        return square + np.diag(np.tile(each, self.outputs))


class TwoClasses(_Sums):
    """Mean loss -log P(class) of a logistic or probit unit, plus `ridge` times the sum of squared weights."""

    is_mean = True

    def __init__(
        self,
        z: Floats,
        y: Floats,
        weights: Floats,
        ridge: float | Floats,
        link: str,
        intercept: bool,
    ) -> None:
        super().__init__(z, weights, ridge, intercept, 1)
        self.sign = np.where(y > 0, 1.0, -1.0)
        self.probit = link == "probit"

    def loss(self, w: Floats, rows: Any = None) -> float:
        """Return the mean loss."""
        return float(self._of_sums("loss", w, self._mean_loss)) + self._penalty(w)

    def _mean_loss(self, sums: Floats) -> float:
        margin = self.sign * sums[:, 0]
        if self.probit:
            from scipy.special import log_ndtr

            return float(-(self.share @ log_ndtr(margin)))
        return float(self.share @ log1p_exp(-margin))

    def _chances(self, w: Floats) -> Floats:
        return np.asarray(self._of_sums("chances", w, lambda sums: sigmoid(sums[:, 0])))

    def gradient(self, w: Floats, rows: Any = None) -> tuple[float, Floats]:
        """Return the mean loss and its gradient."""
        if self.probit:
            pull = -self.share * self.sign * self._mills(self.sign * self.sums(w)[:, 0])
        else:
            pull = self.share * (self._chances(w) - 0.5 * (self.sign + 1.0))
        return self.loss(w), self._joined(pull[:, np.newaxis], w)

    def curvature(self, w: Floats) -> Floats:
        """Return the Hessian of the mean loss without the penalty."""
        sums = self.sums(w)[:, 0]
        if self.probit:
            slope = self._mills(self.sign * sums)
            curve = slope * (slope + self.sign * sums)
        else:
            p = self._chances(w)
            curve = p * (1.0 - p)
        weights = self.share * curve
        first = int(self.intercept)
        found = np.zeros((self.n_terms + first,) * 2)
        found[first:, first:] = cross_products(self.z, weights)
        if first:
            found[0, 0] = weights.sum()
            found[0, 1:] = found[1:, 0] = weights @ self.z
        return found

    @staticmethod
    def _mills(margin: Floats) -> Floats:
        """Return φ(margin) / Φ(margin), finite in the tails."""
        from scipy.special import log_ndtr

        return np.asarray(np.exp(-0.5 * np.square(margin) - 0.5 * np.log(2 * np.pi) - log_ndtr(margin)))


class ManyClasses(_Sums):
    """Mean loss -log P(class) of a softmax over classes, plus `ridge` times the sum of squared weights.

    The first class is the reference class without weights, unless all terms have a ridge penalty or
    `reference` is set otherwise.
    """

    is_mean = True

    def __init__(
        self,
        z: Floats,
        codes: Codes,
        n_classes: int,
        weights: Floats,
        ridge: float | Floats,
        intercept: bool,
        reference: bool | None = None,
    ) -> None:
        if reference is None:
            reference = not np.all(np.asarray(ridge) > 0)
        self.first = int(reference)
        super().__init__(z, weights, ridge, intercept, n_classes - self.first)
        self.codes = codes

    def _log_chances(self, w: Floats) -> Floats:
        """Return the log probability of each class for each row."""

        def made(sums: Floats) -> Floats:
            return log_softmax(np.column_stack([np.zeros(self.n_rows), sums]) if self.first else sums)

        return np.asarray(self._of_sums("logs", w, made))

    def loss(self, w: Floats, rows: Any = None) -> float:
        """Return the mean loss."""
        chances = self._log_chances(w)[np.arange(self.n_rows), self.codes]
        return float(-(self.share @ chances)) + self._penalty(w)

    def gradient(self, w: Floats, rows: Any = None) -> tuple[float, Floats]:
        """Return the mean loss and its gradient."""
        pull = np.exp(self._log_chances(w))
        pull[np.arange(self.n_rows), self.codes] -= 1.0
        return self.loss(w), self._joined((pull * self.share[:, np.newaxis])[:, self.first :], w)

    def curvature(self, w: Floats) -> Floats:
        """Return the Hessian of the mean loss without the penalty."""
        p = np.exp(self._log_chances(w))[:, self.first :]
        width = self.n_terms + int(self.intercept)
        found = np.zeros((self.outputs * width,) * 2)
        for a in range(self.outputs):
            for b in range(a, self.outputs):
                block = self._products(self.share * p[:, a] * ((a == b) - p[:, b]))
                rows, columns = slice(a * width, (a + 1) * width), slice(b * width, (b + 1) * width)
                found[rows, columns] = block
                found[columns, rows] = block.T
        if not self.first:  # the loss is invariant to a common shift of all intercepts
            found[::width, ::width] += 1e-8 * np.eye(self.outputs)
        return found


class CountedClasses(ManyClasses):
    """The same objective for rows that hold counts of the classes; counts may be fractional.

    Parameters
    ----------
    z : array of float, shape (rows, terms)
    counts : array of float, shape (rows, classes)
    ridge : float or array of float
    intercept : bool
    """

    def __init__(self, z: Floats, counts: Floats, ridge: float | Floats, intercept: bool) -> None:
        totals = counts.sum(axis=1)
        super().__init__(z, np.zeros(len(z), np.int64), counts.shape[1], totals, ridge, intercept)
        self.counts = counts / totals.sum()

    def loss(self, w: Floats, rows: Any = None) -> float:
        """Return the mean loss."""
        return -float((self.counts * self._log_chances(w)).sum()) + self._penalty(w)

    def gradient(self, w: Floats, rows: Any = None) -> tuple[float, Floats]:
        """Return the mean loss and its gradient."""
        pull = np.exp(self._log_chances(w)) * self.share[:, np.newaxis] - self.counts
        return self.loss(w), self._joined(pull[:, self.first :], w)
