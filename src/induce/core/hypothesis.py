"""Base of all hypotheses; their kinds are in `induce.hypotheses.kinds`."""

from __future__ import annotations

from dataclasses import Field, fields, is_dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.forms import FORMS, Form, Parts, forms_of, named, refusal, write_form
from induce.core.plain import json_text


class Hypothesis:
    """A learned hypothesis: an immutable value that prints, draws and saves itself, and knows its size.

    Other abilities depend on its kind: predictors predict and explain, densities score and sample. Only some kinds
    have classes, a schema and a target. `forms` lists its export forms: a form exists if the class implements its
    method, such as `to_sql` or `draw`.

    Subclasses are frozen dataclasses whose fields a model file can hold: None, bool, int, float, str, tuples and
    string-keyed dicts of these, numpy arrays of numbers, and other registered dataclasses.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    takes_tables: ClassVar[bool] = True
    """Whether it takes rows encoded by its schema, besides frames and arrays."""
    speaks_of: ClassVar[str] = "itself"
    """Kind of input it answers about: rows, sequences, states, positions, inputs; or only itself."""
    generates: ClassVar[bool] = False
    """Whether `sample` can draw new rows from it."""
    answer: ClassVar[str] = ""
    """Kind of answer for each row: a class, a number, a cluster, a log density; empty if it takes no rows."""

    def size(self) -> str:
        """Return the size of the hypothesis in units of its own kind."""
        return ""

    def parts(self) -> Parts:
        """Return the number of readable items in it, or the reason why there is none."""
        return Parts(None, f"the number of readable items in a {type(self).__name__} is unknown")

    def forms(self) -> dict[str, Form]:
        """Return its export forms by name, without computing them.

        Examples
        --------
        >>> import induce
        >>> tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
        >>> list(tree.forms())[:4]
        ['text', 'rules', 'tree', 'statistics']
        """
        return forms_of(self, self._lacking())

    def can(self, form: str) -> bool:
        """Return whether it has a given export form."""
        return form in FORMS and self._implements(FORMS[form]) and form not in self._lacking()

    def written(self, form: str, **options: Any) -> str | bytes:
        """Return the hypothesis in an export form, such as ``"sql"``; bytes if the form is binary.

        Parameters
        ----------
        form : str
            One of `forms`.
        **options
            Options of the form's method, such as ``table`` of `to_sql`; for a picture, ``picture`` selects one of
            several and the other options are passed to its drawing method.

        Examples
        --------
        >>> import induce
        >>> model = induce.NaiveBayes().fit(*induce.dataset("play-tennis")).hypothesis_
        >>> model.written("rules")
        Traceback (most recent call last):
        ...
        induce.core.errors.InputError: a NaiveBayesModel cannot be written as rules; it can be written as text, ...
        """
        known = self.forms()
        if form not in known:
            implemented = form in FORMS and self._implements(FORMS[form])
            raise refusal(self, form, known, self._lacking().get(form, "") if implemented else "")
        return write_form(self, known[form], **options)

    def to_json(self) -> str:
        """Return a JSON document: its size, its text and all its fields."""
        return json_text(self)

    def to_network(self) -> Any:
        """Return the equivalent belief network."""
        raise InputError(f"{named(self)} is not a network, and has no equivalent one")

    def predict(self, X: Any) -> Any:
        """Return one prediction per row of `X`."""
        raise TypeError(f"{type(self).__name__} does not predict")

    def answers(self, X: Any) -> Any:
        """Return the answer for each row of `X`; the attribute `answer` gives its kind."""
        return self.predict(X)

    def targets(self) -> tuple[str, ...]:
        """Return the target columns; empty for a density."""
        return ()

    def voters(self) -> tuple[Any, ...]:
        """Return the hypotheses that vote in it; empty if it is not an ensemble."""
        return ()

    def explain(self, X: Any) -> Any:
        """Return an explanation of the prediction for each row of `X`."""
        raise TypeError(f"{type(self).__name__} does not explain")

    def explain_fully(self, X: Any) -> Any:
        """Return the most detailed explanations, including near misses."""
        return self.explain(X)

    def explained(self, X: Any) -> list[dict[str, Any]]:
        """Return the explanations of rows as plain data, with the prediction and the probabilities of each.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("play-tennis")
        >>> said = induce.CN2().fit(X, y).hypothesis_.explained(X[:1])[0]
        >>> said["prediction"], said["because"]
        ('No', ['Humidity = High', 'Outlook = Sunny'])
        """
        from induce.core.plain import plain

        found = [each.to_dict() for each in self.explain_fully(X)]
        answers = plain(self.answers(X))
        shares = getattr(self, "predict_proba", None)
        classes = [str(value) for value in getattr(self, "classes", ())]
        told = shares(X).tolist() if shares is not None and classes else [None] * len(found)
        for said, answer, row in zip(found, answers, told, strict=True):
            said["prediction"] = answer
            if row is not None:
                said["probabilities"] = dict(zip(classes, row, strict=True))
        return found

    def to_view(self) -> dict[str, Any]:
        """Return the contents of its picture as plain data.

        ``view`` names the picture: ``"tree"``, ``"rules"`` and others; ``"text"`` if there is only the text.

        Examples
        --------
        >>> import induce
        >>> view = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_.to_view()
        >>> view["view"], view["target"], view["classes"]
        ('tree', 'PlayTennis', ['Yes', 'No'])
        >>> view["condition"][1:4]
        ['Outlook = Sunny', 'Outlook = Overcast', 'Outlook = Rain']
        """
        from induce.core.plain import plain

        name, picture = self._picture()
        head = {"view": name, "type": type(self).__name__, "size": self.size(), "answer": self.answer}
        head |= {"target": ", ".join(self.targets()), "classes": plain(getattr(self, "classes", ()))}
        return {**head, **plain(picture)}

    def _picture(self) -> tuple[str, dict[str, Any]]:
        """Return the name of a view and its contents, excluding size, target and classes."""
        return "text", {"text": str(self)}

    def deciders(self, X: Any) -> Any:
        """Return, for each row, the index of the node or rule of the view that decides it.

        It is -1 if several decide together or the default applies.
        """
        raise TypeError(f"{type(self).__name__} has no nodes or rules that decide rows")

    @property
    def decides_by_parts(self) -> bool:
        """Whether single nodes or rules decide rows."""
        return type(self).deciders is not Hypothesis.deciders

    @property
    def explains(self) -> bool:
        """Whether it explains its predictions."""
        return type(self).explain is not Hypothesis.explain

    def draw(self) -> Any:
        """Return a matplotlib figure of the hypothesis."""
        raise TypeError(f"{type(self).__name__} has no picture")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = self.__dataclass_fields__
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        return hash((type(self), self.size()))

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    @classmethod
    def _implements(cls, form: Form) -> bool:
        """Return whether the class has a form: its method, and for pictures an overridden one."""
        method = getattr(cls, form.method, None)
        return method is not None and method is not Hypothesis.draw

    def _lacking(self) -> dict[str, str]:
        """Return the forms and pictures of the class that this hypothesis lacks, with the reason."""
        return {}


def _same(mine: Any, other: Any) -> bool:
    if isinstance(mine, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(mine, other, equal_nan=mine.dtype.kind == "f")
    if isinstance(mine, tuple | list) and type(mine) is type(other):
        return len(mine) == len(other) and all(map(_same, mine, other))
    if isinstance(mine, dict) and isinstance(other, dict):
        return mine.keys() == other.keys() and all(_same(mine[key], other[key]) for key in mine)
    if isinstance(mine, float) and mine != mine:
        return isinstance(other, float) and other != other
    if is_dataclass(mine) and type(mine) is type(other) and type(mine).__eq__ is object.__eq__:
        return all(_same(getattr(mine, field.name), getattr(other, field.name)) for field in fields(mine))
    return bool(mine == other)
