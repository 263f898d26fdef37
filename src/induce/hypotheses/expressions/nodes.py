"""The nodes of expressions.

There are four types. A *test* is true or false; a missing value satisfies no comparison and no membership. A
*number* is never missing: a missing cell is read as its replacement. A *vector* is several numbers. An
*outcome* is a prediction, such as a class. Sums are computed from left to right, as in `predict`, so that
every exported form gives the same number to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.values import Value
from induce.data.schema import Column

Floats = NDArray[np.float64]
Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Expression:
    """A computation on a row."""


@dataclass(frozen=True)
class Constant(Expression):
    """A constant: a number, a vector (a tuple of numbers), an outcome, or a truth value."""

    value: Value | Numbers | None


@dataclass(frozen=True)
class Cell(Expression):
    """The cell of a column: a number (for a date, its days since 1970-01-01) or a nominal value."""

    column: Column


@dataclass(frozen=True)
class Derived(Cell):
    """A column computed from others, such as a weighted sum that a tree tests.

    Parameters
    ----------
    value : Expression
        Numeric value of the column; for a nominal column, the index of its value in the domain.
    needs : tuple of Cell
        Cells that it depends on; it is missing if any of them is missing.
    """

    value: Expression
    needs: tuple[Cell, ...]


# --- tests ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison(Expression):
    """Two numbers compared by ``<``, ``<=``, ``>``, ``>=`` or ``=``; one may be a cell."""

    left: Expression
    sign: str
    right: Expression


@dataclass(frozen=True)
class Membership(Expression):
    """Test that a nominal cell holds one of several values."""

    cell: Cell
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Missing(Expression):
    """Test that a cell is missing."""

    cell: Cell


@dataclass(frozen=True)
class Unseen(Expression):
    """Test that a nominal cell holds a value outside the domain of its column."""

    cell: Cell


@dataclass(frozen=True)
class And(Expression):
    """All tests hold."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Or(Expression):
    """At least one of the tests holds."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Not(Expression):
    """The test does not hold."""

    part: Expression


# --- numbers and vectors -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Number(Expression):
    """The number in a cell, or `missing` if the cell is missing.

    It is shifted, scaled and clipped as in `NumericView`: ``(cell - offset) / scale`` between -`far` and `far`.
    """

    cell: Cell
    missing: float
    offset: float = 0.0
    scale: float = 1.0
    far: float = np.inf


@dataclass(frozen=True)
class LookUp(Expression):
    """A table look-up by a nominal cell: a number, a vector or an outcome for each value of its domain."""

    cell: Cell
    says: tuple[Constant, ...]
    unseen: Constant
    missing: Constant


@dataclass(frozen=True)
class Steps(Expression):
    """A step function of a numeric cell; all intervals but the last include their upper `ends`."""

    cell: Cell
    ends: Numbers
    says: tuple[Constant, ...]
    missing: Constant


@dataclass(frozen=True)
class Indicators(Expression):
    """A vector with 1 at the position of a nominal value in its domain; `missing` for any other value."""

    cell: Cell
    missing: Numbers


@dataclass(frozen=True)
class Vector(Expression):
    """Numbers and vectors, concatenated."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Part(Expression):
    """The number at a position of a vector."""

    vector: Expression
    place: int


@dataclass(frozen=True)
class Sum(Expression):
    """The sum of numbers or of vectors, from left to right."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True)
class Product(Expression):
    """The product of numbers, from left to right; one factor may be a vector."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True)
class WeightedSum(Expression):
    """A constant plus a weighted sum of terms."""

    constant: float
    weights: Numbers
    terms: tuple[Expression, ...]


