"""Learn hypotheses that people can read, and say how far to trust them."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from induce.cli.options import Ignore, Nominal, Numeric, SchemaFile, Target
from induce.cli.reading import reads_tables

if TYPE_CHECKING:
    from induce.concepts.learners.dialogue import Dialogue
    from induce.concepts.queries import Query
    from induce.concepts.version_space import VersionSpace

HELP = "y(es), n(o), u(ndo) the last answer, ? what is known so far, q(uit)"
FORMAT = 1


@reads_tables()
def ask(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A file or a shipped data set.")],
    target: Target = None,
    positive: Annotated[
        str | None, typer.Option(metavar="VALUE", help="Class of the concept to learn.")
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Save each answer here, and continue from the answers in the file."
        ),
    ] = None,
    rows: Annotated[
        bool, typer.Option("--rows", help="Ask only about rows of DATA, not about any other instance.")
    ] = False,
    unlabelled: Annotated[
        bool, typer.Option("--unlabelled", help="Take columns and values from DATA, but not its classes.")
    ] = False,
    language: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Hypothesis space: conjunctions, nominal, disjunctions or power set."
        ),
    ] = "conjunctions",
    nominal: Nominal = None,
    numeric: Numeric = None,
    ignore: Ignore = None,
    schema: SchemaFile = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Ask about instances, the most informative first, until the concept is known.

    The labelled rows of DATA are the initial knowledge. Answers are read from standard input.
    """
    from induce.cli.output import check_writable
    from induce.cli.sources import opened_data
    from induce.concepts.learners.dialogue import Dialogue, opening_space
    from induce.core.errors import InputError

    if data == "-":
        raise InputError("DATA is '-', but answers are read from standard input; give a file")
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
    space = opening_space(table, positive, unlabelled, language)
    terminal = Terminal(Dialogue(space, table.X if rows else None), answers)
    terminal.resume()
    terminal.run()


class Terminal:
    """A dialogue on the terminal; the answers are saved in a file."""

    def __init__(self, dialogue: Dialogue, path: str | None) -> None:
        self.dialogue = dialogue
        self.path = path

    def resume(self) -> None:
        """Load the answers of an earlier run."""
        from induce.core.documents import json_of
        from induce.core.errors import InputError

        if self.path is None or not os.path.exists(self.path):
            return
        try:
            with open(self.path, encoding="utf-8-sig") as file:
                document = json_of(file.read())
            found = [(dict(each["instance"]), bool(each["positive"])) for each in document["answers"]]
            aim = document["target"], document["positive"]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{self.path!r} holds no answers of `induce ask`; give another file, or remove this one"
            ) from None
        space = self.dialogue.space
        if aim != (space.target, space.positive):
            raise InputError(
                f"the answers in {self.path!r} are about {aim[0]} = {aim[1]}, not about {space.target} = "
                f"{space.positive}; give another file"
            )
        for instance, answer in found:
            self.dialogue.take(instance, answer, str(self.path))
        if found:
            from induce.cli.output import put_lines
            from induce.hypotheses.naming import plural

            put_lines(f"loaded from {self.path}: {plural(len(found), 'answer')}")

    def run(self) -> None:
        """Ask until the concept is determined, the answers end, or the user stops."""
        from induce.cli.output import put, put_lines

        while True:
            query = self.dialogue.query()
            if query is None:
                put_lines(
                    f"determined after {_questions(len(self.dialogue.given))}",
                    *self.dialogue.told().splitlines(),
                )
                return
            said = None
            while said is None:
                put(f"{_question(len(self.dialogue.given) + 1, query, self.dialogue.space)}")
                line = sys.stdin.readline()
                if not sys.stdin.isatty():  # input from a pipe is not echoed on the screen
                    put(line if line.endswith("\n") else f"{line}\n")
                said = self._answer(line)
            if said == "quit":
                kept = f"; answers are in {self.path}" if self.path is not None else ""
                put_lines(
                    f"not determined after {_questions(len(self.dialogue.given))}{kept}",
                    *self.dialogue.told().splitlines(),
                )
                return
            if said == "undo":
                self.dialogue.undo()
            else:
                self.dialogue.take(query.instance, said == "yes")
            self._save()

    def _answer(self, line: str) -> str | None:
        from induce.cli.output import put_lines

        word = line.strip().lower()
        names = {
            **dict.fromkeys(("q", "quit"), "quit"),
            **dict.fromkeys(("u", "undo"), "undo"),
            **dict.fromkeys(("y", "yes", "true", "+", "1"), "yes"),
            **dict.fromkeys(("n", "no", "false", "-", "0"), "no"),
            # class names take precedence over common answers such as yes
            str(self.dialogue.space.positive).lower(): "yes",
            str(self.dialogue.space.negative).lower(): "no",
        }
        if not line:
            return "quit"
        if word in names:
            return names[word]
        put_lines(*(self.dialogue.told().splitlines() if word == "?" else [HELP]))
        return None

    def _save(self) -> None:
        from induce.core.files import write_whole

        if self.path is None:
            return
        document = {
            "format": FORMAT,
            "target": self.dialogue.space.target,
            "positive": self.dialogue.space.positive,
            "answers": [{"instance": dict(each), "positive": answer} for each, answer in self.dialogue.given],
        }
        write_whole(self.path, json.dumps(document, ensure_ascii=False, indent=1).encode())


def _question(number: int, query: Query, space: VersionSpace) -> str:
    from induce.concepts.learners.dialogue import question
    from induce.hypotheses.naming import value_text

    return f"{number}. {question(query)}\n   {value_text(space.target)} = {value_text(space.positive)}? [y/n/u/?/q] "


def _questions(n: int) -> str:
    from induce.hypotheses.naming import plural

    return plural(n, "question")
