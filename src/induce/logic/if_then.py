"""IF-THEN rules over the columns of a table, and decision tables, as clauses about a row.

``IF age >= 18 AND solvent AND NOT country = nowhere THEN approve`` is the clause
``approve(X) :- age(X, A), A >= 18, solvent(X), \\+ country(X, nowhere).``
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from induce.core.errors import InputError
from induce.logic.clauses import Clause, Literal
from induce.logic.rule_text import RANGE as BETWEEN
from induce.logic.rule_text import alternatives, split
from induce.logic.terms import Constant, Term, Variable

ROW = Variable("X")
MOST_WAYS = 1_000
"""Maximum number of alternatives of one rule, from set values and m-of-n conditions."""
SIGNS = {"<=": "=<", "≤": "=<", "≥": ">=", "==": "=", "≠": "!="}
COMPARISON = re.compile(r"^(?P<name>.+?)\s*(?P<sign><=|>=|!=|==|≤|≥|≠|=|<|>)\s*(?P<value>.+)$")
SET = re.compile(r"^(?P<name>.+?)\s+(?P<no>NOT\s+)?IN\s*\{(?P<values>[^{}]*)\}$", re.IGNORECASE)
SOME = re.compile(r"^(?P<m>\d+)\s+OF\s*\((?P<parts>.*)\)$", re.IGNORECASE | re.DOTALL)
RANGE = re.compile(r"^(?P<low>[-+.\d]+)\s*\.\.\s*(?P<high>[-+.\d]+)$")
ANYTHING = frozenset({"", "-", "*", "any"})
"""Cell contents of a decision table that mean no condition."""

Ways = list[tuple[Literal, ...]]


def parse_if_then(text: str) -> tuple[Clause, ...]:
    """Read IF-THEN rules, one per line, as clauses about a row.

    A condition is a concept (``solvent``), a comparison of a column (``age >= 18``, ``colour = red``,
    ``age BETWEEN 18 AND 65``), a set (``colour IN {red, blue}``) or an m-of-n condition (``2 OF (a, b, c)``, with
    commas or semicolons). Each may be preceded by ``NOT``. ``OR`` separates alternatives; AND binds more
    tightly. A conclusion is a concept, or a column with a value. Empty lines and text after ``#`` are ignored.

    Parameters
    ----------
    text : str
        Rules, one per line.

    Examples
    --------
    >>> for clause in parse_if_then('''
    ...     IF age >= 18 AND NOT blocked THEN approve
    ...     IF country IN {nowhere, elsewhere} THEN blocked
    ... '''):
    ...     print(clause)
    approve(X) :- age(X, A), A >= 18, \\+ blocked(X).
    blocked(X) :- country(X, nowhere).
    blocked(X) :- country(X, elsewhere).
    """
    found: list[Clause] = []
    for number, rule in _lines(text):
        found.extend(_rule(rule, f"line {number}"))
    if not found:
        raise InputError("there is no rule; write rules as IF conditions THEN conclusion, one per line")
    return tuple(found)


def read_decision_table(path: str | Path, target: str | None = None) -> tuple[Clause, ...]:
    """Read a decision table from a CSV or Excel file, one rule per row, as clauses about a row.

    The column `target` (by default the last) holds the conclusions, and the others hold conditions: a value,
    ``>= 18``, ``18..30`` (both included), ``red | blue``, ``not red``, or nothing. The target is
    ``target(Row, value)``.

    Parameters
    ----------
    path : str or Path
        Path of the file.
    target : str, optional
        Column of the conclusions; the last by default.
    """
    import polars as pl

    file = Path(path)
    try:
        if file.suffix.lower() in (".xlsx", ".xls", ".xlsb", ".ods"):
            frame = pl.read_excel(file)
        else:
            frame = pl.read_csv(file, infer_schema=False)
    except FileNotFoundError:
        raise InputError(f"there is no file {str(file)!r}; check the path") from None
    except (pl.exceptions.PolarsError, UnicodeDecodeError, ImportError, ValueError) as problem:
        raise InputError(f"cannot read the decision table {str(file)!r}: {problem}") from None
    rows = [["" if cell is None else str(cell) for cell in row] for row in frame.iter_rows()]
    return decision_table(frame.columns, rows, target)


def decision_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], target: str | None = None
) -> tuple[Clause, ...]:
    """Return the clauses of a decision table, one rule per row.

    Examples
    --------
    >>> print(*decision_table(["age", "owner", "risk"], [["< 25", "-", "high"], ["25..60", "yes", "low"]]), sep="\\n")
    risk(X, high) :- age(X, A), A < 25.
    risk(X, low) :- age(X, A), A >= 25, A =< 60, owner(X, yes).
    """
    goal = target or (columns[-1] if columns else "")
    if goal not in columns:
        raise InputError(f"the decision table has no column {goal!r}; it has {', '.join(map(repr, columns))}")
    found: list[Clause] = []
    for number, row in enumerate(rows, 1):
        where = f"row {number} of the decision table"
        cells = dict(zip(columns, (cell.strip() for cell in row), strict=True))
        said = cells.pop(goal)
        if said.lower() in ANYTHING:
            raise InputError(f"{where} has no conclusion in column {goal!r}; fill it in")
        ways: Ways = [()]
        for name, cell in cells.items():
            if cell.lower() not in ANYTHING:
                ways = _both(ways, _cell(name, cell, where), where)
        found.extend(_clause(Literal(goal, (ROW, _value(said))), way) for way in ways)
    if not found:
        raise InputError("the decision table has no rows; give at least one")
    return tuple(found)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each rule with the number of its first line; a rule may continue up to the next IF."""
    first, gathered = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.split("#")[0].strip().rstrip(".")
        continues = not re.match(r"IF\b", stripped, re.IGNORECASE) and " THEN " not in gathered.upper()
        if gathered and stripped and continues:
            gathered += f" {stripped}"
        elif stripped:
            if gathered:
                yield first, gathered
            first, gathered = number, stripped
    if gathered:
        yield first, gathered


