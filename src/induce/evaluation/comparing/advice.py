"""Recommended learners for a table, with reasons (AIMA 18.11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.data.frames import raw_frame
from induce.data.schema import Schema
from induce.evaluation.comparing.applicable import Contents, contents_of, holds_numbers
from induce.evaluation.estimating.kinds import CLASSES, DENSITY, NUMBERS
from induce.evaluation.reports import html_table, text_table

BEGIN_WITH = {
    "classes": "C45",
    "numbers": "ModelTree",
    "texts": "TextNaiveBayes",
    "clusters": "GaussianMixture",
    "sequences": "HiddenMarkovModel",
    "relations": "FOIL",
}
"""Learner to start with for each task; it is readable and handles all column types and missing values."""

ADVISED = 3
FEW_ROWS = 200
MANY_ROWS = 20_000
MANY_COLUMNS = 20
MOST_FOR_KERNELS = 5_000
"""Maximum number of rows for kernel machines, which compare all pairs of rows."""


@dataclass(frozen=True)
class Suggestion:
    """A learner to try, with a short reason."""

    learner: str
    reason: str


@dataclass(frozen=True)
class Advice:
    """Properties of a table and the recommended learners, best first.

    Parameters
    ----------
    task : {"classes", "numbers", "density"}
        Type of prediction that the advice is for: classes, numbers or densities.
    facts : tuple of str
        Properties the advice is based on.
    suggestions : tuple of Suggestion
    """

    task: str
    facts: tuple[str, ...]
    suggestions: tuple[Suggestion, ...]

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners."""
        return tuple(each.learner for each in self.suggestions)

    def cells(self) -> list[tuple[str, str]]:
        """Return the suggestions as table cells."""
        return [(each.learner, each.reason) for each in self.suggestions]

    def __str__(self) -> str:
        return "\n".join([", ".join(self.facts), "", text_table(("learner", "because"), self.cells())])

    def _repr_html_(self) -> str:
        return f"<p>{escape(', '.join(self.facts))}</p>" + html_table(
            "learners to start with", ("learner", "because"), self.cells()
        )


def advise(
    X: Any,
    y: Any = None,
    *,
    readable: bool = False,
    export: str | None = None,
    schema: Schema | dict[str, Any] | None = None,
) -> Advice:
    """Recommend three learners to start with on a table, each with a reason.

    The advice depends on the number of rows and columns, the column types, missing values and the classes: trees and
    rules for many nominal and possibly irrelevant columns, kernels if the table is not large, nearest neighbours for
    many rows with few columns. No choice is guaranteed: `leaderboard` compares them.

    Parameters
    ----------
    X, y : frame or array, series or array
        Table and target. Without `y`, density estimators and clusterers are recommended.
    readable : bool
        Whether the hypothesis must be readable.
    export : str, optional
        Required export format, such as ``"sql"`` or ``"prolog"``.
    schema : Schema or dict, optional
        Schema of the columns, in addition to their types.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> print(advise(X, y))
    14 rows, 4 nominal columns, no value missing, 2 classes
    <BLANKLINE>
    learner     because
    C45         a readable tree, for columns of all types
    RIPPER      usually the shortest rules, so the fastest to read and check
    NaiveBayes  few parameters to estimate, so 14 rows suffice
    """
    task = DENSITY if y is None else NUMBERS if holds_numbers(y) else CLASSES
    contents, n_rows = contents_of(X, schema), raw_frame(X).n_rows
    n_classes = np.unique(np.asarray(y).astype(str)).size if task == CLASSES else 0
    found = [
        each
        for each in _ranked(task, contents, n_rows)
        if (not readable or each.learner in READABLE) and (export is None or _exports(each.learner, export))
    ]
    if not found:
        raise InputError(f"none of the learners to start with exports {export}; leave out --export")
    return Advice(task, _facts(contents, n_rows, n_classes), tuple(found[:ADVISED]))


READABLE = (
    "C45",
    "RIPPER",
    "NaiveBayes",
    "ModelTree",
    "DecisionTreeRegressor",
    "LinearRegression",
    "LogisticRegression",
    "GaussianMixture",
    "MixtureModel",
    "ChowLiu",
    "TextNaiveBayes",
)


def suited(X: Any, task: str, schema: Schema | dict[str, Any] | None = None) -> tuple[str, ...]:
    """Return a short list of suitable learners for a comparison that takes seconds.

    Examples
    --------
    >>> import induce
    >>> suited(induce.dataset("play-tennis").X, "classes")
    ('C45', 'RIPPER', 'NaiveBayes', 'RandomForest', 'LogisticRegression', 'SVM')
    """
    return tuple(each.learner for each in _ranked(task, contents_of(X, schema), raw_frame(X).n_rows))


