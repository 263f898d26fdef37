"""Directions of descent, each with its memory between updates (Mitchell §4.8.2).

The memory of a direction is a dictionary of arrays, so that a run can be saved and continued.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.optimise.objective import Objective, asked_for

Floats = NDArray[np.float64]
Memory = dict[str, Floats]

PIECE = 8_192
"""Number of weights that Adam processes at a time."""


class Direction:
    """A direction of descent.

    Attributes
    ----------
    name : str
    whole : bool
        Whether it needs gradients over all rows.
    distance : str or None
        Default line search; None if the direction needs a learning rate.
    """

    name: ClassVar[str]
    whole: ClassVar[bool] = True
    distance: ClassVar[str | None] = "exact"

    def start(self, n: int) -> Memory:
        """Return the initial memory for `n` weights."""
        return {}

    def toward(self, objective: Objective, w: Floats, g: Floats, memory: Memory) -> Floats:
        """Return the direction at `w` with gradient `g`; update the memory in place."""
        raise NotImplementedError

    def arrived(self, step: Floats, memory: Memory) -> None:
        """Record the step that was taken."""


class Gradient(Direction):
    """Steepest descent: the negative gradient."""

    name = "gradient"
    whole = False
    distance = None

    def toward(self, objective: Objective, w: Floats, g: Floats, memory: Memory) -> Floats:
        """Return the negative gradient."""
        return -g


class Adam(Direction):
    """Mean gradient divided by its root mean square, both exponentially decaying (Kingma and Ba 2015)."""

    name = "adam"
    whole = False
    distance = None

    def __init__(self, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float = 1e-8) -> None:
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def start(self, n: int) -> Memory:
        """Return moments of zero."""
        return {"first": np.zeros(n), "second": np.zeros(n), "count": np.zeros(1)}

    def toward(self, objective: Objective, w: Floats, g: Floats, memory: Memory) -> Floats:
        """Return the direction from the moments of the gradients so far."""
        memory["count"] += 1.0
        count = memory["count"][0]
        found = np.empty_like(memory["first"])
        # both bias corrections in one factor: a root and a quotient per weight are sufficient
        root = float(np.sqrt(1.0 - self.beta_2**count))
        factor = -root / (1.0 - self.beta_1**count)
        for start in range(0, len(g), PIECE):  # blocks that fit into the cache
            part = slice(start, start + PIECE)
            first, second, own = memory["first"][part], memory["second"][part], g[part]
            first += (1.0 - self.beta_1) * (own - first)
            second += (1.0 - self.beta_2) * (own * own - second)
            scale = np.sqrt(second)
            scale += self.epsilon * root
            np.multiply(first, factor, out=found[part])
            found[part] /= scale
        return found


class Conjugate(Direction):
    """Conjugate gradients: each direction keeps the derivative along the previous one at zero (NN-35).

    It restarts with the negative gradient after as many updates as there are weights, and whenever the
    direction would lead uphill.
    """

    def __init__(self, formula: str) -> None:
        self.name = formula  # type: ignore[misc]

    def start(self, n: int) -> Memory:
        """Return an empty direction and gradient."""
        return {"direction": np.zeros(n), "gradient": np.zeros(n), "count": np.zeros(1)}

    def toward(self, objective: Objective, w: Floats, g: Floats, memory: Memory) -> Floats:
        """Return the negative gradient plus β times the previous direction."""
        before = memory["gradient"]
        size = float(before @ before)
        beta = 0.0
        if size > 0.0 and memory["count"][0] < len(w):
            change = g if self.name == "fletcher-reeves" else g - before
            beta = max(0.0, float(g @ change) / size)
        d = -g + beta * memory["direction"]
        if float(d @ g) >= 0.0 or beta == 0.0:
            d, memory["count"][:] = -g, 0.0
        memory["count"] += 1.0
        memory["direction"][:], memory["gradient"][:] = d, g
        return d


class Newton(Direction):
    """Newton's direction: the negative gradient times the inverse Hessian.

    If the Hessian is not positive definite, its eigenvalues are replaced by their absolute values.
    """

    name = "newton"
    distance = "backtracking"

    def toward(self, objective: Objective, w: Floats, g: Floats, memory: Memory) -> Floats:
        """Return the solution of H d = -g."""
        return newton_step(np.asarray(asked_for(objective, "hessian", self.name)(w), np.float64), g)


def newton_step(hessian: Floats, g: Floats) -> Floats:
    """Return the solution of H d = -g; nonpositive eigenvalues of H are replaced by their absolute values."""
    return newton_solver(hessian)(g)


def newton_solver(hessian: Floats) -> Callable[[Floats], Floats]:
    """Return the function that solves H d = -g for any g, with a single decomposition of H."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    try:
        factor = cho_factor(hessian, lower=True)
        return lambda g: np.asarray(-cho_solve(factor, g))
    except LinAlgError:
        values, vectors = np.linalg.eigh(hessian)
        size = np.maximum(np.abs(values), 1e-10 * max(float(np.abs(values).max(initial=0.0)), 1e-300))
        return lambda g: np.asarray(-vectors @ ((vectors.T @ g) / size))


