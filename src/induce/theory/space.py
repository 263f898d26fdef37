"""Hypothesis spaces, described by size and VC dimension (Mitchell §7.3-7.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.theory.checks import finite

MOST_DIGITS = 15
LN2, LN3 = math.log(2), math.log(3)


@dataclass(frozen=True)
class Space:
    """A hypothesis space, described by its size and VC dimension.

    Parameters
    ----------
    name : str
        Name of the space, for printing.
    ln_size : float
        Natural logarithm of the number of hypotheses, or of an upper bound on it; infinite for an infinite
        space.
    vc : float, optional
        Vapnik-Chervonenkis dimension, or an upper bound on it, if known independently of the size.
    remark : str
        Note on how the hypotheses are counted.
    supposes : tuple of str
        Assumptions under which a bound on the size holds.
    vc_is_exact : bool
        Whether `vc` is the exact dimension rather than a bound on it.

    Examples
    --------
    >>> from induce.theory.formulas import conjunctions
    >>> print(conjunctions(10))
    conjunctions of literals over 10 attributes: 59,049 hypotheses, VC dimension 10
    """

    name: str
    ln_size: float = math.inf
    vc: float | None = None
    remark: str = ""
    supposes: tuple[str, ...] = ()
    vc_is_exact: bool = True

    def __post_init__(self) -> None:
        if not self.ln_size >= 0:
            raise InputError(
                f"ln_size is {self.ln_size!r}, but a space has at least one hypothesis; give a number "
                "of at least 0"
            )
        if self.vc is not None:
            finite("vc", self.vc, 0)
        elif math.isinf(self.ln_size):
            raise InputError("an infinite space needs its VC dimension; give vc")

    @property
    def finite(self) -> bool:
        """Whether the number of hypotheses is known to be finite."""
        return math.isfinite(self.ln_size)

    @property
    def vc_bound(self) -> float:
        """VC dimension, or log2 of the size: shattering d instances requires 2^d hypotheses."""
        return math.floor(self.ln_size / LN2 + 1e-9) if self.vc is None else self.vc

    def size_text(self) -> str:
        """Return the number of hypotheses as text.

        Examples
        --------
        >>> from induce.theory.formulas import unbiased
        >>> from induce.theory.regions import rectangles
        >>> unbiased(3).size_text(), unbiased(10).size_text(), rectangles().size_text()
        ('256 hypotheses', 'about 10^308.3 hypotheses', 'infinitely many hypotheses')
        """
        if not self.finite:
            return "infinitely many hypotheses"
        if self.ln_size < MOST_DIGITS * math.log(10):
            size = round(math.exp(self.ln_size))
            return f"{size:,} hypothes{'is' if size == 1 else 'es'}"
        return f"about 10^{self.ln_size / math.log(10):,.1f} hypotheses"

    def __str__(self) -> str:
        at_most = "" if self.vc_is_exact else "at most "
        dimension = "" if self.vc is None else f", VC dimension {at_most}{self.vc:.6g}"
        remark = f" ({self.remark})" if self.remark else ""
        return f"{self.name}: {self.size_text()}{dimension}{remark}"


def check_space(space: Any) -> None:
    """Raise a `TypeError` unless the argument is a space that bounds apply to.

    Examples
    --------
    >>> check_space(973)
    Traceback (most recent call last):
    TypeError: space is int; give a Space, such as conjunctions(10) or of_size(973)
    """
    if not isinstance(space, Space):
        raise TypeError(
            f"space is {type(space).__name__}; give a Space, such as conjunctions(10) or of_size(973)"
        )


def of_size(size: float, vc: float | None = None) -> Space:
    """Return a space of which only the size is known.

    Parameters
    ----------
    size : float
        Number of hypotheses.
    vc : float, optional
        VC dimension if known.

    Examples
    --------
    >>> of_size(973).size_text()
    '973 hypotheses'
    """
    at_least("size", size, 1)
    return Space("a finite space", math.log(size), vc)


def of_dimension(vc: float) -> Space:
    """Return an infinite space of which only the VC dimension is known.

    Parameters
    ----------
    vc : float
        VC dimension.

    Examples
    --------
    >>> print(of_dimension(3))
    an infinite space: infinitely many hypotheses, VC dimension 3
    """
    return Space("an infinite space", vc=vc)
