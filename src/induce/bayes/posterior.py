"""Posterior over hypotheses given observations, and its uses: MAP, ML, MDL, Bayes-optimal, Gibbs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from induce.bayes.decisions import Decision
from induce.bayes.hypothesis_set import Floats, HypothesisSet
from induce.bayes.prediction import Prediction
from induce.core.errors import InputError
from induce.core.randomness import RandomState, generator
from induce.core.reports import text_table
from induce.core.ties import first_largest, first_largest_of_each, largest_first
from induce.hypotheses.naming import plural

MOST_SHOWN = 20
_EQUAL = 1e-12
_LN2 = float(np.log(2))

Utilities = Mapping[str, Mapping[str, float]] | Callable[[str, Any], float]


@dataclass(frozen=True)
class Audit:
    """Whether a hypothesis is one of the most probable, and one of the most likely.

    Parameters
    ----------
    hypothesis : str
        Name of the hypothesis.
    is_map : bool
        Whether it is one of the most probable hypotheses.
    is_ml : bool
        Whether it is one of the hypotheses of maximum likelihood.

    Examples
    --------
    >>> print(Audit("h1", True, False))
    h1 is MAP, but not ML
    """

    hypothesis: str
    is_map: bool
    is_ml: bool

    def __str__(self) -> str:
        verdict = {
            (True, True): "MAP and ML",
            (True, False): "MAP, but not ML",
            (False, True): "ML, but not MAP",
            (False, False): "neither MAP nor ML",
        }[self.is_map, self.is_ml]
        return f"{self.hypothesis} is {verdict}"


@dataclass(frozen=True, eq=False)
class Posterior:
    """Posterior probabilities of hypotheses given observations (Mitchell 6.2; AIMA 20.1).

    It is immutable: `update` returns a new posterior. All sums are of logarithms, so that long sequences do not
    underflow.

    Parameters
    ----------
    hypothesis_set : HypothesisSet
        Hypotheses with priors and likelihoods.
    log_likelihood : array
        Natural logarithm of P(D | h) of each hypothesis.
    n : int
        Number of observations.

    Examples
    --------
    A test for a rare cancer is positive, twice (Mitchell 6.2.1 and exercise 6.1):

    >>> patients = HypothesisSet(
    ...     {"cancer": {"+": 0.98, "-": 0.02}, "healthy": {"+": 0.03, "-": 0.97}}, [0.008, 0.992])
    >>> once = patients.posterior().update("+")
    >>> print(once)
    posterior after 1 observation
               prior  P(D|h)  posterior
    cancer   0.00800    0.98    0.20851
    healthy  0.99200    0.03    0.79149  MAP
    >>> once.ml_hypothesis, round(once.update("+")["cancer"], 4)
    ('cancer', 0.8959)
    """

    hypothesis_set: HypothesisSet
    log_likelihood: Floats
    n: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the hypotheses."""
        return self.hypothesis_set.names

    @cached_property
    def _log_joint(self) -> Floats:
        return np.asarray(self.hypothesis_set.log_prior + self.log_likelihood, np.float64)

    @cached_property
    def log_evidence(self) -> float:
        """Natural logarithm of P(D)."""
        return float(np.logaddexp.reduce(self._log_joint))

    @cached_property
    def probabilities(self) -> Floats:
        """P(h | D) of each hypothesis, in order."""
        chances = np.exp(self._log_joint - self.log_evidence)
        return np.asarray(chances / chances.sum())

    def __getitem__(self, hypothesis: Any) -> float:
        return float(self.probabilities[self.hypothesis_set.place(hypothesis)])

    def update(self, observation: Any) -> Posterior:
        """Return the posterior after one more observation."""
        likelihoods = self.hypothesis_set.likelihoods(observation)
        if not (likelihoods >= 0).all():
            odd = int(np.flatnonzero(~(likelihoods >= 0))[0])
            found = f"{likelihoods[odd]} under {self.names[odd]}"
            raise InputError(f"the likelihood of {observation!r} is {found}; give a number of at least 0")
        with np.errstate(divide="ignore"):
            logs = np.log(likelihoods)
        updated = self.given(logs, f"{observation!r} is impossible")
        return Posterior(self.hypothesis_set.after(observation), updated.log_likelihood, updated.n)

    def update_all(self, observations: Iterable[Any]) -> Posterior:
        """Return the posterior after further observations; their order does not matter."""
        posterior = self
        for observation in observations:
            posterior = posterior.update(observation)
        return posterior

    def given(self, log_likelihood: ArrayLike, trouble: str = "the data are impossible") -> Posterior:
        """Return the posterior after data with a known log likelihood for each hypothesis."""
        logs = np.asarray(log_likelihood, np.float64)
        odd = np.isnan(logs) | np.isposinf(logs)
        if odd.any():
            name = self.names[int(np.flatnonzero(odd)[0])]
            raise InputError(f"the log-likelihood of {name} is NaN or plus infinity; check the function")
        after = Posterior(self.hypothesis_set, self.log_likelihood + logs, self.n + 1)
        if np.isneginf(after._log_joint).all():
            raise InputError(
                f"{trouble} under the remaining hypotheses, so none of the hypotheses can be true; "
                "allow for noise, or give other hypotheses"
            )
        return after

    @property
    def map_hypotheses(self) -> tuple[str, ...]:
        """Most probable hypotheses, all of them if tied (equation 6.2)."""
        return tuple(self.names[k] for k in maximisers(self._log_joint))

    @property
    def map_hypothesis(self) -> str:
        """Most probable hypothesis; ties go to the first."""
        return self.map_hypotheses[0]

    @property
    def ml_hypotheses(self) -> tuple[str, ...]:
        """Hypotheses of maximum likelihood, all of them if tied (equation 6.3)."""
        return tuple(self.names[k] for k in maximisers(self.log_likelihood))

    @property
    def ml_hypothesis(self) -> str:
        """Hypothesis of maximum likelihood; ties go to the first."""
        return self.ml_hypotheses[0]

    def audit(self, hypothesis: Any) -> Audit:
        """Return whether a learner's hypothesis is MAP or ML here (section 6.3.2).

        A consistent learner is MAP if the prior is uniform and the data contain no noise; other learners are
        MAP under their implicit prior.
        """
        name = self.names[self.hypothesis_set.place(hypothesis)]
        return Audit(name, name in self.map_hypotheses, name in self.ml_hypotheses)

    @property
    def hypothesis_bits(self) -> Floats:
        """Length of each hypothesis in the code that is optimal for the prior: -log2 P(h)."""
        return np.asarray(-self.hypothesis_set.log_prior / _LN2)

    @property
    def data_bits(self) -> Floats:
        """Length of the data in the code that is optimal for each hypothesis: -log2 P(D | h)."""
        return np.asarray(-self.log_likelihood / _LN2 + 0.0)

    @property
    def mdl_hypotheses(self) -> tuple[str, ...]:
        """Hypotheses of minimum `hypothesis_bits` + `data_bits` (equation 6.17).

        With these codes they are the MAP hypotheses. To use other codes, pass `bits` to the set.
        """
        return tuple(self.names[k] for k in maximisers(-(self.hypothesis_bits + self.data_bits)))

    def predict(self, x: Any = None, outcomes: Sequence[Any] | None = None) -> Prediction:
        """Return the prediction of the next outcome, or of the class of an instance, by all methods.

        Parameters
        ----------
        x : instance
            Instance, for hypotheses that classify; otherwise None.
        outcomes : sequence, optional
            Possible outcomes; None uses all outcomes of the set.

        Examples
        --------
        The most probable hypothesis predicts plus, but minus is more probable (Mitchell 6.7):

        >>> spoken = HypothesisSet([{"+": 1}, {"-": 1}, {"-": 1}], [0.4, 0.3, 0.3])
        >>> found = spoken.posterior().predict()
        >>> found.map_answer, found.answer, round(found.bayes_error, 2), round(found.gibbs_error, 2)
        ('+', '-', 0.4, 0.48)
        """
        asked = self.hypothesis_set.outcomes if outcomes is None else tuple(outcomes)
        if not asked:
            raise InputError("the possible outcomes are unknown; give them as outcomes")
        likelihoods = self.hypothesis_set.outcome_likelihoods(asked, x)
        each_says = first_largest_of_each(likelihoods)
        return Prediction(
            asked,
            np.asarray(self.probabilities @ likelihoods),
            likelihoods[maximisers(self._log_joint)[0]],
            likelihoods[maximisers(self.log_likelihood)[0]],
            np.asarray(np.bincount(each_says, self.probabilities, len(asked)), np.float64),
        )

    def gibbs(self, random_state: RandomState = None) -> str:
        """Return the name of a hypothesis sampled from the posterior: the GIBBS algorithm (Mitchell 6.8)."""
        return str(self.names[int(generator(random_state).choice(len(self.names), p=self.probabilities))])

    def decide(self, utilities: Utilities, actions: Sequence[str] = ()) -> Decision:
        """Return the action of maximum expected utility (AIMA exercise 20.4).

        Parameters
        ----------
        utilities : mapping of mappings, or callable
            Utility of each action under each hypothesis, by names; or a function of an action and a
            hypothesis.
        actions : sequence of str
            Actions, if utilities is a function; the keys of a mapping by default.

        Examples
        --------
        Two medicines for two diseases; taking both costs little:

        >>> doctor = HypothesisSet(["A", "B"], [0.4, 0.6], lambda disease, seen: 1.0).posterior()
        >>> healed = {"anti-A": {"h1": 0, "h2": -100}, "anti-B": {"h1": -100, "h2": 0}, "both": {"h1": -1, "h2": -1}}
        >>> doctor.decide(healed).action, doctor.decide(healed).action_for_map
        ('both', 'anti-B')
        """
        if isinstance(utilities, Mapping):
            actions = tuple(utilities)
            table = [_utilities(action, utilities[action], self.names) for action in actions]
        else:
            table = [
                [float(utilities(action, h)) for h in self.hypothesis_set.hypotheses] for action in actions
            ]
        if not actions:
            raise InputError("there are no actions; give at least one")
        worth = np.array(table, dtype=np.float64)
        most_probable = maximisers(self._log_joint)[0]
        return Decision(
            tuple(actions),
            np.asarray(worth @ self.probabilities),
            actions[first_largest(worth[:, most_probable])],
        )

    def __str__(self) -> str:
        best = set(self.map_hypotheses)
        order = largest_first(self.probabilities)[:MOST_SHOWN]
        shown = range(len(self.names)) if len(self.names) <= MOST_SHOWN else order.tolist()
        rows = [("", "prior", "P(D|h)", "posterior", "")]
        for k in shown:
            chances = (self.hypothesis_set.log_prior[k], self.log_likelihood[k])
            prior, likelihood = (float(np.exp(log)) for log in chances)
            mark = "MAP" if self.names[k] in best else ""
            rows.append(
                (self.names[k], f"{prior:.5f}", f"{likelihood:.3g}", f"{self.probabilities[k]:.5f}", mark)
            )
        left = len(self.names) - len(rows) + 1
        more = [f"… and {left} more"] if left else []
        return "\n".join(
            [f"posterior after {plural(self.n, 'observation')}", text_table(rows, (0, 4)), *more]
        )

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def maximisers(scores: Floats) -> list[int]:
    """Return the positions of the highest scores, including ties up to rounding.

    Examples
    --------
    >>> maximisers(np.array([0.3, 0.1 + 0.2, 0.1]))
    [0, 1]
    """
    most = float(scores.max())
    return [int(k) for k in np.flatnonzero(scores >= most - _EQUAL * max(1.0, abs(most)))]


def _utilities(action: str, given: Mapping[str, float], names: Sequence[str]) -> list[float]:
    missing = [name for name in names if name not in given]
    if missing:
        raise InputError(f"action {action!r} has no utility under {missing[0]}; give one per hypothesis")
    return [float(given[name]) for name in names]