class Levenberg(Direction):
    """Gauss-Newton direction, damped until the loss decreases (Levenberg 1944, Marquardt 1963).

    The damping shrinks tenfold after a step that lowers the loss, and otherwise grows tenfold until there is
    one.
    """

    name = "levenberg"
    distance = "whole"
    """The damping determines the step size."""

    def start(self, n: int) -> Memory:
        """Return an initial damping of 0.001."""
        return {"damping": np.full(1, 1e-3)}

    def toward(self, objective: Objective, w: Floats, g: Floats, memory: Memory) -> Floats:
        """Return the step with the smallest damping tried that lowers the sum of squares; zero if none does."""
        residuals = asked_for(objective, "residuals", self.name)
        r, jacobian = residuals(w)
        before = float(r @ r)
        square, slope = jacobian.T @ jacobian, jacobian.T @ r
        scale = np.maximum(np.diag(square), 1e-12 * max(float(np.diag(square).max(initial=0.0)), 1e-300))
        while memory["damping"][0] < 1e16:
            step = -np.linalg.solve(square + memory["damping"][0] * np.diag(scale), slope)
            after = residuals(w + step)[0]
            if float(after @ after) < before:
                memory["damping"] /= 10.0
                return np.asarray(step)
            memory["damping"] *= 10.0
        memory["damping"][:] = 1e-3
        return np.zeros(len(w))


class LBFGS(Direction):
    """Quasi-Newton direction from recent steps and gradient changes (L-BFGS; Nocedal 1980)."""

    name = "lbfgs"
    distance = "wolfe"
    pairs = 10

    def start(self, n: int) -> Memory:
        """Return empty pairs and gradient."""
        return {
            "steps": np.zeros((self.pairs, n)),
            "changes": np.zeros((self.pairs, n)),
            "count": np.zeros(1),
            "step": np.zeros(n),
            "gradient": np.zeros(n),
        }

    def toward(self, objective: Objective, w: Floats, g: Floats, memory: Memory) -> Floats:
        """Return the direction by the two-loop recursion; the first step is a short gradient step."""
        self._remember(g, memory)
        count = int(memory["count"][0])
        if not count:
            return -g / max(1.0, float(np.linalg.norm(g)))
        steps, changes = memory["steps"][:count], memory["changes"][:count]
        d, shares = -g, np.zeros(count)
        for place in reversed(range(count)):
            shares[place] = steps[place] @ d / (steps[place] @ changes[place])
            d = d - shares[place] * changes[place]
        d = d * (steps[-1] @ changes[-1]) / (changes[-1] @ changes[-1])
        for place in range(count):
            d = d + (shares[place] - changes[place] @ d / (steps[place] @ changes[place])) * steps[place]
        return np.asarray(d)

    def arrived(self, step: Floats, memory: Memory) -> None:
        """Store the step for the next pair."""
        memory["step"][:] = step

    def _remember(self, g: Floats, memory: Memory) -> None:
        """Add the last step and its gradient change as a pair, if the curvature along it is positive."""
        step, change = memory["step"], g - memory["gradient"]
        memory["gradient"][:] = g
        if not float(step @ change) > 1e-12 * float(change @ change) or not step.any():
            return
        count = int(memory["count"][0])
        if count == self.pairs:
            for kept in (memory["steps"], memory["changes"]):
                kept[:-1] = kept[1:].copy()
            count -= 1
        memory["steps"][count], memory["changes"][count] = step, change
        memory["count"][:] = count + 1


DIRECTIONS: dict[str, Callable[[], Direction]] = {
    "gradient": Gradient,
    "adam": Adam,
    "polak-ribiere": lambda: Conjugate("polak-ribiere"),
    "fletcher-reeves": lambda: Conjugate("fletcher-reeves"),
    "conjugate": lambda: Conjugate("polak-ribiere"),
    "newton": Newton,
    "levenberg": Levenberg,
    "lbfgs": LBFGS,
}


def direction_of(given: str | Direction) -> Direction:
    """Return the direction for a parameter value."""
    if isinstance(given, Direction):
        return given
    if given not in DIRECTIONS:
        raise InputError(f"direction is {given!r}; give one of {', '.join(map(repr, DIRECTIONS))}")
    return DIRECTIONS[given]()
