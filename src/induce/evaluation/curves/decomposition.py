"""Bias, variance and noise decomposition of the error (AIMA section 18.4.2; Mitchell section 5.3.4).

Squared loss uses the decomposition of Geman, Bienenstock and Doursat (1992). Zero-one loss uses Domingos'
(2000), which includes that of Kong and Dietterich (1995).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_regressor

from induce.core.checks import at_least, one_of
from induce.core.errors import InputError
from induce.core.estimator import rows_at
from induce.core.progress import progress, report
from induce.core.randomness import RandomState, generator
from induce.core.ties import best_of
from induce.evaluation.curves.errors import named
from induce.evaluation.estimating.fits import Tested, fit_and_predict
from induce.evaluation.estimating.splits import Split, numbers, rows_of, target
from induce.evaluation.losses.rows import SQUARED, ZERO_ONE
from induce.evaluation.reports import Report, Table, legend_above
from induce.hypotheses.naming import plural, value_text
from induce.pictures.style import DARK, GREY, LINE, PALETTE, axes_for, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
Sampler = Callable[[int, Any], tuple[Any, Any]]

BOOTSTRAP, HALVES = "bootstrap", "halves"


@dataclass(frozen=True)
class BiasVariance:
    """Components of an expected error, averaged over rows.

    ``error = bias + unbiased_variance - biased_variance + noise_effect``, exactly. For squared loss the biased
    variance is 0 and the noise effect is the noise, which leaves bias² + variance + noise.

    Parameters
    ----------
    loss : {"zero-one", "squared"}
    error : float
        Expected loss over training sets, and over the noise if it is known.
    bias : float
        Bias. Zero-one: rate at which the most frequent prediction is not the optimal one. Squared: mean
        squared deviation of the mean prediction. It includes the noise unless the noise is known.
    unbiased_variance : float
        Error added where predictions deviate from a correct main prediction.
    biased_variance : float
        Error avoided where predictions deviate from a wrong main prediction.
    variance : float
        Variation of predictions between training sets: mean deviation from the main prediction, or mean squared
        deviation from the mean.
    noise : float or None
        Bayes error; None if it cannot be separated from the bias.
    noise_effect : float
        Contribution of the noise to the error. Under zero-one loss, noise sometimes makes wrong predictions
        correct.
    n, repeats : int
        Number of test rows and number of training sets.
    n_train : int
        Number of rows in each training set.
    fit_seconds : float
        Median training time.
    """

    loss: str
    error: float
    bias: float
    unbiased_variance: float
    biased_variance: float
    variance: float
    noise: float | None
    noise_effect: float
    n: int
    repeats: int
    n_train: int
    fit_seconds: float

    @property
    def net_variance(self) -> float:
        """Net contribution of variance to the error."""
        return self.unbiased_variance - self.biased_variance

    @property
    def kong_dietterich(self) -> tuple[float, float]:
        """Bias and variance as defined by Kong and Dietterich, where the variance is the error minus the bias."""
        if self.loss != ZERO_ONE:
            raise InputError(
                "Kong and Dietterich's decomposition is defined for zero-one loss; give loss='zero-one'"
            )
        return self.bias, self.error - self.bias


@dataclass(frozen=True)
class ErrorSources(Report):
    """Error components of several learners.

    Parameters
    ----------
    learners : mapping
        `BiasVariance` of each learner; also available as ``sources["C45"]``.
    method : str
        Source of the training sets.
    """

    learners: Mapping[str, BiasVariance]
    method: str

    def __getitem__(self, name: str) -> BiasVariance:
        return self.learners[name]

    @property
    def _first(self) -> BiasVariance:
        return next(iter(self.learners.values()))

    def caption(self) -> str:
        """Return the heading of the table."""
        first = self._first
        return f"{first.loss} loss over {self.method} of {rows_of(first.n_train)}"

    def table(self) -> Table:
        """Return the header and one row per learner."""
        known = self._first.noise is not None
        header = ("learner", "error", "bias" if known else "bias and noise", "net variance")
        rows = [
            (
                name,
                *(f"{part:.3f}" for part in (each.error, each.bias, each.net_variance)),
                *([f"{each.noise_effect:.3f}"] if known else []),
            )
            for name, each in self.learners.items()
        ]
        return (*header, *(["noise"] if known else [])), rows

    def remark(self) -> str:
        """Return a remedy for the largest component of each learner."""
        return "\n".join(f"{name}: {_advice(each)}" for name, each in self.learners.items())

    def draw(self, ax: Axes | None = None) -> Figure:
        """Return a stacked bar chart of the error components, one bar per learner."""
        names = list(self.learners)
        figure, axes = axes_for(ax, 7.5, 1.5 + 0.45 * len(names))
        parts = list(self.learners.values())
        known = self._first.noise is not None
        shown = [("bias" if known else "bias and noise", [each.bias for each in parts], PALETTE[0])]
        if known:
            shown.append(("noise", [each.noise_effect for each in parts], GREY))
        # drawn last, so that the part it cancels is hatched in its own colour
        shown.append(("variance", [each.unbiased_variance for each in parts], PALETTE[1]))
        left = np.zeros(len(parts))
        for label, widths, colour in shown:
            axes.barh(names, widths, left=left, color=colour, label=label)
            left = left + np.array(widths)
        errors = np.array([each.error for each in parts])
        if any(each.biased_variance for each in parts):
            style: dict[str, Any] = {"color": "none", "edgecolor": "white", "hatch": "////", "lw": 0}
            axes.barh(names, left - errors, left=errors, **style)
            axes.barh(names, 0, color=LINE, edgecolor="white", hatch="////", label="undone by variance")
        axes.plot(errors, names, "d", color=DARK, ms=6, ls="", label="error")
        axes.set_yticks(range(len(names)), names, parse_math=False)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlabel(f"{self._first.loss} loss")
        tidy(axes, "x")
        legend_above(axes, 5)
        return figure


def bias_variance(
    learner: Any,
    X: Any,
    y: Any,
    *,
    repeats: int = 50,
    loss: str | None = None,
    resampling: str = BOOTSTRAP,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> ErrorSources:
    """Decompose an error by training on many resampled training sets and comparing the predictions.

    The observed label of a row is taken as the truth, so noise counts as bias; `known_bias_variance`
    separates them. Bias is the error that the hypothesis space or the search cannot avoid; more rows do not
    reduce it, but they reduce variance. Rows are predicted only by hypotheses that have not seen them.

    Parameters
    ----------
    learner : estimator, or mapping of names to estimators
        One or several learners; copies are fitted. Several learners get the same training sets.
    X, y : frame or array, series or array
        Table and target.
    repeats : int
        Number of training sets.
    loss : {"zero-one", "squared"}, optional
        Loss function. None: zero-one for classifiers, squared for regressors.
    resampling : {"bootstrap", "halves"}
        Resampling method: draw a bootstrap sample and test on the out-of-bag rows, or train on one half and
        test on the other. Halves contain no duplicates but are smaller.
    n_jobs : int, optional
        Number of parallel jobs; it does not affect the result.
    random_state : int, Generator or None
        Random seed.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("wine")
    >>> trees = {"stump": induce.ID3(max_depth=1), "tree": induce.ID3()}
    >>> sources = bias_variance(trees, X, y, repeats=20)
    >>> [f"{each.bias:.3f} {each.net_variance:.3f}" for each in sources.learners.values()]
    ['0.388 0.063', '0.051 0.036']
    """
    learners, loss = named(learner), _loss(learner, loss)
    at_least("repeats", repeats, 2, whole=True)
    one_of("resampling", resampling, (BOOTSTRAP, HALVES))
    actual = numbers(X, y) if loss == SQUARED else target(X, y)
    if len(actual) < 2:
        raise InputError("X has one row, which leaves none to test on; give at least two")
    random = generator(random_state)
    splits = [_resampled(len(actual), resampling, random) for _ in range(repeats)]
    method = {BOOTSTRAP: plural(repeats, "bootstrap sample"), HALVES: f"{repeats} random halves"}[resampling]
    return _sources(learners, X, y, splits, actual, None, loss, method, n_jobs)


def known_bias_variance(
    learner: Any,
    sampler: Sampler,
    truth: Callable[[Any], Any],
    *,
    n_train: int = 100,
    n_test: int = 1000,
    repeats: int = 50,
    loss: str | None = None,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> ErrorSources:
    """Decompose an error for a known distribution, so that bias, variance and noise can be separated.

    Parameters
    ----------
    learner : estimator, or mapping of names to estimators
        One or several learners; copies are fitted.
    sampler : callable
        Function that draws rows: ``sampler(n, random_state)`` returns `n` rows as ``(X, y)``, like the functions of
        `induce.data.generate`.
    truth : callable
        Function that returns the truth for rows `X`. Zero-one loss: the class of each row, or a mapping from each
        class to its probabilities; squared loss: the expected value of each row, or a pair of expected values and
        variances.
    n_train, n_test : int
        Number of rows in each training set, and number of test rows.
    repeats, loss, n_jobs, random_state
        Parameters of `bias_variance`.

    Examples
    --------
    >>> import induce
    >>> from induce.data.generate import restaurant, restaurant_space
    >>> full = induce.ID3().fit(*restaurant_space())
    >>> sources = known_bias_variance(induce.ID3(), restaurant, full.predict, n_train=50, repeats=20)
    >>> found = sources["ID3"]
    >>> found.noise, round(found.bias, 3), round(found.net_variance, 3)
    (0.0, 0.03, 0.026)
    """
    learners, loss = named(learner), _loss(learner, loss)
    for name, value, least in (("n_train", n_train, 1), ("n_test", n_test, 1), ("repeats", repeats, 2)):
        at_least(name, value, least, whole=True)
    X, y = sampler(n_test + repeats * n_train, generator(random_state))
    actual = numbers(X, y) if loss == SQUARED else target(X, y)
    if len(actual) != n_test + repeats * n_train:
        raise InputError(
            f"sampler returned {rows_of(len(actual))} instead of {n_test + repeats * n_train}; it must "
            "return the requested number"
        )
    test = np.arange(n_test, dtype=np.intp)
    blocks = np.arange(n_test, len(actual), dtype=np.intp).reshape(repeats, n_train)
    splits: list[Split] = [(block, test) for block in blocks]
    method = plural(repeats, "drawn sample")
    return _sources(learners, X, y, splits, actual, truth(rows_at(X, test)), loss, method, n_jobs)


def zero_one_parts(predicted: Floats, true: Floats) -> dict[str, Floats]:
    """Return the components of the zero-one loss of each row (Domingos 2000).

    Parameters
    ----------
    predicted : array, shape (rows, classes)
        Fraction of the training sets for which each class is predicted.
    true : array, shape (rows, classes)
        Probability of each class.

    Examples
    --------
    >>> parts = zero_one_parts(np.array([[0.3, 0.7]]), np.array([[1.0, 0.0]]))
    >>> [round(float(parts[name][0]), 6) for name in ("error", "bias", "biased_variance")]
    [0.7, 1.0, 0.3]
    """
    rows = np.arange(len(predicted))
    best, main = true.argmax(axis=1), predicted.argmax(axis=1)
    right, agree = predicted[rows, best], (predicted * true).sum(axis=1)
    noise = 1 - true[rows, best]
    biased = main != best
    variance = 1 - predicted[rows, main]
    return {
        "error": 1 - agree,
        "bias": biased.astype(np.float64),
        "unbiased_variance": np.where(biased, 0.0, variance),
        "biased_variance": np.where(biased, right, 0.0),  # with two classes this is the variance itself
        "variance": variance,
        "noise": noise,
        # noise spoils a correct prediction but occasionally makes a wrong one correct
        "noise_effect": noise * right - (agree - right * (1 - noise)),
    }


def squared_parts(
    mean: Floats, spread: Floats, times: Floats, true: Floats, noise: Floats
) -> dict[str, Floats]:
    """Return the components of the squared loss of each row (Geman, Bienenstock and Doursat 1992).

    Bias and variance are corrected for the number of predictions, because the mean of a few predictions is itself
    random.

    Parameters
    ----------
    mean, spread, times : array
        Mean prediction of each row, mean squared deviation of its predictions, and number of predictions.
    true, noise : array
        Expected value of each row, and its variance.

    Examples
    --------
    >>> parts = squared_parts(*(np.array([value]) for value in (1.0, 2.0, 5.0, 3.0, 0.25)))
    >>> [float(parts[name][0]) for name in ("error", "bias", "variance", "noise")]
    [6.25, 3.5, 2.5, 0.25]
    """
    variance = spread * times / (times - 1)
    return {
        "error": noise + (mean - true) ** 2 + spread,
        "bias": (mean - true) ** 2 - variance / times,
        "unbiased_variance": variance,
        "biased_variance": np.zeros_like(variance),
        "variance": variance,
        "noise": noise,
        "noise_effect": noise,
    }


def _loss(learner: Any, loss: str | None) -> str:
    numeric = is_regressor(next(iter(named(learner).values())))
    if loss is None:
        return SQUARED if numeric else ZERO_ONE
    one_of("loss", loss, (ZERO_ONE, SQUARED))
    if numeric and loss == ZERO_ONE:
        raise InputError("loss is 'zero-one', which is for classifiers; give 'squared' for a regressor")
    return loss


def _resampled(n: int, resampling: str, random: np.random.Generator) -> Split:
    if resampling == HALVES:
        order = random.permutation(n)
        return order[: n // 2], order[n // 2 :]
    while True:  # a bootstrap sample of few rows may contain all of them, which leaves none to test on
        train = random.integers(0, n, n)
        test = np.setdiff1d(np.arange(n), train)
        if len(test):
            return train, test


def _sources(
    learners: Mapping[str, Any],
    X: Any,
    y: Any,
    splits: Sequence[Split],
    actual: NDArray[Any],
    truth: Any,
    loss: str,
    method: str,
    n_jobs: int | None,
) -> ErrorSources:
    taken_apart = _squared if loss == SQUARED else _zero_one
    found = {}
    for k, (name, learner) in enumerate(learners.items(), start=1):
        with progress(lambda share: None):  # the progress of one learner is not the overall progress
            tested = fit_and_predict(learner, X, y, splits, n_jobs=n_jobs)
        report(k / len(learners))
        parts = taken_apart(tested, actual, truth)
        means: dict[str, Any] = {part: float(values.mean()) for part, values in parts.items()}
        if truth is None:
            means["noise"] = None
        found[name] = BiasVariance(
            loss=loss,
            n=len(parts["error"]),
            repeats=len(splits),
            n_train=len(np.asarray(splits[0][0])),
            fit_seconds=float(np.median([each.fit_seconds for each in tested])),
            **means,
        )
    return ErrorSources(found, method)


def _rows_tested(
    tested: Sequence[Tested], n: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the row of every prediction, the predictions per row, and the rows predicted at least twice."""
    rows = np.concatenate([each.test for each in tested])
    times = np.bincount(rows, minlength=n)
    often = np.flatnonzero(times >= 2)
    if not len(often):
        raise InputError("repeats is too small: no row was predicted twice; give a larger number")
    return rows, times, often


