"""Expressions as Python source without dependencies."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from keyword import iskeyword
from textwrap import dedent, indent
from typing import Any

from induce.core.errors import InputError
from induce.core.values import plain
from induce.data.schema import Column, Schema
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
    Split,
    Steps,
    Sum,
    Test,
    Unseen,
    Variable,
    Vector,
    Voted,
    WeightedSum,
    Words,
)
from induce.hypotheses.expressions.shapes import columns_of, width
from induce.hypotheses.naming import number_text
from induce.hypotheses.writers.notes import date_notes
from induce.hypotheses.writers.python_helpers import HELPERS, NEEDS
from induce.hypotheses.writers.sql_text import held_as_numbers

LONGEST = 200
"""Longer texts become variables, since parsers limit the nesting of brackets."""
MOST_TERMS = 40
DATES = "holds dates: a date, a datetime, text such as 2021-05-27 12:30:00, or days since 1970-01-01"


def python_function(expression: Expression, name: str, target: str) -> str:
    """Return the source of a function from a dict, such as a row, to the value of an expression.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> windy = Membership(Cell(Column("wind", "nominal", ("weak", "strong"))), ("strong",))
    >>> print(python_function(Case(((windy, Constant("no")),), Constant("yes")), "predict", "play"))
    def predict(row):
        'Return play for a row, a dict from column to value; None, NaN or no entry is a missing value.'
        if row.get('wind') == 'strong':
            return 'no'
        return 'yes'
    <BLANKLINE>
    """
    writer = PythonWriter()
    for cell in _derived_outside_trees(expression):
        writer.derive(cell)
    writer.decide(expression)
    columns = columns_of(expression).values()
    return _function([*writer.helpers(), *writer.lines], name, target, columns)


def python_module(data: Sequence[str], body: str, name: str, target: str, schema: Schema) -> str:
    """Return the source of a function with data written by `python_literal`, and a given body.

    The body may call `missing`, `days` and `text`; `dates` and `texts` are the columns that these read.
    """
    dates = tuple(column.name for column in schema if column.temporal)
    texts = tuple(column.name for column in schema if held_as_numbers(column.domain))
    helpers = [line for helper in ("missing", "days", "text") for line in [*HELPERS[helper].split("\n"), ""]]
    lists = [f"dates, texts = {python_literal((dates, texts))}"]
    lines = ["import datetime", "import math", "", *helpers, *lists, *data, *dedent(body).splitlines()]
    return _function(lines, name, target, schema)


def _function(lines: Sequence[str], name: str, target: str, columns: Iterable[Column]) -> str:
    check_name(name)
    use = f"Return {target} for a row, a dict from column to value; None, NaN or no entry is a missing value."
    notes = [f"# {note}" for note in date_notes(columns, DATES)]
    body = [python_literal(use), *notes, *lines]
    return f"def {name}(row):\n" + indent("\n".join(body), "    ", lambda line: bool(line.strip())) + "\n"


def check_name(name: str) -> None:
    """Raise an error if a name is invalid for a Python function."""
    if not name.isidentifier() or iskeyword(name):
        raise InputError(f"name={name!r} cannot name a Python function; use letters, digits and _")


def python_literal(value: Any) -> str:
    """Write a value: text, a number, a truth value, None, or a tuple of them.

    Examples
    --------
    >>> print(python_literal("don't"), python_literal(0.1), python_literal((True, None)))
    "don't" 0.1 (True, None)
    """
    value = plain(value)
    if isinstance(value, tuple | list):
        return f"({', '.join(map(python_literal, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{float(value)}')"
    if value is None or type(value) in (str, int, float, bool):
        return repr(value)
    raise InputError(f"cannot write {value!r} in Python: it is not a text, number or truth value")


class PythonWriter:
    """Writer of the body of one function; `lines` are its statements."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._used: dict[str, str] = {}
        self._variables: dict[str, str] = {}
        self._n = 0

    def helpers(self) -> list[str]:
        """Return the imports and helper functions of the statements."""
        sources = list(self._used.values())
        imports = [
            f"import {module}"
            for module in ("datetime", "math", "re")
            if any(re.search(rf"\b{module}\.", text) for text in [*sources, *self.lines])
        ]
        return [*imports, *(line for source in sources for line in [*source.split("\n"), ""])]

    def _call(self, helper: str, *arguments: str) -> str:
        for needed in (*NEEDS.get(helper, ()), helper):
            self._used.setdefault(needed, HELPERS[needed])
        return f"{helper}({', '.join(arguments)})"

    def _fresh(self, stem: str) -> str:
        self._n += 1
        return f"{stem}_{self._n}"

    def _assign(self, stem: str, text: str) -> str:
        if text.isidentifier():
            return text
        name = self._fresh(stem)
        self.lines.append(f"{name} = {text}")
        return name

    def _start(self, stem: str, text: str) -> str:
        """Write a variable to which numbers are added."""
        name = self._fresh(stem)
        self.lines.append(f"{name} = {text}")
        return name

    # --- statements ------------------------------------------------------------------------------------------

    def decide(self, expression: Expression) -> None:
        """Write the statements that return the value of an expression."""
        while True:
            match expression:
                case Let(name=name, value=value, within=within):
                    self._bind(name, value)
                    expression = within
                case Case(branches=branches, otherwise=otherwise):
                    for test, said in branches:
                        holds, text = self.test(test), self.text(said)
                        self.lines += [f"if {holds}:", f"    return {text}"]
                    expression = otherwise
                case _:
                    self.lines.append(f"return {self.text(expression)}")
                    return

    def _bind(self, name: str, value: Expression) -> None:
        self._variables[name] = self._assign(_word(name), self.text(value))

    # --- tests -----------------------------------------------------------------------------------------------

    def test(self, expression: Expression) -> str:
        """Write a test."""
        match expression:
            case Constant(value=value):
                return str(bool(value))
            case Comparison(left=Cell() as cell, sign=sign, right=Constant(value=int() | float() as number)):
                return self._compared(cell, sign, float(number))
            case Comparison(left=left, sign=sign, right=right):
                return f"{self.text(left)} {'==' if sign == '=' else sign} {self.text(right)}"
            case Membership(cell=cell, values=values):
                known = self._nominal(cell)
                one = len(values) == 1
                return (
                    f"{known} == {python_literal(values[0])}"
                    if one
                    else f"{known} in {python_literal(values)}"
                )
            case Missing(cell=cell):
                return self._call("missing", _cell(cell))
            case Unseen(cell=cell):
                known = f"{self._nominal(cell)} not in {python_literal(cell.column.domain)}"
                return f"not {self._call('missing', _cell(cell))} and {known}"
            case And(parts=parts):
                return " and ".join(self._conjuncts(parts)) or "True"
            case Or(parts=parts):
                return (
                    " or ".join(_held(self.test(part), part, (And, Comparison, Unseen)) for part in parts)
                    or "False"
                )
            case Not(part=part):
                return f"not ({self.test(part)})"
        raise TypeError(f"{type(expression).__name__} is not a test")

    def _conjuncts(self, parts: Sequence[Expression]) -> list[str]:
        """Write a conjunction of tests; two bounds of one cell are one comparison."""
        joined = [part for each in parts for part in (each.parts if isinstance(each, And) else (each,))]
        texts: list[str] = []
        before: Expression | None = None
        for part in joined:
            match before, part:
                case (
                    Comparison(left=Cell() as cell, sign=">", right=Constant(value=float() as low)),
                    Comparison(left=again, sign="<=", right=Constant(value=float() as high)),
                ) if cell == again:
                    name = python_literal(cell.column.name)
                    held = self._held(cell, max(abs(low), abs(high)))
                    between = f"{number_text(low)} < {held} <= {number_text(high)}"
                    texts[-1] = (
                        between if cell.column.temporal else f"row.get({name}) is not None and {between}"
                    )
                    before = None
                case _:
                    texts.append(_held(self.test(part), part, (Or,)))
                    before = part
        return texts

    def _compared(self, cell: Cell, sign: str, number: float) -> str:
        test = f"{self._held(cell, number)} {'==' if sign == '=' else sign} {number_text(number)}"
        name = python_literal(cell.column.name)
        return test if cell.column.temporal else f"row.get({name}) is not None and {test}"

    def _held(self, cell: Cell, number: float) -> str:
        """Write the number in a non-missing cell for comparison; a missing date is NaN."""
        if cell.column.temporal:
            return self._call("days", _cell(cell))
        text = f"row[{python_literal(cell.column.name)}]"
        return text if abs(number) < EXACT_WHOLE else f"float({text})"

    def _nominal(self, cell: Cell) -> str:
        """Write a nominal cell for comparison; values that look like numbers may be stored as numbers."""
        return self._call("text", _cell(cell)) if held_as_numbers(cell.column.domain) else _cell(cell)

    # --- numbers, vectors and outcomes -----------------------------------------------------------------------

    def text(self, expression: Expression) -> str:
        """Write a number, a vector or an outcome, preceded by the statements that it requires."""
        match expression:
            case Constant(value=value):
                return python_literal(value)
            case Cell():
                return self._number(expression)
            case Number():
                return self._scaled(expression)
            case LookUp() | Steps() | Indicators():
                return self._looked_up(expression)
            case Vector(parts=parts):
                listed = [self.text(part) if width(part) is None else f"*{self.text(part)}" for part in parts]
                return (
                    f"[{', '.join(listed)}]" if len(listed) <= MOST_TERMS else self._assign_lines("x", listed)
                )
            case Part(vector=vector, place=place):
                return f"{self.simple(vector)}[{place}]"
            case Sum(terms=terms):
                return self._sum(terms) if width(expression) is None else self._vector_sum(terms)
            case WeightedSum(constant=constant, weights=weights, terms=terms):
                return self._weighted_sum(constant, weights, terms)
            case Product(factors=factors):
                return self._product(factors)
            case Function(name=name, arguments=arguments):
                return self._function(name, arguments)
            case Maximum(vector=vector):
                return f"max({self.text(vector)})"
            case LogSumExp(vector=vector):
                return self._call("log_sum_exp", self.simple(vector))
            case Voted(vector=vector, weights=weights, survival=survival, start=start):
                given = map(python_literal, (weights, survival, float(start)))
                return self._call("voted", self.simple(vector), *given)
            case Words():
                return self._words(expression)
            case Affine(matrix=matrix, vector=vector, offset=offset):
                rows = self._matrix("weights", matrix.tolist())
                return self._call("affine", rows, self.simple(vector), python_literal(tuple(offset.tolist())))
            case Distances(points=points, vector=vector, weights=weights):
                rows = self._matrix("points", points.tolist())
                return self._call(
                    "distances", rows, self.simple(vector), python_literal(tuple(weights.tolist()))
                )
        return self._choice(expression)

    def _choice(self, expression: Expression) -> str:
        match expression:
            case Case(branches=branches, otherwise=otherwise):
                return self._case(branches, otherwise)
            case Largest(says=says) if len(says) == 1:
                return self.text(says[0])
            case Largest(scores=scores, says=says):
                found = self._assign("scores", self.text(scores))
                if expression.rounds:
                    values = python_literal(tuple(said.value for said in says))
                    return f"{values}[{self._call('first_largest', found)}]"
                return f"{python_literal(tuple(said.value for said in says))}[{found}.index(max({found}))]"
            case Let(name=name, value=value, within=within):
                self._bind(name, value)
                return self.text(within)
            case Variable(name=name):
                return self._variables[name]
            case Descent():
                return self._descent(expression)
        raise TypeError(f"cannot write a {type(expression).__name__} in Python")

    def simple(self, expression: Expression) -> str:
        """Write an expression as a name, or unchanged if it is short."""
        text = self.text(expression)
        short = len(text) <= LONGEST and width(expression) is None
        return text if short or text.isidentifier() else self._assign("value", text)

    def _number(self, cell: Cell) -> str:
        return self._call("days", _cell(cell)) if cell.column.temporal else f"float({_cell(cell)})"

    def _scaled(self, number: Number) -> str:
        cell = self._call("days", _cell(number.cell)) if number.cell.column.temporal else _cell(number.cell)
        missing = python_literal(float(number.missing))
        if number.offset == 0 and number.scale == 1 and number.far == math.inf:
            return self._call("number", cell, missing)
        return self._call(
            "scaled", cell, missing, *map(python_literal, (number.offset, number.scale, number.far))
        )

    def _looked_up(self, table: LookUp | Steps | Indicators) -> str:
        if isinstance(table, Indicators):
            domain, missing = python_literal(table.cell.column.domain), python_literal(table.missing)
            return self._call("indicators", self._nominal(table.cell), domain, missing)
        says, missing = [said.value for said in table.says], python_literal(table.missing.value)
        if isinstance(table, Steps):
            cell = self._call("days", _cell(table.cell)) if table.cell.column.temporal else _cell(table.cell)
            return self._call("step", cell, python_literal(table.ends), python_literal(tuple(says)), missing)
        pairs = ", ".join(
            f"{python_literal(value)}: {python_literal(said)}"
            for value, said in zip(table.cell.column.domain, says, strict=True)
        )
        return self._call(
            "look_up", self._nominal(table.cell), f"{{{pairs}}}", python_literal(table.unseen.value), missing
        )

    def _sum(self, terms: Sequence[Expression]) -> str:
        texts = [self._term(term) for term in terms]
        if len(texts) <= MOST_TERMS:
            return f"({' + '.join(texts)})"
        total = self._start("total", texts[0])
        self.lines += [f"{total} += {text}" for text in texts[1:]]
        return total

    def _term(self, term: Expression) -> str:
        text = self.text(term)
        return f"({text})" if isinstance(term, Case) and not text.isidentifier() else text

    def _weighted_sum(self, constant: float, weights: Sequence[float], terms: Sequence[Expression]) -> str:
        texts = [
            self._factor(term) if weight == 1 else f"{python_literal(float(weight))} * {self._factor(term)}"
            for weight, term in zip(weights, terms, strict=True)
        ]
        if len(texts) <= MOST_TERMS:
            joined = " + ".join([python_literal(float(constant)), *texts])
            return f"({joined})" if texts else joined
        total = self._start("total", python_literal(float(constant)))
        self.lines += [f"{total} += {text}" for text in texts]
        return total

    def _vector_sum(self, terms: Sequence[Expression]) -> str:
        """Add vectors to a list; conditional ones are added under their condition."""
        total = self._assign("scores", self._listed(terms[0]))
        for term in terms[1:]:
            match term:
                case Case(
                    branches=((test, Constant(value=tuple() as says)),),
                    otherwise=Constant(value=tuple() as rest),
                ) if not any(rest):
                    added = [f"    {total}[{k}] += {python_literal(x)}" for k, x in enumerate(says) if x]
                    if added:
                        self.lines += [f"if {self.test(test)}:", *added]
                case _:
                    text = self.text(term)
                    self.lines.append(self._call("add", total, text))
        return total

    def _listed(self, vector: Expression) -> str:
        """Write a vector as a new list, which can be modified."""
        if isinstance(vector, Constant) and isinstance(vector.value, tuple):
            return f"[{', '.join(map(python_literal, vector.value))}]"
        return f"list({self.text(vector)})"

    def _product(self, factors: Sequence[Expression]) -> str:
        wide = [factor for factor in factors if width(factor) is not None]
        if not wide:
            return " * ".join(map(self._factor, factors))
        return self._elementwise(" * ".join(f"{{{k}}}" for k in range(len(factors))), factors)

    def _elementwise(self, template: str, arguments: Sequence[Expression]) -> str:
        """Write an elementwise operation on vectors, with scalars broadcast."""
        names: list[str] = []
        texts, vectors = [], []
        for argument in arguments:
            if width(argument) is None:
                texts.append(self._factor(argument))
            else:
                names.append("abcdefgh"[len(names)])
                texts.append(names[-1])
                vectors.append(self.text(argument))
        source = vectors[0] if len(vectors) == 1 else f"zip({', '.join(vectors)})"
        return f"[{template.format(*texts)} for {', '.join(names)} in {source}]"

    def _factor(self, factor: Expression) -> str:
        text = self.simple(factor)
        plain_text = isinstance(factor, Sum | WeightedSum) and text.startswith("(")
        return text if plain_text or text.isidentifier() or not _is_loose(factor, text) else f"({text})"

    def _function(self, name: str, arguments: Sequence[Expression]) -> str:
        forms = FUNCTIONS[name]
        if forms.helper:
            self._used.setdefault(name, forms.helper)
        wide = [argument for argument in arguments if width(argument) is not None]
        if not wide:
            return forms.python.format(*map(self._factor, arguments))
        return self._elementwise(forms.python, arguments)

    def _words(self, words: Words) -> str:
        pairs = [
            f"{python_literal(word)}: {python_literal(says)}"
            for word, says in zip(words.vocabulary, words.says, strict=True)
        ]
        logs = self._assign_lines("logs", pairs, "{}")
        n = len(words.says[0]) if words.says else 0
        given = (words.pattern, bool(words.lowercase), bool(words.once), n)
        return self._call("words", _cell(words.cell), logs, *map(python_literal, given))

    def _case(self, branches: Sequence[tuple[Expression, Expression]], otherwise: Expression) -> str:
        if not branches:
            return self.text(otherwise)
        tests = [self.test(test) for test, _ in branches]
        says = [*(self.text(said) for _, said in branches), self.text(otherwise)]
        if len(branches) == 1 and len(tests[0]) + len(says[0]) + len(says[1]) < LONGEST:
            return f"{says[0]} if {tests[0]} else {says[1]}"
        name = self._fresh("value")
        for k, (test, said) in enumerate(zip(tests, says, strict=False)):
            self.lines += [f"{'elif' if k else 'if'} {test}:", f"    {name} = {said}"]
        self.lines += ["else:", f"    {name} = {says[-1]}"]
        return name

    # --- tables ----------------------------------------------------------------------------------------------

    def _assign_lines(self, stem: str, texts: Sequence[str], brackets: str = "[]") -> str:
        name = self._fresh(stem)
        self.lines += [f"{name} = {brackets[0]}", *(f"    {text}," for text in texts), brackets[1]]
        return name

    def _matrix(self, stem: str, rows: Sequence[Sequence[float]]) -> str:
        return self._assign_lines(stem, [python_literal(tuple(row)) for row in rows], "()")

    def _descent(self, tree: Descent) -> str:
        if len(tree.splits) == 1:
            return self.text(tree.says[0])
        numbers = all(isinstance(said, Constant) for said in tree.says)
        rows = []
        for node, split in enumerate(tree.splits):
            said = tree.says[node]
            shown = python_literal(said.value) if isinstance(said, Constant) else str(node)
            rows.append(f"({shown}, {self._split(split)})")
        for cell in _derived(tree):
            self.derive(cell)
        self.lines += [
            "# of each node: what it says; the column it tests, its values or the numbers up to which each branch",
            "# but the last goes, the node that each leads to; the tests that stand in for a missing value; and what",
            "# part of a row goes to each branch if none does, the last branch first",
        ]
        nodes = self._assign_lines("nodes", rows, "()")
        columns = columns_of(tree).values()
        given = [
            tuple(c.name for c in columns if c.temporal),
            tuple(c.name for c in columns if held_as_numbers(c.domain)),
        ]
        for helper, names in zip(("days", "text"), given, strict=True):
            if names:
                self._call(helper)
        dates, texts = map(python_literal, given)
        if numbers and width(tree) is not None:
            return self._call("descend", nodes, dates, texts)
        ended = self._assign("node", self._call("ended_at", nodes, dates, texts))
        if numbers:
            return ended
        says = [f"if {ended} == {k}:" for k in range(len(tree.says))]
        name = self._fresh("value")
        for k, said in enumerate(tree.says):
            text = self.text(said)
            self.lines += [says[k], f"    {name} = {text}"]
        return name

    def derive(self, cell: Derived) -> None:
        """Add a derived column to the row."""
        if "row = dict(row)" not in self.lines:
            self.lines.append("row = dict(row)")
        name, value = python_literal(cell.column.name), self.text(cell.value)
        if cell.column.kind == "nominal":
            value = f"{python_literal(cell.column.domain)}[int({value})]"
        blank = " or ".join(self.test(Missing(need)) for need in cell.needs) or "False"
        self.lines.append(f"row[{name}] = None if {blank} else {value}")

    def _split(self, split: Split | None) -> str:
        if split is None:
            return "None, (), (), (), ()"
        parts = [
            (child, share) for child, share in zip(split.children, split.shares, strict=True) if share > 0
        ]
        surrogates = tuple(self._test(test, split.children) for test in split.surrogates)
        return ", ".join(
            map(python_literal, (*self._test(split.test, split.children), surrogates, tuple(reversed(parts))))
        )

    def _test(self, test: Test, children: Sequence[int]) -> tuple[Any, ...]:
        """Return the column, the ends of intervals or the values, and the nodes they lead to."""
        column = test.cell.column
        if column.kind != "nominal":
            # None precedes the ends, so that they are not mistaken for values
            leads = tuple(children[branch] for branch in test.branches if branch is not None)
            return column.name, (None, *test.ends), leads
        pairs = [
            (plain(v), children[b])
            for v, b in zip(column.domain, test.branches, strict=True)
            if b is not None
        ]
        return column.name, tuple(value for value, _ in pairs), tuple(lead for _, lead in pairs)


