"""Linear machines as weighted sums of the unscaled columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.ties import largest_first
from induce.data.numeric_view import NumericView
from induce.hypotheses.naming import value_text
from induce.kernels.combinations import Constant, Product, Sum
from induce.kernels.inputs import WIDE, Floats
from induce.kernels.kernel import Kernel
from induce.kernels.vectors import Linear

if TYPE_CHECKING:
    from induce.kernels.kernel_sum import KernelSum
    from induce.kernels.machine import KernelMachine

ON_A_LINE, MOST = 6, 20
"""Maximum number of weights printed as a sum; if there are more, only this many are listed."""


@dataclass(frozen=True, eq=False)
class LinearWeights:
    """f(x) = Σ weight · column + intercept, where a nominal value is a 0/1 indicator.

    Parameters
    ----------
    names : tuple of str
        Name of a column, or ``column = value``.
    weights : array of float
        Change of f per unit.
    intercept : float
    missing : array of float
        Replacement of a missing value in each column: a mean, or the relative frequency of the value.
    scaled : array of float
        Weights of the scaled columns; their absolute values measure importance.
    typical : array of float
        Training mean of each column; for a nominal value, its relative frequency.
    written : tuple of str
        Names as printed, quoted if ambiguous.
    """

    names: tuple[str, ...]
    weights: Floats
    intercept: float
    missing: Floats
    scaled: Floats
    typical: Floats
    written: tuple[str, ...]

    @property
    def strength(self) -> Floats:
        """Importance of each weight: its absolute value for scaled columns."""
        return np.abs(self.scaled)

    def __str__(self) -> str:
        if len(self.names) <= ON_A_LINE:
            named = zip(self.written, self.weights, strict=True)
            terms = [f"{weight:+.4g} {name}" for name, weight in named]
            text = " ".join([*terms, f"{self.intercept:+.4g}"])
            return text.removeprefix("+").replace(" +", " + ").replace(" -", " - ")
        order = largest_first(self.strength)[:MOST]
        lines = [f"{self.weights[i]:>10.4g}  {self.written[i]}" for i in order.tolist()]
        more = [f"and {len(self.names) - MOST:,} of less weight"] if len(self.names) > MOST else []
        return "\n".join([*lines, *more, f"{self.intercept:>10.4g}  always"])


def affine(kernel: Kernel) -> tuple[float, float] | None:
    """Return c and a of a kernel of the form c + a x·z; None for other kernels.

    Examples
    --------
    >>> affine(1 + 2 * Linear())
    (1.0, 2.0)
    """
    match kernel:
        case Linear():
            return 0.0, 1.0
        case Constant(value=value):
            return float(value), 0.0
        case Sum(parts=parts) | Product(parts=parts):
            told = [affine(part) for part in parts]
            known = [each for each in told if each is not None]
            if len(known) < len(told):
                return None
            if isinstance(kernel, Sum):
                return sum(c for c, _ in known), sum(a for _, a in known)
            sloped = [each for each in known if each[1]]
            if len(sloped) > 1:
                return None
            factor = float(np.prod([c for c, a in known if not a]))
            c, a = sloped[0] if sloped else (1.0, 0.0)
            return c * factor, a * factor
    return None


def is_linear(machine: KernelMachine | KernelSum) -> bool:
    """Return whether the scores or predictions of a machine are weighted sums of the columns."""
    votes = any(len(each.survival) for each in getattr(machine, "separators", ()))
    return affine(machine.kernel) is not None and not votes


def linear_weights(
    kernel: Kernel, view: NumericView, vectors: Any, sums: Sequence[tuple[Any, Floats, float]]
) -> tuple[LinearWeights, ...]:
    """Return the weights of the columns for sums over support vectors with a linear kernel.

    Parameters
    ----------
    kernel : Kernel
        Kernel that is `affine`.
    view : NumericView
    vectors : array
        Scaled support vectors.
    sums : sequence of (array of int, array of float, float)
        Indices of the support vectors of each sum, their coefficients, and the constant added.
    """
    form = affine(kernel)
    if form is None:
        raise InputError(f"K = {kernel} has no column weights; use a linear kernel")
    constant, slope = form
    unit, origin = np.ones(len(view.mean)), np.zeros(len(view.mean))
    numeric = [
        column.kind != "nominal"
        for column in view.schema
        for _ in range(len(column.domain) if column.kind == "nominal" else 1)
    ]
    unit[numeric], origin[numeric] = view.scale, view.offset
    # a sparse row has no indicator for a missing value
    missing = view.mean if len(view.mean) <= WIDE else np.where(numeric, view.mean, 0.0)
    written = tuple(
        value_text(column.name) if value is None else f"{value_text(column.name)} = {value_text(value)}"
        for column in view.schema
        for value in (column.domain if column.kind == "nominal" else (None,))
    )
    found = []
    for support, coefficients, added in sums:
        scaled = np.asarray(slope * (coefficients @ vectors[support])).ravel()
        weights = scaled / unit
        intercept = added + constant * float(coefficients.sum()) - float(weights @ origin)
        found.append(
            LinearWeights(
                names=view.quantities,
                weights=weights,
                intercept=intercept,
                missing=missing * unit + origin,
                scaled=scaled,
                typical=view.mean * unit + origin,
                written=written,
            )
        )
    return tuple(found)
