"""Terms of a linear model: columns, categories, missing values, powers, functions and products."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.notes import note
from induce.core.values import Value
from induce.data.numeric_view import FAR, NumericView
from induce.data.schema import Column, Schema
from induce.data.table import MISSING, Table, positions
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    from induce.hypotheses.expressions.nodes import Expression

Floats = NDArray[np.float64]

MOST_CELLS = 150_000_000
"""Maximum number of cells of a matrix of training rows and terms; more exceed the memory of a small machine."""
POWER = re.compile(r"^(?P<name>.+)\^(?P<power>[1-9])$")
MOST_POWER = 9
FUNCTIONS = {
    "log": "log",
    "sqrt": "root",
    "exp": "protected exp",
    "sin": "sin",
    "cos": "cos",
    "tanh": "tanh",
    "abs": "abs",
}
"""Functions allowed in terms, with their names in expressions."""
RISING = ("number", "log", "sqrt", "exp", "tanh")
"""Kinds of factor that increase with their column."""
CALL = re.compile(rf"^(?P<function>{'|'.join(FUNCTIONS)})\((?P<name>.+)\)$")


@dataclass(frozen=True)
class Factor:
    """A factor of a term: a power of a number, or an indicator of a category or of a missing cell.

    Parameters
    ----------
    column : str
    kind : {"number", "is", "missing"} or the name of a function
        Kind of factor; a function of the number is named after the function, such as ``"log"``.
    value : str, int, float or bool, optional
        Category; for ``"log"`` and ``"sqrt"`` the smallest valid number, which replaces smaller ones.
    power : int
    """

    column: str
    kind: str = "number"
    value: Value | None = None
    power: int = 1

    def __str__(self) -> str:
        name = value_text(self.column)
        if self.kind == "is":
            assert self.value is not None
            return f"{name} = {value_text(self.value)}"
        if self.kind == "missing":
            return f"{name} missing"
        name = name if self.kind == "number" else f"{self.kind}({name})"
        return name if self.power == 1 else f"{name}^{self.power}"

    @property
    def is_number(self) -> bool:
        """Whether it is a number or a function of one."""
        return self.kind == "number" or self.kind in FUNCTIONS


@dataclass(frozen=True)
class Term:
    """The product of factors that a weight multiplies.

    Parameters
    ----------
    factors : tuple of Factor
        Factors of the product.

    Examples
    --------
    >>> print(Term((Factor("age", power=2),)), Term((Factor("age"), Factor("sex", "is", "male"))))
    age^2 age:sex = male
    """

    factors: tuple[Factor, ...]

    def counted(self, names: dict[str, str]) -> Term:
        """Return the term with some numeric columns renamed."""
        if not any(factor.is_number and factor.column in names for factor in self.factors):
            return self
        return Term(
            tuple(
                replace(factor, column=names.get(factor.column, factor.column))
                if factor.is_number
                else factor
                for factor in self.factors
            )
        )

    def __str__(self) -> str:
        return ":".join(map(str, self.factors))


@dataclass(frozen=True, eq=False)
class Design:
    """Conversion of the rows of a table to the terms of a linear model, fitted to training rows.

    A missing number is replaced by the mean of the training rows, with its own indicator term if the training rows
    had missing values. A missing category has its own term if the training rows had missing values; otherwise it is
    replaced, like an unseen category, by the relative frequencies of the categories in training.

    Parameters
    ----------
    view : NumericView
        Replacements of missing numbers and of unknown categories.
    terms : tuple of Term
        Terms of the model, without the intercept.
    holes : tuple of str
        Columns that had missing values in training.

    Examples
    --------
    >>> from induce.data.table import encode
    >>> schema = Schema((Column("size"), Column("colour", "nominal", ("red", "blue"))))
    >>> table = encode([[1.0, "red"], [3.0, "blue"], [None, "blue"]], schema)
    >>> design = Design.of(table, np.ones(3))
    >>> list(map(str, design.terms))
    ['size', 'size missing', 'colour = blue']
    >>> design.matrix(table).tolist()
    [[1.0, 0.0, 0.0], [3.0, 0.0, 1.0], [2.0, 1.0, 1.0]]
    """

    view: NumericView
    terms: tuple[Term, ...]
    holes: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, weights: Floats, extra: str = "", reference: bool = True) -> Design:
        """Return the design fitted to training rows.

        Parameters
        ----------
        table : Table
        weights : array of float
            Weight of each row.
        extra : str
            Additional terms: powers, functions and products of columns, such as ``"x^2, log(x), x:z"``.
        reference : bool
            Whether the first category of a column is the reference category, without a term.
        """
        view = _view(table, weights)
        counted = weights > 0
        gone = [_missing(table, place)[counted] for place in range(len(table.schema))]
        holes = tuple(
            column.name
            for column, empty in zip(table.schema, gone, strict=True)
            if empty.any() and not empty.all()
        )
        seen = _Seen(table, weights, reference)
        terms = [term for column in table.schema for term in plain_terms(column, seen, column.name in holes)]
        for written in filter(None, map(str.strip, extra.split(","))):
            terms += [term for term in parsed_terms(written, table.schema, seen) if term not in terms]
        if len(terms) * len(table) > MOST_CELLS:
            widest = max(table.schema, key=lambda column: len(column.domain))
            raise InputError(
                f"the columns give {len(terms):,} terms for {len(table):,} rows, too many for a "
                f"matrix; column {widest.name!r} alone has {len(widest.domain):,} values: leave it out "
                "or group its values"
            )
        return cls(view, tuple(terms), holes)

    def check(self) -> None:
        """Raise an `InputError` unless the terms match the columns, as they must when read from a file."""
        names = set(self.schema.names())
        for term in self.terms:
            if not term.factors or not all(self._fits(factor, names) for factor in term.factors):
                raise InputError("the terms do not match the columns; learn the model again")
        if not names.issuperset(self.holes):
            raise InputError("the terms do not match the columns; learn the model again")

    def _fits(self, factor: Factor, names: set[str]) -> bool:
        if factor.column not in names:
            return False
        column = self.schema[factor.column]
        if factor.kind == "missing":
            return True
        if column.kind == "nominal":
            return factor.kind == "is" and factor.value in column.domain
        known = factor.value is None or (isinstance(factor.value, float) and np.isfinite(factor.value))
        return factor.is_number and known and 1 <= factor.power <= MOST_POWER

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Design):
            return NotImplemented
        return (self.view, self.terms, self.holes) == (other.view, other.terms, other.holes)

    def __hash__(self) -> int:
        return hash(self.terms)

    @property
    def schema(self) -> Schema:
        """The input columns."""
        return self.view.schema

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The terms as text; dates are counted in days."""
        dates = {column.name: column.quantity for column in self.schema if column.temporal}
        return tuple(str(term.counted(dates)) for term in self.terms)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.name: place for place, column in enumerate(self.schema)}

    @cached_property
    def _view_places(self) -> dict[str, int]:
        """First position of each column in the means of the view."""
        found, place = {}, 0
        for column in self.schema:
            found[column.name] = place
            place += len(column.domain) if column.kind == "nominal" else 1
        return found

    def fill(self, column: str) -> float:
        """Return the replacement of a missing number of a column."""
        return float(self.view.mean[self._view_places[column]])

    def shares(self, column: str) -> Floats:
        """Return the relative frequencies of a nominal column's values in training."""
        start = self._view_places[column]
        return self.view.mean[start : start + len(self.schema[column].domain)]

    def matrix(self, table: Table) -> Floats:
        """Return the value of each term for each row, in Fortran order; read-only."""
        if self._is_plain and table.numeric.flags.f_contiguous and _is_near(table.numeric):
            return table.numeric
        found = np.empty((len(table), len(self.terms)), order="F")
        for place, term in enumerate(self.terms):
            found[:, place] = self.values(term, table)
        return found

    @cached_property
    def _is_plain(self) -> bool:
        """Whether the terms are exactly the columns, all numeric."""
        return self.terms == tuple(Term((Factor(column.name),)) for column in self.schema) and not any(
            column.kind == "nominal" for column in self.schema
        )

    def values(self, term: Term, table: Table) -> Floats:
        """Return the value of a term for each row."""
        found = self._factor(term.factors[0], table)
        for factor in term.factors[1:]:
            found = found * self._factor(factor, table)
        return found

    def _factor(self, factor: Factor, table: Table) -> Floats:
        cells = table.column(self._places[factor.column])
        if factor.is_number:
            numbers = np.asarray(cells, np.float64)
            if not np.abs(numbers).max(initial=0.0) <= FAR:  # even if one is missing
                numbers = np.clip(numbers, -FAR, FAR)
                numbers = np.where(np.isnan(numbers), self.fill(factor.column), numbers)
            if factor.kind != "number":
                from induce.hypotheses.expressions.functions import FUNCTIONS as FORMS

                if factor.value is not None:
                    numbers = np.maximum(numbers, float(factor.value))
                numbers = np.asarray(FORMS[FUNCTIONS[factor.kind]].call(numbers), np.float64)
            found = numbers
            for _ in range(factor.power - 1):
                found = found * numbers
            return np.asarray(found)
        if self.schema[factor.column].kind != "nominal":
            return np.asarray(np.isnan(cells), np.float64)
        # codes -2 and -1, for unseen and missing values, index the last two positions
        return np.asarray(np.array(self.look_up(factor))[cells])

    def look_up(self, factor: Factor) -> list[float]:
        """Return the value of a factor for each category of its column, for an unseen and for a missing one."""
        domain = self.schema[factor.column].domain
        if factor.kind == "missing":
            return [0.0] * (len(domain) + 1) + [1.0]
        assert factor.value is not None
        shares = self.shares(factor.column)
        code = domain.index(factor.value)
        share = float(shares[code])
        # a declared category without training rows is treated as an undeclared one
        said = [(1.0 if k == code else 0.0) if shares[k] > 0 else share for k in range(len(domain))]
        return [*said, share, 0.0 if factor.column in self.holes else share]

    def groups(self) -> Iterator[tuple[Column | None, list[int]]]:
        """Yield groups of terms: a nominal column with all its categories, or a single term."""
        place = 0
        while place < len(self.terms):
            column = self._nominal(place)
            end = place + 1
            while column is not None and end < len(self.terms) and self._nominal(end) == column:
                end += 1
            yield column, list(range(place, end))
            place = end

    def _nominal(self, place: int) -> Column | None:
        """Return the nominal column of a term with one factor."""
        factors = self.terms[place].factors
        column = self.schema[factors[0].column]
        return column if len(factors) == 1 and column.kind == "nominal" else None

    def group_values(self, places: list[int], weights: Floats) -> Floats:
        """Return the contributions of a column's categories, and of unseen and missing values."""
        total = np.zeros(len(self.look_up(self.terms[places[0]].factors[0])))
        for place in places:
            total = total + weights[place] * np.array(self.look_up(self.terms[place].factors[0]))
        return total

    def scores(self, table: Table, intercept: float, weights: Floats) -> Floats:
        """Return the weighted sum for each row, added term by term, as exports do."""
        total = np.full(len(table), intercept)
        for column, places in self.groups():
            if not weights[places].any():
                continue
            if column is not None:
                total = total + self.group_values(places, weights)[table.column(self._places[column.name])]
            else:
                total = total + weights[places[0]] * self.values(self.terms[places[0]], table)
        return total

    def expression(self, intercept: float, weights: Floats) -> Expression:
        """Return the weighted sum as an expression, in the same order."""
        from induce.hypotheses.expressions.nodes import Cell, Constant, LookUp, Product, Sum

        terms: list[Expression] = [Constant(float(intercept))]
        for column, places in self.groups():
            if not weights[places].any():
                continue
            if column is not None:
                said = [Constant(float(value)) for value in self.group_values(places, weights)]
                terms.append(LookUp(Cell(column), tuple(said[:-2]), said[-2], said[-1]))
            else:
                factors = [
                    part for factor in self.terms[places[0]].factors for part in self._expressed(factor)
                ]
                # the values of the factors are multiplied first, then the weight
                value = factors[0] if len(factors) == 1 else Product(tuple(factors))
                terms.append(Product((Constant(float(weights[places[0]])), value)))
        return Sum(tuple(terms))

    def _expressed(self, factor: Factor) -> list[Expression]:
        from induce.hypotheses.expressions.nodes import (
            Case,
            Cell,
            Constant,
            Function,
            LookUp,
            Missing,
            Number,
            Product,
        )

        column = self.schema[factor.column]
        cell = Cell(column)
        if factor.is_number:
            number: Expression = Number(cell, self.fill(column.name), far=FAR)
            if factor.value is not None:
                number = Function("larger", (number, Constant(float(factor.value))))
            if factor.kind != "number":
                number = Function(FUNCTIONS[factor.kind], (number,))
            return [number] if factor.power == 1 else [Product((number,) * factor.power)]
        if column.kind != "nominal":
            return [Case(((Missing(cell), Constant(1.0)),), Constant(0.0))]
        said = list(map(Constant, self.look_up(factor)))
        return [LookUp(cell, tuple(said[:-2]), said[-2], said[-1])]


