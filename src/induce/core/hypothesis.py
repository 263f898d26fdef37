"""What every learned thing has in common; the kinds of them are in `induce.hypotheses.kinds`."""

from __future__ import annotations

from dataclasses import Field, fields, is_dataclass
from typing import Any, ClassVar

import numpy as np

from induce.core.errors import InputError
from induce.core.forms import FORMS, Form, Parts, forms_of, named, refusal, write_form
from induce.core.plain import json_text


class Hypothesis:
    """A learned hypothesis: an immutable value that prints, draws and saves itself, and says how large it is.

    What else it does depends on its kind: predictors predict and explain, densities score and sample. Classes, a
    schema and a target belong to the kinds that have them. `forms` lists what it can be written as: a form is there
    if the class implements its method, such as `to_sql` or `draw`.

    Subclasses are frozen dataclasses whose fields the model file can hold: None, bool, int, float, str,
    tuples and string-keyed dicts of these, numpy arrays of numbers, and other registered dataclasses.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    former_fields: ClassVar[dict[str, str]] = {}
    """From the names that fields had in older model files to those that they have now."""
    takes_tables: ClassVar[bool] = True
    """Whether it takes rows that are encoded by its schema, as well as frames and arrays."""
    speaks_of: ClassVar[str] = "itself"
    """What it can be asked about: rows, sequences, states, positions, inputs; or itself alone."""
    generates: ClassVar[bool] = False
    """Whether new rows can be drawn from it by `sample`."""
    answer: ClassVar[str] = ""
    """What it says of each row: a class, a number, a cluster, a log density; empty where it speaks of no rows."""

    def size(self) -> str:
        """Return how large the hypothesis is, in its own words."""
        return ""

    def parts(self) -> Parts:
        """Return how many things there are to read in it, or why there is no number."""
        return Parts(None, f"a {type(self).__name__} does not say how much of it there is to read")

    def forms(self) -> dict[str, Form]:
        """Return the forms it can be written in, by name; nothing is computed.

        Examples
        --------
        >>> import induce
        >>> tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
        >>> list(tree.forms())[:4]
        ['text', 'rules', 'tree', 'statistics']
        """
        return forms_of(self, self._lacking())

    def can(self, form: str) -> bool:
        """Say whether it can be written in a form."""
        return form in FORMS and self._implements(FORMS[form]) and form not in self._lacking()

    def written(self, form: str, **options: Any) -> str | bytes:
        """Return it in a form, such as ``"sql"``; bytes where the form is binary.

        Parameters
        ----------
        form : str
            One of `forms`.
        **options
            What the method of the form takes, such as ``table`` of `to_sql`; for a picture, ``picture`` names one of
            several and the rest goes to what draws it.

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
        """Return the belief network that says the same."""
        raise InputError(f"{named(self)} is no network, and none says the same")

    def predict(self, X: Any) -> Any:
        """Return one prediction per row of `X`."""
        raise TypeError(f"{type(self).__name__} does not predict")

    def answers(self, X: Any) -> Any:
        """Return what it says of each row of `X`; `answer` names it."""
        return self.predict(X)

    def targets(self) -> tuple[str, ...]:
        """Return the columns that it predicts; none of a density."""
        return ()

    def voters(self) -> tuple[Any, ...]:
        """Return the hypotheses that vote in it; none where it decides alone."""
        return ()

    def explain(self, X: Any) -> Any:
        """Return, for each row of `X`, what decided its prediction."""
        raise TypeError(f"{type(self).__name__} does not explain")

    def explain_fully(self, X: Any) -> Any:
        """Return the explanations with all that can be said, such as what almost decided otherwise."""
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
        """Return what a picture of it shows, as plain data.

        ``view`` says which picture: ``"tree"``, ``"rules"`` and others; ``"text"`` where there is only the text.

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
        """Return the name of a view and what it shows besides size, target and classes."""
        return "text", {"text": str(self)}

    def deciders(self, X: Any) -> Any:
        """Return for each row the number of the node or rule of the view that decides it.

        It is -1 where several decide together, and where the default does.
        """
        raise TypeError(f"{type(self).__name__} has no nodes or rules, one of which decides a row")

    @property
    def decides_by_parts(self) -> bool:
        """Whether single nodes or rules of it decide rows."""
        return type(self).deciders is not Hypothesis.deciders

    @property
    def explains(self) -> bool:
        """Whether it can say what decided."""
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
        """Say whether the class has a form: its method, and for pictures one of its own."""
        method = getattr(cls, form.method, None)
        return method is not None and method is not Hypothesis.draw

    def _lacking(self) -> dict[str, str]:
        """Return the forms and pictures that its class has but this hypothesis has not, with the reason."""
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
