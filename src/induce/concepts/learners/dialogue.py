"""Dialogue that learns a concept: a person labels the instances a version space asks about (Mitchell 2.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from induce.concepts.boundaries import start
from induce.core.commands import option
from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.core.values import class_named
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    from induce.concepts.queries import Query
    from induce.concepts.version_space import VersionSpace
    from induce.data.dataset import Dataset


class Dialogue:
    """Questions and answers, with the version space after each.

    Parameters
    ----------
    space : VersionSpace
        Initial version space.
    pool : frame, optional
        Instances to ask about; by default all instances.

    Examples
    --------
    >>> import induce
    >>> dialogue = Dialogue(opening_space(induce.dataset("enjoy-sport")))
    >>> dict(dialogue.query().instance)["Wind"]
    'Weak'
    >>> dialogue.answer(False)
    >>> len(dialogue.given), dialogue.space.status
    (1, 'partly learned')
    """

    def __init__(self, space: VersionSpace, pool: Any = None) -> None:
        self.spaces = [space]
        self.pool = pool
        self.given: list[tuple[Mapping[str, Any], bool]] = []

    @property
    def space(self) -> VersionSpace:
        """The version space after all answers so far."""
        return self.spaces[-1]

    def query(self) -> Query | None:
        """Return the most informative instance; None if there is nothing to ask."""
        if self.space.status == "converged":
            return None
        if self.pool is not None:
            verdicts = self.space.verdicts(self.space.language.attributes.encode(self.pool))
            if (verdicts != 0).all():
                return None
        return self.space.query(self.pool)

    def answer(self, positive: bool) -> None:
        """Answer the current question."""
        query = self.query()
        if query is None:
            raise InputError("there is nothing to ask: the concept is learned")
        self.take(query.instance, positive)

    def take(self, instance: Mapping[str, Any], answer: bool, where: str = "") -> None:
        """Record an answer about an instance; `where` is the name of its file, if any."""
        import polars as pl

        space = self.space
        absent = [name for name in space.language.attributes.names if name not in instance]
        if absent:
            raise InputError(f"an answer in {where!r} lacks a value of {absent[0]!r}; give another file")
        row = pl.DataFrame({name: [instance[name]] for name in space.language.attributes.names})
        after = space.learn(row, [space.positive if answer else space.negative])
        if after.bounds.empty:
            raise InputError(
                f"answer {len(self.given) + 1} contradicts earlier answers or rows: no hypothesis agrees with all of "
                "them; check the answers and the labels of DATA, or try another --language"
            )
        self.spaces.append(after)
        self.given.append((instance, answer))

    def undo(self) -> None:
        """Undo the last answer, if there is one."""
        if self.given:
            self.spaces.pop()
            self.given.pop()

    def told(self) -> str:
        """Return the current result as text: the concept if it is learned, otherwise the version space."""
        space = self.space
        if space.status != "converged":
            return str(space)
        return f"{value_text(space.target)} = {value_text(space.positive)} where {space.most_specific[0].condition()}"


def question(query: Query) -> str:
    """Return a queried instance as text."""
    return ", ".join(f"{value_text(name)} = {value_text(value)}" for name, value in query.instance.items())


def opening_space(
    table: Dataset, positive: str | None = None, unlabelled: bool = False, language: str = "conjunctions"
) -> VersionSpace:
    """Return the version space of the labelled rows of a table.

    Parameters
    ----------
    table : Dataset
        Table of labelled rows.
    positive : str, optional
        Class of the concept; by default, the learner chooses one of the two.
    unlabelled : bool
        Whether to use only the columns and values of the table, not its classes.
    language : str
        Language, as for `CandidateElimination`.
    """
    from induce.concepts.learners.candidate_elimination import CandidateElimination

    if table.target is None:
        raise InputError("there is no target; name the class column with --target")
    concept = _concept(table, positive)
    domain = table.schema[str(table.target)].domain
    known = table.y.is_not_null()
    if not known.any() and not unlabelled:
        raise InputError(
            f"column {table.target!r} contains no class; give --unlabelled to start without labels"
        )
    learner = CandidateElimination(positive=concept, language=language, schema=table.input_schema)
    X = rows_at(table.X, known) if known.any() else table.X
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
        raise InputError(f"no hypothesis agrees with the rows of DATA: {space.reason}")
    return space


def _concept(table: Dataset, positive: str | None) -> Any:
    """Return the positive class in the type of the column; None if the learner may choose."""
    column = table.schema[str(table.target)]
    if column.kind != "nominal":
        raise InputError(
            f"column {column.name!r} is {column.kind}, but a concept is a class; give "
            f"{option('nominal', column.name)}"
        )
    if positive is None:
        if len(column.domain) > 2:
            raise InputError(
                f"column {column.name!r} has {len(column.domain)} classes; name the concept with --positive"
            )
        return None
    return class_named(positive, column.domain, "--positive")