def _ranked(task: str, contents: Contents, n_rows: int) -> list[Suggestion]:
    """Return the learners that suit a table, those to start with first."""
    if task == DENSITY:
        return _for_densities(contents)
    if contents.texts and not (contents.nominal or contents.numbers):
        return [
            Suggestion("TextNaiveBayes", "it counts words, which is fast and hard to beat on texts"),
            Suggestion("Rocchio", "one prototype per class, with its most characteristic words"),
            Suggestion("SVM", "usually the lowest error on texts, where readability does not matter"),
        ]
    if task != CLASSES:
        return _for_numbers(contents, n_rows)
    found = _for_classes(contents, n_rows)
    return _beside_texts(found) if contents.texts else found


def _beside_texts(found: list[Suggestion]) -> list[Suggestion]:
    """Put the learners first that use text; the others leave it out."""
    return [
        Suggestion("NaiveBayes", "it takes texts beside columns of other kinds"),
        Suggestion("TextNaiveBayes", "the words alone, without the other columns"),
        *(
            Suggestion(each.learner, f"{each.reason}; leaves texts out")
            for each in found
            if each.learner != "NaiveBayes"
        ),
    ]


def _for_classes(contents: Contents, n_rows: int) -> list[Suggestion]:
    few, small = n_rows < FEW_ROWS, n_rows <= MOST_FOR_KERNELS
    wide = contents.width > MANY_COLUMNS
    numeric = not contents.nominal
    tree = "which ignores irrelevant columns" if wide else "for columns of all types"
    tree = "which handles missing values" if contents.missing else tree
    found = [
        Suggestion("C45", f"a readable tree, {tree}"),
        Suggestion("RIPPER", "usually the shortest rules, so the fastest to read and check"),
    ]
    bayes = (
        f"few parameters to estimate, so {n_rows:,} rows suffice"
        if few
        else "fast, and suitable for any number of rows"
    )
    naive = Suggestion("NaiveBayes", bayes)
    forest = Suggestion("RandomForest", "usually a lower error than one tree, but not readable")
    logistic = Suggestion("LogisticRegression", "weights of columns that are already numeric")
    found += [naive, forest] if few else [logistic, forest, naive] if numeric else [forest, naive]
    if logistic not in found:
        found.append(Suggestion("LogisticRegression", "weights and odds ratios for each column"))
    if small:
        found.append(Suggestion("SVM", "often the lowest error on tables that are not large"))
    if numeric and not few and not wide and n_rows <= MANY_ROWS:
        found.append(Suggestion("KNeighborsClassifier", "many rows with few columns suit nearest neighbours"))
    return found


def _for_numbers(contents: Contents, n_rows: int) -> list[Suggestion]:
    found = [
        Suggestion("ModelTree", "a small tree with a linear formula in each leaf, for columns of all types"),
        Suggestion("LinearRegression", "one coefficient per column, with its interval"),
        Suggestion("RandomForestRegressor", "usually a lower error than one tree, but not readable"),
        Suggestion("DecisionTreeRegressor", "a tree with a constant in each leaf"),
    ]
    if n_rows <= MOST_FOR_KERNELS:
        found.append(Suggestion("SVR", "smooth functions on tables that are not large"))
    if n_rows >= FEW_ROWS and contents.width <= MANY_COLUMNS and n_rows <= MANY_ROWS:
        found.append(Suggestion("KNeighborsRegressor", "many rows with few columns suit nearest neighbours"))
    return found


def _for_densities(contents: Contents) -> list[Suggestion]:
    mixture = Suggestion("MixtureModel", "clusters from columns of all types")
    if not contents.numbers:
        return [mixture, Suggestion("ChowLiu", "the strongest dependences between columns, as a tree")]
    found = (
        []
        if contents.nominal
        else [Suggestion("GaussianMixture", "elliptical clusters of any shape, fitted by maximum likelihood")]
    )
    return [
        *found,
        mixture,
        Suggestion("ChowLiu", "the strongest dependences between columns, as a tree"),
        *(
            []
            if contents.nominal
            else [Suggestion("KernelDensity", "a density without assumptions about its shape")]
        ),
    ]


def _facts(contents: Contents, n_rows: int, n_classes: int) -> tuple[str, ...]:
    kinds: list[tuple[Sequence[str], str]] = [
        (contents.nominal, "nominal"),
        (contents.numbers, "numeric"),
        (contents.texts, "text"),
    ]
    said = [
        f"{len(names)} {kind} column{'' if len(names) == 1 else 's'}" for names, kind in kinds if len(names)
    ]
    holes = f"missing values in {len(contents.missing)}" if contents.missing else "no value missing"
    classes = [f"{n_classes} classes"] if n_classes else []
    return (f"{n_rows:,} rows", *said, holes, *classes)


def _exports(name: str, form: str) -> bool:
    from induce.core.declarations import learners
    from induce.core.description import exports_of

    [entry] = [entry for entry in learners() if entry.name == name]
    return form.lower() in exports_of(entry)
