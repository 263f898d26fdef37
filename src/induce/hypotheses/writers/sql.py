"""Expressions as SQL that runs in SQLite and in DuckDB.

A value that is computed once and used often becomes a column of a step. Steps are common table expressions
within the query of one row; each adds columns to the previous step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from induce.core.errors import InputError
from induce.core.ties import TOLERANCE
from induce.core.values import Value
from induce.hypotheses.conditions import EXACT_WHOLE
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
    Unseen,
    Variable,
    Vector,
    Voted,
    WeightedSum,
    Words,
)
from induce.hypotheses.expressions.shapes import columns_of, width
from induce.hypotheses.writers.notes import date_notes
from induce.hypotheses.writers.sql_text import (
    compared_number,
    next_moment,
    sql_days,
    sql_identifier,
    sql_literal,
    sql_moment,
    sql_nominal,
    sql_number,
    sql_values,
)

# SQLite rejects expressions nested deeper than 1000, and a chain of n operators has depth n
LONGEST_CHAIN = 500
MOST_CLASSES = 200
MOST_COLUMNS = 1_900
"""Maximum number of columns of a query in SQLite."""
MOST_NUMBERS = 20_000
"""Maximum number of matrix entries that are written out."""
DATES = "holds dates: of a type for dates or times, or text such as 2021-05-27 12:30:00"

NAMES = re.compile(r"\w+")
Item = TypeVar("Item")


def sql_query(expression: Expression, table: str = "data", key: str | None = None) -> str:
    """Return a query for the rows of `table`, or only their `key`, with a column "prediction".

    Nominal columns are compared with the values of their domain, so the table must store the training values. Note
    that SQLite silently reads the name of an absent column as a string.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> windy = Membership(Cell(Column("wind", "nominal", ("weak", "strong"))), ("strong",))
    >>> print(sql_query(Case(((windy, Constant("no")),), Constant("yes")), "days"))
    SELECT *,
      CASE
        WHEN "wind" = 'strong' THEN 'no'
        ELSE 'yes'
      END AS "prediction"
    FROM "days"
    """
    return sql_queries({"prediction": expression}, table, key)


def sql_queries(parts: Mapping[str, Expression], table: str = "data", key: str | None = None) -> str:
    """Return a query as `sql_query` does, with one column per prediction."""
    columns = {name: column for part in parts.values() for name, column in columns_of(part).items()}
    predictions, tables = [], ""
    for name, expression in parts.items():
        writer = SqlWriter([*columns, table])
        predictions.append(f"{writer.prediction(expression)} AS {sql_identifier(name)}")
        if tables and writer.tables() != tables:
            raise InputError(
                "cannot export several predictions with different look-up tables to SQL; "
                "export them separately"
            )
        tables = writer.tables()
    notes = "".join(f"-- {note}\n" for note in date_notes(columns.values(), DATES))
    shown = "*" if key is None else sql_identifier(key)
    listed = ",\n  ".join([shown, *predictions])
    return f"{notes}{tables}SELECT {listed}\nFROM {sql_identifier(table)}"


def first_largest(scores: Sequence[str], says: Sequence[str], rounds: bool = False) -> list[str]:
    """Write the cases that select the first item with the largest score, optionally up to rounding.

    Examples
    --------
    >>> first_largest(["a", "b"], ["'no'", "'yes'"])
    ["WHEN a >= b THEN 'no'", "ELSE 'yes'"]
    """
    bounds = [f"{rival} - {TOLERANCE} * ABS({rival})" if rounds else rival for rival in scores]
    whens = [
        f"WHEN {' AND '.join(f'{score} >= {bound}' for bound in bounds[code + 1 :])} THEN {says[code]}"
        for code, score in enumerate(scores[:-1])
    ]
    return [*whens, f"ELSE {says[-1]}"]


def pieces(items: Sequence[Item], size: int = LONGEST_CHAIN) -> list[Sequence[Item]]:
    """Split a long list into pieces that SQLite can chain."""
    return [items[start : start + size] for start in range(0, len(items), size)]


class SqlWriter:
    """Writer of the parts of one query.

    Parameters
    ----------
    taken : iterable of str
        Reserved names, which the query's own steps and columns must not use.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = tuple(name.lower() for name in taken)
        self._steps: list[list[str]] = []
        self._step_of: dict[str, int] = {}
        self._variables: dict[str, str | list[str]] = {}
        self._tables: list[str] = []
        self._days: dict[str, str] = {}
        self._derived: dict[str, str] = {}

    # --- names -----------------------------------------------------------------------------------------------

    def free(self, stem: str) -> str:
        """Return a stem that no column or table name begins with."""
        while any(name.startswith(stem) for name in self._taken):
            stem = "the_" + stem
        return stem

    def column(self, stem: str, text: str) -> str:
        """Add a column to a step after the steps of all columns used in the text; return its name."""
        if text in self._step_of:
            return text
        # a name inside a string also counts as a column, which only moves the step back
        step = max((self._step_of.get(name, 0) for name in NAMES.findall(text)), default=0)
        while len(self._steps) <= step:
            self._steps.append([])
        name = f"{self.free(stem)}_{len(self._step_of)}"
        if len(self._step_of) >= MOST_COLUMNS:
            raise too_large()
        self._steps[step].append(f"{text} AS {name}")
        self._step_of[name] = step + 1
        return name

    def table(self, stem: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """Add a table of constants to the query; return its name."""
        name = f"{self.free(stem)}_{len(self._tables)}"
        values = ",\n    ".join(f"({', '.join(row)})" for row in rows)
        self._tables.append(f"{name}({', '.join(columns)}) AS (VALUES\n    {values})")
        return name

    def tables(self) -> str:
        """Write the tables of constants."""
        listed = ",\n  ".join(self._tables)
        return f"WITH\n  {listed}\n" if listed else ""

    # --- the query -------------------------------------------------------------------------------------------

    def prediction(self, expression: Expression) -> str:
        """Write the whole prediction: a single expression, or a query over steps."""
        while isinstance(expression, Let):
            self._bind(expression)
            expression = expression.within
        result = self._lines(expression)
        if not self._steps:
            return result
        name = self.free("step")
        steps = []
        for k, columns in enumerate(self._steps):
            source = f"\n      FROM {name}_{k - 1}" if k else ""
            listed = ",\n      ".join(["*", *columns] if k else columns)
            steps.append(f"{name}_{k} AS (SELECT\n      {listed}{source})")
        withs = ",\n    ".join(steps)
        return f"(WITH\n    {withs}\n  SELECT {result} FROM {name}_{len(self._steps) - 1})"

    def _lines(self, expression: Expression) -> str:
        """Write an expression; a case takes several lines."""
        from induce.hypotheses.writers.sql_trees import (
            is_large_forest,
            is_large_sum,
            whole_forest,
            whole_rows,
            whole_sum,
        )

        match expression:
            case Case(branches=branches, otherwise=otherwise) if branches:
                whens = [f"WHEN {self.test(test)} THEN {self.result(said)}" for test, said in branches]
                rest = otherwise
                while isinstance(rest, Case) and len(whens) < LONGEST_CHAIN:
                    whens += [
                        f"WHEN {self.test(test)} THEN {self.result(said)}" for test, said in rest.branches
                    ]
                    rest = rest.otherwise
                if isinstance(rest, Largest) and not isinstance(rest.scores, Descent) and len(rest.says) > 1:
                    whens += first_largest(
                        self._scores(rest.scores), list(map(self.scalar, rest.says)), rest.rounds
                    )
                else:
                    whens.append(f"ELSE {self.result(rest)}")
            case Largest(scores=Descent() as tree, says=says) if len(says) > 1:
                whens = whole_rows(self, tree, says)
            case Largest(scores=Sum(terms=terms), says=says) if len(says) > 1 and is_large_forest(terms):
                whens = whole_forest(self, terms, says)
            case Largest(scores=Sum(terms=terms), says=says) if len(says) > 1 and is_large_sum(terms):
                whens = whole_sum(self, terms, says)
            case Largest(scores=scores, says=says) if len(says) > 1:
                whens = first_largest(self._scores(scores), list(map(self.scalar, says)), expression.rounds)
            case _:
                return self.scalar(expression)
        return (
            "\n    ".join(["CASE", *whens]) + "\n  END" if len(whens) > 1 else whens[0].removeprefix("ELSE ")
        )

    def result(self, expression: Expression) -> str:
        """Write the prediction; a number is a double, even if it is an integer."""
        if isinstance(expression, Constant) and isinstance(expression.value, float):
            text = sql_number(expression.value)
            return f"{text}e0" if text.lstrip("-").isdigit() else text
        return self.scalar(expression)

    def _bind(self, let: Let) -> None:
        if width(let.value) is None:
            self._variables[let.name] = self.column(let.name, self.scalar(let.value))
        else:
            self._variables[let.name] = self.named_parts(let.value, let.name)

    # --- tests -----------------------------------------------------------------------------------------------

    def test(self, expression: Expression) -> str:
        """Write a test; NULL counts as false."""
        match expression:
            case Constant(value=value):
                return "1 = 1" if value else "1 = 0"
            case Comparison():
                return self._comparison(expression)
            case Membership(cell=cell, values=values):
                return self.membership(cell, values)
            case Missing(cell=cell):
                return f"{self.name(cell)} IS NULL"
            case Unseen(cell=cell):
                domain = ", ".join(sql_values(cell.column, cell.column.domain))
                return (
                    "1 = 0" if isinstance(cell, Derived) else f"{sql_nominal(cell.column)} NOT IN ({domain})"
                )
            case And(parts=parts):
                return self._chain(" AND ", parts)
            case Or(parts=parts):
                return self._chain(" OR ", parts)
            case Not(part=part):
                return f"NOT COALESCE({self.test(part)}, (1 = 0))"
        raise TypeError(f"{type(expression).__name__} is not a test")

    def _chain(self, sign: str, parts: Sequence[Expression]) -> str:
        texts = [f"({self.test(part)})" if isinstance(part, Or) else self.test(part) for part in parts]
        if sign == " OR ":
            texts = [
                f"({text})" if isinstance(part, And) else text
                for text, part in zip(texts, parts, strict=True)
            ]
        while len(texts) > LONGEST_CHAIN:
            texts = [f"({sign.join(piece)})" for piece in pieces(texts)]
        return sign.join(texts) or ("1 = 1" if sign == " AND " else "1 = 0")

    def membership(self, cell: Cell, values: tuple[Value, ...]) -> str:
        """Write the test that a nominal cell has one of several values."""
        if isinstance(cell, Derived):
            name, found = self.name(cell), [str(cell.column.domain.index(value)) for value in values]
        else:
            name, found = sql_nominal(cell.column), sql_values(cell.column, values)
        return f"{name} = {found[0]}" if len(found) == 1 else f"{name} IN ({', '.join(found)})"

    def _comparison(self, comparison: Comparison) -> str:
        left, sign, right = comparison.left, comparison.sign, comparison.right
        if isinstance(left, Maximum):
            if sign not in ("<", "<="):
                raise TypeError(
                    f"cannot export to SQL a comparison by {sign} of the largest of several scores"
                )
            bound = self.scalar(right)
            return " AND ".join(f"{score} {sign} {bound}" for score in self._scores(left.vector))
        if isinstance(left, Cell) and isinstance(right, Constant):
            return self.compared(left, sign, float(right.value))  # type: ignore[arg-type]
        return f"{self.factor(left)} {sign} {self.factor(right)}"

    def compared(self, cell: Cell, sign: str, number: float) -> str:
        """Write the test that the number in a cell is at most, or above, another one."""
        name = self.name(cell)
        if cell.column.temporal and sign in ("<=", ">"):
            return f"{sql_moment(name)} {'<' if sign == '<=' else '>='} {sql_literal(next_moment(number))}"
        if cell.column.temporal:
            return f"{self.number(cell)} {sign} {compared_number(number)}"
        if abs(number) >= EXACT_WHOLE:
            name = f"CAST({name} AS DOUBLE PRECISION)"
        return f"{name} {sign} {compared_number(number)}"

    def name(self, cell: Cell) -> str:
        """Write the name of a column; a derived one becomes a column of a step."""
        if not isinstance(cell, Derived):
            return sql_identifier(cell.column.name)
        if cell.column.name not in self._derived:
            value = self.scalar(cell.value)
            if cell.needs:
                blank = " OR ".join(self.test(Missing(need)) for need in cell.needs)
                value = f"CASE WHEN {blank} THEN NULL ELSE {value} END"
            self._derived[cell.column.name] = self.column("sum", value)
        return self._derived[cell.column.name]

    # --- numbers and outcomes --------------------------------------------------------------------------------

    def scalar(self, expression: Expression) -> str:
        """Write a number or an outcome."""
        match expression:
            case Constant(value=float() | int() as value) if not isinstance(value, bool):
                return sql_number(value) if isinstance(value, float) else sql_literal(value)
            case Constant(value=value):
                return sql_literal(value)  # type: ignore[arg-type]
            case Cell():
                return self.number(expression)
            case Number():
                return self._scaled(expression)
            case LookUp() | Steps():
                return self._stepped(expression, [self.scalar(said) for said in self._all_said(expression)])
            case Part(vector=vector, place=place):
                return self.parts(vector)[place]
            case Sum(terms=terms):
                from induce.hypotheses.writers.sql_trees import is_large_sum_of_numbers, sum_of_numbers

                if is_large_sum_of_numbers(terms):
                    return sum_of_numbers(self, terms)
                return self.sum([self.scalar(term) for term in terms])
            case Maximum(vector=vector):
                names = [self.column("part", text) for text in self.parts(vector)]
                return f"CASE {' '.join(first_largest(names, names))} END" if len(names) > 1 else names[0]
            case WeightedSum(constant=constant, weights=weights, terms=terms):
                return self.sum([sql_number(constant), *map(self._weighted, weights, terms)])
            case Product(factors=factors):
                return " * ".join(map(self.factor, factors))
            case Function(name=name, arguments=arguments):
                return FUNCTIONS[name].sql.format(*map(self.simple, arguments))
            case Case(branches=branches, otherwise=otherwise):
                whens = [f"WHEN {self.test(test)} THEN {self.scalar(said)}" for test, said in branches]
                rest = self.scalar(otherwise)
                return f"CASE {' '.join(whens)} ELSE {rest} END" if whens else rest
            case Let(within=within):
                self._bind(expression)
                return self.scalar(within)
            case Variable(name=name):
                found = self._variables[name]
                assert isinstance(found, str)
                return found
            case Descent():
                from induce.hypotheses.writers.sql_trees import one_path

                return one_path(self, expression)
            case Largest(scores=scores, says=says):
                said = list(map(self.scalar, says))
                if len(said) == 1:
                    return said[0]
                return f"CASE {' '.join(first_largest(self._scores(scores), said, expression.rounds))} END"
        raise _refusal(expression)

    def factor(self, expression: Expression) -> str:
        """Write a number as a factor."""
        text = self.scalar(expression)
        alone = isinstance(expression, Descent) and len(expression.splits) == 1  # its leaf may be a sum
        loose = alone or isinstance(expression, Sum | WeightedSum) or text.startswith("-")
        return f"({text})" if loose else text

    def simple(self, expression: Expression) -> str:
        """Write a number as a name or a constant, so that it can be repeated."""
        if isinstance(expression, Constant):
            return self.factor(expression)
        return self.column("value", self.scalar(expression))

    def number(self, cell: Cell) -> str:
        """Write the number in a cell as a double, NULL if it is missing."""
        name = self.name(cell)
        if not cell.column.temporal:
            return name if isinstance(cell, Derived) else f"CAST({name} AS DOUBLE PRECISION)"
        if name not in self._days:
            self._days[name] = self.column("days", sql_days(self.column("moment", sql_moment(name))))
        return self._days[name]

    def _scaled(self, number: Number) -> str:
        text = self.number(number.cell)
        if number.offset or number.scale != 1:
            text = f"({text} - {self.factor(Constant(number.offset))}) / {sql_number(float(number.scale))}"
            if number.scale == int(number.scale):
                text = f"({text} * 1e0)" if abs(number.scale) < 1e6 else text
        if number.far < 1e300:
            whole, far = self.column("value", text), sql_number(number.far)
            text = f"CASE WHEN {whole} > {far} THEN {far} WHEN {whole} < -{far} THEN -{far} ELSE {whole} END"
        return f"COALESCE({text}, {sql_number(number.missing)})"

    def _weighted(self, weight: float, term: Expression) -> str:
        return self.factor(term) if weight == 1 else f"{sql_number(weight)} * {self.factor(term)}"

    def sum(self, terms: list[str]) -> str:
        if not terms:
            return "0e0"
        total, *rest = terms
        for k, piece in enumerate(pieces(rest)):
            if k:  # sums depend on their order: each piece continues the previous sum
                total = self.column("sum", total)
            sign = "\n        + " if any("CASE" in term for term in piece) else " + "
            total = sign.join([total, *piece])
        return total

    def _all_said(self, table: LookUp | Steps) -> list[Constant]:
        if isinstance(table, LookUp):
            return [*table.says, table.unseen, table.missing]
        return [*table.says, table.missing]

    def _stepped(self, table: LookUp | Steps, said: list[str]) -> str:
        """Write the result for a cell: by value or interval, for an unseen value, and for a missing one."""
        whens = []
        if isinstance(table, LookUp):
            *says, rest, missing = said
            groups: dict[str, list[Value]] = {}
            for value, text in zip(table.cell.column.domain, says, strict=True):
                groups.setdefault(text, []).append(value)
            whens += [
                f"WHEN {self.membership(table.cell, tuple(values))} THEN {text}"
                for text, values in groups.items()
                if text != rest
            ]
        else:
            *says, missing = said
            rest = says[-1]
            for end, text, following in zip(table.ends, says, says[1:], strict=False):
                if text != following:
                    whens.append(f"WHEN {self.compared(table.cell, '<=', end)} THEN {text}")
        if missing != rest:
            whens.append(f"WHEN {self.test(Missing(table.cell))} THEN {missing}")
        return f"CASE {' '.join(whens)} ELSE {rest} END" if whens else rest

    # --- vectors ---------------------------------------------------------------------------------------------

    def parts(self, expression: Expression) -> list[str]:
        """Write the numbers of a vector."""
        match expression:
            case Constant(value=tuple() as numbers):
                return list(map(sql_number, numbers))
            case Vector(parts=parts):
                return [text for part in parts for text in self._vector_or_number(part)]
            case Indicators(cell=cell, missing=missing):
                return [self._indicator(cell, k, number) for k, number in enumerate(missing)]
            case LookUp() | Steps():
                rows = [self.parts(said) for said in self._all_said(expression)]
                return [self._stepped(expression, list(said)) for said in zip(*rows, strict=True)]
            case Sum(terms=terms):
                return self._sums(terms)
            case Product(factors=factors):
                columns = self._broadcast(factors)
                return [" * ".join(f"({text})" if "+" in text else text for text in each) for each in columns]
            case Function(name=name, arguments=arguments):
                columns = self._broadcast(arguments)
                return [FUNCTIONS[name].sql.format(*(self._again(text) for text in each)) for each in columns]
            case Affine(matrix=matrix, vector=vector, offset=offset):
                self._refuse_large(matrix.size)
                x = [self._again(text) for text in self.parts(vector)]
                return [
                    self.sum(
                        [
                            sql_number(start),
                            *(f"{sql_number(w)} * {text}" for w, text in zip(row, x, strict=True) if w),
                        ]
                    )
                    for start, row in zip(offset.tolist(), matrix.tolist(), strict=True)
                ]
            case Distances(points=points, vector=vector, weights=weights):
                self._refuse_large(points.size)
                x = [self._again(text) for text in self.parts(vector)]
                return [self._distance(x, row, weights.tolist()) for row in points.tolist()]
            case Case(branches=branches, otherwise=otherwise):
                tests = [self.test(test) for test, _ in branches]
                rows = [*(self.parts(said) for _, said in branches), self.parts(otherwise)]
                return [_case(tests, list(each)) for each in zip(*rows, strict=True)]
            case Let(within=within):
                self._bind(expression)
                return self.parts(within)
            case Variable(name=name):
                return list(self._variables[name])
            case Largest(scores=scores, says=says, rounds=rounds):
                return self._chosen(scores, [self.parts(said) for said in says], rounds)
            case Descent():
                from induce.hypotheses.writers.sql_trees import sum_over_leaves

                return sum_over_leaves(self, expression)
        raise _refusal(expression)

    def named_parts(self, vector: Expression, stem: str = "score") -> list[str]:
        """Return a column for each number of a vector."""
        return [self.column(stem, text) for text in self.parts(vector)]

    def _scores(self, vector: Expression) -> list[str]:
        found = self.named_parts(vector)
        if len(found) > MOST_CLASSES:
            raise InputError(
                f"{len(found):,} classes are too many for one SQL query ({MOST_CLASSES} at most); export "
                "to Python instead"
            )
        return found

    def _chosen(self, scores: Expression, rows: list[list[str]], rounds: bool) -> list[str]:
        """Write the vector of the largest score."""
        if len(rows) == 1:
            return rows[0]
        places = list(map(str, range(len(rows))))
        best = self.column(
            "best", f"CASE {' '.join(first_largest(self._scores(scores), places, rounds))} END"
        )
        return [_case([f"{best} = {k}" for k in places[:-1]], list(each)) for each in zip(*rows, strict=True)]

    def _sums(self, terms: Sequence[Expression]) -> list[str]:
        """Write the terms of a sum of vectors; adjacent trees are evaluated together."""
        from induce.hypotheses.writers.sql_trees import forest_votes, is_large_forest

        rows: list[list[str]] = []
        waiting = list(terms)
        while waiting:
            trees: list[Largest] = []
            while waiting and isinstance(waiting[0], Largest) and isinstance(waiting[0].scores, Descent):
                trees.append(waiting[0])
                waiting.pop(0)
            if is_large_forest(trees):
                before = [self.sum(list(each)) for each in zip(*rows, strict=True)] if rows else None
                rows = [forest_votes(self, trees, before)]
            else:
                rows += map(self.parts, trees)
            if waiting:
                rows.append(self.parts(waiting.pop(0)))
        return [
            self.sum([text for text in each if text != "0"] or ["0e0"]) for each in zip(*rows, strict=True)
        ]

    def _broadcast(self, arguments: Sequence[Expression]) -> list[tuple[str, ...]]:
        n = max(width(argument) or 1 for argument in arguments)
        rows = [
            [self.factor(argument)] * n if width(argument) is None else self.parts(argument)
            for argument in arguments
        ]
        return list(zip(*rows, strict=True))

    def _vector_or_number(self, expression: Expression) -> list[str]:
        return [self.scalar(expression)] if width(expression) is None else self.parts(expression)

    def _indicator(self, cell: Cell, place: int, missing: float) -> str:
        domain = cell.column.domain
        here, others = self.membership(cell, (domain[place],)), self.membership(cell, domain)
        return f"CASE WHEN {here} THEN 1 WHEN {others} THEN 0 ELSE {sql_number(missing)} END"

    def _distance(self, x: list[str], row: list[float], weights: list[float]) -> str:
        gaps = [
            self.column("gap", f"({text} - {self.factor(Constant(float(at)))}) * {sql_number(weight)}")
            for text, at, weight in zip(x, row, weights, strict=True)
        ]
        return self.sum(["0e0", *(f"{gap} * {gap}" for gap in gaps)])

    def _again(self, text: str) -> str:
        return (
            text
            if text.lstrip("-").replace(".", "").replace("e", "").isdigit()
            else self.column("value", text)
        )

    def _refuse_large(self, size: int) -> None:
        if size > MOST_NUMBERS:
            raise too_large()


def too_large() -> InputError:
    """Return the error for a hypothesis that is too large for one query."""
    return InputError("the hypothesis is too large for one SQL query; export it as Python (to_python)")


def _refusal(expression: Expression) -> InputError:
    needs = {LogSumExp: "kernels", Words: "texts"}.get(type(expression))
    column = next(iter(columns_of(expression)), "")
    if needs:
        return InputError(f"column {column!r} needs {needs}, which cannot be exported to SQL; use to_python")
    what = "voted perceptron" if isinstance(expression, Voted) else type(expression).__name__.lower()
    return InputError(f"cannot export a {what} to SQL; use to_python")


def _case(tests: list[str], says: list[str]) -> str:
    """Write a case; adjacent branches with the same result are merged."""
    if all(said == says[-1] for said in says):
        return says[-1]
    whens = [f"WHEN {test} THEN {said}" for test, said in zip(tests, says, strict=False)]
    return f"CASE {' '.join(whens)} ELSE {says[-1]} END"
