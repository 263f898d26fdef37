"""Pages of the API reference, written from the declarations of the packages whenever the site is built.

Each learner has a page of its own under the name by which it is imported; what else a package has for others stands
on the page of the package. Nothing is listed by hand: a name that a package declares, or has in its `__all__`, is
there.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import GenericAlias, ModuleType
from typing import Any

from sphinx.pycode import ModuleAnalyzer

import induce
from induce.core.declarations import (
    PACKAGES,
    declarations,
    exported_names,
    learner_modules,
    learners,
    public_names,
    searches,
)
from induce.core.description import described_parameters

FOLDER = "api"
UNDECLARED = ("statistics", "theory", "discretise", "textbook")
"""Packages that are imported whole, and say in `__all__` what they have."""
FIRST = ("fit", "learn", "partial_fit", "predict", "predict_proba", "explain", "score")
"""Methods of a learner in the order in which people use them; the others follow."""


def home_of(module: str) -> str:
    """Return the package of a module."""
    return module.split(".")[1]


def package_names() -> dict[str, dict[str, str]]:
    """Return what every package has for others, but for its learners: from a name to where it is imported from.

    A name of `induce` is listed with the package that defines it.
    """
    found: dict[str, dict[str, str]] = {package: {} for package in (*PACKAGES, *UNDECLARED)}
    for name, module in public_names().items():
        if name not in learner_modules():
            found.setdefault(home_of(module), {})[name] = "induce"
    seen = {(name, module) for name, module in public_names().items()}
    for package in PACKAGES:
        for name, module in exported_names(package).items():
            if (name, module) not in seen and (name, module) not in declared_learners():
                seen.add((name, module))
                found[package].setdefault(name, f"induce.{package}")
    for package in UNDECLARED:
        module = import_module(f"induce.{package}")
        for name in module.__all__:
            where = getattr(getattr(module, name), "__module__", None)
            if (name, where) not in seen:
                found[package].setdefault(name, f"induce.{package}")
    with_learners = {home_of(module) for module in learner_modules().values()}
    return {
        package: dict(sorted(names.items()))
        for package, names in found.items()
        if names or package in with_learners
    }


def declared_learners() -> set[tuple[str, str]]:
    return set(learner_modules().items())


def methods_of(learner: Any) -> list[str]:
    """Return the methods of a learner that are documented here, those of scikit-learn left out."""

    def is_ours(name: str) -> bool:
        owner = next((base for base in learner.__mro__ if name in vars(base)), None)
        return owner is not None and owner.__module__.startswith("induce.")

    found = [
        name
        for name, value in inspect.getmembers(learner)
        if not name.startswith(("_", "set_"))
        and (inspect.isfunction(value) or isinstance(inspect.getattr_static(learner, name), property))
        and inspect.getdoc(value)
        and is_ours(name)
    ]
    return sorted(found, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))


def title(text: str, mark: str = "=") -> list[str]:
    return [text, mark * len(text), ""]


def learner_page(name: str) -> str:
    learner = getattr(induce, name)
    lines = [*title(name), f".. autoclass:: induce.{name}", ""]
    for method in methods_of(learner):
        kind = "automethod" if callable(getattr(learner, method)) else "autoproperty"
        lines.append(f"   .. {kind}:: {method}")
    search = searches()[name]
    lines += ["", f"Search: {plain(str(search))}. Cost: {plain(search.cost)}."]
    home = home_of(learner_modules()[name])
    lines += ["", *title("Declared parameters", "-"), ".. list-table::", "   :header-rows: 1", ""]
    rows = [("parameter", "default", "values", "meaning")]
    rows += [
        (f"``{each.name}``", f"``{each.default or '(empty)'}``", plain(each.values), plain(each.help))
        for each in described_parameters(learner)
    ]
    for row in rows:
        lines += [f"   {' ' if k else '*'} - {cell}" for k, cell in enumerate(row)]
    lines += ["", f"More of :doc:`induce.{home} <{home}>`; :doc:`all learners </learners>`.", ""]
    return "\n".join(lines)


def plain(text: str) -> str:
    """Return a text in which nothing is markup but names in backticks."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"`{part}`" if part.startswith("`") else re.sub(r"([*|\\_])", r"\\\1", part) for part in parts
    )


def directive(where: str, name: str) -> list[str]:
    """Return the lines that document one name."""
    value = getattr(import_module(where), name)
    full = f"{where}.{name}"
    if isinstance(value, type) and not isinstance(value, GenericAlias):  # tuple[str, int] claims to be a type
        return [f".. autoclass:: {full}", "   :members:", ""]
    if inspect.isroutine(value) or hasattr(value, "__wrapped__"):  # the latter are cached functions
        return [f".. autofunction:: {full}", ""]
    if isinstance(value, ModuleType):
        return [f".. automodule:: {full}", ""]
    # autodoc would take the docstring and the signature of the value's type
    return [f".. py:data:: {full}", "", *(f"   {line}" for line in data_comment(where, name)), ""]


def data_comment(where: str, name: str) -> list[str]:
    """Return the docstring below the assignment that defines a constant."""
    names = exported_names(home_of(where)) if home_of(where) in PACKAGES else {}
    module = names.get(name) or public_names().get(name) or import_module(where).__name__
    candidates = [module, *(f"{where}.{each.name}" for each in iter_modules(import_module(where).__path__))]
    for candidate in candidates:
        documented = ModuleAnalyzer.for_module(candidate).find_attr_docs()
        if ("", name) in documented:
            return documented["", name]
    return []


def package_page(package: str, names: dict[str, str]) -> str:
    documented = import_module(f"induce.{package}").__doc__ or ""
    lines = [*title(f"induce.{package}"), documented.split("\n\n")[0].strip(), ""]
    ours = [entry.name for entry in declarations()[package].learners] if package in PACKAGES else []
    if ours:
        lines += ["Learners: " + ", ".join(f":doc:`{name}`" for name in sorted(ours)) + ".", ""]
    for name, where in names.items():
        lines += [*title(name, "-"), *directive(where, name)]
    return "\n".join(lines)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every page of the reference."""
    described = package_names()
    for entry in learners():
        yield entry.name, learner_page(entry.name)
    for package, names in described.items():
        yield package, package_page(package, names)
    contents = [
        *title("API"),
        "Every public class and function, by the package that has it; learners have pages of their own. What is",
        "documented as ``induce.NAME`` is imported from ``induce`` itself.",
        "",
        ".. toctree::",
        "   :caption: Packages",
        "",
        *(f"   {package}" for package in described),
        "",
        ".. toctree::",
        "   :caption: Learners",
        "",
        *(f"   {entry.name}" for entry in learners()),
        "",
    ]
    yield "bibliography", bibliography()
    yield "index", "\n".join(contents)


def aliases() -> dict[str, str]:
    """Return the full names of what docstrings name shortly in the types of parameters."""
    named = {name: f"induce.{name}" for name in learner_modules()}
    for names in package_names().values():
        named |= {name: f"{where}.{name}" for name, where in names.items() if name[0].isupper()}
    others = {
        "ndarray": "numpy.ndarray",
        "DataFrame": "polars.DataFrame",
        "Figure": "matplotlib.figure.Figure",
    }
    return {**others, **named}


def references_of(text: str) -> list[str]:
    """Return the entries of the section of references of a docstring, each on one line.

    Examples
    --------
    >>> references_of("One.\\n\\nReferences\\n----------\\n.. [1] A. Author (1990). A title.\\n   A journal.\\n")
    ['A. Author (1990). A title. A journal.']
    """
    section = re.search(
        r"^References\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", inspect.cleandoc(text) + "\n", re.M | re.S
    )
    if not section:
        return []
    entries = re.split(r"\n\s*\n|\n(?=\.\. \[|- )", section[1].strip())
    found = [re.sub(r"^(\.\. \[\w+\]|-)\s*", "", " ".join(entry.split())) for entry in entries]
    return [entry for entry in found if entry and not set(entry) <= {"-", "="}]


def bibliography() -> str:
    """Return the page of all works that the documentation of learners and other names refers to."""
    cited: dict[str, list[str]] = {}
    named = [(name, "induce") for name in learner_modules()]
    named += [(name, where) for names in package_names().values() for name, where in names.items()]
    for name, where in named:
        value = getattr(import_module(where), name)
        for entry in references_of(getattr(value, "__doc__", None) or ""):
            cited.setdefault(entry, []).append(f"{where}.{name}")
    lines = [
        *title("Bibliography"),
        "Works that the documentation refers to, with the names that refer to them; the books first.",
        "",
        "- \\T. M. Mitchell (1997). Machine Learning. McGraw-Hill.",
        "- \\S. Russell, P. Norvig (2010). Artificial Intelligence: A Modern Approach, third edition. Prentice Hall.",
        "  Chapter 20 also in the second edition (2003).",
        "",
    ]
    for entry, names in sorted(cited.items(), key=lambda each: surname(each[0])):
        links = ", ".join(f":py:obj:`{name.rpartition('.')[2]} <{name}>`" for name in names)
        # initials begin no list of letters, bars no substitution
        lines.append(f"- \\{entry.replace('|', chr(92) + '|')} ({links})")
    return "\n".join(lines) + "\n"


def surname(entry: str) -> str:
    """Return what an entry is sorted by: the first word that is not an initial."""
    return next((word for word in entry.split() if len(word.strip(".,")) > 1), entry).lower()


def tame(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """Take bars in docstrings for what they are, such as the size of a set, and not for substitutions."""
    for number, line in enumerate(lines):
        if "|" in line and not line.lstrip().startswith((">>>", "...", "| ")):
            parts = re.split(r"(``.*?``|`[^`]*`)", line)
            lines[number] = "".join(
                part if part.startswith("`") else part.replace("|", r"\|") for part in parts
            )


def left_out(app: Any, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what scikit-learn adds to every estimator."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def write_pages(app: Any) -> None:
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    written = {f"{name}.rst": text for name, text in pages()}
    for file in folder.glob("*.rst"):
        if file.name not in written:
            file.unlink()
    for name, text in written.items():
        file = folder / name
        if (
            not file.exists() or file.read_text(encoding="utf-8") != text
        ):  # unchanged pages are not read again
            file.write_text(text, encoding="utf-8")


def to_api(_: Any, page: str, source: list[str]) -> None:
    """Lead from a learner to its page of the API, where the committed pages lead to its parameters."""
    from induce.core.declarations import learners

    homes = {entry.name.lower(): f"(/api/{entry.name}.rst)" for entry in learners()}
    source[0] = re.sub(r"\(parameters\.md#(\w+)\)", lambda match: homes.get(match[1], match[0]), source[0])


def setup(app: Any) -> dict[str, Any]:
    app.connect("builder-inited", write_pages)
    app.connect("source-read", to_api)
    app.connect("autodoc-process-docstring", tame, priority=100)  # before numpydoc
    app.connect("autodoc-skip-member", left_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
