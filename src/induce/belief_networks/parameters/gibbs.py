"""Parameter estimation by Gibbs sampling: missing cells and parameters are drawn in turn (BUGS; AIMA 20,
notes).
"""

from __future__ import annotations

import numpy as np

from induce.belief_networks import _gibbs_loops
from induce.belief_networks.cases import Cases
from induce.belief_networks.factors import Factors, Floats, ends
from induce.belief_networks.parameters.expectation import Expectation
from induce.belief_networks.parameters.search import Hill, Point
from induce.core.errors import InputError
from induce.core.interrupts import interruptible
from induce.core.loops import repeated
from induce.core.notes import note
from induce.core.progress import report
from induce.core.trace import active, emit
from induce.hypotheses.naming import value_text
from induce.statistics.chains import Chains

MOST_KEPT = 2e7
"""Maximum number of values kept for convergence diagnostics."""


def gibbs(
    hill: Hill, cases: Cases, n_chains: int, n_draws: int, rng: np.random.Generator
) -> tuple[Point, Chains]:
    """Return the posterior mean of the parameters, and the chains that estimate it.

    Alternately, each missing cell is drawn given the rest of its row, and each table row from its Dirichlet
    posterior given the completed rows. Burn-in lasts half as many draws as are kept.
    """
    if hill.compact_nodes:
        name = hill.families.schema.columns[hill.compact_nodes[0]].name
        raise InputError(f"Gibbs sampling needs tables, but {name!r} has none; use method='em'")
    if not (hill.alpha > 0).all():
        raise InputError("Gibbs sampling needs a prior without zeros; give an alpha above 0")
    factors = hill.expectation.factors
    kept = _kept(hill, factors, n_chains * n_draws)
    burn_in = n_draws // 2
    total, found = np.zeros(len(factors.tables)), 0
    runs: list[Floats] = []
    with interruptible(runs, "chains"):
        for number, stream in enumerate(rng.spawn(n_chains)):
            walk = _Walk(hill, cases, stream)
            draws = np.empty((n_draws, len(kept) + 1))
            for draw in range(-burn_in, n_draws):
                log = walk.step()
                if draw >= 0:
                    draws[draw, 0], draws[draw, 1:] = log, walk.tables[kept]
                    total += walk.mean()
                    found += 1
                if active("gibbs"):
                    emit("gibbs", chain=number, draw=draw, log_likelihood=log)
                report((number + (draw + burn_in) / (n_draws + burn_in)) / n_chains)
            runs.append(draws)
    names = ("log probability of the completed rows", *(_cell_name(hill, int(k)) for k in kept))
    chains = Chains(names, np.array(runs))
    if not chains.converged:
        note(
            f"the chains have not converged (R-hat {chains.r_hat.max():.3g}); increase max_iter. "
            "Chains that permute the values of a hidden node never agree"
        )
    return Point(total / found, {}), chains


class _Walk:
    """One chain: completed rows, their counts, and tables."""

    def __init__(self, hill: Hill, cases: Cases, rng: np.random.Generator) -> None:
        self.hill, self.rng, self.factors = hill, rng, hill.expectation.factors
        rows, variables = np.nonzero(cases.codes < 0)
        self.codes = cases.codes.copy()
        sizes = self.factors.sizes[variables]
        self.codes[rows, variables] = (rng.random(len(rows)) * sizes).astype(np.int32)
        scopes = [self.factors.scope(f) for f in range(len(self.factors))]
        completed = Cases.of(cases.schema, self.codes, weights=cases.weights)
        self.counts = np.concatenate([table.reshape(-1) for table in completed.counts(scopes)])
        owners = np.repeat(np.arange(len(self.factors)), np.diff(self.factors.starts))
        by_variable = np.argsort(self.factors.scopes, kind="stable")
        begins = ends(np.bincount(self.factors.scopes, minlength=len(self.factors.sizes)))
        self._cells = rows.astype(np.int64), variables.astype(np.int64), cases.weights
        self._model = (
            *(self.factors.sizes, self.factors.starts, self.factors.scopes, self.factors.strides),
            *(self.factors.offsets, begins, owners[by_variable], self.factors.strides[by_variable]),
        )
        self.tables = self._drawn()

    def step(self) -> float:
        """Draw the missing cells, then the tables; return the log probability of the completed rows."""
        rows, variables, weights = self._cells
        uniforms = self.rng.random(len(rows))
        sweep = repeated(_gibbs_loops.sweep, 100 * len(rows))
        sweep(self.codes, rows, variables, weights, uniforms, *self._model, self.tables, self.counts)
        self.tables = self._drawn()
        return float(self.counts @ np.log(np.maximum(self.tables, 1e-300)))

    def mean(self) -> Floats:
        """Return the posterior mean of the tables given the completed rows."""
        return self.hill.normalised(np.maximum(self.counts, 0.0) + self.hill.alpha)

    def _drawn(self) -> Floats:
        gammas = self.rng.standard_gamma(np.maximum(self.counts, 0.0) + self.hill.alpha)
        return self.hill.normalised(np.maximum(gammas, 1e-300))


def _kept(hill: Hill, factors: Factors, draws: int) -> np.ndarray:
    """Return the cells whose draws are kept: cells of families with missing values, if there are few enough."""
    touched = np.zeros(len(factors), np.bool_)
    assert isinstance(hill.expectation, Expectation)
    opened = np.any(hill.expectation.parts.rows < 0, axis=0)
    for f in range(len(factors)):
        touched[f] = any(opened[k] for k in factors.scope(f))
    cells = np.flatnonzero(np.repeat(touched, np.diff(factors.offsets)))
    return cells if len(cells) * draws <= MOST_KEPT else np.empty(0, np.int64)


def _cell_name(hill: Hill, cell: int) -> str:
    """Return the name of a cell as a conditional probability."""
    factors, schema = hill.expectation.factors, hill.families.schema
    f = int(np.searchsorted(factors.offsets, cell, side="right")) - 1
    codes = np.unravel_index(cell - int(factors.offsets[f]), factors.shape(f))
    said = [
        f"{value_text(schema.columns[k].name)} = {value_text(schema.columns[k].domain[code])}"
        for k, code in zip(factors.scope(f), codes, strict=True)
    ]
    return f"P({said[-1]}{' | ' if len(said) > 1 else ''}{', '.join(said[:-1])})"