def _rule(text: str, where: str) -> Iterator[Clause]:
    matched = re.match(
        r"^IF\s+(?P<premise>.+?)\s+THEN\s+(?P<conclusion>.+)$", text, re.IGNORECASE | re.DOTALL
    )
    if matched is None:
        raise InputError(f"{where} is not a rule: {text!r}; write IF conditions THEN conclusion")
    conclusion = matched["conclusion"].strip()
    compared = COMPARISON.match(conclusion)
    if compared is not None and compared["sign"] not in ("=", "=="):
        raise InputError(
            f"{where}: the conclusion {conclusion!r} must be a concept, or a column with one value"
        )
    head = (
        Literal(_name(conclusion), (ROW,))
        if compared is None
        else Literal(_name(compared["name"]), (ROW, _value(compared["value"])))
    )
    premise = matched["premise"].strip()
    for parts in [[]] if premise.upper() == "TRUE" else alternatives(premise):
        ways: Ways = [()]
        for part in parts:
            ways = _both(ways, _condition(part, where), where)
        for way in ways:
            yield _clause(head, way)


def _condition(text: str, where: str) -> Ways:
    """Return the alternatives under which a condition holds."""
    text = text.strip()
    if not text:
        raise InputError(f"{where} has an empty condition; complete or remove it")
    if text.upper().startswith("NOT "):
        ways = _condition(text[4:], where)
        return [tuple(one for way in ways for one in _denied(way, text, where))]
    several = SOME.match(text)
    if several is not None:
        return _some_of(int(several["m"]), split(several["parts"], "[,;]"), text, where)
    within = BETWEEN.match(text)
    if within is not None:
        return _cell(within["name"], f"{within['low']}..{within['high']}", where)
    among = SET.match(text)
    if among is not None:
        values = [_value(one) for one in among["values"].split(",") if one.strip()]
        tests = [Literal(_name(among["name"]), (ROW, value)) for value in values]
        if not tests:
            raise InputError(f"{where}: the set of {text!r} is empty; give at least one value")
        return [tuple(one.negation() for one in tests)] if among["no"] else [(one,) for one in tests]
    compared = COMPARISON.match(text)
    if compared is None:
        return [(Literal(_name(text), (ROW,)),)]
    return _cell(compared["name"].strip(), compared["sign"] + compared["value"], where)


