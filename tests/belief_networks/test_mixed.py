"""Networks with numbers: exact answers against integration and simulation."""

import math

import numpy as np
import polars as pl
import pytest

from induce import InputError
from induce.belief_networks import BeliefNetwork, Normal
from induce.belief_networks.library import textbook_network


def gaussian(x, mean, sd):
    return math.exp(-(((x - mean) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))


def chain():
    """a → x → y → z, with a line of its own for each value of a."""
    return BeliefNetwork.of(
        {"x": ["a"], "y": ["x"], "z": ["y", "b"], "b": ["a"]},
        {
            "a": 0.3,
            "b": {True: 0.8, False: 0.4},
            "x": {True: Normal(2.0, 0.5), False: Normal(0.0, 1.0)},
            "y": Normal(1.0, 0.5, {"x": 2.0}),
            "z": {True: Normal(0.0, 1.0, {"y": 1.0}), False: Normal(1.0, 2.0, {"y": -1.0})},
        },
    )


def test_a_class_given_a_number():
    mixture = BeliefNetwork.of(
        {"x": ["c"]}, {"c": {"p": 0.4, "q": 0.6}, "x": {"p": Normal(0, 1), "q": Normal(2, 0.5)}}
    )
    p, q = 0.4 * gaussian(1.2, 0, 1), 0.6 * gaussian(1.2, 2, 0.5)
    assert mixture.query("c", {"x": 1.2})["p"] == pytest.approx(p / (p + q))
    assert mixture.probability({"x": 1.2}) == pytest.approx(p + q)
    number = mixture.query("x")
    assert number.mean == pytest.approx(1.2)
    assert number.density(1.2) == pytest.approx(p + q)
    assert number.cdf(number.interval(0.9)[0]) == pytest.approx(0.05)


def test_lines_in_a_row_are_jointly_normal():
    line = BeliefNetwork.of(
        {"y": ["x"], "z": ["y"]},
        {"x": Normal(1, 2), "y": Normal(0, 1, {"x": 3}), "z": Normal(-1, 0.5, {"y": 0.5})},
    )
    covariance = np.array([[4, 12, 6], [12, 37, 18.5], [6, 18.5, 9.5]])
    mean = np.array([1, 3, 0.5])
    gain = covariance[0, 2] / covariance[2, 2]
    found = line.query("x", {"z": 4.0})
    assert found.mean == pytest.approx(1 + gain * 3.5)
    assert found.sd == pytest.approx(math.sqrt(4 - gain * 6))
    assert line.query("z").sd == pytest.approx(math.sqrt(9.5))
    both = line.query("y", {"x": 0.0, "z": 1.0})
    weights = np.linalg.solve(covariance[np.ix_([0, 2], [0, 2])], covariance[1, [0, 2]])
    assert both.mean == pytest.approx(mean[1] + weights @ (np.array([0.0, 1.0]) - mean[[0, 2]]))
    assert line.query("x", {"x": 2.0}).mean == 2.0


def test_numbers_that_are_summed_out(fire):
    """P(a | z) by integrating x and y away on a grid."""
    model = chain()
    grid = np.linspace(-12, 12, 1201)
    step = grid[1] - grid[0]
    z, chances = 2.5, {}
    for a in (True, False):
        mean, sd = (2.0, 0.5) if a else (0.0, 1.0)
        x = np.exp(-(((grid - mean) / sd) ** 2) / 2) / (sd * math.sqrt(2 * math.pi))
        y = np.exp(-(((grid[:, None] - 1 - 2 * grid[None, :]) / 0.5) ** 2) / 2) / (
            0.5 * math.sqrt(2 * math.pi)
        )
        density_y = (y * x[None, :]).sum(axis=1) * step
        total = 0.0
        for b in (True, False):
            line = (0.0, 1.0, 1.0) if b else (1.0, -1.0, 2.0)
            own = np.exp(-(((z - line[0] - line[1] * grid) / line[2]) ** 2) / 2)
            own /= line[2] * math.sqrt(2 * math.pi)
            share = (0.8 if a else 0.4) if b else (0.2 if a else 0.6)
            total += share * (own * density_y).sum() * step
        chances[a] = (0.3 if a else 0.7) * total
    expected = chances[True] / sum(chances.values())
    assert model.query("a", {"z": z})[True] == pytest.approx(expected, abs=1e-6)
    assert model.probability({"z": z}) == pytest.approx(sum(chances.values()), abs=1e-8)


def test_exact_answers_agree_with_weighted_samples():
    model = chain()
    given = {"z": 2.5, "b": True}
    exact = model.query("y", given)
    sampled = model.query("y", given, method="likelihood-weighting", precision=0.01, random_state=0)
    assert sampled.mean == pytest.approx(exact.mean, abs=5 * sampled.standard_error)
    assert sampled.sd == pytest.approx(exact.sd, rel=0.05)
    assert sampled.cdf(exact.mean) == pytest.approx(exact.cdf(exact.mean), abs=0.03)
    a = model.query("a", given, method="likelihood-weighting", precision=0.005, random_state=0)
    assert a[True] == pytest.approx(model.query("a", given)[True], abs=5 * a.standard_error(True))
    assert model.marginals(given)["y"].mean == pytest.approx(exact.mean)


def test_interventions_on_numbers():
    model = chain()
    moved = model.do({"x": 3.0})
    assert moved.query("y").mean == pytest.approx(7.0)
    assert moved.query("a")[True] == pytest.approx(0.3)
    assert model.query("a", {"x": 3.0})[True] > 0.5
    assert moved.query("y").sd == pytest.approx(0.5)


def test_a_logistic_node():
    crop = textbook_network("crop")
    at_five = crop.query("Buys", {"Cost": 5.0})[True]
    assert at_five == pytest.approx(1 / (1 + math.exp(-1)))
    joint = {}
    for subsidy in (True, False):
        mean, sd = (8.0, 0.5) if subsidy else (10.0, 1.0)
        joint[subsidy] = (0.3 if subsidy else 0.7) * gaussian(5.0, mean - 5, math.sqrt(sd**2 + 1.5**2))
    expected = joint[True] / sum(joint.values())
    assert crop.query("Subsidy", {"Cost": 5.0, "Buys": True})[True] == pytest.approx(expected)
    with pytest.raises(InputError, match="'Buys' depends on the numeric node 'Cost', which is not observed"):
        crop.query("Subsidy", {"Buys": True})
    buys = crop.query("Buys", method="likelihood-weighting", precision=0.005, random_state=0)
    rows = crop.sample(50_000, random_state=1)
    assert buys[True] == pytest.approx(rows["Buys"].mean(), abs=0.02)


def test_rows_with_and_without_holes():
    model = chain()
    rows = model.sample(12, random_state=0)
    logs = model.score_samples(rows)
    assert logs[0] == pytest.approx(math.log(model.probability(rows.row(0, named=True))))
    holed = rows.with_columns(y=None).cast({"y": float})
    found = model.query_rows(holed.drop("a"), ["a", "y"])
    for k in (0, 5):
        given = {
            name: value for name, value in holed.drop("a").row(k, named=True).items() if value is not None
        }
        assert found["a = True"][k] == pytest.approx(model.query("a", given)[True])
        assert found["y mean"][k] == pytest.approx(model.query("y", given).mean)
    whole = model.query_rows(rows.drop("a"), "a")
    assert whole["a = True"][3] == pytest.approx(
        model.query("a", {k: v for k, v in rows.row(3, named=True).items() if k != "a"})[True]
    )


def test_bad_questions_about_numbers():
    model = chain()
    for kwargs, message in (
        ({"targets": ["x", "a"]}, "node 'x' is numeric; query it alone"),
        ({"targets": "x", "method": "gibbs"}, "use method='exact' or method='likelihood-weighting'"),
        ({"targets": "a", "method": "gibbs"}, "Gibbs sampling needs nominal nodes"),
        ({"targets": "a", "given": {"x": "high"}}, "node 'x' is numeric, but 'high' is given"),
        (
            {"targets": "a", "given": {"x": 1.0}, "method": "rejection"},
            "no sample has exactly the observed value",
        ),
    ):
        with pytest.raises(InputError, match=message):
            model.query(**kwargs)
    with pytest.raises(
        InputError, match="node 'x' is numeric, but only a network of nominal nodes consists of tables"
    ):
        _ = model.factors
    with pytest.raises(InputError, match="most probable values need a network of nominal nodes"):
        model.most_probable_rows(model.sample(2, random_state=0))
    assert model.most_probable({"z": 2.5, "x": 2.0})["a"] is True


def test_rows_are_answered_in_blocks_as_one_by_one(monkeypatch):
    from induce.belief_networks import rows as answering

    network = BeliefNetwork.of(
        {"x": ["a", "b"], "y": ["x", "a"], "z": ["y"], "w": ["b"], "c": ["a"]},
        {
            "a": 0.3,
            "b": {"p": 0.2, "q": 0.5, "r": 0.3},
            "c": {True: 0.7, False: 0.1},
            "x": {
                (a, b): Normal(k, 1 + a)
                for k, (a, b) in enumerate((a, b) for a in (False, True) for b in "pqr")
            },
            "y": {False: Normal(0, 1, {"x": 0.5}), True: Normal(1, 2, {"x": -1})},
            "z": Normal(0, 1, {"y": 2.0}),
            "w": {"p": Normal(0, 1), "q": Normal(2, 1), "r": Normal(4, 1)},
        },
    )
    rows = network.sample(40, random_state=1)
    rng = np.random.default_rng(0)
    holes = rows.with_columns(
        pl.when(pl.Series(rng.random(40) < 0.4)).then(None).otherwise(pl.col(name)).alias(name)
        for name in rows.columns
    )
    in_blocks = network.query_rows(holes, None)
    monkeypatch.setattr(answering, "mixed_posteriors", lambda *_: None)
    one_by_one = network.query_rows(holes, None)
    assert in_blocks.columns == one_by_one.columns
    np.testing.assert_allclose(in_blocks.to_numpy(), one_by_one.to_numpy(), rtol=1e-9, atol=1e-12)