@dataclass(frozen=True)
class Function(Expression):
    """A named function of `functions.FUNCTIONS`; it is applied elementwise to a vector."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Maximum(Expression):
    """The largest component of a vector."""

    vector: Expression


@dataclass(frozen=True, eq=False)
class Affine(Expression):
    """``offset + matrix @ vector``: a vector with one component per row of the matrix."""

    matrix: Floats
    vector: Expression
    offset: Floats


@dataclass(frozen=True, eq=False)
class Distances(Expression):
    """The squared distances of a vector from the rows of a matrix, with weighted differences."""

    points: Floats
    vector: Expression
    weights: Floats


@dataclass(frozen=True)
class LogSumExp(Expression):
    """The logarithm of the sum of the exponentials of a vector."""

    vector: Expression


@dataclass(frozen=True, eq=False)
class Voted(Expression):
    """Votes of a sequence of hypotheses, weighted by survival (the voted perceptron).

    Each hypothesis adds ``weights[k] * vector[k]`` to the previous score, which starts as `start`, and votes
    with the sign of its score. The votes for and against are normalised to sum to 1.
    """

    vector: Expression
    weights: Numbers
    survival: Numbers
    start: float


@dataclass(frozen=True)
class Words(Expression):
    """The sum of the vectors of a text's words, in order; zero if the text is missing.

    Parameters
    ----------
    cell : Cell
    pattern : str
        Regular expression that words match.
    lowercase : bool
    once : bool
        Whether each distinct word counts once, in alphabetical order.
    vocabulary : tuple of str
    says : tuple of vectors
        Vector of each word.
    """

    cell: Cell
    pattern: str
    lowercase: bool
    once: bool
    vocabulary: tuple[str, ...]
    says: tuple[Numbers, ...]


# --- choices -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case(Expression):
    """The expression of the first test that holds; all expressions have the same type."""

    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression


@dataclass(frozen=True)
class Largest(Expression):
    """The item with the largest score, with ties going to the first: outcomes, numbers or vectors.

    With `rounds`, scores that differ only by rounding are tied, as in `core.ties`.
    """

    scores: Expression
    says: tuple[Constant, ...]
    rounds: bool = False


@dataclass(frozen=True)
class Let(Expression):
    """An expression with a name for another one, which is computed once."""

    name: str
    value: Expression
    within: Expression


@dataclass(frozen=True)
class Variable(Expression):
    """The value named by an enclosing `Let`; `width` is the number of parts of a vector, None for other values."""

    name: str
    width: int | None = None


# --- trees ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Test(Expression):
    """A test with several branches: the branch of each interval, or of each value of the domain.

    All intervals but the last include their upper `ends`. A value with the branch None takes no branch.
    """

    cell: Cell
    ends: Numbers
    branches: tuple[int | None, ...]


@dataclass(frozen=True)
class Split:
    """A test of a tree and its children.

    Parameters
    ----------
    test : Test
    children : tuple of int
        Child node of each branch.
    shares : tuple of float
        Fraction of a row that goes to each child if the cell is missing and no surrogate decides.
    surrogates : tuple of Test
        Surrogate tests, tried in order, for a missing cell.
    """

    test: Test
    children: tuple[int, ...]
    shares: Numbers
    surrogates: tuple[Test, ...] = ()


@dataclass(frozen=True)
class Descent(Expression):
    """A descent of a row from node 0 of a tree to the value of its leaf.

    At a missing value, fractions of the row take several branches; the leaf values are weighted by the
    fractions and summed from the first branch to the last, so leaves then hold vectors. An unseen value ends
    the descent at its node.

    Parameters
    ----------
    splits : tuple of Split or None
        Test of each node; None at a leaf. Children come after their parent.
    says : tuple of Expression
        Value of each node: vectors, or numbers if no row is ever split.
    """

    splits: tuple[Split | None, ...]
    says: tuple[Expression, ...]

    @property
    def divides(self) -> bool:
        """Whether a missing value can split a row."""
        return any(
            split is not None and sum(share > 0 for share in split.shares) > 1 for split in self.splits
        )

    @property
    def depths(self) -> tuple[int, ...]:
        """Depth of each node."""
        found = [0] * len(self.splits)
        for node, split in enumerate(self.splits):
            for child in split.children if split is not None else ():
                found[child] = found[node] + 1
        return tuple(found)
