"""Players of numeric learners: perceptron, LMS, back-propagation, k-means and EM."""

from __future__ import annotations

from typing import Any

import numpy as np

import induce
from induce.core.trace import trace
from induce.workbench.players.frames import Frame
from induce.workbench.players.sheet import Sheet

MOST_FRAMES = 60


def spaced(items: list[Any], most: int = MOST_FRAMES) -> list[Any]:
    """Return at most `most` items, densest at the beginning, always with the last.

    Examples
    --------
    >>> spaced(list(range(1000)), 5)
    [0, 5, 31, 177, 999]
    """
    if len(items) <= most:
        return items
    steps = np.unique(np.rint(np.geomspace(1, len(items), most) - 1).astype(int))
    return [items[k] for k in steps.tolist()]


def padded(numbers: list[list[float]]) -> list[list[float]]:
    """Return the padded range of each column."""
    table = np.array(numbers)
    low, high = table.min(axis=0), table.max(axis=0)
    room = np.where(high > low, 0.15 * (high - low), 1.0)
    found: list[list[float]] = np.stack([low - room, high + room], axis=1).tolist()
    return found if len(found) > 1 else [*found, [-1.0, 1.0]]


def perceptron(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play the perceptron rule, mistake by mistake (Mitchell, section 4.4.2)."""
    X, y = sheet.frame()
    learner = induce.Perceptron(scale=None, order="given", learning_rate=0.5, max_epochs=40)
    with trace(("epoch", "update"), inner=False) as events:
        learned = learner.fit(X, y).hypothesis_
    numbers, classes = X.to_numpy(), list(map(str, learned.classes))
    codes = [classes.index(each) for each in sheet.column(str(sheet.target))]
    frames: list[Frame] = []

    def frame(caption: str, weights: Any, row: int | None) -> Frame:
        says = (weights[0] + numbers @ np.asarray(weights[1:]) > 0).astype(int)
        points = [
            {"at": at, "k": k, "wrong": bool(k != said), "label": f"row {number + 1}: {classes[k]}"}
            for number, (at, k, said) in enumerate(zip(numbers.tolist(), codes, says, strict=True))
        ]
        line = {"c": weights[0], "a": weights[1], "b": weights[2]}
        plane = {"axes": list(X.columns), "range": padded(numbers.tolist()), "points": points}
        return {"picture": "plane", "caption": caption, "row": row, "weights": list(weights)} | plane | {
            "lines": [line],
            "also": [weight_bars(["1", *X.columns], weights)],
        }  # fmt: skip

    for event in events.as_list():
        if event["kind"] == "update":
            row = event["rows"][0]
            frames.append(
                frame(
                    f"Row {row + 1} is misclassified: its values are added to the weights or subtracted.",
                    event["weights"],
                    row,
                )
            )
        elif event["epoch"] == 0:
            frames.append(frame("All weights are 0.", event["weights"], None))
    weights = [float(learned.intercepts[0]), *learned.weights[0].tolist()]
    frames = [*spaced(frames), frame("The learned line.", weights, None)]
    return frames, learned


def weight_bars(names: list[str], weights: Any) -> Frame:
    """Return weights as bars."""
    bars = [{"name": name, "value": float(value)} for name, value in zip(names, weights, strict=True)]
    return {"picture": "bars", "title": "weights", "bars": bars}


def lms(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play the LMS rule on a line through points (Mitchell, table 4.1)."""
    X, y = sheet.frame()
    learner = induce.LMS(
        scale=None, order="given", learning_rate=0.05, decay=None, max_epochs=30, patience=None
    )
    with trace("epoch", inner=False) as events:
        learned = learner.fit(X, y).hypothesis_
    numbers = sheet.numbers(*sheet.columns)
    told = events.as_list()
    losses = [event["loss"] for event in told]
    span = padded(numbers)

    def frame(caption: str, weights: Any, at: int) -> Frame:
        a, b = weights
        ends = [[x, a + b * x] for x in span[0]]
        points = [{"at": each, "label": f"row {k + 1}"} for k, each in enumerate(numbers)]
        plane = {"axes": list(sheet.columns), "range": span, "points": points, "curve": ends}
        curve = {"picture": "curve", "title": "squared error", "at": at}
        also = [
            curve | {"series": [{"name": "error", "values": losses}]},
            weight_bars(["1", X.columns[0]], weights),
        ]
        return {"picture": "plane", "caption": caption, "weights": list(weights), **plane, "also": also}

    frames = [frame(f"After {each['epoch']} epochs.", each["weights"], each["epoch"]) for each in told]
    weights = [float(learned.intercepts[0]), float(learned.weights[0, 0])]
    return [*frames, frame("The learned line.", weights, len(told) - 1)], learned


def back_propagation(sheet: Sheet, seed: int = 0) -> tuple[list[Frame], Any]:
    """Play back-propagation with the codes of the hidden units (Mitchell, table 4.2 and section 4.6.4)."""
    X, y = sheet.frame()
    learner = induce.NeuralNetworkRegressor(
        hidden=2,
        output="sigmoid",
        scale=None,
        solver="gradient",
        batch_size=1,
        learning_rate=0.8,
        weight_decay=0,
        max_epochs=1500,
        tol=0,
        random_state=seed,
    )
    with trace("epoch", inner=False) as events:
        learned = learner.fit(X, y).hypothesis_
    from dataclasses import replace

    told = spaced(events.as_list(), 30)
    losses = [event["loss"] for event in told]
    names = [", ".join(row[:-1]) for row in sheet.rows]

    def frame(caption: str, hypothesis: Any, at: int) -> Frame:
        inside, outside = hypothesis.codes(X), hypothesis.predict(X)
        rows = [
            {"name": name, "code": code, "says": f"{says:.3f}"}
            for name, code, says in zip(names, inside.tolist(), outside.tolist(), strict=True)
        ]
        view = hypothesis.to_view()
        units = view["layers"][1]["units"]
        curve = {
            "picture": "curve",
            "title": "error",
            "at": at,
            "series": [{"name": "error", "values": losses}],
        }
        codes = {"units": units, "rows": rows}
        return {"picture": "neural", "caption": caption, **view, "codes": codes, "also": [curve]}

    frames = []
    for at, event in enumerate(told):
        network = learned.network.with_weights(np.array(event["weights"]))
        frames.append(frame(f"After {event['epoch']} epochs.", replace(learned, network=network), at))
    return [*frames, frame("The learned network.", learned, len(told) - 1)], learned


def k_means(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play k-means: rows are assigned to the nearest mean, then the means are updated (Mitchell, section
    6.12.1).
    """
    X, _ = sheet.frame()
    with trace("k-means", inner=False) as events:
        learned = induce.KMeans(3, n_init=1, scale=None, rules=False, random_state=5).fit(X).hypothesis_
    numbers = X.to_numpy()

    def frame(caption: str, means: Any, number: int, inertias: list[float]) -> Frame:
        nearest = ((numbers[:, None, :] - np.array(means)[None]) ** 2).sum(axis=2).argmin(axis=1)
        return clustered(caption, X, nearest, [{"at": list(each)} for each in means]) | {
            "also": [curve_of("sum of squared distances to the means", inertias, number)]
        }

    told = events.as_list()
    inertias = [event["inertia"] for event in told]
    frames = []
    for at, event in enumerate(told):
        moved = event["moved"]
        said = (
            f"Step {event['iteration']}: {moved} row{'s' * (moved != 1)} changed cluster, and the "
            "means are updated."
        )
        frames.append(
            frame(said, [[each[name] for name in X.columns] for each in event["means"]], at, inertias)
        )
    last = frame("The learned clusters.", learned.centres.tolist(), len(told) - 1, inertias)
    last["also"] = [{"picture": "clusters", **learned.to_view()}]
    return [*frames, last], learned


def curve_of(title: str, values: list[float], at: int) -> Frame:
    """Return a curve of values by step."""
    return {"picture": "curve", "title": title, "at": at, "series": [{"name": "now", "values": values}]}


def clustered(caption: str, X: Any, codes: Any, means: list[dict[str, Any]]) -> Frame:
    """Return a scatter plot of the rows, coloured by cluster."""
    numbers = X.to_numpy().tolist()
    points = [
        {"at": at, "k": int(k), "label": f"row {row + 1}"}
        for row, (at, k) in enumerate(zip(numbers, codes, strict=True))
    ]
    plane = {"axes": list(X.columns), "range": padded(numbers), "points": points, "means": means}
    return {"picture": "plane", "caption": caption, **plane}


def em(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play EM for a mixture of normal distributions (Mitchell, section 6.12)."""
    X, _ = sheet.frame()
    with trace("em", inner=False) as events:
        learned = induce.GaussianMixture(2, n_init=1, rules=False).fit(X).hypothesis_
    numbers = X.to_numpy()
    told = events.as_list()
    objectives = [event["objective"] for event in told]

    def frame(caption: str, shares: Any, means: Any, covariances: Any, at: int) -> Frame:
        codes = responsible(numbers, shares, np.array(means), np.array(covariances)).argmax(axis=1)
        told = [{"at": list(m), "covariance": c} for m, c in zip(means, covariances, strict=True)]
        return clustered(caption, X, codes, told) | {"also": [curve_of("log-likelihood", objectives, at)]}

    frames = []
    for at, event in enumerate(told):
        means = [[each[name] for name in X.columns] for each in event["hypothesis"]]
        shares = [each["share"] for each in event["hypothesis"]]
        said = (
            f"After {event['iteration']} iterations; each row has the colour of its most probable component."
        )
        frames.append(frame(said, shares, means, event["covariances"], at))
    last = frame(
        "The learned mixture.",
        learned.shares.tolist(),
        learned.centres.tolist(),
        learned.matrices().tolist(),
        len(told) - 1,
    )
    last["also"] = [{"picture": "clusters", **learned.to_view()}]
    return [*frames, last], learned


def responsible(numbers: Any, shares: Any, means: Any, covariances: Any) -> Any:
    """Return the posterior probability of each component for each row (Mitchell, section 6.12.1, the E step)."""
    logs = []
    for share, mean, covariance in zip(shares, means, covariances, strict=True):
        off = numbers - mean
        inverse = np.linalg.pinv(covariance)
        volume = np.log(max(np.linalg.det(covariance), 1e-300))
        logs.append(np.log(max(share, 1e-300)) - 0.5 * (volume + ((off @ inverse) * off).sum(axis=1)))
    table = np.stack(logs, axis=1)
    chances = np.exp(table - table.max(axis=1, keepdims=True))
    return chances / chances.sum(axis=1, keepdims=True)
