"""Prior knowledge in one class: rules, laws, conditions of rules, and arcs of networks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.data.names import unknown
from induce.data.schema import Schema
from induce.hypotheses.expert_rules.marks import COMMENT, is_prolog, marked, pieces, trust_of, unmarked
from induce.hypotheses.expert_rules.marks import LAW as LAW_MARK
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.naming import value_text
from induce.logic.domain_theory import DomainTheory

LAW = re.compile(r"^\s*LAW\b:?\s*(.+)", re.I | re.S)
COLUMN = re.compile(r"\s*[%#]\s*column\s+(.+?\))\s*:\s*(.+)", re.I)
ARC_PARTS = ("order", "tiers", "required", "forbidden", "max_parents", "conditionals")
"""Parts for belief networks."""
CONDITIONALS = ("table", "noisy-or", "logistic", "tree")


@dataclass(frozen=True)
class Knowledge:
    """Prior knowledge: rules, laws, conditions of rules, and arcs of networks.

    Every learner uses the parts that it supports, and rejects the others. Rules are defaults that data may
    change; laws hold for every prediction. Nodes of a network that are not mentioned are unconstrained.

    Parameters
    ----------
    rules : str, sequence or dict, DomainTheory, ExpertRules, or a hypothesis or learner with rules
        Rules of thumb, in the syntax of `ExpertRules`: ``IF … THEN …``, ``IF 2 OF (…) THEN …``, or Prolog. A mark may
        follow each: its trust, ``IF … THEN … [0.8]``, or ``[law]``; in Prolog ``% [0.8]``. A dict gives each rule its
        trust, or ``"law"``.
    concept : str
        Concept of the positive of two classes; not needed if rules conclude classes by name.
    columns : dict
        Patterns for literals of several arguments, such as ``{"base(P, B)": "p{P} = {B}"}``.
    trust : float
        Trust in all rules of thumb, from 0 to 1; it is multiplied by the trust of each rule.
    laws : str or sequence of str
        Rules ``IF … THEN class`` that no prediction may violate, even for unseen rows; rules marked ``[law]`` are
        added to them.
    require : sequence of conditions
        Conditions that every learned rule must contain.
    forbid : sequence of columns and conditions
        Columns and conditions that no learned rule may contain.
    monotone : dict
        Columns with a monotone effect: larger values never favour an earlier class (``"increasing"``) or a later one.
    order : sequence of str
        Order of nodes: the parents of a node precede it.
    tiers : sequence of sequences of str
        Tiers of nodes; the parents of a node must be in the same or an earlier tier.
    required : sequence of (str, str)
        Arcs that the network must contain, as pairs of parent and child.
    forbidden : sequence of (str, str)
        Arcs that the network must not contain.
    max_parents : int, optional
        Maximum number of parents of a node.
    conditionals : dict
        Kind of conditional distribution of nominal nodes: ``"table"`` (the default), ``"noisy-or"``,
        ``"logistic"`` or ``"tree"``, whose number of parameters does not grow with that of the joint states of the
        parents (AIMA 20.2).

    Examples
    --------
    >>> known = Knowledge(order=["Storm", "Lightning"], forbidden=[("Storm", "Thunder")], max_parents=2)
    >>> print(known)
    order: Storm, Lightning
    forbidden: Storm → Thunder
    at most 2 parents
    >>> print(Knowledge(rules={"IF age > 60 THEN ill": 0.7, "IF dose > 9 THEN ill": "law"}))
    IF age > 60 THEN ill [0.7]
    law: IF dose > 9 THEN ill
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
        rules, laws, tied = told_apart(self.rules)
        put(self, "rules", rules)
        put(self, "columns", self.columns or tied)
        lines = self.laws.splitlines() if isinstance(self.laws, str) else _listed("laws", self.laws)
        told = [LAW.sub(r"\1", unmarked(str(line).strip())[0]) for line in lines if str(line).strip()]
        put(self, "laws", (*told, *laws))
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
        """Return the knowledge given as a `knowledge` parameter: rules, a dict of parts, or a `Knowledge`."""
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
        """Return the names of the given parts."""
        nothing = {each.name: each.default for each in fields(self)}
        said = {name: getattr(self, name) for name in nothing}
        about_rules = ("concept", "columns")
        return tuple(
            name
            for name, value in said.items()
            if name not in about_rules
            and (value if name != "trust" else self.weighs) not in (None, "", (), {}, False)
        )

    @property
    def weighs(self) -> bool:
        """Whether some rule has less than full trust."""
        marks = [trust_of(mark, rule) for rule, mark in pieces(self.rules)]
        return self.trust < 1.0 or any(trust < 1.0 for trust in marks)

    def theory(self, schema: Schema, concept: str = "", columns: Any = None) -> ExpertRules:
        """Return the rules of thumb, mapped to the columns of a table."""
        return ExpertRules(schema, self.rules, concept or self.concept, columns or self.columns)

    def without(self, parts: Iterable[str]) -> Knowledge:
        """Return the knowledge without some of its parts.

        Examples
        --------
        >>> print(Knowledge(rules="IF a = 1 THEN b", order=["b", "a"]).without(["rules"]))
        order: b, a
        """
        left = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in set(parts)}
        return Knowledge(**left)

    def only(self, learner: str, usable: Iterable[str]) -> Knowledge:
        """Return the knowledge; raise an `InputError` that names a part if the learner does not support it."""
        known = tuple(usable)
        for part in self.parts():
            if part not in known:
                raise InputError(f"{learner} cannot use the part {part!r} of knowledge; {_who(part)}")
        return self


