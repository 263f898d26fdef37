"""The documentation page with all learners and their abilities, from their declarations."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

from induce.core.declarations import TASKS, Learner, learners, searches
from induce.core.description import exports_of

HEADS = (
    "learner",
    "gives",
    "missing values",
    "weights",
    "classes",
    "`partial_fit`",
    "probabilities",
    "exports",
    "cost of a fit",
    "book",
)
TAKES = {
    "classes": "columns of any kind",
    "numbers": "columns of any kind",
    "texts": "text",
    "clusters": "columns of any kind",
    "networks": "columns of any kind",
    "experts": "predictions of experts",
    "relations": "relations, or columns of any kind",
    "sequences": "sequences of categories and numbers",
    "acting": "an environment",
    "games": "a game",
    "evolving": "a fitness function",
    "planning": "planning problems",
}
SHOWN = ("sql", "python", "onnx", "prolog")
"""Exports that run elsewhere; every hypothesis can also be printed and drawn."""
SECTION = re.compile(
    r"(?:\b(?:Mitchell|AIMA),?(?:\s+chapter)?\s+§?|§)(?P<section>\d+(?:\.\d+)*)"
    r"|\b(?P<kind>[Tt]able|[Ff]igure|Fig\.|[Ee]xercise)\s+(?P<number>\d+\.\d+)"
)
AIMA = 14
"""First chapter on learning that only AIMA covers; Mitchell's book ends with chapter 13."""


def learner_page() -> str:
    """Return the page with a table of learners for each task.

    Examples
    --------
    >>> learner_page().splitlines()[0]
    '# All learners'
    """
    lines = [
        "# All learners",
        "",
        "`make stubs` writes this page from the learners' declarations. A dot means that a question does not apply.",
        "*Classes* is the number of classes, *exports* lists languages in which a prediction runs without `induce`,",
        "*cost* is the growth of the work of a fit with n rows and d columns, *book* is the section of the book, or",
        "the source if neither book has it. Every hypothesis prints, draws and is saved. The last table lists the",
        "search of each learner (Mitchell 1.3).",
    ]
    for task, title in TASKS.items():
        found = [entry for entry in learners() if entry.task == task]
        if found:
            lines += ["", f"## {title[0].upper()}{title[1:]}", "", f"They learn from {TAKES[task]}.", ""]
            lines += [f"| {' | '.join(HEADS)} |", f"|{'---|' * len(HEADS)}"]
            lines += [f"| {' | '.join(cells_of(entry))} |" for entry in found]
    lines += [
        "",
        "## Learning as search",
        "",
        "| learner | hypotheses | order | search |",
        "|---|---|---|---|",
    ]
    for name, each in sorted(searches().items()):
        cells = f"[`{name}`](parameters.md#{name.lower()})", each.space, each.order, each.strategy
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def cells_of(entry: Learner) -> tuple[str, ...]:
    """Return the row of a learner.

    Examples
    --------
    >>> cells_of(next(entry for entry in learners() if entry.name == "C45"))[-3:]
    ('SQL, Python, ONNX, Prolog', 'n d log n per level', 'Mitchell 3.7')
    """
    import induce

    learner: Any = getattr(induce, entry.name)
    fits = not entry.explores
    tags = learner().__sklearn_tags__() if fits else None
    search = searches().get(entry.name)
    return (
        f"[`{entry.name}`](parameters.md#{entry.name.lower()})",
        entry.gives,
        _yes(tags.input_tags.allow_nan) if tags else "·",
        _yes("sample_weight" in inspect.signature(learner.fit).parameters) if fits else "·",
        _classes(tags),
        _yes(hasattr(learner, "partial_fit")),
        _yes(hasattr(learner, "predict_proba")),
        _exports(entry),
        search.cost.replace("|", "\\|") if search else "",
        book_section(learner),
    )


def book_section(learner: Any) -> str:
    """Return the first book section in the documentation of a learner, or else in that of its module.

    Examples
    --------
    >>> import induce
    >>> book_section(induce.SVM), book_section(induce.QLearning)
    ('AIMA 18.9', 'Mitchell 13.3')
    """
    bases = [base for base in learner.__mro__ if base.__module__.startswith("induce.")]
    places = [
        *(base.__doc__ or "" for base in bases[:1]),
        sys.modules[learner.__module__].__doc__ or "",
        sys.modules[learner.__module__.split(".learners")[0]].__doc__ or "",
    ]
    found = next(filter(None, map(SECTION.search, places)), None)
    if not found:
        return _source(learner)
    number = found["section"] or found["number"]
    book = "AIMA" if int(number.split(".")[0]) >= AIMA else "Mitchell"
    named = (found["kind"] or "").lower()
    kind = "" if found["section"] else f"{named if named in ('table', 'exercise') else 'figure'} "
    return f"{book} {kind}{number}"


def _source(learner: Any) -> str:
    """Return author and year of the first reference of a learner, or of the learner it derives from."""
    found = re.search(r"References\n\s*-+\n\s*(.+?\(\d{4}\))", learner.__doc__ or "", re.DOTALL)
    if not found:
        return ""
    names, _, year = " ".join(found[1].split()).rpartition(" ")
    authors = [re.sub(r"^(?:[A-ZÀ-Ý]\.[ -]?)+", "", name.strip()) for name in re.split(r",| and ", names)]
    return f"{authors[0]}{' et al.' if len(authors) > 2 else ' and ' + authors[1] if len(authors) > 1 else ''} {year}"


def _exports(entry: Learner) -> str:
    names = {"sql": "SQL", "onnx": "ONNX"}
    forms = exports_of(entry)
    return ", ".join(names.get(form, form.title()) for form in SHOWN if form in forms)


def _classes(tags: Any) -> str:
    if tags is None or tags.classifier_tags is None:
        return "·"
    return "many" if tags.classifier_tags.multi_class else "two"


def _yes(holds: bool) -> str:
    return "yes" if holds else ""