def _some_of(m: int, parts: list[str], text: str, where: str) -> Ways:
    if not 1 <= m <= len(parts) or math.comb(len(parts), m) > MOST_WAYS:
        raise InputError(
            f"{where}: {text!r} asks for {m} of {len(parts)} conditions; write a condition with at "
            f"most {MOST_WAYS:,} alternatives"
        )
    conditions = [_condition(part, where) for part in parts]
    found: Ways = []
    for chosen in combinations(conditions, m):
        ways: Ways = [()]
        for one in chosen:
            ways = _both(ways, one, where)
        found.extend(ways)
    return found


def _cell(name: str, text: str, where: str) -> Ways:
    """Return the alternatives under which a column satisfies a test such as ``>= 18`` or ``red | blue``."""
    name = _name(name)
    between = RANGE.match(text)
    if between is not None:
        value = Variable("A")
        low, high = _value(between["low"]), _value(between["high"])
        return [(Literal(name, (ROW, value)), Literal(">=", (value, low)), Literal("=<", (value, high)))]
    signed = re.match(r"^(<=|>=|!=|==|≤|≥|≠|=|<|>)\s*(.+)$", text)
    sign = SIGNS.get(signed[1], signed[1]) if signed else "="
    rest = signed[2] if signed else text
    if signed is None and rest.lower().startswith("not "):
        sign, rest = "!=", rest[4:]
    if sign in ("=", "!="):
        tests = [Literal(name, (ROW, _value(part))) for part in (rest.split("|") if not signed else [rest])]
        return [tuple(one.negation() for one in tests)] if sign == "!=" else [(one,) for one in tests]
    limit = _value(rest)
    if not isinstance(limit, Constant) or isinstance(limit.value, str):
        raise InputError(
            f"{where}: {name} is compared with {rest.strip()!r}, which is not a number; give a number"
        )
    value = Variable("A")
    return [(Literal(name, (ROW, value)), Literal(sign, (value, limit)))]


def _denied(way: tuple[Literal, ...], text: str, where: str) -> Iterator[Literal]:
    if len(way) == 1:
        yield way[0].negation()
        return
    opposite = {"=<": ">", ">=": "<", "<": ">=", ">": "=<"}
    if len(way) == 2 and way[1].name in opposite:
        # a missing value satisfies neither a comparison nor its negation
        yield way[0]
        yield Literal(opposite[way[1].name], way[1].arguments)
        return
    raise InputError(
        f"{where}: {text!r} negates several conditions at once; define a concept for them in a rule of "
        "its own"
    )


def _both(ways: Ways, more: Ways, where: str) -> Ways:
    if len(ways) * len(more) > MOST_WAYS:
        raise InputError(
            f"{where} has more than {MOST_WAYS:,} alternatives; define concepts for parts of it in "
            "rules of their own"
        )
    return [(*one, *other) for one in ways for other in more]


def _clause(head: Literal, body: tuple[Literal, ...]) -> Clause:
    """Return a clause about a row, with one variable per column."""
    names: dict[str, Variable] = {}
    kept: dict[Literal, None] = {}
    column = ""
    for literal in body:
        last = literal.arguments[-1]
        if isinstance(last, Variable) and last != ROW:
            column = literal.name
            turn, letter = divmod(len(names), 23)
            names.setdefault(
                column, Variable("ABCDEFGHIJKLMNOPQRSTUVW"[letter] + (str(turn) if turn else ""))
            )
            literal = Literal(literal.name, (ROW, names[column]))
        elif literal.arguments[0] != ROW:
            literal = Literal(literal.name, (names[column], *literal.arguments[1:]))
        kept[literal] = None
    return Clause(head, tuple(kept))


def _name(text: str) -> str:
    return text.strip().strip("'\"")


def _value(text: str) -> Term:
    """Return a value as a term; numeric text becomes a number."""
    plain = text.strip()
    if len(plain) > 1 and plain[0] == plain[-1] and plain[0] in "'\"":
        return Constant(plain[1:-1])
    try:
        number = float(plain)
    except ValueError:
        return Constant(plain)
    if not math.isfinite(number):
        return Constant(plain)
    return Constant(int(number) if number.is_integer() else number)