def _zero_one(tested: Sequence[Tested], actual: NDArray[Any], truth: Any) -> dict[str, Floats]:
    rows, times, often = _rows_tested(tested, len(actual))
    said = np.concatenate([each.predicted for each in tested])
    known = [*truth] if isinstance(truth, Mapping) else ([] if truth is None else np.asarray(truth).tolist())
    classes = np.unique(np.concatenate([actual, said, np.asarray(known, dtype=actual.dtype)]))
    counts = np.zeros((len(actual), len(classes)))
    np.add.at(counts, (rows, np.searchsorted(classes, said)), 1)
    predicted = counts[often] / times[often, None]
    if isinstance(truth, Mapping):
        return zero_one_parts(predicted, _probabilities(truth, classes, len(often)))
    labels = actual[often] if truth is None else _column("truth", truth, len(often))
    return zero_one_parts(predicted, np.eye(len(classes))[np.searchsorted(classes, labels)])


def _squared(tested: Sequence[Tested], actual: NDArray[Any], truth: Any) -> dict[str, Floats]:
    rows, times, often = _rows_tested(tested, len(actual))
    said = np.concatenate([each.predicted for each in tested]).astype(np.float64)
    mean = np.bincount(rows, said, len(actual)) / np.maximum(times, 1)
    spread = np.bincount(rows, (said - mean[rows]) ** 2, len(actual)) / np.maximum(times, 1)
    expected, noise = truth if isinstance(truth, tuple) else (truth, np.zeros(len(often)))
    expected = actual[often] if truth is None else _column("truth", expected, len(often)).astype(np.float64)
    noise = _column("the noise of truth", noise, len(often)).astype(np.float64)
    if not (np.isfinite(expected).all() and np.isfinite(noise).all() and (noise >= 0).all()):
        raise InputError("truth contains values that are not finite, or negative variances")
    return squared_parts(mean[often], spread[often], times[often].astype(np.float64), expected, noise)


