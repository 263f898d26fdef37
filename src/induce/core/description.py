"""A learner described for people: its parameters, its hypothesis, an example."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from induce.core.declarations import Learner
from induce.core.parameters import Parameter

LONGEST = 24
SHARED = ("schema", "class_weight", "n_jobs", "random_state")
"""Parameters common to most learners, which do not characterise any of them."""
MOST_USUAL = 6


@dataclass(frozen=True)
class Described:
    """A parameter as shown to a reader.

    Parameters
    ----------
    name, default, values, help : str
    form : dict
        Specification of an input form: kind, choices, range, and whether it may be None.
    rare : bool
        Whether it is rarely set: it is common to all learners, it cannot be typed in, or many others precede
        it.
    """

    name: str
    default: str
    values: str
    help: str
    form: Mapping[str, Any] = field(default_factory=dict)
    rare: bool = False


def described_parameters(learner: type) -> tuple[Described, ...]:
    """Return the declarations of a learner's parameters, in order.

    Examples
    --------
    >>> import induce
    >>> described_parameters(induce.DecisionStump)[0].values  # doctest: +ELLIPSIS
    "'gain', 'gain_ratio', ... also 'entropy', 'log_loss'"
    """
    declared: Any = learner
    defaults = inspect.signature(learner).parameters
    found: list[Described] = []
    usual = 0
    for name, told in declared.declared_parameters().items():
        form = told.kind.form() | {"none": told.none}
        rare = name in SHARED or form["kind"] in ("other", "list") or usual >= MOST_USUAL
        usual += not rare
        default = shown_default(defaults[name].default)
        found.append(Described(name, default, _values(told), told.help, form, rare))
    return tuple(found)


def shown_default(value: Any) -> str:
    """Return a default in command-line notation.

    Examples
    --------
    >>> shown_default(None), shown_default(1 / 3), shown_default("gini"), shown_default(True)
    ('none', '0.333', 'gini', 'true')
    """
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.3g}"
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def example_of(learner: type) -> str:
    """Return the example in a learner's documentation.

    Examples
    --------
    >>> import induce
    >>> example_of(induce.ID3).splitlines()[0]
    '>>> import induce'
    """
    text = inspect.getdoc(learner) or ""
    return text.partition("Examples\n--------\n")[2].strip("\n")


def exports_of(entry: Learner) -> tuple[str, ...]:
    """Return the export forms of a learner's hypothesis.

    Examples
    --------
    >>> from induce.core.declarations import learners
    >>> exports_of(next(entry for entry in learners() if entry.name == "C45"))[:4]
    ('text', 'rules', 'tree', 'statistics')
    """
    from induce.core.forms import FORMS
    from induce.core.registry import VALUES, resolve

    gives = resolve(entry.gives, VALUES)
    return tuple(name for name, form in FORMS.items() if gives._implements(form))


def _values(told: Parameter) -> str:
    also = f"; also {', '.join(map(repr, told.also))}" if told.also else ""
    return told.values() + also


def parameter_page() -> str:
    """Return the documentation page with a table of parameters for every learner.

    Examples
    --------
    >>> parameter_page().splitlines()[0]
    '# Parameters of the learners'
    """
    import induce
    from induce.core.declarations import learners

    lines = [
        "# Parameters of the learners",
        "",
        "`make stubs` writes this page from the learners' declarations; `induce learners NAME` prints the same.",
    ]
    for entry in learners():
        lines += ["", f"## {entry.name}", "", f"{entry.summary[0].upper()}{entry.summary[1:]}.", ""]
        lines += ["| parameter | default | values | |", "|---|---|---|---|"]
        for each in described_parameters(getattr(induce, entry.name)):
            cells = (f"`{each.name}`", f"`{each.default}`", each.values, each.help)
            lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines) + "\n"
