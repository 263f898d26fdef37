"""Base of learners of first-order rules: reading the examples, and building a theory from clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.estimator import HypothesisClassifier, sorted_classes
from induce.core.hypothesis import Hypothesis
from induce.core.notes import note
from induce.core.parameter_kinds import Text
from induce.core.parameters import Declared, instance, number, several, such, truth, whole
from induce.core.values import positive_class
from induce.hypotheses.theory import Derivation, Theory
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause
from induce.logic.coverage.examples import Examples, coded_rows
from induce.logic.written_forms import written_out


class RelationalClassifier(HypothesisClassifier):
    """A learner of clauses for a target relation; the rows are its examples.

    The rows of `X` are tuples of objects in the background; `y` says which of them are in the relation. Of two
    classes, the one named yes, true, + or similar is positive, or else the greater.
    """

    parameters: ClassVar[Declared] = {
        "background": instance(
            "Background knowledge; its types and modes restrict the literals.",
            "Relations",
            none=True,
            otherwise="give Relations, built from tables or Prolog text",
        ),
        "target": such(
            "Name of the relation to be learned.",
            "the name of a relation",
            lambda value: isinstance(value, str) and value,
            otherwise="give the name of the relation to be learned",
        ),
        "noise": number(
            "Maximum fraction of negative examples among those covered by a clause.",
            at_least=0,
            below=1,
            otherwise="give a fraction of at least 0 and below 1",
        ),
        "min_positives": whole("Minimum number of positive examples that a clause covers.", at_least=1),
        "max_literals": whole("Maximum number of literals of a body.", at_least=1),
        "recursion": truth("Whether clauses may call the target."),
        "min_accuracy": number(
            "Minimum fraction of positive examples among those covered by a clause.", at_least=0
        ),
        "constraints": several(
            "Constraints on clauses, as denials of answer set programs or the name of a predicate such as prune/1.",
            Text(),
            "a list of constraints",
        ),
        "time_limit": number(
            "Time limit of the search in seconds, which then returns the result so far; None sets no limit.",
            above=0,
            none=True,
            otherwise="give seconds above 0, or None",
        ),
    }
    hypothesis_: Theory
    background: Relations | None
    target: str

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def explain(self, X: Any) -> tuple[Derivation, ...]:
        """Return the proof of each row of `X` that is in the relation."""
        return cast(Theory, self._fitted(X)).explain(X)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each of `classes_` for each row of `X`, from the clause that covers it."""
        theory = cast(Theory, self._fitted(X))
        probabilities = theory.predict_proba(X)
        if len(self.classes_) == 1:
            return np.ones((len(probabilities), 1))
        return probabilities[:, [theory.classes.index(value) for value in self.classes_.tolist()]]

    def _examples(self, X: Any, y: Any) -> Examples:
        """Read the examples; sets `classes_`."""
        self._begin_fit()
        relations = self.background if self.background is not None else Relations()
        rows, columns = coded_rows(X, relations.symbols)
        if not len(rows):
            raise InputError(
                "Found array with 0 sample(s) while a minimum of 1 is required: the table has no rows"
            )
        if not columns:
            raise InputError(
                f"0 feature(s) (shape=({len(rows)}, 0)) while a minimum of 1 is required: the table has no columns"
            )
        _, classes, codes = self._target(y)
        if len(codes) != len(rows):
            raise InputError(
                f"Found input variables with inconsistent numbers of samples: X has {len(rows)} rows, "
                f"y has {len(codes)}"
            )
        if len(classes) > 2:
            raise InputError(
                f"Only binary classification is supported: y has {len(classes)} classes, but a row is in the "
                "relation or not; RelationalLearner learns several"
            )
        wanted = positive_class(classes)
        positive = np.asarray(classes)[codes] == wanted
        if len(classes) == 2:
            classes = (classes[1] if wanted == classes[0] else classes[0], wanted)
        else:
            positive = np.full(len(codes), _is_inside(classes[0]))
            classes = (
                (_opposite(classes[0]), classes[0]) if positive[0] else (classes[0], _opposite(classes[0]))
            )
        self._seen(X, columns)
        target = (self.target, len(columns))
        if target in relations.predicates():
            note(
                f"the background contains facts of the target {self.target}/{len(columns)}, which are ignored"
            )
            relations = relations.without(target)
        relations = relations.with_examples(target, rows)
        types = relations.types_of(target, rows)
        examples = Examples(target, columns, types, rows, positive, relations, (classes[0], classes[1]))
        _note_contradictions(examples)
        return examples

    def _theory(self, examples: Examples, clauses: Sequence[Clause], positive_only: bool = False) -> Theory:
        """Build a theory from clauses, with the training examples that each clause is the first to cover."""
        if examples.positive.all():
            if not clauses and not positive_only:
                clauses = [Clause(examples.head)]  # without negative examples, no literal is needed
            self._say_no_negatives(examples, clauses, positive_only)
        draft = self._draft(examples, clauses)
        return draft.counted(draft.deciding_rows(examples.rows), examples.positive)

    def _say_no_negatives(self, examples: Examples, clauses: Sequence[Clause], positive_only: bool) -> None:
        """Refuse a clause without a body that no negative example contradicts; emit a note for a property."""
        if all(clause.body for clause in clauses):
            return
        remedy = "give negative examples as another class of y"
        if not positive_only:
            remedy += ", or learn with Progol(positive_only=True)"
        if len(examples.columns) > 1:
            raise InputError(
                f"there is no negative example, so {examples.head} explains every example without a body, which is "
                f"no answer; {remedy}"
            )
        note(f"there is no negative example, so {self.target} holds for everything; {remedy}")

    def _draft(self, examples: Examples, clauses: Sequence[Clause]) -> Theory:
        """Build a theory from clauses whose coverage is not yet known."""
        return Theory(
            examples.target[0],
            examples.columns,
            examples.classes,
            "\n".join(str(written_out(one, examples.relations.rules.by_predicate)) for one in clauses),
            ((0.0, 0.0),) * len(clauses),
            (0.0, 0.0),
            examples.relations,
        )

    def _saved_parameters(self) -> dict[str, Any]:
        # the theory contains the background
        return {name: value for name, value in self.get_params(deep=False).items() if name != "background"}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any]) -> None:
        theory = cast(Theory, hypothesis)
        self.hypothesis_ = theory
        self.background = theory.background if theory.background.predicates() else None
        self.n_features_in_ = len(theory.columns)
        classes = state["classes"]
        if not isinstance(classes, list) or not classes or not {*classes} <= {*theory.classes}:
            raise InputError(f"the classes of the learner are {classes}, but its theory has {theory.classes}")
        self.classes_ = sorted_classes(classes)
        if state["named"]:
            self.feature_names_in_ = np.array(theory.columns, dtype=object)

    def _resumable_state(self) -> dict[str, Any]:
        return super()._resumable_state() | {"classes": self.classes_.tolist()}


_OUTSIDE: dict[Any, Any] = {
    1: 0,
    "yes": "no",
    "true": "false",
    "pos": "neg",
    "positive": "negative",
    "+": "-",
}
_INSIDE: dict[Any, Any] = {outside: inside for inside, outside in _OUTSIDE.items()} | {-1: 1}


def _is_inside(value: Any) -> bool:
    """Return whether the only class is the positive one."""
    return value not in _INSIDE


def _opposite(value: Any) -> Any:
    """Return the class that does not occur in the examples."""
    if isinstance(value, str):
        return {**_OUTSIDE, **_INSIDE}.get(value, f"not {value}")
    return type(value)({**_OUTSIDE, **_INSIDE}.get(value, 0))


def _note_contradictions(examples: Examples) -> None:
    inside, outside = (_distinct(examples.rows[which]) for which in (examples.positive, ~examples.positive))
    both = len(inside & outside)
    if both:
        note(
            f"{both} example{'s are' if both > 1 else ' is'} both positive and negative; no theory can "
            "fit all examples"
        )


def _distinct(rows: NDArray[np.int64]) -> set[bytes]:
    return {row.tobytes() for row in np.ascontiguousarray(rows)}
