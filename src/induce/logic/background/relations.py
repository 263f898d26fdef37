"""Background knowledge: relations between objects, given as facts, as rules or as linked tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.time_limit import time_left
from induce.data.names import listed as listed_names
from induce.logic.background.called import Called
from induce.logic.background.kinds import ANY, Kinds, fits
from induce.logic.background.modes import Mode
from induce.logic.background.origins import Origin
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.facts import Codes, Facts, Symbols
from induce.logic.library import is_built_in
from induce.logic.parsing import parse_program, parse_term
from induce.logic.printing import write_term
from induce.logic.terms import Constant, Term

if TYPE_CHECKING:
    from induce.logic.prover import Prover

Relation = Facts | Called
Stored = str | int | float | tuple[str]
"""Ground term in a model file: names and numbers as themselves, other terms as Prolog text in a tuple."""

MOST_FACTS = 5_000_000
"""Maximum number of facts derived from rules; beyond it, the prover answers queries."""

MOST_INFERENCES = 1_000_000
"""Maximum number of inferences per goal; beyond it, the goal counts as unprovable."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Relations:
    """Background knowledge of first-order learners; immutable, so it is shared when an estimator is copied.

    Parameters
    ----------
    tables : dict from str to frame, optional
        Tables. A table with a known key gives a relation ``table_column(key, value)`` for each of its other
        columns, and ``table(key)``. A composite key is one object, ``account(branch, number)``. A table
        without a key, or with only a composite key, is a relation of all its columns. Booleans are ordinary
        values; dates are texts in ISO format, which clauses compare in order. Facts with missing values are
        omitted.
    keys : dict from str to str or to sequence of str, optional
        Column or columns that identify the rows of each table.
    references : dict from str to dict, optional
        Foreign keys of a table: ``{"parent": {"child": "person"}}``; for a composite key ``{"card": {("branch",
        "number"): "account"}}``. Undeclared keys are inferred: a column refers to a key if all its values are values
        of that key and, for numbers, if its name also agrees.
    program : Program or str, optional
        Facts and rules in Prolog.
    types : dict from str to sequence of str, optional
        Argument types of relations: ``{"parent/2": ("person", "person")}``; undeclared ones are inferred from the
        values that arguments share.
    modes : sequence of Mode, optional
        Mode declarations: the permitted literals of clauses. Without modes, relations may be used in every
        way that fits the types. Table relations are used only from a key to its values and from one key to
        another.
    terms, facts
        Relations given as arrays: ``facts["parent/2"]`` is a matrix of indices into `terms`.
    origins : dict from str to Origin, optional
        Table and columns that each relation was derived from, for SQL export; found automatically for
        relations from `tables`.

    Examples
    --------
    >>> family = Relations(program="parent(ann, bea). parent(bea, cal). female(ann).")
    >>> print(family)
    parent/2: 2 facts (parent_1, parent_1)
    female/1: 1 fact (parent_1)
    """

    terms: tuple[Stored, ...]
    facts: dict[str, NDArray[np.int64]]
    program: str
    types: dict[str, tuple[str, ...]]
    modes: tuple[Mode, ...]

    if TYPE_CHECKING:
        symbols: Symbols
        rules: Program
        listed: dict[Predicate, Facts]

    origins: dict[str, Origin] = field(default_factory=dict)

    def __init__(
        self,
        tables: Mapping[str, Any] | None = None,
        keys: Mapping[str, str | Sequence[str]] | None = None,
        references: Mapping[str, Mapping[str | tuple[str, ...], str]] | None = None,
        program: Program | str | None = None,
        types: Mapping[str, Sequence[str]] | None = None,
        modes: Sequence[Mode] = (),
        *,
        terms: Sequence[Stored] = (),
        facts: Mapping[str, NDArray[Any]] | None = None,
        origins: Mapping[str, Origin] | None = None,
    ) -> None:
        symbols = Symbols(_term(stored) for stored in terms)
        listed = {_predicate(name): _coded(name, rows, len(symbols)) for name, rows in (facts or {}).items()}
        told = {_predicate(name): tuple(kinds) for name, kinds in (types or {}).items()}
        modes = tuple(modes)
        derived: tuple[Mode, ...] = ()
        known = dict(origins or {})
        if tables:
            from induce.logic.background.tables import facts_of_tables

            read = facts_of_tables(tables, keys or {}, references or {}, symbols)
            listed |= read.facts
            told = read.types | told
            known |= {f"{name}/{arity}": one for (name, arity), one in read.origins.items()}
            derived = () if modes else tuple(_of_types(mode, told) for mode in read.modes)
        elif keys or references:
            raise InputError("keys and references are given without tables; give the tables as well")
        rules = parse_program(program) if isinstance(program, str) else program or Program()
        rules = _take_facts(rules, listed, symbols)
        values = {
            "symbols": symbols,
            "rules": rules,
            "listed": listed,
            "terms": tuple(map(stored_term, symbols.terms)),
            "facts": {f"{name}/{arity}": one.rows for (name, arity), one in listed.items()},
            "program": str(rules),
            "modes": modes,
            "origins": known,
            "types": {f"{name}/{arity}": kinds for (name, arity), kinds in told.items()},
        }
        for attribute, value in values.items():
            object.__setattr__(self, attribute, value)
        self._check_modes()
        if derived:
            rest = [one for one in self.predicates() if one not in read.facts]
            object.__setattr__(self, "modes", derived + self.ways(rest))

    def predicates(self) -> tuple[Predicate, ...]:
        """Return all predicates, those with facts before those with rules."""
        return tuple(dict.fromkeys([*self.listed, *self.rules.by_predicate]))

    def relation(self, predicate: Predicate) -> Relation:
        """Return the relation of a predicate: its facts, or a query interface to the prover."""
        found = self._relations.get(predicate)
        if found is None:
            if not is_built_in(predicate):
                raise self.unknown(predicate)
            found = self._relations[predicate] = self._called(predicate)
        return found

    def unknown(self, predicate: Predicate) -> InputError:
        """Return the error for a predicate missing from the background, with the closest name as a suggestion."""
        known = [f"{name}/{arity}" for name, arity in self.predicates()]
        wanted = f"{predicate[0]}/{predicate[1]}"
        close = get_close_matches(wanted, known, 1)
        advice = f"did you mean {close[0]}?" if close else f"it has {listed_names(known) or 'none'}"
        return InputError(f"the background has no relation {wanted}; {advice}")

    def ways(self, predicates: Iterable[Predicate]) -> tuple[Mode, ...]:
        """Return modes by which the given predicates are reachable from any one of their arguments."""
        found = []
        for name, arity in predicates:
            kinds = self.kinds.types.get((name, arity), (ANY,) * arity)
            for start in range(arity):
                signs = ["+" if place == start else "-" for place in range(arity)]
                found.append(Mode(name, tuple(map(str.__add__, signs, kinds))))
        return tuple(found)

    def _check_modes(self) -> None:
        """Raise an `InputError` for modes that contradict types or use unknown predicates other than the target."""
        _check_types({_predicate(name): kinds for name, kinds in self.types.items()}, self.modes)
        known = {*self.predicates(), *(mode.predicate for mode in self.modes if mode.head)}
        for mode in self.modes:
            if mode.predicate not in known and not is_built_in(mode.predicate):
                raise InputError(f"there is a mode {mode}, but {self.unknown(mode.predicate)}")

    @cached_property
    def _relations(self) -> dict[Predicate, Relation]:
        from induce.logic.bottom_up import consequences

        found: dict[Predicate, Relation] = dict(self.listed)
        defined = [*self.rules.by_predicate]
        if not defined:
            return found
        if "_unlisted" in self.__dict__:  # tried before, for other relations with the same rules
            return found | {predicate: self._called(predicate) for predicate in defined}
        left = time_left()
        try:
            # Under a time limit, listing takes at most half of the remaining time; predicates not listed by
            # then are left to the prover.
            base = consequences(
                self.rules,
                self.listed,
                self.symbols,
                max_facts=MOST_FACTS,
                max_seconds=None if left is None else max(left / 2, 0.0),
            )
        except InputError:  # functions, built-ins that only the prover supports, or too many facts to list
            self.__dict__["_unlisted"] = True
            return found | {predicate: self._called(predicate) for predicate in defined}
        return found | {predicate: base.relations[predicate] for predicate in defined}

    def _called(self, predicate: Predicate) -> Called:
        inputs = tuple(
            mode.places("+") for mode in self.modes if mode.predicate == predicate and not mode.head
        )
        return Called(predicate, self.symbols, lambda: self._own_prover, inputs or ((),))

    @cached_property
    def kinds(self) -> Kinds:
        """Types of all arguments, declared or inferred from values."""
        return Kinds(self._listed(), self._told(), len(self.symbols))

    def _listed(self) -> dict[Predicate, Facts]:
        return {predicate: one for predicate, one in self._relations.items() if isinstance(one, Facts)}

    def _told(self) -> dict[Predicate, tuple[str, ...]]:
        by_mode = {mode.predicate: mode.types for mode in reversed(self.modes)}
        return by_mode | {_predicate(name): kinds for name, kinds in self.types.items()}

    def with_examples(self, target: Predicate, rows: Codes) -> Relations:
        """Return the same relations, with the argument types implied by the examples of a target.

        Values in one column have the same type, even if no background relation shows it. Declared types are
        kept.
        """
        told = self._told()
        facts = self._listed() | {target: Facts.of(rows[(rows >= 0).all(1)])}
        found = Kinds(facts, told, len(self.symbols)).types
        types = {f"{name}/{arity}": found[name, arity] for name, arity in facts if (name, arity) not in told}
        return self._with("types", self.types | dict(types))

    def without(self, predicate: Predicate) -> Relations:
        """Return the same relations without one of them."""
        kept = [clause for clause in self.rules if clause.head and clause.head.predicate != predicate]
        rules = Program(tuple(kept))
        listed = {one: facts for one, facts in self.listed.items() if one != predicate}
        other = self._with("listed", listed)
        written = f"{predicate[0]}/{predicate[1]}"
        other.__dict__.update(
            types={name: kinds for name, kinds in self.types.items() if name != written},
            rules=rules,
            program=str(rules),
            facts={name: rows for name, rows in self.facts.items() if _predicate(name) != predicate},
        )
        for name in ("_own_prover", "_unlisted"):
            other.__dict__.pop(name, None)
        return other

    def with_predicates(self, predicates: Iterable[Predicate]) -> Relations:
        """Return the same relations, with empty ones added for unknown predicates."""
        absent = sorted(set(predicates) - set(self.predicates()))
        none = {one: Facts.of(np.empty((0, one[1]), np.int64)) for one in absent}
        other = self._with("listed", self.listed | none)
        empty = {f"{name}/{arity}": facts.rows for (name, arity), facts in none.items()}
        other.__dict__.update(facts=self.facts | empty)
        other.__dict__.pop("_own_prover", None)
        return other

    def with_modes(self, modes: Iterable[Mode]) -> Relations:
        """Return the same relations with different modes."""
        other = self._with("modes", tuple(modes))
        other._check_modes()
        return other

    def with_types(self, types: Mapping[str, tuple[str, ...]]) -> Relations:
        """Return the same relations with additional types, such as those of a target."""
        return self._with("types", self.types | dict(types))

    def with_rules(self, program: Program) -> Relations:
        """Return the same relations with additional rules and facts, and modes for predicates they define."""
        other = Relations(
            terms=self.terms,
            facts=self.facts,
            program=self.rules + program,
            types=self.types,
            origins=self.origins,
        )
        new = [one for one in other.predicates() if one not in self.predicates()]
        return other.with_modes(self.modes + other.ways(new)) if self.modes else other

    def _with(self, field: str, value: Any) -> Relations:
        """Return relations that share everything except one field and the values derived from it."""
        other = object.__new__(Relations)
        kept = {name: mine for name, mine in self.__dict__.items() if name not in ("kinds", "_relations")}
        other.__dict__.update(kept | {field: value})
        return other

    def check(self) -> None:
        """Raise an `InputError` unless each relation has as many columns of a table as arguments."""
        for key, origin in self.origins.items():
            if {str(len(origin.columns)), str(len(origin.kinds))} != {key.rpartition("/")[2]}:
                raise InputError(
                    f"relation {key} has {len(origin.columns)} columns of table {origin.table!r}"
                )

    def types_of(self, target: Predicate, rows: Codes) -> tuple[str, ...]:
        """Return the argument types of a target, from its mode, its declaration, or its values."""
        declared = next((mode.types for mode in self.modes if mode.head and mode.predicate == target), None)
        told = declared or self.types.get(f"{target[0]}/{target[1]}")
        return told or tuple(self.kinds.of_values(column) for column in rows.T)

    @cached_property
    def _own_prover(self) -> Prover:
        from induce.logic.limits import Limits
        from induce.logic.prover import Prover

        facts = {predicate: (one.rows, self.symbols.terms) for predicate, one in self.listed.items()}
        # a call that does not terminate is abandoned
        return Prover(self.rules, facts=facts, limits=Limits(inferences=MOST_INFERENCES))

    def prover(self, theory: Sequence[Clause] = (), **options: Any) -> Prover:
        """Return a prover for the background and additional clauses; options are those of `induce.logic.Prover`."""
        base = self._own_prover.with_options(**options) if options else self._own_prover
        return base.extended(Program(tuple(theory))) if theory else base

    def listing(self) -> list[str]:
        """Return all facts and rules in Prolog, one per line, after a list of the relations that have none."""
        terms = self.symbols.terms
        empty = [
            one for one, facts in self.listed.items() if not len(facts) and one not in self.rules.by_predicate
        ]
        return (
            [f":- dynamic {Constant(name)}/{arity}." for name, arity in empty]
            + [
                str(Clause(Literal(name, tuple(terms[code] for code in row))))
                for (name, _), facts in self.listed.items()
                for row in facts.rows.tolist()
            ]
            + [str(clause) for clause in self.rules]
        )

    def __copy__(self) -> Relations:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Relations:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._fields(),)

    def _fields(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Relations):
            return NotImplemented
        mine, theirs = self._fields(), other._fields()
        arrays = mine.pop("facts"), theirs.pop("facts")
        return (
            mine == theirs
            and arrays[0].keys() == arrays[1].keys()
            and all(np.array_equal(rows, arrays[1][name]) for name, rows in arrays[0].items())
        )

    def __hash__(self) -> int:
        return hash((self.program, tuple(self.facts)))

    def __str__(self) -> str:
        return "\n".join(map(self._line, self.predicates()))

    def __repr__(self) -> str:
        n_facts, n_rules = sum(map(len, self.listed.values())), len(self.rules)
        rules = f", {n_rules} rule{'s' * (n_rules != 1)}" if n_rules else ""
        return f"<Relations: {len(self.predicates())} predicates, {n_facts} facts{rules}>"

    def _line(self, predicate: Predicate) -> str:
        name, arity = predicate
        one = self.listed.get(predicate)
        parts = [] if one is None else [f"{len(one)} fact{'s' * (len(one) != 1)}"]
        if rules := self.rules.by_predicate.get(predicate):
            parts.append(f"{len(rules)} rule{'s' * (len(rules) != 1)}")
        kinds = self.kinds.types.get(predicate)
        return f"{name}/{arity}: {' and '.join(parts)}" + (f" ({', '.join(kinds)})" if kinds else "")