def _view(table: Table, weights: Floats) -> NumericView:
    """Return the view of a table in the columns' own units: the means of numbers and the relative frequencies of
    categories."""
    means: list[float] = []
    for place, column in enumerate(table.schema):
        cells = table.column(place)
        if column.kind == "nominal":
            counts = np.bincount(cells[cells >= 0], weights[cells >= 0], len(column.domain))
            means.extend((counts / max(float(counts.sum()), 1e-300)).tolist())
        else:
            share = weights
            if not np.abs(cells).max(initial=0.0) <= FAR:  # even if one is missing
                share = weights[~np.isnan(cells)]
                cells = cells[~np.isnan(cells)]
                if np.abs(cells).max(initial=0.0) > FAR:
                    note(
                        f"{column.name} has numbers beyond {FAR:g}, which are clipped to {FAR:g}; "
                        "scale them down"
                    )
                    cells = np.clip(cells, -FAR, FAR)
            total = float(share.sum())
            means.append(float(share @ cells) / total if total > 0 else 0.0)
    width = table.numeric.shape[1]
    return NumericView(table.schema, np.zeros(width), np.ones(width), np.array(means))


def _is_near(x: Floats) -> bool:
    """Return whether each cell of a matrix is a finite number of acceptable size."""
    return all(bool(np.abs(x[:, j]).max(initial=0.0) <= FAR) for j in range(x.shape[1]))


