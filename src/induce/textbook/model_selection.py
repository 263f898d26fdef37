"""Russell and Norvig, sections 18.2 and 18.4: curve fitting, losses and model selection."""

from __future__ import annotations

from typing import Any

import induce
from induce.textbook.measuring import all_as_printed, as_printed
from induce.textbook.result import Outcome, Result

DEGREES = range(9)
POINTS = (1.5, 3.5625, 5.8, 5.3875, 5.6, 3.2125, 2.7, 1.0375, 1.5, 1.3625, 3.9, 6.6875, 13.3)
VALIDATION = (
    *("11.845597", "13.727532", "15.856274", "0.440165", "0.605450"),
    *("2.240833", "0.772719", "6.888879", "15.527422"),
)
CUBIC = ("0.49137529", "-3.90299700", "7.69925907", "1.21730769")


def _line() -> Outcome:
    import numpy as np

    from induce.evaluation.choosing.hypotheses import ockham

    x = np.arange(8.0)
    y = 0.4 * x + 3
    fits = {f"degree {degree}": np.poly1d(np.polyfit(x, y, degree)) for degree in (1, 7)}
    seventh = np.polyfit(x, y, 7)
    choice = ockham(fits, x, y, complexity=lambda fit: float(fit.order), tolerance=1e-6)
    leading = float(np.abs(seventh[:6]).max())
    return Outcome(
        f"degree 7: {seventh[6]:.4f} x + {seventh[7]:.4f}, the other coefficients at most "
        f"{max(leading, 1e-6):.0e}; simplest: {choice.best[0]}",
        all_as_printed(seventh[6:].tolist(), ("0.4000", "3.0000"))
        and leading < 1e-6
        and choice.best == ("degree 1",),
        "least squares on x = 0, …, 7; Ockham's razor takes the simplest hypothesis that fits all points",
    )


def _sine() -> Outcome:
    import numpy as np

    from induce.statistics.least_squares import least_squares

    x = np.arange(7.0)
    y = 0.5 * x + 1 + 2 * np.sin(x)
    fits = {degree: np.poly1d(least_squares(np.vander(x, degree + 1), y)) for degree in range(1, 7)}
    sums = [float(((fit(x) - y) ** 2).sum()) for fit in fits.values()]
    basis = least_squares(np.column_stack([x, np.ones(7), np.sin(x)]), y)
    at_8 = [float(fits[6](8)), float(fits[1](8)), float(0.5 * 8 + 1 + 2 * np.sin(8))]
    return Outcome(
        f"squared errors by degree: {', '.join(f'{value:.6f}' for value in sums)}; basis: "
        f"{basis[0]:.4f} x + {basis[1]:.4f} + {basis[2]:.4f} sin x; at 8: {', '.join(f'{v:.6f}' for v in at_8)}",
        all_as_printed(sums, ("7.169912", "6.891257", "0.119606", "0.0945", "0.00005", "0.000000"))
        and all_as_printed(basis.tolist(), ("0.5000", "1.0000", "2.0000"))
        and all_as_printed(at_8, ("-3.104977", "2.790093", "6.978716")),
        "y = 0.5 x + 1 + 2 sin x for x = 0, …, 6; at 8: the polynomial of degree 6, the line, the truth",
    )


def _polynomial() -> Any:
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures

    # scaled to [-1, 1]: high powers of values up to 6 are ill-conditioned for scikit-learn's least squares
    return make_pipeline(MinMaxScaler((-1, 1)), PolynomialFeatures(), LinearRegression())


def _degree() -> Outcome:
    import numpy as np

    from induce.evaluation.choosing.wrapper import cross_validation_wrapper

    x = np.arange(0, 6.5, 0.5)[:, None]
    found = cross_validation_wrapper(
        _polynomial(), x, np.array(POINTS), "polynomialfeatures__degree", DEGREES, "loo", tol=None
    )
    errors = found.validation_error.tolist()
    cubic = np.polyfit(x[:, 0], found.learner.predict(x), 3).tolist()
    return Outcome(
        f"errV {', '.join(f'{value:.6f}' for value in errors)}; best size {found.best_size}: "
        f"{', '.join(f'{value:.6f}' for value in cubic)}",
        all_as_printed(errors, VALIDATION) and found.best_size == 3 and all_as_printed(cubic, CUBIC),
        "polynomials of degree 0 to 8, leave-one-out, squared error; coefficients of the cubic fitted "
        "to all thirteen points, highest power first",
    )


