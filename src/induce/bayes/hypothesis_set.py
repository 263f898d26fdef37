"""Hypotheses with a prior and a likelihood: the input of every Bayesian learner (Mitchell 6.2; AIMA 20.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError

if TYPE_CHECKING:
    from induce.bayes.concept_set import ConceptSet
    from induce.bayes.evolution import Evolution
    from induce.bayes.posterior import Posterior
    from induce.concepts.version_space import VersionSpace

Floats = NDArray[np.float64]
Hypotheses = Mapping[str, Any] | Iterable[Any]
PerHypothesis = Callable[[Any], float] | Mapping[str, float] | Sequence[float] | Floats
"""One number per hypothesis: by a function of the hypothesis, by name or by position."""

_ONE = 1e-9
Set = TypeVar("Set", bound="HypothesisSet")


class HypothesisSet:
    """Exclusive and exhaustive hypotheses, with priors and likelihoods of observations.

    Parameters
    ----------
    hypotheses : mapping or iterable
        Arguments of the likelihood, optionally by name.
    prior : mapping, sequence, callable or None
        Prior P(h). Numbers must sum to 1. The values of a function of the hypothesis are normalised, so that
        a prior that decreases with complexity can be unnormalised. None is the uniform prior.
    likelihood : callable, optional
        P(observation | h), as a function of the hypothesis and the observation; densities are allowed too.
        Not needed for hypotheses that are mappings from outcomes to probabilities, nor for `Posterior.given`.
    outcomes : sequence
        Possible outcomes, for predictions; known for mappings.
    bits : mapping, sequence or callable, optional
        Code lengths of the hypotheses instead of a prior: P(h) is proportional to 2 to the power of -bits.

    Examples
    --------
    Five kinds of bags with an increasing proportion of limes (AIMA 20.1):

    >>> shares = {"h1": 0, "h2": 0.25, "h3": 0.5, "h4": 0.75, "h5": 1}
    >>> bags = HypothesisSet(
    ...     {name: {"cherry": 1 - lime, "lime": lime} for name, lime in shares.items()},
    ...     prior=[0.1, 0.2, 0.4, 0.2, 0.1],
    ... )
    >>> three_limes = bags.posterior(["lime"] * 3)
    >>> three_limes.map_hypothesis, round(three_limes.predict()["lime"], 3)
    ('h5', 0.796)
    """

    needs_instance = False
    """Whether an outcome can be predicted only for an instance."""

    def __init__(
        self,
        hypotheses: Hypotheses,
        prior: PerHypothesis | None = None,
        likelihood: Callable[[Any, Any], float] | None = None,
        outcomes: Sequence[Any] = (),
        *,
        bits: PerHypothesis | None = None,
    ) -> None:
        self.names, self.hypotheses = named(hypotheses)
        self.log_prior = self._log_prior(prior, bits)
        self.log_prior.flags.writeable = False
        self.outcomes = tuple(outcomes) or (self._distributions() if likelihood is None else ())
        self._likelihood = likelihood

    @staticmethod
    def of_version_space(
        space: VersionSpace, prior: PerHypothesis | None = None, noise: float = 0.0
    ) -> ConceptSet:
        """Return the members of a version space as hypotheses; see `ConceptSet`."""
        from induce.bayes.concept_set import ConceptSet

        return ConceptSet(
            space.language,
            [concept.code for concept in space.members()],
            (space.negative, space.positive),
            prior,
            noise,
        )

    def likelihoods(self, observation: Any) -> Floats:
        """Return P(observation | h) of each hypothesis."""
        if self._likelihood is None:
            if not self.outcomes:
                raise InputError(
                    "the hypotheses are not mappings from outcomes to probabilities; give a likelihood"
                )
            return np.array([float(h.get(observation, 0.0)) for h in self.hypotheses])
        return np.array([float(self._likelihood(h, observation)) for h in self.hypotheses])

    def outcome_likelihoods(self, outcomes: Sequence[Any], x: Any = None) -> Floats:
        """Return P(outcome | h), one row per hypothesis; `x` is the instance if outcomes depend on one."""
        return np.column_stack([self.likelihoods(outcome) for outcome in outcomes])

    def after(self: Set, observation: Any) -> Set:
        """Return the hypotheses after an observation; most sets do not change."""
        return self

    def posterior(self, observations: Iterable[Any] = ()) -> Posterior:
        """Return the posterior given observations: BRUTE-FORCE MAP LEARNING (Mitchell 6.3.1).

        The posterior gives P(h | D) of every hypothesis and, as `map_hypothesis`, the most probable one.
        """
        from induce.bayes.posterior import Posterior

        return Posterior(self, np.zeros(len(self.names)), 0).update_all(observations)

    def evolve(self, observations: Iterable[Any]) -> Evolution:
        """Return the posterior after each observation, with a figure (Mitchell figure 6.1, AIMA figure 20.1)."""
        from induce.bayes.evolution import evolution

        return evolution(self, observations)

    def place(self, hypothesis: Any) -> int:
        """Return the position of a hypothesis, given by its name or itself."""
        if isinstance(hypothesis, str) and hypothesis in self.names:
            return self.names.index(hypothesis)
        for place, one in enumerate(self.hypotheses):
            if one is hypothesis or (type(one) is type(hypothesis) and bool(one == hypothesis)):
                return place
        raise InputError(
            f"{hypothesis} is not one of the {len(self.names)} hypotheses; give a hypothesis or its name"
        )

    def _log_prior(self, prior: PerHypothesis | None, bits: PerHypothesis | None) -> Floats:
        n = len(self.names)
        if bits is not None:
            if prior is not None:
                raise InputError("both prior and bits are given, and bits define a prior; give one of them")
            weights = -math.log(2) * numbers_of("bits", bits, self.names, self.hypotheses)
            if np.isnan(weights).any() or not np.isfinite(weights).any():
                raise InputError(
                    "bits contains a non-number or only infinite values; give numbers, "
                    "at least one of them finite"
                )
            return np.asarray(weights - np.logaddexp.reduce(weights), np.float64)
        if prior is None:
            return np.full(n, -math.log(n))
        chances = prior_weights(prior, self.names, self.hypotheses)
        total = float(chances.sum())
        if not callable(prior) and abs(total - 1) > _ONE:
            raise InputError(f"prior sums to {total:.6g}; give probabilities of all hypotheses that sum to 1")
        with np.errstate(divide="ignore"):
            return np.log(chances) - math.log(total)

    def _distributions(self) -> tuple[Any, ...]:
        if not all(isinstance(h, Mapping) for h in self.hypotheses):
            return ()
        for name, h in zip(self.names, self.hypotheses, strict=True):
            chances = np.array(list(h.values()), dtype=np.float64)
            if not (chances >= 0).all() or abs(chances.sum() - 1) > _ONE:
                raise InputError(
                    f"the probabilities of {name} are {list(h.values())}; give probabilities that sum to 1"
                )
        return tuple(dict.fromkeys(outcome for h in self.hypotheses for outcome in h))


def named(hypotheses: Hypotheses) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Return the names and the hypotheses; unnamed ones are numbered."""
    if isinstance(hypotheses, Mapping):
        names, things = tuple(map(str, hypotheses)), tuple(hypotheses.values())
    else:
        things = tuple(hypotheses)
        names = tuple(f"h{k}" for k in range(1, len(things) + 1))
    if not things:
        raise InputError("hypotheses is empty; give at least one")
    if len(set(names)) < len(names):
        raise InputError("two hypotheses have the same name; give each its own name")
    return names, things


def numbers_of(what: str, given: PerHypothesis, names: Sequence[str], things: Sequence[Any]) -> Floats:
    """Return the number of each hypothesis, whatever form the numbers are given in."""
    if callable(given):
        return np.array([float(given(thing)) for thing in things])
    if isinstance(given, Mapping):
        missing = [name for name in names if name not in given]
        if missing:
            raise InputError(f"{what} has no number for {missing[0]}; give one per hypothesis")
        return np.array([float(given[name]) for name in names])
    values = np.asarray(given, dtype=np.float64)
    if values.shape != (len(names),):
        raise InputError(
            f"{what} has the shape {values.shape} for {len(names)} hypotheses; give one per hypothesis"
        )
    return values


def prior_weights(prior: PerHypothesis, names: Sequence[str], things: Sequence[Any]) -> Floats:
    """Return the validated, unnormalised prior of each hypothesis."""
    weights = numbers_of("prior", prior, names, things)
    for name, weight in zip(names, weights.tolist(), strict=True):
        if not 0 <= weight < math.inf:
            raise InputError(f"the prior of {name} is {weight}; give a finite number of at least 0")
    if not weights.any():
        raise InputError("the prior of every hypothesis is 0; give at least one a positive prior")
    return weights