def _missing(table: Table, place: int) -> NDArray[np.bool_]:
    cells = table.column(place)
    return np.asarray(np.isnan(cells) if cells.dtype.kind == "f" else cells == MISSING)


class _Seen:
    """Return the categories in the training rows, without the reference category."""

    def __init__(self, table: Table, weights: Floats, reference: bool) -> None:
        self._table, self._rows = table, weights > 0
        self._categories: dict[str, tuple[Value, ...]] = {}
        for column, position in zip(table.schema, positions(table.schema), strict=True):
            if column.kind == "nominal":
                codes = table.nominal[weights > 0, -1 - position]
                there = np.unique(codes[codes >= 0]).tolist()
                self._categories[column.name] = tuple(
                    column.domain[code] for code in there[1 if reference else 0 :]
                )

    def least(self, column: str, function: str) -> float | None:
        """Return the smallest valid argument of a function; None if there is none."""
        if function not in ("log", "sqrt"):
            return None
        place = [each.name for each in self._table.schema].index(column)
        cells = self._table.column(place)[self._rows]
        cells = cells[~np.isnan(cells)]
        smallest = float(cells.min()) if len(cells) else 1.0
        if smallest < 0 or (function == "log" and smallest == 0):
            raise InputError(
                f"terms has {function}({column}), but {column!r} has the number {smallest:g}; add a "
                "constant to the column, or omit the function"
            )
        return smallest

    def categories(self, column: str) -> tuple[Value, ...]:
        """Return the categories that have a term."""
        return self._categories[column]


