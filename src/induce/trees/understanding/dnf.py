"""Trees as formulas: a disjunction with one conjunction per path to a class (AIMA 18.3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.core.values import Value, class_named
from induce.data.schema import Schema
from induce.data.table import as_table
from induce.hypotheses.conditions import Condition, Mask, covered_by_all, simplified
from induce.hypotheses.naming import plural, value_text
from induce.trees.understanding.arguments import refuse_oblique, the_tree


@dataclass(frozen=True)
class Dnf:
    """A formula in disjunctive normal form: true of a row that satisfies all conditions of some term.

    A missing value or a category not seen in training satisfies no condition.

    Parameters
    ----------
    schema : Schema
        The columns that conditions may test.
    terms : tuple of tuples of Condition
        Conjunctions of conditions. Without terms, the formula is false; a term without conditions makes it
        true.
    target : str
        Target column of the formula.
    value, otherwise : str, int, float or bool
        Class of the rows for which the formula is true, and class of the others.

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> from induce.hypotheses.conditions import Above, Is
    >>> schema = Schema((Column("wind", "nominal", ("weak", "strong")), Column("rain")))
    >>> formula = Dnf(schema, ((Is("wind", "weak"),), (Is("wind", "strong"), Above("rain", 2.5))))
    >>> print(formula)
    wind = weak OR (wind = strong AND rain > 2.5)
    >>> formula.covers([["strong", 2.0], ["strong", 3.0]]).tolist()
    [False, True]
    """

    schema: Schema
    terms: tuple[tuple[Condition, ...], ...]
    target: str = "class"
    value: Value = True
    otherwise: Value = False

    def __post_init__(self) -> None:
        for condition in (condition for term in self.terms for condition in term):
            condition.check_column(self.schema[condition.attribute])
        if self.value == self.otherwise:
            raise InputError(f"value and otherwise are both {self.value!r}; give two different classes")

    def covers(self, X: Any) -> Mask:
        """Return whether the formula is true of each row of a frame, an array or an encoded table."""
        table = as_table(X, self.schema)
        covered = np.zeros(len(table), dtype=np.bool_)
        for term in self.terms:
            covered |= covered_by_all(term, table)
        return covered

    def size(self) -> str:
        """Return the number of terms and conditions."""
        n_conditions = sum(map(len, self.terms))
        return f"{plural(len(self.terms), 'term')}, {plural(n_conditions, 'condition')}"

    def __str__(self) -> str:
        if not self.terms:
            return "FALSE"
        return " OR ".join(_term_text(term, alone=len(self.terms) == 1) for term in self.terms)


def _term_text(term: tuple[Condition, ...], alone: bool) -> str:
    text = " AND ".join(map(str, term)) or "TRUE"
    return f"({text})" if len(term) > 1 and not alone else text


def to_dnf(tree: Any, value: Value) -> Dnf:
    """Return the formula that is true if a tree predicts a class, with one term per path to it.

    It agrees with the tree on rows without missing values or new categories. On other rows it may be false
    even though the tree, which follows several branches or stops halfway, predicts the class.

    Parameters
    ----------
    tree : Tree or fitted tree learner
        Tree, or a learner that has one.
    value : str, int, float or bool
        Class for which the formula is true.

    Examples
    --------
    >>> import induce
    >>> print(to_dnf(induce.ID3().fit(*induce.dataset("play-tennis")), "Yes"))
    (Outlook = Sunny AND Humidity = Normal) OR Outlook = Overcast OR (Outlook = Rain AND Wind = Weak)
    """
    tree = the_tree(tree)
    refuse_oblique(tree, "a formula needs tests of single columns")
    value = class_named(value, tree.classes, "value")
    paths = (simplified(path) for leaf, path in tree.paths() if tree.prediction(leaf) == value)
    others = [other for other in tree.classes if other != value]
    return Dnf(
        tree.schema,
        tuple(term for term in paths if _satisfiable(term)),
        tree.target,
        value,
        others[0] if len(others) == 1 else f"not {value_text(value)}",
    )


def _satisfiable(term: tuple[Condition, ...]) -> bool:
    """Return whether a term can be true; conditions on one attribute that do not merge are contradictory."""
    return len({condition.attribute for condition in term}) == len(term)
