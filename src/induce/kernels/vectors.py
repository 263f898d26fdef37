"""Kernels of numeric vectors: linear, polynomial, Gaussian."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.hypotheses.naming import number_text
from induce.kernels.inputs import Array, Floats, Inputs, plain_inputs
from induce.kernels.kernel import Kernel

SINGLE = 100.0
"""Maximum squared norm of scaled vectors for which single precision gives a Gaussian to at least five digits."""
MOST_FEATURES = 1_000_000


@dataclass(frozen=True)
class Linear(Kernel):
    """K(x, z) = x·z: the separator is a hyperplane in the input space.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, -1.0]]).tolist()
    [[1.0]]
    """

    def prepare(self, inputs: Inputs) -> Any:
        return inputs.vectors

    def between(self, a: Any, b: Any) -> Array:
        return products(a, b)

    def own(self, a: Any) -> Floats:
        return squares(a)

    def single(self, inputs: Inputs) -> bool:
        return True

    def features(self, X: Any) -> Floats:
        return np.asarray(_vectors(X), np.float64)

    def dimension(self, n_inputs: int) -> float:
        return n_inputs

    def __str__(self) -> str:
        return "x·z"


@dataclass(frozen=True)
class Polynomial(Kernel):
    """K(x, z) = (offset + gamma x·z)^degree: all products of up to `degree` inputs (AIMA 18.9.2).

    The features of n inputs are C(n + degree, degree) products, not exponentially many as the book says. With
    an offset of 0 they are only the C(n + degree - 1, degree) products of exactly `degree` inputs.

    Parameters
    ----------
    degree : int
        Degree of the polynomial.
    offset : float
        Constant added to the dot product; at least 0.
    gamma : float, optional
        Factor of the dot product; None uses 1 over the number of columns times their variance in training.

    Examples
    --------
    >>> square = Polynomial(2, offset=0)
    >>> square([[1.0, 2.0]], [[3.0, -1.0]]).tolist(), square.features([[1.0, 2.0]]).round(4).tolist()
    ([[1.0]], [[1.0, 4.0, 2.8284]])
    >>> Polynomial(3).dimension(10), Polynomial(2).dimension(400)
    (286, 80601)
    """

    degree: int = 2
    offset: float = 1.0
    gamma: float | None = 1.0

    def __post_init__(self) -> None:
        at_least("degree", self.degree, 1, whole=True)
        at_least("offset", self.offset, 0)
        _check_gamma(self.gamma)

    def prepare(self, inputs: Inputs) -> Any:
        return inputs.vectors

    def between(self, a: Any, b: Any) -> Array:
        with np.errstate(over="ignore"):
            found = products(a, b)
            found *= _known(self.gamma, self)
            found += self.offset
            return found**self.degree

    def own(self, a: Any) -> Floats:
        with np.errstate(over="ignore"):
            return np.asarray((self.offset + _known(self.gamma, self) * squares(a)) ** self.degree)

    def settled(self, inputs: Inputs, weights: Floats | None = None) -> Kernel:
        return self if self.gamma is not None else replace(self, gamma=gamma_of(inputs.vectors, weights))

    def single(self, inputs: Inputs) -> bool:
        return True

    def features(self, X: Any) -> Floats:
        x = np.asarray(_vectors(X), np.float64)
        if self.dimension(x.shape[1]) > MOST_FEATURES:
            raise InputError(f"{self} has {self.dimension(x.shape[1]):,} features; use the kernel itself")
        found = [
            math.sqrt(factor) * np.prod(x[:, list(monomial)], axis=1)
            for monomial, factor in self._monomials(x.shape[1])
        ]
        return np.column_stack(found)

    def feature_names(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the product of inputs of each feature, without its factor.

        Examples
        --------
        >>> Polynomial(2, offset=0).feature_names(("x1", "x2"))
        ('x1²', 'x2²', 'x1 x2')
        """
        return tuple(
            " ".join(f"{names[i]}{power_text(times)}" for i, times in Counter(monomial).items()) or "1"
            for monomial, _ in self._monomials(len(names))
        )

    def dimension(self, n_inputs: int) -> float:
        return math.comb(n_inputs + self.degree - (0 if self.offset else 1), self.degree)

    def _monomials(self, n: int) -> list[tuple[tuple[int, ...], float]]:
        """Return the products of inputs and their factors in K, powers of single inputs first."""
        found = []
        for size in range(0 if self.offset else self.degree, self.degree + 1):
            outside = math.comb(self.degree, size) * self.offset ** (self.degree - size)
            for monomial in combinations_with_replacement(range(n), size):
                ways = math.factorial(size) / math.prod(map(math.factorial, Counter(monomial).values()))
                found.append((monomial, outside * ways * _known(self.gamma, self) ** size))
        return sorted(found, key=lambda each: (len(each[0]), len(set(each[0]))))

    def __str__(self) -> str:
        factor = "" if self.gamma == 1 else "gamma " if self.gamma is None else f"{self.gamma:.4g} "
        inner = f"{factor}x·z" if not self.offset else f"{number_text(self.offset)} + {factor}x·z"
        return f"({inner}){power_text(self.degree)}"


