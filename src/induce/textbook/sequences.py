"""Hidden Markov models: Russell and Norvig, chapter 15 and section 20.3; Mitchell, section 6.12."""

from __future__ import annotations

from induce.sequences.hypothesis import HiddenMarkovChain
from induce.textbook.result import Outcome, Result


def umbrella() -> HiddenMarkovChain:
    """Return the umbrella world: rain persists with probability 0.7, umbrellas show it with 0.9 and 0.2.

    Examples
    --------
    >>> umbrella().decode([True, True, False, True, True]).tolist()
    ['rain', 'rain', 'dry', 'rain', 'rain']
    """
    return HiddenMarkovChain.of(
        {"rain": 0.5, "dry": 0.5},
        {"rain": {"rain": 0.7, "dry": 0.3}, "dry": {"rain": 0.3, "dry": 0.7}},
        {"umbrella": {"rain": {True: 0.9, False: 0.1}, "dry": {True: 0.2, False: 0.8}}},
    )


DAYS = [True, True, False, True, True]


def _path() -> Outcome:
    (best,) = umbrella().best_paths(DAYS)[0]
    return Outcome(
        f"{', '.join(map(str, best.states))}; {best.probability:.9f} jointly with the observations",
        best.states == ("rain", "rain", "dry", "rain", "rain") and f"{best.probability:.9f}" == "0.011573604",
        "enumerating all 32 paths gives the same",
    )


def _baum_welch() -> Outcome:
    from induce.sequences.learners.hidden_markov_model import HiddenMarkovModel

    learner = HiddenMarkovModel(initial=umbrella(), max_iter=5, update=["transitions"], tol=0.0)
    found = learner.fit(DAYS).hypothesis_
    got = ", ".join(f"{value:.6f}" for value in found.log_likelihoods)
    wanted = "-3.372502, -2.958278, -2.791563, -2.715144, -2.682161, -2.668533"
    return Outcome(
        got,
        got == wanted,
        "log likelihood of five days while the transitions are learned; expected counts come from "
        "smoothing, and the last day is not counted, since nothing follows it",
    )


RESULTS = (
    Result(
        "aima-15.2-most-likely-sequence",
        "Russell and Norvig, section 15.2",
        "the most likely weather of five days with an umbrella on all but the third",
        "rain, rain, dry, rain, rain",
        _path,
    ),
    Result(
        "aima-20.3-hidden-markov-models",
        "Russell and Norvig, section 20.3",
        "learning transitions by EM, with expected counts from smoothing, never lowers the likelihood",
        "[-3.372502, -2.958278, -2.791563, -2.715144, -2.682161, -2.668533]",
        _baum_welch,
    ),
)