def rules_text(given: Any, known: Any = None) -> str:
    """Return rules as text: from a text, a theory, or a hypothesis or fitted learner with rules."""
    if given is None or isinstance(given, str):
        return given or ""
    if isinstance(given, Mapping):
        told = [(str(rule), mark) for rule, mark in given.items()]
        return "\n".join(
            f"{rule} {'% ' if is_prolog(rule) else ''}[law]"
            if mark == LAW_MARK
            else marked(rule, trust_of(mark, rule))
            for rule, mark in told
        )
    if isinstance(given, list | tuple) and all(isinstance(rule, str) for rule in given):
        return "\n".join(given)
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

    A rule that begins with ``LAW`` or ends with ``[law]`` is a law; ``[0.8]`` is the trust of a rule; ``%
    column base(P, B): p{P} = {B}`` maps literals to columns.

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
    known = Knowledge(rules=text)
    if not known.rules and not known.laws:
        raise InputError(f"{str(file)!r} has no rules; write rules IF … THEN …, or Prolog clauses")
    return known


def told_apart(text: str) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the rules of thumb of a text, its laws, and the patterns that map literals to columns.

    Examples
    --------
    >>> told_apart("IF a THEN b [0.8]\\nIF c THEN d [law]\\nLAW IF e THEN f")
    ('IF a THEN b [0.8]', ('IF c THEN d', 'IF e THEN f'), ())
    >>> told_apart("% column base(P, B): p{P} = {B}\\ngood :- base(1, a).")[2]
    (('base(P, B)', 'p{P} = {B}'),)
    """
    own = list(pieces(text))
    patterns = [found for rule, _ in own if (found := COLUMN.match(rule))]
    laws = tuple(LAW.sub(r"\1", rule).strip() for rule, mark in own if mark == LAW_MARK or LAW.match(rule))
    if laws:
        kept = [(rule, mark) for rule, mark in own if mark != LAW_MARK and not LAW.match(rule)]
        text = "\n".join(marked(rule, trust_of(mark, rule)) for rule, mark in kept)
        own = kept
    if not any(rule.strip() and not rule.lstrip().startswith(COMMENT) for rule, _ in own):
        text = ""
    return text, laws, tuple((found[1].strip(), found[2].strip()) for found in patterns)


def _who(part: str) -> str:
    if part in ("require", "forbid", "monotone"):
        return "RuleLearner and RIPPER can"
    if part in ("rules", "laws"):
        return "GuidedClassifier can, with any learner of classes"
    return "KBANN, EBNN and TheoryRevision can" if part == "trust" else "learners of belief networks can"


def _listed(what: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{what} is {values!r}; give a list")
    return tuple(values)


def _names(what: str, values: Any) -> tuple[str, ...]:
    names = _listed(what, values)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{what} contains {name!r}; give the names of nodes")
    if len(set(names)) < len(names):
        raise InputError(f"{what} names {next(name for name in names if names.count(name) > 1)!r} twice")
    return names


def _arcs(what: str, values: Any) -> tuple[tuple[str, str], ...]:
    arcs = []
    for arc in _listed(what, values):
        pair = tuple(arc) if isinstance(arc, list | tuple) else ()
        if len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            raise InputError(f"{what} contains {arc!r}; give arcs as (parent, child)")
        arcs.append((pair[0], pair[1]))
    return tuple(arcs)