def _again(fields: dict[str, Any]) -> Relations:
    return Relations(**fields)


def _predicate(written: str) -> Predicate:
    name, slash, arity = written.rpartition("/")
    if not slash or not arity.isdigit():
        raise InputError(
            f"{written!r} is not the name of a relation; write its name and arity, such as 'parent/2'"
        )
    return name, int(arity)


def _of_types(mode: Mode, told: Mapping[Predicate, tuple[str, ...]]) -> Mode:
    """Return a mode with the declared types filled in."""
    kinds = told.get(mode.predicate, mode.types)
    signs = [argument[0] for argument in mode.arguments]
    return replace(mode, arguments=tuple(map(str.__add__, signs, kinds)))


def _check_types(told: Mapping[Predicate, tuple[str, ...]], modes: Sequence[Mode]) -> None:
    for (name, arity), kinds in told.items():
        if len(kinds) != arity:
            raise InputError(f"types gives {name}/{arity} {len(kinds)} types; give one for each argument")
    for mode in modes:
        kinds = told.get(mode.predicate, mode.types)
        if not all(map(fits, mode.types, kinds)):
            raise InputError(
                f"the mode {mode} contradicts the types of {mode.name}/{len(kinds)}, which are "
                f"{', '.join(kinds)}; give the same types in both"
            )


