"""Evaluation of expressions on encoded tables: the reference for tests of writers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.ties import first_largest_of_each
from induce.core.values import plain
from induce.data.table import MISSING, UNSEEN, Table
from induce.hypotheses.expressions.functions import FUNCTIONS
from induce.hypotheses.expressions.nodes import (
    Affine,
    And,
    Case,
    Cell,
    Comparison,
    Constant,
    Derived,
    Descent,
    Distances,
    Expression,
    Function,
    Indicators,
    Largest,
    Let,
    LogSumExp,
    LookUp,
    Maximum,
    Membership,
    Missing,
    Not,
    Number,
    Or,
    Part,
    Product,
    Steps,
    Sum,
    Test,
    Unseen,
    Variable,
    Vector,
    Voted,
    WeightedSum,
)

SIGNS = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "=": np.equal}
Array = NDArray[Any]


def evaluated(expression: Expression, table: Table, names: Mapping[str, Array] | None = None) -> Array:
    """Return the value of an expression for each row; vectors are rows of a matrix.

    Examples
    --------
    >>> from induce.data.schema import Column, Schema
    >>> from induce.data.table import encode
    >>> age = Column("age")
    >>> rule = Case(((Comparison(Cell(age), "<=", Constant(30.0)), Constant("young")),), Constant("old"))
    >>> evaluated(rule, encode([[20.0], [40.0], [None]], Schema((age,)))).tolist()
    ['young', 'old', 'old']
    """
    return _Evaluation(table, dict(names or {})).of(expression)


class _Evaluation:
    def __init__(self, table: Table, names: dict[str, Array]) -> None:
        self.table, self.names = table, names

    def of(self, expression: Expression) -> Array:
        match expression:
            case Constant(value=value):
                held: Any = value
                found = np.empty((len(self.table), *np.shape(held)), _dtype(value))
                found[...] = value
                return found
            case Cell():
                return self._cell(expression)
            case Comparison(left=left, sign=sign, right=right):
                return np.asarray(SIGNS[sign](self.of(left), self.of(right)))
            case Membership(cell=cell, values=values):
                accepted = {plain(value) for value in values}
                codes = [k for k, value in enumerate(cell.column.domain) if plain(value) in accepted]
                return np.isin(self._cell(cell), codes)
            case Missing(cell=cell):
                cells = self._cell(cell)
                return np.asarray(cells == MISSING if cell.column.kind == "nominal" else np.isnan(cells))
            case Unseen(cell=cell):
                return np.asarray(self._cell(cell) == UNSEEN)
            case And(parts=parts):
                return np.asarray(np.logical_and.reduce([self.of(part) for part in parts]))
            case Or(parts=parts):
                return np.asarray(np.logical_or.reduce([self.of(part) for part in parts]))
            case Not(part=part):
                return np.logical_not(self.of(part))
            case Case() | Largest() | Let() | Variable() | Descent():
                return self._chosen(expression)
        with np.errstate(all="ignore"):
            return self._number(expression)

    def _cell(self, cell: Cell) -> Array:
        if isinstance(cell, Derived):
            blank = np.zeros(len(self.table), np.bool_)
            for need in cell.needs:
                blank |= self.of(Missing(need))
            found = self.of(cell.value)
            if cell.column.kind == "nominal":
                return np.where(blank, MISSING, found).astype(np.int32)
            return np.where(blank, np.nan, found)
        return self.table.column(self.table.schema.names().index(cell.column.name))

    def _number(self, expression: Expression) -> Array:
        match expression:
            case Number(cell=cell, missing=missing, offset=offset, scale=scale, far=far):
                cells = np.clip((self._cell(cell) - offset) / scale, -far, far)
                return np.where(np.isnan(cells), missing, cells)
            case LookUp(cell=cell, says=says, unseen=unseen, missing=missing):
                # the codes -2 (unseen) and -1 (missing) index the last two entries
                return _values([*says, unseen, missing])[self._cell(cell)]
            case Steps(cell=cell, ends=ends, says=says, missing=missing):
                cells = self._cell(cell)
                places = np.searchsorted(np.array(ends), cells)
                return _values([*says, missing])[np.where(np.isnan(cells), -1, places)]
            case Indicators(cell=cell, missing=missing):
                return np.vstack([np.eye(len(missing)), missing, missing])[self._cell(cell)]
            case Vector(parts=parts):
                return np.column_stack([self.of(part) for part in parts])
            case Part(vector=vector, place=place):
                return np.asarray(self.of(vector)[:, place])
            case Sum(terms=terms):
                return _reduced(np.add, [self.of(term) for term in terms])
            case Product(factors=factors):
                return _reduced(np.multiply, [self.of(factor) for factor in factors])
            case WeightedSum(constant=constant, weights=weights, terms=terms):
                total = np.full(len(self.table), constant)
                for weight, term in zip(weights, terms, strict=True):
                    total = total + weight * self.of(term)
                return total
            case Function(name=name, arguments=arguments):
                return np.asarray(FUNCTIONS[name].call(*_aligned([self.of(each) for each in arguments])))
            case LogSumExp(vector=vector):
                return np.asarray(np.logaddexp.reduce(self.of(vector), axis=1))
            case Voted(vector=vector, weights=weights, survival=survival, start=start):
                scores = start + np.cumsum(self.of(vector) * np.array(weights), axis=1)
                votes = np.where(scores >= 0, 1.0, -1.0) @ np.array(survival)
                return np.asarray(votes / sum(survival))
            case Maximum(vector=vector):
                return np.asarray(self.of(vector).max(axis=1))
            case Affine(matrix=matrix, vector=vector, offset=offset):
                return np.asarray(self.of(vector) @ matrix.T + offset)
            case Distances(points=points, vector=vector, weights=weights):
                gaps = (self.of(vector)[:, None, :] - points) * weights
                return np.asarray((gaps * gaps).sum(axis=2))
        raise TypeError(f"{type(expression).__name__} is not an expression")

    def _chosen(self, expression: Expression) -> Array:
        match expression:
            case Case(branches=branches, otherwise=otherwise):
                found = self.of(otherwise)
                for test, said in reversed(branches):
                    holds = self.of(test)
                    found = np.where(holds[:, None] if found.ndim > 1 else holds, self.of(said), found)
                return found
            case Largest(scores=scores, says=says, rounds=True):
                return np.asarray(_values(list(says))[first_largest_of_each(self.of(scores))])
            case Largest(scores=scores, says=says):
                return np.asarray(_values(list(says))[self.of(scores).argmax(axis=1)])
            case Let(name=name, value=value, within=within):
                return _Evaluation(self.table, {**self.names, name: self.of(value)}).of(within)
            case Variable(name=name):
                return self.names[name]
            case Descent():
                return self._descended(expression)
        raise TypeError(f"{type(expression).__name__} is not a choice")

    def _descended(self, tree: Descent) -> Array:
        """Pass each fraction of a row from a node to its children, and add the values of leaves."""
        parts = [np.zeros(len(self.table)) for _ in tree.splits]
        parts[0] += 1.0
        ended: list[tuple[int, Array]] = []
        order = [0]
        while order:
            node = order.pop()
            split = tree.splits[node]
            if split is None:
                ended.append((node, parts[node]))
                continue
            branch = self._branch(split.test)
            for surrogate in split.surrogates:
                branch = np.where(branch == -1, _known(self._branch(surrogate)), branch)
            ended.append((node, np.where(branch == -2, parts[node], 0.0)))
            for k, (child, share) in enumerate(zip(split.children, split.shares, strict=True)):
                parts[child] = parts[node] * np.where(branch == -1, share, branch == k)
            order += reversed(split.children)
        total: Array | None = None
        for node, part in ended:
            said = self.of(tree.says[node])
            if said.dtype == object or said.dtype.kind in "US" or not tree.divides:
                chosen = part > 0
                wide = chosen[:, None] if said.ndim > 1 else chosen
                total = said if total is None else np.where(wide, said, total)
            else:
                added = said * (part[:, None] if said.ndim > 1 else part)
                total = added if total is None else total + added
        assert total is not None
        return total

    def _branch(self, test: Test) -> Array:
        """Return the branch of each row; -1 for a missing value, -2 if there is no branch."""
        cells = self._cell(test.cell)
        if test.cell.column.kind == "nominal":
            known = [-2 if branch is None else branch for branch in test.branches]
            return np.array([*known, -2, -1])[cells]
        places = np.array(test.branches)[np.searchsorted(np.array(test.ends), np.nan_to_num(cells))]
        return np.where(np.isnan(cells), -1, places)


def _known(branch: Array) -> Array:
    return np.where(branch < 0, -1, branch)


def _dtype(value: Any) -> Any:
    return object if value is None or isinstance(value, str) else np.asarray(value).dtype


def _values(says: list[Constant]) -> Array:
    found = [said.value for said in says]
    if isinstance(found[0], tuple):
        return np.array(found, np.float64)
    return np.array(found, object if len({type(value) for value in found}) > 1 else None)


def _reduced(operation: Any, arrays: list[Array]) -> Array:
    total = arrays[0]
    for array in arrays[1:]:
        total = operation(*_aligned([total, array]))
    return np.asarray(total)


def _aligned(arrays: list[Array]) -> list[Array]:
    """Return arrays with scalars as columns so that they broadcast with vectors."""
    wide = any(array.ndim > 1 for array in arrays)
    return [array[:, None] if wide and array.ndim == 1 else array for array in arrays]
