"""`induce ask`: questions about instances until a concept is settled."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Ignore, Nominal, Numeric, SchemaFile, Target
from induce.cli.reading import reads_tables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from induce.concepts.queries import Query
    from induce.concepts.version_space import VersionSpace
    from induce.data.dataset import Dataset

HELP = "y(es), n(o), u(ndo) the last answer, ? what is known so far, q(uit)"
FORMAT = 1


@reads_tables()
def ask(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A file or a shipped data set.")],
    target: Target = None,
    positive: Annotated[
        str | None, typer.Option(metavar="VALUE", help="The class that is the concept to be learned.")
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Save each answer here, and go on from what is there already."),
    ] = None,
    rows: Annotated[
        bool, typer.Option("--rows", help="Ask only about rows of DATA, not about any other instance.")
    ] = False,
    unlabelled: Annotated[
        bool, typer.Option("--unlabelled", help="Take columns and values from DATA, but not its classes.")
    ] = False,
    language: Annotated[
        str, typer.Option(metavar="NAME", help="conjunctions, nominal, disjunctions or power set.")
    ] = "conjunctions",
    nominal: Nominal = None,
    numeric: Numeric = None,
    ignore: Ignore = None,
    schema: SchemaFile = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Ask about instances, those first whose class settles most, until the concept is known.

    The labelled rows of DATA are what is known at the start. Answers are read from standard input.
    """
    from induce.cli.output import check_writable
    from induce.cli.sources import opened_data
    from induce.core.errors import InputError

    if data == "-":
        raise InputError("DATA is '-', but standard input is where the answers come from; give a file")
    check_writable(answers)
    table = opened_data(
        data,
        target,
        nominal=nominal or (),
        numeric=numeric or (),
        ignore=ignore or (),
        schema=schema,
        **reading,
    )
    if table.target is None:
        raise InputError("there is no target; name the column of the classes with --target")
    concept = _concept(table, positive)
    dialogue = Dialogue(_space(table, concept, unlabelled, language), table.X if rows else None, answers)
    dialogue.resume()
    dialogue.run()


class Dialogue:
    """Questions and answers, with the version space after each."""

    def __init__(self, space: VersionSpace, pool: Any, path: str | None) -> None:
        self.spaces = [space]
        self.pool = pool
        self.path = path
        self.given: list[tuple[Mapping[str, Any], bool]] = []

    @property
    def space(self) -> VersionSpace:
        """The version space after all answers so far."""
        return self.spaces[-1]

    def resume(self) -> None:
        """Take over the answers of an earlier run."""
        from induce.core.errors import InputError

        if self.path is None or not os.path.exists(self.path):
            return
        try:
            with open(self.path, encoding="utf-8-sig") as file:
                document = json.load(file)
            found = [(dict(each["instance"]), bool(each["positive"])) for each in document["answers"]]
            aim = document["target"], document["positive"]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{self.path!r} holds no answers of `induce ask`; give another file, or remove this one"
            ) from None
        if aim != (self.space.target, self.space.positive):
            raise InputError(
                f"the answers in {self.path!r} are about {aim[0]} = {aim[1]}, not about {self.space.target} = "
                f"{self.space.positive}; give another file"
            )
        for instance, answer in found:
            self._take(instance, answer)
        if found:
            from induce.cli.output import put_lines
            from induce.hypotheses.naming import plural

            put_lines(f"taken over from {self.path}: {plural(len(found), 'answer')}")

    def _take(self, instance: Mapping[str, Any], answer: bool) -> None:
        import polars as pl

        from induce.core.errors import InputError

        space = self.space
        absent = [name for name in space.language.attributes.names if name not in instance]
        if absent:
            raise InputError(f"an answer in {self.path!r} has no value of {absent[0]!r}; give another file")
        row = pl.DataFrame({name: [instance[name]] for name in space.language.attributes.names})
        after = space.learn(row, [space.positive if answer else space.negative])
        if after.bounds.empty:
            raise InputError(
                f"answer {len(self.given) + 1} contradicts what was known before: no hypothesis agrees with all of "
                "them; check the answers and the labels of DATA, or try another --language"
            )
        self.spaces.append(after)
        self.given.append((instance, answer))

    def run(self) -> None:
        """Ask until the concept is settled, the answers end, or the user wants no more."""
        from induce.cli.output import put, put_lines

        while True:
            query = self._query()
            if query is None:
                put_lines(f"settled after {_questions(len(self.given))}", *_told(self.space))
                return
            said = None
            while said is None:
                put(f"{_question(len(self.given) + 1, query, self.space)}")
                line = sys.stdin.readline()
                if not sys.stdin.isatty():  # what comes from a pipe is not on the screen
                    put(line if line.endswith("\n") else f"{line}\n")
                said = self._answer(line)
            if said == "quit":
                kept = f"; answers are in {self.path}" if self.path is not None else ""
                put_lines(f"not settled after {_questions(len(self.given))}{kept}", *_told(self.space))
                return
            if said == "undo":
                if self.given:
                    self.spaces.pop()
                    self.given.pop()
            else:
                self._take(query.instance, said == "yes")
            self._save()

    def _query(self) -> Query | None:
        if self.space.status == "converged":
            return None
        if self.pool is not None:
            verdicts = self.space.verdicts(self.space.language.attributes.encode(self.pool))
            if (verdicts != 0).all():
                return None
        return self.space.query(self.pool)

    def _answer(self, line: str) -> str | None:
        from induce.cli.output import put_lines

        word = line.strip().lower()
        names = {
            **dict.fromkeys(("q", "quit"), "quit"),
            **dict.fromkeys(("u", "undo"), "undo"),
            **dict.fromkeys(("y", "yes", "true", "+", "1"), "yes"),
            **dict.fromkeys(("n", "no", "false", "-", "0"), "no"),
            # the names of the classes mean what they mean, whatever is a usual word for it
            str(self.space.positive).lower(): "yes",
            str(self.space.negative).lower(): "no",
        }
        if not line:
            return "quit"
        if word in names:
            return names[word]
        put_lines(*(_told(self.space) if word == "?" else [HELP]))
        return None

    def _save(self) -> None:
        from induce.core.files import write_whole

        if self.path is None:
            return
        document = {
            "format": FORMAT,
            "target": self.space.target,
            "positive": self.space.positive,
            "answers": [{"instance": dict(each), "positive": answer} for each, answer in self.given],
        }
        write_whole(self.path, json.dumps(document, ensure_ascii=False, indent=1).encode())