def _coded(name: str, rows: NDArray[Any], n_terms: int) -> Facts:
    rows = np.asarray(rows)
    arity = _predicate(name)[1]
    if rows.ndim != 2 or rows.shape[1] != arity or rows.dtype.kind not in "iu":
        raise InputError(f"the facts of {name} must be an integer matrix with {arity} columns")
    if len(rows) and not (rows.min() >= 0 and rows.max() < n_terms):
        raise InputError(
            f"the facts of {name} contain an integer that is not an index of the {n_terms} terms"
        )
    return Facts.of(rows)


def _term(stored: Stored) -> Term:
    return parse_term(stored[0]) if isinstance(stored, tuple) else Constant(stored)


def stored_term(term: Term) -> Stored:
    """Return a ground term in the form of a model file."""
    return term.value if isinstance(term, Constant) else (write_term(term),)


def _take_facts(program: Program, listed: dict[Predicate, Facts], symbols: Symbols) -> Program:
    """Convert predicates with only ground facts to arrays; return the clauses of the others."""
    rest: list[Clause] = []
    for predicate, clauses in program.by_predicate.items():
        heads = [clause.head for clause in clauses if not clause.body and clause.head is not None]
        if len(heads) < len(clauses) or not all(head.ground for head in heads):
            rest += clauses
            continue
        rows = _rows(heads, symbols)
        if predicate in listed:
            rows = np.concatenate([listed[predicate].rows, rows])
        listed[predicate] = Facts.of(rows)
    return Program(tuple(rest))


def _rows(heads: Sequence[Literal], symbols: Symbols) -> NDArray[np.int64]:
    arity = len(heads[0].arguments)
    codes = [symbols.code(term) for head in heads for term in head.arguments]
    return np.array(codes, np.int64).reshape(len(heads), arity)
