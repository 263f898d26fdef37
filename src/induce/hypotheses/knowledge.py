"""What is known before data are seen, in one class: rules, laws, conditions of rules, and arcs of networks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.data.names import unknown
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.naming import value_text
from induce.logic.domain_theory import DomainTheory

LAW = re.compile(r"\s*LAW\b:?\s*(.+)", re.I)
COLUMN = re.compile(r"\s*[%#]\s*column\s+(.+?\))\s*:\s*(.+)", re.I)
CONDITIONALS = ("table", "noisy-or", "logistic")


@dataclass(frozen=True)
class Knowledge:
    """What is known before data are seen: rules, laws, conditions of rules, and arcs of networks.

    Every learner uses the parts that it can, and refuses the others. Rules are rules of thumb, which data may change;
    laws hold of every prediction. Nodes of a network that are not named are free.

    Parameters
    ----------
    rules : str, DomainTheory, ExpertRules, or a hypothesis or learner with rules
        Rules of thumb, as `ExpertRules` reads them: ``IF … THEN …``, ``IF 2 OF (…) THEN …``, or Prolog.
    concept : str
        The concept that means the positive of two classes; not needed where rules conclude classes by name.
    columns : dict
        Patterns for literals of several arguments, such as ``{"base(P, B)": "p{P} = {B}"}``.
    trust : float
        Trust in the rules of thumb, from 0 to 1.
    laws : str or sequence of str
        Rules ``IF … THEN class`` over columns that no prediction may break, also of rows never seen.
    require : sequence of conditions
        Conditions that every learned rule must have.
    forbid : sequence of columns and conditions
        Columns and conditions that no learned rule may have.
    monotone : dict
        Columns of which more never speaks for an earlier class (``"increasing"``) or a later one.
    order : sequence of str
        A node has parents only among those before it.
    tiers : sequence of sequences of str
        A node has parents only in its own tier and those before it.
    required : sequence of (str, str)
        Arcs that the network has, each as parent and child.
    forbidden : sequence of (str, str)
        Arcs that it does not have.
    max_parents : int, optional
        The most parents of a node.
    conditionals : dict
        From nominal nodes to the kind of their conditionals: ``"table"`` (otherwise taken), ``"noisy-or"`` or
        ``"logistic"``, whose parameters grow with the number of parents, not of their states (AIMA 20.2).

    Examples
    --------
    >>> known = Knowledge(order=["Storm", "Lightning"], forbidden=[("Storm", "Thunder")], max_parents=2)
    >>> print(known)
    order: Storm, Lightning
    forbidden: Storm → Thunder
    at most 2 parents
    """

    rules: Any = ""
    concept: str = ""
    columns: Any = ()
    trust: float = 1.0
    laws: Any = ()
    require: tuple[Any, ...] = ()
    forbid: tuple[Any, ...] = ()
    monotone: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()
    required: tuple[tuple[str, str], ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    max_parents: int | None = None
    conditionals: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "rules", rules_text(self.rules, self))
        pairs = self.columns.items() if isinstance(self.columns, Mapping) else self.columns
        put(self, "columns", tuple((str(one), str(other)) for one, other in pairs))
        lines = self.laws.splitlines() if isinstance(self.laws, str) else _listed("laws", self.laws)
        put(self, "laws", tuple(str(line).strip() for line in lines if str(line).strip()))
        put(self, "require", _listed("require", self.require))
        put(self, "forbid", _listed("forbid", self.forbid))
        at_least("trust", self.trust, 0)
        if self.trust > 1:
            raise InputError(f"trust is {self.trust!r}; it must be a number from 0 to 1")
        if not isinstance(self.monotone, Mapping):
            raise InputError(f"monotone is {self.monotone!r}; give a dict from columns to directions")
        put(self, "order", _names("order", self.order))
        put(self, "tiers", tuple(_names("tiers", tier) for tier in _listed("tiers", self.tiers)))
        put(self, "required", _arcs("required", self.required))
        put(self, "forbidden", _arcs("forbidden", self.forbidden))
        if self.max_parents is not None:
            at_least("max_parents", self.max_parents, 0, whole=True)
        if not isinstance(self.conditionals, Mapping):
            raise InputError(
                f"conditionals is {self.conditionals!r}; give a dict from nodes to kinds of conditional"
            )
        for node, kind in self.conditionals.items():
            if kind not in CONDITIONALS:
                raise InputError(
                    f"the conditional of {node!r} is {kind!r}; it can be {', '.join(map(repr, CONDITIONALS))}"
                )

    def __hash__(self) -> int:
        return hash(
            (self.rules, self.laws, self.order, self.tiers, self.required, self.forbidden, self.max_parents)
        )

    @classmethod
    def of(cls, value: Any) -> Knowledge:
        """Return the knowledge that a `knowledge` parameter stands for: rules, a dict of its parts, or itself."""
        if value is None:
            return cls()
        if isinstance(value, Knowledge):
            return value
        if not isinstance(value, Mapping):
            return cls(rules=value)
        parts = [each.name for each in fields(cls)]
        for name in value:
            if name not in parts:
                raise unknown("part of knowledge", str(name), parts)
        return cls(**value)

    def __str__(self) -> str:
        lines = self.rules.splitlines() if self.rules else []
        if self.rules and self.trust < 1.0:
            lines.append(f"trust in the rules: {self.trust:g}")
        lines += [f"law: {law}" for law in self.laws]
        for word, items in (("require", self.require), ("forbid", self.forbid)):
            if items:
                lines.append(f"{word}: {', '.join(map(str, items))}")
        lines += [f"{value_text(column)}: {direction}" for column, direction in self.monotone.items()]
        if self.order:
            lines.append(f"order: {', '.join(map(value_text, self.order))}")
        if self.tiers:
            lines.append("tiers: " + " | ".join(", ".join(map(value_text, tier)) for tier in self.tiers))
        for word, arcs in (("required", self.required), ("forbidden", self.forbidden)):
            if arcs:
                lines.append(f"{word}: " + ", ".join(" → ".join(map(value_text, arc)) for arc in arcs))
        if self.max_parents is not None:
            lines.append(f"at most {self.max_parents} parents")
        lines += [f"{value_text(node)}: {kind}" for node, kind in self.conditionals.items()]
        return "\n".join(lines) if lines else "nothing is known"

    def parts(self) -> tuple[str, ...]:
        """Return the names of the parts that say something."""
        nothing = {each.name: each.default for each in fields(self)}
        said = {name: getattr(self, name) for name in nothing}
        about_rules = ("concept", "columns")
        return tuple(
            name
            for name, value in said.items()
            if name not in about_rules
            and (value if name != "trust" else value < 1.0) not in (None, "", (), {}, False)
        )

    def only(self, learner: str, usable: Iterable[str]) -> Knowledge:
        """Raise an `InputError` that names a part which a learner cannot use; return the knowledge otherwise."""
        known = tuple(usable)
        for part in self.parts():
            if part not in known:
                raise InputError(f"{learner} cannot use the part {part!r} of knowledge; {_who(part)}")
        return self


def rules_text(given: Any, known: Any = None) -> str:
    """Return rules as text: of a text itself, of a theory, or of a hypothesis or fitted learner with rules."""
    if given is None or isinstance(given, str):
        return given or ""
    if isinstance(given, ExpertRules):
        if known is not None:
            object.__setattr__(known, "columns", known.columns or given.columns)
            object.__setattr__(known, "concept", known.concept or given.target)
        return given.text
    if isinstance(given, DomainTheory):
        if known is not None:
            object.__setattr__(known, "concept", known.concept or given.target.partition("/")[0])
        return given.prolog
    hypothesis = getattr(given, "hypothesis_", given)
    if hasattr(hypothesis, "theory") and isinstance(hypothesis.theory, ExpertRules):
        return rules_text(hypothesis.theory, known)
    if hasattr(hypothesis, "to_rules"):
        rules = hypothesis.to_rules().rules
        return "\n".join(f"IF {rule.premise()} THEN {value_text(rule.prediction)}" for rule in rules)
    raise InputError(
        f"knowledge is a {type(given).__name__}; give rules as text, a DomainTheory or ExpertRules, a hypothesis "
        "with rules, a Knowledge, or a dict of its parts"
    )


def read_knowledge(path: str | Path) -> Knowledge:
    """Read rules from a file: rules IF … THEN … or Prolog, as rules of thumb.

    A line ``LAW IF … THEN class`` is a law; ``% column base(P, B): p{P} = {B}`` ties literals to columns.

    Parameters
    ----------
    path : str or Path
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no file {str(file)!r}") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"cannot read the rules of {str(file)!r}: {problem}") from None
    laws, columns, rules = [], {}, []
    for line in text.splitlines():
        pattern = COLUMN.match(line)
        law = LAW.match(line)
        if pattern:
            columns[pattern[1].strip()] = pattern[2].strip()
        elif law:
            laws.append(law[1])
        else:
            rules.append(line)
    left = [line for line in rules if line.strip() and not line.lstrip().startswith(("%", "#"))]
    if not left and not laws:
        raise InputError(f"{str(file)!r} has no rules; write rules IF … THEN …, or Prolog clauses")
    return Knowledge(rules="\n".join(rules) if left else "", laws=laws, columns=columns)


def _who(part: str) -> str:
    if part in ("require", "forbid", "monotone"):
        return "RuleLearner and RIPPER can"
    if part in ("rules", "laws"):
        return "GuidedClassifier can, with any learner of classes"
    return "KBANN can" if part == "trust" else "learners of belief networks can"


def _listed(what: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{what} is {values!r}; give a list")
    return tuple(values)


def _names(what: str, values: Any) -> tuple[str, ...]:
    names = _listed(what, values)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{what} holds {name!r}; give the names of nodes")
    if len(set(names)) < len(names):
        raise InputError(f"{what} names {next(name for name in names if names.count(name) > 1)!r} twice")
    return names


def _arcs(what: str, values: Any) -> tuple[tuple[str, str], ...]:
    arcs = []
    for arc in _listed(what, values):
        pair = tuple(arc) if isinstance(arc, list | tuple) else ()
        if len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            raise InputError(f"{what} holds {arc!r}; give arcs as (parent, child)")
        arcs.append((pair[0], pair[1]))
    return tuple(arcs)
