"""Clauses as SQL for SQLite, DuckDB and PostgreSQL: relations are tables, rules are common table expressions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.core.values import Value
from induce.hypotheses.writers.notes import comment
from induce.hypotheses.writers.sql_text import LIKE_A_NUMBER, sql_identifier, sql_literal, sql_moment
from induce.logic.background.origins import DATE, TRUTH, Origin
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.coverage.bindings import compares
from induce.logic.stratification import strata, written
from induce.logic.terms import Constant, Function, Term, Variable

if TYPE_CHECKING:
    from induce.hypotheses.theory import Theory

SAME = {"=": "=", "==": "=", "=:=": "=", "\\=": "<>", "\\==": "<>", "=\\=": "<>"}
ORDER = {"<": "<", ">": ">", "=<": "<=", ">=": ">=", "@<": "<", "@>": ">", "@=<": "<=", "@>=": ">="}
ISO = re.compile(r"\d{4}-\d\d-\d\d.*", re.DOTALL)


@dataclass(frozen=True)
class Cells:
    """A variable in SQL: the cells that hold its value, several for a composite key."""

    parts: tuple[str, ...]
    kind: str = ""


@dataclass(frozen=True)
class Rows:
    """Queried rows: a table, and its columns for each argument of the target."""

    table: str
    arguments: tuple[tuple[str, ...], ...]
    key: str | None = None


@dataclass
class _Select:
    """A query that grows literal by literal."""

    tables: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    known: dict[Variable, Cells] = field(default_factory=dict)
    rows: dict[tuple[str, Term], str] = field(default_factory=dict)
    """Alias of a table row that is already joined, by its key."""
    told: set[str] = field(default_factory=set)
    """Cells that a condition requires, so they must not be NULL."""
    bound: list[str] = field(default_factory=list)


def theory_query(
    theory: Theory,
    decisions: Sequence[tuple[Clause, Value]],
    otherwise: Value,
    table: str | None = None,
    key: str | None = None,
) -> str:
    """Write the query of a theory over the tables of its background."""
    background = theory.background
    origins = {}
    for name, origin in background.origins.items():
        predicate, _, arity = name.rpartition("/")
        origins[predicate, int(arity)] = origin
    program = Program((*background.rules, *theory.clauses))
    return SqlClauses(program, origins).query(decisions, otherwise, _rows_of(theory, origins, table, key))


def _rows_of(theory: Theory, origins: Mapping[Predicate, Origin], table: str | None, key: str | None) -> Rows:
    """Return the queried rows of a theory: those of the table whose key is its argument, or of a given one."""
    columns: tuple[tuple[str, ...], ...] = tuple((name,) for name in theory.columns)
    if len(columns) == 1:
        kinds = theory.background.types.get(f"{theory.target}/1", ("",))
        entity = origins.get((kinds[0], 1))
        if entity is not None and entity.keyed and table in (None, entity.table):
            return Rows(entity.table, entity.columns, key)
        if entity is not None and len(entity.columns[0]) > 1:
            columns = entity.columns
    return Rows(table or "data", columns, key)


class SqlClauses:
    """Writer of clauses over relations with known tables.

    Parameters
    ----------
    program : Program
        Clauses and the rules that they need.
    origins : dict from Predicate to Origin
        Table of each relation.
    """

    def __init__(self, program: Program, origins: Mapping[Predicate, Origin]) -> None:
        self.rules = program.by_predicate
        self.origins = dict(origins)
        self.steps: dict[Predicate, tuple[str, tuple[Cells, ...]]] = {}
        self.with_items: list[str] = []
        self.recursive = False
        self._aliases = 0
        self._program = program

    def query(self, decisions: Sequence[tuple[Clause, Value]], otherwise: Value, rows: Rows) -> str:
        """Write the query that adds a column "prediction": the value of the first clause that holds."""
        target = decisions[0][0].head.predicate if decisions and decisions[0][0].head else None
        called = self._called([clause for clause, _ in decisions])
        for layer in strata(self._program):
            if any(predicate in called for predicate in layer):
                self._define(layer)
        row = "e"
        head = tuple(
            Cells(tuple(f"{row}.{sql_identifier(column)}" for column in columns))
            for columns in rows.arguments
        )
        cases: list[tuple[str, Value]] = []
        if target is not None and target in self.steps:
            name, columns = self.steps[target]
            chosen = ", ".join(part for cells in columns for part in cells.parts)
            values = {value for _, value in decisions}
            cases.append((_within(head, f"SELECT {chosen} FROM {name}"), values.pop()))
        else:
            cases += [(self._holds(clause, head), value) for clause, value in decisions]
        lines = [
            f"-- {comment(written(one))} is the table {comment(self._told(one))}" for one in self._assumed
        ]
        if self.with_items:
            start = "WITH RECURSIVE" if self.recursive else "WITH"
            lines.append(f"{start} " + ",\n".join(self.with_items))
        shown = f"{row}.*" if rows.key is None else f"{row}.{sql_identifier(rows.key)}"
        lines.append(f"SELECT {shown},")
        if cases:
            lines.append("CASE")
            for condition, value in cases:
                lines.append(f"WHEN {condition}\nTHEN {sql_literal(value)}")
            lines.append(f'ELSE {sql_literal(otherwise)} END AS "prediction"')
        else:
            lines.append(f'{sql_literal(otherwise)} AS "prediction"')
        lines.append(f"FROM {sql_identifier(rows.table)} AS {row}")
        return "\n".join(lines)

    # -- relations --

    @property
    def _assumed(self) -> list[Predicate]:
        return sorted(one for one, origin in self.origins.items() if origin.assumed)

    def _told(self, predicate: Predicate) -> str:
        origin = self.origins[predicate]
        return f"{origin.table}({', '.join(column for part in origin.columns for column in part)})"

    def _origin(self, predicate: Predicate) -> Origin:
        """Return the table of a relation; one without a table is expected under its name."""
        if predicate not in self.origins:
            columns = tuple((f"a{place + 1}",) for place in range(predicate[1]))
            self.origins[predicate] = Origin(predicate[0], columns, ("",) * predicate[1], assumed=True)
        return self.origins[predicate]

    def _called(self, clauses: Iterable[Clause]) -> set[Predicate]:
        """Return the predicates defined by rules that clauses need, directly or indirectly."""
        found: set[Predicate] = set()
        waiting = [*clauses]
        while waiting:
            for literal in waiting.pop().body:
                if literal.predicate in self.rules and literal.predicate not in found:
                    found.add(literal.predicate)
                    waiting += self.rules[literal.predicate]
        return found

    def _define(self, layer: Sequence[Predicate]) -> None:
        """Add the step of a predicate defined by rules."""
        if len(layer) > 1:
            names = " and ".join(map(written, layer))
            raise InputError(f"{names} call each other, which SQL cannot express")
        predicate = layer[0]
        base: list[Clause] = []
        again: list[Clause] = []
        for clause in self.rules[predicate]:
            calls = sum(literal.predicate == predicate for literal in clause.body)
            if calls > 1:
                raise InputError(f"a clause of {written(predicate)} calls it twice, which SQL cannot express")
            (again if calls else base).append(clause)
        if len(again) > 1:
            raise InputError(f"{written(predicate)} has several recursive clauses, which SQL cannot express")
        if again and not base:
            raise InputError(f"{written(predicate)} has only recursive clauses, which SQL cannot express")
        queries, shape = [], None
        name = sql_identifier(self._free(predicate))
        for clause in (*base, *again):
            select, head = self._body(clause)
            if head is None:
                raise InputError(f"SQL cannot list the tuples of {written(predicate)}: {clause}")
            if shape is None:
                shape = self._columns(head)
                self.steps[predicate] = name, shape
            chosen = ", ".join(part for cells in head for part in cells.parts)
            queries.append(f"SELECT DISTINCT {chosen}\n{_from(select)}")
        assert shape is not None
        self.recursive |= bool(again)
        columns = ", ".join(part for cells in shape for part in cells.parts)
        self.with_items.append(f"{name}({columns}) AS (\n" + "\nUNION\n".join(queries) + "\n)")

    def _free(self, predicate: Predicate) -> str:
        """Return a unique name for a step."""
        used = {origin.table.lower() for origin in self.origins.values()}
        used |= {name.strip('"').lower() for name, _ in self.steps.values()}
        name = predicate[0]
        while name.lower() in used:
            name += "_"
        return name

    def _columns(self, head: Sequence[Cells]) -> tuple[Cells, ...]:
        """Name the columns of a step after the arguments of its head."""
        found = []
        for place, cells in enumerate(head, 1):
            several = len(cells.parts) > 1
            names = [
                f"a{place}_{part}" if several else f"a{place}" for part in range(1, len(cells.parts) + 1)
            ]
            found.append(Cells(tuple(sql_identifier(name) for name in names), cells.kind))
        return tuple(found)

    # -- clauses --

    def _holds(self, clause: Clause, row: Sequence[Cells]) -> str:
        """Write the test that a clause proves a row."""
        assert clause.head is not None
        select, head = self._body(clause)
        if head is not None and clause.body:
            chosen = ", ".join(part for cells in head for part in cells.parts)
            return _within(row, f"SELECT {chosen}\n{_from(select)}")
        # a head variable that no relation binds takes the row's value
        select, _ = self._body(clause, row)
        if not select.tables:
            return " AND ".join(select.conditions) or "1 = 1"
        return f"EXISTS (SELECT 1\n{_from(select)})"

    def _body(
        self, clause: Clause, row: Sequence[Cells] | None = None
    ) -> tuple[_Select, tuple[Cells, ...] | None]:
        """Write a body; return it and the cells of the head's arguments, None unless all are bound."""
        assert clause.head is not None
        select = _Select()
        for term, cells in zip(clause.head.arguments, row or (), strict=bool(row)):
            self._equate(select, term, cells)
        waiting = [literal for literal in clause.body if not literal.negated and not compares(literal)]
        for literal in waiting:
            self._join(select, literal)
        comparisons = [literal for literal in clause.body if compares(literal)]
        while ready := [literal for literal in comparisons if self._compare(select, literal)]:
            comparisons = [literal for literal in comparisons if literal not in ready]
        head = [self._cells(select, term) for term in clause.head.arguments]
        if all(head) or row is not None:
            if comparisons:
                raise InputError(f"{comparisons[0]} compares an unbound variable, which SQL cannot express")
            for literal in clause.body:
                if literal.negated and not compares(literal):
                    self._refuse(select, literal)
        return select, tuple(cells for cells in head if cells is not None) if all(head) else None

    def _cells(self, select: _Select, term: Term) -> Cells | None:
        if isinstance(term, Variable):
            return select.known.get(term)
        return constant_cells(term)

    def _join(self, select: _Select, literal: Literal) -> None:
        """Join the table of a relation, or reuse its row if it is already joined by the same key."""
        if literal.predicate in self.steps or literal.predicate in self.rules:
            name, columns = self.steps[literal.predicate]
            alias = self._alias()
            select.tables.append(f"{name} AS {alias}")
            places = [Cells(tuple(f"{alias}.{part}" for part in one.parts), one.kind) for one in columns]
        else:
            origin = self._relation(literal)
            key = origin.table, literal.arguments[0] if literal.arguments else Constant("")
            alias = select.rows.get(key, "") if origin.keyed else ""
            if not alias:
                alias = self._alias()
                select.tables.append(f"{sql_identifier(origin.table)} AS {alias}")
                if origin.keyed:
                    select.rows[key] = alias
            places = [
                Cells(tuple(f"{alias}.{sql_identifier(column)}" for column in columns), kind)
                for columns, kind in zip(origin.columns, origin.kinds, strict=True)
            ]
        for term, cells in zip(literal.arguments, places, strict=True):
            self._equate(select, term, cells)
            select.bound += [part for part in cells.parts if part not in select.bound]

    def _relation(self, literal: Literal) -> Origin:
        from induce.logic.library import is_built_in

        if is_built_in(literal.predicate) and literal.predicate not in self.origins:
            raise InputError(f"{written(literal.predicate)} is a built-in of Prolog, which SQL lacks")
        return self._origin(literal.predicate)

    def _alias(self) -> str:
        self._aliases += 1
        return f"t{self._aliases}"

    def _equate(self, select: _Select, term: Term, cells: Cells) -> None:
        """Bind a variable to cells, or require that they equal the term."""
        if isinstance(term, Variable) and term not in select.known:
            select.known[term] = cells
            return
        mine = self._cells(select, term)
        assert mine is not None
        if mine.parts == cells.parts:
            return
        if len(mine.parts) != len(cells.parts):
            select.conditions.append("1 = 0")  # a composite key equals nothing else
            return
        select.conditions.append(_same(cells, mine))
        select.told |= {*cells.parts, *mine.parts}

    def _compare(self, select: _Select, literal: Literal) -> bool:
        """Write a comparison if both sides are known; an equation may bind one."""
        left, right = literal.arguments
        one, other = self._cells(select, left), self._cells(select, right)
        if one is None or other is None:
            if literal.name != "=" or literal.negated or (one is None and other is None):
                return False
            self._equate(select, left if one is None else right, one or other)  # type: ignore[arg-type]
            return True
        if literal.name in SAME:
            equal = _same(one, other) if len(one.parts) == len(other.parts) else "1 = 0"
            differs = (SAME[literal.name] == "<>") != literal.negated
            select.conditions.append(f"NOT ({equal})" if differs else equal)
        elif literal.name in ORDER and len(one.parts) == len(other.parts) == 1:
            sign = ORDER[literal.name]
            if literal.negated:
                sign = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}[sign]
            mine, theirs = _alike(one, other)
            select.conditions.append(f"{mine[0]} {sign} {theirs[0]}")
        else:
            raise InputError(f"cannot write {literal} in SQL")
        select.told |= {*one.parts, *other.parts}
        return True

    def _refuse(self, select: _Select, literal: Literal) -> None:
        """Write the test that no row of a relation matches a negated literal."""
        inner = _Select(known=dict(select.known))
        self._join(inner, literal)
        select.conditions.append(f"NOT EXISTS (SELECT 1 {_from(inner, ' ')})")


