"""Inductive bias: conclusions that follow deductively from the examples and the bias (Mitchell 2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from induce.concepts.boundaries import MOST_GENERAL, at_once
from induce.concepts.facets import Cells, distinct
from induce.concepts.language import Language
from induce.concepts.version_space import VersionSpace
from induce.core.errors import InputError
from induce.core.values import positive_rows


@dataclass(frozen=True)
class Entailment:
    """Conclusion about an instance from the examples, if the language contains the concept.

    Parameters
    ----------
    follows : bool or None
        Entailed class, True or False; None if neither is entailed.
    proof : str
        Proof in one sentence.
    """

    follows: bool | None
    proof: str

    def __str__(self) -> str:
        verdict = {True: "positive", False: "negative", None: "undecided"}[self.follows]
        return f"{verdict}: {self.proof}"


def entailed(language: Language, cells: Cells, labels: Any, instance: Sequence[int]) -> Entailment:
    """Deduce the class of an instance from the examples and the bias "the concept is in the language".

    The opposite is assumed and added to the examples; if no hypothesis agrees with that, it is refuted. The
    conclusions are exactly those of candidate elimination with unanimous votes, so they are its inductive
    bias.

    Parameters
    ----------
    language : Language
        Hypothesis language.
    cells : array of int64, shape (rows, attributes)
        Examples, encoded as the index of the cell of each attribute; see `Facet`.
    labels : array
        Whether each example is positive.
    instance : sequence of int
        Instance, encoded in the same way.

    Examples
    --------
    >>> import induce
    >>> import numpy as np
    >>> from induce.concepts import Conjunctions
    >>> sport = induce.dataset("enjoy-sport")
    >>> language = Conjunctions.over(sport.input_schema)
    >>> cells, labels = language.attributes.encode(sport.X), np.array([day == "Yes" for day in sport.y])
    >>> new = language.attributes.encode(induce.dataset("enjoy-sport-new").X)
    >>> print(entailed(language, cells, labels, new[0]))
    positive: were it negative, no hypothesis of the language would agree with the examples
    """
    labels = positive_rows(labels)
    row = np.asarray([instance], dtype=np.int64)
    possible = {
        label: not at_once(language, np.vstack([cells, row]), np.append(labels, label), MOST_GENERAL).empty
        for label in (True, False)
    }
    if not any(possible.values()):
        return Entailment(None, "the examples contradict the bias, so nothing can be concluded")
    for label, name in ((True, "negative"), (False, "positive")):
        if possible[label] and not possible[not label]:
            return Entailment(
                label, f"were it {name}, no hypothesis of the language would agree with the examples"
            )
    return Entailment(None, "hypotheses that agree with the examples disagree on this instance")


@dataclass(frozen=True)
class InductiveBias:
    """Assumptions of a learner: the concepts it can express, and those it prefers.

    Parameters
    ----------
    language : str
        Language bias: the form of every concept; empty if any set of instances is allowed.
    search : str
        Search bias: the preference among the hypotheses that agree with the examples; empty if there is none.

    Examples
    --------
    >>> from induce.concepts import CandidateElimination, FindS
    >>> print(FindS().inductive_bias())
    language bias: the concept is a conjunction of values, groups of values or closed intervals
    search bias: the most specific hypothesis is right, so uncovered instances are negative
    >>> print(CandidateElimination(language="power set", undecided="abstain").inductive_bias())
    language bias: none
    search bias: none
    """

    language: str
    search: str

    def __str__(self) -> str:
        return f"language bias: {self.language or 'none'}\nsearch bias: {self.search or 'none'}"


@dataclass(frozen=True)
class BiasStrengths:
    """Number of instances that each of three learners classifies, from no bias to a strong one.

    Parameters
    ----------
    instances : int
        Number of all instances.
    rote, candidate_elimination, find_s : int
        Number of instances in the rote learner's table, number on which all hypotheses agree, and total
        number, because Find-S classifies all: it predicts negative wherever it cannot prove positive.
    """

    instances: int
    rote: int
    candidate_elimination: int
    find_s: int

    def __str__(self) -> str:
        rows = (
            ("rote learner (no bias)", self.rote),
            ("candidate elimination (the concept is in the language)", self.candidate_elimination),
            ("Find-S (and whatever does not follow is negative)", self.find_s),
        )
        return "\n".join(f"{name}: {number} of {self.instances}" for name, number in rows)


MOST_INSTANCES = 1_000_000


def bias_strengths(language: Language, cells: Cells, labels: Any) -> BiasStrengths:
    """Count the instances that each of three learners can classify (Mitchell 2.7.3).

    Parameters
    ----------
    language : Language
        Hypothesis language.
    cells : array of int64, shape (rows, attributes)
        Examples, encoded as the index of the cell of each attribute; see `Facet`.
    labels : array
        Whether each example is positive.
    """
    labels = positive_rows(labels)
    n = language.attributes.n_instances
    if n > MOST_INSTANCES:
        raise InputError(f"there are {n:.3g} instances, too many to enumerate; use fewer attributes")
    bounds = at_once(language, cells, labels, MOST_GENERAL)
    if bounds.empty:
        raise InputError("no hypothesis of the language agrees with the examples, so nothing follows")
    everything = np.array(list(language.attributes.instances()), dtype=np.int64)
    space = VersionSpace(
        language, "class", (False, True), True, bounds.specific, bounds.general, bounds.negatives
    )
    return BiasStrengths(n, len(distinct(cells)[0]), int((space.verdicts(everything) != 0).sum()), n)
