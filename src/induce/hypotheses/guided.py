"""A classifier that obeys laws, and may use the concepts of expert rules as columns."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.values import Value
from induce.data.frames import Floats
from induce.data.schema import Column, Schema
from induce.data.table import Table
from induce.hypotheses.boxes import Boxes
from induce.hypotheses.conditions import simplified
from induce.hypotheses.expert_rules.classes import letters
from induce.hypotheses.expert_rules.marks import is_prolog
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.hypotheses.exporting import OnnxForm, PythonForm, SqlForm
from induce.hypotheses.kinds.classifier import Places, ProbabilisticClassifier
from induce.hypotheses.kinds.predictor import Predictor
from induce.hypotheses.knowledge import Knowledge
from induce.hypotheses.naming import plural, value_text
from induce.hypotheses.rules import Rule

if TYPE_CHECKING:
    from induce.hypotheses.expressions.nodes import Expression

TRUTHS = ("no", "yes")


@dataclass(frozen=True)
class LawReason:
    """A prediction decided by a law, with the prediction of the model alone.

    Parameters
    ----------
    prediction : str, int, float or bool
    law : Rule
    otherwise : str, int, float or bool
    """

    prediction: Value
    law: Rule
    otherwise: Value

    def __str__(self) -> str:
        told = f"{value_text(self.prediction)} by law: IF {self.law.premise()} THEN {value_text(self.prediction)}"
        if self.otherwise == self.prediction:
            return f"{told} (the model alone agrees)"
        return f"{told} (corrected: the model alone says {value_text(self.otherwise)})"


@dataclass(frozen=True, eq=False)
class GuidedModel(SqlForm, PythonForm, OnnxForm, ProbabilisticClassifier):
    """A model whose predictions obey laws, and which may use the concepts of expert rules as additional columns.

    If a law holds, its class is predicted with probability 1, whatever the model predicts, so that no row violates
    it.

    Parameters
    ----------
    schema : Schema
        Schema of the input columns.
    target : str
        Name of the target.
    classes : tuple
        Classes, in declared order.
    model : Classifier
        Underlying model; its schema includes the concepts as columns.
    laws : tuple of Rule
        Laws; no row satisfies two of them that conclude different classes.
    theory : tuple of ExpertRules
        At most one theory, whose concepts the model uses.
    concepts : tuple of (str, str)
        Concepts and the names of their columns.
    """

    schema: Schema
    target: str
    classes: tuple[Value, ...]
    model: Any
    laws: tuple[Rule, ...] = ()
    theory: tuple[ExpertRules, ...] = ()
    concepts: tuple[tuple[str, str], ...] = ()

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        if hasattr(self.model, "check"):
            self.model.check()
        if tuple(self.model.classes) != tuple(self.classes):
            raise InputError("the model does not predict the classes")
        check_laws(self.laws, self.schema, self.classes)

    def inner(self, table: Table) -> Any:
        """Return rows in the form that the model expects: encoded, or as a frame if it encodes rows itself."""
        if self.concepts:
            table = with_concepts(table, self.theory[0], self.concepts)
        if type(self.model).encoded is Predictor.encoded:
            return table
        from induce.data.decoded_rows import decoded

        return decoded(table)

    def governed(self, table: Table) -> NDArray[np.intp]:
        """Return, for each row, the index of the law that decides it, or -1."""
        found = np.full(len(table), -1, np.intp)
        for number in reversed(range(len(self.laws))):
            found[self.laws[number].covers(table)] = number
        return found

    def _by_law(self, table: Table, places: Places) -> Places:
        law = self.governed(table)
        heads = np.array([self.classes.index(rule.prediction) for rule in self.laws] or [0], np.intp)
        return np.where(law >= 0, heads[law], places)

    def places(self, X: Any) -> Places:
        """Return the index in `classes` of the predicted class of each row."""
        table = self.encoded(X)
        return self._by_law(table, self.model.places(self.inner(table)))

    def _scores(self, table: Table) -> Floats:
        inner = self.inner(table)
        shares = np.array(self.model.predict_proba(inner))
        ruled = self.governed(table) >= 0
        places = self._by_law(table, self.model.places(inner))
        shares[ruled] = np.eye(len(self.classes))[places[ruled]]
        return shares

    def explain(self, X: Any, *, nearest: bool = False) -> tuple[Any, ...]:
        """Return, for each row, the deciding law or the model's explanation; `nearest` is passed to the model."""
        table = self.encoded(X)
        inner = self.inner(table)
        law, places = self.governed(table), self.model.places(inner)
        told = list(self.model.explain(inner, nearest=True) if nearest else self.model.explain(inner))
        for row in np.flatnonzero(law >= 0):
            rule = self.laws[law[row]]
            told[row] = LawReason(rule.prediction, rule, self.classes[places[row]])
        return tuple(told)

    def size(self) -> str:
        """Return the number of laws and the size of the model."""
        return (
            f"{plural(len(self.laws), 'law')}; {self.model.size()}" if self.laws else str(self.model.size())
        )

    def parts(self) -> Parts:
        """Return the number of readable items in the model, the laws, and the rules of the concepts."""
        inner = self.model.parts()
        if inner.number is None:
            return Parts(None, inner.of)
        more = sum(len(law.conditions) + 1 for law in self.laws)
        more += sum(len(rule.body) + 1 for theory in self.theory for rule in theory.clauses)
        return Parts(inner.number + more, inner.of)

    def __str__(self) -> str:
        lines = [f"LAW IF {law.premise()} THEN {value_text(law.prediction)}" for law in self.laws]
        lines += [str(theory) for theory in self.theory]
        return "\n".join([*lines, str(self.model)])

    def draw(self) -> Any:
        """Draw the model."""
        return self.model.draw()

    def _lacking(self) -> dict[str, str]:
        lacking = super()._lacking()
        own = self.model.forms() if hasattr(self.model, "expression") else {}
        for form in ("sql", "python", "onnx"):
            if form not in own:
                lacking[form] = f"cannot export a {type(self.model).__name__} with knowledge to {form}"
        return lacking

    def expression(self) -> Expression:
        """Return the expression: the first law that holds, else the model's expression."""
        from induce.hypotheses.expert_rules.exports import concept_test
        from induce.hypotheses.expressions.nodes import Case, Constant
        from induce.hypotheses.expressions.shapes import all_of, condition_test

        inner = self.model.expression()
        if self.concepts:
            tests = {name: concept_test(self.theory[0], concept) for concept, name in self.concepts}
            inner = _derived(inner, tests)
        branches = tuple(
            (
                all_of([condition_test(each, self.schema[each.attribute]) for each in law.conditions]),
                Constant(law.prediction),
            )
            for law in self.laws
        )
        return Case(branches, inner) if branches else inner


