"""Objectives for the tests: half the sum of squared errors of a linear unit, and Rosenbrock's valley."""

import numpy as np


class LinearUnit:
    """E(w) = ½ Σ (t - w·x)², with x0 = 1 (Mitchell eq. 4.2)."""

    def __init__(self, X, t):
        self.X = np.column_stack([np.ones(len(X)), X])
        self.t = np.asarray(t, float)
        self.n_rows, self.n_parameters = self.X.shape

    def loss(self, w, rows=None):
        return self.gradient(w, rows)[0]

    def gradient(self, w, rows=None):
        chosen = slice(None) if rows is None else rows
        error = self.X[chosen] @ w - self.t[chosen]
        return 0.5 * float(error @ error), self.X[chosen].T @ error

    def hessian(self, w):
        return self.X.T @ self.X

    def residuals(self, w):
        return self.X @ w - self.t, self.X


class PassingUnit(LinearUnit):
    """The same with a pass of its own."""

    calls = 0

    def epoch(self, w, memory, order, rates, momentum):
        self.calls += 1
        total = 0.0
        for row, rate in zip(order, rates, strict=True):
            error = float(self.X[row] @ w - self.t[row])
            total += 0.5 * error * error
            memory[:] = rate * (-error * self.X[row]) + momentum * memory
            w += memory
        return total


class Rosenbrock:
    """(1 - a)² + 100 (b - a²)² as half a sum of squares."""

    n_parameters, n_rows = 2, 1

    def residuals(self, w):
        a, b = w
        root = np.sqrt(2.0)
        return root * np.array([1 - a, 10 * (b - a * a)]), root * np.array([[-1.0, 0.0], [-20 * a, 10.0]])

    def loss(self, w, rows=None):
        r, _ = self.residuals(w)
        return 0.5 * float(r @ r)

    def gradient(self, w, rows=None):
        r, jacobian = self.residuals(w)
        return 0.5 * float(r @ r), jacobian.T @ r

    def hessian(self, w):
        a, b = w
        return np.array([[2 - 400 * (b - 3 * a * a), -400 * a], [-400 * a, 200.0]])


def grid():
    """The 25 points of O-4.6 with the target +1 iff -2 + x1 + 2 x2 > 0."""
    X = np.array([(a, b) for a in range(-2, 3) for b in range(-2, 3)], float)
    return X, np.where(-2 + X[:, 0] + 2 * X[:, 1] > 0, 1.0, -1.0)