def _derived(tree: Descent) -> list[Derived]:
    """Return the derived columns that a tree tests."""
    tests = [test for split in tree.splits if split is not None for test in (split.test, *split.surrogates)]
    found = {test.cell.column.name: test.cell for test in tests if isinstance(test.cell, Derived)}
    return list(found.values())


def _derived_outside_trees(root: Expression) -> list[Derived]:
    """Return the derived columns that are read outside trees; trees put theirs into the row themselves."""
    found: dict[str, Derived] = {}
    waiting: list[Any] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Derived):
            found.setdefault(node.column.name, node)
        elif isinstance(node, Descent):
            waiting += node.says
        elif isinstance(node, tuple):
            waiting += reversed(node)
        elif is_dataclass(node) and not isinstance(node, Column | type):
            waiting += [getattr(node, field.name) for field in reversed(fields(node))]
    return list(found.values())


def _cell(cell: Cell) -> str:
    return f"row.get({python_literal(cell.column.name)})"


def _word(name: str) -> str:
    return name if name.isidentifier() and not iskeyword(name) else "value"


def _held(text: str, part: Expression, loose: tuple[type, ...]) -> str:
    return f"({text})" if isinstance(part, loose) else text


def _is_loose(expression: Expression, text: str) -> bool:
    """Return whether a text needs brackets as a factor."""
    if isinstance(expression, Constant):
        return text.startswith("-")
    return isinstance(expression, Sum | WeightedSum | Case | Product)