def _from(select: _Select, between: str = "\n") -> str:
    conditions = [*dict.fromkeys(select.conditions)]
    conditions += [f"{part} IS NOT NULL" for part in select.bound if part not in select.told]
    tables = f"FROM {', '.join(select.tables)}" if select.tables else ""
    joined = f"{between}  AND " if between == "\n" else " AND "
    where = f"WHERE {joined.join(conditions)}" if conditions else ""
    return between.join(part for part in (tables, where) if part)


def _within(row: Sequence[Cells], query: str) -> str:
    cells = [part for one in row for part in one.parts]
    written_row = cells[0] if len(cells) == 1 else f"({', '.join(cells)})"
    return f"{written_row} IN ({query})"


def _same(one: Cells, other: Cells) -> str:
    return " AND ".join(f"{mine} = {theirs}" for mine, theirs in zip(*_alike(one, other), strict=True))


def _alike(one: Cells, other: Cells) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return two values in comparable form: dates as text, constants in the type of the column."""
    if DATE in (one.kind, other.kind):
        return _moments(one), _moments(other)
    return _as_held(one, other), _as_held(other, one)


def _moments(cells: Cells) -> tuple[str, ...]:
    return cells.parts if isinstance(cells, _Fixed) else tuple(sql_moment(part) for part in cells.parts)


def _as_held(cells: Cells, other: Cells) -> tuple[str, ...]:
    """Return cells in a form comparable with a constant, or a constant in the form of a Boolean column."""
    if isinstance(cells, _Fixed):
        if other.kind == TRUTH:
            return tuple(sql_literal(str(value) == "true") for value in cells.values)
        return cells.parts
    if isinstance(other, _Fixed) and cells.kind != TRUTH:
        return tuple(
            f"CAST({part} AS TEXT)" if isinstance(value, str) and LIKE_A_NUMBER.fullmatch(value) else part
            for part, value in zip(cells.parts, other.values, strict=True)
        )
    return cells.parts


@dataclass(frozen=True)
class _Fixed(Cells):
    """A constant."""

    values: tuple[Value, ...] = ()


def constant_cells(term: Term) -> Cells:
    """Write a constant, or a composite key part by part."""
    parts = term.arguments if isinstance(term, Function) else (term,)
    values = [part.value for part in parts if isinstance(part, Constant)]
    if len(values) < len(parts) or not parts:
        raise InputError(f"{term} is a term that SQL cannot write")
    dated = len(values) == 1 and isinstance(values[0], str) and ISO.fullmatch(values[0])
    return _Fixed(tuple(map(sql_literal, values)), DATE if dated else "", tuple(values))
