"""Convergence diagnostics of Markov chains: R-hat and effective sample size (Gelman and Rubin 1992)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import first_largest, first_smallest, largest_first

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

CONVERGED = 1.05
"""Maximum R-hat of converged chains."""
MOST_DRAWN = 3


@dataclass(frozen=True, eq=False)
class Chains:
    """The draws of several independent chains.

    Parameters
    ----------
    names : tuple of str
        Names of the drawn quantities.
    draws : array of float64, shape (chains, draws, quantities)
        Draws after the burn-in.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> chains = Chains(("a",), rng.normal(size=(4, 500, 1)))
    >>> bool(chains.r_hat[0] < 1.02), bool(1500 < chains.effective_size[0] <= 2000)
    (True, True)
    """

    names: tuple[str, ...]
    draws: Floats

    @cached_property
    def _halves(self) -> Floats:
        """Halves of the chains, treated as chains: the halves of a drifting chain disagree."""
        half = self.draws.shape[1] // 2
        return np.concatenate([self.draws[:, :half], self.draws[:, half : 2 * half]])

    @cached_property
    def r_hat(self) -> Floats:
        """Ratio of the spread of all draws to the spread within chains, for each quantity; 1 if the chains agree."""
        parts = self._halves
        n = parts.shape[1]
        within = parts.var(axis=1, ddof=1).mean(axis=0)
        between = parts.mean(axis=1).var(axis=0, ddof=1)
        still = within <= 1e-300
        ratio = np.where(still, 0.0, between / np.where(still, 1.0, within))
        found = np.sqrt((n - 1) / n + ratio)
        return np.where(still, np.where(between > 0, np.inf, 1.0), np.maximum(found, 1.0))

    @cached_property
    def effective_size(self) -> Floats:
        """Effective sample size of each quantity: the number of independent draws with the same information.

        Autocorrelations are summed in pairs as long as the sums are positive and decreasing (Geyer 1992).
        """
        parts = self._halves
        m, n, _ = parts.shape
        gaps = parts - parts.mean(axis=1, keepdims=True)
        spectrum = np.fft.rfft(gaps, 2 * n, axis=1)
        covariance = np.fft.irfft(np.abs(spectrum) ** 2, 2 * n, axis=1)[:, :n] / n
        within = covariance[:, 0].mean(axis=0) * n / max(n - 1, 1)
        total = within * (n - 1) / n + parts.mean(axis=1).var(axis=0, ddof=1)
        still = total <= 1e-300
        rho = 1 - (within - covariance.mean(axis=0)) / np.where(still, 1.0, total)
        pairs = rho[: 2 * (n // 2)].reshape(n // 2, 2, -1).sum(axis=1)
        pairs = np.minimum.accumulate(np.maximum(pairs, 0.0), axis=0)
        time = np.maximum(2 * pairs.sum(axis=0) - 1, 1e-12)
        return np.where(still, float(m * n), np.minimum(m * n / time, m * n))

    @property
    def converged(self) -> bool:
        """Whether the chains agree on every quantity."""
        return bool((self.r_hat <= CONVERGED).all())

    def __str__(self) -> str:
        m, n, k = self.draws.shape
        worst = first_largest(self.r_hat)
        least = first_smallest(self.effective_size)
        return (
            f"{m} chains of {n:,} draws of {k:,} quantities: R-hat at most {self.r_hat[worst]:.3f} "
            f"({self.names[worst]}), effective size at least {self.effective_size[least]:,.0f} ({self.names[least]})"
        )

    def draw(self) -> Figure:
        """Draw the chains of the quantities on which they agree least."""
        from matplotlib.figure import Figure

        from induce.pictures.style import PALETTE, tidy

        worst = largest_first(self.r_hat)[:MOST_DRAWN]
        figure = Figure(figsize=(7.0, 1.2 + 1.5 * len(worst)), layout="constrained")
        rows = figure.subplots(len(worst), 1, sharex=True, squeeze=False)[:, 0]
        for axes, k in zip(rows, worst.tolist(), strict=True):
            for number, chain in enumerate(self.draws[:, :, k]):
                axes.plot(chain, color=PALETTE[number % len(PALETTE)], lw=0.7)
            axes.set_title(
                f"{self.names[k]}: R-hat {self.r_hat[k]:.3f}, effective size {self.effective_size[k]:,.0f}",
                loc="left",
                fontsize=9,
            )
            tidy(axes)
        rows[-1].set_xlabel("draw")
        return figure
