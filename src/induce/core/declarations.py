"""Declarations of packages, in their `_declaration.py`: the only place where a learner is listed.

The names of `induce`, the catalogue, the contents of model files, the stubs and the common tests are derived
from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

PACKAGES = (
    "core",
    "data",
    "logic",
    "distances",
    "counts",
    "em",
    "covering",
    "environments",
    "search",
    "optimise",
    "planning",
    "hypotheses",
    "trees",
    "concepts",
    "online",
    "linear",
    "rules",
    "relational",
    "analytical",
    "bayes",
    "instances",
    "belief_networks",
    "mixtures",
    "sequences",
    "kernels",
    "neural",
    "knowledge",
    "ensembles",
    "reinforcement",
    "evolution",
    "evaluation",
)

WAYS = ("initial hypothesis", "objective", "operators")
"""Points at which a search for hypotheses can use knowledge (Mitchell 12.2.2)."""
TABLE = "a table of nominal and numeric columns, values may be missing; two classes or more"
WHOLE_TABLE = "a table of nominal and numeric columns without missing values; two classes or more"
CONCEPT = "a table of nominal and numeric columns without missing values; two classes"
STREAM = "nominal columns, row by row; two classes or more (numeric columns and missing values: grown again)"
EXPERTS = "predictions of experts, one column each; or experts and any table; two classes or more"
RELATIONS = (
    "rows of a relation and background relations, or a table of nominal and numeric columns; two classes"
)
NUMBERS = "a table of nominal and numeric columns, values may be missing; a number to predict"
TEXTS = "texts, one column or several; two classes or more"
ROWS = "a table of nominal and numeric columns, values may be missing; no target"
EITHER = "a table of nominal and numeric columns, values may be missing; two classes or more, or no target"
SEQUENCES = "sequences of nominal and numeric values, some may be missing; states may be known, partly or not"
FITNESS = "a fitness function that scores an individual, or a shipped problem"
ENVIRONMENT = "an environment to act in: a decision process, a game, or one of gymnasium"
PROBLEMS = "planning problems of one domain"
GAME = "a game of one or two players, by its name or as an object"

FACES = ("tables", "relations", "sequences", "experience")
"""Inputs of learners: `fit` takes tables, relations and sequences; `learn` takes a source of experience."""


TASKS = {
    "classes": "predict a class from a table",
    "numbers": "predict a number from a table",
    "texts": "predict the class of a text",
    "clusters": "find clusters and densities in a table",
    "networks": "learn a belief network, which predicts a class or is a density",
    "experts": "follow the advice of experts, round by round",
    "relations": "learn clauses from relations or a table",
    "sequences": "label and forecast sequences",
    "acting": "act in an environment",
    "games": "play a game",
    "evolving": "evolve what a fitness function scores",
    "planning": "find plans with less search",
}
"""Tasks of learners, by a short name."""


@dataclass(frozen=True)
class Learner:
    """A learner of the catalogue.

    Parameters
    ----------
    name : str
        Name of the class in `induce`.
    home : str
        Module of the package that defines it.
    summary : str
        Summary in one line.
    needs : str
        Kind of training input.
    gives : str
        Kind of hypothesis that it learns.
    face : {"tables", "relations", "sequences", "experience"}
        Interface of the learner; a learner from relations also accepts tables.
    knowledge : tuple of str
        Ways in which prior knowledge enters its search, from `WAYS`; empty if it uses none (Mitchell 12.2.2).
    """

    name: str
    home: str
    summary: str
    needs: str
    gives: str
    face: str = "tables"
    knowledge: tuple[str, ...] = ()

    @property
    def task(self) -> str:
        """Task: a name of `TASKS`.

        Examples
        --------
        >>> {learner.task for learner in learners() if learner.gives == "Policy"}
        {'acting'}
        """
        by_needs = {
            NUMBERS: "numbers",
            TEXTS: "texts",
            ROWS: "clusters",
            EITHER: "networks",
            EXPERTS: "experts",
            ENVIRONMENT: "acting",
            GAME: "games",
            PROBLEMS: "planning",
        }
        by_face = {"relations": "relations", "sequences": "sequences", "experience": "evolving"}
        return by_needs.get(self.needs) or by_face.get(self.face, "classes")

    @property
    def takes_tables(self) -> bool:
        """Whether its `fit` takes a table."""
        return self.face in ("tables", "relations")

    @property
    def explores(self) -> bool:
        """Whether it has `learn(source)` instead of `fit`."""
        return self.face == "experience"

    @property
    def has_target(self) -> bool:
        """Whether it learns to predict a target; density learners do not."""
        return self.needs != ROWS and self.takes_tables

    @property
    def target_optional(self) -> bool:
        """Whether it learns a density if there is no target."""
        return self.needs == EITHER

    @property
    def needs_text(self) -> bool:
        """Whether it learns only from text."""
        return self.needs == TEXTS

    @property
    def needs_experts(self) -> bool:
        """Whether it learns from predictions of experts, not from a table."""
        return self.needs == EXPERTS


@dataclass(frozen=True)
class Search:
    """Learning as search: the hypothesis space and the search strategy (Mitchell 1.3).

    Parameters
    ----------
    space : str
        Hypotheses that the learner can represent.
    order : str
        Order or structure of the space that the search exploits.
    strategy : str
        Search strategy.
    cost : str
        Complexity of a fit in terms of n rows, d columns and other quantities.

    Examples
    --------
    >>> print(searches()["FindS"])
    conjunctions; order: more general than; search: specific to general, without backtracking
    """

    space: str
    order: str
    strategy: str
    cost: str

    def __str__(self) -> str:
        return f"{self.space}; order: {self.order}; search: {self.strategy}"


@dataclass(frozen=True)
class Declaration:
    """Declaration of a package.

    Parameters
    ----------
    learners : tuple of Learner
        Learners by their names in `induce`, which model files also use.
    values : dict
        Frozen dataclasses that a model file can hold: names mapped to modules. When a class is renamed, its old
        name is kept as `module:NewName`, so that old files load.
    public : dict
        Other names of `induce`, mapped to their modules.
    exports : dict
        Names of the package itself, mapped to their modules; a name from another package is given with its
        full module path.
    events : dict
        Kinds of trace events, mapped to their fields, separated by spaces; fields with a question mark are not in
        every event.
    searches : dict
        Names of its learners, mapped to their space, order, strategy and cost.
    """

    learners: tuple[Learner, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    public: Mapping[str, str] = field(default_factory=dict)
    exports: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    searches: Mapping[str, Search] = field(default_factory=dict)


@cache
def declarations() -> dict[str, Declaration]:
    """Return the declarations of all packages.

    Examples
    --------
    >>> [learner.name for learner in declarations()["rules"].learners][:2]
    ['AQ', 'CN2']
    """
    return {package: import_module(f"induce.{package}._declaration").DECLARATION for package in PACKAGES}


def event_kinds() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the kinds of trace events of each package, with their fields.

    A field that is not in every event of its kind ends in a question mark.

    Examples
    --------
    >>> event_kinds()["concepts"]["boundaries"]
    ('row', 'example', 'positive', 'S', 'G', 'left')
    """
    return {
        package: {kind: tuple(fields.split()) for kind, fields in declared.events.items()}
        for package, declared in declarations().items()
        if declared.events
    }