def _concept(table: Dataset, positive: str | None) -> Any:
    """Return the class to be learned, as the table has it; None where the learner may choose."""
    from induce.core.errors import InputError
    from induce.data.names import unknown

    column = table.schema[str(table.target)]
    if column.kind != "nominal":
        raise InputError(
            f"column {column.name!r} is {column.kind}, but a concept is a class; say --nominal {column.name}"
        )
    if positive is None:
        if len(column.domain) > 2:
            raise InputError(
                f"column {column.name!r} has {len(column.domain)} classes; say with --positive which is the concept"
            )
        return None
    for value in column.domain:
        if str(value) == positive:
            return value
    raise unknown("class", positive, [str(value) for value in column.domain])


def _space(table: Dataset, concept: Any, unlabelled: bool, language: str) -> VersionSpace:
    """Return the version space of the labelled rows."""
    from dataclasses import replace

    from induce.concepts.boundaries import start
    from induce.concepts.learners.candidate_elimination import CandidateElimination
    from induce.core.errors import InputError
    from induce.hypotheses.naming import value_text

    domain = table.schema[str(table.target)].domain
    known = table.y.is_not_null()
    if not known.any() and not unlabelled:
        raise InputError(
            f"column {table.target!r} holds no class at all; say --unlabelled to start from nothing"
        )
    learner = CandidateElimination(positive=concept, language=language, schema=table.input_schema)
    X = table.X.filter(known) if known.any() else table.X
    labels = table.y.filter(known).to_list() if known.any() else [concept or domain[0]] * len(X)
    other: Any = next((value for value in domain if value != concept), "no")
    if concept is not None and len(domain) > 2:
        other = f"not {value_text(concept)}"
        labels = [label if label == concept else other for label in labels]
    try:
        chosen = concept if concept is not None else learner._positive_class(tuple(domain))
        classes = (chosen, other) if concept is not None else tuple(domain)
        if len(classes) == 1:
            classes = (chosen, "no" if chosen != "no" else "yes")
        space = learner.partial_fit(X, labels, classes=classes).hypothesis_
    except ValueError as error:
        raise InputError(str(error)) from None
    space = replace(space, target=str(table.target), classes=classes, positive=chosen)
    if unlabelled:
        return space.with_bounds(start(space.language))
    if space.status == "collapsed":
        raise InputError(f"the rows of DATA agree with no hypothesis: {space.reason}")
    return space


def _question(number: int, query: Query, space: VersionSpace) -> str:
    from induce.hypotheses.naming import value_text

    values = ", ".join(f"{value_text(name)} = {value_text(value)}" for name, value in query.instance.items())
    return f"{number}. {values}\n   {value_text(space.target)} = {value_text(space.positive)}? [y/n/u/?/q] "


def _told(space: VersionSpace) -> list[str]:
    if space.status != "converged":
        return [str(space)]
    from induce.hypotheses.naming import value_text

    return [
        f"{value_text(space.target)} = {value_text(space.positive)} where {space.most_specific[0].condition()}"
    ]


def _questions(n: int) -> str:
    from induce.hypotheses.naming import plural

    return plural(n, "question")
