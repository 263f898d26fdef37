"""Default modes of clauses if none are declared."""

from __future__ import annotations

import numpy as np

from induce.logic.background.kinds import ANY
from induce.logic.background.modes import MOST_CONSTANTS, Mode
from induce.logic.clauses import Predicate
from induce.logic.coverage.examples import Examples
from induce.logic.facts import Codes, Facts

MOST_NUMBERS = 4
"""Maximum number of distinct values of a numeric attribute that may be constants in clauses."""


def head_mode(examples: Examples) -> Mode:
    """Return the mode of the target: the declared one, or one in which every argument is an input.

    A column without background facts gets a type of its own.
    """
    for mode in examples.relations.modes:
        if mode.head and mode.predicate == examples.target:
            return mode
    told = {kind for mode in examples.relations.modes if not mode.head for kind in mode.types}
    kinds = []
    for kind, name in zip(examples.types, examples.columns, strict=True):
        if told:  # a column whose type has no mode may still hold objects of a type with a mode
            kinds.append(kind if kind in told else ANY)
        else:
            kinds.append(f"{examples.target[0]}.{name}" if kind == ANY else kind)
    return Mode(examples.target[0], tuple("+" + kind for kind in kinds), head=True)


def modes_of(examples: Examples, recursion: bool = False) -> tuple[Mode, tuple[Mode, ...]]:
    """Return the mode of the head and those of the body: the declared ones, or what `default_modes` derives."""
    head = head_mode(examples)
    declared = tuple(mode for mode in examples.relations.modes if not mode.head)
    told = any(mode.head and mode.predicate == examples.target for mode in examples.relations.modes)
    body = declared if told else default_modes(examples)
    if recursion and not any(mode.predicate == examples.target for mode in body):
        body += (Mode(head.name, tuple("+" + kind for kind in head.types)),)
    return head, body


def default_modes(examples: Examples) -> tuple[Mode, ...]:
    """Derive modes from the relations and their argument types.

    A relation between objects is reached from each of its arguments: ``parent(+person, -person)`` and
    ``parent(-person, +person)``. An argument that occurs only as a property of other objects is a constant if
    it has few values (``shape(+car, #shape)``). A number is compared with thresholds. Objects of the same
    type may be compared for equality.

    Parameters
    ----------
    examples : Examples

    Returns
    -------
    tuple of Mode

    Examples
    --------
    >>> from induce.logic.background.relations import Relations
    >>> import numpy as np
    >>> family = Relations(program="parent(ann, bea). parent(bea, cal). eyes(ann, blue). eyes(bea, brown).")
    >>> rows = np.array([[family.symbols.find(term) for term in family.symbols.terms[:2]]])
    >>> kinds = family.kinds.types["parent", 2]
    >>> print(*default_modes(Examples(("mother", 2), ("x", "y"), kinds, rows, rows[:, 0] >= 0, family)), sep="\\n")
    parent(+parent_1, -parent_1)
    parent(-parent_1, +parent_1)
    eyes(+parent_1, #eyes_2)
    \\=(+parent_1, +parent_1)
    """
    relations = examples.relations
    own = tuple(mode for mode in relations.modes if not mode.head)
    values, properties = _values(examples)
    modes = [*own]
    for predicate in () if own else relations.predicates():
        if predicate != examples.target:
            kinds = relations.kinds.types.get(predicate, (ANY,) * predicate[1])
            modes += _ways(predicate, kinds, values, properties, examples)
    head = head_mode(examples).types
    met = dict.fromkeys([*head, *(kind for mode in modes for kind in mode.types)])
    numeric = {kind for kind in met if _numeric(values.get(kind), examples)}
    for kind in met:
        few = len(values.get(kind, ())) <= MOST_CONSTANTS
        if kind in properties and kind in head and kind not in numeric and few:
            modes.append(Mode("=", ("+" + kind, "#" + kind)))
        if kind in numeric and kind in properties:
            modes += [Mode("=<", ("+" + kind, "#" + kind)), Mode(">", ("+" + kind, "#" + kind))]
    things = [kind for kind in met if kind not in properties and kind != ANY]
    modes += [Mode("\\=", ("+" + kind, "+" + kind)) for kind in things if kind not in numeric]
    return tuple(modes)


def _values(examples: Examples) -> tuple[dict[str, Codes], set[str]]:
    """Return the values of each type, and the types whose values are only properties of objects of other types."""
    relations = examples.relations
    parts: dict[str, list[Codes]] = {}
    keys: set[str] = set()
    for predicate in relations.predicates():
        kinds = relations.kinds.types.get(predicate, (ANY,) * predicate[1])
        keys.update(kinds[:1])
        relation = relations.relation(predicate)
        if isinstance(relation, Facts):
            for kind, column in zip(kinds, relation.rows.T, strict=True):
                parts.setdefault(kind, []).append(column)
    keys |= parts.keys() & set(head_mode(examples).types)
    for kind, column in zip(head_mode(examples).types, examples.rows.T, strict=True):
        parts.setdefault(kind, []).append(column[column >= 0])
    values = {kind: np.unique(np.concatenate(columns)) for kind, columns in parts.items()}
    return values, {kind for kind in values if kind not in keys and kind != ANY}


def _numeric(values: Codes | None, examples: Examples) -> bool:
    if values is None or not len(values):
        return False
    return not np.isnan(examples.relations.symbols.numbers[values]).any()


def _ways(
    predicate: Predicate,
    kinds: tuple[str, ...],
    values: dict[str, Codes],
    properties: set[str],
    examples: Examples,
) -> list[Mode]:
    """Return the modes that reach a relation from each of its objects."""
    name, arity = predicate
    constant = []
    for kind in kinds:
        most = MOST_NUMBERS if _numeric(values.get(kind), examples) else MOST_CONSTANTS
        constant.append(kind in properties and len(values.get(kind, ())) <= most)
    things = [place for place, kind in enumerate(kinds) if kind not in properties]
    found = []
    for start in things or range(arity):
        signs = ["#" if fixed else "-" for fixed in constant]
        signs[start] = "+"
        found.append(Mode(name, tuple(map(str.__add__, signs, kinds))))
    return found