def _column(what: str, values: ArrayLike, n: int) -> NDArray[Any]:
    column = np.asarray(values)
    if column.shape != (n,):
        raise InputError(f"{what} has the shape {column.shape} for {rows_of(n)}; give one value for each")
    return column


def _probabilities(truth: Mapping[Any, Any], classes: NDArray[Any], n: int) -> Floats:
    by_class = {str(value): chances for value, chances in truth.items()}
    table = np.zeros((n, len(classes)))
    for k, value in enumerate(classes):
        if str(value) in by_class:
            what = f"truth of {value_text(value)}"
            table[:, k] = _column(what, by_class[str(value)], n)
    if not (np.isfinite(table).all() and (table >= 0).all() and np.allclose(table.sum(axis=1), 1)):
        raise InputError("truth must give nonnegative probabilities that sum to 1 in each row")
    return table


def _advice(found: BiasVariance) -> str:
    parts = {
        "variance": found.net_variance,
        "bias" if found.noise is not None else "bias or noise": found.bias,
        "noise": found.noise_effect,
    }
    largest = best_of(parts, parts.__getitem__)
    if not parts[largest] > 0:
        return "the error is negligible"
    remedy = {
        "variance": "more rows, averaging or a smaller hypothesis space help",
        "bias": "a richer hypothesis space or a better search helps, but more rows do not",
        "bias or noise": "a richer hypothesis space or better attributes may help, but more rows do not",
        "noise": "no learner can do much better with these attributes",
    }
    return f"mostly {largest}: {remedy[largest]}"
