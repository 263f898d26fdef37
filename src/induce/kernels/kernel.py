"""Kernels: functions of two rows that are dot products in a space of features (AIMA 18.9.2).

A kernel is a value: it prints, a model file holds it, and ``+`` and ``*`` make new ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.hypotheses.naming import number_text
from induce.kernels.inputs import Array, Floats, Inputs, plain_inputs

VECTORS, COLUMNS, THINGS = "vectors", "columns", "things"
"""What a kernel compares: rows as vectors of numbers, columns of a table with holes, or texts and terms."""


class Kernel:
    """A function K(x, z) of two rows.

    Subclasses turn rows into what they compare (`prepare`), and give the matrix of K between two prepared lots
    (`between`).
    """

    def needs(self) -> frozenset[str]:
        """Return which parts of the inputs it compares."""
        return frozenset([VECTORS])

    def prepare(self, inputs: Inputs) -> Any:
        """Return what is compared of each row: an array, a list, or a tuple of such, one entry for each row."""
        raise NotImplementedError

    def between(self, a: Any, b: Any) -> Array:
        """Return K of each prepared row of `a` with each of `b`."""
        raise NotImplementedError

    def own(self, a: Any) -> Floats:
        """Return K of each prepared row with itself."""
        n = count(a)
        parts = [np.diagonal(self.between(take(a, part), take(a, part))) for part in _parts(n, 50)]
        return np.concatenate(parts).astype(np.float64) if parts else np.empty(0)

    def settled(self, inputs: Inputs, weights: Floats | None = None) -> Kernel:
        """Return the kernel with what follows from training rows, such as a width, filled in."""
        return self

    def single(self, inputs: Inputs) -> bool:
        """Say whether numbers of single precision are good enough for these rows."""
        return False

    def doubtful(self) -> bool:
        """Say whether nothing promises that it is a dot product that tells rows apart."""
        return False

    def features(self, X: Any) -> Floats:
        """Return the features F(x) of each row, for which K(x, z) = F(x)·F(z)."""
        raise InputError(f"{self} has no list of features here; use the kernel itself")

    def dimension(self, n_inputs: int) -> float:
        """Return how many features a row of so many numbers has."""
        raise InputError(f"the features of {self} are not counted by numbers of inputs")

    def python(self) -> str:
        """Return K as a Python expression of two lists `x` and `z`."""
        raise InputError(f"{self} has no form in Python; save the machine with induce.save")

    def normalised(self) -> Kernel:
        """Return K(x, z) / sqrt(K(x, x) K(z, z)), the cosine in the space of features."""
        return Normalised(self)

    def __call__(self, A: Any, B: Any = None) -> Floats:
        """Return the matrix of K between the rows of `A` and those of `B`, or of `A`: the Gram matrix.

        Parameters
        ----------
        A, B : array, frame, or sequence of strings or terms
            Numbers are taken as they are; nominal values become indicators.
        """
        inputs, like = plain_inputs(A)
        kernel = self.settled(inputs)
        a = kernel.prepare(inputs)
        b = a if B is None else kernel.prepare(plain_inputs(B, like)[0])
        return np.asarray(kernel.between(a, b), np.float64)

    def __add__(self, other: Kernel | float) -> Kernel:
        return Sum((*_terms(self, Sum), *_terms(_kernel(other), Sum)))

    def __radd__(self, other: float) -> Kernel:
        return _kernel(other) + self

    def __mul__(self, other: Kernel | float) -> Kernel:
        return Product((*_terms(self, Product), *_terms(_kernel(other), Product)))

    def __rmul__(self, other: float) -> Kernel:
        return _kernel(other) * self


@dataclass(frozen=True)
class Constant(Kernel):
    """K(x, z) = value: by itself it tells nothing apart, in sums and products it is a number.

    Examples
    --------
    >>> from induce.kernels import Linear
    >>> print(1 + 2 * Linear())
    1 + 2 x·z
    """

    value: float

    def __post_init__(self) -> None:
        if not isinstance(self.value, int | float) or not 0 <= self.value < math.inf:
            raise InputError(f"value is {self.value!r}; it must be a number of at least 0")

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

    def python(self) -> str:
        return repr(float(self.value))

    def __str__(self) -> str:
        return number_text(self.value)


@dataclass(frozen=True)
class Combination(Kernel):
    """What sums and products of kernels share.

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
    """K1 + K2 + …: the features of all, side by side.

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

    def python(self) -> str:
        return " + ".join(part.python() for part in self.parts)

    def __str__(self) -> str:
        return " + ".join(map(str, self.parts))


@dataclass(frozen=True)
class Product(Combination):
    """K1 K2 …: the products of the features of all.

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

    def python(self) -> str:
        return " * ".join(f"({part.python()})" for part in self.parts)

    def __str__(self) -> str:
        return " ".join(f"({part})" if isinstance(part, Sum) else str(part) for part in self.parts)