def plain_terms(column: Column, seen: _Seen, holes: bool) -> list[Term]:
    if column.kind == "nominal":
        found = [Term((Factor(column.name, "is", value),)) for value in seen.categories(column.name)]
    else:
        found = [Term((Factor(column.name),))]
    return [*found, *([Term((Factor(column.name, "missing"),))] if holes else [])]


def parsed_terms(written: str, schema: Schema, seen: _Seen) -> list[Term]:
    """Return the terms of one power or product of columns; a nominal column is expanded into its categories."""
    factors: list[list[Factor]] = []
    for part in map(str.strip, written.split(":")):
        power, kind = 1, "number"
        if part not in schema.names() and (match := POWER.match(part)):
            part, power = match["name"].strip(), int(match["power"])
        if part not in schema.names() and (match := CALL.match(part)):
            part, kind = match["name"].strip(), match["function"]
        if part not in schema.names():
            raise InputError(
                f"terms contains {part!r}, which is not a column; the columns are "
                f"{', '.join(schema.names()[:10])}"
            )
        if schema[part].kind == "nominal":
            if power > 1:
                raise InputError(f"terms raises {part!r} to a power, but it is nominal; omit the power")
            if kind != "number":
                raise InputError(f"terms has {kind}({part}), but {part!r} is nominal; omit the function")
            factors.append([Factor(part, "is", value) for value in seen.categories(part)])
        else:
            factors.append([Factor(part, kind, seen.least(part, kind), power)])
    return [Term(tuple(chosen)) for chosen in product(*factors)]
