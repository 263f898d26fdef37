"""Export forms of a hypothesis, and the number of its readable items."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError

if TYPE_CHECKING:
    from induce.core.hypothesis import Hypothesis


@dataclass(frozen=True)
class Parts:
    """Number of readable items in a hypothesis.

    Parameters
    ----------
    number : int or None
        Number of readable items; None if there are none.
    of : str
        Kind of the items, or the reason why there is no number.

    Examples
    --------
    >>> print(Parts(7, "conditions and conclusions"))
    7 conditions and conclusions
    >>> print(Parts(None, "it keeps its examples"))
    it keeps its examples
    """

    number: int | None
    of: str

    def __str__(self) -> str:
        return self.of if self.number is None else f"{self.number:,} {self.of}"


@dataclass(frozen=True)
class Form:
    """An export form.

    Parameters
    ----------
    name : str
    suffix : str
        File name suffix.
    method : str
        Method that a hypothesis with this form implements.
    binary : bool
        Whether it is binary, so that a terminal cannot show it.
    drawn : bool
        Whether it is a picture.
    pictures : tuple of str
        Kinds of pictures in addition to the default; `front` stands for a method ``draw_front``.
    """

    name: str
    suffix: str
    method: str
    binary: bool = False
    drawn: bool = False
    pictures: tuple[str, ...] = ()


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form("text", ".txt", "__str__"),
        Form("rules", "", "to_rules"),
        Form("tree", "", "to_tree"),
        Form("statistics", "", "to_rules"),
        Form("sql", ".sql", "to_sql"),
        Form("python", ".py", "to_python"),
        Form("prolog", ".pl", "to_prolog"),
        Form("onnx", ".onnx", "to_onnx", binary=True),
        Form("json", ".json", "to_json"),
        Form("latex", ".tex", "to_latex"),
        Form("dot", ".dot", "to_dot"),
        Form("bif", ".bif", "to_bif"),
        Form("xmlbif", ".xmlbif", "to_xmlbif"),
        Form("xdsl", ".xdsl", "to_xdsl"),
        Form("pddl", ".pddl", "to_pddl"),
        Form("html", ".html", "_repr_html_"),
        Form("svg", ".svg", "draw", drawn=True),
        Form("png", ".png", "draw", binary=True, drawn=True),
        Form("pdf", ".pdf", "draw", binary=True, drawn=True),
    )
}
"""All forms, in listing order."""


def forms_of(hypothesis: Hypothesis, lacking: Container[str]) -> dict[str, Form]:
    """Return the forms that a class implements, except those that this hypothesis lacks; nothing is exported."""
    kinds = tuple(kind for kind in _pictures(type(hypothesis)) if kind not in lacking)
    return {
        name: replace(form, pictures=kinds) if form.drawn and kinds else form
        for name, form in FORMS.items()
        if name not in lacking and hypothesis._implements(form)
    }


def write_form(hypothesis: Hypothesis, form: Form, **options: Any) -> str | bytes:
    """Write a hypothesis in one of its forms."""
    if form.drawn:
        return _picture(hypothesis, form, **options)
    made = getattr(hypothesis, form.method)(**options)
    if form.name == "statistics":
        return f"{made.statistics()}\n\n{made.report()}"
    return made if isinstance(made, bytes) else str(made)


def refusal(hypothesis: Hypothesis, form: str, known: Iterable[str], reason: str = "") -> InputError:
    """Return the error that names the missing form and the available ones."""
    because = f": {reason}" if reason else ""
    return InputError(
        f"{named(hypothesis)} cannot be written as {form}{because}; it can be written as {', '.join(known)}"
    )


def _pictures(cls: type) -> tuple[str, ...]:
    """Return the kinds of pictures that need no rows."""
    named = [name for name in dir(cls) if name.startswith("draw_")]
    return tuple(name.removeprefix("draw_") for name in named if _needs_nothing(getattr(cls, name)))


def _needs_nothing(method: Any) -> bool:
    code = getattr(method, "__code__", None)
    return code is not None and code.co_argcount - len(method.__defaults__ or ()) == 1


def _picture(hypothesis: Hypothesis, form: Form, picture: str = "", **options: Any) -> str | bytes:
    """Draw a hypothesis; the same hypothesis gives the same bytes."""
    from induce.core.images import image

    if picture and picture not in form.pictures:
        kinds = ", ".join(form.pictures) or "only the default one"
        why = hypothesis._lacking().get(picture, "")
        because = f": {why}" if why else ""
        raise InputError(f"{named(hypothesis)} has no picture {picture!r}{because}; it has {kinds}")
    figure = getattr(hypothesis, f"draw_{picture}" if picture else "draw")(**options)
    drawn = image(figure, form.name, type(hypothesis).__name__, str(hypothesis))
    return drawn if form.binary else drawn.decode()


def named(hypothesis: Hypothesis) -> str:
    """Return the class of a hypothesis with its article."""
    name = type(hypothesis).__name__
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