def learners() -> tuple[Learner, ...]:
    """List the learners with their inputs and hypotheses, by name.

    Examples
    --------
    >>> [learner.name for learner in learners() if learner.gives == "VersionSpace"]
    ['CandidateElimination', 'ListThenEliminate']
    """
    found = [learner for declared in declarations().values() for learner in declared.learners]
    return tuple(sorted(found, key=lambda learner: learner.name))


def searches() -> dict[str, Search]:
    """Return the search of each learner, by name.

    Examples
    --------
    >>> searches()["ID3"].space, searches()["ID3"].cost
    ('decision trees', 'n d per level; sorted numbers n d log n')
    """
    return {name: each for declared in declarations().values() for name, each in declared.searches.items()}


def learner_modules() -> dict[str, str]:
    """Return the module of every learner, by name."""
    return {
        learner.name: f"induce.{package}.{learner.home}"
        for package, declared in declarations().items()
        for learner in declared.learners
    }


def public_names() -> dict[str, str]:
    """Return the module of every name of `induce`.

    Examples
    --------
    >>> public_names()["CN2"], public_names()["dataset"]
    ('induce.rules.learners.cn2', 'induce.data.catalogue')
    """
    others = {
        name: f"induce.{package}.{home}"
        for package, declared in declarations().items()
        for name, home in declared.public.items()
    }
    return {"learners": "induce.core.declarations", **learner_modules(), **others}


def exported_names(package: str) -> dict[str, str]:
    """Return the module of every name that a package exports."""
    return {
        name: home if home.startswith("induce.") else f"induce.{package}.{home}"
        for name, home in declarations()[package].exports.items()
    }


def stubs() -> dict[str, str]:
    """Return the stub file of every package whose names are imported on first use."""
    own = {
        package: stub(exported_names(package))
        for package, declared in declarations().items()
        if declared.exports
    }
    packages = "".join(f"from induce import {package} as {package}\n" for package in declarations())
    return {"": f"{stub(public_names())}{packages}\n__version__: str\n", **own}


def stub(names: Mapping[str, str]) -> str:
    """Return the stub file of a package with some names.

    Examples
    --------
    >>> stub({"dataset": "induce.data.catalogue"})
    'from induce.data.catalogue import dataset as dataset\\n'
    """
    ordered = sorted((home, name) for name, home in names.items())
    return "".join(f"from {home} import {name} as {name}\n" for home, name in ordered)
