"""Relational learning problems: examples of a target and background, read from any source."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from typing import Literal as OneOf

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.randomness import RandomState
from induce.logic.background.kinds import ANY
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.clauses import Literal, Predicate
from induce.logic.coverage.examples import coded_rows
from induce.logic.facts import Codes, Symbols
from induce.logic.terms import EMPTY, Constant, Term, unlisted
from induce.relational.clauses.closed_world import MOST_NEGATIVES, other_tuples

Negatives = OneOf["given", "closed-world", "none", "any"]
Source = str | os.PathLike[str]
LEARNERS = {
    "auto": "RelationalLearner",
    "programs": "ProgramLearner",
    "foil": "FOIL",
    "progol": "Progol",
    "golem": "Golem",
    "cigol": "Cigol",
    "rdt": "RDT",
}
"""Learners of problems, by a short name."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Relational learning problem: examples of a target relation and the background, as returned by the readers.

    Parameters
    ----------
    name : str
        Name of the problem, used in messages.
    target : str
        Name of the relation to be learned.
    X : frame or array
        One row of arguments per example: a polars frame of names and numbers, or an object array if an argument is a
        list or another term.
    y : array of bool
        Whether each row is in the relation; for a label with more than two values, the value of each row.
    background : Relations
        Background knowledge.
    settings : dict
        Settings of the source under their original names; ``positive_only`` if there are no negative
        examples.

    Examples
    --------
    >>> from induce.logic.parsing import parse_literal
    >>> family = Relations(program="parent(ann, bea). parent(bea, cal).")
    >>> problem = Problem.of("family", [parse_literal("grandparent(ann, cal)")], [], family)
    >>> print(problem)
    family: grandparent/2, 1 positive and 0 negative examples; 1 relation, 2 facts
    >>> print(problem.with_closed_world())
    family: grandparent/2, 1 positive and 8 negative examples; 1 relation, 2 facts
    """

    name: str
    target: str
    X: Any
    y: NDArray[Any]
    background: Relations = field(repr=False)
    settings: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        name: str,
        positives: Sequence[Literal],
        negatives: Sequence[Literal],
        background: Relations,
        settings: dict[str, Any] | None = None,
        kinds: Sequence[str] = (),
    ) -> Problem:
        """Build a problem from ground literals of one predicate; columns are named after the given types."""
        literals = [*positives, *negatives]
        if not literals:
            raise InputError(f"{name} has no example; give at least one positive example")
        target = literals[0].predicate
        for literal in literals:
            if literal.predicate != target:
                raise InputError(
                    f"{name} has examples of {target[0]}/{target[1]} and of {literal.name}/{len(literal.arguments)}; "
                    "give examples of one predicate"
                )
            if not literal.ground:
                raise InputError(f"the example {literal} has a variable; give ground facts")
        if not target[1]:
            raise InputError(
                f"the example {literals[0]} has no argument, so there is nothing to learn; give arguments"
            )
        symbols = background.symbols
        codes = symbols.codes([term for literal in literals for term in literal.arguments])
        rows = codes.reshape(-1, target[1])
        inside = np.arange(len(literals)) < len(positives)
        columns = column_names(kinds or (ANY,) * target[1])
        known = background.with_examples(target, rows)
        return cls.of_codes(name, target, rows, inside, known, settings, columns)

    @classmethod
    def of_codes(
        cls,
        name: str,
        target: Predicate,
        rows: Codes,
        inside: NDArray[Any],
        background: Relations,
        settings: dict[str, Any] | None,
        columns: Sequence[str],
    ) -> Problem:
        """Build a problem from rows of codes."""
        X = frame_of(rows, background.symbols, columns)
        found = {"positive_only": True} if inside.dtype == np.bool_ and inside.all() else {}
        return cls(name, target[0], X, inside, background, (settings or {}) | found)

    @property
    def predicate(self) -> Predicate:
        """Name and arity of the target."""
        return self.target, int(self.X.shape[1])

    @property
    def has_classes(self) -> bool:
        """Whether `y` has more than two classes."""
        return bool(self.y.dtype != np.bool_)

    def rows(self) -> Codes:
        """Return the examples as codes of the background's terms."""
        return coded_rows(self.X, self.background.symbols)[0]

    def literals(self) -> tuple[list[Literal], list[Literal]]:
        """Return the positive and the negative examples as literals."""
        if self.has_classes:
            raise InputError(
                f"{self.name} has several classes of {self.target}, not positive and negative "
                "examples; use its rows and labels"
            )
        terms = self.background.symbols.terms
        every = [Literal(self.target, tuple(terms[code] for code in row)) for row in self.rows().tolist()]
        return (
            [one for one, inside in zip(every, self.y, strict=True) if inside],
            [one for one, inside in zip(every, self.y, strict=True) if not inside],
        )

    def with_closed_world(self, limit: int = MOST_NEGATIVES, random_state: RandomState = 0) -> Problem:
        """Return the problem under the closed-world assumption: every other tuple is a negative example.

        Tuples range over the argument types: each argument takes the values of its type in the background and
        in the examples.
        """
        rows = self.rows()[self.y]
        kinds = self.background.types_of(self.predicate, rows)
        domains = [
            _domain(self.background, kind, rows[:, [other == kind for other in kinds]]) for kind in kinds
        ]
        negatives = other_tuples(rows, domains, limit, random_state)
        if not len(negatives):
            raise InputError(
                f"every tuple of the types of {self.target} is a positive example, so the closed world has no "
                "negative one; give negative examples"
            )
        inside = np.arange(len(rows) + len(negatives)) < len(rows)
        columns = self.X.columns if hasattr(self.X, "columns") else column_names((ANY,) * len(domains))
        settings = {key: value for key, value in self.settings.items() if key != "positive_only"}
        every = np.concatenate([rows, negatives])
        return Problem.of_codes(self.name, self.predicate, every, inside, self.background, settings, columns)

    def with_rules(self, text: str, name: str) -> Problem:
        """Return the problem with additional background, rules and facts in Prolog, from a named source."""
        from induce.logic.parsing import parse_program

        program = parse_program(text, name)
        if self.predicate in program.by_predicate:
            target = "{}/{}".format(*self.predicate)
            raise InputError(f"{name} defines {target}, the relation to be learned; remove it there")
        return replace(self, background=self.background.with_rules(program))

    def with_modes(self, text: str, name: str) -> Problem:
        """Return the problem with the modes and settings that a file declares: ``:- modeh(…)``, ``:- modeb(…)``."""
        from induce.logic.parsing import parse_program
        from induce.relational.readers.prolog_files import declarations_of

        declared = declarations_of(parse_program(text, name).directives, name)
        modes = declared.allowed(self.predicate)
        heads = [mode for mode in declared.modes if mode.head]
        if not any(not mode.head for mode in modes):
            raise InputError(
                f"{name} declares no mode for the body; write for example :- modeb(*, parent(+person, "
                "-person))."
            )
        if heads and not any(mode.head for mode in modes):
            target = "{}/{}".format(*self.predicate)
            raise InputError(
                f"{name} declares modes of {heads[0].name}/{len(heads[0].arguments)}, not of {target}; "
                "declare those of the target"
            )
        declared.note_ignored(self.predicate, name)
        if not heads:  # modes of bodies are declared, and therefore the language is
            kinds = self.background.types_of(self.predicate, self.rows())
            modes = (Mode(self.target, tuple(f"+{kind}" for kind in kinds), head=True), *modes)
        try:
            background = self.background.with_modes(modes)
        except InputError as problem:
            raise InputError(f"{name}: {problem}") from None
        return replace(self, background=background, settings=self.settings | declared.settings)

    def with_negatives(self, negatives: Negatives, random_state: RandomState = 0) -> Problem:
        """Return the problem with its given negative examples, those of the closed world, or none.

        With "any" the problem is returned unchanged, with or without negative examples.
        """
        if negatives == "any" or (negatives == "given" and self.has_classes):
            return self
        if self.has_classes:
            raise InputError(
                f"{self.target} has several classes, each with its examples; negatives applies to a "
                "single relation"
            )
        if negatives == "closed-world":
            return self.with_closed_world(random_state=random_state)
        if negatives == "given":
            if self.y.all():
                raise InputError(
                    f"{self.name} gives no negative example of {self.target}; ask for closed-world or none"
                )
            return self
        inside = np.flatnonzero(self.y)
        settings = self.settings | {"positive_only": True}
        return replace(self, X=self.X[inside], y=self.y[inside], settings=settings)

    def learner(self, name: str | None = None, **parameters: Any) -> Any:
        """Return a learner for the problem, with its background, its target and the settings of its source.

        A setting without a matching parameter of the learner is named in a note.

        Parameters
        ----------
        name : str, optional
            Learner. By default `ProgramLearner` if the source allows recursion, `Progol` if there is no
            negative example, and otherwise `RelationalLearner`.
        **parameters
            Parameters of the learner, which override those of the source.
        """
        import induce
        from induce.relational.readers.settings import parameters_for

        if name is None:
            name = "RelationalLearner"
            if self.settings.get("positive_only"):
                name = "Progol"
            elif self.settings.get("recursion"):
                name = "ProgramLearner"
        kind = getattr(induce, name)
        told = parameters_for(kind, self.settings)
        return kind(self.background, self.target, **(told | parameters))

    def __str__(self) -> str:
        name, arity = self.predicate
        n_relations = len(self.background.predicates())
        n_facts = sum(map(len, self.background.listed.values()))
        n_rules = len(self.background.rules)
        parts = [
            f"{n_relations:,} relation{'s' * (n_relations != 1)}",
            f"{n_facts:,} fact{'s' * (n_facts != 1)}",
        ]
        parts += [f"{n_rules:,} rule{'s' * (n_rules != 1)}"] if n_rules else []
        return f"{self.name}: {name}/{arity}, {self.counts()}; {', '.join(parts)}"

    def counts(self) -> str:
        """Describe the number of examples of each kind."""
        if self.has_classes:
            values, counts = np.unique(self.y, return_counts=True)
            each = [
                f"{count:,} of {value}" for value, count in zip(values.tolist(), counts.tolist(), strict=True)
            ]
            return f"{len(self.y):,} examples: {', '.join(each)}"
        inside = int(self.y.sum())
        return f"{inside:,} positive and {len(self.y) - inside:,} negative examples"


