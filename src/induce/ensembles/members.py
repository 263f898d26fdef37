"""Outputs of ensemble members: their classes as codes, their probabilities, and a one-line summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.hypothesis import Hypothesis
from induce.core.reports import shortened
from induce.core.values import Value, plain
from induce.data.decoded_rows import decoded
from induce.data.schema import Schema
from induce.data.table import Table, as_table
from induce.ensembles.steps import votes_of_stump
from induce.ensembles.stumps import is_stump, stump_codes
from induce.hypotheses.conditions import one_of
from induce.hypotheses.naming import value_text
from induce.trees.hypothesis import Tree

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

LONGEST = 90
FEW_CLASSES = 20
FEW_BRANCHES = 4


class Given(NamedTuple):
    """Rows as given, and encoded by the ensemble's schema; each member takes the form it understands."""

    raw: Any
    table: Table


def given_rows(X: Any, schema: Schema) -> Given:
    """Return rows as given and encoded."""
    if isinstance(X, Given):
        return X
    return Given(X, as_table(X, schema))


def members_parts(members: Sequence[Any], top: Parts | None = None) -> Parts:
    """Return the number of readable items in members and their weights, or in their meta-hypothesis."""
    each = [parts_of(member) for member in members]
    unread = next((part for part in (*each, *([top] if top else [])) if part.number is None), None)
    if unread is not None:
        return Parts(None, f"a member cannot be read: {unread.of}")
    own = len(each) if top is None or top.number is None else top.number
    return Parts(sum(part.number or 0 for part in each) + own, "readable items in its members")


def parts_of(member: Any) -> Parts:
    """Return the number of readable items in a member; unknown for a model from another library."""
    if isinstance(member, Hypothesis):
        return member.parts()
    return Parts(None, f"the number of readable items in a {type(member).__name__} is unknown")


def member_codes(member: Any, given: Given, schema: Schema, classes: tuple[Value, ...]) -> Codes:
    """Return the index in `classes` of a member's prediction for each row."""
    if isinstance(member, Tree) and member.schema == schema:
        codes = stump_codes(member, given.table) if is_stump(member) else member.codes(given.table)
        return codes if member.classes == classes else _places(member.classes, classes)[codes]
    return codes_in(member.predict(_readable(member, given, schema)), classes)


def member_votes(
    member: Any, given: Given, schema: Schema, classes: tuple[Value, ...], divides: bool = False
) -> Floats:
    """Return the vote of a member for each of `classes`, per row; see `Ensemble` for `divides`."""
    if divides and is_stump(member) and member.n_nodes > 1 and member.schema == schema:
        said = votes_of_stump(member, divides=True).of(given.table.column(int(member.attribute[0])))
        if member.classes == classes:
            return np.asarray(said)
        votes = np.zeros((len(said), len(classes)))
        votes[:, _places(member.classes, classes)] = said
        return votes
    codes = member_codes(member, given, schema, classes)
    return np.asarray(codes[:, None] == np.arange(len(classes)), np.float64)


def member_shares(member: Any, given: Given, schema: Schema, classes: tuple[Value, ...]) -> Floats:
    """Return the probability that a member gives to each of `classes`; 0 or 1 if it predicts only classes."""
    if not hasattr(member, "predict_proba"):
        return member_votes(member, given, schema, classes)
    own = classes_of(member)
    shares = np.zeros((len(given.table), len(classes)))
    shares[:, _places(own, classes)] = member.predict_proba(_readable(member, given, schema))
    return shares


def classes_of(member: Any) -> tuple[Value, ...]:
    """Return the classes that a hypothesis or a fitted estimator distinguishes."""
    own = cast(Any, member).classes if isinstance(member, Hypothesis) else member.classes_
    return tuple(map(plain, own))


def codes_in(predicted: Any, classes: tuple[Value, ...]) -> Codes:
    """Return the indices of predicted values among the classes.

    Examples
    --------
    >>> codes_in(["yes", "no", "yes"], ("no", "yes"))
    array([1, 0, 1])
    """
    values = np.asarray(predicted)
    codes = np.full(len(values), -1, np.int64)
    if len(classes) <= FEW_CLASSES:
        for code, value in enumerate(classes):
            codes[values == value] = code
    else:
        place: Mapping[Any, int] = {value: code for code, value in enumerate(classes)}
        codes[:] = [place.get(value, -1) for value in values.tolist()]
    if (codes < 0).any():
        odd = plain(values[int(np.flatnonzero(codes < 0)[0])])
        raise InputError(
            f"a member predicts {odd!r}, which is not one of the classes {', '.join(map(str, classes[:5]))}; give "
            "learners that predict classes"
        )
    return codes


def member_text(member: Any) -> str:
    """Describe a member in one line: a stump in full, others by their kind and size.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> member_text(induce.DecisionStump().fit(X, y).hypothesis_)
    'Outlook = Sunny: No | Outlook = Overcast: Yes | Outlook = Rain: Yes'
    >>> member_text(induce.ID3().fit(X, y).hypothesis_)
    'Tree, 8 nodes, 5 leaves, depth 2'
    """
    if is_stump(member):
        if member.n_nodes == 1:
            return f"always {value_text(member.prediction(0))}"
        text = " | ".join(_branches(member))
        return shortened(text, LONGEST)
    size = member.size() if isinstance(member, Hypothesis) else ""
    return f"{type(member).__name__}, {size}" if size else type(member).__name__


def _branches(stump: Tree) -> list[str]:
    """Describe the prediction of each branch of a stump; many branches are grouped by prediction."""
    said = [stump.prediction(leaf) for leaf in stump.children(0)]
    if len(said) <= FEW_BRANCHES or stump.tested(0).kind != "nominal":
        return [f"{stump.condition(0, b)}: {value_text(value)}" for b, value in enumerate(said)]
    column = stump.tested(0)
    groups = {
        value: tuple(v for v, s in zip(column.domain, said, strict=True) if s == value)
        for value in dict.fromkeys(said)
    }
    *some, last = sorted(groups, key=lambda value: len(groups[value]))
    return [
        *(f"{one_of(column.name, groups[value])}: {value_text(value)}" for value in some),
        f"{'else' if some else value_text(column.name)}: {value_text(last)}",
    ]


def check_members(members: Sequence[Any], classes: Sequence[Value]) -> None:
    """Raise an `InputError` unless all classes of the members are among these."""
    if not all({*getattr(member, "classes", ())} <= {*classes} for member in members):
        raise InputError(
            "a member of the ensemble has a class that the ensemble does not have; learn it again"
        )


def _places(own: tuple[Value, ...], classes: tuple[Value, ...]) -> Codes:
    return np.array([classes.index(value) for value in own], np.int64)


def _readable(member: Any, given: Given, schema: Schema) -> Any:
    """Return the rows in the form that a member takes: encoded as in its training, or as given."""
    if isinstance(member, Hypothesis) and member.takes_tables and cast(Any, member).schema == schema:
        return given.table
    return decoded(given.raw) if isinstance(given.raw, Table) else given.raw