@dataclass(frozen=True)
class Gaussian(Kernel):
    """K(x, z) = exp(-gamma |x - z|²), with infinitely many features.

    Parameters
    ----------
    gamma : float, optional
        Inverse width 1 / (2 width²); None uses 1 over the number of columns times their variance (scikit-learn's
        "scale").

    Examples
    --------
    >>> Gaussian(0.5)([[0.0]], [[0.0], [1.0], [2.0]]).round(4).tolist()
    [[1.0, 0.6065, 0.1353]]
    """

    gamma: float | None = None

    def __post_init__(self) -> None:
        _check_gamma(self.gamma)

    def prepare(self, inputs: Inputs) -> Any:
        """Return vectors extended by their squared norm and by 1, so that a single matrix product gives the
        exponent.
        """
        gamma = _known(self.gamma, self)
        x = inputs.vectors * math.sqrt(2 * gamma)
        square = -0.5 * squares(x)
        if not isinstance(x, np.ndarray):
            return x, square
        return np.column_stack([x, square.astype(x.dtype), np.ones(len(x), x.dtype)])

    def between(self, a: Any, b: Any) -> Array:
        if isinstance(a, tuple):
            exponent = products(a[0], b[0]) + a[1][:, np.newaxis] + b[1]
        else:
            exponent = np.hstack([a[:, :-2], a[:, :-3:-1]]) @ b.T
        np.minimum(exponent, 0.0, out=exponent)
        return np.asarray(np.exp(exponent, out=exponent))

    def own(self, a: Any) -> Floats:
        return np.ones(len(a[1]) if isinstance(a, tuple) else len(a))

    def settled(self, inputs: Inputs, weights: Floats | None = None) -> Kernel:
        return self if self.gamma is not None else Gaussian(gamma_of(inputs.vectors, weights))

    def single(self, inputs: Inputs) -> bool:
        largest = float(squares(inputs.vectors).max(initial=0.0))
        return _known(self.gamma, self) * largest <= SINGLE

    def dimension(self, n_inputs: int) -> float:
        return math.inf

    def __str__(self) -> str:
        return f"exp(-{'gamma' if self.gamma is None else f'{self.gamma:.4g}'} |x - z|²)"


def gamma_of(vectors: Any, weights: Floats | None = None) -> float:
    """Return 1 over the number of columns times the variance of all numbers; 1 if they are constant.

    Examples
    --------
    >>> gamma_of(np.array([[0.0, 2.0], [2.0, 0.0]]))
    0.5
    """
    weight = np.ones(vectors.shape[0]) if weights is None else weights
    cells = weight.sum() * vectors.shape[1]
    if not cells:
        return 1.0
    mean = float(weight @ np.asarray(vectors.sum(axis=1, dtype=np.float64)).ravel()) / cells
    variance = float(weight @ squares(vectors)) / cells - mean**2
    # a constant column leaves a rounding error
    return float(1.0 / (vectors.shape[1] * variance)) if variance > 1e-12 * mean**2 else 1.0


def products(a: Any, b: Any) -> Array:
    """Return the dot products of the rows of two matrices, which may be sparse."""
    found = a @ b.T
    return found if isinstance(found, np.ndarray) else np.asarray(found.toarray())


def squares(a: Any) -> Floats:
    """Return the dot product of each row with itself."""
    if isinstance(a, np.ndarray):
        return np.asarray(np.einsum("ij,ij->i", a, a, dtype=np.float64))
    return np.asarray(a.multiply(a).sum(axis=1), np.float64).ravel()


def _vectors(X: Any) -> Any:
    return plain_inputs(X)[0].vectors


def _known(gamma: float | None, kernel: Kernel) -> float:
    if gamma is None:
        raise InputError(
            f"{kernel} has no gamma yet; give one, or train a machine, which infers it from the rows"
        )
    return gamma


def _check_gamma(gamma: Any) -> None:
    if gamma is not None and not (isinstance(gamma, int | float | np.number) and 0 < gamma < math.inf):
        raise InputError(f"gamma is {gamma!r}; give a number above 0, or None to infer it from the rows")


def power_text(times: int) -> str:
    """Format an exponent; empty for 1."""
    return "" if times == 1 else str(times).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