def read_problem(
    source: Source | Sequence[Source],
    target: str | None = None,
    *,
    label: str | None = None,
    negatives: Negatives | None = None,
    ignore: Sequence[str] = (),
    random_state: RandomState = 0,
) -> Problem:
    """Read a relational learning problem.

    Parameters
    ----------
    source : str, path or sequence of them
        One of: a folder with ``exs.pl``, ``bk.pl`` and ``bias.pl`` (Popper); the stem of the files ``.b``,
        ``.f`` and ``.n``, or one of these files (Aleph); Prolog files; an SQLite file; the URL of a database;
        or a folder of CSV, TSV or Parquet files, whose keys are inferred from names and values.
    target : str, optional
        Relation to learn, with or without its arity (``parent/2``); for a database the table whose rows are
        the examples. It can be omitted if the source declares it.
    label : str, optional
        Column of the target's table in a database that marks the positive rows. Without it, all rows of the
        table are positive examples.
    negatives : {"given", "closed-world", "none", "any"}, optional
        Negative examples. By default the given ones. If there are none, Prolog files and databases, which
        list a relation completely, use the closed world; Popper's and Aleph's files use none.
    ignore : sequence of str
        Tables of a database, and columns such as ``customer.address``, that clauses must not use.
    random_state : int, generator or None, default=0
        Random seed of the sample of a large closed world.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "family.pl")
    ...     _ = file.write_text("parent(ann, bea). parent(bea, cal). grandparent(ann, cal).")
    ...     problem = read_problem(file, "grandparent/2")
    >>> print(problem)
    family: grandparent/2, 1 positive and 8 negative examples; 1 relation, 2 facts
    """
    sources = [os.fspath(one) for one in ([source] if isinstance(source, str | os.PathLike) else source)]
    if not sources:
        raise InputError("no source is given; name a folder, files or a database")
    problem, complete = _read(sources, target, label, ignore)
    if negatives is None:
        negatives = (
            "given" if problem.has_classes or not problem.y.all() else "closed-world" if complete else "none"
        )
    return problem.with_negatives(negatives, random_state)