def with_concepts(table: Table, theory: ExpertRules, concepts: tuple[tuple[str, str], ...]) -> Table:
    """Return a table with a nominal yes/no column for each concept."""
    truths = theory.truths(table)
    codes = [truths[concept].astype(table.nominal.dtype) for concept, _ in concepts]
    columns = tuple(Column(name, "nominal", TRUTHS) for _, name in concepts)
    nominal = (
        np.column_stack([table.nominal, *codes])
        if len(table)
        else np.empty((0, table.nominal.shape[1] + len(codes)), table.nominal.dtype)
    )
    return Table(Schema((*table.schema, *columns)), table.numeric, nominal)


def check_laws(laws: tuple[Rule, ...], schema: Schema, classes: tuple[Value, ...]) -> None:
    """Raise an `InputError` for a law that never holds, and for two laws that contradict each other."""
    for law in laws:
        if law.prediction not in classes:
            known = ", ".join(value_text(value) for value in classes)
            raise InputError(
                f"the law IF {law.premise()} concludes {law.prediction!r}; the classes are {known}"
            )
        if not law.conditions:
            raise InputError(
                f"the law IF TRUE THEN {law.prediction} leaves nothing to learn; give it a condition"
            )
    boxes = Boxes.of(laws, schema)
    for law, possible in zip(laws, boxes.satisfiable(), strict=True):
        if not possible:
            raise InputError(f"the law IF {law.premise()} never holds: its conditions exclude each other")
    for one, other in np.argwhere(np.triu(boxes.overlap(), 1)):
        if laws[one].prediction != laws[other].prediction:
            raise InputError(
                f"two laws contradict each other where both hold: IF {laws[one].premise()} THEN "
                f"{laws[one].prediction}, and IF {laws[other].premise()} THEN {laws[other].prediction}"
            )


def read_laws(known: Knowledge, schema: Schema, classes: tuple[Value, ...]) -> tuple[Rule, ...]:
    """Return the laws of background knowledge, checked for consistency."""
    laws = tuple(rule for law in known.laws for rule in _read_law(law, known, schema, classes))
    check_laws(laws, schema, classes)
    return tuple(replace(law, counts=(0.0,) * len(classes)) for law in laws)


def _read_law(law: str, known: Knowledge, schema: Schema, classes: tuple[Value, ...]) -> list[Rule]:
    """Parse a law: IF … THEN class, or a clause of Prolog; it may use concepts of the rules, and n of m."""
    from induce.hypotheses.parsing import parse_rule

    problem: InputError | None = None
    if not is_prolog(law):
        try:
            return [parse_rule(law, schema, classes)]
        except InputError as error:
            problem = error
    beside = known.rules if known.rules and is_prolog(known.rules) == is_prolog(law) else ""
    try:
        theory = ExpertRules(schema, f"{law}\n{beside}", columns=known.columns)
    except InputError as error:
        raise problem or error from None
    head = theory.clauses[0].head
    named = [value for value in classes if letters(str(value)) == letters(head) or str(value) == head]
    if not named:
        said = ", ".join(value_text(value) for value in classes)
        raise problem or InputError(f"the law {law!r} concludes {head!r}; the classes are {said}")
    found = []
    for way in theory.ways_of(theory.clauses[0]):
        conditions = [one.of for one in way if not isinstance(one.of, str) and not one.negated]
        if len(conditions) < len(way):
            raise InputError(
                f"the law {law!r} contains a negation, which laws do not support; give the opposite value"
            )
        found.append(Rule(simplified(tuple(conditions)), named[0], ()))
    return found


def _derived(node: Any, tests: dict[str, Expression]) -> Any:
    """Replace the columns of concepts by the conditions that they are computed from."""
    from induce.hypotheses.expressions.nodes import Case, Cell, Constant, Derived

    if type(node) is Cell and node.column.name in tests:
        said = (1.0, 0.0) if node.column.kind == "nominal" else ("yes", "no")  # text for learners of texts
        place = Case(((tests[node.column.name], Constant(said[0])),), Constant(said[1]))
        return Derived(node.column, place, ())
    if isinstance(node, tuple):
        return tuple(_derived(each, tests) for each in node)
    if is_dataclass(node) and not isinstance(node, Column | type):
        changed = {each.name: _derived(getattr(node, each.name), tests) for each in fields(node)}
        return replace(node, **changed)
    return node
