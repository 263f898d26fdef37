"""Kernels composed of kernels: sums, products, constants, and cosine normalisation."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.hypotheses.naming import number_text
from induce.kernels.inputs import Array, Floats, Inputs, plain_inputs
from induce.kernels.kernel import VECTORS, Kernel, count


@dataclass(frozen=True)
class Constant(Kernel):
    """K(x, z) = value: useless alone, but a constant in sums and products.

    Parameters
    ----------
    value : float
        Value of the kernel for all pairs of rows; at least 0.

    Examples
    --------
    >>> from induce.kernels import Linear
    >>> print(1 + 2 * Linear())
    1 + 2 x·z
    """

    value: float

    def __post_init__(self) -> None:
        if not isinstance(self.value, int | float) or not 0 <= self.value < math.inf:
            raise InputError(f"value is {self.value!r}; give a number of at least 0")

    def prepare(self, inputs: Inputs) -> Any:
        return np.zeros(len(inputs), np.int8)

    def between(self, a: Any, b: Any) -> Array:
        return np.full((count(a), count(b)), float(self.value))

    def own(self, a: Any) -> Floats:
        return np.full(count(a), float(self.value))

    def doubtful(self) -> bool:
        return True

    def features(self, X: Any) -> Floats:
        return np.full((len(plain_inputs(X)[0]), 1), math.sqrt(self.value))

    def dimension(self, n_inputs: int) -> float:
        return 1

    def __str__(self) -> str:
        return number_text(self.value)


@dataclass(frozen=True)
class Combination(Kernel):
    """Base of sums and products of kernels.

    Parameters
    ----------
    parts : tuple of Kernel
    """

    parts: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        if not self.parts or not all(isinstance(part, Kernel) for part in self.parts):
            raise InputError(f"parts is {self.parts!r}; give a tuple of kernels")

    def needs(self) -> frozenset[str]:
        told = [part.needs() for part in self.parts if not isinstance(part, Constant)]
        return frozenset().union(*told) if told else frozenset([VECTORS])

    def prepare(self, inputs: Inputs) -> Any:
        return tuple(part.prepare(inputs) for part in self.parts)

    def settled(self, inputs: Inputs, weights: Floats | None = None) -> Kernel:
        return replace(self, parts=tuple(part.settled(inputs, weights) for part in self.parts))

    def single(self, inputs: Inputs) -> bool:
        return all(part.single(inputs) for part in self.parts)

    def doubtful(self) -> bool:
        others = [part for part in self.parts if not isinstance(part, Constant)]
        return not others or any(part.doubtful() for part in others)

    def _each(self, a: Any, b: Any) -> list[Array]:
        return [part.between(p, q) for part, p, q in zip(self.parts, a, b, strict=True)]


@dataclass(frozen=True)
class Sum(Combination):
    """K1 + K2 + …: the concatenated features of all kernels.

    Parameters
    ----------
    parts : tuple of Kernel
        Summands.

    Examples
    --------
    >>> from induce.kernels import Gaussian, Linear
    >>> (Linear() + Gaussian(0.5))([[0.0], [1.0]]).round(2).tolist()
    [[1.0, 0.61], [0.61, 2.0]]
    """

    def between(self, a: Any, b: Any) -> Array:
        return np.asarray(reduce(np.add, self._each(a, b)))

    def own(self, a: Any) -> Floats:
        return np.asarray(
            reduce(np.add, [part.own(each) for part, each in zip(self.parts, a, strict=True)]), np.float64
        )

    def features(self, X: Any) -> Floats:
        return np.hstack([part.features(X) for part in self.parts])

    def dimension(self, n_inputs: int) -> float:
        return sum(part.dimension(n_inputs) for part in self.parts)

    def __str__(self) -> str:
        return " + ".join(map(str, self.parts))


@dataclass(frozen=True)
class Product(Combination):
    """K1 K2 …: the products of the features of all kernels.

    Parameters
    ----------
    parts : tuple of Kernel
        Factors of the product.

    Examples
    --------
    >>> from induce.kernels import Linear
    >>> (Linear() * Linear())([[1.0, 2.0]], [[3.0, -1.0]]).tolist()
    [[1.0]]
    """

    def between(self, a: Any, b: Any) -> Array:
        return np.asarray(reduce(np.multiply, self._each(a, b)))

    def own(self, a: Any) -> Floats:
        return np.asarray(
            reduce(np.multiply, [part.own(each) for part, each in zip(self.parts, a, strict=True)]),
            np.float64,
        )

    def features(self, X: Any) -> Floats:
        lots = [part.features(X) for part in self.parts]
        return np.asarray(
            reduce(lambda f, g: (f[:, :, np.newaxis] * g[:, np.newaxis]).reshape(len(f), -1), lots)
        )

    def dimension(self, n_inputs: int) -> float:
        return math.prod(part.dimension(n_inputs) for part in self.parts)

    def __str__(self) -> str:
        return " ".join(f"({part})" if isinstance(part, Sum) else str(part) for part in self.parts)


@dataclass(frozen=True)
class Normalised(Kernel):
    """K(x, z) / sqrt(K(x, x) K(z, z)); 0 if a row has no features.

    Parameters
    ----------
    kernel : Kernel
        Kernel to be normalised.

    Examples
    --------
    >>> from induce.kernels import Linear
    >>> Linear().normalised()([[3.0, 0.0]], [[1.0, 1.0]]).round(4).tolist()
    [[0.7071]]
    """

    kernel: Kernel

    def needs(self) -> frozenset[str]:
        return self.kernel.needs()

    def prepare(self, inputs: Inputs) -> Any:
        prepared = self.kernel.prepare(inputs)
        own = self.kernel.own(prepared)
        with np.errstate(divide="ignore"):
            return prepared, np.where(own > 0, 1.0 / np.sqrt(np.maximum(own, 0.0)), 0.0)

    def between(self, a: Any, b: Any) -> Array:
        return np.asarray(self.kernel.between(a[0], b[0]) * a[1][:, np.newaxis] * b[1])

    def own(self, a: Any) -> Floats:
        return np.asarray(a[1] > 0, np.float64)

    def settled(self, inputs: Inputs, weights: Floats | None = None) -> Kernel:
        return replace(self, kernel=self.kernel.settled(inputs, weights))

    def doubtful(self) -> bool:
        return self.kernel.doubtful()

    def features(self, X: Any) -> Floats:
        raw = self.kernel.features(X)
        length = np.linalg.norm(raw, axis=1, keepdims=True)
        return np.asarray(np.divide(raw, length, out=np.zeros_like(raw), where=length > 0))

    def dimension(self, n_inputs: int) -> float:
        return self.kernel.dimension(n_inputs)

    def __str__(self) -> str:
        return f"{self.kernel}, normalised"


def summed(one: Kernel | float, other: Kernel | float) -> Kernel:
    """Return the sum of two kernels; one may be a number."""
    return Sum((*_terms(_kernel(one), Sum), *_terms(_kernel(other), Sum)))


def multiplied(one: Kernel | float, other: Kernel | float) -> Kernel:
    """Return the product of two kernels; one may be a number."""
    return Product((*_terms(_kernel(one), Product), *_terms(_kernel(other), Product)))


def _terms(kernel: Kernel, kind: type[Combination]) -> tuple[Kernel, ...]:
    return kernel.parts if isinstance(kernel, kind) else (kernel,)


def _kernel(other: Any) -> Kernel:
    if isinstance(other, Kernel):
        return other
    if isinstance(other, int | float):
        return Constant(other)
    raise TypeError(f"a kernel cannot be combined with {other!r}; give a kernel or a number of at least 0")