def parse_target(target: str) -> tuple[str, int | None]:
    """Return the name of a target and, if given, its arity.

    Examples
    --------
    >>> parse_target("parent/2"), parse_target("parent")
    (('parent', 2), ('parent', None))
    """
    name, slash, arity = target.rpartition("/")
    if slash and name and arity.isdigit():
        return name, int(arity)
    if not target:
        raise InputError("the target has no name; write its name and arity, such as parent/2")
    return target, None


def frame_of(rows: Codes, symbols: Symbols, columns: Sequence[str]) -> Any:
    """Return rows of codes as a polars frame; as an object array if a cell is no plain name or number."""
    import polars as pl

    series = []
    for name, column in zip(columns, rows.T, strict=True):
        distinct, places = np.unique(column, return_inverse=True)
        values = [_plain(symbols.terms[code]) for code in distinct]
        if all(isinstance(value, str) for value in values):
            dtype: Any = pl.String
        elif all(isinstance(value, int | float) for value in values):
            dtype = pl.Int64 if all(isinstance(value, int) for value in values) else pl.Float64
        else:
            return _object_array(rows, symbols)
        series.append(pl.Series(name, values, dtype)[places])
    return pl.DataFrame(series)


def _domain(background: Relations, kind: str, examples: Codes) -> Codes:
    """Return the values of a type that arguments may take: those in the background and in the examples."""
    known = background.kinds.values
    parts = [*known.values()] if kind == ANY else [known[kind]] if kind in known else []
    return np.unique(np.concatenate([*parts, examples.ravel()]))