@dataclass(frozen=True)
class Normalised(Kernel):
    """K(x, z) / sqrt(K(x, x) K(z, z)); 0 where a row has no features.

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


@dataclass(frozen=True)
class Function(Kernel):
    """Any function as a kernel. A model file cannot hold it.

    Parameters
    ----------
    function : callable
        Gives K(x, z) for two rows, arrays of numbers or two things; or, if it takes `whole` matrices as
        scikit-learn's kernels do, the matrix of K between their rows.
    whole : bool

    Examples
    --------
    >>> Function(lambda x, z: min(x[0], z[0]))([[1.0], [2.0]]).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """

    function: Callable[[Any, Any], Any]
    whole: bool = False

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InputError(f"function is {self.function!r}; give a function of two rows")

    def doubtful(self) -> bool:
        return True

    def prepare(self, inputs: Inputs) -> Any:
        if inputs.things:
            return list(inputs.things[0])
        return inputs.vectors

    def between(self, a: Any, b: Any) -> Array:
        if self.whole:
            found = np.asarray(self.function(a, b), np.float64)
            if found.shape != (count(a), count(b)):
                raise InputError(
                    f"the kernel gave an array of shape {found.shape} for {count(a)} and {count(b)} rows; "
                    "give a number for each pair of rows"
                )
        else:
            found = np.array([[self._number(x, z) for z in b] for x in a]).reshape(count(a), count(b))
        if not np.isfinite(found).all():
            raise InputError("the kernel gave NaN or infinity for two rows; it must be a finite number")
        return found

    def _number(self, x: Any, z: Any) -> float:
        try:
            return float(self.function(x, z))
        except (TypeError, ValueError) as problem:
            raise InputError(
                f"the kernel gave no number for two rows ({problem}); it takes two rows and gives one number, or "
                "two matrices if it is Function(…, whole=True)"
            ) from None

    def __str__(self) -> str:
        return getattr(self.function, "__name__", "a function")


def take(prepared: Any, index: Any) -> Any:
    """Return some of the prepared rows."""
    if isinstance(prepared, tuple):
        return tuple(take(part, index) for part in prepared)
    if isinstance(prepared, list):
        return [prepared[i] for i in np.arange(len(prepared))[index].tolist()]
    return prepared[index]


def count(prepared: Any) -> int:
    """Return how many rows were prepared."""
    while isinstance(prepared, tuple):
        prepared = prepared[0]
    return len(prepared) if isinstance(prepared, list) else int(prepared.shape[0])


def _parts(n: int, size: int) -> list[slice]:
    return [slice(start, start + size) for start in range(0, n, size)]


def _terms(kernel: Kernel, kind: type[Combination]) -> tuple[Kernel, ...]:
    return kernel.parts if isinstance(kernel, kind) else (kernel,)


def _kernel(other: Any) -> Kernel:
    if isinstance(other, Kernel):
        return other
    if isinstance(other, int | float):
        return Constant(other)
    raise TypeError(f"a kernel cannot be combined with {other!r}; give a kernel or a number of at least 0")