def _spam() -> Outcome:
    from induce.evaluation.losses.table import LossTable

    table = LossTable.read("spam>nospam=1, nospam>spam=10")
    n = 1000
    lets_through = float(table.of(["spam"] * n, ["nospam"] * 10 + ["spam"] * (n - 10)).mean())
    throws_away = float(table.of(["nospam"] * n, ["spam"] * 5 + ["nospam"] * (n - 5)).mean())
    return Outcome(
        f"{lets_through:.3f} and {throws_away:.3f} per message",
        as_printed(lets_through, "0.010") and as_printed(throws_away, "0.050"),
        "an error of 1% that lets spam through, against an error of 0.5% that discards mail",
    )


def _threshold() -> Outcome:
    from induce.evaluation.losses.table import LossTable

    threshold = LossTable.read("spam>nospam=1, nospam>spam=10").threshold("spam")
    return Outcome(f"{threshold:.6f}", as_printed(threshold, "0.909091"))


def _losses() -> Outcome:
    from induce.evaluation.losses.rows import row_losses

    absolute, squared, zero_one = (
        float(row_losses(loss, [137.035999], [137.036])[0]) for loss in ("absolute", "squared", "zero-one")
    )
    return Outcome(
        f"L1 {absolute:.0e}, L2 {squared:.0e}, L0/1 {zero_one:.0f}",
        f"{absolute:.0e} {squared:.0e} {zero_one:.0f}" == "1e-06 1e-12 1",
    )


def _description() -> Outcome:
    from induce.evaluation.choosing.description import shortest_description

    X, y = induce.dataset("restaurant")
    depths = {"one leaf": 0, "Pat alone": 1, "the full tree": None}
    trees = {name: induce.ID3(max_depth=depth).fit(X, y) for name, depth in depths.items()}
    choice = shortest_description(trees, X, y)
    bits = choice["total bits"]
    return Outcome(
        ", ".join(f"{name} {value:.4f} bits" for name, value in bits.items()),
        all_as_printed(list(bits.values()), ("15.5522", "20.0668", "35.9996"))
        and choice.best == ("one leaf",),
        "one bit per node, log2 of the remaining attributes per test, one bit per leaf; the "
        "exceptions among n examples take log2(n + 1) + log2 C(n, k). With Mitchell's code of "
        "exceptions Pat alone is shortest",
    )


RESULTS = (
    Result(
        "aima-18.1-line",
        "Russell and Norvig, figure 18.1",
        "a line fits collinear data exactly, and so does a polynomial of degree 7, which is that line",
        "0.4 x + 3",
        _line,
    ),
    Result(
        "aima-18.1-sine",
        "Russell and Norvig, figure 18.1",
        "a line plus a sine fits exactly with three parameters what needs a polynomial of degree 6",
        "[squared errors 7.169912, 6.891257, 0.119606, 0.0945, 0.00005, 0; 0.5 x + 1 + 2 sin x]",
        _sine,
    ),
    Result(
        "aima-18.8-cross-validation-wrapper",
        "Russell and Norvig, figure 18.8",
        "the wrapper finds the degree of lowest validation error and retrains with it on all examples",
        "[degree 3 of 0 to 8, with errV 0.440165]",
        _degree,
    ),
    Result(
        "aima-18.4.2-spam",
        "Russell and Norvig, section 18.4.2",
        "1% of error can be better than 0.5% if discarding mail is ten times worse than letting spam through",
        "[0.01 and 0.05 per message]",
        _spam,
    ),
    Result(
        "aima-18.4.2-spam-threshold",
        "Russell and Norvig, section 18.4.2",
        "the probability threshold for calling a message spam, with these losses",
        "[10/11 = 0.909091]",
        _threshold,
    ),
    Result(
        "aima-18.4.2-losses",
        "Russell and Norvig, section 18.4.2",
        "the losses of predicting 137.036 when 137.035999 is true",
        "[L1 0.000001, L2 0.000000000001, L0/1 1]",
        _losses,
    ),
    Result(
        "aima-18.4.3-description-length",
        "Russell and Norvig, section 18.4.3",
        "minimum description length weighs the size of a tree against its exceptions, with no "
        "parameter to set",
        "[one leaf 15.5522, Pat alone 20.0668, the full tree 35.9996 bits]",
        _description,
    ),
)