def column_names(kinds: Sequence[str]) -> list[str]:
    """Name columns after their types, with numbers if a type repeats.

    Examples
    --------
    >>> column_names(["person", "city", "person"]), column_names(["any"])
    (['person_1', 'city', 'person_2'], ['x0'])
    """
    names = []
    for place, kind in enumerate(kinds):
        if kind == ANY:
            names.append(f"x{place}")
        else:
            number = kinds[: place + 1].count(kind)
            names.append(f"{kind}_{number}" if kinds.count(kind) > 1 else kind)
    return names if len(set(names)) == len(names) else [f"x{place}" for place in range(len(names))]


def _plain(term: Term) -> str | int | float | None:
    """Return a name or number that tables store unchanged; None for others, such as 3.0, which they read as 3."""
    if not isinstance(term, Constant):
        return None
    value = term.value
    if isinstance(value, float):
        return None if value.is_integer() else value
    return None if isinstance(value, int) and abs(value) >= 2**53 else value


def _object_array(rows: Codes, symbols: Symbols) -> NDArray[Any]:
    distinct, places = np.unique(rows, return_inverse=True)
    cells = np.empty(len(distinct), object)
    for place, code in enumerate(distinct.tolist()):
        cells[place] = _cell(symbols.terms[code])
    return cells[places.reshape(rows.shape)]


def _cell(term: Term) -> Any:
    plain = _plain(term)
    if plain is not None:
        return plain
    elements, end = unlisted(term)
    values = [_plain(element) for element in elements]
    return values if end == EMPTY and None not in values else term


# -- kinds of source --


def _read(
    sources: list[str], target: str | None, label: str | None, ignore: Sequence[str] = ()
) -> tuple[Problem, bool]:
    """Read the source; return the problem, and whether its positive examples are complete."""
    from induce.relational.readers import aleph, catalogues, databases, popper, prolog_files

    first = sources[0]
    if len(sources) == 1 and catalogues.is_database(first):
        return databases.problem_of_database(first, target, label, ignore=ignore)
    if (label is not None or ignore) and len(sources) == 1:
        catalogues.check_tables(first)
    if ignore:
        raise InputError(f"ignore applies to tables of a database, but {first!r} is not one; omit it")
    if label is not None:
        raise InputError(
            f"label {label!r} applies to tables of a database, but {first!r} is not one; omit it"
        )
    if len(sources) == 1 and os.path.isdir(first):
        return popper.read_popper(first, target), False
    if len(sources) == 1 and (stem := aleph.stem_of(first)) is not None:
        return aleph.read_aleph(stem, target), False
    if (files := aleph.named(sources)) is not None:
        return aleph.read_named(files, target), False
    for one in sources:
        if os.path.isdir(one):
            raise InputError(f"{one!r} is a folder; give a folder as the only source")
        if not os.path.exists(one):
            raise InputError(
                f"there is no file {one!r}, and no {Path(one).name}.b and {Path(one).name}.f; name a folder, Prolog "
                "files, an Aleph stem or a database"
            )
    return prolog_files.read_prolog(sources, target)
